/*
 * lattice.h - what kinds on a lattice share: hashing of nodes, the fade, axes (a tile's columns or
 * rows as cells and fractions) and the forms in which a kind is evaluated. All make the same
 * operations in the same order for a sample, hence the same bits.
 *
 * Every kind has the scatter form, for samples anywhere: planet, warp, lists of places. For tiles,
 * samples on rows and columns, it has one of two others:
 *   grid   for square cells. Everything that depends on x or y alone is worked out once per column
 *          and row, and each lattice node is hashed once. The eight lanes of a vector are eight
 *          rows; a row sees of the nodes only their blend, so no pixel gathers anything.
 *   strip  for simplices, whose cells stand aslant to rows and columns. Lanes are eight neighbours
 *          on a row, and what belongs to a cell is made once for all of a row's samples in it.
 *
 * Next: axis.c, then noise/perlin.c as the model of a kind with the grid form (lattice_kind.h makes
 * it), noise/simplex.c of one with strips (run_kind.h), and noise/runs.h, by which all scatter
 * forms share a cell's work among neighbours. cellular.c has a search of its own in both its forms.
 */
#ifndef NT_LATTICE_H
#define NT_LATTICE_H

#include "core/internal.h"
#include "core/lanes.h"

/* ---- Headroom -------------------------------------------------------------------------------- */

/*
 * Kinds are scaled to this instead of 1, so that rounding in kernel and octave sum (at most 32
 * octaves of a few half-ulps, 2^-24 each) can't carry a result past its bound.
 */
#define NT_UNITY (1.0f - 0x1p-17f)

/* ---- Hashing --------------------------------------------------------------------------------- */

/* A bijection of 32 bits with low bias: C. Wellons, "Prospecting for Hash Functions" (2018),
 * lowbias32. */
NT_INLINE uint32_t nt_mix32(uint32_t x)
{
    x ^= x >> 16;
    x *= UINT32_C(0x7feb352d);
    x ^= x >> 15;
    x *= UINT32_C(0x846ca68b);
    return x ^ x >> 16;
}

/* The same in eight lanes. */
NT_INLINE u8 nt_mix_u8(u8 x)
{
    x ^= x >> 16;
    x *= UINT32_C(0x7feb352d);
    x ^= x >> 15;
    x *= UINT32_C(0x846ca68b);
    return x ^ x >> 16;
}

/*
 * Hash of one cell number along one axis. Of the 64-bit number, the lower half goes through a
 * bijection (two of 2^32 neighbouring cells never share a hash), the upper half picks which.
 */
