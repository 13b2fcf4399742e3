/*
 * tiles.h - what tests of the core share: tiles and samples by path and query, decoded pictures, a
 * small random generator, and the few statistics that several suites need.
 */
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

/* A checked specification from a query alone, made like printf does. */
struct nt_spec spec_of(const char *query_format, ...) __attribute__((format(printf, 1, 2)));

/* "lod=off" for the kinds that have it; for white, which has none, a default that says nothing. */
const char *lod_off(int kind);

/* A PNG, decoded by libpng; any warning or error fails the test. Rows without gaps. */
struct picture {
    int width, height, color_type, depth, channels;
    unsigned char *pixels; /* malloc'ed */
};
struct picture picture_of(const unsigned char *data, size_t len);
struct picture picture_drawn(const char *url); /* of a tile */

/* Whether two blocks of samples are equal to the bit. */
bool same_bits(const float *a, const float *b, size_t n);
/* The same for what nt_sample gives: floats kept in double. */
bool same_values(const float *a, const double *b, size_t n);

/* Pearson's correlation coefficient. */
double correlation(const double *a, const double *b, size_t n);

/* Deterministic random numbers (PCG-like); equal seeds, equal sequences. */
uint32_t random_u32(uint64_t *state);
uint32_t random_below(uint64_t *state, uint32_t n);
double random_unit(uint64_t *state); /* [0, 1) */

/* 1, or 10 in a long run: how many times the usual samples to take. */
size_t long_factor(void);

#endif
