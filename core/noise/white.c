/*
 * white.c - white noise in cells: one random value in [-1, 1] for each, constant inside. The node
 * north, west and below a sample is its cell's, so it is a lattice kind that blends nothing.
 */
#include "core/lattice.h"
#include "core/noise/random_value.h"

#define kind_scale(dims) NT_UNITY

NT_INLINE void node_blend_3(const f8 below[1], const f8 above[1], f8 w, f8 fade, f8 value[1])
{
    (void)above;
    (void)w;
    (void)fade;
    value[0] = below[0];
}

NT_INLINE void side_make(const f8 north[1], const f8 south[1], f8 side[1])
{
    (void)south;
    side[0] = north[0];
}
#define side_make_2 side_make
#define side_make_3 side_make

NT_INLINE void column_make(const f8 side[1], f8 v, f8 fade, f8 gain, f8 column[1])
{
    (void)v;
    (void)fade;
    column[0] = side[0] * gain;
}
#define column_make_2 column_make
#define column_make_3 column_make

NT_INLINE f8 between(const f8 west[1], const f8 east[1], f8 u, f8 u1, f8 fade)
{
    (void)east;
    (void)u;
    (void)u1;
    (void)fade;
    return west[0];
}

#define KIND         nt_white
#define DIMS         2
#define NODE_PARTS   1
#define SIDE_PARTS   1
#define COLUMN_PARTS 1
#include "core/noise/lattice_kind.h"

#define KIND         nt_white_space
#define DIMS         3
#define NODE_PARTS   1
#define SIDE_PARTS   1
#define COLUMN_PARTS 1
#include "core/noise/lattice_kind.h"
