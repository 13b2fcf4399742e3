/* rows.c - from the kernels' layout (eight rows to a vector) to rows of samples. */
#include "core/lattice.h"

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

const struct nt_row_kernel NT_EXPORT(nt_rows) = {.unband = unband};
