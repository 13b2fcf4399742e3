/*
 * near.c - compares rows with what is near for all places and distances at once, as vectors of
 * bytes: about two cycles for 8 places and 8 distances. Plain loops, of which compilers make these.
 */
#include "core/encode/near.h"

#include <string.h>

#include "core/lanes.h"

/* First single bytes that are equal, then runs of two, four and eight of them. */
static void find(const uint16_t distance[NT_NEARS], const unsigned char *data, size_t at, size_t n,
                 unsigned char *found)
{
    const unsigned char *here = data + at;

    memset(found, 0, n + NT_NEAR_BEYOND);
    for (int k = 0; k < NT_NEARS; k++) {
        unsigned char bit = distance[k] ? (unsigned char)(1 << k) : 0;
        const unsigned char *there = here - distance[k];
        for (size_t i = at < distance[k] ? distance[k] - at : 0; i < n + NT_NEAR_BYTES - 1; i++)
            found[i] |= here[i] == there[i] ? bit : 0;
    }
    for (size_t i = 0; i < n + 6; i++)
        found[i] &= found[i + 1];
    for (size_t i = 0; i < n + 4; i++)
        found[i] &= found[i + 2];
    for (size_t i = 0; i < n; i++)
        found[i] &= found[i + 4];
    memset(found + n, 0, NT_NEAR_BEYOND);
}

const struct nt_near_kernel NT_EXPORT(nt_near) = {.find = find};
