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
 * Next: cellular_near.h for what is computed; cellular_block.h and cellular_lanes.h for how few of
 * the cells within reach it takes.
 */
#include "core/noise/cellular_block.h"
#include "core/noise/cellular_lanes.h"

/* ---- Grid form ------------------------------------------------------------------------------- */

/* Samples of one cell that make up for choosing points for them. */
enum { COLUMNS_WORTH_CHOOSING = 12, SAMPLES_WORTH_CHOOSING = 16 };

/* A band on its way through the grid form. */
struct sheet {
    struct octave octave;
    const struct nt_axis *x, *y;
    int row; /* of y's positions, the first of eight */
    float *sum;
    struct nt_cell_place slice;
    uint32_t slice_hash[WIDTH];
};

NT_INLINE void find_slice(struct sheet *sheet, const struct nt_octave *octave)
{
    const struct nt_octave_axis *z = &octave->axis[2];

    sheet->slice = nt_cell_of(0.0 * z->frequency + z->offset);
    for (int k = 0; k < WIDTH; k++)
        sheet->slice_hash[k] = nt_axis_hash(z, sheet->slice.cell + k - REACH);
}

NT_INLINE void add(const struct octave *octave, const struct nearest *nearest, int cell, float *sum)
{
    store_f8(sum, load_f8(sum) + result(octave, nearest, cell) * octave->gain);
}

static void bounds_of(const float *fraction, int n, float *low, float *high)
{
    *low = *high = fraction[0];
    for (int i = 1; i < n; i++) {
        *low = fraction[i] < *low ? fraction[i] : *low;
        *high = fraction[i] > *high ? fraction[i] : *high;
    }
}

/* Columns from i on, all in one cell, and eight rows in one cell. */
NT_INLINE void add_block(const struct sheet *sheet, int i, int columns, int dims, int cell)
{
    const struct nt_axis *x = sheet->x, *y = sheet->y;
    float *sum = sheet->sum + (size_t)i * NT_LANES;
    struct squares squares;
    struct points points;
    struct hashes hashes;
    struct box box;

    memcpy(hashes.axis[0], x->hash + x->slot[i], sizeof hashes.axis[0]);
    memcpy(hashes.axis[1], y->hash + y->slot[sheet->row], sizeof hashes.axis[1]);
    memcpy(hashes.axis[2], sheet->slice_hash, sizeof sheet->slice_hash);
    bounds_of(x->fraction + i, columns, &box.low[0], &box.high[0]);
    bounds_of(y->fraction + sheet->row, NT_LANES, &box.low[1], &box.high[1]);
    box.low[2] = box.high[2] = sheet->slice.fraction;
    choose_points(&points, &sheet->octave, &hashes, &box, dims, cell);
    square_ways(&squares, &points, x->fraction + i, columns, load_f8(y->fraction + sheet->row),
                sheet->slice.fraction, dims);
    for (int q = 0; q < columns; q += AT_ONCE) {
        struct nearest nearest[AT_ONCE];
        search_columns(nearest, &squares, points.n, q, dims, cell);
        for (int k = 0; k < AT_ONCE && q + k < columns; k++)
            add(&sheet->octave, &nearest[k], cell, sum + (q + k) * NT_LANES);
    }
}

NT_INLINE void look_at_rows(const struct sheet *sheet, struct rows8 *rows, int dims)
{
    const struct nt_axis *y = sheet->y;
    struct around *around = &rows->around;

    around->fraction[1] = load_f8(y->fraction + sheet->row);
    around->fraction[2] = splat_f8(sheet->slice.fraction);
    for (int j = 0; j < WIDTH; j++) {
        for (int k = 0; k < NT_LANES; k++)
            around->hash[1][j][k] = y->hash[y->slot[sheet->row + k] + j];
        around->hash[2][j] = splat_u8(sheet->slice_hash[j]);
    }
    rows->limit = outer_limit(&sheet->octave, around->fraction + 1, dims - 1);
}

/* One column of samples, where the cells next to it do not decide. */
NT_INLINE struct nearest search_further(const struct sheet *sheet, struct rows8 *rows, int i,
                                        f8 limit, int dims, int cell)
{
    rows->around.fraction[0] = splat_f8(sheet->x->fraction[i]);
    for (int k = 0; k < WIDTH; k++)
        rows->around.hash[0][k] = splat_u8(sheet->x->hash[sheet->x->slot[i] + k]);
    return search_all(&sheet->octave, &rows->around, limit, dims, cell);
}

