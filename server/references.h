/*
 * references.h - two fixed lists of requests that stand for all that the engine computes: of the
 * first the samples (every kind, dialect, fractal and domain, deep zooms, seeds at both ends), of
 * the second the PNG files (every style and depth, and whatever the encoder decides by). Who
 * digests them is verify.h; here are only the requests and their bytes, so that a program without
 * any library can be compared on another machine (tests/variants/references.c).
 */
#ifndef REFERENCES_H
#define REFERENCES_H

#include "core/noisetile.h"

enum references { REFERENCES_SAMPLES, REFERENCES_PNG, REFERENCES_LISTS };

size_t references_count(enum references list);

/* Canonical URL of a reference, /tile/z/x/y.bin or .png or /sample, with its query. Static. */
const char *references_url(enum references list, size_t i);

/*
 * Its bytes: of a tile what the server sends as .bin (float32) or .png, of a sample, row-major and
 * little-endian, float32 or, where the kind has it (nt_is_float64), float64. malloc'ed, *len bytes;
 * NULL: out of memory.
 */
unsigned char *references_bytes(enum references list, size_t i, struct nt_workspace *workspace,
                                size_t *len);

#endif
