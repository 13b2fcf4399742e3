/*
 * run_kind.h - the scatter form of kinds that are made of runs (runs.h). Included by a kind's file
 * once for each number of dimensions, with KIND (the exported kernel's name), DIMS, and
 *
 *   LATTICES_DIMS  whose values are added up
 *   AXES_DIMS      axes whose cells tell runs apart
 *   PARTS_DIMS     numbers that a sample sees of a run: DIMS of each node, its gradient
 *   split_DIMS     eight places, in cells -> positions along the axes of a lattice
 *   which_DIMS     fractions -> what else tells runs apart
 *   make_DIMS      the cells of runs -> their parts
 *   way_DIMS       fractions, number of a node -> way from there to the sample
 *   kernel_DIMS    way and gradient -> what the node adds
 *   scale_DIMS     scales the bound of the sum to 1
 *   worst_DIMS   see nt_kernel
 *
 * and, for rows of tiles, what a kind has of these:
 *
 *   ROWS      adds all rows in a way of its own; false: some can't be
 *   NODES     type of what fill_nodes makes once for all rows, where take_nodes has a row's parts;
 *             from these, take_eight makes the sum of eight samples; false: it can't
 *   COLUMNS   type of what split_columns makes once for all rows, for locate_on_row to find runs by
 */

#define FN_PASTE_(name, dims) name##_##dims
#define FN_PASTE(name, dims)  FN_PASTE_(name, dims)
#define FN(name)              FN_PASTE(name, DIMS)

/* ---- Both forms ------------------------------------------------------------------------------ */

/* Samples on their way: at any places, or (where columns is set) side by side on a row. */
struct FN(line) {
    const struct nt_octave *octave;
    size_t n; /* at most NT_RUNS_MOST */
    const double *place[DIMS];
    const double *columns; /* in cells, padded to NT_LANES */
    d4 ends;               /* the least and the greatest of them */
    d4 row[DIMS];          /* the other coordinates */
#ifdef NODES
    NODES *nodes; /* NULL: hash them */
#endif
#ifdef COLUMNS
    const COLUMNS *split;
#endif
    float gain;
    float *sum;
};

/* Eight places from i on, in cells. */
NT_INLINE void FN(places)(const struct FN(line) * line, size_t i, struct d8 at[DIMS])
{
    for (int axis = 0; axis < DIMS; axis++)
        at[axis] = nt_runs_positions(&line->octave->axis[axis], line->place[axis], i, line->n);
}

NT_INLINE void FN(places_on_row)(const struct FN(line) * line, size_t i, struct d8 at[DIMS])
{
    at[0] = load_d8(line->columns + i);
    for (int axis = 1; axis < DIMS; axis++)
        at[axis].half[0] = at[axis].half[1] = line->row[axis];
}

/* A row's outermost positions: positions rise or fall with x, but for their last bit. */
NT_INLINE void FN(ends_of_row)(const struct FN(line) * line, int lattice, struct d8 p[FN(AXES)])
{
    struct d8 at[DIMS];

    FN(places_on_row)(line, 0, at);
    at[0].half[0] = at[0].half[1] = line->ends;
    FN(split)(lattice, at, p);
}

/* Eight positions from i on in one lattice. */
NT_INLINE void FN(positions)(const struct FN(line) * line, size_t i, int lattice, bool on_row,
                             struct d8 p[FN(AXES)])
{
    struct d8 at[DIMS];

    if (on_row)
        FN(places_on_row)(line, i, at);
    else
        FN(places)(line, i, at);
    FN(split)(lattice, at, p);
}

/* Finds the runs in one lattice; false: the samples are too far apart. */
NT_INLINE bool FN(locate)(const struct FN(line) * line, int lattice, bool on_row,
                          struct nt_runs *runs)
{
    struct nt_run_axis state[FN(AXES)];
    struct d8 p[FN(AXES)];
    f8 fraction[FN(AXES)];

#ifdef COLUMNS
    if (on_row && locate_on_row(line->split, line->row[1][0], (int)line->n, runs))
        return true;
#endif
    FN(positions)(line, 0, lattice, on_row, p);
    nt_runs_begin(runs, FN(AXES), line->n, p, state);
    if (on_row) {
        FN(ends_of_row)(line, lattice, p);
        for (int axis = 0; axis < FN(AXES); axis++)
            nt_runs_reach(p[axis], &state[axis]);
    }
    size_t i = 0;
    do {
        FN(positions)(line, i, lattice, on_row, p);
        for (int axis = 0; axis < FN(AXES); axis++) {
            if (!on_row)
                nt_runs_reach(p[axis], &state[axis]);
            fraction[axis] = nt_runs_cells(runs, axis, i, p[axis], &state[axis]);
        }
        nt_runs_id(runs, FN(AXES), i, FN(which)(fraction));
        i += NT_LANES;
    } while (i < line->n);
    return nt_runs_find(runs, FN(AXES), FN(AXES) + 1, state);
}

/* What eight samples get from one lattice. */
NT_INLINE f8 FN(eight)(const struct FN(line) * line, const struct nt_runs *runs, size_t i,
                       float part[FN(PARTS)][NT_RUNS_PADDED])
{
    struct nt_run8 at = nt_run_of(runs, i);
    f8 fraction[FN(AXES)], sum = {0};

#ifdef NODES
    if (line->nodes && take_eight(line->nodes, runs, i, &sum))
        return sum;
#endif
    (void)line;
    for (int axis = 0; axis < FN(AXES); axis++)
        fraction[axis] = load_f8(runs->fraction[axis] + i);
    for (int n = 0; n < FN(PARTS) / DIMS; n++) {
        f8 way[DIMS], gradient[DIMS];
        FN(way)(fraction, n, way);
        for (int axis = 0; axis < DIMS; axis++)
            gradient[axis] = nt_run_pick(part[DIMS * n + axis], at);
        sum += FN(kernel)(way, gradient);
    }
    return sum;
}

