/*
 * matches.h - repeats in filtered rows: a small match finder for images that are smooth or have few
 * colours. Noise has no repeats worth searching for.
 */
#ifndef NT_MATCHES_H
#define NT_MATCHES_H

#include <stddef.h>
#include <stdint.h>

#include "core/encode/deflate.h"
#include "core/encode/near.h"

enum {
    NT_MATCH_MIN = 3,
    NT_MATCH_MAX = 258,
    NT_DISTANCE_MAX = 32768,
    NT_TOKENS_MAX = 1 << 16,
    NT_LITLEN_SYMBOLS = 286,
    NT_DISTANCE_SYMBOLS = 30,
};

/* A literal: its byte, and distance 0. A match: NT_TOKEN_MATCH + its length, and its distance. */
struct nt_token {
    uint16_t what, distance;
};
enum { NT_TOKEN_MATCH = 256, NT_TOKEN_KINDS = NT_TOKEN_MATCH + NT_MATCH_MAX + 1 };

struct nt_matcher {
    uint32_t literal_cost; /* of most literals, in 1/16 of a bit */
    enum nt_search search;
    size_t at; /* what is before is done */

    /* The tokens of a block, and how often its symbols occur. */
    size_t count;
    struct nt_token token[NT_TOKENS_MAX];
    uint32_t litlens[NT_LITLEN_SYMBOLS], distances[NT_DISTANCE_SYMBOLS];
    uint32_t lengths[NT_MATCH_MAX + 1]; /* of matches; in litlens, too */

    uint32_t recent[1 << 14]; /* by the hash of eight bytes: where they were last */
    unsigned char near[NT_NEAR_PLACES + NT_NEAR_BEYOND]; /* of some places: near.h */
};

/* Before the first nt_matches_find of some data. */
void nt_matches_start(struct nt_matcher *matcher, uint32_t literal_cost, enum nt_search search);

/* The tokens of the next block: up to the end of the data or until there is no more room. */
void nt_matches_find(struct nt_matcher *matcher, const struct nt_filtered *filtered);

/* How many places have eight bytes that were there before: about, but quickly. */
size_t nt_matches_count(struct nt_matcher *matcher, const struct nt_filtered *filtered);

/* Symbol of a length or distance (RFC 1951, section 3.2.5): it has extra bits behind it. */
struct nt_extended {
    unsigned symbol, extra, extra_bits;
};

static inline struct nt_extended nt_distance_symbol(unsigned distance)
{
    unsigned d = distance - 1, bits = 30 - (unsigned)__builtin_clz(d | 3);

    return (struct nt_extended){2 * bits + (d >> bits), d & ((1U << bits) - 1), bits};
}

static inline struct nt_extended nt_length_symbol(unsigned length)
{
    unsigned l = length - NT_MATCH_MIN, bits = 29 - (unsigned)__builtin_clz(l | 7);

    if (length == NT_MATCH_MAX)
        return (struct nt_extended){285, 0, 0};
    return (struct nt_extended){257 + 4 * bits + (l >> bits), l & ((1U << bits) - 1), bits};
}

#endif