/* Columns of cells, kept for the cells that follow. */
struct columns {
    struct column held[INNER + 1];
};

NT_INLINE const struct column *column_of(struct columns *columns, const struct sheet *sheet,
                                         const struct rows8 *rows, int node, int dims)
{
    struct column *column = &columns->held[node % (INNER + 1)];

    if (column->node != node)
        make_column(column, &sheet->octave, rows, sheet->x->hash[node], dims);
    column->node = node;
    return column;
}

/* Columns from i on, all in one cell; the eight rows in any. */
NT_INLINE void add_cell(const struct sheet *sheet, struct rows8 *rows, struct columns *columns,
                        int i, int n, int dims, int cell)
{
    const struct column *column[INNER];
    struct next_to points;

    for (int k = 0; k < INNER; k++)
        column[k] = column_of(columns, sheet, rows, sheet->x->slot[i] + REACH - 1 + k, dims);
    gather_next_to(&points, column, dims);
    for (int end = i + n; i < end; i++) {
        f8 u = splat_f8(sheet->x->fraction[i]);
        struct nearest nearest = search_next_to(&points, u, dims, cell);
        f8 limit = furthest(&nearest, cell);
        if (any_u8((u8)(limit >= min_f8(rows->limit, outer_square(&sheet->octave, u)))))
            nearest = search_further(sheet, rows, i, limit, dims, cell);
        add(&sheet->octave, &nearest, cell, sheet->sum + (size_t)i * NT_LANES);
    }
}

NT_INLINE void add_rows(const struct sheet *sheet, int dims, int cell)
{
    const struct nt_axis *x = sheet->x, *y = sheet->y;
    bool one_cell = y->slot[sheet->row] == y->slot[sheet->row + NT_LANES - 1];
    struct columns columns;
    struct rows8 rows;

    look_at_rows(sheet, &rows, dims);
    for (int k = 0; k < INNER + 1; k++)
        columns.held[k].node = -1;
    for (int i = 0, n; i < x->count; i += n) {
        for (n = 1; i + n < x->count && x->slot[i + n] == x->slot[i] && n < BLOCK_COLUMNS;)
            n++;
        if (one_cell && n >= COLUMNS_WORTH_CHOOSING)
            add_block(sheet, i, n, dims, cell);
        else
            add_cell(sheet, &rows, &columns, i, n, dims, cell);
    }
}

NT_INLINE void grid(const struct nt_band *band, int dims, int cell)
{
    struct sheet sheet = {
        .octave = octave_of(band->octave, band->gain, dims), .x = band->x, .y = band->y};

    if (dims == 3)
        find_slice(&sheet, band->octave);
    for (int r = 0; r < band->rows; r += NT_LANES) {
        sheet.row = band->first + r;
        sheet.sum = band->sum + (size_t)r * (size_t)band->x->count;
        add_rows(&sheet, dims, cell);
    }
}

/* ---- Scatter form ---------------------------------------------------------------------------- */

enum { PIECE = 256 };

/* Some samples, located. */
struct located {
    int64_t cell[NT_AXES][PIECE];
    float fraction[NT_AXES][PIECE + NT_LANES];
};

static void locate(const struct nt_scatter *points, size_t first, int n, int dims,
                   struct located *at)
{
    for (int axis = 0; axis < dims; axis++) {
        const struct nt_octave_axis *lattice = &points->octave->axis[axis];
        for (int i = 0; i < n; i++) {
            struct nt_cell_place place = nt_cell_of(
                points->place[axis][first + (size_t)i] * lattice->frequency + lattice->offset);
            at->cell[axis][i] = place.cell;
            at->fraction[axis][i] = place.fraction;
        }
        for (int i = n; i < n + NT_LANES; i++) /* spare lanes repeat the last sample */
            at->fraction[axis][i] = at->fraction[axis][n - 1];
    }
}

NT_INLINE bool same_cell(const struct located *at, int a, int b, int dims)
{
    return at->cell[0][a] == at->cell[0][b] && at->cell[1][a] == at->cell[1][b] &&
           (dims == 2 || at->cell[2][a] == at->cell[2][b]);
}

