/*
 * near.h - where filtered rows repeat the pixel before or those around the one above. The kernels
 * are compiled once per instruction level; all find the same.
 */
#ifndef NT_NEAR_H
#define NT_NEAR_H

#include "core/internal.h"

enum {
    NT_NEARS = 8,
    NT_NEAR_BYTES = 8,        /* shorter repeats are not looked for */
    NT_NEAR_PLACES = 1 << 14, /* that are looked at in one go, at most */
    NT_NEAR_BEYOND = 16,      /* bytes behind those of the places */
};

struct nt_near_kernel {
    /*
     * Bit k of found[i]: the eight bytes from data[at + i] on are those distance[k] before; 0 is no
     * distance. For n places, which end at least seven bytes before the data; the NT_NEAR_BEYOND
     * bytes behind them become 0.
     */
    void (*find)(const uint16_t distance[NT_NEARS], const unsigned char *data, size_t at, size_t n,
                 unsigned char *found);
};

NT_DECLARE_LEVELS(const struct nt_near_kernel, nt_near);

#endif
