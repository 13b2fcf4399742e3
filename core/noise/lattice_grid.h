/*
 * lattice_grid.h - the grid form of lattice_kind.h, which includes it: eight rows of samples at a
 * time, from rows of nodes that all samples of a cell share; lanes are rows.
 */

/* A row of nodes: NODE_PARTS planes of `plane` floats. */
static const float *FN(node_row)(const struct nt_band *band, struct nt_node_rows *rows, int node)
{
    const struct nt_axis *x = band->x;
    size_t plane = rows->stride / NODE_PARTS;
    u8 y_hash = splat_u8(band->y->hash[node]);
    int stale;
    float *row = nt_node_row(rows, node, &stale);

    if (!stale)
        return row;
    for (int i = 0; i < x->nodes; i += NT_LANES) {
        f8 part[NODE_PARTS];
        NODE_MAKE(load_u8(x->hash + i) + y_hash, splat_u8(band->z->hash[0]),
                  splat_u8(band->z->hash[1]), splat_f8(band->z->fraction), splat_f8(band->z->fade),
                  part);
        for (size_t p = 0; p < NODE_PARTS; p++)
            store_f8(row + p * plane + i, part[p]);
    }
    return row;
}

/*
 * All node columns, as eight rows of samples from `first` on see them that lie in at most two rows
 * of cells: lanes are rows of samples, each with the nodes north and south of it. `split` tells
 * which of them lie in the second row of cells. That is the rule for cells of at least eight
 * pixels.
 */
NT_INLINE void FN(near_columns)(const struct nt_band *band, int first, const float *const node[3],
                                size_t plane, const u8 *split, float *columns)
{
    f8 v = load_f8(band->y->fraction + first), fade = load_f8(band->y->fade + first);
    f8 gain = splat_f8(band->gain * kind_scale(DIMS));
    int nodes = band->x->nodes;

    for (int i = 0; i < nodes; i++) {
        f8 north[NODE_PARTS], south[NODE_PARTS], column[COLUMN_PARTS];
        for (size_t p = 0; p < NODE_PARTS; p++) {
            size_t at = p * plane + (size_t)i;
            north[p] = splat_f8(node[0][at]);
            south[p] = splat_f8(node[1][at]);
            if (split) {
                north[p] = select_f8(*split, south[p], north[p]);
                south[p] = select_f8(*split, splat_f8(node[2][at]), south[p]);
            }
        }
        FN(column_between)(north, south, v, fade, gain, column);
        for (int p = 0; p < COLUMN_PARTS; p++)
            store_f8(columns + (i * COLUMN_PARTS + p) * NT_LANES, column[p]);
    }
}

/* Eight node columns, as any eight rows of samples see them: made row by row, then turned so that
 * lanes are rows. */
NT_INLINE void FN(make_columns)(const float *const north[NT_LANES],
                                const float *const south[NT_LANES], size_t plane, const float *v,
                                const float *fade, f8 gain, float *columns)
{
    f8 seen[COLUMN_PARTS][NT_LANES];

    for (int k = 0; k < NT_LANES; k++) {
        f8 n[NODE_PARTS], s[NODE_PARTS], column[COLUMN_PARTS];
        for (size_t p = 0; p < NODE_PARTS; p++) {
            n[p] = load_f8(north[k] + p * plane);
            s[p] = load_f8(south[k] + p * plane);
        }
        FN(column_between)(n, s, splat_f8(v[k]), splat_f8(fade[k]), gain, column);
        for (int p = 0; p < COLUMN_PARTS; p++)
            seen[p][k] = column[p];
    }
    for (int p = 0; p < COLUMN_PARTS; p++)
        transpose_f8(seen[p]);
    for (int k = 0; k < NT_LANES; k++)
        for (int p = 0; p < COLUMN_PARTS; p++)
            store_f8(columns + (k * COLUMN_PARTS + p) * NT_LANES, seen[p][k]);
}

static void FN(far_columns)(const struct nt_band *band, int first, struct nt_node_rows *rows,
                            float *columns)
{
    const struct nt_axis *y = band->y;
    size_t plane = rows->stride / NODE_PARTS;
    const float *north[NT_LANES], *south[NT_LANES];

    for (int k = 0; k < NT_LANES; k++) {
        int node = y->slot[first + k];
        north[k] = FN(node_row)(band, rows, node);
        south[k] = FN(node_row)(band, rows, node + 1);
    }
    for (int i = 0; i < band->x->nodes; i += NT_LANES) {
        FN(make_columns)
        (north, south, plane, y->fraction + first, y->fade + first,
         splat_f8(band->gain * kind_scale(DIMS)), columns + (size_t)i * COLUMN_PARTS * NT_LANES);
        for (int k = 0; k < NT_LANES; k++) {
            north[k] += NT_LANES;
            south[k] += NT_LANES;
        }
    }
}

/* All node columns for the eight rows of samples from position `first` on. */
static void FN(block_columns)(const struct nt_band *band, int first, struct nt_node_rows *rows,
                              float *columns)
{
    const int32_t *slot = band->y->slot + first;
    int top = slot[0], bottom = slot[NT_LANES - 1];
    size_t plane = rows->stride / NODE_PARTS;
    const float *node[3];
    u8 split;

    if (bottom > top + 1) {
        FN(far_columns)(band, first, rows, columns);
        return;
    }
    for (int i = 0; i < 3; i++)
        node[i] = FN(node_row)(band, rows, top + i <= bottom + 1 ? top + i : bottom + 1);
    memcpy(&split, slot, sizeof split);
    split = (u8)((i8)split > top);
    if (bottom == top)
        FN(near_columns)(band, first, node, plane, NULL, columns);
    else
        FN(near_columns)(band, first, node, plane, &split, columns);
}

