/*
 * simplex.c - simplex noise on the grid that can be tiled: S. Gustavson and I. McEwan, "Tiling
 * simplex noise and flow noise in two and three dimensions" (JCGT 11, 2022). In the plane,
 * triangles of base and height 1, rows of nodes shifted by half a cell; in space, the tetrahedra
 * between the nodes of two cubic lattices half a cell apart. A node's kernel ends at the opposite
 * face, so no sample sees more than its own simplex, and any whole number of cells is a period (in
 * the plane an even one in y).
 */
#include <math.h>

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
    return (i8)above_f8(fraction[0], fraction[1]);
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
    f8 o = select_f8(above_f8(u, v), splat_f8(1.0f), splat_f8(0.0f));

    way[0] = n == 0 ? x : n == 1 ? x - (o - 0.5f * (1.0f - o)) : x - 0.5f;
    way[1] = n == 0 ? v : n == 1 ? v - (1.0f - o) : v - 1.0f;
}

NT_INLINE f8 kernel_2(const f8 way[2], const f8 g[2])
{
    f8 w = positive_f8(0.8f - (way[0] * way[0] + way[1] * way[1])), ww = w * w;

    return ww * ww * (g[0] * way[0] + g[1] * way[1]);
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

/* ---- Plane, rows of a tile ------------------------------------------------------------------- */

/*
 * Along a row, y and the two rows of nodes beside it stay the same, so a sample's cell alone says
 * which gradients it sees: no runs need be found, and what depends on y is made once per row.
 */
enum { ROW_NODES = 128, ROW_PADDED = ROW_NODES + 2 * NT_LANES };

/* A row of nodes: gradients, and what their y adds to the samples of the row at hand. */
struct node_row {
    bool known;
    int64_t j;
    float x[ROW_PADDED], y[ROW_PADDED], rise[ROW_PADDED];
};

/* Rows that are worked on at once, and places at which samples of these may be. */
enum { ROWS_MOST = 64, PLACES_MOST = NT_RUNS_PADDED + ROWS_MOST / 2, DOUBTS_MOST = 8 };

/* Skewed x, taken apart: fractions, and cells counted from the first node. */
struct places {
    float fraction[PLACES_MOST];
    int32_t cell[PLACES_MOST];
    int doubts, doubtful[DOUBTS_MOST]; /* places that may be others for some of the rows */
};

/* Rows of samples, at most NT_RUNS_MOST wide. */
struct rows {
    const struct nt_strip *strip;
    const double *columns; /* x in cells, padded to NT_LANES */
    int first_column, n;
    int first_row, count;
    int64_t node_cell; /* of the first node */
    int nodes;
    struct node_row node_row[2]; /* of even and odd j */
    /* gradients of the middle nodes of each cell's two triangles: left, right */
    float middle_x[2 * ROW_PADDED], middle_rise[2 * ROW_PADDED];
    bool shared;             /* even rows share places[0], odd ones places[1] */
    struct places places[2]; /* otherwise, places[0] are those of a row */
};

/* y in cells */
NT_INLINE double row_position(const struct nt_strip *strip, int row)
{
    const struct nt_octave_axis *lattice = &strip->octave->axis[1];

    return strip->y[row] * lattice->frequency + lattice->offset;
}

/*
 * Whether positions rise in both directions (they don't where a tile's edge lies beyond the world's)
 * and so slowly that eight samples see at most three cells.
 */
static bool fits(const struct nt_strip *strip, const double *x, int n)
{
    double top = row_position(strip, 0), bottom = row_position(strip, strip->rows - 1);

    for (int i = 0; i < n; i++)
        if (!(x[i] <= x[i + 1] && x[i + NT_LANES - 1] - x[i] < 1.99)) /* of padding, too */
            return false;
    for (int row = 1; row < strip->rows; row++)
        if (!(row_position(strip, row - 1) <= row_position(strip, row)))
            return false;
    return x[n - 1] - x[0] + 0.5 * (bottom - top) < ROW_NODES - 4;
}

/* Skewed x of a sample: the definition, to the bit. */
NT_INLINE double across(const struct rows *rows, int i, int row)
{
    return rows->columns[i] + 0.5 * row_position(rows->strip, rows->first_row + row);
}

/* Shared places reach up to two cells beyond the last sample. */
static void lay_out_nodes(struct rows *rows)
{
    int64_t first = nt_cell_of(across(rows, 0, 0)).cell;
    int64_t last = nt_cell_of(across(rows, rows->n - 1, rows->count - 1)).cell;

    rows->node_cell = first;
    rows->nodes = (int)(last - first) + 4;
    rows->node_row[0].known = rows->node_row[1].known = false;
}

/* Takes eight places apart. */
NT_INLINE void take_apart(const struct rows *rows, struct d8 p, f8 *fraction, i8 *cell)
{
    const double to_bits = NT_TO_WHOLE - (double)rows->node_cell;
    f4 part[2];
    l4 bits[2];

    for (int h = 0; h < 2; h++) {
        d4 whole = floor_d4(p.half[h]);
        part[h] = __builtin_convertvector(p.half[h] - whole, f4);
        bits[h] = (l4)(whole + to_bits);
    }
    *fraction = join_f4(part[0], part[1]);
    *cell = narrow_l4(bits[0], bits[1]);
}

static void locate_row(struct rows *rows, int row)
{
    const double half_y = 0.5 * row_position(rows->strip, rows->first_row + row);
    struct places *places = &rows->places[0];

    for (int i = 0; i < rows->n; i += NT_LANES) {
        struct d8 p = load_d8(rows->columns + i);
        f8 fraction;
        i8 cell;
        for (int h = 0; h < 2; h++)
            p.half[h] += half_y;
        take_apart(rows, p, &fraction, &cell);
        store_f8(places->fraction + i, fraction);
        store_i8(places->cell + i, cell);
    }
}

/*
 * A tile's columns and rows are equally far apart, so all samples with the same i + j / 2 have one
 * place, which is taken apart once for all these rows, instead of twenty operations in doubles for
 * each eight samples:
 *
 *     x[i] + y[j] / 2 = x[0] + y[0] / 2 + (i + j / 2) step
 *
 * but for errors. With u = 2^-53 times the size of positions (the largest |x| + the largest |y|),
 * the formula misses x[i] by at most 7 u (4 are allowed, 3 rounded off in looking), y[j] / 2 by
 * half of that, and sums are rounded off by less than 7 u on both sides: real places are within 32 u
 * of the formula's. Cells and fractions, rounded as they are, never fall while a place rises. So
 * where they are the same 32 u before and 32 u behind, they are those of all samples there; where
 * they aren't (one place in many thousands near the origin), each row looks for itself. With more
 * than DOUBTS_MOST, that would be the dearer way: some 2^14 cells from the origin on.
 */
static const double tolerance = 4 * 0x1p-53, doubt = 32 * 0x1p-53;

static bool is_even(const double *x, int n, double step, double off)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i] - (x[0] + i * step)) <= off))
            return false;
    return true;
}

