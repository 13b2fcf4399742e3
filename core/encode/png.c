/*
 * png.c - an image as PNG: rows are filtered here, deflated by deflate.c and framed by libpng,
 * which knows signature, chunks and their checksums. No ancillary chunks: no colour profile, no
 * time.
 */
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "core/encode/deflate.h"
#include "core/encode/png.h"

/* ---- Filtering ------------------------------------------------------------------------------- */

static int paeth(int a, int b, int c)
{
    int pa = b > c ? b - c : c - b, pb = a > c ? a - c : c - a, pc = a + b - 2 * c;

    pc = pc < 0 ? -pc : pc;
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* One loop for each filter; left is bpp bytes before, up is the row above. */
#define FILTER_ROW(prediction)                           \
    for (size_t i = 0; i < len; i++) {                   \
        int a = i >= bpp ? row[i - bpp] : 0, b = up[i];  \
        int c = i >= bpp ? up[i - bpp] : 0;              \
        (void)a, (void)b, (void)c;                       \
        out[i] = (unsigned char)(row[i] - (prediction)); \
    }

static void filter_row(enum nt_png_filter filter, const unsigned char *row, const unsigned char *up,
                       size_t len, size_t bpp, unsigned char *out)
{
    *out++ = (unsigned char)filter;
    switch (filter) {
    case NT_FILTER_NONE:
        memcpy(out, row, len);
        break;
    case NT_FILTER_SUB:
        FILTER_ROW(a)
        break;
    case NT_FILTER_UP:
        FILTER_ROW(b)
        break;
    case NT_FILTER_AVERAGE:
        FILTER_ROW((a + b) >> 1)
        break;
    case NT_FILTER_PAETH:
        FILTER_ROW(paeth(a, b, c))
        break;
    }
}

static enum nt_status filter_image(struct nt_workspace *workspace, const struct nt_image *image,
                                   enum nt_png_filter filter, struct nt_bytes *filtered)
{
    size_t bpp = (size_t)(image->channels * image->depth / 8), len = (size_t)image->width * bpp;
    size_t rows = (size_t)image->height;
    unsigned char *out = nt_reserve(workspace, NT_USE_FILTERED, rows * (len + 1) + len);
    unsigned char *zeros = out ? out + rows * (len + 1) : NULL; /* the row above the first */

    if (!out)
        return NT_NO_MEMORY;
    memset(zeros, 0, len);
    for (size_t y = 0; y < rows; y++) {
        const unsigned char *row = image->pixels + y * len;
        filter_row(filter, row, y ? row - len : zeros, len, bpp, out + y * (len + 1));
    }
    *filtered = (struct nt_bytes){out, rows * (len + 1)};
    return NT_OK;
}

/* ---- Framing --------------------------------------------------------------------------------- */

/* Everything a PNG of ours has besides its image data: signature and three chunks. */
enum { FRAME_BYTES = 8 + 3 * 12 + 13 };

struct sink {
    unsigned char *data;
    size_t len, cap;
};

static void sink_write(png_structp png, png_bytep data, size_t len)
{
    struct sink *sink = png_get_io_ptr(png);

    if (len > sink->cap - sink->len)
        png_error(png, "no room");
    memcpy(sink->data + sink->len, data, len);
    sink->len += len;
}

static void sink_flush(png_structp png)
{
    (void)png;
}

static void quiet(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void write_chunks(png_structp png, const struct nt_image *image, struct nt_bytes data)
{
    static const int color_type[] = {
        [1] = PNG_COLOR_TYPE_GRAY, [3] = PNG_COLOR_TYPE_RGB, [4] = PNG_COLOR_TYPE_RGBA};
    unsigned char header[13] = {0}; /* no interlacing, the one compression and filter method */

    put_u32(header, (uint32_t)image->width);
    put_u32(header + 4, (uint32_t)image->height);
    header[8] = (unsigned char)image->depth;
    header[9] = (unsigned char)color_type[image->channels];
    png_write_sig(png);
    png_write_chunk(png, (png_const_bytep) "IHDR", header, sizeof header);
    png_write_chunk(png, (png_const_bytep) "IDAT", data.data, data.len);
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
}

static bool frame(struct sink *sink, const struct nt_image *image, struct nt_bytes data)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, quiet);

    if (!png)
        return false;
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, NULL);
        return false;
    }
    png_set_write_fn(png, sink, sink_write, sink_flush);
    write_chunks(png, image, data);
    png_destroy_write_struct(&png, NULL);
    return true;
}

enum nt_status nt_png_encode(struct nt_workspace *workspace, const struct nt_image *image,
                             enum nt_png_filter filter, struct nt_bytes *png)
{
    struct nt_bytes filtered, data;
    struct sink sink = {0};
    enum nt_status status = filter_image(workspace, image, filter, &filtered);

    if (!status)
        status = nt_zlib(workspace, filtered, &data);
    if (status)
        return status;
    sink.cap = data.len + FRAME_BYTES;
    sink.data = nt_reserve(workspace, NT_USE_ENCODED, sink.cap);
    if (!sink.data || !frame(&sink, image, data))
        return NT_NO_MEMORY;
    *png = (struct nt_bytes){sink.data, sink.len};
    return NT_OK;
}
