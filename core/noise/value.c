/*
 * value.c - value noise in two dimensions: a random value in [-1, 1] at each node, blended with the
 * quintic fade. A blend never leaves the range of what is blended, so the bound is 1.
 */
#include "core/lattice.h"

#define KIND         nt_value
#define NODE_PARTS   1
#define COLUMN_PARTS 1

static const float kind_scale = NT_UNITY;

NT_INLINE void node_make(u8 hash, f8 value[NODE_PARTS])
{
    value[0] = __builtin_convertvector((i8)hash, f8) * 0x1p-31f;
}

NT_INLINE void column_make(const f8 north[NODE_PARTS], const f8 south[NODE_PARTS], f8 v, f8 fade,
                           f8 gain, f8 column[COLUMN_PARTS])
{
    (void)v;
    column[0] = (north[0] + fade * (south[0] - north[0])) * gain;
}

NT_INLINE f8 between(const f8 west[COLUMN_PARTS], const f8 east[COLUMN_PARTS], f8 u, f8 fade)
{
    (void)u;
    return west[0] + fade * (east[0] - west[0]);
}

#include "core/noise/lattice_kind.h"
