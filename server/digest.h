/*
 * digest.h - 128 good bits of any bytes: the first half of their SHA-256 (FIPS 180-4), for cache
 * keys and entity tags. Half is enough: two tiles with one digest are to be found by nobody.
 */
#ifndef DIGEST_H
#define DIGEST_H

#include <stddef.h>
#include <stdint.h>

struct digest {
    uint8_t byte[16];
};

struct digest_part {
    const void *data;
    size_t len;
};

/* Of all parts, each ended by a newline, so that their borders count. */
struct digest digest_parts(const struct digest_part *parts, size_t count);

/* A strong entity tag: 32 hex digits in quotes. */
enum { DIGEST_ETAG_MAX = 2 * 16 + 2 + 1 };
void digest_etag(const struct digest *digest, char etag[DIGEST_ETAG_MAX]);

#endif
