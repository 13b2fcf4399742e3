/*
 * filter.h - PNG's filters (PNG specification, section 9): a row of bytes as the difference of each
 * from what its neighbours predict. The kernels are compiled once per instruction level; all give
 * the same bytes.
 */
#ifndef NT_FILTER_H
#define NT_FILTER_H

#include "core/internal.h"

/* Filter types, by their number in the file; Average never paid. */
enum nt_filter { NT_FILTER_NONE = 0, NT_FILTER_SUB = 1, NT_FILTER_UP = 2, NT_FILTER_PAETH = 4 };

struct nt_filter_kernel {
    /*
     * len bytes of a row, bpp bytes a pixel, below the row `up`. Returns the smallest 2^n - 1 so
     * that all of out, taken as signed bytes, are from -2^n to 2^n - 1.
     */
    unsigned (*row)(enum nt_filter filter, const unsigned char *row, const unsigned char *up,
                    size_t len, size_t bpp, unsigned char *out);
};

NT_DECLARE_LEVELS(const struct nt_filter_kernel, nt_filters);

/* Rows of bytes, one after the other, each with its filter type in front. */
struct nt_filtered {
    const unsigned char *data;
    size_t rows, stride; /* bytes from row to row */
    size_t bpp;          /* bytes of a pixel */
    unsigned range;      /* all but the first row: signed, from -1 - range to range */
};

/* No rows yet of an image, and no data. */
struct nt_filtered nt_filtered_none(const struct nt_image *image);

/*
 * Filters `rows` rows at each of some places all over the image, one behind the other; all rows, if
 * those are no fewer. The data are the workspace's, until the next call. False: out of memory.
 */
bool nt_filter_places(struct nt_workspace *workspace, const struct nt_image *image,
                      enum nt_filter filter, int places, int rows, struct nt_filtered *filtered);

#endif