/* false: samples are too far apart. */
NT_INLINE bool FN(add_line)(const struct FN(line) * line, bool on_row)
{
    float made[FN(PARTS)][NT_RUNS_PADDED], (*part)[NT_RUNS_PADDED] = made;
    float total[NT_RUNS_MOST];
    struct nt_row_sum sum;
    struct nt_runs runs;

    nt_row_sum_begin(&sum, line->sum, line->n);
    for (int lattice = 0; lattice < FN(LATTICES); lattice++) {
        if (!FN(locate)(line, lattice, on_row, &runs))
            return false;
#ifdef NODES
        if (line->nodes)
            part = take_nodes(line->nodes, &runs);
        else
#endif
            FN(make)(lattice, line->octave, &runs, made);
        for (size_t i = 0; i < line->n; i += NT_LANES) {
            f8 value = FN(eight)(line, &runs, i, part);
            if (lattice > 0)
                value = load_f8(total + i) + value;
            if (lattice + 1 < FN(LATTICES))
                store_f8(total + i, value);
            else
                nt_row_sum_add(&sum, i, value * FN(scale) * line->gain);
        }
    }
    nt_row_sum_end(&sum);
    return true;
}

/* ---- Scatter form ---------------------------------------------------------------------------- */

static bool FN(add_places)(const struct nt_scatter *points, size_t first, size_t n)
{
    struct FN(line) line = {.octave = points->octave, .n = n, .gain = points->gain};

    for (int axis = 0; axis < DIMS; axis++)
        line.place[axis] = points->place[axis] + first;
    line.sum = points->sum + first;
    return FN(add_line)(&line, false);
}

static void FN(scatter)(const struct nt_scatter *points)
{
    for (size_t i = 0; i < points->n; i += NT_RUNS_MOST) {
        size_t n = points->n - i < NT_RUNS_MOST ? points->n - i : NT_RUNS_MOST;
        if (!FN(add_places)(points, i, n))
            for (size_t k = 0; k < n; k++)
                FN(add_places)(points, i + k, 1);
    }
}

/* ---- Grid form ------------------------------------------------------------------------------- */

static bool FN(add_row)(struct FN(line) * line, const struct nt_strip *strip, int first, int row)
{
    for (int axis = 1; axis < DIMS; axis++) {
        const struct nt_octave_axis *lattice = &strip->octave->axis[axis];
        double world = axis == 1 ? strip->y[row] : 0.0;
        line->row[axis] = splat_d4(world * lattice->frequency + lattice->offset);
    }
    line->sum = strip->sum + row * strip->columns + first;
    return FN(add_line)(line, true);
}

/* A row whose samples are too far apart to be taken together. */
static void FN(add_row_singly)(const struct FN(line) * line, const struct nt_strip *strip,
                               int first, int row)
{
    struct FN(line) single = *line;
    double columns[NT_LANES];

    single.n = 1;
    single.columns = columns;
#ifdef COLUMNS
    COLUMNS split;
    single.split = &split;
#endif
    for (size_t k = 0; k < line->n; k++) {
        single.ends = splat_d4(line->columns[k]);
        for (int i = 0; i < NT_LANES; i++)
            columns[i] = line->columns[k];
#ifdef COLUMNS
        split_columns(&split, columns, 1, single.ends);
#endif
        FN(add_row)(&single, strip, first + (int)k, row);
    }
}

static void FN(add_columns)(const struct nt_strip *strip, int first, int n)
{
    const struct nt_octave_axis *lattice = &strip->octave->axis[0];
    double columns[NT_RUNS_PADDED];
    struct FN(line)
        line = {.octave = strip->octave, .n = (size_t)n, .columns = columns, .gain = strip->gain};

    for (int i = 0; i < n; i++)
        columns[i] = strip->x[first + i] * lattice->frequency + lattice->offset;
    for (int i = n; i < n + NT_LANES; i++)
        columns[i] = columns[n - 1];
#ifdef ROWS
    if (ROWS(strip, columns, first, n))
        return;
#endif
    line.ends = nt_ends_of(strip->x + first, n) * lattice->frequency + lattice->offset;
#ifdef COLUMNS
    COLUMNS split;
    split_columns(&split, columns, n, line.ends);
    line.split = &split;
#endif
#ifdef NODES
    NODES nodes;
    line.nodes = fill_nodes(&nodes, strip, line.ends) ? &nodes : NULL;
#endif
    for (int row = 0; row < strip->rows; row++)
        if (!FN(add_row)(&line, strip, first, row))
            FN(add_row_singly)(&line, strip, first, row);
}

static void FN(strip)(const struct nt_strip *strip)
{
    int parts = (strip->columns + NT_RUNS_MOST - 1) / NT_RUNS_MOST;
    int most = ((strip->columns + parts - 1) / parts + NT_LANES - 1) / NT_LANES * NT_LANES;

    for (int first = 0; first < strip->columns; first += most)
        FN(add_columns)
    (strip, first, strip->columns - first < most ? strip->columns - first : most);
}

const struct nt_kernel NT_EXPORT(KIND) = {
    .strip = FN(strip), .scatter = FN(scatter), .worst = FN(worst)};

#undef KIND
#undef ROWS
#undef NODES
#undef COLUMNS
#undef DIMS
#undef FN_PASTE_
#undef FN_PASTE
#undef FN
