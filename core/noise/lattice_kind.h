/*
 * lattice_kind.h - the grid and scatter forms of a kind whose value in a cell is a blend of its
 * four nodes. Included at the end of a kind's file, which has defined KIND, NODE_PARTS,
 * COLUMN_PARTS, kind_scale and
 *
 *   node_make    32 random bits -> what a node holds (NODE_PARTS numbers)
 *   column_make  the nodes north and south of a row -> what the row sees of the column
 * (COLUMN_PARTS) between      the columns west and east of a sample -> its value
 *
 * Both forms are made of these three and nothing else, hence equal to the bit.
 */

/* ---- Grid form ------------------------------------------------------------------------------- */

/* A row of nodes: NODE_PARTS planes of `plane` floats. */
static const float *node_row(struct nt_node_rows *rows, const struct nt_axis *x, uint32_t y_hash,
                             int node)
{
    size_t plane = rows->stride / NODE_PARTS;
    int stale;
    float *row = nt_node_row(rows, node, &stale);

    if (!stale)
        return row;
    for (int i = 0; i < x->nodes; i += NT_LANES) {
        f8 part[NODE_PARTS];
        node_make(nt_node_hash(load_u8(x->hash + i), splat_u8(y_hash)), part);
        for (size_t p = 0; p < NODE_PARTS; p++)
            store_f8(row + p * plane + i, part[p]);
    }
    return row;
}

/* Eight node columns from i on, as eight rows of samples see them: lanes are rows. */
NT_INLINE void make_columns(const float *const north[NT_LANES], const float *const south[NT_LANES],
                            size_t plane, const float *v, const float *fade, f8 gain,
                            float *columns)
{
    f8 seen[COLUMN_PARTS][NT_LANES];

    for (int k = 0; k < NT_LANES; k++) {
        f8 n[NODE_PARTS], s[NODE_PARTS], column[COLUMN_PARTS];
        for (size_t p = 0; p < NODE_PARTS; p++) {
            n[p] = load_f8(north[k] + p * plane);
            s[p] = load_f8(south[k] + p * plane);
        }
        column_make(n, s, splat_f8(v[k]), splat_f8(fade[k]), gain, column);
        for (int p = 0; p < COLUMN_PARTS; p++)
            seen[p][k] = column[p];
    }
    for (int p = 0; p < COLUMN_PARTS; p++)
        transpose_f8(seen[p]);
    for (int k = 0; k < NT_LANES; k++)
        for (int p = 0; p < COLUMN_PARTS; p++)
            store_f8(columns + (k * COLUMN_PARTS + p) * NT_LANES, seen[p][k]);
}

/* All node columns for the eight rows of samples from position `first` on. */
static void block_columns(const struct nt_band *band, int first, struct nt_node_rows *rows,
                          float *columns)
{
    const struct nt_axis *x = band->x, *y = band->y;
    size_t plane = rows->stride / NODE_PARTS;
    const float *north[NT_LANES], *south[NT_LANES];

    for (int k = 0; k < NT_LANES; k++) {
        int node = y->slot[first + k];
        north[k] = node_row(rows, x, y->hash[node], node);
        south[k] = node_row(rows, x, y->hash[node + 1], node + 1);
    }
    for (int i = 0; i < x->nodes; i += NT_LANES) {
        make_columns(north, south, plane, y->fraction + first, y->fade + first,
                     splat_f8(band->gain * kind_scale),
                     columns + (size_t)i * COLUMN_PARTS * NT_LANES);
        for (int k = 0; k < NT_LANES; k++) {
            north[k] += NT_LANES;
            south[k] += NT_LANES;
        }
    }
}

