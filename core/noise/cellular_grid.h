/*
 * cellular_grid.h - cellular noise on the rows and columns of a tile. The eight lanes of a vector
 * are eight rows. Where these and a number of columns lie in one cell, points are chosen for them
 * (cellular_block.h); elsewhere the points next to a cell are made once for its columns.
 */
#ifndef NT_CELLULAR_GRID_H
#define NT_CELLULAR_GRID_H

#include "core/noise/cellular_block.h"

/* ---- Columns and eight rows ------------------------------------------------------------------ */

enum { BLOCK_COLUMNS = 32, AT_ONCE = 4 };

/* Squares of the ways from columns, rows and slice to the chosen points. */
struct squares {
    float x[POINTS][BLOCK_COLUMNS];
    f8 y[POINTS];
    float z[POINTS];
    uint32_t bits[POINTS];
};

NT_INLINE void square_ways(struct squares *squares, const struct points *points, const float *u,
                           int columns, f8 v, float w, int dims)
{
    for (int c = 0; c < points->n; c++) {
        int p = points->chosen[c];
        f8 y = v - points->at[1][p];
        for (int i = 0; i < columns; i += NT_LANES) {
            f8 x = load_f8(u + i) - points->at[0][p];
            store_f8(squares->x[c] + i, x * x);
        }
        squares->y[c] = y * y;
        if (dims == 3) {
            float z = w - points->at[2][p];
            squares->z[c] = z * z;
        }
        squares->bits[c] = points->bits[p];
    }
}

/* AT_ONCE columns from i on: so many do not wait for each other's minima. */
NT_INLINE void search_columns(struct nearest nearest[AT_ONCE], const struct squares *squares, int n,
                              int i, int dims, int cell)
{
    for (int q = 0; q < AT_ONCE; q++)
        nearest[q] = nothing_near();
    for (int c = 0; c < n; c++)
        for (int q = 0; q < AT_ONCE; q++) {
            f8 square = squares->x[c][i + q] + squares->y[c];
            if (dims == 3)
                square = square + squares->z[c];
            consider(&nearest[q], square, splat_u8(squares->bits[c]), cell);
        }
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
            if (dims == 3)
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

/* ---- Grid form ------------------------------------------------------------------------------- */

/* Samples of one cell that make up for choosing points for them. */
enum { COLUMNS_WORTH_CHOOSING = 12 };

/* A band on its way through the grid form. */
struct sheet {
    struct octave octave;
    const struct nt_axis *x, *y;
    int row; /* of y's positions, the first of eight */
    float *sum;
    struct nt_cell_place slice;
    uint32_t slice_hash[NT_LANES]; /* the first WIDTH are in use */
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

/* Columns from i on, all in one cell, and eight rows in one cell. */
NT_INLINE void add_block(const struct sheet *sheet, int i, int columns, int dims, int cell)
{
    const struct nt_axis *x = sheet->x, *y = sheet->y;
    float *sum = sheet->sum + (size_t)i * NT_LANES;
    struct squares squares;
    struct points points;
    struct hashes hashes = {{{0}}};
    struct box box;

    store_u8(hashes.axis[0], load_u8(x->hash + x->slot[i]));
    store_u8(hashes.axis[1], load_u8(y->hash + y->slot[sheet->row]));
    store_u8(hashes.axis[2], load_u8(sheet->slice_hash));
    bounds_of(x->fraction, i, i + columns, &box.low[0], &box.high[0]);
    bounds_of(y->fraction, sheet->row, sheet->row + NT_LANES, &box.low[1], &box.high[1]);
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
    rows->limit = inner_limit(&sheet->octave, around->fraction + 1, dims - 1);
}

/* One column of samples, where the cells next to it do not decide. */
NT_INLINE struct nearest search_column(const struct sheet *sheet, struct rows8 *rows, int i,
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
        if (!all_less(limit, smaller_f8(rows->limit, outer_square(&sheet->octave, u))))
            nearest = search_column(sheet, rows, i, limit, dims, cell);
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

#endif
