/*
 * recent.c - a table with one place for each hash, so that whoever comes later wins and nothing has
 * to be searched. The whole target is compared: targets that meet in one place, by chance or on
 * purpose, cost each other a parse.
 */
#include "server/recent.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_BITS = 8 }; /* log2 of the targets that are kept: some 160 kB */

struct place {
    size_t len; /* 0: free, since no target is empty */
    char target[RECENT_TEXT_MAX];
    struct known known;
};

struct recent {
    struct place place[1 << PLACE_BITS];
};

struct recent *recent_new(void)
{
    return calloc(1, sizeof(struct recent));
}

void recent_free(struct recent *recent)
{
    free(recent);
}

/* Eight bytes at a time, by multiplication with 2^64 / golden ratio (Knuth, TAOCP 3, 6.4). */
static size_t hash(const char *text, size_t len)
{
    uint64_t sum = len, word;

    for (; len > 0; text += sizeof word) {
        size_t n = len < sizeof word ? len : sizeof word;

        word = 0;
        memcpy(&word, text, n);
        sum = ((sum ^ word) * UINT64_C(0x9e3779b97f4a7c15));
        sum ^= sum >> 32;
        len -= n;
    }
    return (size_t)(sum & (((size_t)1 << PLACE_BITS) - 1));
}

const struct known *recent_find(const struct recent *recent, const char *target, size_t len)
{
    const struct place *place;

    if (len == 0 || len > RECENT_TEXT_MAX)
        return NULL;
    place = &recent->place[hash(target, len)];
    return place->len == len && memcmp(place->target, target, len) == 0 ? &place->known : NULL;
}

void recent_add(struct recent *recent, const char *target, size_t len, const struct face *face,
                const char *location)
{
    size_t location_len = strlen(location);
    struct place *place;

    if (len == 0 || len > RECENT_TEXT_MAX || location_len >= RECENT_TEXT_MAX)
        return;
    place = &recent->place[hash(target, len)];
    place->len = len;
    memcpy(place->target, target, len);
    place->known.face = *face;
    memcpy(place->known.location, location, location_len + 1);
}
