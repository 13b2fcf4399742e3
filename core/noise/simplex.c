/*
 * simplex.c - simplex noise on the grid that can be tiled: S. Gustavson and I. McEwan, "Tiling
 * simplex noise and flow noise in two and three dimensions" (JCGT 11, 2022). In the plane,
 * triangles of base and height 1, rows of nodes shifted by half a cell; in space, the tetrahedra
 * between the nodes of two cubic lattices half a cell apart. A node's kernel ends at the opposite
 * face, so no sample sees more than its own simplex, and any whole number of cells is a period (in
 * the plane an even one in y).
 */
#include "core/lattice.h"
#include "core/noise/gradient.h"
#include "core/noise/runs.h"

/*
 * NT_UNITY over the largest sum of kernel times distance, rounded toward zero: 0.09150625 = 2
 * (11/20)^4 / 2 in the middle of a triangle's base, 0.026428998 at a tetrahedron's centre.
 */
static const float scale_2 = 10.928131f, scale_3 = 37.836938f;

/* ---- Plane ----------------------------------------------------------------------------------- */

/*
 * Node (i, j) lies at (i - j/2, j). A cell is two triangles: nodes (0, 0), (1, 1), and (1, 0) in the
 * one to the right, (0, 1) in the other.
 */
enum { LATTICES_2 = 1, AXES_2 = 2, PARTS_2 = 6 };

NT_INLINE void split_2(int lattice, const struct d8 at[2], struct d8 p[2])
{
    (void)lattice;
    for (int h = 0; h < 2; h++)
        p[0].half[h] = at[0].half[h] + 0.5 * at[1].half[h];
    p[1] = at[1];
}

NT_INLINE i8 which_2(const f8 fraction[2])
{
    return (i8)(fraction[0] > fraction[1]);
}

/* A period in y leaves the row: each turn shifts its cells by half of it. */
static void hashes_2(const struct nt_octave *octave, const struct nt_runs *runs,
                     struct nt_run_hash hash[2])
{
    int64_t half = octave->axis[1].period / 2;

    hash[1] = nt_run_hash_make(&octave->axis[1], runs->base[1], runs->run_cell[1][0]);
    hash[0] = nt_run_hash_make(&octave->axis[0], runs->base[0] - hash[1].turns * half,
                               runs->run_cell[0][0]);
}

static u8 node_hash_single_2(const struct nt_run_hash hash[2], i8 i, i8 j)
{
    const struct nt_octave_axis *x = hash[0].axis, *y = hash[1].axis;
    u8 bits = {0};

    for (int k = 0; k < NT_LANES; k++) {
        int64_t across = hash[0].base + i[k], down = hash[1].base + j[k];
        int64_t turns = down / y->period - (down % y->period < 0);
        bits[k] = nt_axis_hash(x, across - turns * (y->period / 2)) + nt_axis_hash(y, down);
    }
    return bits;
}

/* Bits of eight nodes. */
NT_INLINE u8 node_hash_2(const struct nt_run_hash hash[2], i8 i, i8 j)
{
    i8 turns;

    if (!nt_run_turns(&hash[1], j, &turns))
        return node_hash_single_2(hash, i, j);
    i -= turns * (int32_t)(hash[1].axis->period / 2);
    return nt_run_hash(&hash[0], i) + nt_run_hash(&hash[1], j);
}

static void make_2(int lattice, const struct nt_octave *octave, const struct nt_runs *runs,
                   float part[PARTS_2][NT_RUNS_PADDED])
{
    struct nt_run_hash hash[2];

    (void)lattice;
    hashes_2(octave, runs, hash);
    for (int r = 0; r < runs->runs; r += NT_LANES) {
        i8 i = load_i8(runs->run_cell[0] + r), j = load_i8(runs->run_cell[1] + r);
        i8 right = load_i8(runs->run_cell[2] + r); /* -1 or 0 */
        const i8 node[3][2] = {{i, j}, {i - right, j + 1 + right}, {i + 1, j + 1}};
        for (int n = 0; n < 3; n++) {
            f8 g[2];
            nt_gradient_2(nt_node_hash(node_hash_2(hash, node[n][0], node[n][1])), g);
            for (int axis = 0; axis < 2; axis++)
                store_f8(part[2 * n + axis] + r, g[axis]);
        }
    }
}