/* Places from `first` on, `step` apart; false: too many are in doubt. */
static bool lay_out_places(const struct rows *rows, struct places *places, double first,
                           double step, double off)
{
    d4 index = {0.0, 1.0, 2.0, 3.0};
    int n = (rows->n + NT_LANES - 1) / NT_LANES * NT_LANES + rows->count / 2;

    places->doubts = 0;
    for (int m = 0; m < n; m += NT_LANES) {
        struct d8 before, behind;
        f8 fraction, other;
        i8 cell, other_cell;
        for (int h = 0; h < 2; h++, index += 4.0) {
            d4 p = first + index * step;
            before.half[h] = p - off;
            behind.half[h] = p + off;
        }
        take_apart(rows, before, &fraction, &cell);
        take_apart(rows, behind, &other, &other_cell);
        store_f8(places->fraction + m, fraction);
        store_i8(places->cell + m, cell);
        unsigned differ = nonzero_u8(((u8)fraction ^ (u8)other) | (u8)(cell ^ other_cell));
        for (; differ; differ &= differ - 1) {
            if (places->doubts == DOUBTS_MOST)
                return false;
            places->doubtful[places->doubts++] = m + __builtin_ctz(differ);
        }
    }
    return true;
}

static bool share_places(struct rows *rows)
{
    const double *x = rows->columns;
    double y[ROWS_MOST];
    int n = rows->n, count = rows->count;

    if (n < NT_LANES)
        return false;
    for (int row = 0; row < count; row++)
        y[row] = row_position(rows->strip, rows->first_row + row);
    double step = (x[n - 1] - x[0]) / (n - 1);
    double size = fmax(fabs(x[0]), fabs(x[n - 1])) + fmax(fabs(y[0]), fabs(y[count - 1]));
    if (!is_even(x, n, step, tolerance * size) || !is_even(y, count, step, tolerance * size))
        return false;
    for (int odd = 0; odd < 2; odd++)
        if (!lay_out_places(rows, &rows->places[odd], x[0] + 0.5 * (y[0] + odd * step), step,
                            doubt * size))
            return false;
    return true;
}

