/*
 * opensimplex2s.c - the smooth variant of simplex noise after an idea of K. Spencer (KdotJPG,
 * OpenSimplex2, 2019): kernels are so wide that a sample sees the nodes of the neighbouring
 * simplices too. In the plane the triangular lattice, each kernel as wide as an edge is long; in
 * space two cubic lattices half a cell apart, turned so that no coordinate plane is a lattice
 * plane, kernels sqrt(3/4) wide.
 *
 * Its lattice fits no rectangle, so it closes only by going around a cylinder or a sphere in space.
 */
#include <math.h>

#include "core/lattice.h"
#include "core/noise/gradient.h"
#include "core/noise/runs.h"

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
enum { OWN_2 = 3 };
static const int nodes_2[6][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {0, 1}, {0, -1}};

enum { LATTICES_2 = 1, AXES_2 = 2, PARTS_2 = 12 };

NT_INLINE void split_2(int lattice, const struct d8 at[2], struct d8 p[2])
{
    (void)lattice;
    for (int h = 0; h < 2; h++) {
        d4 s = (at[0].half[h] + at[1].half[h]) * skew;
        p[0].half[h] = at[0].half[h] + s;
        p[1].half[h] = at[1].half[h] + s;
    }
}

NT_INLINE i8 which_2(const f8 fraction[2])
{
    return (i8)above_f8(fraction[0], fraction[1]);
}

/*
 * On a row, skewed coordinates are split without doubles, by parts made once for all rows: those of
 * x in x (1 + skew) + y skew and x skew + y (1 + skew), each as a cell, a coarse fraction, a
 * multiple of 2^-23, and the fine rest below that. Coarse fractions add up exactly; less 1 where
 * that is reached, they tell the cell, and the fine sum is rounded once when it is added to them.
 *
 * The position that split_2 gives is elsewhere by less than `doubt`: with u = 2^-53 times the
 * positions' size, split_2 rounds by up to 2.1 u and the parts by up to 2.4 u, fine ones by 2^-46.
 * So the fraction is worked out with both ends of the doubt. If both ends are rounded to the same,
 * so is the one between, as rounding is monotonic. If they aren't, or reach 1, the row is split in
 * doubles (run_kind.h): one row in two hundred near the origin, half of them SURE cells away. Beyond
 * that it is not tried.
 *
 * Cells and triangle are kept as one number, so that runs are told apart by one comparison. A row
 * spans few enough for i to fit below KEY_J, and j beside the sign above it.
 */
enum { KEY_I = 1, KEY_J = 16, KEY_CELLS = 1 << 14, SURE = 1 << 13 };

struct columns_2 {
    bool near; /* cells fit in keys */
    double size;
    double base[2];
    int32_t key[NT_RUNS_PADDED]; /* of the cells, counted from the base */
    float coarse[2][NT_RUNS_PADDED], fine[2][NT_RUNS_PADDED];
};

/* Parts of positions. */
struct parts4 {
    d4 cell, coarse, fine;
};

NT_INLINE struct parts4 parts_of(d4 p)
{
    d4 cell = floor_d4(p), fraction = p - cell, coarse = floor_d4(fraction * 0x1p23) * 0x1p-23;

    return (struct parts4){cell, coarse, fraction - coarse};
}

