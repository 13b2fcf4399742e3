/* tiles.h - what tests of the core share: tiles by path and query, and a small random generator. */
#ifndef TILES_H
#define TILES_H

#include <stdarg.h>
#include <stdint.h>

#include "core/noisetile.h"

/* One rendered tile. */
struct field {
    struct nt_spec spec;
    struct nt_tile tile;
    int side;
    float *at; /* [side][side] */
};

/* Renders "z/x/y[@nx][.ext]" with a query; both may be made like printf does: `path` first, then
 * "?query". */
struct field field_of(const char *url_format, ...) __attribute__((format(printf, 1, 2)));
void field_free(struct field *field);

/* The request, parsed and checked; fails the test if it is refused. */
void parse_ok(const char *url, struct nt_tile *tile, struct nt_spec *spec);
/* The request's error; fails the test if there is none. */
struct nt_error parse_bad(const char *url);

/* Encoded tile, malloc'ed. */
unsigned char *encoded_of(const char *url, size_t *len);

/* Whether two blocks of samples are equal to the bit. */
bool same_bits(const float *a, const float *b, size_t n);

/* Deterministic random numbers (PCG-like); equal seeds, equal sequences. */
uint32_t random_u32(uint64_t *state);
uint32_t random_below(uint64_t *state, uint32_t n);
double random_unit(uint64_t *state); /* [0, 1) */

/* 1, or 10 in a long run: how many times the usual samples to take. */
size_t long_factor(void);

#endif
