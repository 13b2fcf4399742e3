/*
 * color.c - samples to colours of a ramp: min is its start, max its end. A sample's colour depends
 * on the sample alone, never on the tile, so equal samples have equal colours everywhere.
 */
#include "core/style/color.h"

#include <math.h>
#include <string.h>

#include "core/style/paint.h"

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

/* ---- Tables ---------------------------------------------------------------------------------- */

static const struct nt_paint_kernel *const painters[NT_LEVELS] = NT_EACH_LEVEL(nt_painter);

void nt_paint_define(const struct nt_paint *paint, float sample, unsigned char rgba[4])
{
    nt_ramp_color(paint->stops, ((double)sample - paint->min) / paint->range, rgba);
}

/* Errors of more than this are not worth a line: too many samples would be too close to call. */
#define ERROR_MAX 0x1p-8

/* Sample at a position of the ramp. */
static double sample_at(const struct nt_paint *paint, double position)
{
    return paint->min + position * paint->range;
}

/*
 * Sets the lines of piece i, from stop i - 1 to stop i, and returns how far they can be from the
 * definition anywhere near it; infinity if there is no telling. In float, slope, product, sample
 * and the piece's end are each within 2^-24 of themselves, the offset and the sum within 2^-24 *
 * (|offset| + 1024); the definition, in double, is not further off than the last term says.
 */
static double set_piece(struct nt_paint *paint, int i)
{
    const struct nt_ramp *stops = paint->stops;
    double span = stops->position[i] - stops->position[i - 1];
    double west = sample_at(paint, stops->position[i - 1]);
    double reach = fabs(paint->min) + paint->range, error = 0.0;

    for (int c = 0; c < 4; c++) {
        double level = stops->color[i - 1][c], rise = stops->color[i][c] - level;
        double slope = rise / span / paint->range, offset = level + 0.5 - west * slope;
        double steep = fabs(slope) * reach;
        double here = 0x1p-24 * (6.0 * steep + 2.0 * fabs(offset) + 2048.0) +
                      0x1p-53 * 32.0 * (steep + 255.0 / span + 2048.0);
        paint->slope[i][c] = (float)slope;
        paint->offset[i][c] = (float)(NT_PAINT_ZERO + offset);
        error = here < ERROR_MAX ? fmax(error, here) : (double)INFINITY;
        if (!(here < ERROR_MAX))
            break;
    }
    return error;
}

/* A piece of one colour before the first stop, after the last, or (level 0, no 1/2) the one that is
 * always too close to call. */
static void set_flat(struct nt_paint *paint, int i, const unsigned char *color)
{
    for (int c = 0; c < 4; c++) {
        paint->slope[i][c] = 0.0f;
        paint->offset[i][c] = (float)NT_PAINT_ZERO + (color ? (float)color[c] + 0.5f : 0.0f);
    }
}

/* Half a window as wide as the error goes into the offsets, the whole one into the mask. */
static void set_window(struct nt_paint *paint, int pieces, double error)
{
    uint32_t half = 1;

    while (half < ldexp(error, NT_PAINT_POINT))
        half *= 2;
    for (int i = 0; i < pieces; i++)
        for (int c = 0; c < 4; c++)
            paint->offset[i][c] += (float)ldexp(half, -NT_PAINT_POINT);
    paint->near = (UINT32_C(1) << NT_PAINT_POINT) - 2 * half;
}

/*
 * Pieces of the buckets. A bucket is taken a sixteenth wider on either side than it is, which is
 * more than rounding moves a sample or a piece's end. If it touches more than two pieces, or one
 * without a line, all of it is too close to call.
 */
static void set_buckets(struct nt_paint *paint, const double *error)
{
    int pieces = paint->stops->count + 1, first = 0, last = 0;
    double width = paint->range / NT_BUCKETS, offset = -paint->min / width;
    bool usable = fabs(offset) < 0x1p17;

    paint->bucket_slope = (float)(1.0 / width);
    paint->bucket_offset = (float)offset;
    for (int b = 0; b < NT_BUCKETS; b++) {
        double low = paint->min + (b - 1.0 / 16) * width;
        double high = paint->min + (b + 17.0 / 16) * width;
        while (b > 0 && first < pieces - 1 && (double)paint->end[first] <= low)
            first++;
        while (last < pieces - 1 && (b == NT_BUCKETS - 1 || (double)paint->end[last] <= high))
            last++;
        bool known = usable && last <= first + 1 && isfinite(error[first]) && isfinite(error[last]);
        paint->first[b] = (unsigned char)(known ? first : pieces);
    }
}

static void paint_make(struct nt_paint *paint, const struct nt_spec *spec,
                       const struct nt_ramp *stops)
{
    int count = stops->count;
    double error[NT_RAMP_STOPS_MAX + 1] = {0.0}, most = 0.0;

    paint->stops = stops;
    paint->min = spec->min;
    paint->range = spec->max - spec->min;
    set_flat(paint, 0, stops->color[0]);
    set_flat(paint, count, stops->color[count - 1]);
    for (int i = 1; i < count; i++) {
        error[i] = set_piece(paint, i);
        most = isfinite(error[i]) ? fmax(most, error[i]) : most;
    }
    for (int i = 0; i < count; i++)
        paint->end[i] = (float)sample_at(paint, stops->position[i]);
    set_window(paint, count + 1, most);
    set_flat(paint, count + 1, NULL);
    paint->end[count] = paint->end[count + 1] = INFINITY;
    set_buckets(paint, error);
}

/* ---- The style ------------------------------------------------------------------------------- */

enum nt_status nt_style_color(struct nt_workspace *workspace, const struct nt_spec *spec,
                              struct nt_image *image)
{
    int side = nt_side(spec);
    size_t samples = (size_t)side * (size_t)side;
    struct nt_paint paint;
    struct nt_ramp stops;

    nt_ramp_expand(&spec->ramp, &stops);
    paint_make(&paint, spec, &stops);
    paint.channels = is_opaque(&stops) ? 3 : 4;
    size_t bytes = samples * (size_t)paint.channels;
    unsigned char *out = nt_reserve(workspace, NT_USE_PIXELS, bytes + 1);
    if (!out)
        return NT_NO_MEMORY;
    painters[nt_level_index()]->paint(&paint, nt_field(workspace), samples, out);
    *image = (struct nt_image){out, side, side, paint.channels, 8};
    return NT_OK;
}
