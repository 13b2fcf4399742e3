/* filter_rows.c - rows of an image through a filter, at the instruction level in use. */
#include "core/encode/filter.h"

static const struct nt_filter_kernel *const kernels[] = NT_EACH_LEVEL(nt_filters);

struct nt_filtered nt_filtered_none(const struct nt_image *image)
{
    size_t bpp = (size_t)(image->channels * image->depth / 8);

    return (struct nt_filtered){.stride = (size_t)image->width * bpp + 1, .bpp = bpp};
}

void nt_filter_rows(const struct nt_image *image, enum nt_filter filter, int y, int rows,
                    const unsigned char *zeros, struct nt_filtered *filtered, unsigned char *out)
{
    const struct nt_filter_kernel *kernel = kernels[nt_level_index()];
    size_t len = filtered->stride - 1;

    for (int end = y + rows; y < end; y++, out += filtered->stride) {
        const unsigned char *row = image->pixels + (size_t)y * len;
        const unsigned char *up = y ? row - len : zeros;
        out[0] = (unsigned char)filter;
        unsigned range = kernel->row(filter, row, up, len, filtered->bpp, out + 1);
        filtered->range |= y ? range : 0;
    }
    filtered->rows += (size_t)rows;
}