/* ends: the least and the greatest x. */
static void split_columns(struct columns_2 *columns, const double *x, int n, d4 ends)
{
    const double factor[2] = {1.0 + skew, skew};

    columns->size = fmax(fabs(ends[0]), fabs(ends[1]));
    columns->near = ends[1] - ends[0] < KEY_CELLS;
    if (!columns->near)
        return;
    for (int axis = 0; axis < 2; axis++)
        columns->base[axis] = (double)nt_cell_of(ends[0] * factor[axis]).cell;
    for (int i = 0; i < n; i += NT_LANES) {
        struct d8 p = load_d8(x + i);
        d4 key[2];
        f4 coarse[2][2], fine[2][2];
        for (int h = 0; h < 2; h++) {
            key[h] = splat_d4(NT_TO_WHOLE);
            for (int axis = 0; axis < 2; axis++) {
                struct parts4 parts = parts_of(p.half[h] * factor[axis]);
                key[h] +=
                    (parts.cell - columns->base[axis]) * (axis == 0 ? 1 << KEY_I : 1 << KEY_J);
                coarse[axis][h] = __builtin_convertvector(parts.coarse, f4);
                fine[axis][h] = __builtin_convertvector(parts.fine, f4);
            }
        }
        store_i8(columns->key + i, narrow_l4((l4)key[0], (l4)key[1]));
        for (int axis = 0; axis < 2; axis++) {
            store_f8(columns->coarse[axis] + i, join_f4(coarse[axis][0], coarse[axis][1]));
            store_f8(columns->fine[axis] + i, join_f4(fine[axis][0], fine[axis][1]));
        }
    }
}

/* What a row adds to its samples' parts: the fine one once for each end of the doubt. */
struct row_part {
    float coarse, before, behind;
};

static struct row_part split_row(const struct columns_2 *columns, double y, int axis,
                                 struct nt_runs *runs)
{
    struct parts4 parts = parts_of(splat_d4(y * (axis == 0 ? skew : 1.0 + skew)));
    double doubt = 6 * 0x1p-53 * (columns->size + fabs(y)) + 0x1p-45;

    runs->base[axis] = (int64_t)(columns->base[axis] + parts.cell[0]);
    return (struct row_part){.coarse = (float)parts.coarse[0],
                             .before = (float)(parts.fine[0] - doubt),
                             .behind = (float)(parts.fine[0] + doubt)};
}

/* Takes the keys of runs apart. */
static void read_keys(struct nt_runs *runs)
{
    for (int r = 0; r <= runs->runs; r += NT_LANES) {
        i8 key = load_i8(runs->run_cell[0] + r);
        store_i8(runs->run_cell[0] + r, key >> KEY_I & ((1 << (KEY_J - KEY_I)) - 1));
        store_i8(runs->run_cell[1] + r, key >> KEY_J);
        store_i8(runs->run_cell[2] + r, -(key & 1));
    }
}

/* Finds the runs of a row; false: some fractions are in doubt. */
static bool locate_on_row(const struct columns_2 *columns, double y, int n, struct nt_runs *runs)
{
    const f8 below_one = splat_f8(1.0f - 0x1p-24f);
    struct row_part row[2];
    f8 most = {0};
    u8 differ = {0};

    if (!columns->near || columns->size + fabs(y) > SURE)
        return false;
    for (int axis = 0; axis < 2; axis++)
        row[axis] = split_row(columns, y, axis, runs);
    runs->samples = n;
    for (int i = 0; i < n; i += NT_LANES) {
        i8 key = load_i8(columns->key + i);
        f8 fraction[2];
        for (int axis = 0; axis < 2; axis++) {
            f8 coarse = load_f8(columns->coarse[axis] + i) + row[axis].coarse;
            f8 fine = load_f8(columns->fine[axis] + i);
            u8 next = above_f8(coarse, below_one);
            coarse -= (f8)(next & (u8)splat_f8(1.0f));
            fraction[axis] = coarse + (fine + row[axis].before);
            differ |= (u8)fraction[axis] ^ (u8)(coarse + (fine + row[axis].behind));
            key += (i8)next & (axis == 0 ? 1 << KEY_I : 1 << KEY_J);
            store_f8(runs->fraction[axis] + i, fraction[axis]);
        }
        most = larger_f8(most, larger_f8(fraction[0], fraction[1]));
        store_i8(nt_runs_cell(runs, 0, (size_t)i), key - which_2(fraction));
    }
    if (!all_less(most, splat_f8(1.0f)) || nonzero_u8(differ))
        return false;
    nt_runs_find_near(runs, 1);
    read_keys(runs);
    return true;
}

