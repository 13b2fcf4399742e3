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
enum { AXES_2 = 2, PARTS_2 = 6 };

NT_INLINE void split_2(const struct d8 at[2], struct d8 p[2])
{
    for (int h = 0; h < 2; h++) {
        p[0].half[h] = at[0].half[h] + 0.5 * at[1].half[h];
        p[1].half[h] = at[1].half[h];
    }
}

NT_INLINE i8 which_2(const f8 fraction[2])
{
    return (i8)(fraction[0] > fraction[1]);
}

/* Bits of eight nodes. A period in y leaves the row, so it is taken off first, with its shift. */
static u8 node_hash_2(const struct nt_octave *octave, const struct nt_run_hash hash[2], i8 i, i8 j)
{
    int64_t period = octave->axis[1].period;
    u8 bits = {0};

    if (period == 0)
        return nt_run_hash(&hash[0], i) + nt_run_hash(&hash[1], j);
    for (int k = 0; k < NT_LANES; k++) {
        int64_t across = hash[0].base + i[k], down = hash[1].base + j[k];
        int64_t turns = down / period - (down % period < 0);
        bits[k] = nt_axis_hash(&octave->axis[0], across - turns * (period / 2)) +
                  nt_axis_hash(&octave->axis[1], down);
    }
    return bits;
}

static void make_2(const struct nt_octave *octave, const struct nt_runs *runs,
                   float part[PARTS_2][NT_RUNS_PADDED])
{
    struct nt_run_hash hash[2];

    for (int axis = 0; axis < 2; axis++)
        hash[axis] =
            nt_run_hash_make(&octave->axis[axis], runs->base[axis], runs->run_cell[axis][0]);
    for (int r = 0; r < runs->runs; r += NT_LANES) {
        i8 i = load_i8(runs->run_cell[0] + r), j = load_i8(runs->run_cell[1] + r);
        i8 right = load_i8(runs->run_cell[2] + r);
        const i8 node[3][2] = {{i, j}, {i - right, j + 1 + right}, {i + 1, j + 1}};
        for (int n = 0; n < 3; n++) {
            f8 g[2];
            nt_gradient_2(nt_node_hash(node_hash_2(octave, hash, node[n][0], node[n][1])), g);
            for (int axis = 0; axis < 2; axis++)
                store_f8(part[2 * n + axis] + r, g[axis]);
        }
    }
}

/* Ways from the three nodes to the sample. */
NT_INLINE void ways_2(const f8 fraction[2], f8 way[3][2])
{
    f8 u = fraction[0], v = fraction[1], x = u - 0.5f * v;
    u8 right = (u8)(u > v);
    f8 o = select_f8(right, splat_f8(1.0f), splat_f8(0.0f));

    way[0][0] = x;
    way[0][1] = v;
    way[1][0] = x - (o - 0.5f * (1.0f - o));
    way[1][1] = v - (1.0f - o);
    way[2][0] = x - 0.5f;
    way[2][1] = v - 1.0f;
}

NT_INLINE f8 kernel_2(const f8 way[2], const f8 g[2])
{
    f8 w = positive_f8(0.8f - (way[0] * way[0] + way[1] * way[1])), ww = w * w;

    return ww * ww * (g[0] * way[0] + g[1] * way[1]);
}

NT_INLINE f8 value_2(const f8 fraction[2], const f8 part[PARTS_2])
{
    f8 way[3][2], sum = {0};

    ways_2(fraction, way);
    for (int n = 0; n < 3; n++)
        sum += kernel_2(way[n], part + 2 * n);
    return sum * scale_2;
}

static float worst_2(const struct nt_octave *octave, const float *place)
{
    const f8 fraction[2] = {splat_f8(place[0]), splat_f8(place[1])};
    f8 way[3][2], part[PARTS_2];

    (void)octave;
    ways_2(fraction, way);
    for (int n = 0; n < 3; n++)
        nt_gradient_worst(2, way[n], part + 2 * n);
    return value_2(fraction, part)[0];
}

/* ---- Space ----------------------------------------------------------------------------------- */

/*
 * In skewed coordinates (y + z, x + z, x + y) nodes are whole numbers (i, j, k); twice a node's own
 * place is (j + k - i, i + k - j, i + j - k), which is what its hash and its periods are of.
 */
