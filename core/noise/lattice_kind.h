/*
 * lattice_kind.h - the grid and scatter forms of a kind whose value in a cell is a blend of its
 * nodes. Included by a kind's file once for each number of dimensions, with these defined:
 *
 *   KIND          name of the exported kernel
 *   DIMS          2 or 3
 *   NODE_PARTS    numbers that a node column of one slice holds
 *   SIDE_PARTS    numbers that a cell's west or east side holds: of two node columns
 *   COLUMN_PARTS  numbers that a row of samples sees of a side
 *
 *   node_make_2   random bits -> NODE_PARTS numbers
 *   node_end_3    in three dimensions, the same for one of the two nodes of a column, and
 *   node_blend_3  the numbers below and above, with the fraction between them and its fade -> those
 *                 of their blend: all that a slice needs; it costs a sample what the plane does
 *   node_worst    the same for the nodes that make the largest value at a place; `way` leads there
 *   side_make     the nodes north and south -> SIDE_PARTS numbers
 *   column_make   a side, the way south from its northern end and the fade -> COLUMN_PARTS numbers
 *   between       the columns west and east of a sample -> its value; takes the ways from both
 *                 (u and u - 1) and the fade
 *   kind_scale    scales the value's bound to 1
 *
 * Both forms are made of these and nothing else, hence equal to the bit.
 */

#include "core/noise/runs.h"

#define FN_PASTE_(name, dims) name##_##dims
#define FN_PASTE(name, dims)  FN_PASTE_(name, dims)
#define FN(name)              FN_PASTE(name, DIMS)

/* Bits of the node (or of the two nodes, below and above) where x and y hashes sum to `xy`. */
#if DIMS == 2
#define NODE_MAKE(xy, z0, z1, w, fade_w, parts) node_make_2(nt_node_hash(xy), parts)
#else
NT_INLINE void node_make_3(u8 below, u8 above, f8 w, f8 fade, f8 parts[NODE_PARTS])
{
    f8 lower[NODE_PARTS], upper[NODE_PARTS];

    node_end_3(below, lower);
    node_end_3(above, upper);
    node_blend_3(lower, upper, w, fade, parts);
}

#define NODE_MAKE(xy, z0, z1, w, fade_w, parts) \
    node_make_3(nt_node_hash((xy) + (z0)), nt_node_hash((xy) + (z1)), w, fade_w, parts)
#endif

/* What a row of samples sees of the nodes north and south of it. */
NT_INLINE void FN(column_between)(const f8 north[NODE_PARTS], const f8 south[NODE_PARTS], f8 v,
                                  f8 fade, f8 gain, f8 column[COLUMN_PARTS])
{
    f8 side[SIDE_PARTS];

    FN(side_make)(north, south, side);
    FN(column_make)(side, v, fade, gain, column);
}

/* The value of eight samples between a western and an eastern side. */
NT_INLINE f8 FN(value_between)(f8 side[2][SIDE_PARTS], const f8 *fraction, const f8 *fade, f8 gain)
{
    f8 column[2][COLUMN_PARTS];

    for (int s = 0; s < 2; s++)
        FN(column_make)(side[s], fraction[1], fade[1], gain, column[s]);
    return between(column[0], column[1], fraction[0], fraction[0] - 1.0f, fade[0]);
}

/* The same of nodes north-west, north-east, south-west, south-east. */
NT_INLINE f8 FN(cell_value)(f8 node[4][NODE_PARTS], const f8 *fraction, const f8 *fade, f8 gain)
{
    f8 side[2][SIDE_PARTS];

    for (int s = 0; s < 2; s++)
        FN(side_make)(node[s], node[2 + s], side[s]);
    return FN(value_between)(side, fraction, fade, gain);
}

/* ---- Grid form ------------------------------------------------------------------------------- */

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

/* ---- Scatter form ---------------------------------------------------------------------------- */