/*
 * Samples in the triangle of (0, 1) are worked out with i and j exchanged, so that all have the same
 * nodes. No bit changes: of a node's two coordinates only sums are made, and those commute.
 */
static void make_2(int lattice, const struct nt_octave *octave, const struct nt_runs *runs,
                   float part[PARTS_2][NT_RUNS_PADDED])
{
    struct nt_run_hash hash[2];

    (void)lattice;
    for (int axis = 0; axis < 2; axis++)
        hash[axis] =
            nt_run_hash_make(&octave->axis[axis], runs->base[axis], runs->run_cell[axis][0]);
    for (int r = 0; r < runs->runs; r += NT_LANES) {
        i8 i = load_i8(runs->run_cell[0] + r), j = load_i8(runs->run_cell[1] + r);
        u8 right = (u8)load_i8(runs->run_cell[2] + r), axis_hash[2][4];
        for (int k = -1; k <= 2; k++) { /* both axes' cells k steps on: along, then across */
            u8 x = nt_run_hash(&hash[0], i + k), y = nt_run_hash(&hash[1], j + k);
            axis_hash[0][k + 1] = (right & x) | (~right & y);
            axis_hash[1][k + 1] = (right & y) | (~right & x);
        }
        for (int n = 0; n < 6; n++) {
            f8 g[2];
            nt_gradient_2(
                nt_node_hash(axis_hash[0][nodes_2[n][0] + 1] + axis_hash[1][nodes_2[n][1] + 1]), g);
            store_f8(part[2 * n] + r, select_f8(right, g[0], g[1]));
            store_f8(part[2 * n + 1] + r, select_f8(right, g[1], g[0]));
        }
    }
}

/*
 * The gradients of all nodes that some rows of a tile see. Rows share most of them, and to copy a
 * node is cheaper than to hash it: up to MOST_NODES, 64 KB of stack. Where runs are long, most rows
 * have the very runs of the row before, and so its parts.
 */
enum { MOST_NODES = 8192, MOST_ACROSS = 512, LONG_RUNS = 10 };

struct nodes_2 {
    int64_t i, j;                   /* of the first */
    int width, height;              /* width is a multiple of NT_LANES */
    float gradient[2 * MOST_NODES]; /* x, y of (i, j), (i + 1, j) ... */
    float part[PARTS_2][NT_RUNS_PADDED];
    /* Where a row's runs are long, LONG_RUNS samples in the mean: */
    int runs; /* 0 where they aren't */
    int64_t base[2];
    int32_t run_cell[3][NT_RUNS_PADDED];
    float mirror[2][4 * NT_RUNS_PADDED]; /* x and y of a run's mirror images, and one to spare */
};

/* Cells of the sample at (x, y). */
static void cells_2(double x, double y, int64_t cell[2])
{
    double s = (x + y) * skew;

    cell[0] = nt_cell_of(x + s).cell;
    cell[1] = nt_cell_of(y + s).cell;
}

/* Cells rise with x and y, and a sample sees nodes from one cell before its own to two behind. */
static bool lay_out_2(struct nodes_2 *nodes, const double low[2], const double high[2])
{
    int64_t from[2], to[2], width, height;

    cells_2(low[0], low[1], from);
    cells_2(high[0], high[1], to);
    width = (to[0] - from[0] + 4 + NT_LANES - 1) / NT_LANES * NT_LANES;
    height = to[1] - from[1] + 4;
    if (width > MOST_ACROSS || height > MOST_NODES || width * height > MOST_NODES)
        return false;
    nodes->i = from[0] - 1;
    nodes->j = from[1] - 1;
    nodes->width = (int)width;
    nodes->height = (int)height;
    nodes->runs = 0;
    return true;
}

/*
 * Nodes `from` to `to` - 1 of row j are near enough to be seen. Lines of equal skewed y run aslant
 * through the rows: skewed x is y' (1 + skew) / skew - y (1 + 2 skew) / skew on them.
 */