/* Eight rows of samples; within a cell both its columns stay in registers. */
static void add_rows(const struct nt_axis *x, const float *columns, float *sum)
{
    for (int i = 0; i < x->count;) {
        int slot = x->slot[i];
        const float *at = columns + (size_t)slot * COLUMN_PARTS * NT_LANES;
        f8 west[COLUMN_PARTS], east[COLUMN_PARTS];

        for (int p = 0; p < COLUMN_PARTS; p++) {
            west[p] = load_f8(at + p * NT_LANES);
            east[p] = load_f8(at + (COLUMN_PARTS + p) * NT_LANES);
        }
        for (; i < x->count && x->slot[i] == slot; i++) {
            f8 n = between(west, east, splat_f8(x->fraction[i]), splat_f8(x->fade[i]));
            store_f8(sum + (size_t)i * NT_LANES, load_f8(sum + (size_t)i * NT_LANES) + n);
        }
    }
}

static void grid(const struct nt_band *band)
{
    size_t padded = ((size_t)band->x->nodes + NT_LANES - 1) / NT_LANES * NT_LANES;
    float *columns = band->scratch;
    struct nt_node_rows rows;

    nt_node_rows_init(&rows, columns + padded * COLUMN_PARTS * NT_LANES, padded * NODE_PARTS);
    for (int r = 0; r < band->rows; r += NT_LANES) {
        block_columns(band, band->first + r, &rows, columns);
        add_rows(band->x, columns, band->sum + (size_t)r * (size_t)band->x->count);
    }
}

/* ---- Scatter form ---------------------------------------------------------------------------- */

/* Nodes north-west, north-east, south-west, south-east of eight samples. */
NT_INLINE f8 cell_value(f8 node[4][NODE_PARTS], const f8 fraction[2], const f8 fade[2], f8 gain)
{
    f8 west[COLUMN_PARTS], east[COLUMN_PARTS];

    column_make(node[0], node[2], fraction[1], fade[1], gain, west);
    column_make(node[1], node[3], fraction[1], fade[1], gain, east);
    return between(west, east, fraction[0], fade[0]);
}

/* n <= 8 samples; lanes beyond n hold anything. */
static f8 scatter_block(const struct nt_octave *octave, const double *u, const double *v, size_t n)
{
    f8 fraction[2] = {{0}}, fade[2] = {{0}}, node[4][NODE_PARTS];
    u8 hash[2][2] = {{{0}}};

    for (size_t k = 0; k < n; k++) {
        for (int axis = 0; axis < 2; axis++) {
            struct nt_point p = nt_axis_point(octave, axis, axis == 0 ? u[k] : v[k]);
            fraction[axis][k] = p.fraction;
            fade[axis][k] = p.fade;
            hash[axis][0][k] = p.hash[0];
            hash[axis][1][k] = p.hash[1];
        }
    }
    for (int i = 0; i < 4; i++)
        node_make(nt_node_hash(hash[0][i % 2], hash[1][i / 2]), node[i]);
    return cell_value(node, fraction, fade, splat_f8(octave->gain * kind_scale));
}

static void scatter(const struct nt_octave *octave, const double *u, const double *v, size_t n,
                    float *sum)
{
    for (size_t i = 0; i < n; i += NT_LANES) {
        size_t lanes = n - i < NT_LANES ? n - i : NT_LANES;
        f8 noise = scatter_block(octave, u + i, v + i, lanes);
        for (size_t k = 0; k < lanes; k++)
            sum[i + k] += noise[k];
    }
}

/* ---- For proofs
 * ----------------------------------------------------------------------------------- */

static float corners(const float *parts, float u, float v)
{
    f8 fraction[2] = {splat_f8(u), splat_f8(v)},
       fade[2] = {NT_FADE(fraction[0]), NT_FADE(fraction[1])};
    f8 node[4][NODE_PARTS];

    for (int i = 0; i < 4; i++)
        for (int p = 0; p < NODE_PARTS; p++)
            node[i][p] = splat_f8(parts[i * NODE_PARTS + p]);
    return cell_value(node, fraction, fade, splat_f8(kind_scale))[0];
}

/* Per slot: its column in eight lanes, and its place in every kept row of nodes. */
const struct nt_kernel NT_EXPORT(KIND) = {
    .grid = grid,
    .scatter = scatter,
    .corners = corners,
    .scratch = COLUMN_PARTS * NT_LANES + NODE_PARTS * NT_NODE_ROWS,
};
