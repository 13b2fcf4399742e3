/*
 * paint.h - samples to colours of a ramp, many at a time. color.c defines what colour a sample has
 * and draws up the tables; paint.c, compiled for each instruction level, paints by them.
 */
#ifndef NT_PAINT_H
#define NT_PAINT_H

#include "core/style/color.h"

/* Pieces of a ramp: before its first stop, between each two, after its last; and one that always is
 * too close to call. */
enum { NT_PIECES_MAX = NT_RAMP_STOPS_MAX + 2, NT_BUCKETS = 256 };

/*
 * In a piece, a channel of sample v is v * slope + offset: the level plus 1/2 plus a constant, so
 * that, as in quantise.c, the level can be read from the number's bits, and those in `near` are all
 * zero where line and definition might round differently.
 */
struct nt_paint {
    const struct nt_ramp *stops; /* the definition's */
    double min, range;
    int channels;                      /* 3 or 4 */
    float bucket_slope, bucket_offset; /* samples to buckets of equal width */
    unsigned char first[NT_BUCKETS];   /* lowest piece that a bucket touches */
    float end[NT_PIECES_MAX];          /* where the piece ends and the next one begins */
    float slope[NT_PIECES_MAX][4], offset[NT_PIECES_MAX][4];
    uint32_t near;
};

/* The colour of a sample, by definition. */
void nt_paint_define(const struct nt_paint *paint, float sample, unsigned char rgba[4]);

struct nt_paint_kernel {
    /* n samples' colours, `channels` bytes each, and perhaps one byte more */
    void (*paint)(const struct nt_paint *paint, const float *samples, size_t n, unsigned char *out);
};

NT_DECLARE_LEVELS(const struct nt_paint_kernel, nt_painter);

/* Bits behind the binary point, and the constant that puts it there. */
enum { NT_PAINT_POINT = 14 };
#define NT_PAINT_ZERO 0x1.8p9

#endif