/* Where eight samples lie: fractions, fades and hashes of their nodes. Arrays, so that lanes are
 * filled one by one. */
struct FN(located) {
    float fraction[DIMS][NT_LANES], fade[DIMS][NT_LANES];
    uint32_t hash[DIMS][2][NT_LANES];
};

/* Samples i to i + n, n <= 8; spare lanes repeat the last. */
static void FN(locate)(const struct nt_scatter *points, size_t i, size_t n, struct FN(located) * at)
{
    for (int axis = 0; axis < DIMS; axis++) {
        for (size_t k = 0; k < NT_LANES; k++) {
            double world = points->place[axis][i + (k < n ? k : n - 1)];
            struct nt_point p = nt_axis_point(points->octave, axis, world);
            at->fraction[axis][k] = p.fraction;
            at->fade[axis][k] = p.fade;
            at->hash[axis][0][k] = p.hash[0];
            at->hash[axis][1][k] = p.hash[1];
        }
    }
}

static f8 FN(scatter_block)(const struct nt_scatter *points, size_t i, size_t n)
{
    f8 fraction[DIMS], fade[DIMS], node[4][NODE_PARTS];
    struct FN(located) at;

    FN(locate)(points, i, n, &at);
    for (int axis = 0; axis < DIMS; axis++) {
        fraction[axis] = load_f8(at.fraction[axis]);
        fade[axis] = load_f8(at.fade[axis]);
    }
    for (int c = 0; c < 4; c++)
        NODE_MAKE(load_u8(at.hash[0][c % 2]) + load_u8(at.hash[1][c / 2]),
                  load_u8(at.hash[DIMS - 1][0]), load_u8(at.hash[DIMS - 1][1]), fraction[DIMS - 1],
                  fade[DIMS - 1], node[c]);
    return FN(cell_value)(node, fraction, fade, splat_f8(points->gain * kind_scale(DIMS)));
}

/* One block after the other: for places too far apart to have anything in common. */
static void FN(scatter_blocks)(const struct nt_scatter *points, size_t first, size_t end)
{
    for (size_t i = first; i < end; i += NT_LANES) {
        size_t lanes = end - i < NT_LANES ? end - i : NT_LANES;
        f8 noise = FN(scatter_block)(points, i, lanes);
        for (size_t k = 0; k < lanes; k++)
            points->sum[i + k] += noise[k];
    }
}

/* ---- Scatter form, by runs ------------------------------------------------------------------- */

/* Numbers of the runs' nodes: those at the columns' lower ends, then those at the upper ones. */
typedef float FN(nodes)[(DIMS == 2 ? 4 : 8) * NODE_PARTS][NT_RUNS_PADDED];

/* Numbers of the sides of the runs' cells. */
typedef float FN(sides)[2 * SIDE_PARTS][NT_RUNS_PADDED];

/* Finds the runs of samples first to end - 1; false: they are too far apart. */
NT_INLINE bool FN(find_runs)(const struct nt_scatter *points, int axes, size_t first, size_t end,
                             struct nt_runs *runs)
{
    const size_t n = end - first;
    struct nt_whole_cells cells;
    size_t i = 0;

    runs->samples = (int)n;
    do {
        for (int axis = 0; axis < axes; axis++) {
            const struct nt_octave_axis *lattice = &points->octave->axis[axis];
            struct d8 at = nt_runs_places(points->place[axis] + first, i, n);
            for (int h = 0; h < 2; h++)
                at.half[h] = at.half[h] * lattice->frequency + lattice->offset;
            nt_runs_split(runs, &cells, axis, i, at);
        }
        i += NT_LANES;
    } while (i < n);
    return nt_runs_find_whole(runs, &cells, axes);
}

/* Hashes of eight runs' nodes along the axes: of the lower and the upper side of their cells. */
struct FN(run_hashes) {
    struct nt_run_hash axis[DIMS];
    u8 side[DIMS][2];
};

