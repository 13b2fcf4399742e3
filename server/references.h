/*
 * references.h - a fixed list of requests whose samples stand for all that the engine computes:
 * every kind, dialect, fractal and domain, deep zooms, seeds at both ends. Who digests them is
 * verify.h; here are only the requests and their samples, so that a program without any library can
 * be compared on another machine (tests/variants/references.c).
 */
#ifndef REFERENCES_H
#define REFERENCES_H

#include "core/noisetile.h"

size_t references_count(void);

/* Canonical URL of a reference: "/tile/z/x/y.bin?..." or "/sample?...". Static. */
const char *references_url(size_t i);

/*
 * Its samples, row-major and little-endian: of a tile what the server sends as .bin (float32), of a
 * sample float32 or, where the kind has it (nt_is_float64), float64. malloc'ed, *len bytes; NULL:
 * out of memory.
 */
unsigned char *references_samples(size_t i, struct nt_workspace *workspace, size_t *len);

#endif
