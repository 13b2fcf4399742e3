/*
 * near.c - compares rows with what is near for all places and distances at once: about half a cycle
 * a place with AVX2. Plain loops, of which compilers make vectors of bytes.
 */
#include "core/encode/near.h"

#include <string.h>

#include "core/lanes.h"

/* A bit for each of n bytes that is what is `distance` before. */
NT_INLINE void compare(const unsigned char *here, size_t distance, size_t n, unsigned char bit,
                       unsigned char *found)
{
    const unsigned char *there = here - distance;

    for (size_t i = 0; i < n; i++)
        found[i] |= here[i] == there[i] ? bit : 0;
}

/* First single bytes that are equal, then runs of two, four and eight of them. */
static void find(const uint16_t distance[NT_NEARS], const unsigned char *data, size_t at, size_t n,
                 unsigned char *found)
{
    size_t bytes = n + NT_NEAR_BYTES - 1;

    memset(found, 0, n + NT_NEAR_BEYOND);
    for (int k = 0; k < NT_NEARS; k++) {
        size_t first = at < distance[k] ? distance[k] - at : 0; /* before, there is nothing */
        if (distance[k] && first < bytes)
            compare(data + at + first, distance[k], bytes - first, (unsigned char)(1 << k),
                    found + first);
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
