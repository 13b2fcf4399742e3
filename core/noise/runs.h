/*
 * runs.h - samples along a row that share their cells are worked out together. Neighbouring samples
 * mostly lie in one cell (or simplex), so what belongs to a cell - hashes, gradients - is made once
 * for each run of equal cells, for eight runs at a time. Eight neighbouring samples see at most
 * eight neighbouring runs, so each of a run's numbers reaches them by one load and one permutation
 * (pick_f8), and nothing is gathered. For kernels only.
 *
 * A kernel takes at most NT_RUNS_MOST samples at once:
 *
 *   nt_runs_begin      with the first eight positions
 *   nt_runs_reach      for all positions, or the outermost
 *   nt_runs_cells      for each eight positions and axis: splits them into cells and fractions
 *   nt_runs_id         for each eight: what else tells runs apart, as which simplex of a cell
 *   nt_runs_find       finds the runs; false: samples too far apart, take them one by one
 *                      (nt_runs_find_near: where it is known that they are not)
 *   runs->run_cell[axis], runs->run_id     for each eight runs: hash (nt_run_hash), fill tables
 *   nt_run_pick        for each eight samples: a table's numbers, for each sample its run's
 */
#ifndef NT_RUNS_H
#define NT_RUNS_H

#include "core/lattice.h"

enum {
    NT_RUNS_MOST = 256,                       /* samples, so also runs */
    NT_RUNS_PADDED = NT_RUNS_MOST + NT_LANES, /* of arrays that are read eight at a time */
    NT_RUNS_GROUPS = NT_RUNS_MOST / NT_LANES,
    NT_RUNS_AXES = NT_AXES
};

struct nt_runs {
    float fraction[NT_RUNS_AXES][NT_RUNS_MOST];
    /* of samples, behind a place for what comes before; behind the axes, the id */
    int32_t cell[NT_RUNS_AXES + 1][NT_RUNS_PADDED];
    int32_t run_cell[NT_RUNS_AXES + 1][NT_RUNS_PADDED];
    int64_t base[NT_RUNS_AXES]; /* cells are counted from here */
    int samples, runs;
    uint8_t starts[NT_RUNS_GROUPS]; /* bit k: sample k of the group begins a run */
    int16_t first[NT_RUNS_GROUPS];  /* run of the group's first sample */
} __attribute__((aligned(32)));     /* as vectors are */

/* ---- Cells ----------------------------------------------------------------------------------- */

/*
 * Cells are counted from NT_RUNS_ROOM before the first sample's, and must be less than that away
 * from it: so 32 bits are enough, and leave room for sums of a few cells.
 */
#define NT_RUNS_ROOM (INT64_C(1) << 26)

NT_INLINE int32_t *nt_runs_cell(struct nt_runs *runs, int axis, size_t i)
{
    return runs->cell[axis] + NT_LANES + i;
}

/* What splitting positions along one axis needs and finds. A variable of its own, not in nt_runs:
 * so it stays in registers. */
struct nt_run_axis {
    d4 shift; /* makes of a cell its number, in the lower bits of NT_TO_WHOLE */
    l4 reach; /* the bits of all these */
};

NT_INLINE void nt_runs_begin(struct nt_runs *runs, int axes, size_t samples, const struct d8 *p,
                             struct nt_run_axis *state)
{
    runs->samples = (int)samples;
    for (int axis = 0; axis < axes; axis++) {
        runs->base[axis] = nt_cell_of(p[axis].half[0][0]).cell - NT_RUNS_ROOM;
        state[axis] =
            (struct nt_run_axis){splat_d4(NT_TO_WHOLE - (double)runs->base[axis]), (l4){0}};
    }
}

/* Eight of n places, from i on, in cells of an axis; spare lanes repeat the last. */
NT_INLINE struct d8 nt_runs_positions(const struct nt_octave_axis *axis, const double *place,
                                      size_t i, size_t n)
{
    double last[NT_LANES];
    const double *from = place + i;
    struct d8 at;

    if (n - i < NT_LANES) {
        for (size_t k = 0; k < NT_LANES; k++)
            last[k] = from[k < n - i ? k : n - i - 1];
        from = last;
    }
    at = load_d8(from);
    for (int h = 0; h < 2; h++)
        at.half[h] = at.half[h] * axis->frequency + axis->offset;
    return at;
}

/* Notes how far positions lie from the base, to within a cell. */
NT_INLINE void nt_runs_reach(struct d8 p, struct nt_run_axis *state)
{
    for (int h = 0; h < 2; h++)
        state->reach |= (l4)(p.half[h] + state->shift);
}

/* The least and the greatest of some numbers, twice. */
NT_INLINE d4 nt_ends_of(const double *from, int n)
{
    double low = from[0], high = from[0];

    for (int i = 1; i < n; i++) {
        low = from[i] < low ? from[i] : low;
        high = from[i] > high ? from[i] : high;
    }
    return (d4){low, high, low, high};
}

