/* png.h - PNG images in a workspace. */
#ifndef NT_PNG_H
#define NT_PNG_H

#include "core/internal.h"

/* The result is in NT_USE_ENCODED. NT_OK or NT_NO_MEMORY. */
enum nt_status nt_png_encode(struct nt_workspace *workspace, const struct nt_image *image,
                             struct nt_bytes *png);

#endif
