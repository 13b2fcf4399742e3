/* digest.c - SHA-256 by nettle, and its text form. Who digests what: render.c and asset.c. */
#include "server/digest.h"

#include <nettle/sha2.h>

struct digest digest_parts(const struct digest_part *parts, size_t count)
{
    struct sha256_ctx sha;
    struct digest digest;

    sha256_init(&sha);
    for (size_t i = 0; i < count; i++) {
        sha256_update(&sha, parts[i].len, parts[i].data);
        sha256_update(&sha, 1, (const uint8_t *)"\n");
    }
    sha256_digest(&sha, sizeof digest.byte, digest.byte);
    return digest;
}

void digest_etag(const struct digest *digest, char etag[DIGEST_ETAG_MAX])
{
    static const char hex[] = "0123456789abcdef";

    *etag++ = '"';
    for (size_t i = 0; i < sizeof digest->byte; i++) {
        *etag++ = hex[digest->byte[i] >> 4];
        *etag++ = hex[digest->byte[i] & 15];
    }
    *etag++ = '"';
    *etag = '\0';
}
