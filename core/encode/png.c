/*
 * png.c - an image as PNG (RFC 2083): the filtered rows, deflated, in zlib's format (RFC 1950), in
 * libpng's frame.
 */
#include "core/encode/png.h"

#include <string.h>

#include "core/encode/checksum.h"
#include "core/encode/deflate.h"
#include "core/encode/filter.h"
#include "core/encode/frame.h"
#include "core/encode/plan.h"

/* ---- The whole ------------------------------------------------------------------------------- */

static unsigned char *put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        *to++ = (unsigned char)(value >> (24 - 8 * i));
    return to;
}

enum { ZLIB_HEAD = 2, ZLIB_TAIL = 4 };

/*
 * The deflated data between zlib's header (32 KiB window, no dictionary) and checksum. Returns how
 * many bytes; 0: out of memory.
 */
static size_t put_data(unsigned char *to, struct nt_workspace *workspace,
                       const struct nt_filtered *filtered, enum nt_search search)
{
    to[0] = 0x78;
    to[1] = 0x01;
    size_t len = nt_deflate(workspace, filtered, search, to + ZLIB_HEAD);
    put_u32(to + ZLIB_HEAD + len, nt_adler32(filtered->data, filtered->rows * filtered->stride));
    return len ? ZLIB_HEAD + len + ZLIB_TAIL : 0;
}

enum nt_status nt_png_encode(struct nt_workspace *workspace, const struct nt_image *image,
                             struct nt_bytes *png)
{
    enum { AROUND = NT_FRAME_HEAD + ZLIB_HEAD + ZLIB_TAIL + NT_FRAME_TAIL };
    struct nt_png_plan plan;
    struct nt_filtered filtered;

    if (!nt_png_plan_make(workspace, image, &plan) ||
        !nt_filter_places(workspace, image, plan.filter, 1, image->height, &filtered))
        return NT_NO_MEMORY;
    unsigned char *out =
        nt_reserve(workspace, NT_USE_ENCODED, nt_deflate_bound(&filtered) + AROUND);
    if (!out)
        return NT_NO_MEMORY;
    size_t len = put_data(out + NT_FRAME_HEAD, workspace, &filtered, plan.search);
    if (!len || !nt_frame(workspace, image, out, len))
        return NT_NO_MEMORY;
    *png = (struct nt_bytes){out, NT_FRAME_HEAD + len + NT_FRAME_TAIL};
    return NT_OK;
}
