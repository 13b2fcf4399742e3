/*
 * references.c - writes the bytes of every reference to a file of its own, named by its list and its
 * number, in the folder that the first argument names, and prints list, number and URL of each. It
 * needs no library, so that tests/variants/cross.sh can build it for other machines; the digests are
 * made outside.
 */
#include "server/references.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encode/checksum.h"
#include "core/encode/frame.h"

/* ---- In place of core/encode/gzip.c, which needs libdeflate ---------------------------------- */

/* Nothing is gzipped here. */
void nt_gzip_release(struct nt_workspace *workspace)
{
    (void)workspace;
}

/* The checksums' definitions, bit by bit (PNG specification, annex D) and byte by byte (RFC 1950). */
uint32_t nt_crc32(uint32_t before, const unsigned char *data, size_t len)
{
    uint32_t crc = ~before;

    for (size_t i = 0; i < len; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~crc;
}

uint32_t nt_adler32(const unsigned char *data, size_t len)
{
    uint32_t a = 1, b = 0;

    for (size_t i = 0; i < len; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* ---- In place of core/encode/frame.c, which needs libpng ------------------------------------- */

static unsigned char *put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        *to++ = (unsigned char)(value >> (24 - 8 * i));
    return to;
}

/* Around len bytes of a chunk's data, which are already there: 8 bytes before, 4 behind. */
enum { CHUNK_HEAD = 8 };

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

/* RFC 2083, chapter 3, written down a second time. */
bool nt_frame(struct nt_workspace *workspace, const struct nt_image *image, unsigned char *file,
              size_t len)
{
    (void)workspace;
    put_chunk(put_chunk(put_header(file, image), "IDAT", len), "IEND", 0);
    return true;
}

void nt_frame_release(struct nt_workspace *workspace)
{
    (void)workspace;
}

/* ---- The references -------------------------------------------------------------------------- */

static bool write_bytes(const char *folder, int list, size_t i, struct nt_workspace *workspace)
{
    char path[4096];
    size_t len = 0;
    unsigned char *bytes = references_bytes((enum references)list, i, workspace, &len);
    FILE *file;
    bool written;

    snprintf(path, sizeof path, "%s/%d.%zu", folder, list, i);
    file = fopen(path, "wb");
    written = bytes != NULL && file != NULL && fwrite(bytes, 1, len, file) == len;
    if (file != NULL)
        written &= fclose(file) == 0;
    free(bytes);
    return written;
}

int main(int argc, char **argv)
{
    struct nt_workspace *workspace = nt_workspace_new();
    bool good = argc == 2 && workspace != NULL && nt_init(NULL);

    for (int list = 0; list < REFERENCES_LISTS; list++)
        for (size_t i = 0; good && i < references_count((enum references)list); i++) {
            good = write_bytes(argv[1], list, i, workspace);
            printf("%d %zu %s\n", list, i, references_url((enum references)list, i));
        }
    nt_workspace_free(workspace);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