static void seen_of_row(const struct nodes_2 *nodes, int j, double low, double high, int *from,
                        int *to)
{
    const double rise = (1.0 + skew) / skew, fall = (1.0 + 2.0 * skew) / skew;
    double row = (double)(nodes->j + j), first = (double)nodes->i;
    double begin = (row - 3.0) * rise - high * fall - first - 4.0;
    double end = (row + 3.0) * rise - low * fall - first + 4.0;

    *from = begin <= 0.0 ? 0 : begin >= nodes->width ? nodes->width : (int)begin;
    *from -= *from % NT_LANES;
    *to = end <= 0.0 ? 0 : end >= nodes->width ? nodes->width : (int)end;
}

/* x: the least and the greatest of the columns', in cells. */
static bool fill_nodes(struct nodes_2 *nodes, const struct nt_strip *strip, d4 x)
{
    const struct nt_octave_axis *axis = strip->octave->axis;
    d4 y = nt_ends_of(strip->y, strip->rows) * axis[1].frequency + axis[1].offset;
    const double low[2] = {x[0], y[0]}, high[2] = {x[1], y[1]};
    uint32_t across[MOST_ACROSS];

    if (!lay_out_2(nodes, low, high))
        return false;
    struct nt_run_hash hash = nt_run_hash_make(&axis[0], nodes->i, 0);
    for (int i = 0; i < nodes->width; i += NT_LANES)
        store_u8(across + i, nt_run_hash(&hash, i + (i8){0, 1, 2, 3, 4, 5, 6, 7}));
    for (int j = 0; j < nodes->height; j++) {
        float *row = nodes->gradient + 2 * ((ptrdiff_t)j * nodes->width);
        uint32_t down = nt_axis_hash(&axis[1], nodes->j + j);
        int i, to;
        for (seen_of_row(nodes, j, low[1], high[1], &i, &to); i < to; i += NT_LANES) {
            f8 g[2];
            nt_gradient_2(nt_node_hash(load_u8(across + i) + down), g);
            store_pairs_f8(row + 2 * (ptrdiff_t)i, g[0], g[1]);
        }
    }
    return true;
}

static bool same_runs(const struct nodes_2 *nodes, const struct nt_runs *runs)
{
    size_t size = (size_t)runs->runs * sizeof runs->run_cell[0][0];

    return nodes->runs == runs->runs && memcmp(nodes->base, runs->base, sizeof nodes->base) == 0 &&
           memcmp(nodes->run_cell[0], runs->run_cell[0], size) == 0 &&
           memcmp(nodes->run_cell[1], runs->run_cell[1], size) == 0 &&
           memcmp(nodes->run_cell[2], runs->run_cell[2], size) == 0;
}

static void keep_long_runs(struct nodes_2 *nodes, const struct nt_runs *runs)
{
    size_t size = (size_t)runs->runs * sizeof runs->run_cell[0][0];

    nodes->runs = runs->runs;
    memcpy(nodes->base, runs->base, sizeof nodes->base);
    for (int key = 0; key < 3; key++)
        memcpy(nodes->run_cell[key], runs->run_cell[key], size);
    for (int axis = 0; axis < 2; axis++)
        for (int r = 0; r < runs->runs; r++)
            for (int side = 0; side < 3; side++)
                nodes->mirror[axis][4 * r + side] = nodes->part[2 * (OWN_2 + side) + axis][r];
}

/* What make_2 does, with nodes from the table. */
static float (*take_nodes(struct nodes_2 *nodes, const struct nt_runs *runs))[NT_RUNS_PADDED]
{
    int64_t i = runs->base[0] - nodes->i, j = runs->base[1] - nodes->j;
    const ptrdiff_t column = 2, row = 2 * (ptrdiff_t)nodes->width;

    if (same_runs(nodes, runs))
        return nodes->part;
    for (int r = 0; r < runs->runs; r++) {
        const float *cell = nodes->gradient + (i + runs->run_cell[0][r]) * column +
                            (j + runs->run_cell[1][r]) * row;
        int right = -runs->run_cell[2][r]; /* 1 or 0 */
        ptrdiff_t along = right ? column : row, aside = right ? row : column;
        const float *x = cell + !right, *y = cell + right;
        for (int n = 0; n < 6; n++) {
            ptrdiff_t node = nodes_2[n][0] * along + nodes_2[n][1] * aside;
            nodes->part[2 * n][r] = x[node];
            nodes->part[2 * n + 1][r] = y[node];
        }
    }
    nodes->runs = 0;
    if (runs->runs * LONG_RUNS <= runs->samples)
        keep_long_runs(nodes, runs);
    return nodes->part;
}