NT_INLINE void FN(hash_axes)(const struct nt_octave *octave, const struct nt_runs *runs, int axes,
                             struct FN(run_hashes) * hashes)
{
    for (int axis = 0; axis < axes; axis++)
        hashes->axis[axis] =
            nt_run_hash_make(&octave->axis[axis], runs->base[axis], runs->run_cell[axis][0]);
}

NT_INLINE void FN(hash_runs)(const struct nt_runs *runs, int axes, int run,
                             struct FN(run_hashes) * hashes)
{
    for (int axis = 0; axis < axes; axis++) {
        i8 cell = load_i8(runs->run_cell[axis] + run);
        hashes->side[axis][0] = nt_run_hash(&hashes->axis[axis], cell);
        hashes->side[axis][1] = nt_run_hash(&hashes->axis[axis], cell + 1);
    }
}

/*
 * The nodes of runs, kept from one row of samples to the next: its runs have mostly the same cells,
 * in the same places of the list.
 */
struct FN(kept) {
    FN(nodes) nodes;
    int32_t cell[DIMS][NT_RUNS_PADDED]; /* of the runs, counted from base */
    int64_t base[DIMS];
    uint32_t z[2]; /* the hashes of a level; without, 0 */
    int runs;      /* so many are known */
} __attribute__((aligned(64)));

/* Whether the nodes of eight runs are known; notes that they will be. */
NT_INLINE bool FN(knows)(struct FN(kept) * kept, const struct nt_runs *runs, int axes, int run)
{
    i8 differs = {0};

    for (int axis = 0; axis < axes; axis++) {
        i8 cell = load_i8(runs->run_cell[axis] + run);
        differs |= cell ^ load_i8(kept->cell[axis] + run);
        store_i8(kept->cell[axis] + run, cell);
    }
    if (run < kept->runs)
        return nonzero_u8((u8)differs) == 0;
    kept->runs = run + NT_LANES;
    return false;
}

/* Forgets what is known of other levels, or counted from another base. */
NT_INLINE void FN(turn_to)(struct FN(kept) * kept, const struct nt_runs *runs, int axes,
                           const struct nt_point *z)
{
    const size_t bytes = (size_t)axes * sizeof *kept->base;

    if (kept->runs > 0 && memcmp(kept->base, runs->base, bytes) == 0 &&
        memcmp(kept->z, z->hash, sizeof kept->z) == 0)
        return;
    kept->runs = 0;
    memcpy(kept->base, runs->base, bytes);
    memcpy(kept->z, z->hash, sizeof kept->z);
}

/* Eight runs' nodes from the hashes of their axes. */
NT_INLINE void FN(make_nodes)(const struct FN(run_hashes) * hashes, int run, FN(nodes) nodes)
{
    for (int n = 0; n < (DIMS == 2 ? 4 : 8); n++) {
        u8 bits = hashes->side[0][n % 2] + hashes->side[1][n / 2 % 2];
        f8 node[NODE_PARTS];
#if DIMS == 2
        node_make_2(nt_node_hash(bits), node);
#else
        node_end_3(nt_node_hash(bits + hashes->side[2][n / 4]), node);
#endif
        for (int p = 0; p < NODE_PARTS; p++)
            store_f8(nodes[n * NODE_PARTS + p] + run, node[p]);
    }
}

/* Makes sure of all runs' nodes. Their cells are told apart by so many axes; z is beyond these. */
static void FN(know_nodes)(const struct nt_octave *octave, const struct nt_runs *runs, int axes,
                           const struct nt_point *z, struct FN(kept) * kept)
{
    struct FN(run_hashes) hashes;
    bool ready = false;

    FN(turn_to)(kept, runs, axes, z);
    for (int run = 0; run < runs->runs; run += NT_LANES) {
        if (FN(knows)(kept, runs, axes, run))
            continue;
        if (!ready)
            FN(hash_axes)(octave, runs, axes, &hashes);
        ready = true;
        for (int end = 0; axes < DIMS && end < 2; end++)
            hashes.side[DIMS - 1][end] = splat_u8(z->hash[end]);
        FN(hash_runs)(runs, axes, run, &hashes);
        FN(make_nodes)(&hashes, run, kept->nodes);
    }
}

