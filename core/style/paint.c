/*
 * paint.c - samples to colours by the tables of paint.h. A sample's bucket tells its piece of the
 * ramp but for one comparison, the piece a line for each channel, and the four lines' bits the
 * bytes. A sample too close to call in any channel is looked up again by the definition.
 */
#include "core/style/paint.h"

#include <string.h>

#include "core/lanes.h"

enum { BLOCK = 64 };

union lines {
    float number[BLOCK][4];
    uint32_t bits[BLOCK][4];
};

NT_INLINE void find_buckets(const struct nt_paint *paint, const float *samples, int32_t *bucket)
{
    float slope = paint->bucket_slope, offset = paint->bucket_offset;
    const float first = 0.0f, last = (float)(NT_BUCKETS - 1);

    for (int i = 0; i < BLOCK; i++) {
        float x = samples[i] * slope + offset;
        x = x > first ? x : first;
        bucket[i] = (int32_t)(x < last ? x : last);
    }
}

/* The channels of all samples, as numbers with a binary point. */
NT_INLINE void draw_lines(const struct nt_paint *paint, const float *samples, const int32_t *bucket,
                          union lines *lines)
{
    for (int i = 0; i < BLOCK; i++) {
        float v = samples[i];
        size_t piece = paint->first[bucket[i]];
        piece += v >= paint->end[piece];
        const float *slope = paint->slope[piece], *offset = paint->offset[piece];
        for (int c = 0; c < 4; c++)
            lines->number[i][c] = v * slope[c] + offset[c];
    }
}

/* Looks up what the lines left open; equal samples, as a flat tile's, only once. */
NT_INLINE void define_close(const struct nt_paint *paint, const float *samples,
                            const union lines *lines, unsigned char *colors)
{
    int known = -1; /* last sample that was looked up */

    for (int i = 0; i < BLOCK; i++) {
        const uint32_t *bits = lines->bits[i];
        uint32_t near = paint->near;
        if ((bits[0] & near) && (bits[1] & near) && (bits[2] & near) && (bits[3] & near))
            continue;
        if (known >= 0 && samples[i] == samples[known])
            memcpy(colors + 4 * (size_t)i, colors + 4 * (size_t)known, 4);
        else
            nt_paint_define(paint, samples[i], colors + 4 * (size_t)i);
        known = i;
    }
}

/* A block of colours, four bytes each. */
NT_INLINE void paint_block(const struct nt_paint *paint, const float *samples,
                           unsigned char *colors)
{
    int32_t bucket[BLOCK];
    uint32_t near = paint->near, close = 0;
    union lines lines;
    const uint32_t *bits = lines.bits[0];

    find_buckets(paint, samples, bucket);
    draw_lines(paint, samples, bucket, &lines);
    for (int i = 0; i < 4 * BLOCK; i++)
        close |= (bits[i] & near) == 0;
    for (int i = 0; i < 4 * BLOCK; i++)
        colors[i] = (unsigned char)(bits[i] >> NT_PAINT_POINT);
    if (close)
        define_close(paint, samples, &lines, colors);
}

static void paint(const struct nt_paint *table, const float *samples, size_t n, unsigned char *out)
{
    size_t channels = (size_t)table->channels;

    while (n > 0) {
        unsigned char colors[4 * BLOCK];
        float rest[BLOCK] = {0.0f};
        size_t some = n < BLOCK ? n : BLOCK;

        if (some < BLOCK)
            memcpy(rest, samples, some * sizeof *rest);
        paint_block(table, some < BLOCK ? rest : samples, colors);
        for (size_t i = 0; i < some; i++) /* the next colour goes over a fourth byte too many */
            memcpy(out + channels * i, colors + 4 * i, 4);
        out += channels * some;
        samples += some;
        n -= some;
    }
}

const struct nt_paint_kernel NT_EXPORT(nt_painter) = {.paint = paint};