/* Way to the sample from node (u - a, v - b). */
NT_INLINE void way_from(f8 a, f8 b, f8 way[2])
{
    f8 t = (a + b) * unskew;

    way[0] = a - t;
    way[1] = b - t;
}

/* Way to the sample from node n, x and y exchanged as the nodes are. */
NT_INLINE void way_2(const f8 fraction[2], int n, f8 way[2])
{
    f8 u = larger_f8(fraction[0], fraction[1]), v = smaller_f8(fraction[0], fraction[1]);

    way_from(u - (float)nodes_2[n][0], v - (float)nodes_2[n][1], way);
}

NT_INLINE f8 kernel_2(const f8 way[2], const f8 g[2])
{
    f8 w = positive_f8(0.66666667f - (way[0] * way[0] + way[1] * way[1])), ww = w * w;

    return ww * ww * (g[0] * way[0] + g[1] * way[1]);
}

/*
 * A sample is reached by one of the mirror images at most, that beyond the nearest side. Let a, b
 * and c be its distances from the sides, as shares of a triangle's height: a + b + c = 1. Squared,
 * and as a share of the kernel's reach, its distance from the image beyond the first is
 *
 *     (1 + 4 a + a^2 + b^2 + c^2) / 2  =  1 + (a - b) + a^2 + a b + b^2,
 *
 * so where b <= a that image adds 0, which changes no sum. Rounding may let it add something, but
 * only within 2^-20, so where a and b are below 2^-9: almost on a node, where c is above NODE_AT.
 *
 * Of eight samples in two runs at most, each one's image is one of eight: one permutation has it.
 * That leaves out a third of the kernels. false: runs are short, or some sample is on a node.
 */
#define NODE_AT (1.0f - 0x1p-7f)

NT_INLINE bool take_eight(const struct nodes_2 *nodes, const struct nt_runs *runs, size_t i,
                          f8 *sum)
{
    unsigned starts = runs->starts[i / NT_LANES] >> 1;

    if (nodes->runs == 0 || (starts & (starts - 1)) != 0)
        return false;
    const f8 fraction[2] = {load_f8(runs->fraction[0] + i), load_f8(runs->fraction[1] + i)};
    const u8 one = (u8)splat_f8(1.0f), two = (u8)splat_f8(2.0f), minus = (u8)splat_f8(-0.0f);
    f8 u = larger_f8(fraction[0], fraction[1]), v = smaller_f8(fraction[0], fraction[1]);
    f8 first = 1.0f - u, second = u - v; /* distances; v is the third */
    u8 on_node = above_f8(larger_f8(larger_f8(first, second), v), splat_f8(NODE_AT));
    f8 way[2], g[2];

    if (mask_bits(on_node))
        return false;
    struct nt_run8 at = nt_run_of(runs, i);
    *sum = (f8){0};
    for (int n = 0; n < OWN_2; n++) {
        way_2(fraction, n, way);
        for (int axis = 0; axis < 2; axis++)
            g[axis] = nt_run_pick(nodes->part[2 * n + axis], at);
        *sum += kernel_2(way, g);
    }
    u8 is_other = above_f8(first, smaller_f8(second, v)); /* nearest side: second or third */
    u8 is_third = is_other & above_f8(second, v);
    i8 image = at.step * 4 - (i8)is_other - (i8)is_third;
    way_from(u - (f8)(~is_other & two), v - (f8)(one | (is_third & minus)), way);
    for (int axis = 0; axis < 2; axis++)
        g[axis] = pick_f8(nodes->mirror[axis] + 4 * (ptrdiff_t)at.first, image);
    *sum += kernel_2(way, g);
    return true;
}

