/*
 * dialects.h - other people's published noise, reproduced to the bit and with its quirks: four
 * families, one file each. Their numbers are compared with what the originals computed in
 * tests/golden/test_dialects.c. Next: rombauts.c, splitmix.c, eiserloh.c, inoise.c.
 *
 * Every function here is pure, allocates nothing, calls no libm and may be called by several
 * threads at once; each evaluates one point. Positions are in the dialect's own unit and number
 * type: whoever has a double rounds it first. Where an original would convert a number that has no
 * int32_t (undefined in C and C++), the float dialects return NaN; nt_..._fits says beforehand
 * whether that can happen, so that a request can be refused. Unless said otherwise, the other
 * arguments may be any finite number.
 */
#ifndef NT_DIALECTS_H
#define NT_DIALECTS_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each float operation must round to float. gcc on s390x and x87 needs -fexcess-precision=fast or
 * -mfpmath=sse for that, or evaluates in a wider type and changes bits. */
/* 16 concerns half precision alone. */
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16,
               "float expressions are not evaluated in float");

/* ---- simplex-rombauts (rombauts.c) ----------------------------------------------------------- */

/*
 * Simplex noise in float: Sebastien Rombauts, SimplexNoise (C++, 2012...2018), after Stefan
 * Gustavson's public domain sdnoise (2005...2007) and Ken Perlin's permutation. 1-D and 2-D, no
 * seed. Values lie in [-1, 1].
 *
 * Quirks kept: in 2-D 60 of 64 hashes take the same axis for the long part of the gradient, so
 * slopes in x are 1.3 times those in y; every octave has the same lattice, so all are 0 at the
 * origin; the permutation repeats after 256 cells along a skewed axis: (201.9, -54.1),
 * (-54.1, 201.9) and their sum (147.8, 147.8) are periods, in 1-D 256 is one.
 */
/* Largest |x|, |y| of one octave: the sum of two skewed cell numbers still is an int32_t. */
#define NT_ROMBAUTS_REACH 5e8f

/* NaN beyond NT_ROMBAUTS_REACH. */
float nt_rombauts_1d(float x);
float nt_rombauts_2d(float x, float y);

struct nt_rombauts_fractal {
    size_t octaves;                                      /* 0 -> NaN, as 0/0 is */
    float frequency, amplitude, lacunarity, persistence; /* any sign */
};

/*
 * Sum of amplitude * noise(position * frequency), divided by the sum of the amplitudes, which
 * cancels `amplitude` itself. NaN if that divisor is 0 (no octaves, amplitude 0, persistence -1
 * with an even number of octaves) or if an octave is beyond NT_ROMBAUTS_REACH.
 */
float nt_rombauts_fractal_1d(const struct nt_rombauts_fractal *fractal, float x);
float nt_rombauts_fractal_2d(const struct nt_rombauts_fractal *fractal, float x, float y);

/* The sum of the amplitudes, as the fractal computes it: must be neither 0 nor infinite. */
float nt_rombauts_divisor(const struct nt_rombauts_fractal *fractal);

/* Whether every octave of every position with |x|, |y| <= reach is within NT_ROMBAUTS_REACH. */
bool nt_rombauts_fits(const struct nt_rombauts_fractal *fractal, float reach);

/* ---- simplex-splitmix (splitmix.c) ----------------------------------------------------------- */

/*
 * Simplex noise in double: Jonas Wagner, simplex-noise.js, after Stefan Gustavson's "Simplex noise
 * demystified" (2005), its permutation shuffled by splitmix32 (JavaScript version by bryc, with
 * constants found by Chris Wellons' hash prospector and TheIronBorn). 2-D. Values lie in [-1, 1].
 *
 * Quirks kept: only 32 bits of a seed count; the shuffle makes 255 draws; two thirds of the
 * gradients lie on an axis, the diagonal third is longer by sqrt(2); lattice and periods as in
 * simplex-rombauts; from 2^52 cells on there are no fractions left, and the noise dissolves.
 */
struct nt_splitmix {
    uint8_t perm[512];       /* a permutation of 0...255, twice */
    uint8_t perm_mod12[512]; /* the same modulo 12: gradients */
};

/* The generator's state for a seed: its whole part modulo 2^32, as JavaScript's `| 0` takes it
 * (1.5 -> 1, -1.5 -> 2^32 - 1; infinite or NaN -> 0). */
uint32_t nt_splitmix_seed_real(double seed);
uint32_t nt_splitmix_seed_integer(int64_t seed);

/* The next number of the generator. As a real number in [0, 1) it is meant divided by 2^32. */
uint32_t nt_splitmix_next(uint32_t *state);

/* Shuffles the permutation; `seed` is the state to start from. Afterwards the struct is read only.
 */
void nt_splitmix_init(struct nt_splitmix *noise, uint32_t seed);

/* Finite for |x|, |y| up to 2^1022. */
double nt_splitmix_2d(const struct nt_splitmix *noise, double x, double y);

struct nt_splitmix_fbm {
    double octaves; /* the loop runs while o < octaves: 2.5 means 3, 0 or less means 0 */
    double amplitude, frequency, persistence, lacunarity; /* any sign */
};

