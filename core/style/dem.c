/*
 * dem.c - samples to heights for terrain: min and max stand for the two elevations, beyond them it
 * goes on in a straight line. Encoded after everything else, rounded half up, clamped and never
 * wrapped; three bytes, no alpha and no palette, because clients decode the bytes.
 */
#include "core/internal.h"

/* Units of the encoding, from 0 to 2^24 - 1, for a height of h metres. */
static double terrarium_units(double h)
{
    return (h + 32768.0) * 256.0; /* h = R 256 + G + B / 256 - 32768 */
}

static double mapbox_units(double h)
{
    return (h + 10000.0) * 10.0; /* h = -10000 + (R 65536 + G 256 + B) 0.1 */
}

static uint32_t clamped(double units)
{
    double rounded = units + 0.5;

    if (!(rounded > 0.0))
        return 0;
    return rounded >= 16777215.0 ? UINT32_C(0xffffff) : (uint32_t)rounded;
}

enum nt_status nt_style_dem(struct nt_workspace *workspace, const struct nt_spec *spec,
                            struct nt_image *image)
{
    double (*units)(double) = spec->style == NT_STYLE_MAPBOX ? mapbox_units : terrarium_units;
    int side = nt_side(spec);
    size_t samples = (size_t)side * (size_t)side;
    const float *field = nt_field(workspace);
    double low = spec->elevation[0], rise = spec->elevation[1] - low, range = spec->max - spec->min;
    unsigned char *out = nt_reserve(workspace, NT_USE_PIXELS, 3 * samples);

    if (!out)
        return NT_NO_MEMORY;
    *image = (struct nt_image){out, side, side, 3, 8};
    for (size_t i = 0; i < samples; i++, out += 3) {
        uint32_t value = clamped(units(low + ((double)field[i] - spec->min) / range * rise));
        out[0] = (unsigned char)(value >> 16);
        out[1] = (unsigned char)(value >> 8 & 255);
        out[2] = (unsigned char)(value & 255);
    }
    return NT_OK;
}
