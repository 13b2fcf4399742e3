/*
 * cellular.c - S. Worley, "A cellular texture basis function" (1996): one point in each cell,
 * `jitter` far from the cell's middle at most; distances to the nearest two points, or the nearest
 * cell's own value.
 *
 * Bounds, for points within r = jitter / 2 of the middles: where cells meet, all points are at most
 * from there to a far corner away, (1/2 + r) sqrt(dims); in the middle of a cell, with its own
 * point there, the next is at most sqrt((1 + r)^2 + (dims - 1) r^2) away. The first bounds the
 * nearest, the larger of the two the second nearest and the difference. A distance d is returned as
 * 2 d / bound - 1. No bound exceeds 1.74, and what is so near lies within two cells.
 *
 * Next: cellular_near.h for what is computed; the other files are about how few of the cells within
 * reach it takes.
 */
#include "core/noise/cellular_grid.h"
#include "core/noise/cellular_scatter.h"

/* ---- For proofs ------------------------------------------------------------------------------ */

/* From the sample to where a cell's point does its worst: its furthest place. */
static float worst_way(float fraction, int i, float jitter)
{
    float middle = (float)(i - REACH) + 0.5f - fraction;

    return middle < 0 ? middle - 0.5f * jitter : middle + 0.5f * jitter;
}

/* All points as far away as they can be; for f2-f1, the sample's own cell's point on the sample. */
static float worst(const struct nt_octave *plan, const float *place, int dims)
{
    struct octave octave = octave_of(plan, 1.0f, dims);
    struct nearest nearest = nothing_near();
    int cells = dims == 2 ? WIDTH * WIDTH : WIDTH * WIDTH * WIDTH;

    if (plan->cell == NT_CELL_VALUE)
        return NT_UNITY;
    for (int c = 0; c < cells; c++) {
        int step[3] = {c % WIDTH, c / WIDTH % WIDTH, c / WIDTH / WIDTH};
        float square = 0;
        for (int axis = 0; axis < dims; axis++) {
            float d = worst_way(place[axis], step[axis], plan->jitter);
            square += d * d;
        }
        if (plan->cell == NT_CELL_F2_F1 && c == cells / 2)
            square = 0;
        consider(&nearest, splat_f8(square), splat_u8(0), plan->cell);
    }
    return result(&octave, &nearest, plan->cell)[0];
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/*
 * One instance for each number of dimensions and each result. Functions of their own: inlined into
 * one, they would not share their arrays, and its frame would be twice as large (100 KB on SSE2).
 */
#define INSTANCE(form, argument_type, dims, cell)                                          \
    static __attribute__((noinline)) void form##_##dims##_##cell(const argument_type *arg) \
    {                                                                                      \
        form(arg, dims, cell);                                                             \
    }
#define INSTANCES(form, argument_type, dims)                      \
    INSTANCE(form, argument_type, dims, NT_CELL_F1)               \
    INSTANCE(form, argument_type, dims, NT_CELL_F2)               \
    INSTANCE(form, argument_type, dims, NT_CELL_F2_F1)            \
    INSTANCE(form, argument_type, dims, NT_CELL_VALUE)            \
    static void form##_##dims(const argument_type *arg)           \
    {                                                             \
        static void (*const by_cell[])(const argument_type *) = { \
            [NT_CELL_F1] = form##_##dims##_NT_CELL_F1,            \
            [NT_CELL_F2] = form##_##dims##_NT_CELL_F2,            \
            [NT_CELL_F2_F1] = form##_##dims##_NT_CELL_F2_F1,      \
            [NT_CELL_VALUE] = form##_##dims##_NT_CELL_VALUE,      \
        };                                                        \
        by_cell[arg->octave->cell](arg);                          \
    }

INSTANCES(grid, struct nt_band, 2)
INSTANCES(grid, struct nt_band, 3)
INSTANCES(scatter, struct nt_scatter, 2)
INSTANCES(scatter, struct nt_scatter, 3)

static float worst_2(const struct nt_octave *octave, const float *place)
{
    return worst(octave, place, 2);
}

static float worst_3(const struct nt_octave *octave, const float *place)
{
    return worst(octave, place, 3);
}

const struct nt_kernel NT_EXPORT(nt_cellular) = {
    .grid = grid_2, .scatter = scatter_2, .worst = worst_2, .reach = {REACH, REACH}};

const struct nt_kernel NT_EXPORT(nt_cellular_space) = {
    .grid = grid_3, .scatter = scatter_3, .worst = worst_3, .reach = {REACH, REACH}};
