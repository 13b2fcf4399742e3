/*
 * gzip.c - the only user of libdeflate: gzip for HTTP, with a compressor made once per workspace,
 * and checksums, which are the same in every version of it.
 */
#include <libdeflate.h>

#include "core/encode/checksum.h"
#include "core/internal.h"

/* The fastest: a tile as JSON is compressed when it is asked for, in its own time. */
enum { LEVEL = 1 };

enum nt_status nt_gzip(struct nt_workspace *workspace, struct nt_bytes from, struct nt_bytes *to)
{
    if (!workspace->compressor)
        workspace->compressor = libdeflate_alloc_compressor(LEVEL);
    if (!workspace->compressor)
        return NT_NO_MEMORY;
    size_t bound = libdeflate_gzip_compress_bound(workspace->compressor, from.len);
    unsigned char *out = nt_reserve(workspace, NT_USE_ZIPPED, bound);
    if (!out)
        return NT_NO_MEMORY;
    size_t len = libdeflate_gzip_compress(workspace->compressor, from.data, from.len, out, bound);
    *to = (struct nt_bytes){out, len};
    return NT_OK;
}

void nt_gzip_release(struct nt_workspace *workspace)
{
    libdeflate_free_compressor(workspace->compressor);
    workspace->compressor = NULL;
}

const char *nt_codec_version(int format, bool gzip)
{
    (void)format;
    return gzip ? "libdeflate " LIBDEFLATE_VERSION_STRING : "";
}

uint32_t nt_crc32(uint32_t before, const unsigned char *data, size_t len)
{
    return libdeflate_crc32(before, data, len);
}

uint32_t nt_adler32(const unsigned char *data, size_t len)
{
    return libdeflate_adler32(1, data, len);
}
