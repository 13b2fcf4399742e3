/*
 * matches.c - finds repeats. Rough images repeat what was anywhere before: where the same eight
 * bytes were last is looked up. Smooth ones and those of few colours repeat the row above, moved a
 * little, so that few distances occur again and again, which makes them cheap: near.h finds these
 * at all places in advance. Lazily, a match is taken only if there is no better one a byte further
 * on.
 */
#include "core/encode/matches.h"

#include <string.h>

#include "core/encode/bits.h"
#include "core/lanes.h"

enum {
    HASH_BITS = 14,
    /* Of the symbols of length and distance, in 1/16 of a bit: about what they take on the bench's
     * tiles, without a distance's extra bits. Few distances, as near.h's are, make short codes. */
    RECENT_COST = 8 * 16,
    NEAR_COST = 7 * 16,
    LONG = 40,    /* matches of which only both ends are remembered */
    ENOUGH = 128, /* a match so long is taken without looking further */
};

static const struct nt_near_kernel *const near_kernels[] = NT_EACH_LEVEL(nt_near);

void nt_matches_start(struct nt_matcher *matcher, uint32_t literal_cost, enum nt_search search)
{
    matcher->literal_cost = literal_cost;
    matcher->search = search;
    matcher->at = 0;
    if (search != NT_SEARCH_NEAR)
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
    size_t len, searched; /* beyond that are literals alone, so that loads stay inside */
    int literal_cost;
    uint32_t *recent;
};

NT_INLINE unsigned most_at(const struct search *search, size_t at)
{
    size_t left = search->len - 8 - at;

    return left < NT_MATCH_MAX ? (unsigned)left : NT_MATCH_MAX;
}

/* Takes the match at a distance, of eight bytes at least, if it is better. */
NT_INLINE void consider(const struct search *search, size_t at, size_t distance, int cost,
                        struct match *best)
{
    const unsigned char *here = search->data + at;
    unsigned length = equal_bytes(here, here - distance, most_at(search, at));
    int gain = (int)length * search->literal_cost - cost -
               16 * (int)nt_distance_symbol((unsigned)distance).extra_bits;

    if (gain > best->gain)
        *best = (struct match){length, (unsigned)distance, gain};
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
    matcher->lengths[match.length]++;
    matcher->distances[nt_distance_symbol(match.distance).symbol]++;
}

/* ---- Where the same eight bytes were last ---------------------------------------------------- */

/* Remembers the place. Returns the distance to the last one with the same hash. */
NT_INLINE size_t remember_one(const struct search *search, size_t at)
{
    uint32_t *slot = &search->recent[hash(load(search->data + at))];
    size_t distance = at - *slot;

    *slot = (uint32_t)at;
    return distance;
}

NT_INLINE struct match recent_at(const struct search *search, size_t at)
{
    const unsigned char *here = search->data + at;
    size_t distance = remember_one(search, at);
    struct match match = {0};

    if (distance && distance <= NT_DISTANCE_MAX && load(here) == load(here - distance))
        consider(search, at, distance, RECENT_COST, &match);
    return match;
}

NT_INLINE void remember_eight(const struct search *search, size_t at)
{
    for (size_t i = 0; i < 8; i++)
        remember_one(search, at + i);
}

/*
 * All of a match but its first byte or two, or both its ends, which is enough. In eights, the last
 * of which may do some again: a loop by single bytes would end unforeseen every time.
 */
NT_INLINE void remember_match(const struct search *search, size_t at, size_t end)
{
    if (end - at > LONG) {
        remember_eight(search, at);
        at = end - 8;
    }
    for (; end - at > 8; at += 8)
        remember_eight(search, at);
    remember_eight(search, end - 8);
}

NT_INLINE void find_recent(const struct search *search, bool is_lazy, struct nt_matcher *matcher)
{
    size_t at = matcher->at;

    while (at < search->searched && matcher->count < NT_TOKENS_MAX) {
        struct match match = recent_at(search, at);
        size_t next = at + 1; /* what is before is remembered */
        while (is_lazy && match.length && match.length < ENOUGH && next < search->searched &&
               matcher->count < NT_TOKENS_MAX - 1) {
            struct match later = recent_at(search, next++);
            if (later.gain <= match.gain)
                break;
            add_literal(matcher, search->data[at++]);
            match = later;
        }
        if (match.length) {
            add_match(matcher, match);
            at += match.length;
            remember_match(search, next, at);
        } else {
            add_literal(matcher, search->data[at++]);
        }
    }
    matcher->at = at;
}

/* ---- What is near ---------------------------------------------------------------------------- */

/* Some places, and what was found there. */
struct stretch {
    size_t from, end;
    const unsigned char *found;
    uint16_t distance[NT_NEARS];
};