/* The numbers of node n: of eight runs from `run` on, or of eight samples' runs. */
NT_INLINE void FN(load_node)(FN(nodes) nodes, int n, int run, f8 node[NODE_PARTS])
{
    for (int p = 0; p < NODE_PARTS; p++)
        node[p] = load_f8(nodes[n * NODE_PARTS + p] + run);
}

NT_INLINE void FN(pick_node)(FN(nodes) nodes, int n, struct nt_run8 at, f8 node[NODE_PARTS])
{
    for (int p = 0; p < NODE_PARTS; p++)
        node[p] = nt_run_pick(nodes[n * NODE_PARTS + p], at);
}

/* The sides of the runs' cells on one level. */
static void FN(make_sides)(FN(nodes) nodes, int runs, const struct nt_point *z, FN(sides) sides)
{
    for (int run = 0; run < runs; run += NT_LANES) {
        f8 column[4][NODE_PARTS], side[SIDE_PARTS];
        for (int c = 0; c < 4; c++) {
            FN(load_node)(nodes, c, run, column[c]);
#if DIMS == 3
            f8 above[NODE_PARTS];
            FN(load_node)(nodes, 4 + c, run, above);
            node_blend_3(column[c], above, splat_f8(z->fraction), splat_f8(z->fade), column[c]);
#endif
        }
        for (int s = 0; s < 2; s++) {
            FN(side_make)(column[s], column[2 + s], side);
            for (int p = 0; p < SIDE_PARTS; p++)
                store_f8(sides[s * SIDE_PARTS + p] + run, side[p]);
        }
    }
    (void)z;
}

/* Samples i to i + 7 of those that the runs are of. */
NT_INLINE f8 FN(eight_on_level)(const struct nt_runs *runs, size_t i, FN(sides) sides, f8 gain)
{
    struct nt_run8 at = nt_run_of(runs, i);
    f8 fraction[2], fade[2], side[2][SIDE_PARTS];

    for (int axis = 0; axis < 2; axis++) {
        fraction[axis] = load_f8(runs->fraction[axis] + i);
        fade[axis] = NT_FADE(fraction[axis]);
    }
    for (int s = 0; s < 2; s++)
        for (int p = 0; p < SIDE_PARTS; p++)
            side[s][p] = nt_run_pick(sides[s * SIDE_PARTS + p], at);
    return FN(value_between)(side, fraction, fade, gain);
}

static bool FN(scatter_level)(const struct nt_scatter *points, size_t first, size_t end,
                              struct FN(kept) * kept)
{
    const f8 gain = splat_f8(points->gain * kind_scale(DIMS));
    struct nt_point z = {0};
    struct nt_row_sum sum;
    struct nt_runs runs;
    FN(sides) sides;

    if (!FN(find_runs)(points, 2, first, end, &runs))
        return false;
    if (DIMS == 3)
        z = nt_axis_point(points->octave, 2, points->place[2][first]);
    FN(know_nodes)(points->octave, &runs, 2, &z, kept);
    FN(make_sides)(kept->nodes, runs.runs, &z, sides);
    nt_row_sum_begin(&sum, points->sum + first, end - first);
    for (size_t i = 0; i < end - first; i += NT_LANES)
        nt_row_sum_add(&sum, i, FN(eight_on_level)(&runs, i, sides, gain));
    nt_row_sum_end(&sum);
    return true;
}

#if DIMS == 3