NT_INLINE void add_lanes(const struct octave *octave, const struct nearest *nearest, int lanes,
                         int cell, float *sum)
{
    f8 noise = result(octave, nearest, cell) * octave->gain;

    for (int k = 0; k < lanes && k < NT_LANES; k++)
        sum[k] += noise[k];
}

/* Samples from i on, all in one cell. */
NT_INLINE void add_run(const struct octave *octave, const struct nt_octave *plan,
                       const struct located *at, int i, int n, float *sum, int dims, int cell)
{
    struct points points;
    struct hashes hashes;
    struct box box;

    for (int axis = 0; axis < dims; axis++) {
        bounds_of(at->fraction[axis] + i, n, &box.low[axis], &box.high[axis]);
        for (int k = 0; k < WIDTH; k++)
            hashes.axis[axis][k] = nt_axis_hash(&plan->axis[axis], at->cell[axis][i] + k - REACH);
    }
    memset(hashes.axis[0] + WIDTH, 0, (NT_LANES - WIDTH) * sizeof(uint32_t));
    choose_points(&points, octave, &hashes, &box, dims, cell);
    for (int k = 0; k < n; k += NT_LANES) {
        f8 fraction[NT_AXES];
        for (int axis = 0; axis < dims; axis++)
            fraction[axis] = load_f8(at->fraction[axis] + i + k);
        struct nearest nearest = search_points(&points, fraction, dims, cell);
        add_lanes(octave, &nearest, n - k, cell, sum + k);
    }
}

/* Eight samples from i on, or the `n` that there are. */
NT_INLINE void add_eight(const struct octave *octave, const struct nt_octave *plan,
                         const struct located *at, int i, int n, float *sum, int dims, int cell)
{
    struct around around;
    struct nearest nearest;

    for (int axis = 0; axis < dims; axis++) {
        uint32_t hash[WIDTH][NT_LANES];
        for (int k = 0; k < NT_LANES; k++) {
            const int64_t *here = &at->cell[axis][i + (k < n ? k : n - 1)];
            bool known = k > 0 && (k >= n || here[0] == here[-1]);
            for (int j = 0; j < WIDTH; j++)
                hash[j][k] =
                    known ? hash[j][k - 1] : nt_axis_hash(&plan->axis[axis], *here + j - REACH);
        }
        for (int j = 0; j < WIDTH; j++)
            around.hash[axis][j] = load_u8(hash[j]);
        around.fraction[axis] = load_f8(at->fraction[axis] + i);
    }
    nearest = search(octave, &around, dims, cell);
    add_lanes(octave, &nearest, n, cell, sum);
}

NT_INLINE void scatter(const struct nt_scatter *points, int dims, int cell)
{
    struct octave octave = octave_of(points->octave, points->gain, dims);
    struct located at;

    for (size_t first = 0; first < points->n; first += PIECE) {
        int n = points->n - first < PIECE ? (int)(points->n - first) : PIECE;
        float *sum = points->sum + first;
        locate(points, first, n, dims, &at);
        for (int i = 0, length; i < n; i += length) {
            for (length = 1; i + length < n && same_cell(&at, i, i + length, dims);)
                length++;
            if (length >= SAMPLES_WORTH_CHOOSING) {
                add_run(&octave, points->octave, &at, i, length, sum + i, dims, cell);
                continue;
            }
            length = n - i < NT_LANES ? n - i : NT_LANES;
            add_eight(&octave, points->octave, &at, i, length, sum + i, dims, cell);
        }
    }
}

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

/* One instance for each number of dimensions and each result. */
#define BY_CELL(form, argument, dims)        \
    switch ((argument)->octave->cell) {      \
    case NT_CELL_F1:                         \
        form(argument, dims, NT_CELL_F1);    \
        break;                               \
    case NT_CELL_F2:                         \
        form(argument, dims, NT_CELL_F2);    \
        break;                               \
    case NT_CELL_F2_F1:                      \
        form(argument, dims, NT_CELL_F2_F1); \
        break;                               \
    default:                                 \
        form(argument, dims, NT_CELL_VALUE); \
    }

static void grid_2(const struct nt_band *band)
{
    BY_CELL(grid, band, 2)
}

static void grid_3(const struct nt_band *band)
{
    BY_CELL(grid, band, 3)
}

static void scatter_2(const struct nt_scatter *points)
{
    BY_CELL(scatter, points, 2)
}

static void scatter_3(const struct nt_scatter *points)
{
    BY_CELL(scatter, points, 3)
}

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