NT_INLINE uint32_t nt_upper_hash(uint64_t key, int64_t upper)
{
    return (uint32_t)((key ^ (uint64_t)upper) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

NT_INLINE uint32_t nt_cell_hash(uint64_t key, int64_t cell)
{
    return nt_mix32((uint32_t)cell ^ nt_upper_hash(key, cell >> 32)) ^ (uint32_t)key;
}

/* A node's 32 random bits from the sum of its axes' hashes. */
NT_INLINE u8 nt_node_hash(u8 sum)
{
    return nt_mix_u8(sum);
}

/* ---- Fade ------------------------------------------------------------------------------------ */

/* K. Perlin, "Improving Noise" (2002): 6t^5 - 15t^4 + 10t^3, flat in first and second derivative at
 * 0 and 1. */
#define NT_FADE(t) ((t) * (t) * (t) * ((t) * ((t)*6.0f - 15.0f) + 10.0f))

/* ---- Axes (axis.c) --------------------------------------------------------------------------- */

/*
 * One octave along one axis of a tile: for each of count positions its cell's slot, the fraction
 * inside the cell and its fade; for each of the lattice nodes touched, in order, its hash. A
 * position touches the nodes from slot on, as many as its kind wants before and after the cell's
 * own: most kinds that of the cell and the one after. Arrays are padded to a multiple of NT_LANES.
 */
struct nt_axis {
    int count, nodes;
    float *fraction, *fade; /* [count] */
    float *back;            /* [count]: fraction - 1, the way from the node behind */
    int32_t *slot;          /* [count], never falling */
    int32_t *end;           /* [count]: the position after the last one in the same cell */
    uint32_t *hash;         /* [nodes] */
};

/* Nodes that a kind touches next to a position's own. */
struct nt_reach {
    int before, after;
};

/* Bytes of the arrays of an axis with count positions. */
size_t nt_axis_size(int count, struct nt_reach reach);

/* Lays the arrays of *axis out in memory (nt_axis_size bytes, aligned) and works them out. */
void nt_axis_make(struct nt_axis *axis, const struct nt_octave *octave, int index,
                  const double *world, int count, struct nt_reach reach, void *memory);

/* One position along one axis: of a slice, or of a sample that shares its cell with no other. */
struct nt_point {
    float fraction, fade;
    uint32_t hash[2];
};

/* A position, in cells, as cell and fraction. */
struct nt_cell_place {
    int64_t cell;
    float fraction;
};
NT_INLINE struct nt_cell_place nt_cell_of(double p)
{
    int64_t cell = (int64_t)p; /* floor without the C library: |p| is far below 2^63 */

    cell -= p < (double)cell;
    return (struct nt_cell_place){cell, (float)(p - (double)cell)};
}

/* The cell that stands for any cell of an axis, its period taken into account. */
NT_INLINE int64_t nt_axis_cell(const struct nt_octave_axis *axis, int64_t cell)
{
    if (axis->period > 0 && (cell < 0 || cell >= axis->period)) {
        cell %= axis->period;
        cell += cell < 0 ? axis->period : 0;
    }
    return cell;
}

NT_INLINE uint32_t nt_axis_hash(const struct nt_octave_axis *axis, int64_t cell)
{
    return nt_cell_hash(axis->key, nt_axis_cell(axis, cell));
}

NT_INLINE struct nt_point nt_axis_point(const struct nt_octave *octave, int index, double world)
{
    const struct nt_octave_axis *lattice = &octave->axis[index];
    struct nt_cell_place place = nt_cell_of(world * lattice->frequency + lattice->offset);

    return (struct nt_point){
        place.fraction,
        NT_FADE(place.fraction),
        {nt_axis_hash(lattice, place.cell), nt_axis_hash(lattice, place.cell + 1)}};
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/* Some rows of a tile in one octave. Row r of the band is lane r % 8 of vector r / 8. */
struct nt_band {
    const struct nt_octave *octave;
    const struct nt_axis *x, *y;
    const struct nt_point *z; /* third coordinate of a slice, the same for all samples; else NULL */
    int first, rows; /* rows is a multiple of NT_LANES; those beyond y->count repeat the last */
    float gain;
    bool fresh;     /* the sum counts as 0, whatever it holds (nt_kernel.can_store) */
    float *sum;     /* [rows / 8][x->count][8]: the octave is added to it */
    float *scratch; /* nt_kernel.scratch floats for each slot of x */
};

/* Some rows of a tile in one octave, for kernels that work along rows. */
struct nt_strip {
    const struct nt_octave *octave;
    const double *x, *y; /* world coordinates of columns and rows */
    int columns, rows;
    float gain;
    float *sum; /* [rows][columns]: the octave is added to it */
};

/* Samples at arbitrary places in one octave. */
struct nt_scatter {
    const struct nt_octave *octave;
    const double
        *place[NT_AXES]; /* coordinates, [n] each; the third is for kernels of space only */
    bool level;          /* the third coordinate is the same for all */
    size_t n;
    float gain;
    float *sum; /* [n]: the octave is added to it */
    void *kept; /* nt_kernel.kept bytes, the first int 0 before the octave's first row; or NULL */
};

/* A kind in two or in three dimensions, at one instruction level. */
struct nt_kernel {
    /* For tiles, one of the two (the other is NULL); for samples anywhere. */
    void (*grid)(const struct nt_band *band);
    void (*strip)(const struct nt_strip *strip);
    void (*scatter)(const struct nt_scatter *points);
    /*
     * The largest value that any seed could give at a place (fractions of a cell of the kind's own
     * lattice): the way in for tests that show a bound to be kept everywhere and reached somewhere.
     */
    float (*worst)(const struct nt_octave *octave, const float *place);
    /* Bytes (aligned to 64, and a multiple) by which scatter knows an octave's cells again in the
     * next row. */
    size_t kept;
    /* Of the grid form alone: */
    struct nt_reach reach; /* nodes that a position touches */
    size_t scratch;        /* floats per node column, padded to NT_LANES columns */
    bool can_store;        /* heeds nt_band.fresh; without, the sum must have been cleared */
};

/* In the plane and in space, one for each level. */
NT_DECLARE_LEVELS(const struct nt_kernel, nt_perlin);
NT_DECLARE_LEVELS(const struct nt_kernel, nt_perlin_space);
NT_DECLARE_LEVELS(const struct nt_kernel, nt_simplex);
NT_DECLARE_LEVELS(const struct nt_kernel, nt_simplex_space);
NT_DECLARE_LEVELS(const struct nt_kernel, nt_opensimplex2s);
NT_DECLARE_LEVELS(const struct nt_kernel, nt_opensimplex2s_space);
NT_DECLARE_LEVELS(const struct nt_kernel, nt_value);
NT_DECLARE_LEVELS(const struct nt_kernel, nt_value_space);
NT_DECLARE_LEVELS(const struct nt_kernel, nt_cellular);
NT_DECLARE_LEVELS(const struct nt_kernel, nt_cellular_space);
NT_DECLARE_LEVELS(const struct nt_kernel, nt_white);
NT_DECLARE_LEVELS(const struct nt_kernel, nt_white_space);

/* What is not a kind but depends on the instruction level all the same (rows.c). */
struct nt_row_kernel {
    /*
     * The cells (whole numbers) of n positions, the fractions and their fades: what nt_cell_of
     * makes of world * frequency + offset, which must be below 2^51.
     */
    void (*locate)(double frequency, double offset, const double *world, int n, double *cell,
                   float *fraction, float *fade);
    /* Undoes a band's lanes: its first `rows` rows of `width` samples into field, row-major. */
    void (*unband)(const float *sum, int width, int rows, float *field);
    /* sum[i] += gain * (what the fractal makes of noise[i]); n is a multiple of NT_LANES */
    void (*fold)(int fractal, float gain, const float *noise, size_t n, float *sum);
};

NT_DECLARE_LEVELS(const struct nt_row_kernel, nt_rows);

/* ---- Node rows ------------------------------------------------------------------------------- */

/*
 * Values of whole rows of nodes, made when first needed and kept for the rows that follow. Eight
 * neighbouring rows of pixels touch at most sixteen rows of nodes, and never an earlier one again.
 */
enum { NT_NODE_ROWS = 16 };

struct nt_node_rows {
    float *values; /* [NT_NODE_ROWS][stride] */
    size_t stride;
    int held[NT_NODE_ROWS]; /* which row of nodes each place holds; -1 = none */
};

NT_INLINE void nt_node_rows_init(struct nt_node_rows *rows, float *memory, size_t stride)
{
    rows->values = memory;
    rows->stride = stride;
    for (int i = 0; i < NT_NODE_ROWS; i++)
        rows->held[i] = -1;
}

/* Place of a row of nodes; *stale tells that it must be filled. */
NT_INLINE float *nt_node_row(struct nt_node_rows *rows, int node, int *stale)
{
    int place = node % NT_NODE_ROWS;

    *stale = rows->held[place] != node;
    rows->held[place] = node;
    return rows->values + (size_t)place * rows->stride;
}

#endif
