/*
 * cellular_scatter.h - cellular noise at a list of places. Neighbours in the list mostly share
 * their cell: in space, long runs of such have points chosen for them (cellular_block.h); else the
 * points next to each run's cell go into tables, eight runs at a time, from which samples pick.
 */
#ifndef NT_CELLULAR_SCATTER_H
#define NT_CELLULAR_SCATTER_H

#include "core/noise/cellular_block.h"
#include "core/noise/runs.h"

enum {
    STRETCH = 64, /* samples for which it is decided whether their runs are long or short */
    STRETCH_RUNS = STRETCH + NT_LANES,
    LONG_RUN = 24, /* samples that make up for choosing points; in the plane none do */
    NEXT = 3 * 3 * 3
};

/* At most NT_RUNS_MOST samples. */
struct list {
    struct octave octave;
    struct nt_runs runs;
    struct nt_run_hash hash[NT_AXES];
    float *sum;
};

/* false: the samples are too far apart. */
NT_INLINE bool locate(struct list *list, const struct nt_scatter *points, size_t first, int n,
                      int dims)
{
    const struct nt_octave_axis *lattice = points->octave->axis;
    struct nt_run_axis state[NT_AXES];
    struct d8 at[NT_AXES];

    for (int axis = 0; axis < dims; axis++)
        at[axis] = nt_runs_positions(&lattice[axis], points->place[axis] + first, 0, (size_t)n);
    nt_runs_begin(&list->runs, dims, (size_t)n, at, state);
    for (int i = 0; i < n; i += NT_LANES) {
        for (int axis = 0; axis < dims; axis++) {
            at[axis] = nt_runs_positions(&lattice[axis], points->place[axis] + first, (size_t)i,
                                         (size_t)n);
            nt_runs_reach(at[axis], &state[axis]);
            nt_runs_cells(&list->runs, axis, (size_t)i, at[axis], &state[axis]);
        }
    }
    if (!nt_runs_find(&list->runs, dims, dims, state))
        return false;
    for (int axis = 0; axis < dims; axis++)
        list->hash[axis] = nt_run_hash_make(&lattice[axis], list->runs.base[axis],
                                            *nt_runs_cell(&list->runs, axis, 0));
    return true;
}

NT_INLINE void add_eight(struct list *list, int i, const struct nearest *nearest, int cell)
{
    f8 noise = result(&list->octave, nearest, cell) * list->octave.gain;
    int lanes = list->runs.samples - i;

    if (lanes >= NT_LANES)
        store_f8(list->sum + i, load_f8(list->sum + i) + noise);
    else
        for (int k = 0; k < lanes; k++)
            list->sum[i + k] += noise[k];
}

/* ---- Long runs ------------------------------------------------------------------------------- */

/* Eight samples of the box for which points were chosen. */
NT_INLINE struct nearest search_points(const struct points *points, struct list *list, int i,
                                       int dims, int cell)
{
    struct nearest nearest = nothing_near();

    for (int c = 0; c < points->n; c++) {
        int p = points->chosen[c];
        f8 square = splat_f8(0.0f);
        for (int axis = 0; axis < dims; axis++) {
            f8 way = load_f8(list->runs.fraction[axis] + i) - points->at[axis][p];
            square = axis ? square + way * way : way * way;
        }
        consider(&nearest, square, splat_u8(points->bits[p]), cell);
    }
    return nearest;
}

/* Takes over the lanes from `first` on. */
NT_INLINE void replace_from(struct nearest *nearest, const struct nearest *by, int first, int cell)
{
    const i8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
    u8 later = (u8)(lane >= first);

    nearest->first = select_f8(later, by->first, nearest->first);
    if (needs_second(cell))
        nearest->second = select_f8(later, by->second, nearest->second);
    if (cell == NT_CELL_VALUE)
        nearest->bits = (later & by->bits) | (~later & nearest->bits);
}

/* Chooses points for samples i to end - 1, which are in one cell. */
NT_INLINE void choose_for_run(struct points *points, struct list *list, int i, int end, int dims,
                              int cell)
{
    const i8 around = {-2, -1, 0, 1, 2, 3, 4, 5};
    struct hashes hashes = {{{0}}};
    struct box box;

    for (int axis = 0; axis < dims; axis++) {
        const int32_t *here = nt_runs_cell(&list->runs, axis, (size_t)i);
        store_u8(hashes.axis[axis], nt_run_hash(&list->hash[axis], *here + around));
        bounds_of(list->runs.fraction[axis], i, end, &box.low[axis], &box.high[axis]);
    }
    choose_points(points, &list->octave, &hashes, &box, dims, cell);
}

/* Sample i's run ends before this one, or before `end`. */
NT_INLINE int run_end(const struct nt_runs *runs, int i, int end)
{
    int k = i + 1;

    while (k < end && !(runs->starts[k / NT_LANES] >> k % NT_LANES & 1))
        k++;
    return k;
}

/* Samples from `first` to end - 1. Eights that several runs share are put together. */
NT_INLINE void add_long_runs(struct list *list, int first, int end, int dims, int cell)
{
    struct nearest nearest = nothing_near();
    struct points points;

    for (int i = first, next; i < end; i = next) {
        next = run_end(&list->runs, i, end);
        choose_for_run(&points, list, i, next, dims, cell);
        for (int at = i / NT_LANES * NT_LANES; at < next; at += NT_LANES) {
            struct nearest here = search_points(&points, list, at, dims, cell);
            if (at < i)
                replace_from(&nearest, &here, i - at, cell);
            else
                nearest = here;
            if (at + NT_LANES <= next || next == end)
                add_eight(list, at, &nearest, cell);
        }
    }
}

