/*
 * value.c - value noise: a random value in [-1, 1] at each node, blended with the quintic fade. A
 * blend never leaves the range of what is blended, so the bound is 1.
 */
#include "core/lattice.h"
#include "core/noise/random_value.h"

#define kind_scale(dims) NT_UNITY

NT_INLINE void node_blend_3(const f8 below[1], const f8 above[1], f8 w, f8 fade, f8 value[1])
{
    (void)w;
    value[0] = below[0] + fade * (above[0] - below[0]);
}

/* The value north, and what it gains towards the south. */
NT_INLINE void side_make(const f8 north[1], const f8 south[1], f8 side[2])
{
    side[0] = north[0];
    side[1] = south[0] - north[0];
}
#define side_make_2 side_make
#define side_make_3 side_make

NT_INLINE void column_make(const f8 side[2], f8 v, f8 fade, f8 gain, f8 column[1])
{
    (void)v;
    column[0] = (side[0] + fade * side[1]) * gain;
}
#define column_make_2 column_make
#define column_make_3 column_make

NT_INLINE f8 between(const f8 west[1], const f8 east[1], f8 u, f8 u1, f8 fade)
{
    (void)u;
    (void)u1;
    return west[0] + fade * (east[0] - west[0]);
}

#define KIND         nt_value
#define DIMS         2
#define NODE_PARTS   1
#define SIDE_PARTS   2
#define COLUMN_PARTS 1
#include "core/noise/lattice_kind.h"

#define KIND         nt_value_space
#define DIMS         3
#define NODE_PARTS   1
#define SIDE_PARTS   2
#define COLUMN_PARTS 1
#include "core/noise/lattice_kind.h"
