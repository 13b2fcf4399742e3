/*
 * cellular.c - S. Worley, "A cellular texture basis function" (1996): one point in each cell,
 * `jitter` far from the cell's middle at most; distances to the nearest two points, or the nearest
 * cell's own value.
 *
 * Bounds, for points within r = jitter / 2 of the middles: where cells meet, all points are at most
 * from
 * there to a far corner away, (1/2 + r) sqrt(dims); in the middle of a cell, with its own point
 * there, the
 * next is at most sqrt((1 + r)^2 + (dims - 1) r^2) away. The first bounds the nearest, the larger
 * of the two
 * the second nearest and the difference. A distance d is returned as 2 d / bound - 1. No bound
 * exceeds
 * 1.74, and what is so near lies within two cells.
 */
#include "core/lattice.h"

enum { REACH = 2, WIDTH = 2 * REACH + 1 };

/* The nearest and second nearest distance so far, squared, and the nearest cell's bits. */
struct nearest {
    f8 first, second;
    u8 bits;
};

static struct nearest nothing_near(void)
{
    return (struct nearest){splat_f8(1e9f), splat_f8(1e9f), splat_u8(0)};
}

NT_INLINE void consider(struct nearest *n, f8 square, u8 bits)
{
    u8 nearer = (u8)(square < n->first), between = (u8)(square < n->second);

    n->second = select_f8(nearer, n->first, select_f8(between, square, n->second));
    n->first = select_f8(nearer, square, n->first);
    n->bits = (nearer & bits) | (~nearer & n->bits);
}

/* Where a cell's point lies along one axis, from the cell's lower end: ten of its 32 random bits.
 */
NT_INLINE f8 coordinate(u8 bits, int axis, float jitter)
{
    f8 unit = __builtin_convertvector((i8)(bits >> (10 * axis) & 1023), f8) * (1.0f / 1023.0f);

    return 0.5f + jitter * (unit - 0.5f);
}

NT_INLINE f8 square_2(f8 dx, f8 dy)
{
    return dx * dx + dy * dy;
}

/* ---- Results --------------------------------------------------------------------------------- */

static float bound_f1(int dims, float jitter)
{
    return (0.5f + 0.5f * jitter) * (dims == 2 ? 1.41421356f : 1.73205081f);
}

static float bound_f2(int dims, float jitter)
{
    float r = 0.5f * jitter, corner = bound_f1(dims, jitter);
    float middle = __builtin_sqrtf((1.0f + r) * (1.0f + r) + (float)(dims - 1) * r * r);

    return corner > middle ? corner : middle;
}

static f8 distance(f8 d, float bound)
{
    return d * (2.0f * NT_UNITY / bound) - NT_UNITY;
}

static f8 result(const struct nt_octave *octave, int dims, const struct nearest *n)
{
    switch (octave->cell) {
    case NT_CELL_F1:
        return distance(sqrt_f8(n->first), bound_f1(dims, octave->jitter));
    case NT_CELL_F2:
        return distance(sqrt_f8(n->second), bound_f2(dims, octave->jitter));
    case NT_CELL_F2_F1:
        return distance(sqrt_f8(n->second) - sqrt_f8(n->first), bound_f2(dims, octave->jitter));
    default: /* other bits than the point's own place */
        return __builtin_convertvector((i8)nt_mix_u8(n->bits ^ UINT32_C(0x9e3779b9)), f8) *
               (NT_UNITY * 0x1p-31f);
    }
}

/* ---- Neighbourhood --------------------------------------------------------------------------- */

/* For each axis the fractions, and the hashes of the cells from REACH before to REACH behind. */
struct around {
    f8 fraction[3];
    u8 hash[3][WIDTH];
};