NT_INLINE f8 FN(eight)(const struct nt_runs *runs, size_t i, FN(nodes) nodes, f8 gain)
{
    struct nt_run8 at = nt_run_of(runs, i);
    f8 fraction[DIMS], fade[DIMS], column[4][NODE_PARTS];

    for (int axis = 0; axis < DIMS; axis++) {
        fraction[axis] = load_f8(runs->fraction[axis] + i);
        fade[axis] = NT_FADE(fraction[axis]);
    }
    for (int c = 0; c < 4; c++) {
        f8 below[NODE_PARTS], above[NODE_PARTS];
        FN(pick_node)(nodes, c, at, below);
        FN(pick_node)(nodes, 4 + c, at, above);
        node_blend_3(below, above, fraction[2], fade[2], column[c]);
    }
    return FN(cell_value)(column, fraction, fade, gain);
}

static bool FN(scatter_runs)(const struct nt_scatter *points, size_t first, size_t end,
                             struct FN(kept) * kept)
{
    const f8 gain = splat_f8(points->gain * kind_scale(DIMS));
    const struct nt_point none = {0};
    struct nt_row_sum sum;
    struct nt_runs runs;

    if (!FN(find_runs)(points, DIMS, first, end, &runs))
        return false;
    FN(know_nodes)(points->octave, &runs, DIMS, &none, kept);
    nt_row_sum_begin(&sum, points->sum + first, end - first);
    for (size_t i = 0; i < end - first; i += NT_LANES)
        nt_row_sum_add(&sum, i, FN(eight)(&runs, i, kept->nodes, gain));
    nt_row_sum_end(&sum);
    return true;
}

#else

static bool FN(scatter_runs)(const struct nt_scatter *points, size_t first, size_t end,
                             struct FN(kept) * kept)
{
    return FN(scatter_level)(points, first, end, kept);
}

#endif

static void FN(scatter)(const struct nt_scatter *points)
{
    struct FN(kept) own, *kept = points->kept;

    if (!kept) {
        own.runs = 0;
        kept = &own;
    }
    for (size_t i = 0; i < points->n; i += NT_RUNS_MOST) {
        size_t end = points->n - i < NT_RUNS_MOST ? points->n : i + NT_RUNS_MOST;
        if (!(points->level ? FN(scatter_level) : FN(scatter_runs))(points, i, end, kept))
            FN(scatter_blocks)(points, i, end);
    }
}

/* ---- For proofs ------------------------------------------------------------------------------ */

static float FN(worst)(const struct nt_octave *octave, const float *place)
{
    f8 fraction[DIMS], fade[DIMS], node[4][NODE_PARTS];

    (void)octave;
    for (int axis = 0; axis < DIMS; axis++) {
        fraction[axis] = splat_f8(place[axis]);
        fade[axis] = NT_FADE(fraction[axis]);
    }
    for (int c = 0; c < 4; c++) {
        f8 way[DIMS] = {fraction[0] - (float)(c % 2), fraction[1] - (float)(c / 2)};
#if DIMS == 2
        node_worst_2(way, node[c]);
#else
        way[2] = fraction[2];
        node_worst_3(way, fade[2], node[c]);
#endif
    }
    return FN(cell_value)(node, fraction, fade, splat_f8(kind_scale(DIMS)))[0];
}

/* Per slot: its columns in twice eight lanes, and its place in every kept row of nodes. */
const struct nt_kernel NT_EXPORT(KIND) = {
    .grid = FN(grid),
    .scatter = FN(scatter),
    .worst = FN(worst),
    .kept = sizeof(struct FN(kept)),
    .reach = {.after = 1},
    .scratch = 2 * COLUMN_PARTS * NT_LANES + NODE_PARTS * NT_NODE_ROWS,
    .can_store = true,
};

#undef KIND
#undef DIMS
#undef NODE_PARTS
#undef SIDE_PARTS
#undef COLUMN_PARTS
#undef NODE_MAKE
#undef FN_PASTE_
#undef FN_PASTE
#undef FN