/*
 * Cells and fractions of samples i to i + 7 along one axis, as nt_cell_of has them; returns the
 * fractions. Cells and shift are whole and their sum is below 2^53, so it is exact.
 */
NT_INLINE f8 nt_runs_cells(struct nt_runs *runs, int axis, size_t i, struct d8 p,
                           const struct nt_run_axis *state)
{
    f4 fraction[2];
    l4 bits[2];

    for (int h = 0; h < 2; h++) {
        d4 cell = floor_d4(p.half[h]);
        bits[h] = (l4)(cell + state->shift);
        fraction[h] = __builtin_convertvector(p.half[h] - cell, f4);
    }
    store_i8(nt_runs_cell(runs, axis, i), narrow_l4(bits[0], bits[1]));
    f8 joined = join_f4(fraction[0], fraction[1]);
    store_f8(runs->fraction[axis] + i, joined);
    return joined;
}

NT_INLINE void nt_runs_id(struct nt_runs *runs, int axes, size_t i, i8 id)
{
    store_i8(nt_runs_cell(runs, axes, i), id);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/*
 * Lane k of row m: how many of bits 0 to k - 1 of m are set. A group's samples are as many runs on
 * from its first as runs begin in between.
 */
extern const int32_t nt_run_steps[128][NT_LANES];

/* Row m: the numbers of the bits of m that are set, then anything up to 7. */
extern const uint8_t nt_run_starts[256][NT_LANES];

/* Marks the samples of a group that begin a run: those with other cells than the one before. */
NT_INLINE unsigned nt_runs_starts(struct nt_runs *runs, int keys, size_t i)
{
    i8 differs = {0};

    for (int key = 0; key < keys; key++) {
        const int32_t *cell = nt_runs_cell(runs, key, i);
        differs |= load_i8(cell) ^ load_i8(cell - 1);
    }
    return nonzero_u8((u8)differs);
}

/* Collects the cells of runs that begin among 64 samples. */
NT_INLINE int nt_runs_collect(struct nt_runs *runs, int keys, size_t i, uint64_t starts, int run)
{
    for (; starts; starts &= starts - 1, run++) {
        size_t sample = i + (size_t)__builtin_ctzll(starts);
        for (int key = 0; key < keys; key++)
            runs->run_cell[key][run] = *nt_runs_cell(runs, key, sample);
    }
    return run;
}

/* Repeats the last run, for a whole number of eights. */
NT_INLINE void nt_runs_repeat_last(struct nt_runs *runs, int keys)
{
    for (int key = 0; key < keys; key++) {
        int32_t *cell = runs->run_cell[key];
        store_i8(cell + runs->runs, splat_i8(cell[runs->runs - 1]));
    }
}

/* Whether all cells are near the first: no bit is set that numbers below twice the room lack.
 */
NT_INLINE bool nt_runs_are_near(int axes, const struct nt_run_axis *state)
{
    int64_t out = 0;

    for (int axis = 0; axis < axes; axis++) {
        l4 reach = state[axis].reach;
        out |= ((reach[0] | reach[1] | reach[2] | reach[3]) & -2 * NT_RUNS_ROOM) ^ NT_TO_WHOLE_BITS;
    }
    return out == 0;
}

/* Finds the runs of cells that are known to be near. */
NT_INLINE void nt_runs_find_near(struct nt_runs *runs, int keys)
{
    int run = 0, collected = 0;

    for (int key = 0; key < keys; key++) /* the first sample begins a run */
        *(nt_runs_cell(runs, key, 0) - 1) = ~*nt_runs_cell(runs, key, 0);
    for (int g = 0; g * NT_LANES < runs->samples;) {
        size_t word = (size_t)g * NT_LANES;
        uint64_t bits = 0;
        for (int b = 0; b < 64 && g * NT_LANES < runs->samples; b += NT_LANES, g++) {
            unsigned starts = nt_runs_starts(runs, keys, (size_t)g * NT_LANES);
            int first = run + (int)(starts & 1) - 1;
            runs->starts[g] = (uint8_t)starts;
            runs->first[g] = (int16_t)first;
            run = first + 1 + nt_run_steps[starts >> 1][7];
            bits |= (uint64_t)starts << b;
        }
        collected = nt_runs_collect(runs, keys, word, bits, collected);
    }
    runs->runs = collected;
    nt_runs_repeat_last(runs, keys);
}

/*
 * Runs differ in the cells along the axes and, where nt_runs_id was used, in its number: so many
 * `keys`. Behind the last run it is repeated, for a whole number of eights.
 */
NT_INLINE bool nt_runs_find(struct nt_runs *runs, int axes, int keys,
                            const struct nt_run_axis *state)
{
    bool near = nt_runs_are_near(axes, state);

    if (near)
        nt_runs_find_near(runs, keys);
    return near;
}

/* ---- Runs of cells alone --------------------------------------------------------------------- */

/*
 * The same for kinds whose runs differ in nothing but cells, which stay doubles until runs are
 * found: it takes fewer steps for a sample, and more for a run.
 */
struct nt_whole_cells {
    double cell[NT_RUNS_AXES]
               [NT_RUNS_PADDED]; /* of samples, behind a place for what comes before */
};

/* Cells and fractions of samples i to i + 7 along one axis, as nt_cell_of has them. */
NT_INLINE void nt_runs_split(struct nt_runs *runs, struct nt_whole_cells *cells, int axis, size_t i,
                             struct d8 p)
{
    struct d8 cell;
    f4 fraction[2];

    for (int h = 0; h < 2; h++) {
        cell.half[h] = floor_d4(p.half[h]);
        fraction[h] = __builtin_convertvector(p.half[h] - cell.half[h], f4);
    }
    store_d8(cells->cell[axis] + NT_LANES + i, cell);
    store_f8(runs->fraction[axis] + i, join_f4(fraction[0], fraction[1]));
}

/* Numbers the cells of runs, whose first samples these are; false: too far from the base. */
NT_INLINE bool nt_runs_number(struct nt_runs *runs, const struct nt_whole_cells *cells, int axes,
                              const uint8_t *sample)
{
    int64_t out = 0;

    for (int run = 0; run < runs->runs; run++)
        for (int axis = 0; axis < axes; axis++) {
            double whole = cells->cell[axis][NT_LANES + sample[run]];
            int64_t cell = (int64_t)whole - runs->base[axis];
            runs->run_cell[axis][run] = (int32_t)cell;
            out |= cell & -2 * NT_RUNS_ROOM;
        }
    return out == 0;
}

/*
 * Finds the runs; false: samples are too far apart. Neighbouring rows mostly have the same base. No
 * step depends on how many samples of a group begin a run, which nothing can foresee.
 */
NT_INLINE bool nt_runs_find_whole(struct nt_runs *runs, struct nt_whole_cells *cells, int axes)
{
    uint8_t sample[NT_RUNS_PADDED];
    int run = 0;

    for (int axis = 0; axis < axes; axis++) { /* the first sample begins a run */
        double first = cells->cell[axis][NT_LANES];
        cells->cell[axis][NT_LANES - 1] = first + 1.0;
        runs->base[axis] = ((int64_t)first & -(NT_RUNS_ROOM / 4)) - NT_RUNS_ROOM;
    }
    for (size_t g = 0; g * NT_LANES < (size_t)runs->samples; g++) {
        struct d8 here[NT_RUNS_AXES], before[NT_RUNS_AXES];
        uint64_t begin; /* eight numbers */
        for (int axis = 0; axis < axes; axis++) {
            here[axis] = load_d8(cells->cell[axis] + NT_LANES * (g + 1));
            before[axis] = load_d8(cells->cell[axis] + NT_LANES * (g + 1) - 1);
        }
        unsigned starts = differ_d8(axes, here, before);
        runs->starts[g] = (uint8_t)starts;
        runs->first[g] = (int16_t)(run + (int)(starts & 1) - 1);
        memcpy(&begin, nt_run_starts[starts], sizeof begin);
        begin += g * NT_LANES * UINT64_C(0x0101010101010101);
        memcpy(sample + run, &begin, sizeof begin);
        run += __builtin_popcount(starts);
    }
    runs->runs = run;
    if (!nt_runs_number(runs, cells, axes, sample))
        return false;
    nt_runs_repeat_last(runs, axes);
    return true;
}

/* Where eight samples find their runs in a table: first, and each lane's distance from there. */
struct nt_run8 {
    int first;
    i8 step;
};

NT_INLINE struct nt_run8 nt_run_of(const struct nt_runs *runs, size_t i)
{
    return (struct nt_run8){runs->first[i / NT_LANES],
                            load_i8(nt_run_steps[runs->starts[i / NT_LANES] >> 1])};
}

/* A table of one number for each run, NT_RUNS_PADDED long. */
NT_INLINE f8 nt_run_pick(const float *table, struct nt_run8 at)
{
    return pick_f8(table + at.first, at.step);
}

/*
 * Where eight samples of a row are added up: in place, or at its end, where there may be fewer, in
 * a spare place.
 */
struct nt_row_sum {
    float *sum;
    size_t n;
    float spare[NT_LANES];
};

NT_INLINE void nt_row_sum_begin(struct nt_row_sum *row, float *sum, size_t n)
{
    size_t tail = n % NT_LANES;

    *row = (struct nt_row_sum){.sum = sum, .n = n};
    memcpy(row->spare, sum + n - tail, tail * sizeof *sum);
}

NT_INLINE void nt_row_sum_add(struct nt_row_sum *row, size_t i, f8 value)
{
    float *at = i + NT_LANES <= row->n ? row->sum + i : row->spare;

    store_f8(at, load_f8(at) + value);
}

NT_INLINE void nt_row_sum_end(struct nt_row_sum *row)
{
    size_t tail = row->n % NT_LANES;

    memcpy(row->sum + row->n - tail, row->spare, tail * sizeof *row->sum);
}

/* ---- Hashes ---------------------------------------------------------------------------------- */

/*
 * One axis of a lattice, ready to hash cells near a base: what nt_axis_hash does, eight at a time.
 * Cells are wrapped into a period once at most; those further on are hashed one by one, which is
 * seldom. Cells well inside a long period need no wrapping.
 */
struct nt_run_hash {
    const struct nt_octave_axis *axis;
    int64_t base;
    enum { NT_HASH_ENDLESS, NT_HASH_WRAPPED, NT_HASH_SINGLE } way;
    uint32_t key, low;   /* lower 32 bits of the key and of the base */
    uint32_t high, flip; /* hash of the cells' upper 32 bits; what changes in it at the edge */
    int32_t edge;        /* the cell where they change, counted from the base */
    int64_t turns;       /* periods before the one that the cell is in */
    int32_t start;       /* wrapped: the base, counted from the period's beginning */
};

/* `cell` is one of the cells, counted from the base as all are; none is 2^29 or more from there. */
NT_INLINE struct nt_run_hash nt_run_hash_make(const struct nt_octave_axis *axis, int64_t base,
                                              int32_t cell)
{
    const int64_t far = INT64_C(1) << 30, period = axis->period;
    struct nt_run_hash h = {.axis = axis, .key = (uint32_t)axis->key};

    if (period > 0) { /* the period that the cell is in becomes the first */
        int64_t at = base + cell, turns = at / period - (at % period < 0);
        base -= turns * period;
        at -= turns * period;
        h.turns = turns;
        h.way = period < far ? NT_HASH_WRAPPED : NT_HASH_SINGLE;
        h.way = far <= at && at < period - far ? NT_HASH_ENDLESS : h.way;
    }
    h.base = base;
    if (h.way == NT_HASH_WRAPPED) { /* what is hashed counts from the period's beginning */
        h.start = (int32_t)base;
        base = 0;
    }
    int64_t bound = (base + (INT64_C(1) << 31)) >> 32; /* no other multiple of 2^32 is near */
    int64_t edge = bound * (INT64_C(1) << 32) - base;
    h.low = (uint32_t)base;
    h.edge = (int32_t)(edge > far ? far : edge < -far ? -far : edge);
    h.high = nt_upper_hash(axis->key, bound - 1);
    h.flip = h.high ^ nt_upper_hash(axis->key, bound);
    return h;
}

static inline u8 nt_run_hash_single(const struct nt_run_hash *h, i8 cell)
{
    u8 hash = {0};

    for (int k = 0; k < NT_LANES; k++)
        hash[k] = nt_axis_hash(h->axis, h->base + cell[k]);
    return hash;
}

/* Whether eight cells are at most a period away from the first cell's; *turns is how many further
 * they are, -1, 0 or 1. */
NT_INLINE bool nt_run_turns(const struct nt_run_hash *h, i8 cell, i8 *turns)
{
    *turns = splat_i8(0);
    if (h->way != NT_HASH_WRAPPED) /* a period that 32 bits can't hold tells nothing */
        return h->way == NT_HASH_ENDLESS;
    int32_t period = (int32_t)h->axis->period;
    i8 from = cell + h->start;

    *turns = negative_i8(from) - ~negative_i8(from - period);
    from -= *turns * period;
    return !nonzero_u8((u8)(negative_i8(from) | ~negative_i8(from - period)));
}

/* Hashes of eight cells, counted from the base. */
NT_INLINE u8 nt_run_hash(const struct nt_run_hash *h, i8 cell)
{
    i8 from = cell;

    if (h->way == NT_HASH_WRAPPED) {
        int32_t period = (int32_t)h->axis->period;
        from += h->start;
        from += negative_i8(from) & period;
        from -= ~negative_i8(from - period) & period;
        if (nonzero_u8((u8)(negative_i8(from) | ~negative_i8(from - period))))
            return nt_run_hash_single(h, cell);
    }
    if (h->way == NT_HASH_SINGLE)
        return nt_run_hash_single(h, cell);
    return nt_mix_u8(((u8)from + h->low) ^ h->high ^ ((u8)~negative_i8(from - h->edge) & h->flip)) ^
           h->key;
}

#endif
