/*
 * png.c - an image as PNG: signature and three chunks around the filtered and deflated rows. No
 * ancillary chunks: no colour profile, no time. What a file is made of is RFC 2083's.
 */
#include "core/encode/png.h"

#include <string.h>

#include "core/encode/checksum.h"
#include "core/encode/deflate.h"
#include "core/encode/filter.h"
#include "core/encode/plan.h"

/* ---- Filtering ------------------------------------------------------------------------------- */

static bool filter_image(struct nt_workspace *workspace, const struct nt_image *image,
                         enum nt_filter filter, struct nt_filtered *filtered)
{
    *filtered = nt_filtered_none(image);
    size_t size = (size_t)image->height * filtered->stride;
    unsigned char *out = nt_reserve(workspace, NT_USE_FILTERED, size + filtered->stride);
    if (!out)
        return false;
    unsigned char *zeros = out + size; /* the row above the first */
    memset(zeros, 0, filtered->stride);
    filtered->data = out;
    nt_filter_rows(image, filter, 0, image->height, zeros, filtered, out);
    return true;
}

/* ---- Framing --------------------------------------------------------------------------------- */

static unsigned char *put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        *to++ = (unsigned char)(value >> (24 - 8 * i));
    return to;
}

/* Around len bytes of a chunk's data, which are already there: 8 bytes before, 4 behind. */
enum { CHUNK_HEAD = 8, CHUNK_TAIL = 4 };

static unsigned char *put_chunk(unsigned char *to, const char *type, size_t len)
{
    unsigned char *checked = put_u32(to, (uint32_t)len);

    memcpy(checked, type, 4);
    return put_u32(to + CHUNK_HEAD + len, nt_crc32(0, checked, 4 + len));
}

static unsigned char *put_header(unsigned char *to, const struct nt_image *image)
{
    static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const unsigned char color_types[] = {[1] = 0, [3] = 2, [4] = 6};
    enum { HEADER_LEN = 13 };

    memcpy(to, signature, sizeof signature);
    to += sizeof signature;
    unsigned char *at = put_u32(to + CHUNK_HEAD, (uint32_t)image->width);
    at = put_u32(at, (uint32_t)image->height);
    *at++ = (unsigned char)image->depth;
    *at++ = color_types[image->channels];
    memset(at, 0, 3); /* the one compression and filter method, no interlacing */
    return put_chunk(to, "IHDR", HEADER_LEN);
}

/* The deflated data between zlib's header (32 KiB window, no dictionary) and checksum. */
static unsigned char *put_data(unsigned char *to, struct nt_workspace *workspace,
                               const struct nt_filtered *filtered, enum nt_search search)
{
    unsigned char *data = to + CHUNK_HEAD;

    data[0] = 0x78;
    data[1] = 0x01;
    size_t len = nt_deflate(workspace, filtered, search, data + 2);
    if (!len)
        return NULL;
    unsigned char *end =
        put_u32(data + 2 + len, nt_adler32(filtered->data, filtered->rows * filtered->stride));
    return put_chunk(to, "IDAT", (size_t)(end - data));
}

enum nt_status nt_png_encode(struct nt_workspace *workspace, const struct nt_image *image,
                             struct nt_bytes *png)
{
    enum { FRAME_MAX = 128 }; /* 8 + 3 (8 + 4) + 13 of the header, and zlib's 6 */
    struct nt_png_plan plan;
    struct nt_filtered filtered;

    if (!nt_png_plan_make(workspace, image, &plan) ||
        !filter_image(workspace, image, plan.filter, &filtered))
        return NT_NO_MEMORY;
    unsigned char *out =
        nt_reserve(workspace, NT_USE_ENCODED, nt_deflate_bound(&filtered) + FRAME_MAX);
    unsigned char *end =
        out ? put_data(put_header(out, image), workspace, &filtered, plan.search) : NULL;
    if (!end)
        return NT_NO_MEMORY;
    end = put_chunk(end, "IEND", 0);
    *png = (struct nt_bytes){out, (size_t)(end - out)};
    return NT_OK;
}
