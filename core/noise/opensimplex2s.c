/*
 * opensimplex2s.c - the smooth variant of simplex noise after an idea of K. Spencer (KdotJPG,
 * OpenSimplex2, 2019): kernels are so wide that a sample sees the nodes of the neighbouring
 * simplices too. In the plane the triangular lattice, each kernel as wide as an edge is long; in
 * space two cubic lattices half a cell apart, turned so that no coordinate plane is a lattice
 * plane, kernels sqrt(3/4) wide.
 *
 * Its lattice fits no rectangle, so it closes only by going around a cylinder or a sphere in space.
 */
#include "core/lattice.h"
#include "core/noise/gradient.h"

/* NT_UNITY over the largest sum of kernel times distance (0.0551804103, 0.0867762392), rounded
 * toward zero. */
static const float scale_2 = 18.122235f, scale_3 = 11.523804f;

/* ---- Plane ----------------------------------------------------------------------------------- */

/* Node (i, j) lies at (i - t, j - t), t = (i + j) * unskew: edges of sqrt(2/3). */
static const double skew = 0.36602540378443864676;    /* (sqrt 3 - 1) / 2 */
static const float unskew = 0.211324865405187117745f; /* (3 - sqrt 3) / 6 */

/*
 * Nodes within an edge's length of a triangle: its own three, and the mirror image of each beyond
 * the side opposite. For the triangle of (1, 0); that of (0, 1) has i and j exchanged.
 */
static const int nodes_2[6][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {0, 1}, {0, -1}};

/* Way from node (i, j) of the cell to the sample at skewed fractions (u, v). */
NT_INLINE void way_2(f8 u, f8 v, f8 i, f8 j, f8 way[2])
{
    f8 a = u - i, b = v - j, t = (a + b) * unskew;

    way[0] = a - t;
    way[1] = b - t;
}

NT_INLINE f8 kernel_2(const f8 way[2], const f8 g[2])
{
    f8 w = 0.66666667f - (way[0] * way[0] + way[1] * way[1]), ww;

    w = select_f8((u8)(w > 0.0f), w, splat_f8(0.0f));
    ww = w * w;
    return ww * ww * (g[0] * way[0] + g[1] * way[1]);
}

/* The node's place in its cell, for eight samples that may lie in either triangle. */
NT_INLINE void node_of(int n, u8 right, f8 *i, f8 *j)
{
    f8 a = splat_f8((float)nodes_2[n][0]), b = splat_f8((float)nodes_2[n][1]);

    *i = select_f8(right, a, b);
    *j = select_f8(right, b, a);
}

static f8 eight_2(const struct nt_octave *octave, const struct place8 *place)
{
    f8 u = {0}, v = {0}, sum = {0};
    int64_t cell[2][NT_LANES];

    for (int k = 0; k < NT_LANES; k++) {
        double x = place->at[0][k] * octave->axis[0].frequency + octave->axis[0].offset;
        double y = place->at[1][k] * octave->axis[1].frequency + octave->axis[1].offset;
        double s = (x + y) * skew;
        struct nt_cell_place across = nt_cell_of(x + s), down = nt_cell_of(y + s);
        u[k] = across.fraction;
        v[k] = down.fraction;
        cell[0][k] = across.cell;
        cell[1][k] = down.cell;
    }
    u8 right = (u8)(u > v);
    for (int n = 0; n < 6; n++) {
        f8 i, j, way[2], g[2];
        u8 hash = {0};
        node_of(n, right, &i, &j);
        for (int k = 0; k < NT_LANES; k++)
            hash[k] = nt_axis_hash(&octave->axis[0], cell[0][k] + (int64_t)i[k]) +
                      nt_axis_hash(&octave->axis[1], cell[1][k] + (int64_t)j[k]);
        way_2(u, v, i, j, way);
        nt_gradient_2(nt_node_hash(hash), g);
        sum += kernel_2(way, g);
    }
    return sum * scale_2;
}