/* ---- Short runs ------------------------------------------------------------------------------ */

/* For each run of a stretch the points next to its cell, counted from the cell's lower end. */
struct table {
    float at[NEXT][NT_AXES][STRETCH_RUNS], bits[NEXT][STRETCH_RUNS];
};

/* Eight runs, from `run` on, go to place `to` of the table. */
NT_INLINE void fill_table(struct table *table, struct list *list, int run, int to, int dims,
                          int cell)
{
    u8 hash[NT_AXES][3];

    for (int axis = 0; axis < dims; axis++)
        for (int i = 0; i < 3; i++)
            hash[axis][i] =
                nt_run_hash(&list->hash[axis], load_i8(list->runs.run_cell[axis] + run) + (i - 1));
    for (int n = 0; n < (dims == 3 ? 27 : 9); n++) {
        int step[NT_AXES] = {n % 3, n / 3 % 3, n / 9};
        u8 sum = hash[0][step[0]] + hash[1][step[1]];
        u8 bits = nt_node_hash(dims == 3 ? sum + hash[2][step[2]] : sum);
        for (int axis = 0; axis < dims; axis++)
            store_f8(table->at[n][axis] + to,
                     coordinate(bits, axis, list->octave.jitter) + (float)(step[axis] - 1));
        if (cell == NT_CELL_VALUE)
            store_f8(table->bits[n] + to, (f8)bits);
    }
}

/* Eight samples, whose runs begin at place `run.first` of the table. */
NT_INLINE struct nearest search_table(const struct table *table, struct nt_run8 run,
                                      const f8 *fraction, int dims, int cell)
{
    struct nearest nearest = nothing_near();

    for (int n = 0; n < (dims == 3 ? 27 : 9); n++) {
        f8 square = splat_f8(0.0f);
        u8 bits = {0};
        for (int axis = 0; axis < dims; axis++) {
            f8 way = fraction[axis] - nt_run_pick(table->at[n][axis], run);
            square = axis ? square + way * way : way * way;
        }
        if (cell == NT_CELL_VALUE)
            bits = (u8)nt_run_pick(table->bits[n], run);
        consider(&nearest, square, bits, cell);
    }
    return nearest;
}

/* Eight samples, where the cells next to theirs do not decide. */
NT_INLINE struct nearest search_further(struct list *list, int i, f8 limit, int dims, int cell)
{
    struct around around;

    for (int axis = 0; axis < dims; axis++) {
        around.fraction[axis] = load_f8(list->runs.fraction[axis] + i);
        for (int k = 0; k < WIDTH; k++)
            around.hash[axis][k] =
                nt_run_hash(&list->hash[axis],
                            load_i8(nt_runs_cell(&list->runs, axis, (size_t)i)) + (k - REACH));
    }
    return search_all(&list->octave, &around, limit, dims, cell);
}

/* Samples from `first` to end - 1, which are of runs `run` to `last`. */
NT_INLINE void add_short_runs(struct list *list, int first, int end, int run, int last, int dims,
                              int cell)
{
    struct table table;

    for (int r = run; r <= last; r += NT_LANES)
        fill_table(&table, list, r, r - run, dims, cell);
    for (int i = first; i < end; i += NT_LANES) {
        struct nt_run8 at = nt_run_of(&list->runs, (size_t)i);
        struct nearest nearest;
        f8 fraction[NT_AXES], limit;
        at.first -= run;
        for (int axis = 0; axis < dims; axis++)
            fraction[axis] = load_f8(list->runs.fraction[axis] + i);
        nearest = search_table(&table, at, fraction, dims, cell);
        limit = furthest(&nearest, cell);
        if (!all_less(limit, inner_limit(&list->octave, fraction, dims)))
            nearest = search_further(list, i, limit, dims, cell);
        add_eight(list, i, &nearest, cell);
    }
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Number of a sample's run. */
NT_INLINE int run_of(const struct nt_runs *runs, int i)
{
    return nt_run_of(runs, (size_t)i).first + nt_run_of(runs, (size_t)i).step[i % NT_LANES];
}

NT_INLINE bool add_list(const struct nt_scatter *points, size_t first, int n, int dims, int cell)
{
    struct list list; /* not cleared, it is large */

    list.octave = octave_of(points->octave, points->gain, dims);
    list.sum = points->sum + first;
    if (!locate(&list, points, first, n, dims))
        return false;
    for (int i = 0, end; i < n; i = end) {
        int run = run_of(&list.runs, i), last;
        end = n - i < STRETCH ? n : i + STRETCH;
        last = run_of(&list.runs, end - 1);
        if (dims == 3 && (last - run + 1) * LONG_RUN <= end - i)
            add_long_runs(&list, i, end, dims, cell);
        else
            add_short_runs(&list, i, end, run, last, dims, cell);
    }
    return true;
}

NT_INLINE void scatter(const struct nt_scatter *points, int dims, int cell)
{
    for (size_t i = 0; i < points->n; i += NT_RUNS_MOST) {
        int n = points->n - i < NT_RUNS_MOST ? (int)(points->n - i) : NT_RUNS_MOST;
        if (!add_list(points, i, n, dims, cell))
            for (int k = 0; k < n; k++)
                add_list(points, i + (size_t)k, 1, dims, cell);
    }
}

#endif
