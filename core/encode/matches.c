/*
 * matches.c - finds repeats. Where eight bytes were last is enough for rough images: a match that
 * pays is taken. Smooth ones and those of few colours repeat the row above, moved a little, so that
 * few distances occur again and again, which makes them cheap: these are tried first, then some
 * earlier places of the same eight bytes; and a match is taken only if there is no better one a byte
 * further on.
 */
#include "core/encode/matches.h"

#include <string.h>

#include "core/encode/bits.h"
#include "core/lanes.h"

enum {
    HASH_BITS = 14,
    /* Of the symbols of length and distance, in 1/16 of a bit. */
    RECENT_COST = 8 * 16,
    NEAR_COST = 7 * 16,
    FAR_COST = 10 * 16,
    LONG = 40, /* matches of which only both ends are remembered */
    END = 16,
    ENOUGH = 128, /* a match so long is taken without looking further */
    NEAR_MAX = 10,
    NEAR_FEW = 4,
};

void nt_matches_start(struct nt_matcher *matcher, uint32_t literal_cost, enum nt_search search)
{
    matcher->literal_cost = literal_cost;
    matcher->search = search;
    matcher->at = 0;
    memset(matcher->recent, 0, sizeof matcher->recent);
    if (search != NT_SEARCH_RECENT)
        memset(matcher->before, 0, sizeof matcher->before);
}

/* Eight bytes, the first lowest. */
NT_INLINE uint64_t load(const unsigned char *from)
{
    uint64_t x;

    memcpy(&x, from, sizeof x);
    return nt_little_endian64(x);
}

NT_INLINE uint32_t load4(const unsigned char *from)
{
    uint32_t x;

    memcpy(&x, from, sizeof x);
    return x; /* for comparisons: in any order */
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
    size_t len;
    uint32_t *recent;
    uint16_t *before;
    int literal_cost;
    bool by_rows;
    int places; /* of the same eight bytes that are looked at */
    int nears;
    uint16_t near[NEAR_MAX]; /* distances of the pixel before and of those around the one above */
};

static void find_nears(struct search *search, size_t stride, size_t bpp, int most)
{
    static const struct {
        int rows, pixels;
    } all[NEAR_MAX] = {{0, 1}, {1, 0},  {1, -1}, {1, 1}, {1, -2},
                       {1, 2}, {1, -3}, {1, 3},  {2, 0}, {2, 1}};

    for (int i = 0; i < most; i++) {
        int64_t distance = all[i].rows * (int64_t)stride + all[i].pixels * (int64_t)bpp;
        if (distance > 0 && distance < NT_DISTANCE_MAX)
            search->near[search->nears++] = (uint16_t)distance;
    }
}

NT_INLINE int gain_of(const struct search *search, unsigned length, size_t distance, int cost)
{
    return (int)length * search->literal_cost - cost -
           16 * (int)nt_distance_symbol((unsigned)distance).extra_bits;
}

NT_INLINE bool may_be(size_t distance, size_t at)
{
    return distance <= at && distance <= NT_DISTANCE_MAX;
}

NT_INLINE unsigned most_at(const struct search *search, size_t at)
{
    size_t left = search->len - 8 - at;

    return left < NT_MATCH_MAX ? (unsigned)left : NT_MATCH_MAX;
}

/* Remembers the place. Returns the distance to the last one with the same hash. */
NT_INLINE size_t remember_one(const struct search *search, size_t at)
{
    uint32_t *slot = &search->recent[hash(load(search->data + at))];
    size_t distance = at - *slot;

    *slot = (uint32_t)at;
    if (search->by_rows)
        search->before[at % NT_DISTANCE_MAX] = distance < NT_DISTANCE_MAX ? (uint16_t)distance : 0;
    return distance;
}

/* The match with where the same eight bytes were last. */
NT_INLINE struct match recent_at(const struct search *search, size_t at)
{
    const unsigned char *here = search->data + at;
    size_t distance = remember_one(search, at);

    if (!distance || !may_be(distance, at) || load(here) != load(here - distance))
        return (struct match){0};
    unsigned length = equal_bytes(here, here - distance, most_at(search, at));
    int gain = gain_of(search, length, distance, RECENT_COST);
    return gain > 0 ? (struct match){length, (unsigned)distance, gain} : (struct match){0};
}

/*
 * Takes the match at a distance, of four bytes at least, if it is longer and better. Most are
 * dismissed by their first four bytes or by those that would make it longer.
 */
NT_INLINE void consider(const struct search *search, size_t at, size_t distance, int cost,
                        struct match *best)
{
    const unsigned char *here = search->data + at, *there = here - distance;
    unsigned end = best->length > 7 ? best->length - 7 : 0;

    if (load4(here) != load4(there) || (end && load(here + end) != load(there + end)))
        return;
    unsigned length = equal_bytes(here, there, most_at(search, at));
    int gain = gain_of(search, length, distance, cost);
    if (gain > best->gain)
        *best = (struct match){length, (unsigned)distance, gain};
}

/* The best match near a place or, if that is not long, further back. */
NT_INLINE struct match best_at(const struct search *search, size_t at)
{
    struct match best = {0};
    size_t step = remember_one(search, at), distance = 0;

    for (int i = 0; i < search->nears && best.length < ENOUGH; i++)
        if (search->near[i] <= at)
            consider(search, at, search->near[i], NEAR_COST, &best);
    for (int i = 0; i < search->places && best.length < ENOUGH; i++) {
        distance += step;
        if (!step || !may_be(distance, at))
            break;
        consider(search, at, distance, FAR_COST, &best);
        step = search->before[(at - distance) % NT_DISTANCE_MAX];
    }
    return best;
}

NT_INLINE struct match match_at(const struct search *search, size_t at)
{
    return search->by_rows ? best_at(search, at) : recent_at(search, at);
}

NT_INLINE void remember(const struct search *search, size_t from, size_t to)
{
    for (size_t at = from; at < to; at++)
        remember_one(search, at);
}

/* All of a match but its first byte, or both its ends: of rough images that is enough. */
NT_INLINE void remember_match(const struct search *search, size_t at, size_t end)
{
    if (search->by_rows) {
        remember(search, at, end);
    } else if (end - at < LONG) {
        remember(search, at, at + 7); /* a loop without surprises */
        remember(search, at + 7, end);
    } else {
        remember(search, at, at + END - 1);
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
    size_t next = at + 1; /* what is before is remembered */

    while (search->by_rows && match.length < ENOUGH && next < searched &&
           matcher->count < NT_TOKENS_MAX - 1) {
        struct match later = match_at(search, next++);
        if (later.gain <= match.gain)
            break;
        add_literal(matcher, search->data[at++]);
        match = later;
    }
    size_t end = at + match.length;
    add_match(matcher, match);
    remember_match(search, next, end);
    return end;
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
    struct search search = {.data = filtered->data,
                            .len = filtered->rows * filtered->stride,
                            .recent = matcher->recent,
                            .before = matcher->before,
                            .literal_cost = (int)matcher->literal_cost};

    search.places = matcher->search == NT_SEARCH_DEEP ? 8 : 1;
    find_nears(&search, filtered->stride, filtered->bpp,
               matcher->search == NT_SEARCH_DEEP ? NEAR_MAX : NEAR_FEW);
    matcher->count = 0;
    memset(matcher->litlens, 0, sizeof matcher->litlens);
    memset(matcher->distances, 0, sizeof matcher->distances);
    if (matcher->search != NT_SEARCH_RECENT) { /* a loop for each */
        search.by_rows = true;
        find(&search, matcher);
    } else {
        find(&search, matcher);
    }
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
