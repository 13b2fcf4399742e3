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
 *   nt_runs_cells      for each eight positions and axis: splits them into cells and fractions
 *   nt_runs_id         for each eight: what else tells runs apart, as which simplex of a cell
 *   nt_runs_find       finds the runs; false: samples too far apart, take them one by one
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
    NT_RUNS_AXES = 6
};

struct nt_runs {
    int axes, samples, runs;
    float fraction[NT_RUNS_AXES][NT_RUNS_MOST];
    int64_t base[NT_RUNS_AXES]; /* cells are counted from here */
    int32_t cell[NT_RUNS_AXES + 1]
                [1 + NT_RUNS_MOST]; /* of samples from 1 on; behind the axes, ids */
    int32_t run_cell[NT_RUNS_AXES + 1][NT_RUNS_PADDED];
    uint8_t starts[NT_RUNS_GROUPS + 64 / NT_LANES]; /* bit k: sample k of the group begins a run */
    int16_t first[NT_RUNS_GROUPS];                  /* run of the group's first sample */
};

/* ---- Cells ----------------------------------------------------------------------------------- */

/*
 * Cells are counted from the first sample's, so that 32 bits are enough; or from 0 where numbers
 * are small. Subtracting the base changes no fraction: a position within half the base of it is
 * subtracted exactly (P. Sterbenz, "Floating-Point Computation", 1974).
 */
#define NT_RUNS_SMALL   (INT64_C(1) << 26)
#define NT_RUNS_AROUND0 (INT64_C(1) << 27) /* cells from a base of 0 */
#define NT_RUNS_AROUND  (INT64_C(1) << 25) /* cells from another base */

/* Added to a double below 2^51 it leaves its whole number in the lower bits. */
#define NT_TO_WHOLE      0x1.8p52
#define NT_TO_WHOLE_BITS INT64_C(0x4338000000000000)

/* What splitting positions along one axis needs and finds. A variable of its own, not in nt_runs:
 * so it stays in registers. */
struct nt_run_axis {
    d4 base;  /* positions are taken from here, to be small */
    d4 shift; /* and cells from `room` before, to be positive: NT_TO_WHOLE and the room */
    l4 reach; /* all bits of all cells */
    int64_t room;
};

NT_INLINE void nt_runs_begin(struct nt_runs *runs, int axes, size_t samples, const struct d8 *p,
                             struct nt_run_axis *state)
{
    runs->axes = axes;
    runs->samples = (int)samples;
    for (int axis = 0; axis < axes; axis++) {
        int64_t cell = nt_cell_of(p[axis].half[0][0]).cell;
        bool small = -NT_RUNS_SMALL < cell && cell < NT_RUNS_SMALL;
        int64_t base = small ? 0 : cell, room = small ? NT_RUNS_AROUND0 : NT_RUNS_AROUND;
        runs->base[axis] = base - room;
        state[axis] = (struct nt_run_axis){splat_d4((double)base),
                                           splat_d4(NT_TO_WHOLE + (double)room), (l4){0}, room};
    }
}

/*
 * Cells and fractions of samples i to i + 7 along one axis, as nt_cell_of has them; returns the
 * fractions.
 */
NT_INLINE f8 nt_runs_cells(struct nt_runs *runs, int axis, size_t i, struct d8 p,
                           struct nt_run_axis *state)
{
    f4 fraction[2];
    l4 cell[2];

    for (int h = 0; h < 2; h++) {
        d4 from_base = p.half[h] - state->base, whole = floor_d4(from_base);
        fraction[h] = __builtin_convertvector(from_base - whole, f4);
        cell[h] = (l4)(whole + state->shift);
        state->reach |= cell[h];
    }
    store_i8(runs->cell[axis] + 1 + i, narrow_l4(cell[0], cell[1]));
    f8 joined = join_f4(fraction[0], fraction[1]);
    store_f8(runs->fraction[axis] + i, joined);
    return joined;
}