/* Way to the sample from node n of its triangle. */
NT_INLINE void way_2(const f8 fraction[2], int n, f8 way[2])
{
    f8 u = fraction[0], v = fraction[1], x = u - 0.5f * v;
    f8 o = select_f8((u8)(u > v), splat_f8(1.0f), splat_f8(0.0f));

    way[0] = n == 0 ? x : n == 1 ? x - (o - 0.5f * (1.0f - o)) : x - 0.5f;
    way[1] = n == 0 ? v : n == 1 ? v - (1.0f - o) : v - 1.0f;
}

NT_INLINE f8 kernel_2(const f8 way[2], const f8 g[2])
{
    f8 w = positive_f8(0.8f - (way[0] * way[0] + way[1] * way[1])), ww = w * w;

    return ww * ww * (g[0] * way[0] + g[1] * way[1]);
}

NT_INLINE f8 value_2(const f8 fraction[2], float part[PARTS_2][NT_RUNS_PADDED], struct nt_run8 at)
{
    f8 sum = {0};

    for (int n = 0; n < 3; n++) {
        f8 way[2], g[2];
        way_2(fraction, n, way);
        for (int axis = 0; axis < 2; axis++)
            g[axis] = nt_run_pick(part[2 * n + axis], at);
        sum += kernel_2(way, g);
    }
    return sum;
}

static float worst_2(const struct nt_octave *octave, const float *place)
{
    const f8 fraction[2] = {splat_f8(place[0]), splat_f8(place[1])};
    f8 sum = {0};

    (void)octave;
    for (int n = 0; n < 3; n++) {
        f8 way[2], g[2];
        way_2(fraction, n, way);
        nt_gradient_worst(2, way, g);
        sum += kernel_2(way, g);
    }
    return (sum * scale_2)[0];
}

/* ---- Space ----------------------------------------------------------------------------------- */

/*
 * In skewed coordinates (y + z, x + z, x + y) nodes are whole numbers (i, j, k); twice a node's own
 * place is (j + k - i, i + k - j, i + j - k), which is what its hash and its periods are of.
 */
enum { LATTICES_3 = 1, AXES_3 = 3, PARTS_3 = 12 };

NT_INLINE void split_3(int lattice, const struct d8 at[3], struct d8 p[3])
{
    (void)lattice;
    for (int h = 0; h < 2; h++) {
        p[0].half[h] = at[1].half[h] + at[2].half[h];
        p[1].half[h] = at[0].half[h] + at[2].half[h];
        p[2].half[h] = at[0].half[h] + at[1].half[h];
    }
}

/* The order of the fractions decides which of a cell's six tetrahedra: bits x > y, x > z, y > z. */
NT_INLINE i8 which_3(const f8 f[3])
{
    return ((i8)(f[0] > f[1]) & 1) | ((i8)(f[0] > f[2]) & 2) | ((i8)(f[1] > f[2]) & 4);
}

/* From the first node to the second along the axis of the largest fraction, to the third along that
 * of the smallest but one: all ones for the axes along which a node is one step on. */
NT_INLINE void steps_3(i8 which, i8 second[3], i8 third[3])
{
    i8 x_over_y = (which & 1) != 0, x_over_z = (which & 2) != 0, y_over_z = (which & 4) != 0;

    second[0] = x_over_y & x_over_z;
    second[1] = ~x_over_y & y_over_z;
    second[2] = ~x_over_z & ~y_over_z;
    third[0] = x_over_y | x_over_z;
    third[1] = ~x_over_y | y_over_z;
    third[2] = ~x_over_z | ~y_over_z;
}

