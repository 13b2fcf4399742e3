/*
 * matches.c - finds repeats: where eight bytes were last, and, for images of few colours, one pixel
 * before and around the same place of the row above. A match that pays is taken; with rows, only if
 * there is no better one a byte further on.
 */
#include "core/encode/matches.h"

#include <string.h>

#include "core/encode/bits.h"
#include "core/lanes.h"

enum {
    HASH_BITS = 13,
    MATCH_COST = 8 * 16, /* of the symbols of length and distance, in 1/16 of a bit */
    LONG = 40,           /* matches of which only both ends are remembered */
    END = 16,
};

void nt_matches_start(struct nt_matcher *matcher, uint32_t literal_cost, bool by_rows)
{
    matcher->literal_cost = literal_cost;
    matcher->by_rows = by_rows;
    matcher->at = 0;
    memset(matcher->recent, 0, sizeof matcher->recent);
}

/* Eight bytes, the first lowest. */
NT_INLINE uint64_t load(const unsigned char *from)
{
    uint64_t x;

    memcpy(&x, from, sizeof x);
    return nt_little_endian64(x);
}

NT_INLINE size_t hash(uint64_t bytes)
{
    return bytes * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HASH_BITS);
}

/* How many bytes are equal, up to most; reads no further than 8 bytes beyond that. */
NT_INLINE unsigned equal_bytes(const unsigned char *a, const unsigned char *b, unsigned most)
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

struct match {
    unsigned length, distance;
    int gain; /* in 1/16 of a bit */
};

/* What is searched, and how. */
struct search {
    const unsigned char *data;
    size_t len, stride, bpp;
    uint32_t *recent;
    int literal_cost;
    bool by_rows;
};

/*
 * Takes the match at a distance if it is better. Of one that is shorter than the best, the last
 * eight bytes are unequal: most are dismissed by them.
 */
NT_INLINE void consider(const struct search *search, size_t at, size_t distance, unsigned most,
                        struct match *best)
{
    const unsigned char *here = search->data + at, *there = here - distance;
    unsigned end = best->length > 8 ? best->length - 8 : 0;

    if (load(here + end) != load(there + end))
        return;
    unsigned length = equal_bytes(here, there, most);
    int gain = (int)length * search->literal_cost - MATCH_COST -
               16 * (int)nt_distance_symbol((unsigned)distance).extra_bits;
    if (gain > best->gain)
        *best = (struct match){length, (unsigned)distance, gain};
}

NT_INLINE bool may_be(size_t distance, size_t at)
{
    return distance <= at && distance <= NT_DISTANCE_MAX;
}

/* The best match at a place, of eight bytes at least, and remembers the place. */
NT_INLINE struct match match_at(const struct search *search, size_t at)
{
    size_t left = search->len - 8 - at;
    unsigned most = left < NT_MATCH_MAX ? (unsigned)left : NT_MATCH_MAX;
    uint32_t *slot = &search->recent[hash(load(search->data + at))];
    size_t last = *slot, near[] = {search->bpp, search->stride, search->stride - search->bpp,
                                   search->stride + search->bpp};
    struct match best = {0};

    *slot = (uint32_t)at;
    if (last < at && may_be(at - last, at))
        consider(search, at, at - last, most, &best);
    for (size_t i = 0; search->by_rows && i < sizeof near / sizeof *near; i++)
        if (may_be(near[i], at))
            consider(search, at, near[i], most, &best);
    return best;
}

NT_INLINE void remember(const struct search *search, size_t from, size_t to)
{
    for (size_t at = from; at < to; at++)
        search->recent[hash(load(search->data + at))] = (uint32_t)at;
}

NT_INLINE void remember_match(const struct search *search, size_t at, size_t end)
{
    if (end - at < LONG) {
        remember(search, at + 1, at + 8); /* a loop without surprises */
        remember(search, at + 8, end);
    } else {
        remember(search, at + 1, at + END);
        remember(search, end - END, end);
    }
}

NT_INLINE void add_literal(struct nt_matcher *matcher, unsigned char byte)
{
    matcher->token[matcher->count++] = (struct nt_token){byte, 0};
    matcher->litlens[byte]++;
}

NT_INLINE void add_match(struct nt_matcher *matcher, struct match match)
{
    matcher->token[matcher->count++] =
        (struct nt_token){(uint16_t)(NT_TOKEN_MATCH + match.length), (uint16_t)match.distance};
    matcher->litlens[nt_length_symbol(match.length).symbol]++;
    matcher->distances[nt_distance_symbol(match.distance).symbol]++;
}

/* Takes the match, or a better one that begins further on. Returns where what was taken ends. */
NT_INLINE size_t take(const struct search *search, size_t at, size_t searched, struct match match,
                      struct nt_matcher *matcher)
{
    while (search->by_rows && match.length < LONG && at + 1 < searched &&
           matcher->count < NT_TOKENS_MAX - 1) {
        struct match next = match_at(search, at + 1);
        if (next.gain <= match.gain)
            break;
        add_literal(matcher, search->data[at++]);
        match = next;
    }
    add_match(matcher, match);
    remember_match(search, at, at + match.length);
    return at + match.length;
}

NT_INLINE void find(const struct search *search, struct nt_matcher *matcher)
{
    size_t searched = search->len < 16 ? 0 : search->len - 16; /* so that loads stay inside */
    size_t at = matcher->at;

    while (at < searched && matcher->count < NT_TOKENS_MAX) {
        struct match match = match_at(search, at);
        if (match.length)
            at = take(search, at, searched, match, matcher);
        else
            add_literal(matcher, search->data[at++]);
    }
    while (at >= searched && at < search->len && matcher->count < NT_TOKENS_MAX)
        add_literal(matcher, search->data[at++]);
    matcher->at = at;
}

void nt_matches_find(struct nt_matcher *matcher, const struct nt_filtered *filtered)
{
    struct search search = {filtered->data,
                            filtered->rows * filtered->stride,
                            filtered->stride,
                            filtered->bpp,
                            matcher->recent,
                            (int)matcher->literal_cost,
                            false};

    matcher->count = 0;
    memset(matcher->litlens, 0, sizeof matcher->litlens);
    memset(matcher->distances, 0, sizeof matcher->distances);
    if (matcher->by_rows) { /* a loop for each */
        search.by_rows = true;
        find(&search, matcher);
    } else {
        find(&search, matcher);
    }
}
