/* png.h - PNG images in a workspace. */
#ifndef NT_PNG_H
#define NT_PNG_H

#include "core/internal.h"

/* The filter types of the PNG specification, section 9; one for the whole image. */
enum nt_png_filter {
    NT_FILTER_NONE,
    NT_FILTER_SUB,
    NT_FILTER_UP,
    NT_FILTER_AVERAGE,
    NT_FILTER_PAETH
};

/* The result is in NT_USE_ENCODED. NT_OK or NT_NO_MEMORY. */
enum nt_status nt_png_encode(struct nt_workspace *workspace, const struct nt_image *image,
                             enum nt_png_filter filter, struct nt_bytes *png);

#endif