static void set_distances(struct stretch *stretch, size_t stride, size_t bpp)
{
    static const struct {
        int rows, pixels;
    } all[NT_NEARS] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}, {1, 2}, {1, -2}, {2, 1}, {2, -1}};

    for (int i = 0; i < NT_NEARS; i++) {
        int64_t distance = all[i].rows * (int64_t)stride + all[i].pixels * (int64_t)bpp;
        bool is_one = distance > 0 && distance <= NT_DISTANCE_MAX;
        stretch->distance[i] = is_one ? (uint16_t)distance : 0;
    }
}

/* The best match of those that were found. */
NT_INLINE struct match near_at(const struct search *search, const struct stretch *stretch,
                               size_t at)
{
    struct match best = {0};

    for (unsigned found = stretch->found[at - stretch->from]; found && best.length < ENOUGH;
         found &= found - 1) {
        const unsigned char *here = search->data + at;
        size_t distance = stretch->distance[__builtin_ctz(found)];
        /* Most are dismissed by the bytes that would make them longer. */
        unsigned end = best.length > 7 ? best.length - 7 : 0;
        if (load(here + end) == load(here - distance + end))
            consider(search, at, distance, NEAR_COST, &best);
    }
    return best;
}

/* How many places from there on have no repeat, up to eight. */
NT_INLINE unsigned none_at(const struct stretch *stretch, size_t at)
{
    uint64_t some = load(stretch->found + (at - stretch->from));

    return some ? (unsigned)__builtin_ctzll(some) >> 3 : 8;
}

/* Returns where what was taken ends: the last match may go beyond the stretch. */
static size_t take_stretch(const struct search *search, const struct stretch *stretch,
                           struct nt_matcher *matcher)
{
    size_t at = stretch->from;

    while (at < stretch->end) {
        size_t next = at + none_at(stretch, at);
        next = next < stretch->end ? next : stretch->end;
        while (at < next)
            add_literal(matcher, search->data[at++]);
        if (at == stretch->end)
            break;
        struct match match = near_at(search, stretch, at);
        while (match.length && match.length < ENOUGH && at + 1 < stretch->end) {
            struct match later = near_at(search, stretch, at + 1);
            if (later.gain <= match.gain)
                break;
            add_literal(matcher, search->data[at++]);
            match = later;
        }
        if (match.length)
            add_match(matcher, match);
        else
            add_literal(matcher, search->data[at]);
        at += match.length ? match.length : 1;
    }
    return at;
}

/* A stretch is never more tokens than places. */
static void find_near(const struct search *search, const struct nt_filtered *filtered,
                      struct nt_matcher *matcher)
{
    const struct nt_near_kernel *kernel = near_kernels[nt_level_index()];
    struct stretch stretch = {.found = matcher->near};

    set_distances(&stretch, filtered->stride, filtered->bpp);
    while (matcher->at < search->searched && matcher->count <= NT_TOKENS_MAX - NT_NEAR_PLACES) {
        size_t left = search->searched - matcher->at;
        stretch.from = matcher->at;
        stretch.end = matcher->at + (left < NT_NEAR_PLACES ? left : NT_NEAR_PLACES);
        kernel->find(stretch.distance, search->data, stretch.from, stretch.end - stretch.from,
                     matcher->near);
        matcher->at = take_stretch(search, &stretch, matcher);
    }
}

/* ---- A block --------------------------------------------------------------------------------- */

void nt_matches_find(struct nt_matcher *matcher, const struct nt_filtered *filtered)
{
    size_t len = filtered->rows * filtered->stride;
    const struct search search = {.data = filtered->data,
                                  .len = len,
                                  .searched = len < 16 ? 0 : len - 16,
                                  .literal_cost = (int)matcher->literal_cost,
                                  .recent = matcher->recent};

    matcher->count = 0;
    memset(matcher->litlens, 0, sizeof matcher->litlens);
    memset(matcher->distances, 0, sizeof matcher->distances);
    memset(matcher->lengths, 0, sizeof matcher->lengths);
    if (matcher->search == NT_SEARCH_NEAR)
        find_near(&search, filtered, matcher);
    else if (matcher->search == NT_SEARCH_LAZY)
        find_recent(&search, true, matcher);
    else
        find_recent(&search, false, matcher);
    while (matcher->at >= search.searched && matcher->at < len && matcher->count < NT_TOKENS_MAX)
        add_literal(matcher, search.data[matcher->at++]);
    for (unsigned length = NT_MATCH_MIN; length <= NT_MATCH_MAX; length++)
        matcher->litlens[nt_length_symbol(length).symbol] += matcher->lengths[length];
}

size_t nt_matches_count(struct nt_matcher *matcher, const struct nt_filtered *filtered)
{
    size_t len = filtered->rows * filtered->stride, count = 0;

    memset(matcher->recent, 0, sizeof matcher->recent);
    for (size_t at = 0; at + 8 <= len; at++) {
        uint64_t here = load(filtered->data + at);
        uint32_t *slot = &matcher->recent[hash(here)];
        count += load(filtered->data + *slot) == here; /* the first byte counts: of no account */
        *slot = (uint32_t)at;
    }
    return count;
}
