/*
 * matches.c - finds repeats: where six bytes were last, and, for images of few colours, one pixel
 * before and around the same place of the row above. Greedy: a match that pays is taken.
 */
#include "core/encode/matches.h"

#include <string.h>

#include "core/encode/bits.h"

enum {
    HASHED = 6, /* bytes */
    HASH_BITS = 13,
    MATCH_COST = 8 * 16, /* length and distance symbols, in 1/16 of a bit */
};

void nt_matches_start(struct nt_matcher *matcher, uint32_t literal_cost, bool by_rows)
{
    matcher->literal_cost = literal_cost;
    matcher->by_rows = by_rows;
    matcher->at = 0;
    memset(matcher->recent, 0, sizeof matcher->recent);
}

/* Eight bytes, the first lowest. */
static inline uint64_t load(const unsigned char *from)
{
    uint64_t x;

    memcpy(&x, from, sizeof x);
    return nt_little_endian64(x);
}

static inline uint64_t hashed_bytes(uint64_t bytes)
{
    return bytes << (64 - 8 * HASHED);
}

static inline size_t hash(uint64_t bytes)
{
    return hashed_bytes(bytes) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HASH_BITS);
}

/* How many bytes are equal, up to most; reads no further than 8 bytes beyond that. */
static inline unsigned equal_bytes(const unsigned char *a, const unsigned char *b, unsigned most)
{
    unsigned n = 0;

    for (; n < most; n += 8) {
        uint64_t unequal = load(a + n) ^ load(b + n);
        if (unequal) {
            n += (unsigned)__builtin_ctzll(unequal) >> 3;
            break;
        }
    }
    return n < most ? n : most;
}

/* What a match saves, in 1/16 of a bit; not positive if it does not pay. */
static inline int gain(const struct nt_matcher *matcher, unsigned length, unsigned distance)
{
    return (int)(length * matcher->literal_cost) - MATCH_COST -
           16 * (int)nt_distance_symbol(distance).extra_bits;
}

struct match {
    unsigned length, distance;
    int gain;
};

static inline void try_match(const struct nt_matcher *matcher, const unsigned char *data, size_t at,
                             size_t distance, unsigned most, struct match *best)
{
    if (distance > at || distance > NT_DISTANCE_MAX ||
        (uint32_t)(load(data + at) ^ load(data + at - distance)))
        return;
    unsigned length = equal_bytes(data + at, data + at - distance, most);
    int gained = gain(matcher, length, (unsigned)distance);
    if (gained > best->gain)
        *best = (struct match){length, (unsigned)distance, gained};
}

static inline void remember(struct nt_matcher *matcher, const unsigned char *data, size_t at)
{
    matcher->recent[hash(load(data + at))] = (uint32_t)at;
}

void nt_matches_find(struct nt_matcher *matcher, const struct nt_filtered *filtered)
{
    const unsigned char *data = filtered->data;
    size_t len = filtered->rows * filtered->stride, at = matcher->at, literals_from = at;
    size_t searched = len < 16 ? 0 : len - 16; /* so that loads stay inside */

    matcher->count = 0;
    while (at < searched && matcher->count < NT_TOKENS_MAX - 1) {
        size_t left = len - 8 - at;
        unsigned most = left < NT_MATCH_MAX ? (unsigned)left : NT_MATCH_MAX;
        struct match best = {0};
        uint64_t bytes = load(data + at);
        uint32_t *slot = &matcher->recent[hash(bytes)];
        size_t last = *slot;
        *slot = (uint32_t)at;
        if (last < at && at - last <= NT_DISTANCE_MAX &&
            hashed_bytes(load(data + last)) == hashed_bytes(bytes))
            try_match(matcher, data, at, at - last, most, &best);
        if (matcher->by_rows) {
            try_match(matcher, data, at, filtered->bpp, most, &best);
            try_match(matcher, data, at, filtered->stride, most, &best);
            try_match(matcher, data, at, filtered->stride - filtered->bpp, most, &best);
            try_match(matcher, data, at, filtered->stride + filtered->bpp, most, &best);
        }
        if (!best.length) {
            at++;
            continue;
        }
        matcher->token[matcher->count++] = (struct nt_token){
            (uint32_t)(at - literals_from), (uint16_t)best.length, (uint16_t)best.distance};
        for (size_t end = at++ + best.length; at < end; at++)
            remember(matcher, data, at);
        literals_from = at;
    }
    if (at >= searched)
        at = len;
    matcher->token[matcher->count++] = (struct nt_token){(uint32_t)(at - literals_from), 0, 0};
    matcher->at = at;
}
