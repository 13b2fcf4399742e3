/*
 * cellular_block.h - the search for many samples of one cell: the points that can be nearest to
 * any of them are picked out once, by the box that holds the samples. Out of 25 points in the plane
 * some five remain, out of 125 in space some ten.
 */
#ifndef NT_CELLULAR_BLOCK_H
#define NT_CELLULAR_BLOCK_H

#include "core/noise/cellular_near.h"

enum { LANES_ALL = WIDTH * WIDTH * NT_LANES, POINTS = WIDTH * WIDTH * WIDTH };

/* Hashes of the cells along each axis, from REACH before the samples' cell on; three are spare. */
struct hashes {
    uint32_t axis[NT_AXES][NT_LANES];
};

/* Least and greatest fractions of the samples. */
struct box {
    float low[NT_AXES], high[NT_AXES];
};

/* Of fractions `first` to end - 1. */
NT_INLINE void bounds_of(const float *fraction, int first, int end, float *low, float *high)
{
    const i8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
    f8 least = splat_f8(fraction[first]), greatest = least;

    for (int i = first / NT_LANES * NT_LANES; i < end; i += NT_LANES) {
        u8 wanted = (u8)(lane >= first - i) & (u8)(lane < end - i);
        f8 here = select_f8(wanted, load_f8(fraction + i), least);
        least = smaller_f8(least, here);
        greatest = larger_f8(greatest, here);
    }
    for (int step = 0; step < 3; step++) {
        least = smaller_f8(least, swap_f8(least, step));
        greatest = larger_f8(greatest, swap_f8(greatest, step));
    }
    *low = least[0];
    *high = greatest[0];
}

/* Points around a cell, and which of them matter, in order. Coordinates count from the cell's
 * lower end. A row of cells takes eight places, of which three are far away and empty. */
struct points {
    float at[NT_AXES][LANES_ALL];
    uint32_t bits[LANES_ALL];
    int n;
    uint8_t chosen[POINTS + NT_LANES];
};

/* A row of cells along x. */
NT_INLINE void make_row(struct points *points, const struct octave *octave,
                        const struct hashes *hashes, int row, int dims)
{
    const f8 step_x = {-2, -1, 0, 1, 2, 1e6f, 1e6f, 1e6f};
    int j = row % WIDTH, k = row / WIDTH, at = row * NT_LANES;
    u8 sum = load_u8(hashes->axis[0]) + hashes->axis[1][j];
    u8 bits = nt_node_hash(dims == 3 ? sum + hashes->axis[2][k] : sum);

    store_u8(points->bits + at, bits);
    store_f8(points->at[0] + at, coordinate(bits, 0, octave->jitter) + step_x);
    store_f8(points->at[1] + at, coordinate(bits, 1, octave->jitter) + (float)(j - REACH));
    if (dims == 3)
        store_f8(points->at[2] + at, coordinate(bits, 2, octave->jitter) + (float)(k - REACH));
}

/* No sample of the box is further from the points of a row than this, squared. */
NT_INLINE f8 greatest_squares(const struct points *points, const struct box *box, int row, int dims)
{
    f8 sum = splat_f8(0.0f);

    for (int axis = 0; axis < dims; axis++) {
        f8 at = load_f8(points->at[axis] + row * NT_LANES);
        f8 a = at - box->low[axis], b = at - box->high[axis], square = larger_f8(a * a, b * b);
        sum = axis ? sum + square : square;
    }
    return sum;
}

/* None is nearer than this. */
NT_INLINE f8 least_squares(const struct points *points, const struct box *box, int row, int dims)
{
    f8 sum = splat_f8(0.0f);

    for (int axis = 0; axis < dims; axis++) {
        f8 at = load_f8(points->at[axis] + row * NT_LANES);
        f8 way = gap(at, at, splat_f8(box->low[axis]), splat_f8(box->high[axis]));
        sum = axis ? sum + way * way : way * way;
    }
    return sum;
}

/* The furthest that the nearest (or second nearest) point can be from any sample, squared. */
NT_INLINE float limit_of(struct nearest lanes, int cell)
{
    for (int step = 0; step < 3; step++) {
        f8 first = swap_f8(lanes.first, step), second = swap_f8(lanes.second, step);
        lanes.second = smaller_f8(larger_f8(lanes.first, first), smaller_f8(lanes.second, second));
        lanes.first = smaller_f8(lanes.first, first);
    }
    return furthest(&lanes, cell)[0];
}

/* Squares of the gaps from the box to the rows or layers of cells along an axis. */
NT_INLINE void box_gaps(const struct octave *octave, const struct box *box, int axis,
                        float square[NT_LANES])
{
    const f8 step = {-2, -1, 0, 1, 2, 3, 4, 5};
    f8 way = gap_to_cell(octave, step, splat_f8(box->low[axis]), splat_f8(box->high[axis]));

    store_f8(square, way * way);
}

NT_INLINE bool is_inner(int row, int dims)
{
    int j = row % WIDTH - REACH, k = dims == 3 ? row / WIDTH - REACH : 0;

    return j * j <= 1 && k * k <= 1;
}

/*
 * Picks the points that can be nearest (or second nearest) to a sample of the box. One that is
 * further from every sample than another (or two others) from any never is, nor is it equally near.
 */
static __attribute__((noinline)) void choose_points(struct points *points,
                                                    const struct octave *octave,
                                                    const struct hashes *hashes,
                                                    const struct box *box, int dims, int cell)
{
    int rows = dims == 3 ? WIDTH * WIDTH : WIDTH;
    struct nearest greatest = nothing_near();
    float far[2][NT_LANES] = {{0}}, limit;

    points->n = 0;
    for (int row = 0; row < rows; row++)
        if (is_inner(row, dims)) {
            make_row(points, octave, hashes, row, dims);
            consider(&greatest, greatest_squares(points, box, row, dims), splat_u8(0),
                     cell == NT_CELL_VALUE ? NT_CELL_F1 : cell);
        }
    limit = limit_of(greatest, cell);
    for (int axis = 1; axis < dims; axis++)
        box_gaps(octave, box, axis, far[axis - 1]);
    for (int row = 0; row < rows; row++) {
        unsigned near;
        if (far[0][row % WIDTH] + far[1][row / WIDTH] > limit)
            continue;
        if (!is_inner(row, dims))
            make_row(points, octave, hashes, row, dims);
        near = ~mask_bits(above_f8(least_squares(points, box, row, dims), splat_f8(limit)));
        for (int i = 0; i < WIDTH; i++) {
            points->chosen[points->n] = (uint8_t)(row * NT_LANES + i);
            points->n += (int)(near >> i & 1);
        }
    }
}

#endif
