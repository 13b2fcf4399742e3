/*
 * lattice_kind.h - the grid and scatter forms of a kind whose value in a cell is a blend of its
 * nodes. Included by a kind's file once for each number of dimensions, with these defined:
 *
 *   KIND          name of the exported kernel
 *   DIMS          2 or 3
 *   NODE_PARTS    numbers that a node column of one slice holds
 *   SIDE_PARTS    numbers that a cell's west or east side holds: of two node columns
 *   COLUMN_PARTS  numbers that a row of samples sees of a side
 *
 *   node_make_2   random bits -> NODE_PARTS numbers
 *   node_end_3    in three dimensions, the same for one of the two nodes of a column, and
 *   node_blend_3  the numbers below and above, with the fraction between them and its fade -> those
 *                 of their blend: all that a slice needs; it costs a sample what the plane does
 *   node_worst    the same for the nodes that make the largest value at a place; `way` leads there
 *   side_make     the nodes north and south -> SIDE_PARTS numbers
 *   column_make   a side, the way south from its northern end and the fade -> COLUMN_PARTS numbers
 *   between       the columns west and east of a sample -> its value; takes the ways from both
 *                 (u and u - 1) and the fade
 *   kind_scale    scales the value's bound to 1
 *
 * Both forms are made of these and nothing else, hence equal to the bit.
 */

#include "core/noise/runs.h"

#define FN_PASTE_(name, dims) name##_##dims
#define FN_PASTE(name, dims)  FN_PASTE_(name, dims)
#define FN(name)              FN_PASTE(name, DIMS)

/* Bits of the node (or of the two nodes, below and above) where x and y hashes sum to `xy`. */
#if DIMS == 2
#define NODE_MAKE(xy, z0, z1, w, fade_w, parts) node_make_2(nt_node_hash(xy), parts)
#else
NT_INLINE void node_make_3(u8 below, u8 above, f8 w, f8 fade, f8 parts[NODE_PARTS])
{
    f8 lower[NODE_PARTS], upper[NODE_PARTS];

    node_end_3(below, lower);
    node_end_3(above, upper);
    node_blend_3(lower, upper, w, fade, parts);
}

#define NODE_MAKE(xy, z0, z1, w, fade_w, parts) \
    node_make_3(nt_node_hash((xy) + (z0)), nt_node_hash((xy) + (z1)), w, fade_w, parts)
#endif

/* What a row of samples sees of the nodes north and south of it. */
NT_INLINE void FN(column_between)(const f8 north[NODE_PARTS], const f8 south[NODE_PARTS], f8 v,
                                  f8 fade, f8 gain, f8 column[COLUMN_PARTS])
{
    f8 side[SIDE_PARTS];

    FN(side_make)(north, south, side);
    FN(column_make)(side, v, fade, gain, column);
}

/* The value of eight samples between a western and an eastern side. */
NT_INLINE f8 FN(value_between)(f8 side[2][SIDE_PARTS], const f8 *fraction, const f8 *fade, f8 gain)
{
    f8 column[2][COLUMN_PARTS];

    for (int s = 0; s < 2; s++)
        FN(column_make)(side[s], fraction[1], fade[1], gain, column[s]);
    return between(column[0], column[1], fraction[0], fraction[0] - 1.0f, fade[0]);
}

/* The same of nodes north-west, north-east, south-west, south-east. */
NT_INLINE f8 FN(cell_value)(f8 node[4][NODE_PARTS], const f8 *fraction, const f8 *fade, f8 gain)
{
    f8 side[2][SIDE_PARTS];

    for (int s = 0; s < 2; s++)
        FN(side_make)(node[s], node[2 + s], side[s]);
    return FN(value_between)(side, fraction, fade, gain);
}

#include "core/noise/lattice_grid.h"
#include "core/noise/lattice_scatter.h"

/* ---- For proofs ------------------------------------------------------------------------------ */

static float FN(worst)(const struct nt_octave *octave, const float *place)
{
    f8 fraction[DIMS], fade[DIMS], node[4][NODE_PARTS];

    (void)octave;
    for (int axis = 0; axis < DIMS; axis++) {
        fraction[axis] = splat_f8(place[axis]);
        fade[axis] = NT_FADE(fraction[axis]);
    }
    for (int c = 0; c < 4; c++) {
        f8 way[DIMS] = {fraction[0] - (float)(c % 2), fraction[1] - (float)(c / 2)};
#if DIMS == 2
        node_worst_2(way, node[c]);
#else
        way[2] = fraction[2];
        node_worst_3(way, fade[2], node[c]);
#endif
    }
    return FN(cell_value)(node, fraction, fade, splat_f8(kind_scale(DIMS)))[0];
}

/* Per slot: its columns in twice eight lanes, and its place in every kept row of nodes. */
const struct nt_kernel NT_EXPORT(KIND) = {
    .grid = FN(grid),
    .scatter = FN(scatter),
    .worst = FN(worst),
    .kept = sizeof(struct FN(kept)),
    .reach = {.after = 1},
    .scratch = 2 * COLUMN_PARTS * NT_LANES + NODE_PARTS * NT_NODE_ROWS,
    .can_store = true,
};

#undef KIND
#undef DIMS
#undef NODE_PARTS
#undef SIDE_PARTS
#undef COLUMN_PARTS
#undef NODE_MAKE
#undef FN_PASTE_
#undef FN_PASTE
#undef FN
