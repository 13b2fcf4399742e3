/* filter_rows.c - rows of an image through a filter, at the instruction level in use. */
#include <string.h>

#include "core/encode/filter.h"

static const struct nt_filter_kernel *const kernels[] = NT_EACH_LEVEL(nt_filters);

struct nt_filtered nt_filtered_none(const struct nt_image *image)
{
    size_t bpp = (size_t)(image->channels * image->depth / 8);

    return (struct nt_filtered){.stride = (size_t)image->width * bpp + 1, .bpp = bpp};
}

/*
 * Adds `rows` rows of the image, from row y on; `out` is the end of those before. zeros: as many
 * bytes as a row has pixel bytes, for the row above the first.
 */
static void filter_rows(const struct nt_image *image, enum nt_filter filter, int y, int rows,
                        const unsigned char *zeros, struct nt_filtered *filtered,
                        unsigned char *out)
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

bool nt_filter_places(struct nt_workspace *workspace, const struct nt_image *image,
                      enum nt_filter filter, int places, int rows, struct nt_filtered *filtered)
{
    if (image->height <= places * rows) {
        places = 1;
        rows = image->height;
    }
    *filtered = nt_filtered_none(image);
    size_t size = (size_t)(places * rows) * filtered->stride;
    unsigned char *out = nt_reserve(workspace, NT_USE_FILTERED, size + filtered->stride);
    if (!out)
        return false;
    unsigned char *zeros = out + size; /* the row above the first */
    memset(zeros, 0, filtered->stride);
    filtered->data = out;
    for (int i = 0; i < places; i++) {
        int64_t y = (int64_t)(image->height - rows) * (2 * i + 1) / (2 * places);
        filter_rows(image, filter, (int)y, rows, zeros, filtered,
                    out + filtered->rows * filtered->stride);
    }
    return true;
}
