/*
 * cellular_near.h - cellular noise by its definition: where a cell's point lies, which points are
 * nearest, what is made of their distances, and the limits by which cells may be passed over. Next:
 * cellular_block.h and its users, cellular_grid.h and cellular_scatter.h.
 *
 * `dims` and `cell` (enum nt_cell, what is returned) are constants wherever these are inlined.
 */
#ifndef NT_CELLULAR_NEAR_H
#define NT_CELLULAR_NEAR_H

#include "core/lattice.h"

/* Cells looked at on each side of a sample's own. */
enum { REACH = 2, WIDTH = 2 * REACH + 1 };

/* What all samples of an octave share. */
struct octave {
    float jitter, gain;
    float scale;           /* of a distance */
    float lowest, highest; /* ends of where a point may lie in its cell, along an axis */
};

/* ---- Points ---------------------------------------------------------------------------------- */

/* Where a cell's point lies along one axis, from the cell's lower end: ten of its random bits. */
NT_INLINE f8 coordinate(u8 bits, int axis, float jitter)
{
    f8 unit = __builtin_convertvector((i8)(bits >> (10 * axis) & 1023), f8) * (1.0f / 1023.0f);

    return 0.5f + jitter * (unit - 0.5f);
}

/* ---- The nearest ----------------------------------------------------------------------------- */

/*
 * The least and second least distance so far, squared, and the bits of the nearest point. Of points
 * equally near the first counts: so all searches go through the cells in one order, x first.
 */
struct nearest {
    f8 first, second;
    u8 bits;
};

NT_INLINE bool needs_second(int cell)
{
    return cell == NT_CELL_F2 || cell == NT_CELL_F2_F1;
}

NT_INLINE struct nearest nothing_near(void)
{
    return (struct nearest){splat_f8(1e9f), splat_f8(1e9f), splat_u8(0)};
}

NT_INLINE void consider(struct nearest *n, f8 square, u8 bits, int cell)
{
    if (cell == NT_CELL_VALUE) {
        u8 nearer = above_f8(n->first, square);
        n->bits = (nearer & bits) | (~nearer & n->bits);
    }
    if (needs_second(cell))
        n->second = smaller_f8(n->second, larger_f8(n->first, square));
    n->first = smaller_f8(n->first, square);
}

/* What a point must be closer than, or as close, to matter. */
NT_INLINE f8 furthest(const struct nearest *n, int cell)
{
    return needs_second(cell) ? n->second : n->first;
}

/* ---- Limits ---------------------------------------------------------------------------------- */

/*
 * Distances along an axis, from samples between `low` and `high` to a point between `from` and `to`
 * (all counted from the lower end of the samples' cell): none is shorter than this. Rounding never
 * turns an order round, so this holds for the rounded distances to the last bit, and for their
 * squares and the sums of those: no margin is needed where they are compared.
 */
NT_INLINE f8 gap(f8 from, f8 to, f8 low, f8 high)
{
    return larger_f8(larger_f8(from - high, low - to), splat_f8(0.0f));
}

/* The same for any point of the cell `step` cells on. */
NT_INLINE f8 gap_to_cell(const struct octave *octave, f8 step, f8 low, f8 high)
{
    return gap(octave->lowest + step, octave->highest + step, low, high);
}

/* Square of the gap from a sample to what is more than one cell away on either side. */
NT_INLINE f8 outer_square(const struct octave *octave, f8 fraction)
{
    f8 before = fraction - (octave->highest - 2.0f), behind = octave->lowest + 2.0f - fraction;
    f8 least = smaller_f8(before, behind);

    return least * least;
}

/* ---- Results --------------------------------------------------------------------------------- */

NT_INLINE float bound_f1(int dims, float jitter)
{
    return (0.5f + 0.5f * jitter) * (dims == 2 ? 1.41421356f : 1.73205081f);
}

NT_INLINE float bound_f2(int dims, float jitter)
{
    float r = 0.5f * jitter, corner = bound_f1(dims, jitter);
    float middle = __builtin_sqrtf((1.0f + r) * (1.0f + r) + (float)(dims - 1) * r * r);

    return corner > middle ? corner : middle;
}