static float worst_2(const struct nt_octave *octave, const float *place)
{
    f8 u = splat_f8(place[0]), v = splat_f8(place[1]), sum = {0};

    (void)octave;
    for (int n = 0; n < 6; n++) {
        f8 i, j, way[2], g[2];
        node_of(n, (u8)(u > v), &i, &j);
        way_2(u, v, i, j, way);
        nt_gradient_worst(2, way, g);
        sum += kernel_2(way, g);
    }
    return (sum * scale_2)[0];
}

/* ---- Space ----------------------------------------------------------------------------------- */

NT_INLINE f8 kernel_3(const f8 way[3], const f8 g[3])
{
    f8 w = 0.75f - (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]), ww;

    w = select_f8((u8)(w > 0.0f), w, splat_f8(0.0f));
    ww = w * w;
    return ww * ww * (g[0] * way[0] + g[1] * way[1] + g[2] * way[2]);
}

NT_INLINE void way_3(const f8 f[3], int corner, f8 way[3])
{
    for (int axis = 0; axis < 3; axis++)
        way[axis] = f[axis] - (float)(corner >> axis & 1);
}

/*
 * The eight nodes around the samples in one of the cubic lattices: any other is a whole cell away,
 * further than a kernel reaches. The second lattice's nodes have other bits, by the flipped sum.
 */
static f8 lattice_3(const struct nt_octave *octave, const double p[3][NT_LANES], double shift,
                    uint32_t flip)
{
    uint32_t hash[3][2][NT_LANES];
    f8 f[3] = {{0}}, sum = {0};

    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < NT_LANES; k++) {
            struct nt_cell_place at = nt_cell_of(p[axis][k] + shift);
            f[axis][k] = at.fraction;
            hash[axis][0][k] = nt_axis_hash(&octave->axis[axis], at.cell);
            hash[axis][1][k] = nt_axis_hash(&octave->axis[axis], at.cell + 1);
        }
    }
    for (int c = 0; c < 8; c++) {
        u8 bits = load_u8(hash[0][c & 1]) + load_u8(hash[1][c >> 1 & 1]) + load_u8(hash[2][c >> 2]);
        f8 way[3], g[3];
        way_3(f, c, way);
        nt_gradient_3(nt_node_hash(bits ^ flip), g);
        sum += kernel_3(way, g);
    }
    return sum;
}

/* A half turn about the diagonal (1, 1, 1): an isometry that takes the axes well off the lattice's
 * own. */
static void turn(const struct nt_octave *octave, const struct place8 *place, double p[3][NT_LANES])
{
    for (int k = 0; k < NT_LANES; k++) {
        double sum = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            p[axis][k] =
                place->at[axis][k] * octave->axis[axis].frequency + octave->axis[axis].offset;
            sum += p[axis][k];
        }
        for (int axis = 0; axis < 3; axis++)
            p[axis][k] = sum * (2.0 / 3.0) - p[axis][k];
    }
}

static f8 eight_3(const struct nt_octave *octave, const struct place8 *place)
{
    double p[3][NT_LANES];

    turn(octave, place, p);
    return (lattice_3(octave, (const double(*)[NT_LANES])p, 0.0, 0) +
            lattice_3(octave, (const double(*)[NT_LANES])p, 0.5, UINT32_C(0x55555555))) *
           scale_3;
}

static float worst_3(const struct nt_octave *octave, const float *place)
{
    f8 sum = {0};

    (void)octave;
    for (int lattice = 0; lattice < 2; lattice++) {
        f8 f[3];
        for (int axis = 0; axis < 3; axis++) {
            float shifted = place[axis] + 0.5f * (float)lattice;
            f[axis] = splat_f8(shifted >= 1.0f ? shifted - 1.0f : shifted);
        }
        for (int c = 0; c < 8; c++) {
            f8 way[3], g[3];
            way_3(f, c, way);
            nt_gradient_worst(3, way, g);
            sum += kernel_3(way, g);
        }
    }
    return (sum * scale_3)[0];
}

#define KIND nt_opensimplex2s
#define DIMS 2
#include "core/noise/scatter_kind.h"

#define KIND nt_opensimplex2s_space
#define DIMS 3
#include "core/noise/scatter_kind.h"