NT_INLINE void nt_runs_id(struct nt_runs *runs, size_t i, i8 id)
{
    store_i8(runs->cell[runs->axes] + 1 + i, id);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* Lane k of row m: how many of bits 0 to k - 1 of m are set. */
#define NT_BELOW(m, k) __builtin_popcount((m) & ((1 << (k)) - 1))
#define NT_BELOW_1(m)                                                                      \
    {                                                                                      \
        0, NT_BELOW(m, 1), NT_BELOW(m, 2), NT_BELOW(m, 3), NT_BELOW(m, 4), NT_BELOW(m, 5), \
            NT_BELOW(m, 6), NT_BELOW(m, 7)                                                 \
    }
#define NT_BELOW_4(m)  NT_BELOW_1(m), NT_BELOW_1((m) + 1), NT_BELOW_1((m) + 2), NT_BELOW_1((m) + 3)
#define NT_BELOW_16(m) NT_BELOW_4(m), NT_BELOW_4((m) + 4), NT_BELOW_4((m) + 8), NT_BELOW_4((m) + 12)
#define NT_BELOW_64(m) \
    NT_BELOW_16(m), NT_BELOW_16((m) + 16), NT_BELOW_16((m) + 32), NT_BELOW_16((m) + 48)

/* A group's samples are as many runs on from its first as runs begin in between. */
static const int32_t nt_run_steps[128][NT_LANES] = {NT_BELOW_64(0), NT_BELOW_64(64)};

/* Marks the samples of a group that begin a run: which differ from the sample before. */
NT_INLINE unsigned nt_runs_starts(const struct nt_runs *runs, int keys, size_t i)
{
    u8 differs = {0};

    for (int key = 0; key < keys; key++)
        differs |= (u8)(load_i8(runs->cell[key] + 1 + i) ^ load_i8(runs->cell[key] + i));
    return mask_bits((u8)(differs == 0)) ^ 0xff;
}

/* Collects the cells of the runs that begin among 64 samples. */
NT_INLINE int nt_runs_collect(struct nt_runs *runs, int keys, size_t i, int run)
{
    uint64_t starts = 0;

    for (size_t g = 0; g < 64 / NT_LANES; g++)
        starts |= (uint64_t)runs->starts[i / NT_LANES + g] << g * NT_LANES;
    for (; starts; starts &= starts - 1, run++) {
        size_t sample = i + (size_t)__builtin_ctzll(starts);
        for (int key = 0; key < keys; key++)
            runs->run_cell[key][run] = runs->cell[key][1 + sample];
    }
    return run;
}

/* The last run is repeated, for a whole number of eights. */
NT_INLINE void nt_runs_pad(struct nt_runs *runs, int keys)
{
    for (int key = 0; key < keys; key++)
        store_i8(runs->run_cell[key] + runs->runs, splat_i8(runs->run_cell[key][runs->runs - 1]));
}

/* Whether all cells are near enough to their base. */
NT_INLINE bool nt_runs_are_near(int axes, const struct nt_run_axis *state)
{
    int64_t out = 0;

    for (int axis = 0; axis < axes; axis++) {
        l4 reach = state[axis].reach;
        out |= (reach[0] | reach[1] | reach[2] | reach[3]) & -2 * state[axis].room;
        out ^= NT_TO_WHOLE_BITS;
    }
    return out == 0;
}

/* `keys`: how many numbers tell runs apart: axes, and 1 more with nt_runs_id. */
NT_INLINE bool nt_runs_find(struct nt_runs *runs, int keys, const struct nt_run_axis *state)
{
    size_t groups = ((size_t)runs->samples + NT_LANES - 1) / NT_LANES;
    int run = -1, collected = 0;

    if (!nt_runs_are_near(runs->axes, state))
        return false;
    for (int key = 0; key < keys; key++)
        runs->cell[key][0] = runs->cell[key][1] - 1; /* so the first sample begins a run */
    for (size_t g = 0; g < groups; g++) {
        unsigned starts = nt_runs_starts(runs, keys, g * NT_LANES);
        runs->starts[g] = (uint8_t)starts;
        runs->first[g] = (int16_t)(run + (int)(starts & 1));
        run = run + (int)(starts & 1) + nt_run_steps[starts >> 1][7];
    }
    memset(runs->starts + groups, 0, 64 / NT_LANES); /* whole words */
    for (size_t i = 0; i < groups * NT_LANES; i += 64)
        collected = nt_runs_collect(runs, keys, i, collected);
    runs->runs = collected;
    nt_runs_pad(runs, keys);
    return true;
}

/* Where eight samples find their runs in a table: first, and each lane's distance from there. */
struct nt_run8 {
    int first;
    i8 step;
};

NT_INLINE struct nt_run8 nt_run_of(const struct nt_runs *runs, size_t i)
{
    size_t group = i / NT_LANES;

    return (struct nt_run8){runs->first[group], load_i8(nt_run_steps[runs->starts[group] >> 1])};
}

/* A table of one number for each run, NT_RUNS_PADDED long. */
NT_INLINE f8 nt_run_pick(const float *table, struct nt_run8 at)
{
    return pick_f8(table + at.first, at.step);
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

NT_INLINE uint32_t nt_high_hash(uint64_t key, int64_t high)
{
    return (uint32_t)(((key ^ (uint64_t)high) * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

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
    h.edge = edge > INT32_MAX ? INT32_MAX : (int32_t)edge;
    h.high = nt_high_hash(axis->key, bound - 1);
    h.flip = h.high ^ nt_high_hash(axis->key, bound);
    return h;
}

static inline u8 nt_run_hash_single(const struct nt_run_hash *h, i8 cell)
{
    u8 hash = {0};

    for (int k = 0; k < NT_LANES; k++)
        hash[k] = nt_axis_hash(h->axis, h->base + cell[k]);
    return hash;
}

/* How many periods further than the first cell eight cells are, if none is more than one: *turns is
 * -1, 0 or 1. */
NT_INLINE bool nt_run_turns(const struct nt_run_hash *h, i8 cell, i8 *turns)
{
    int32_t period = (int32_t)h->axis->period;
    i8 from = cell + h->start;

    *turns = splat_i8(0);
    if (h->way == NT_HASH_ENDLESS)
        return true;
    *turns = (from < 0) - (from >= period);
    return h->way == NT_HASH_WRAPPED &&
           !mask_bits((u8)((u8)(from - *turns * period) >= (uint32_t)period));
}

/* Hashes of eight cells, counted from the base. */
NT_INLINE u8 nt_run_hash(const struct nt_run_hash *h, i8 cell)
{
    i8 from = cell;

    if (h->way == NT_HASH_WRAPPED) {
        int32_t period = (int32_t)h->axis->period;
        from += h->start;
        from += (from < 0) & period;
        from -= (from >= period) & period;
        if (mask_bits((u8)((u8)from >= (uint32_t)period)))
            return nt_run_hash_single(h, cell);
    }
    if (h->way == NT_HASH_SINGLE)
        return nt_run_hash_single(h, cell);
    return nt_mix_u8(((u8)from + h->low) ^ h->high ^ ((u8)(from >= h->edge) & h->flip)) ^ h->key;
}

#endif
