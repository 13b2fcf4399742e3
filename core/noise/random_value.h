/*
 * random_value.h - nodes that hold one random value in [-1, 1], for the kinds that blend or show
 * values. Included by a kind's file before lattice_kind.h, whose node_make_2, node_end_3 and
 * node_worst functions these are.
 */
#ifndef NT_RANDOM_VALUE_H
#define NT_RANDOM_VALUE_H

#include "core/lanes.h"

NT_INLINE void node_make_2(u8 hash, f8 value[1])
{
    value[0] = __builtin_convertvector((i8)hash, f8) * 0x1p-31f;
}

NT_INLINE void node_end_3(u8 hash, f8 value[1])
{
    node_make_2(hash, value);
}

/* Every node at the top. */
NT_INLINE void node_worst_2(const f8 *way, f8 value[1])
{
    (void)way;
    value[0] = splat_f8(1.0f);
}

NT_INLINE void node_worst_3(const f8 *way, f8 fade, f8 value[1])
{
    (void)fade;
    node_worst_2(way, value);
}

#endif