/*
 * `blocks` times eight rows of samples, whose columns are `stride` floats apart. Within a cell both
 * its columns stay in registers; two blocks at once share what depends on x alone, and neither
 * waits for the other's sums. A fresh sum is 0, so it need not be stored and read: 0 is added all
 * the same, because it makes 0 of -0.
 */
NT_INLINE void FN(add_rows)(const struct nt_band *band, const float *columns, size_t stride,
                            int blocks, bool fresh, float *sum)
{
    const float *fraction = band->x->fraction, *back = band->x->back, *fade = band->x->fade;
    const int32_t *slot = band->x->slot, *end = band->x->end;
    int count = band->x->count;
    size_t next = (size_t)count * NT_LANES;

    for (int i = 0; i < count;) {
        const float *at = columns + (size_t)slot[i] * COLUMN_PARTS * NT_LANES;
        f8 west[2][COLUMN_PARTS], east[2][COLUMN_PARTS];

        for (int b = 0; b < blocks; b++)
            for (int p = 0; p < COLUMN_PARTS; p++) {
                west[b][p] = load_f8(at + (size_t)b * stride + p * NT_LANES);
                east[b][p] = load_f8(at + (size_t)b * stride + (COLUMN_PARTS + p) * NT_LANES);
            }
        for (int stop = end[i]; i < stop; i++) {
            f8 u = splat_f8(fraction[i]), u1 = splat_f8(back[i]), w = splat_f8(fade[i]), n[2];
            float *to = sum + (size_t)i * NT_LANES;
            /* All loads before all stores: blocks may lie a multiple of 4 KiB apart, and a load
             * waits for a store whose lower address bits are its own. */
            for (int b = 0; b < blocks; b++)
                n[b] = (fresh ? splat_f8(0.0f) : load_f8(to + (size_t)b * next)) +
                       between(west[b], east[b], u, u1, w);
            for (int b = 0; b < blocks; b++)
                store_f8(to + (size_t)b * next, n[b]);
        }
    }
}

/* One or two blocks of eight rows, from row r of the band on. */
NT_INLINE void FN(add_blocks)(const struct nt_band *band, int r, int blocks,
                              struct nt_node_rows *rows, size_t stride)
{
    float *columns = band->scratch, *sum = band->sum + (size_t)r * (size_t)band->x->count;

    for (int b = 0; b < blocks; b++)
        FN(block_columns)
    (band, band->first + r + b * NT_LANES, rows, columns + (size_t)b * stride);
    if (band->fresh)
        FN(add_rows)(band, columns, stride, blocks, true, sum);
    else
        FN(add_rows)(band, columns, stride, blocks, false, sum);
}

/*
 * Eight rows of samples from row r of the band on, each node made for the sample alone: for cells
 * so small that hardly two samples share a node, where rows of nodes would be made, turned and read
 * back once each.
 */
NT_INLINE void FN(add_singly)(const struct nt_band *band, int r, bool fresh)
{
    const struct nt_axis *x = band->x, *y = band->y;
    const int first = band->first + r;
    const f8 gain = splat_f8(band->gain * kind_scale(DIMS));
    f8 fraction[2] = {{0}, load_f8(y->fraction + first)}, fade[2] = {{0}, load_f8(y->fade + first)};
    float *sum = band->sum + (size_t)r * (size_t)x->count;
    uint32_t down[2][NT_LANES];
    u8 across[2];

    for (int k = 0; k < NT_LANES; k++)
        for (int c = 0; c < 2; c++)
            down[c][k] = y->hash[y->slot[first + k] + c];
    for (int i = 0; i < x->count; i++, sum += NT_LANES) {
        f8 node[4][NODE_PARTS];
        for (int c = 0; c < 2; c++)
            across[c] = splat_u8(x->hash[x->slot[i] + c]);
        for (int c = 0; c < 4; c++)
            NODE_MAKE(across[c % 2] + load_u8(down[c / 2]), splat_u8(band->z->hash[0]),
                      splat_u8(band->z->hash[1]), splat_f8(band->z->fraction),
                      splat_f8(band->z->fade), node[c]);
        fraction[0] = splat_f8(x->fraction[i]);
        fade[0] = splat_f8(x->fade[i]);
        store_f8(sum, (fresh ? splat_f8(0.0f) : load_f8(sum)) +
                          FN(cell_value)(node, fraction, fade, gain));
    }
}

static void FN(grid)(const struct nt_band *band)
{
    size_t padded = ((size_t)band->x->nodes + NT_LANES - 1) / NT_LANES * NT_LANES;
    size_t stride = padded * COLUMN_PARTS * NT_LANES;
    struct nt_node_rows rows;
    int r = 0;

    if (3 * band->x->nodes > 5 * band->x->count) { /* from there on it is cheaper */
        for (; r < band->rows; r += NT_LANES)
            FN(add_singly)(band, r, band->fresh);
        return;
    }
    nt_node_rows_init(&rows, band->scratch + 2 * stride, padded * NODE_PARTS);
    for (; r + 2 * NT_LANES <= band->rows; r += 2 * NT_LANES)
        FN(add_blocks)(band, r, 2, &rows, stride);
    if (r < band->rows)
        FN(add_blocks)(band, r, 1, &rows, stride);
}
