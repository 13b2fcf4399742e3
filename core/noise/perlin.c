/*
 * perlin.c - gradient noise: a random unit gradient at each node, quintic fade (K. Perlin,
 * "Improving Noise", 2002). A corner adds its gradient's dot product with the way from the corner,
 * so the sum is at most the faded mean of the distances: sqrt(1/2) in the plane, sqrt(3/4) in
 * space, in the middle of a cell.
 */
#include "core/lattice.h"
#include "core/noise/gradient.h"

/* NT_UNITY over the bound, rounded toward zero. */
#define kind_scale(dims) ((dims) == 2 ? 1.41420269f : 1.15469170f)

NT_INLINE void node_make_2(u8 hash, f8 gradient[2])
{
    nt_gradient_2(hash, gradient);
}

NT_INLINE void node_worst_2(const f8 way[2], f8 gradient[2])
{
    nt_gradient_worst(2, way, gradient);
}

/* Two gradients, w above the lower and 1 - w below the upper, blended: x, y, and what z adds. */
NT_INLINE void node_blend_3(const f8 below[3], const f8 above[3], f8 w, f8 fade, f8 blend[3])
{
    f8 z0 = below[2] * w, z1 = above[2] * (w - 1.0f);

    blend[0] = below[0] + fade * (above[0] - below[0]);
    blend[1] = below[1] + fade * (above[1] - below[1]);
    blend[2] = z0 + fade * (z1 - z0);
}

NT_INLINE void node_end_3(u8 hash, f8 gradient[3])
{
    nt_gradient_3(hash, gradient);
}

NT_INLINE void node_worst_3(const f8 way[3], f8 fade, f8 blend[3])
{
    const f8 from_above[3] = {way[0], way[1], way[2] - 1.0f};
    f8 g0[3], g1[3];

    nt_gradient_worst(3, way, g0);
    nt_gradient_worst(3, from_above, g1);
    node_blend_3(g0, g1, way[2], fade, blend);
}

/* Gradients north and south: x, and what it gains to the south; both y; in space, what z adds. */
NT_INLINE void side_make_2(const f8 north[2], const f8 south[2], f8 side[4])
{
    side[0] = north[0];
    side[1] = south[0] - north[0];
    side[2] = north[1];
    side[3] = south[1];
}

NT_INLINE void side_make_3(const f8 north[3], const f8 south[3], f8 side[6])
{
    side_make_2(north, south, side);
    side[4] = north[2];
    side[5] = south[2];
}

/*
 * What a row sees of a side, v south of its northern end: a and b, so that the sample at distance u
 * east of it gets a * u + b.
 */
NT_INLINE void see_gradients(const f8 side[2], f8 b0, f8 b1, f8 fade, f8 gain, f8 column[2])
{
    column[0] = (side[0] + fade * side[1]) * gain;
    column[1] = (b0 + fade * (b1 - b0)) * gain;
}

NT_INLINE void column_make_2(const f8 side[4], f8 v, f8 fade, f8 gain, f8 column[2])
{
    see_gradients(side, side[2] * v, side[3] * (v - 1.0f), fade, gain, column);
}

NT_INLINE void column_make_3(const f8 side[6], f8 v, f8 fade, f8 gain, f8 column[2])
{
    see_gradients(side, side[2] * v + side[4], side[3] * (v - 1.0f) + side[5], fade, gain, column);
}

NT_INLINE f8 between(const f8 west[2], const f8 east[2], f8 u, f8 u1, f8 fade)
{
    f8 left = west[0] * u + west[1], right = east[0] * u1 + east[1];

    return left + fade * (right - left);
}

#define KIND         nt_perlin
#define DIMS         2
#define NODE_PARTS   2
#define SIDE_PARTS   4
#define COLUMN_PARTS 2
#include "core/noise/lattice_kind.h"

#define KIND         nt_perlin_space
#define DIMS         3
#define NODE_PARTS   3
#define SIDE_PARTS   6
#define COLUMN_PARTS 2
#include "core/noise/lattice_kind.h"