/* The row's places are those from the returned one on. */
static int locate(struct rows *rows, int row)
{
    struct places *places = &rows->places[row & 1];

    if (!rows->shared) {
        locate_row(rows, row);
        return 0;
    }
    for (int d = 0; d < places->doubts; d++) {
        int m = places->doubtful[d], i = m - row / 2;
        if (0 <= i && i < rows->n) {
            struct nt_cell_place place = nt_cell_of(across(rows, i, row));
            places->fraction[m] = place.fraction;
            places->cell[m] = (int32_t)(place.cell - rows->node_cell);
        }
    }
    return row / 2;
}

static struct node_row *node_row_of(struct rows *rows, int64_t j)
{
    const struct nt_octave_axis *axis = rows->strip->octave->axis;
    struct node_row *nodes = &rows->node_row[j & 1];
    int64_t period = axis[1].period, turns;

    if (nodes->known && nodes->j == j)
        return nodes;
    turns = period > 0 ? j / period - (j % period < 0) : 0;
    struct nt_run_hash hash = nt_run_hash_make(&axis[0], rows->node_cell - turns * (period / 2), 0);
    for (int i = 0; i < rows->nodes; i += NT_LANES) {
        f8 g[2];
        nt_gradient_2(nt_node_hash(nt_run_hash(&hash, i + (i8){0, 1, 2, 3, 4, 5, 6, 7}) +
                                   nt_axis_hash(&axis[1], j)),
                      g);
        store_f8(nodes->x + i, g[0]);
        store_f8(nodes->y + i, g[1]);
    }
    nodes->known = true;
    nodes->j = j;
    return nodes;
}

/* What the nodes north (v away) and south (v - 1 away) are to a row. */
static void see_nodes(struct rows *rows, struct node_row *north, struct node_row *south, float v)
{
    for (int i = 0; i < rows->nodes; i += NT_LANES) {
        store_f8(north->rise + i, load_f8(north->y + i) * v);
        store_f8(south->rise + i, load_f8(south->y + i) * (v - 1.0f));
    }
    for (int i = 0; i < rows->nodes; i += NT_LANES) {
        store_pairs_f8(rows->middle_x + 2 * i, load_f8(south->x + i), load_f8(north->x + i + 1));
        store_pairs_f8(rows->middle_rise + 2 * i, load_f8(south->rise + i),
                       load_f8(north->rise + i + 1));
    }
}

/* kernel_2 of a node x away, with the square of the way's y and its product with the gradient's. */
NT_INLINE f8 kernel_on_row(f8 x, f8 yy, f8 g, f8 rise)
{
    f8 w = positive_f8(0.8f - (x * x + yy)), ww = w * w;

    return ww * ww * (g * x + rise);
}

/* Eight samples: fractions u, and cells from the node `from` on. */
NT_INLINE f8 value_on_row(const struct rows *rows, const struct node_row *north,
                          const struct node_row *south, int from, f8 u, float v, i8 step)
{
    const f8 middle_from = {-0.5f, 1.0f, -0.5f, 1.0f, -0.5f, 1.0f, -0.5f, 1.0f};
    f8 x = u - 0.5f * v, yy = splat_f8(v * v), southern = splat_f8((v - 1.0f) * (v - 1.0f)), sum;
    i8 right = (i8)above_f8(u, splat_f8(v)), middle = step + step - right;
    u8 odd = (u8)(i8){0, -1, 0, -1, 0, -1, 0, -1};

    sum = kernel_on_row(x, yy, pick_f8(north->x + from, step), pick_f8(north->rise + from, step));
    sum += kernel_on_row(
        x - permute_f8(middle_from, middle), permute_f8(select_f8(odd, yy, southern), middle),
        pick_f8(rows->middle_x + 2 * from, middle), pick_f8(rows->middle_rise + 2 * from, middle));
    sum += kernel_on_row(x - 0.5f, southern, pick_f8(south->x + from + 1, step),
                         pick_f8(south->rise + from + 1, step));
    return sum;
}