static uint32_t node_hash_3(const struct nt_octave *octave, const int64_t node[3])
{
    int64_t sum = node[0] + node[1] + node[2];
    uint32_t hash = 0;

    for (int axis = 0; axis < 3; axis++) {
        struct nt_octave_axis doubled = octave->axis[axis];
        doubled.period *= 2;
        hash += nt_axis_hash(&doubled, sum - 2 * node[axis]);
    }
    return hash;
}

/* Eight tetrahedra: from each node to the samples in skewed coordinates, and the nodes' bits. */
struct simplex_3 {
    f8 skewed[4][3];
    u8 hash[4];
};

/* Largest fraction first: rank of each axis, and so the two nodes between the first and the last.
 */
NT_INLINE void steps_3(const float f[3], int first[3], int second[3])
{
    int x_over_y = f[0] > f[1], x_over_z = f[0] > f[2], y_over_z = f[1] > f[2];
    const int rank[3] = {x_over_y + x_over_z, !x_over_y + y_over_z, !x_over_z + !y_over_z};

    for (int axis = 0; axis < 3; axis++) {
        first[axis] = rank[axis] == 2;
        second[axis] = rank[axis] >= 1;
    }
}

static void simplex_lane(const struct nt_octave *octave, const int64_t cell[3], const float f[3],
                         int lane, struct simplex_3 *s)
{
    int step[4][3] = {{0, 0, 0}, {0}, {0}, {1, 1, 1}};

    steps_3(f, step[1], step[2]);
    for (int n = 0; n < 4; n++) {
        const int64_t node[3] = {cell[0] + step[n][0], cell[1] + step[n][1], cell[2] + step[n][2]};
        for (int axis = 0; axis < 3; axis++)
            s->skewed[n][axis][lane] = f[axis] - (float)step[n][axis];
        s->hash[n][lane] = octave ? node_hash_3(octave, node) : 0;
    }
}

NT_INLINE void way_3(const f8 skewed[3], f8 way[3])
{
    way[0] = 0.5f * (skewed[1] + skewed[2] - skewed[0]);
    way[1] = 0.5f * (skewed[0] + skewed[2] - skewed[1]);
    way[2] = 0.5f * (skewed[0] + skewed[1] - skewed[2]);
}

NT_INLINE f8 kernel_3(const f8 way[3], const f8 g[3])
{
    f8 w = 0.5f - (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);

    w = select_f8((u8)(w > 0.0f), w, splat_f8(0.0f));
    return w * w * w * (g[0] * way[0] + g[1] * way[1] + g[2] * way[2]);
}

static void locate_3(const struct nt_octave *octave, const struct place8 *place,
                     struct simplex_3 *s)
{
    for (int k = 0; k < NT_LANES; k++) {
        double p[3];
        int64_t cell[3];
        float f[3];
        for (int axis = 0; axis < 3; axis++)
            p[axis] = place->at[axis][k] * octave->axis[axis].frequency + octave->axis[axis].offset;
        const double skewed[3] = {p[1] + p[2], p[0] + p[2], p[0] + p[1]};
        for (int axis = 0; axis < 3; axis++) {
            struct nt_cell_place at = nt_cell_of(skewed[axis]);
            cell[axis] = at.cell;
            f[axis] = at.fraction;
        }
        simplex_lane(octave, cell, f, k, s);
    }
}

static f8 eight_3(const struct nt_octave *octave, const struct place8 *place)
{
    struct simplex_3 s;
    f8 sum = {0};

    locate_3(octave, place, &s);
    for (int n = 0; n < 4; n++) {
        f8 way[3], g[3];
        way_3(s.skewed[n], way);
        nt_gradient_3(nt_node_hash(s.hash[n]), g);
        sum += kernel_3(way, g);
    }
    return sum * scale_3;
}

static float worst_3(const struct nt_octave *octave, const float *place)
{
    const int64_t cell[3] = {0, 0, 0};
    struct simplex_3 s;
    f8 sum = {0};

    (void)octave;
    for (int k = 0; k < NT_LANES; k++)
        simplex_lane(NULL, cell, place, k, &s);
    for (int n = 0; n < 4; n++) {
        f8 way[3], g[3];
        way_3(s.skewed[n], way);
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
#include "core/noise/scatter_kind.h"