static void look_around(const struct nt_octave *octave, const struct place8 *place, int dims,
                        struct around *around)
{
    for (int axis = 0; axis < dims; axis++) {
        const struct nt_octave_axis *lattice = &octave->axis[axis];
        for (int k = 0; k < NT_LANES; k++) {
            struct nt_cell_place at =
                nt_cell_of(place->at[axis][k] * lattice->frequency + lattice->offset);
            around->fraction[axis][k] = at.fraction;
            for (int i = 0; i < WIDTH; i++)
                around->hash[axis][i][k] = nt_axis_hash(lattice, at.cell + i - REACH);
        }
    }
}

/* From the sample to the point of the cell i steps on along one axis. */
NT_INLINE f8 way(const struct around *around, int axis, int i, u8 bits, float jitter)
{
    return coordinate(bits, axis, jitter) + (float)(i - REACH) - around->fraction[axis];
}

static f8 eight_2(const struct nt_octave *octave, const struct place8 *place)
{
    struct nearest nearest = nothing_near();
    struct around around;

    look_around(octave, place, 2, &around);
    for (int j = 0; j < WIDTH; j++)
        for (int i = 0; i < WIDTH; i++) {
            u8 bits = nt_node_hash(around.hash[0][i] + around.hash[1][j]);
            f8 dx = way(&around, 0, i, bits, octave->jitter),
               dy = way(&around, 1, j, bits, octave->jitter);
            consider(&nearest, square_2(dx, dy), bits);
        }
    return result(octave, 2, &nearest);
}

static f8 eight_3(const struct nt_octave *octave, const struct place8 *place)
{
    struct nearest nearest = nothing_near();
    struct around around;

    look_around(octave, place, 3, &around);
    for (int k = 0; k < WIDTH; k++)
        for (int j = 0; j < WIDTH; j++)
            for (int i = 0; i < WIDTH; i++) {
                u8 bits = nt_node_hash(around.hash[0][i] + around.hash[1][j] + around.hash[2][k]);
                f8 dx = way(&around, 0, i, bits, octave->jitter);
                f8 dy = way(&around, 1, j, bits, octave->jitter);
                f8 dz = way(&around, 2, k, bits, octave->jitter);
                consider(&nearest, square_2(dx, dy) + dz * dz, bits);
            }
    return result(octave, 3, &nearest);
}

/* ---- For proofs ------------------------------------------------------------------------------ */

/* From the sample to where a cell's point does its worst: its furthest place. */
static float worst_way(float fraction, int i, float jitter)
{
    float middle = (float)(i - REACH) + 0.5f - fraction;

    return middle < 0 ? middle - 0.5f * jitter : middle + 0.5f * jitter;
}

/* All points as far away as they can be; for f2-f1, the sample's own cell's point on the sample. */
static float worst(const struct nt_octave *octave, const float *place, int dims)
{
    struct nearest nearest = nothing_near();
    int cells = dims == 2 ? WIDTH * WIDTH : WIDTH * WIDTH * WIDTH;

    for (int c = 0; c < cells; c++) {
        int step[3] = {c % WIDTH, c / WIDTH % WIDTH, c / WIDTH / WIDTH};
        float square = 0;
        for (int axis = 0; axis < dims; axis++) {
            float d = worst_way(place[axis], step[axis], octave->jitter);
            square += d * d;
        }
        if (octave->cell == NT_CELL_F2_F1 && c == cells / 2)
            square = 0;
        consider(&nearest, splat_f8(square), splat_u8(0));
    }
    if (octave->cell == NT_CELL_VALUE)
        return NT_UNITY;
    return result(octave, dims, &nearest)[0];
}

static float worst_2(const struct nt_octave *octave, const float *place)
{
    return worst(octave, place, 2);
}

static float worst_3(const struct nt_octave *octave, const float *place)
{
    return worst(octave, place, 3);
}

#define KIND nt_cellular
#define DIMS 2
#include "core/noise/scatter_kind.h"

#define KIND nt_cellular_space
#define DIMS 3
#include "core/noise/scatter_kind.h"