static void add_one_row(struct rows *rows, int row)
{
    const struct nt_strip *strip = rows->strip;
    struct nt_cell_place down = nt_cell_of(row_position(strip, rows->first_row + row));
    struct node_row *north = node_row_of(rows, down.cell),
                    *south = node_row_of(rows, down.cell + 1);
    const struct places *places = &rows->places[rows->shared ? row & 1 : 0];
    int first = locate(rows, row);
    struct nt_row_sum sum;

    nt_row_sum_begin(&sum,
                     strip->sum + (rows->first_row + row) * strip->columns + rows->first_column,
                     (size_t)rows->n);
    see_nodes(rows, north, south, down.fraction);
    for (int i = 0; i < rows->n; i += NT_LANES) {
        const int32_t *cell = places->cell + first + i;
        f8 value = value_on_row(rows, north, south, *cell, load_f8(places->fraction + first + i),
                                down.fraction, load_i8(cell) - *cell);
        nt_row_sum_add(&sum, (size_t)i, value * scale_2 * strip->gain);
    }
    nt_row_sum_end(&sum);
}

static bool add_rows_2(const struct nt_strip *strip, const double *columns, int first, int n)
{
    struct rows rows; /* large, so nothing is cleared */

    if (!fits(strip, columns, n))
        return false;
    rows.strip = strip;
    rows.columns = columns;
    rows.first_column = first;
    rows.n = n;
    for (rows.first_row = 0; rows.first_row < strip->rows; rows.first_row += ROWS_MOST) {
        rows.count = strip->rows - rows.first_row;
        rows.count = rows.count < ROWS_MOST ? rows.count : ROWS_MOST;
        lay_out_nodes(&rows);
        rows.shared = share_places(&rows);
        for (int row = 0; row < rows.count; row++)
            add_one_row(&rows, row);
    }
    return true;
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

/* The order of the fractions decides which of a cell's six tetrahedra: x > y, x > z, y > z. */
NT_INLINE void order_3(const f8 f[3], i8 over[3])
{
    over[0] = (i8)above_f8(f[0], f[1]);
    over[1] = (i8)above_f8(f[0], f[2]);
    over[2] = (i8)above_f8(f[1], f[2]);
}

NT_INLINE i8 which_3(const f8 f[3])
{
    i8 over[3];

    order_3(f, over);
    return (over[0] & 1) | (over[1] & 2) | (over[2] & 4);
}

/* From the first node to the second along the axis of the largest fraction, to the third along that
 * of the smallest but one: all ones for the axes along which a node is one step on. */
NT_INLINE void steps_3(const i8 over[3], i8 step[4][3])
{
    i8 x_over_y = over[0], x_over_z = over[1], y_over_z = over[2];

    for (int axis = 0; axis < 3; axis++) {
        step[0][axis] = splat_i8(0);
        step[3][axis] = splat_i8(-1);
    }
    step[1][0] = x_over_y & x_over_z;
    step[1][1] = ~x_over_y & y_over_z;
    step[1][2] = ~x_over_z & ~y_over_z;
    step[2][0] = x_over_y | x_over_z;
    step[2][1] = ~x_over_y | y_over_z;
    step[2][2] = ~x_over_z | ~y_over_z;
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
        i8 which = load_i8(runs->run_cell[3] + r), step[4][3];
        const i8 over[3] = {-(which & 1), -(which >> 1 & 1), -(which >> 2 & 1)};
        steps_3(over, step);
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
    i8 over[3], step[4][3];
    f8 skewed[3];

    order_3(fraction, over);
    steps_3(over, step);
    for (int axis = 0; axis < 3; axis++) {
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
#define ROWS add_rows_2
#include "core/noise/run_kind.h"

#define KIND nt_simplex_space
#define DIMS 3
#include "core/noise/run_kind.h"