static float worst_2(const struct nt_octave *octave, const float *place)
{
    const f8 fraction[2] = {splat_f8(place[0]), splat_f8(place[1])};
    f8 sum = {0};

    (void)octave;
    for (int n = 0; n < 6; n++) {
        f8 way[2], g[2];
        way_2(fraction, n, way);
        nt_gradient_worst(2, way, g);
        sum += kernel_2(way, g);
    }
    return (sum * scale_2)[0];
}

/* ---- Space ----------------------------------------------------------------------------------- */

/*
 * Of each cubic lattice a sample sees the eight nodes around it: any other is a whole cell away,
 * further than a kernel reaches.
 */
enum { LATTICES_3 = 2, AXES_3 = 3, PARTS_3 = 24 };

/* A half turn about the diagonal (1, 1, 1): an isometry that takes the axes well off the lattice's
 * own. The second lattice lies half a cell further. */
NT_INLINE void split_3(int lattice, const struct d8 at[3], struct d8 p[3])
{
    for (int h = 0; h < 2; h++) {
        d4 turned = (at[0].half[h] + at[1].half[h] + at[2].half[h]) * (2.0 / 3.0);
        for (int axis = 0; axis < 3; axis++)
            p[axis].half[h] = turned - at[axis].half[h] + 0.5 * lattice;
    }
}

NT_INLINE i8 which_3(const f8 fraction[3])
{
    (void)fraction;
    return splat_i8(0);
}

/* The second lattice's nodes have other bits, by the flipped sum. */
static void make_3(int lattice, const struct nt_octave *octave, const struct nt_runs *runs,
                   float part[PARTS_3][NT_RUNS_PADDED])
{
    uint32_t flip = lattice ? UINT32_C(0x55555555) : 0;
    struct nt_run_hash hash[3];

    for (int axis = 0; axis < 3; axis++)
        hash[axis] =
            nt_run_hash_make(&octave->axis[axis], runs->base[axis], runs->run_cell[axis][0]);
    for (int r = 0; r < runs->runs; r += NT_LANES) {
        u8 axis_hash[3][2];
        for (int axis = 0; axis < 3; axis++)
            for (int step = 0; step < 2; step++)
                axis_hash[axis][step] =
                    nt_run_hash(&hash[axis], load_i8(runs->run_cell[axis] + r) + step);
        for (int c = 0; c < 8; c++) {
            u8 bits = axis_hash[0][c & 1] + axis_hash[1][c >> 1 & 1] + axis_hash[2][c >> 2];
            f8 g[3];
            nt_gradient_3(nt_node_hash(bits ^ flip), g);
            for (int axis = 0; axis < 3; axis++)
                store_f8(part[3 * c + axis] + r, g[axis]);
        }
    }
}

NT_INLINE void way_3(const f8 f[3], int corner, f8 way[3])
{
    for (int axis = 0; axis < 3; axis++)
        way[axis] = f[axis] - (float)(corner >> axis & 1);
}

NT_INLINE f8 kernel_3(const f8 way[3], const f8 g[3])
{
    f8 w = positive_f8(0.75f - (way[0] * way[0] + way[1] * way[1] + way[2] * way[2])), ww = w * w;

    return ww * ww * (g[0] * way[0] + g[1] * way[1] + g[2] * way[2]);
}

static float worst_3(const struct nt_octave *octave, const float *place)
{
    f8 sum = {0};

    (void)octave;
    for (int lattice = 0; lattice < LATTICES_3; lattice++) {
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

#define KIND    nt_opensimplex2s
#define DIMS    2
#define NODES   struct nodes_2
#define COLUMNS struct columns_2
#include "core/noise/run_kind.h"

#define KIND nt_opensimplex2s_space
#define DIMS 3
#include "core/noise/run_kind.h"
