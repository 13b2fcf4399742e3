/*
 * frame.c - the only user of libpng, which knows signature, chunks and their checksums; its
 * structure is made once per workspace. No ancillary chunks: no colour profile, no time. IDAT's
 * checksum alone is libdeflate's: with zlib's, which libpng takes, that of a tile of 20 KB is 4.4 of
 * some 60 us.
 */
#include "core/encode/frame.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "core/encode/checksum.h"

/* Where libpng writes to. */
struct sink {
    unsigned char *at, *end;
};

static void sink_write(png_structp png, png_bytep data, size_t len)
{
    struct sink *sink = png_get_io_ptr(png);

    if (len > (size_t)(sink->end - sink->at))
        png_error(png, "no room");
    memcpy(sink->at, data, len);
    sink->at += len;
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

static void write_header(png_structp png, const struct nt_image *image)
{
    static const unsigned char color_types[] = {
        [1] = PNG_COLOR_TYPE_GRAY, [3] = PNG_COLOR_TYPE_RGB, [4] = PNG_COLOR_TYPE_RGBA};
    unsigned char header[13] = {0}; /* the one compression and filter method, no interlacing */

    png_save_uint_32(header, (png_uint_32)image->width);
    png_save_uint_32(header + 4, (png_uint_32)image->height);
    header[8] = (unsigned char)image->depth;
    header[9] = color_types[image->channels];
    png_write_sig(png);
    png_write_chunk(png, (png_const_bytep) "IHDR", header, sizeof header);
}

/* The data stay where they are; the type, right before them, is under their checksum. */
static void write_data(png_structp png, struct sink *sink, size_t len)
{
    png_write_chunk_start(png, (png_const_bytep) "IDAT", (png_uint_32)len);
    uint32_t checksum = nt_crc32(0, sink->at - 4, 4 + len);
    sink->at += len;
    png_save_uint_32(sink->at, checksum);
    sink->at += 4;
}

bool nt_frame(struct nt_workspace *workspace, const struct nt_image *image, unsigned char *file,
              size_t len)
{
    struct sink sink = {file, file + NT_FRAME_HEAD + len + NT_FRAME_TAIL};

    if (!workspace->framer)
        workspace->framer = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, quiet);
    if (!workspace->framer)
        return false;
    if (setjmp(png_jmpbuf(workspace->framer))) {
        nt_frame_release(workspace);
        return false;
    }
    png_set_write_fn(workspace->framer, &sink, sink_write, sink_flush);
    write_header(workspace->framer, image);
    write_data(workspace->framer, &sink, len);
    png_write_chunk(workspace->framer, (png_const_bytep) "IEND", NULL, 0);
    return true;
}

void nt_frame_release(struct nt_workspace *workspace)
{
    png_destroy_write_struct(&workspace->framer, NULL);
}
