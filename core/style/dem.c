/*
 * dem.c - samples to heights for terrain: min and max stand for the two elevations, beyond them it
 * goes on in a straight line. Encoded after everything else, rounded half up, clamped and never
 * wrapped; three bytes, no alpha and no palette, because clients decode the bytes.
 */
#include "core/style/quantise.h"

/* h = R 256 + G + B / 256 - 32768, and h = -10000 + (R 65536 + G 256 + B) 0.1. */
static const struct {
    double shift, per; /* units of the encoding: (h + shift) * per */
} encodings[] = {[false] = {32768.0, 256.0}, [true] = {10000.0, 10.0}};

enum nt_status nt_style_dem(struct nt_workspace *workspace, const struct nt_spec *spec,
                            struct nt_image *image)
{
    bool mapbox = spec->style == NT_STYLE_MAPBOX;
    int side = nt_side(spec);
    size_t samples = (size_t)side * (size_t)side;
    unsigned char *out = nt_reserve(workspace, NT_USE_PIXELS, 3 * samples);
    const struct nt_scale scale = {
        .min = spec->min,
        .range = spec->max - spec->min,
        .rise = spec->elevation[1] - spec->elevation[0],
        .low = spec->elevation[0],
        .shift = encodings[mapbox].shift,
        .per = encodings[mapbox].per,
        .top = 16777215.0,
    };

    if (!out)
        return NT_NO_MEMORY;
    *image = (struct nt_image){out, side, side, 3, 8};
    nt_quantiser()->triples(&scale, nt_field(workspace), samples, out);
    return NT_OK;
}