/* Sum of amplitude * noise(position * frequency), not divided by anything. */
double nt_splitmix_fbm_2d(const struct nt_splitmix *noise, const struct nt_splitmix_fbm *fbm,
                          double x, double y);

/* ---- perlin-eiserloh, perlin-eiserloh-recursive (eiserloh.c) --------------------------------- */

/*
 * Perlin noise in float: Squirrel Eiserloh, Compute2dPerlinNoise (teaching material of the SMU
 * Guildhall), with the integer hash of Hugo Elias (1998). 2-D; one form has a seed and takes unit
 * gradients from a table, the other has none and takes cosine and sine of an angle. One octave of
 * amplitude 1 lies in [-0.7072, 0.7072].
 *
 * Quirks kept: the fade is cubic; a node is hashed by x + 57 y, so (57, -1) cells is a period. Of
 * that number and of the seed the seeded form uses 8 bits: seeds 256 apart are equal, and whatever
 * solves x + 57 y = 0 modulo 256 is a period, such as (-1, 9), (28, 4) and (256, 0); moreover the
 * table's index is always odd. The table divides the circle by 255. All octaves have the same seed
 * and lattice, so all are 0 at the origin; the sum is not divided by anything.
 */
struct nt_eiserloh {
    size_t octaves; /* 0 -> 0 */
    float amplitude, persistence;
    float cell_size; /* of the first octave; each further one has half of it */
};

/* The dialect's cell size for a frequency: 1/frequency, divided in double, then rounded. */
float nt_eiserloh_cell_size(double frequency);

/* NaN where an octave's |position / cell size| is not below 2^31. Only the seed's value modulo 2^32
 * counts. The recursive form recurses at most 278 deep: by then any cell size is 0. */
float nt_eiserloh_2d(const struct nt_eiserloh *noise, uint32_t seed, float x, float y);
float nt_eiserloh_recursive_2d(const struct nt_eiserloh *noise, float x, float y);

/* Whether no position with |x|, |y| <= reach makes NaN. */
bool nt_eiserloh_fits(const struct nt_eiserloh *noise, float reach);

struct nt_eiserloh_unit {
    float x, y;
};

/* The parts, for tests: 31 bits for a node of the seeded form (cell numbers modulo 2^32); and the
 * gradients of the two forms for such bits. The table is indexed by hash & 255. */
uint32_t nt_eiserloh_hash(uint32_t x, uint32_t y, uint32_t seed);
struct nt_eiserloh_unit nt_eiserloh_table_unit(uint32_t hash);
struct nt_eiserloh_unit nt_eiserloh_angle_unit(uint32_t hash);

/* ---- inoise8, inoise16, inoise8-3.0, inoise16-3.0 (inoise.c) --------------------------------- */

/*
 * Gradient noise in whole numbers: FastLED's noise.cpp by Daniel Garcia, Mark Kriegsman and
 * contributors, after Ken Perlin's "Improving noise" (2002): as it is now, and as it was in 3.0
 * (2014). 2-D and 3-D, no seed. Coordinates are fixed point numbers with 8 or 16 bits after the
 * point; they wrap after 256 cells, which is a period of every axis (16-bit coordinates have bits
 * above that, which count for nothing). Values are 0...255 or 0...65535.
 *
 * Quirks kept: negating the smallest number gives itself; 8-bit values are even (now also 255,
 * which stands for whatever is outside: a raw -65 becomes 255); in 3.0 the fade is a parabola with
 * a kink at the far side of each cell, and averages and products lose half a bit.
 */
struct nt_inoise;
extern const struct nt_inoise nt_inoise8, nt_inoise16, nt_inoise8_3_0, nt_inoise16_3_0;

/* The largest value: 255 or 65535. */
uint32_t nt_inoise_top(const struct nt_inoise *noise);

/* Fixed point coordinate of a finite position in cells: floor(cells * 256) modulo 2^16, or
 * floor(cells * 65536) modulo 2^32. */
uint32_t nt_inoise_coordinate(const struct nt_inoise *noise, double cells);

/* The interpolated gradients before scaling: an int8_t or int16_t. 8-bit kinds ignore the upper
 * half of coordinates. */
int32_t nt_inoise_raw_2d(const struct nt_inoise *noise, uint32_t x, uint32_t y);
int32_t nt_inoise_raw_3d(const struct nt_inoise *noise, uint32_t x, uint32_t y, uint32_t z);

uint32_t nt_inoise_2d(const struct nt_inoise *noise, uint32_t x, uint32_t y);
uint32_t nt_inoise_3d(const struct nt_inoise *noise, uint32_t x, uint32_t y, uint32_t z);

/*
 * One sample of the octave-major fill: octave o adds noise(coordinates << o) >> o, saturating. No
 * octaves are 0; octaves beyond the number of bits add nothing.
 */
uint32_t nt_inoise_fill(const struct nt_inoise *noise, uint32_t x, uint32_t y, uint32_t z,
                        size_t octaves);

/* The fill of a matrix, as the original lays it out: out[i * ny + j] is the sample at
 * (x + i * step, y + j * step, z). */
void nt_inoise_fill_grid(const struct nt_inoise *noise, uint32_t x, uint32_t y, uint32_t z,
                         uint32_t step, size_t octaves, size_t nx, size_t ny, uint16_t *out);

#endif
