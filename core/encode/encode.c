/* encode.c - the table of formats: which function turns a filled workspace into bytes. */
#include "core/encode/encode.h"
#include "core/encode/png.h"

static nt_style *const styles[] = {
    [NT_STYLE_GRAY] = nt_style_gray,
    [NT_STYLE_COLOR] = nt_style_color,
    [NT_STYLE_TERRARIUM] = nt_style_dem,
    [NT_STYLE_MAPBOX] = nt_style_dem,
};

static enum nt_status encode_png(struct nt_workspace *workspace, const struct nt_spec *spec,
                                 const struct nt_tile *tile, struct nt_bytes *bytes)
{
    struct nt_image image;
    enum nt_status status = styles[spec->style](workspace, spec, &image);

    (void)tile;
    return status ? status : nt_png_encode(workspace, &image, bytes);
}

static nt_encoder *const encoders[NT_FORMATS] = {
    [NT_PNG] = encode_png,    [NT_JSON] = nt_encode_json, [NT_BIN] = nt_encode_bin,
    [NT_NPY] = nt_encode_npy, [NT_R16] = nt_encode_r16,
};

enum nt_status nt_encode(struct nt_workspace *workspace, const struct nt_spec *spec,
                         const struct nt_tile *tile, struct nt_bytes *bytes)
{
    nt_encoder *encoder =
        spec->purpose == NT_FOR_SAMPLE ? nt_encode_sample : encoders[spec->format];

    return encoder(workspace, spec, tile, bytes);
}

size_t nt_bytes_estimate(const struct nt_spec *spec)
{
    static const size_t per_sample[NT_FORMATS] = {
        [NT_PNG] = 3, [NT_JSON] = 12, [NT_BIN] = 4, [NT_NPY] = 4, [NT_R16] = 2};
    bool is_sample = spec->purpose == NT_FOR_SAMPLE;
    size_t side = (size_t)nt_side(spec);
    size_t samples = is_sample ? (size_t)spec->nx * (size_t)spec->ny : side * side;

    return samples * per_sample[spec->format] * (nt_is_float64(spec) ? 2 : 1);
}
