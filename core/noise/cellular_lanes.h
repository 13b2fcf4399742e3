/*
 * cellular_lanes.h - the search for samples that share no cell: each of eight lanes has hashes of
 * its own. Nearly always the cells next to a sample's own decide, 9 in the plane and 27 in space;
 * where a lane has nothing nearer than the cells beyond them, all cells that could matter are gone
 * through.
 */
#ifndef NT_CELLULAR_LANES_H
#define NT_CELLULAR_LANES_H

#include "core/noise/cellular_near.h"

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
NT_INLINE struct nearest search_all(const struct octave *octave, const struct around *around,
                                    f8 limit, int dims, int cell)
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
                if (any_u8((u8)(least <= limit)))
                    consider_cell(&nearest, octave, around, i - REACH, j - REACH, k - REACH, dims,
                                  cell);
            }
    return nearest;
}

/* The cells next to the samples' own. */
NT_INLINE struct nearest search_inner(const struct octave *octave, const struct around *around,
                                      int dims, int cell)
{
    struct nearest nearest = nothing_near();

    for (int k = dims == 3 ? -1 : 0; k <= (dims == 3 ? 1 : 0); k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++)
                consider_cell(&nearest, octave, around, i, j, k, dims, cell);
    return nearest;
}

NT_INLINE f8 outer_limit(const struct octave *octave, const f8 *fraction, int dims)
{
    f8 limit = outer_square(octave, fraction[0]);

    for (int axis = 1; axis < dims; axis++)
        limit = min_f8(limit, outer_square(octave, fraction[axis]));
    return limit;
}

NT_INLINE struct nearest search(const struct octave *octave, const struct around *around, int dims,
                                int cell)
{
    struct nearest nearest = search_inner(octave, around, dims, cell);
    f8 limit = furthest(&nearest, cell);

    if (any_u8((u8)(limit >= outer_limit(octave, around->fraction, dims))))
        nearest = search_all(octave, around, limit, dims, cell);
    return nearest;
}

/* ---- Rows and columns ------------------------------------------------------------------------ */

/* Eight rows of samples (lanes), and the slice: everything of `around` but x. */
struct rows8 {
    struct around around;
    f8 limit; /* square of the gap to cells more than one row or layer away */
};

enum { INNER = 3, LINES = INNER * INNER };

/* A column of cells as eight rows see it: of each point next to them x, and what y and z add. */
struct column {
    int node;
    f8 x[LINES], y[LINES], z[LINES]; /* y and z: squares of the ways */
    u8 bits[LINES];
};

NT_INLINE void make_column(struct column *column, const struct octave *octave,
                           const struct rows8 *rows, uint32_t x_hash, int dims)
{
    for (int line = 0; line < (dims == 3 ? LINES : INNER); line++) {
        int j = line % INNER - 1, k = line / INNER - 1;
        u8 sum = rows->around.hash[1][j + REACH] + x_hash;
        u8 bits = nt_node_hash(dims == 3 ? sum + rows->around.hash[2][k + REACH] : sum);
        column->bits[line] = bits;
        column->x[line] = coordinate(bits, 0, octave->jitter);
        column->y[line] = square_of_way(octave, &rows->around, 1, j, bits);
        if (dims == 3)
            column->z[line] = square_of_way(octave, &rows->around, 2, k, bits);
    }
}

/* The points next to a cell, for all samples in it: */
struct next_to {
    f8 x[LINES * INNER], y[LINES * INNER], z[LINES * INNER];
    u8 bits[LINES * INNER];
};

NT_INLINE void gather_next_to(struct next_to *points, const struct column *const column[INNER],
                              int dims)
{
    int n = 0;

    for (int line = 0; line < (dims == 3 ? LINES : INNER); line++)
        for (int i = 0; i < INNER; i++, n++) {
            points->x[n] = column[i]->x[line] + (float)(i - 1);
            points->y[n] = column[i]->y[line];
            points->z[n] = column[i]->z[line];
            points->bits[n] = column[i]->bits[line];
        }
}

NT_INLINE struct nearest search_next_to(const struct next_to *points, f8 u, int dims, int cell)
{
    struct nearest nearest = nothing_near();

    for (int n = 0; n < (dims == 3 ? LINES * INNER : LINES); n++) {
        f8 x = u - points->x[n], square = x * x + points->y[n];
        if (dims == 3)
            square = square + points->z[n];
        consider(&nearest, square, points->bits[n], cell);
    }
    return nearest;
}

#endif