/* Twice a node's own place repeats after twice the period. */
static void hashes_3(const struct nt_octave *octave, const struct nt_runs *runs,
                     struct nt_octave_axis doubled[3], struct nt_run_hash hash[3])
{
    int64_t sum = runs->base[0] + runs->base[1] + runs->base[2];
    int32_t cells = runs->run_cell[0][0] + runs->run_cell[1][0] + runs->run_cell[2][0];

    for (int axis = 0; axis < 3; axis++) {
        doubled[axis] = octave->axis[axis];
        doubled[axis].period *= 2;
        hash[axis] = nt_run_hash_make(&doubled[axis], sum - 2 * runs->base[axis],
                                      cells - 2 * runs->run_cell[axis][0]);
    }
}

static void make_3(int lattice, const struct nt_octave *octave, const struct nt_runs *runs,
                   float part[PARTS_3][NT_RUNS_PADDED])
{
    struct nt_octave_axis doubled[3];
    struct nt_run_hash hash[3];

    (void)lattice;
    hashes_3(octave, runs, doubled, hash);
    for (int r = 0; r < runs->runs; r += NT_LANES) {
        i8 step[4][3] = {{{0}}};
        steps_3(load_i8(runs->run_cell[3] + r), step[1], step[2]);
        for (int axis = 0; axis < 3; axis++)
            step[3][axis] = splat_i8(-1);
        for (int n = 0; n < 4; n++) {
            i8 node[3];
            u8 bits = {0};
            f8 g[3];
            for (int axis = 0; axis < 3; axis++)
                node[axis] = load_i8(runs->run_cell[axis] + r) - step[n][axis];
            for (int axis = 0; axis < 3; axis++)
                bits += nt_run_hash(&hash[axis], node[0] + node[1] + node[2] - 2 * node[axis]);
            nt_gradient_3(nt_node_hash(bits), g);
            for (int axis = 0; axis < 3; axis++)
                store_f8(part[3 * n + axis] + r, g[axis]);
        }
    }
}

/* Way to the sample from node n of its tetrahedron. */
NT_INLINE void way_3(const f8 fraction[3], int n, f8 way[3])
{
    i8 step[4][3] = {{{0}}};
    f8 skewed[3];

    steps_3(which_3(fraction), step[1], step[2]);
    for (int axis = 0; axis < 3; axis++) {
        step[3][axis] = splat_i8(-1);
        skewed[axis] = fraction[axis] - (f8)(step[n][axis] & (i8)splat_f8(1.0f));
    }
    way[0] = 0.5f * (skewed[1] + skewed[2] - skewed[0]);
    way[1] = 0.5f * (skewed[0] + skewed[2] - skewed[1]);
    way[2] = 0.5f * (skewed[0] + skewed[1] - skewed[2]);
}

NT_INLINE f8 kernel_3(const f8 way[3], const f8 g[3])
{
    f8 w = positive_f8(0.5f - (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]));

    return w * w * w * (g[0] * way[0] + g[1] * way[1] + g[2] * way[2]);
}

NT_INLINE f8 value_3(const f8 fraction[3], float part[PARTS_3][NT_RUNS_PADDED], struct nt_run8 at)
{
    f8 sum = {0};

    for (int n = 0; n < 4; n++) {
        f8 way[3], g[3];
        way_3(fraction, n, way);
        for (int axis = 0; axis < 3; axis++)
            g[axis] = nt_run_pick(part[3 * n + axis], at);
        sum += kernel_3(way, g);
    }
    return sum;
}

static float worst_3(const struct nt_octave *octave, const float *place)
{
    const f8 fraction[3] = {splat_f8(place[0]), splat_f8(place[1]), splat_f8(place[2])};
    f8 sum = {0};

    (void)octave;
    for (int n = 0; n < 4; n++) {
        f8 way[3], g[3];
        way_3(fraction, n, way);
        nt_gradient_worst(3, way, g);
        sum += kernel_3(way, g);
    }
    return (sum * scale_3)[0];
}

#define KIND nt_simplex
#define DIMS 2
#include "core/noise/run_kind.h"

#define KIND nt_simplex_space
#define DIMS 3
#include "core/noise/run_kind.h"
