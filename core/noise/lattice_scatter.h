/*
 * lattice_scatter.h - the scatter form of lattice_kind.h, which includes it: places in a row, by runs
 * of those that share a cell (runs.h), or each for itself where they are too far apart.
 */

/* ---- Each for itself ------------------------------------------------------------------------- */

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

/* ---- By runs --------------------------------------------------------------------------------- */

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
            struct d8 at =
                nt_runs_positions(&points->octave->axis[axis], points->place[axis] + first, i, n);
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
    int runs; /* so many are known: none at first (nt_scatter.kept) */
    FN(nodes) nodes __attribute__((aligned(64)));
    int32_t cell[DIMS][NT_RUNS_PADDED]; /* of the runs, counted from base */
    int64_t base[DIMS];
    uint32_t z[2]; /* the hashes of a level; without, 0 */
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
