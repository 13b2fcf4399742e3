/*
 * run_kind.h - the scatter form of kinds that are made of runs (runs.h). Included by a kind's file
 * once for each number of dimensions, with KIND (the exported kernel's name), DIMS, and
 *
 *   LATTICES_DIMS  whose values are added up
 *   AXES_DIMS      axes whose cells tell runs apart
 *   PARTS_DIMS     numbers that a sample sees of a run
 *   split_DIMS     eight places, in cells -> positions along the axes of a lattice
 *   which_DIMS     fractions -> what else tells runs apart
 *   make_DIMS      the cells of runs -> their parts
 *   value_DIMS     fractions and parts -> value
 *   scale_DIMS     scales the bound of the sum to 1
 *   worst_DIMS   see nt_kernel
 */

#define FN_PASTE_(name, dims) name##_##dims
#define FN_PASTE(name, dims)  FN_PASTE_(name, dims)
#define FN(name)              FN_PASTE(name, DIMS)

/* Eight places from i on, in cells; spare lanes repeat the last. */
NT_INLINE void FN(places)(const struct nt_scatter *points, size_t i, size_t end, struct d8 at[DIMS])
{
    for (int axis = 0; axis < DIMS; axis++) {
        const struct nt_octave_axis *lattice = &points->octave->axis[axis];
        double last[NT_LANES];
        const double *from = points->place[axis] + i;
        if (end - i < NT_LANES) {
            for (size_t k = 0; k < NT_LANES; k++)
                last[k] = from[k < end - i ? k : end - i - 1];
            from = last;
        }
        at[axis] = load_d8(from);
        for (int h = 0; h < 2; h++)
            at[axis].half[h] = at[axis].half[h] * lattice->frequency + lattice->offset;
    }
}

/* Finds the runs of samples first to end - 1 in one lattice; false: they are too far apart. */
NT_INLINE bool FN(locate)(const struct nt_scatter *points, size_t first, size_t end, int lattice,
                          struct nt_runs *runs)
{
    struct nt_run_axis state[FN(AXES)];

    for (size_t i = first; i < end; i += NT_LANES) {
        struct d8 at[DIMS], p[FN(AXES)];
        f8 fraction[FN(AXES)];
        FN(places)(points, i, end, at);
        FN(split)(lattice, at, p);
        if (i == first)
            nt_runs_begin(runs, FN(AXES), end - first, p, state);
        for (int axis = 0; axis < FN(AXES); axis++)
            fraction[axis] = nt_runs_cells(runs, axis, i - first, p[axis], &state[axis]);
        nt_runs_id(runs, i - first, FN(which)(fraction));
    }
    return nt_runs_find(runs, state);
}

/* What eight samples get from one lattice. */
NT_INLINE f8 FN(eight)(const struct nt_runs *runs, size_t i, float part[FN(PARTS)][NT_RUNS_PADDED])
{
    struct nt_run8 at = nt_run_of(runs, i);
    f8 fraction[FN(AXES)], parts[FN(PARTS)];

    for (int axis = 0; axis < FN(AXES); axis++)
        fraction[axis] = load_f8(runs->fraction[axis] + i);
    for (int p = 0; p < FN(PARTS); p++)
        parts[p] = nt_run_pick(part[p], at);
    return FN(value)(fraction, parts);
}

/* Samples first to end - 1, at most NT_RUNS_MOST; false: too far apart. */
static bool FN(scatter_runs)(const struct nt_scatter *points, size_t first, size_t end)
{
    float part[FN(PARTS)][NT_RUNS_PADDED], total[NT_RUNS_MOST];
    struct nt_runs runs;

    for (int lattice = 0; lattice < FN(LATTICES); lattice++) {
        if (!FN(locate)(points, first, end, lattice, &runs))
            return false;
        FN(make)(lattice, points->octave, &runs, part);
        for (size_t i = 0; i < end - first; i += NT_LANES) {
            f8 value = FN(eight)(&runs, i, part);
            store_f8(total + i, lattice == 0 ? value : load_f8(total + i) + value);
        }
    }
    for (size_t i = first; i < end; i += NT_LANES) {
        f8 noise = load_f8(total + i - first) * FN(scale) * points->gain;
        if (end - i >= NT_LANES)
            store_f8(points->sum + i, load_f8(points->sum + i) + noise);
        else
            for (size_t k = 0; k < end - i; k++)
                points->sum[i + k] += noise[k];
    }
    return true;
}

static void FN(scatter)(const struct nt_scatter *points)
{
    for (size_t i = 0; i < points->n; i += NT_RUNS_MOST) {
        size_t end = points->n - i < NT_RUNS_MOST ? points->n : i + NT_RUNS_MOST;
        if (!FN(scatter_runs)(points, i, end))
            for (size_t k = i; k < end; k++)
                FN(scatter_runs)(points, k, k + 1);
    }
}

const struct nt_kernel NT_EXPORT(KIND) = {.scatter = FN(scatter), .worst = FN(worst)};

#undef KIND
#undef DIMS
#undef FN_PASTE_
#undef FN_PASTE
#undef FN
