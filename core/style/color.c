/*
 * color.c - samples to colours of a ramp: min is its start, max its end. A sample's colour depends
 * on the sample alone, never on the tile, so equal samples have equal colours everywhere.
 */
#include "core/style/color.h"

#include <string.h>

/* Linear between two bytes, round half up. */
static unsigned char blend(unsigned char a, unsigned char b, double t)
{
    return (unsigned char)((double)a + ((double)b - (double)a) * t + 0.5);
}

void nt_ramp_color(const struct nt_ramp *stops, double position, unsigned char rgba[4])
{
    int above = 1, last = stops->count - 1;

    if (!(position > stops->position[0])) {
        memcpy(rgba, stops->color[0], 4);
        return;
    }
    if (position >= stops->position[last]) {
        memcpy(rgba, stops->color[last], 4);
        return;
    }
    while (stops->position[above] <= position)
        above++;
    double from = stops->position[above - 1], to = stops->position[above];
    double t = (position - from) / (to - from);
    for (int c = 0; c < 4; c++)
        rgba[c] = blend(stops->color[above - 1][c], stops->color[above][c], t);
}

static bool is_opaque(const struct nt_ramp *stops)
{
    for (int i = 0; i < stops->count; i++)
        if (stops->color[i][3] != 255)
            return false;
    return true;
}

enum nt_status nt_style_color(struct nt_workspace *workspace, const struct nt_spec *spec,
                              struct nt_image *image)
{
    int side = nt_side(spec);
    size_t samples = (size_t)side * (size_t)side;
    const float *field = nt_field(workspace);
    double range = spec->max - spec->min;
    struct nt_ramp stops;

    nt_ramp_expand(&spec->ramp, &stops);
    size_t channels = is_opaque(&stops) ? 3 : 4;
    unsigned char *out = nt_reserve(workspace, NT_USE_PIXELS, samples * channels);
    if (!out)
        return NT_NO_MEMORY;
    *image = (struct nt_image){out, side, side, (int)channels, 8};
    for (size_t i = 0; i < samples; i++, out += channels) {
        unsigned char rgba[4];
        nt_ramp_color(&stops, ((double)field[i] - spec->min) / range, rgba);
        memcpy(out, rgba, channels);
    }
    return NT_OK;
}
