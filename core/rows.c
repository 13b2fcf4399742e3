/*
 * rows.c - what surrounds the kernels: from positions to cells and fractions, from the kernels'
 * layout (eight rows to a vector) to rows of samples.
 */
#include "core/lattice.h"

/* ---- Cells ----------------------------------------------------------------------------------- */

NT_INLINE void locate_4(double frequency, double offset, const double *world, double *cell,
                        float *fraction)
{
    d4 p, whole;
    f4 rest;

    memcpy(&p, world, sizeof p);
    p = p * frequency + offset;
    whole = floor_d4(p);
    rest = __builtin_convertvector(p - whole, f4);
    memcpy(cell, &whole, sizeof whole);
    memcpy(fraction, &rest, sizeof rest);
}

static void locate(double frequency, double offset, const double *world, int n, double *cell,
                   float *fraction, float *fade)
{
    double last[4] = {0.0}, last_cell[4];
    float last_fraction[4];
    int i = 0;

    for (; i + 4 <= n; i += 4)
        locate_4(frequency, offset, world + i, cell + i, fraction + i);
    memcpy(last, world + i, (size_t)(n - i) * sizeof *last);
    locate_4(frequency, offset, last, last_cell, last_fraction);
    memcpy(cell + i, last_cell, (size_t)(n - i) * sizeof *cell);
    memcpy(fraction + i, last_fraction, (size_t)(n - i) * sizeof *fraction);
    for (i = 0; i < n; i++)
        fade[i] = NT_FADE(fraction[i]);
}

/* ---- Bands ----------------------------------------------------------------------------------- */

/* Eight columns of eight rows, of which `rows` are wanted. */
NT_INLINE void unband_block(const float *sum, size_t width, int rows, float *field)
{
    f8 m[NT_LANES];

    for (int k = 0; k < NT_LANES; k++)
        m[k] = load_f8(sum + k * NT_LANES);
    transpose_f8(m);
    for (int k = 0; k < rows; k++)
        store_f8(field + (size_t)k * width, m[k]);
}

static void unband(const float *sum, int width, int rows, float *field)
{
    size_t stride = (size_t)width;

    for (int r = 0; r < rows; r += NT_LANES) {
        int wanted = rows - r < NT_LANES ? rows - r : NT_LANES, i = 0;
        for (; i + NT_LANES <= width; i += NT_LANES)
            unband_block(sum + (size_t)i * NT_LANES, stride, wanted, field + i);
        for (; i < width; i++)
            for (int k = 0; k < wanted; k++)
                field[(size_t)k * stride + (size_t)i] = sum[i * NT_LANES + k];
        sum += stride * NT_LANES;
        field += stride * NT_LANES;
    }
}

/* ---- Fractals -------------------------------------------------------------------------------- */

NT_INLINE f8 absolute(f8 n)
{
    return (f8)((u8)n & UINT32_C(0x7fffffff));
}

/* Whole part, toward zero. */
NT_INLINE f8 truncated(f8 t)
{
    return __builtin_convertvector(__builtin_convertvector(t, i8), f8);
}

/* A triangle wave: twice there and back while n goes from -1 to 1. */
NT_INLINE f8 pingpong(f8 n)
{
    f8 t = (n + 1.0f) * 2.0f;

    t = t - 2.0f * truncated(t * 0.5f);
    f8 q = select_f8((u8)(t < 1.0f), t, 2.0f - t);
    return 2.0f * q - 1.0f;
}

NT_INLINE f8 folded(int fractal, f8 n)
{
    switch (fractal) {
    case NT_FRACTAL_RIDGED:
        return 1.0f - 2.0f * absolute(n);
    case NT_FRACTAL_BILLOW:
        return 2.0f * absolute(n) - 1.0f;
    case NT_FRACTAL_PINGPONG:
        return pingpong(n);
    default:
        return n;
    }
}

static void fold(int fractal, float gain, const float *noise, size_t n, float *sum)
{
    for (size_t i = 0; i < n; i += NT_LANES)
        store_f8(sum + i, load_f8(sum + i) + gain * folded(fractal, load_f8(noise + i)));
}

const struct nt_row_kernel NT_EXPORT(nt_rows) = {.locate = locate, .unband = unband, .fold = fold};