NT_INLINE struct octave octave_of(const struct nt_octave *plan, float gain, int dims)
{
    float bound =
        plan->cell == NT_CELL_F1 ? bound_f1(dims, plan->jitter) : bound_f2(dims, plan->jitter);

    return (struct octave){
        .jitter = plan->jitter,
        .gain = gain,
        .scale = 2.0f * NT_UNITY / bound,
        .lowest = coordinate(splat_u8(0), 0, plan->jitter)[0],
        .highest = coordinate(splat_u8(1023), 0, plan->jitter)[0],
    };
}

/* Scaled to 1, before the gain. */
NT_INLINE f8 result(const struct octave *octave, const struct nearest *n, int cell)
{
    switch (cell) {
    case NT_CELL_F1:
        return sqrt_f8(n->first) * octave->scale - NT_UNITY;
    case NT_CELL_F2:
        return sqrt_f8(n->second) * octave->scale - NT_UNITY;
    case NT_CELL_F2_F1:
        return (sqrt_f8(n->second) - sqrt_f8(n->first)) * octave->scale - NT_UNITY;
    default: /* other bits than the point's own place */
        return __builtin_convertvector((i8)nt_mix_u8(n->bits ^ UINT32_C(0x9e3779b9)), f8) *
               (NT_UNITY * 0x1p-31f);
    }
}

/* ---- Eight samples, whatever cells they are in ----------------------------------------------- */

/*
 * Nearly always the cells next to a sample's own decide, 9 in the plane and 27 in space. They do if
 * what they hold is nearer than this, squared.
 */
NT_INLINE f8 inner_limit(const struct octave *octave, const f8 *fraction, int dims)
{
    f8 limit = outer_square(octave, fraction[0]);

    for (int axis = 1; axis < dims; axis++)
        limit = smaller_f8(limit, outer_square(octave, fraction[axis]));
    return limit;
}

/* Eight samples: their fractions, and the hashes of the cells around theirs, for each axis. */
struct around {
    f8 fraction[NT_AXES];
    u8 hash[NT_AXES][WIDTH];
};

NT_INLINE f8 square_of_way(const struct octave *octave, const struct around *around, int axis,
                           int step, u8 bits)
{
    f8 way = coordinate(bits, axis, octave->jitter) + (float)step - around->fraction[axis];

    return way * way;
}

/* The point i, j, k steps on. */
NT_INLINE void consider_cell(struct nearest *nearest, const struct octave *octave,
                             const struct around *around, int i, int j, int k, int dims, int cell)
{
    u8 sum = around->hash[0][i + REACH] + around->hash[1][j + REACH];
    u8 bits = nt_node_hash(dims == 3 ? sum + around->hash[2][k + REACH] : sum);
    f8 square =
        square_of_way(octave, around, 0, i, bits) + square_of_way(octave, around, 1, j, bits);

    if (dims == 3)
        square = square + square_of_way(octave, around, 2, k, bits);
    consider(nearest, square, bits, cell);
}

/* Squares of the gaps to the cells along an axis. */
NT_INLINE void gap_squares(const struct octave *octave, f8 fraction, f8 square[WIDTH])
{
    for (int i = 0; i < WIDTH; i++) {
        f8 way = gap_to_cell(octave, splat_f8((float)(i - REACH)), fraction, fraction);
        square[i] = way * way;
    }
}

/* All cells that may hold a point at `limit` (squared) or nearer, for any lane. */
static __attribute__((noinline)) struct nearest
search_all(const struct octave *octave, const struct around *around, f8 limit, int dims, int cell)
{
    struct nearest nearest = nothing_near();
    f8 far[NT_AXES][WIDTH];

    for (int axis = 0; axis < dims; axis++)
        gap_squares(octave, around->fraction[axis], far[axis]);
    for (int k = 0; k < (dims == 3 ? WIDTH : 1); k++)
        for (int j = 0; j < WIDTH; j++)
            for (int i = 0; i < WIDTH; i++) {
                f8 least = far[0][i] + far[1][j];
                if (dims == 3)
                    least = least + far[2][k];
                if (!all_less(limit, least))
                    consider_cell(&nearest, octave, around, i - REACH, j - REACH, k - REACH, dims,
                                  cell);
            }
    return nearest;
}

#endif
