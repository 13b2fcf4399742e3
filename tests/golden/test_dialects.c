/*
 * The dialects against what their originals computed: every row and every column of the golden
 * files beside this one, then what is known about each dialect. tests/golden/x.csv came from the
 * originals themselves, compiled or run unmodified with contraction off.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/dialects/dialects.h"
#include "core/dialects/permutation.h"
#include "core/dialects/whole.h"
#include "tests/suites.h"
#include "tests/support/csv.h"
#include "tests/support/tiles.h"

/* ---- Comparing ------------------------------------------------------------------------------- */

/* Equal to the bit, or both NaN, whose bits mean nothing. */
static bool same_double(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool same_float(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void expect(bool right, const struct csv *csv, size_t row, double got)
{
    if (!right)
        ck_abort_msg("%s: row %zu: got %.17g", csv->path, row + 1, got);
}

static void expect_float(const struct csv *csv, size_t row, size_t column, float got)
{
    expect(same_float(got, csv_float(csv, row, column)), csv, row, (double)got);
}

static void expect_double(const struct csv *csv, size_t row, size_t column, double got)
{
    expect(same_double(got, csv_double(csv, row, column)), csv, row, got);
}

static void expect_integer(const struct csv *csv, size_t row, size_t column, int64_t got)
{
    expect(got == csv_integer(csv, row, column), csv, row, (double)got);
}

static uint32_t csv_u32(const struct csv *csv, size_t row, size_t column)
{
    return (uint32_t)csv_integer(csv, row, column);
}

/* ---- Golden: Perlin's permutation and simplex-rombauts --------------------------------------- */

START_TEST(the_permutation_is_perlins)
{
    struct csv csv = csv_load("tests/golden/perlin_permutation.csv", "index,value", 256);

    for (size_t row = 0; row < csv.rows; row++) {
        expect_integer(&csv, row, 0, (int64_t)row);
        expect_integer(&csv, row, 1, nt_permutation[row]);
    }
    ck_assert_int_eq(nt_permutation[256], nt_permutation[0]);
    csv_free(&csv);
}
END_TEST

START_TEST(rombauts_1d_is_the_originals)
{
    struct csv csv = csv_load("tests/golden/rombauts_1d.csv", "x,value", 2042);

    for (size_t row = 0; row < csv.rows; row++)
        expect_float(&csv, row, 1, nt_rombauts_1d(csv_float(&csv, row, 0)));
    csv_free(&csv);
}
END_TEST

START_TEST(rombauts_2d_is_the_originals)
{
    struct csv csv = csv_load("tests/golden/rombauts_2d.csv", "x,y,value", 2082);

    for (size_t row = 0; row < csv.rows; row++)
        expect_float(&csv, row, 2,
                     nt_rombauts_2d(csv_float(&csv, row, 0), csv_float(&csv, row, 1)));
    csv_free(&csv);
}
END_TEST

static struct nt_rombauts_fractal rombauts_fractal_of(const struct csv *csv, size_t row)
{
    return (struct nt_rombauts_fractal){(size_t)csv_integer(csv, row, 0), csv_float(csv, row, 1),
                                        csv_float(csv, row, 2), csv_float(csv, row, 3),
                                        csv_float(csv, row, 4)};
}

START_TEST(rombauts_fractal_1d_is_the_originals)
{
    struct csv csv = csv_load("tests/golden/rombauts_fractal_1d.csv",
                              "octaves,frequency,amplitude,lacunarity,persistence,x,value", 1354);

    for (size_t row = 0; row < csv.rows; row++) {
        struct nt_rombauts_fractal fractal = rombauts_fractal_of(&csv, row);
        expect_float(&csv, row, 6, nt_rombauts_fractal_1d(&fractal, csv_float(&csv, row, 5)));
    }
    csv_free(&csv);
}
END_TEST

START_TEST(rombauts_fractal_2d_is_the_originals)
{
    struct csv csv = csv_load("tests/golden/rombauts_fractal_2d.csv",
                              "octaves,frequency,amplitude,lacunarity,persistence,x,y,value", 1522);

    for (size_t row = 0; row < csv.rows; row++) {
        struct nt_rombauts_fractal fractal = rombauts_fractal_of(&csv, row);
        float x = csv_float(&csv, row, 5), y = csv_float(&csv, row, 6);
        expect_float(&csv, row, 7, nt_rombauts_fractal_2d(&fractal, x, y));
    }
    csv_free(&csv);
}
END_TEST

/* ---- Golden: simplex-splitmix ---------------------------------------------------------------- */

START_TEST(splitmix_draws_the_originals_numbers)
{
    struct csv csv = csv_load("tests/golden/js_splitmix32.csv", "seed,k,u32", 169);

    for (size_t row = 0; row < csv.rows; row++) {
        uint32_t state = nt_splitmix_seed_real(csv_double(&csv, row, 0)), drawn = 0;
        for (int64_t k = csv_integer(&csv, row, 1); k >= 0; k--)
            drawn = nt_splitmix_next(&state);
        expect_integer(&csv, row, 2, drawn);
    }
    csv_free(&csv);
}
END_TEST

START_TEST(splitmix_shuffles_the_originals_permutations)
{
    char header[2048] = "seed";
    size_t len = strlen(header);

    for (int i = 0; i < 256; i++)
        len += (size_t)snprintf(header + len, sizeof header - len, ",p%d", i);
    struct csv csv = csv_load("tests/golden/js_perm.csv", header, 12);
    for (size_t row = 0; row < csv.rows; row++) {
        struct nt_splitmix noise;
        nt_splitmix_init(&noise, nt_splitmix_seed_real(csv_double(&csv, row, 0)));
        for (size_t k = 0; k < 512; k++) {
            expect_integer(&csv, row, 1 + k % 256, noise.perm[k]);
            ck_assert_int_eq(noise.perm_mod12[k], noise.perm[k] % 12);
        }
    }
    csv_free(&csv);
}
END_TEST

START_TEST(splitmix_2d_is_the_originals)
{
    struct csv csv = csv_load("tests/golden/js_simplex2d.csv", "seed,x,y,value", 2921);

    for (size_t row = 0; row < csv.rows; row++) {
        struct nt_splitmix noise;
        nt_splitmix_init(&noise, nt_splitmix_seed_real(csv_double(&csv, row, 0)));
        double x = csv_double(&csv, row, 1), y = csv_double(&csv, row, 2);
        expect_double(&csv, row, 3, nt_splitmix_2d(&noise, x, y));
    }
    csv_free(&csv);
}
END_TEST

START_TEST(splitmix_fbm_is_the_originals)
{
    struct csv csv =
        csv_load("tests/golden/js_fbm2d.csv",
                 "seed,octaves,amplitude,frequency,persistence,lacunarity,x,y,value", 1354);

    for (size_t row = 0; row < csv.rows; row++) {
        struct nt_splitmix noise;
        struct nt_splitmix_fbm fbm = {
            .octaves = csv_double(&csv, row, 1),
            .amplitude = csv_double(&csv, row, 2),
            .frequency = csv_double(&csv, row, 3),
            .persistence = csv_double(&csv, row, 4),
            .lacunarity = csv_double(&csv, row, 5),
        };
        nt_splitmix_init(&noise, nt_splitmix_seed_real(csv_double(&csv, row, 0)));
        double x = csv_double(&csv, row, 6), y = csv_double(&csv, row, 7);
        expect_double(&csv, row, 8, nt_splitmix_fbm_2d(&noise, &fbm, x, y));
    }
    csv_free(&csv);
}
END_TEST

/* ---- Golden: perlin-eiserloh ----------------------------------------------------------------- */

START_TEST(eiserloh_hashes_as_the_original)
{
    struct csv csv =
        csv_load("tests/golden/eiserloh_hash.csv", "x,y,seed,hash31,index,gx,gy", 1116);

    for (size_t row = 0; row < csv.rows; row++) {
        uint32_t hash =
            nt_eiserloh_hash(csv_u32(&csv, row, 0), csv_u32(&csv, row, 1), csv_u32(&csv, row, 2));
        expect_integer(&csv, row, 3, hash);
        expect_integer(&csv, row, 4, hash & 255);
        expect_float(&csv, row, 5, nt_eiserloh_table_unit(hash).x);
        expect_float(&csv, row, 6, nt_eiserloh_table_unit(hash).y);
    }
    csv_free(&csv);
}
END_TEST

static struct nt_eiserloh eiserloh_of(const struct csv *csv, size_t row)
{
    return (struct nt_eiserloh){.cell_size = csv_float(csv, row, 2),
                                .octaves = (size_t)csv_integer(csv, row, 3),
                                .amplitude = csv_float(csv, row, 4),
                                .persistence = csv_float(csv, row, 5)};
}

START_TEST(eiserloh_2d_is_the_originals)
{
    struct csv csv =
        csv_load("tests/golden/eiserloh_perlin2d.csv",
                 "x,y,gridCellSize,numOctaves,baseAmplitude,persistance,randomSeed,value", 1266);

    for (size_t row = 0; row < csv.rows; row++) {
        struct nt_eiserloh noise = eiserloh_of(&csv, row);
        float x = csv_float(&csv, row, 0), y = csv_float(&csv, row, 1);
        expect_float(&csv, row, 7, nt_eiserloh_2d(&noise, csv_u32(&csv, row, 6), x, y));
    }
    csv_free(&csv);
}
END_TEST

START_TEST(eiserloh_recursive_2d_is_within_2e_6_of_the_originals)
{
    struct csv csv = csv_load("tests/golden/eiserloh_perlin2d_unseeded.csv",
                              "x,y,gridCellSize,numOctaves,baseAmplitude,persistance,value", 1288);

    for (size_t row = 0; row < csv.rows; row++) {
        struct nt_eiserloh noise = eiserloh_of(&csv, row);
        float x = csv_float(&csv, row, 0), y = csv_float(&csv, row, 1);
        float got = nt_eiserloh_recursive_2d(&noise, x, y);
        expect(fabsf(got - csv_float(&csv, row, 6)) <= 2e-6f, &csv, row, (double)got);
    }
    csv_free(&csv);
}
END_TEST

/* ---- Golden: inoise -------------------------------------------------------------------------- */

static void check_inoise_2d(const struct nt_inoise *noise, const char *path, size_t rows)
{
    struct csv csv = csv_load(path, "x,y,value,raw", rows);

    for (size_t row = 0; row < csv.rows; row++) {
        uint32_t x = csv_u32(&csv, row, 0), y = csv_u32(&csv, row, 1);
        expect_integer(&csv, row, 2, nt_inoise_2d(noise, x, y));
        expect_integer(&csv, row, 3, nt_inoise_raw_2d(noise, x, y));
    }
    csv_free(&csv);
}

static void check_inoise_3d(const struct nt_inoise *noise, const char *path, size_t rows)
{
    struct csv csv = csv_load(path, "x,y,z,value,raw", rows);

    for (size_t row = 0; row < csv.rows; row++) {
        uint32_t x = csv_u32(&csv, row, 0), y = csv_u32(&csv, row, 1), z = csv_u32(&csv, row, 2);
        expect_integer(&csv, row, 3, nt_inoise_3d(noise, x, y, z));
        expect_integer(&csv, row, 4, nt_inoise_raw_3d(noise, x, y, z));
    }
    csv_free(&csv);
}

START_TEST(inoise_2d_is_the_originals)
{
    check_inoise_2d(&nt_inoise8, "tests/golden/fastled_inoise8_2d.csv", 2391);
    check_inoise_2d(&nt_inoise16, "tests/golden/fastled_inoise16_2d.csv", 2028);
    check_inoise_2d(&nt_inoise8_3_0, "tests/golden/fastled_inoise8_2d_v300.csv", 2436);
    check_inoise_2d(&nt_inoise16_3_0, "tests/golden/fastled_inoise16_2d_v300.csv", 1979);
}
END_TEST

START_TEST(inoise_3d_is_the_originals)
{
    check_inoise_3d(&nt_inoise8, "tests/golden/fastled_inoise8_3d.csv", 2208);
    check_inoise_3d(&nt_inoise16, "tests/golden/fastled_inoise16_3d.csv", 1995);
    check_inoise_3d(&nt_inoise8_3_0, "tests/golden/fastled_inoise8_3d_v300.csv", 2299);
    check_inoise_3d(&nt_inoise16_3_0, "tests/golden/fastled_inoise16_3d_v300.csv", 1980);
}
END_TEST

/* Each row is one element of a matrix that is filled as a whole. */
static void check_fill(const struct nt_inoise *noise, const char *path)
{
    enum { MOST = 32 };
    struct csv csv = csv_load(path, "x,y,z,adj,nOctaves,NX,NY,i,j,value", 419);
    static uint16_t matrix[MOST * MOST];

    for (size_t row = 0; row < csv.rows; row++) {
        uint32_t x = csv_u32(&csv, row, 0), y = csv_u32(&csv, row, 1), z = csv_u32(&csv, row, 2);
        uint32_t step = csv_u32(&csv, row, 3), i = csv_u32(&csv, row, 7), j = csv_u32(&csv, row, 8);
        size_t octaves = csv_u32(&csv, row, 4), nx = csv_u32(&csv, row, 5),
               ny = csv_u32(&csv, row, 6);
        ck_assert(nx <= MOST && ny <= MOST && i < nx && j < ny);
        nt_inoise_fill_grid(noise, x, y, z, step, octaves, nx, ny, matrix);
        expect_integer(&csv, row, 9, matrix[i * ny + j]);
        expect_integer(&csv, row, 9, nt_inoise_fill(noise, x + i * step, y + j * step, z, octaves));
    }
    csv_free(&csv);
}

START_TEST(inoise_fill_is_the_originals)
{
    check_fill(&nt_inoise8, "tests/golden/fastled_fill8.csv");
    check_fill(&nt_inoise8_3_0, "tests/golden/fastled_fill8_v300.csv");
}
END_TEST

/* ---- Quirks that are kept -------------------------------------------------------------------- */

enum { SAMPLES = 1000000 };

static float random_within(uint64_t *state, float reach)
{
    return (float)(2.0 * random_unit(state) - 1.0) * reach;
}

START_TEST(n37_rombauts_slopes_more_in_x)
{
    const float h = 0x1p-6f;
    double dx = 0, dy = 0;
    uint64_t state = 37;

    for (size_t i = 0; i < SAMPLES * long_factor(); i++) {
        float x = random_within(&state, 200), y = random_within(&state, 200);
        float n = nt_rombauts_2d(x, y);
        dx += pow((double)(nt_rombauts_2d(x + h, y) - n), 2);
        dy += pow((double)(nt_rombauts_2d(x, y + h) - n), 2);
    }
    double ratio = sqrt(dx / dy);
    ck_assert_msg(ratio > 1.25 && ratio < 1.37, "%g", ratio);
}
END_TEST

static const struct nt_eiserloh eiserloh_octave = {1, 1.0f, 0.5f, 1.0f};

/* Each dialect as a function of a position in cells, for what is common to all. */
static double rombauts_at(double x, double y)
{
    return (double)nt_rombauts_2d((float)x, (float)y);
}

static double rombauts_1d_at(double x, double y)
{
    (void)y;
    return (double)nt_rombauts_1d((float)x);
}

static double splitmix_at(double x, double y)
{
    static struct nt_splitmix noise;

    if (noise.perm[0] == noise.perm[1]) /* not yet shuffled */
        nt_splitmix_init(&noise, 0);
    return nt_splitmix_2d(&noise, x, y);
}

static double eiserloh_at(double x, double y)
{
    return (double)nt_eiserloh_2d(&eiserloh_octave, 7, (float)x, (float)y);
}

static double recursive_at(double x, double y)
{
    return (double)nt_eiserloh_recursive_2d(&eiserloh_octave, (float)x, (float)y);
}

static double inoise_at(const struct nt_inoise *noise, double x, double y)
{
    return nt_inoise_2d(noise, nt_inoise_coordinate(noise, x), nt_inoise_coordinate(noise, y));
}

static double inoise8_at(double x, double y)
{
    return inoise_at(&nt_inoise8, x, y);
}

static double inoise16_at(double x, double y)
{
    return inoise_at(&nt_inoise16, x, y);
}

static double inoise8_3_0_at(double x, double y)
{
    return inoise_at(&nt_inoise8_3_0, x, y);
}

static double inoise16_3_0_at(double x, double y)
{
    return inoise_at(&nt_inoise16_3_0, x, y);
}

static double correlation_at(double (*at)(double, double), double x, double y)
{
    enum { N = 40000 };
    double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    uint64_t state = 19;

    for (int i = 0; i < N; i++) {
        /* Multiples of 2^-12, which a float has room for after the lag, too. */
        double u = floor((random_unit(&state) - 0.5) * 0x1p21) * 0x1p-12;
        double v = floor((random_unit(&state) - 0.5) * 0x1p21) * 0x1p-12;
        double p = at(u, v), q = at(u + x, v + y);
        a += p / N, b += q / N, aa += p * p / N, bb += q * q / N, ab += p * q / N;
    }
    return (ab - a * b) / sqrt((aa - a * a) * (bb - b * b));
}

/* 256 cells of the skewed lattice, as a vector. */
#define NEAR_256 (256 - 256 * (3 - 1.7320508075688772) / 6)
#define OFF_256  (-256 * (3 - 1.7320508075688772) / 6)

enum { LAGS = 5 };

static void check_periods(const char *name, double (*at)(double, double),
                          const double lags[LAGS][2], int periods)
{
    for (int k = 0; k < LAGS; k++) {
        double r = correlation_at(at, lags[k][0], lags[k][1]);
        ck_assert_msg(k < periods ? r > 0.99999 : fabs(r) < 0.3, "%s at (%g, %g): %g", name,
                      lags[k][0], lags[k][1], r);
    }
}

START_TEST(n19_the_dialects_repeat_where_their_originals_do)
{
    static const double skewed[LAGS][2] = {{NEAR_256, OFF_256},
                                           {OFF_256, NEAR_256},
                                           {NEAR_256 + OFF_256, NEAR_256 + OFF_256},
                                           {256, 0},
                                           {0, 256}};
    static const double line[LAGS][2] = {{256, 0}, {-512, 0}, {128, 0}, {64, 0}, {100, 0}};
    static const double sums[LAGS][2] = {{57, -1}, {-1, 9}, {28, 4}, {256, 0}, {0, 256}};
    static const double one_sum[LAGS][2] = {{57, -1}, {-114, 2}, {-1, 9}, {28, 4}, {256, 0}};
    static const double square[LAGS][2] = {{256, 0}, {0, 256}, {-512, 256}, {128, 0}, {0, 128}};

    check_periods("rombauts", rombauts_at, skewed, 3);
    check_periods("rombauts 1-D", rombauts_1d_at, line, 2);
    check_periods("splitmix", splitmix_at, skewed, 3);
    check_periods("eiserloh", eiserloh_at, sums, 5);
    check_periods("recursive", recursive_at, one_sum, 2);
    check_periods("inoise8", inoise8_at, square, 3);
    check_periods("inoise16", inoise16_at, square, 3);
    check_periods("inoise8-3.0", inoise8_3_0_at, square, 3);
    check_periods("inoise16-3.0", inoise16_3_0_at, square, 3);
}
END_TEST

START_TEST(n7_seed_0_of_splitmix_is_as_random_as_any)
{
    static struct nt_splitmix noise[2];
    int kept = 0;

    for (uint32_t seed = 0; seed < 2; seed++)
        nt_splitmix_init(&noise[seed], seed);
    for (int i = 0; i < 255; i++)
        kept += noise[0].perm[i + 1] == noise[0].perm[i] + 1;
    ck_assert_int_lt(kept, 6);
    for (int lag = 1; lag <= 64; lag++) {
        double r[2];
        for (int seed = 0; seed < 2; seed++) {
            double sum = 0, ends = 0, squares = 0;
            for (int i = 0; i < 65536; i++) {
                double x = i % 256 + 0.3, y = i / 256 * 0.73;
                double a = nt_splitmix_2d(&noise[seed], x, y);
                double b = nt_splitmix_2d(&noise[seed], x + lag, y);
                sum += a * b, squares += a * a, ends += b * b;
            }
            r[seed] = sum / sqrt(squares * ends);
        }
        ck_assert_msg(fabs(r[0]) < fabs(r[1]) + 0.3, "lag %d: %g, seed 1: %g", lag, r[0], r[1]);
    }
}
END_TEST

START_TEST(n24_only_32_bits_of_a_splitmix_seed_count)
{
    ck_assert_uint_eq(nt_splitmix_seed_real(0x1p32), nt_splitmix_seed_real(0));
    ck_assert_uint_eq(nt_splitmix_seed_real(-1.5), 0xffffffff);
    ck_assert_uint_eq(nt_splitmix_seed_real(0.999), 0);
    ck_assert_uint_eq(nt_splitmix_seed_real(-0.999), 0);
    ck_assert_uint_eq(nt_splitmix_seed_real(0x1p84), 0);
    ck_assert_uint_eq(nt_splitmix_seed_real(0x1.0000000000001p63), 2048);
    ck_assert_uint_eq(nt_splitmix_seed_real(-0x1.0000000000001p63), 0u - 2048);
    ck_assert_uint_eq(nt_splitmix_seed_real(-DBL_MAX), 0);
    ck_assert_uint_eq(nt_splitmix_seed_real((double)INFINITY), 0);
    ck_assert_uint_eq(nt_splitmix_seed_real((double)NAN), 0);
    ck_assert_uint_eq(nt_splitmix_seed_integer(INT64_MIN), 0);
    ck_assert_uint_eq(nt_splitmix_seed_integer(INT64_MAX), 0xffffffff);
    ck_assert_uint_eq(nt_splitmix_seed_integer(4294967297), 1);
    ck_assert_uint_eq(nt_splitmix_seed_integer(-5), nt_splitmix_seed_real(-5));
}
END_TEST

START_TEST(only_8_bits_of_an_eiserloh_seed_count)
{
    uint64_t state = 24;
    int differ = 0;

    for (int i = 0; i < 10000; i++) {
        uint32_t x = random_u32(&state), y = random_u32(&state), seed = random_u32(&state);
        uint32_t index = nt_eiserloh_hash(x, y, seed) & 255;
        ck_assert_uint_eq(index & 1, 1);
        ck_assert_uint_eq(nt_eiserloh_hash(x, y, seed + 256) & 255, index);
        differ += (nt_eiserloh_hash(x, y, seed + 1) & 255) != index;
    }
    ck_assert_int_gt(differ, 9000);
}
END_TEST

START_TEST(n20_all_octaves_are_0_at_the_origin)
{
    struct nt_rombauts_fractal rombauts = {8, 3.0f, 1.0f, 2.0f, 1.0f};
    struct nt_splitmix_fbm fbm = {8, 1, 3, 1, 2};
    struct nt_eiserloh eiserloh = {8, 1.0f, 1.0f, 0.3f};
    struct nt_splitmix noise;

    nt_splitmix_init(&noise, 5);
    ck_assert(nt_rombauts_fractal_2d(&rombauts, 0, 0) == 0);
    ck_assert(nt_splitmix_fbm_2d(&noise, &fbm, 0, 0) == 0);
    ck_assert(nt_eiserloh_2d(&eiserloh, 3, 0, 0) == 0);
    ck_assert(nt_eiserloh_recursive_2d(&eiserloh, 0, 0) == 0);
}
END_TEST

/* ---- Ranges ---------------------------------------------------------------------------------- */

/* Largest and smallest value of many places around the origin. */
static void check_range(const char *name, double (*at)(double, double), double low, double high,
                        double part)
{
    double least = DBL_MAX, most = -DBL_MAX, middle = (low + high) / 2, half = (high - low) / 2;
    uint64_t state = 12;

    for (size_t i = 0; i < SAMPLES * long_factor(); i++) {
        double v = at((random_unit(&state) - 0.5) * 600, (random_unit(&state) - 0.5) * 600);
        least = v < least ? v : least;
        most = v > most ? v : most;
        if (!(v >= low && v <= high))
            ck_abort_msg("%s reaches %.17g", name, v);
    }
    ck_assert_msg(most > middle + part * half && least < middle - part * half, "%s: %g...%g", name,
                  least, most);
}

START_TEST(values_stay_in_their_range_and_fill_it)
{
    check_range("rombauts", rombauts_at, -1, 1, 0.98);
    check_range("rombauts 1-D", rombauts_1d_at, -1, 1, 0.9);
    check_range("splitmix", splitmix_at, -1, 1, 0.98);
    check_range("eiserloh", eiserloh_at, -0.7072, 0.7072, 0.9);
    check_range("recursive", recursive_at, -0.7072, 0.7072, 0.9);
    check_range("inoise8", inoise8_at, 0, 255, 0.9);
    check_range("inoise16", inoise16_at, 0, 65535, 0.7);
    check_range("inoise8-3.0", inoise8_3_0_at, 0, 255, 0.9);
    check_range("inoise16-3.0", inoise16_3_0_at, 0, 65535, 0.7);
}
END_TEST

/* ---- Extremes: run these under UBSan, too ---------------------------------------------------- */

static const float hard_floats[] = {
    0.0f,          -0.0f,          FLT_TRUE_MIN,  -FLT_TRUE_MIN,  0.99999994f,   -0.99999994f,
    1.0f,          -1.0f,          0.5f,          -0.5f,          16777216.0f,   -16777217.0f,
    5e8f,          -5e8f,          500000032.0f,  -500000032.0f,  2147483520.0f, -2147483520.0f,
    2147483648.0f, -2147483648.0f, 4294967296.0f, -4294967296.0f, 1e30f,         -1e30f,
    FLT_MAX,       -FLT_MAX,       INFINITY,      -INFINITY,      NAN,           123456.789f,
};
enum { HARD_FLOATS = sizeof hard_floats / sizeof *hard_floats };

START_TEST(rombauts_is_a_number_exactly_within_its_reach)
{
    for (int i = 0; i < HARD_FLOATS; i++) {
        float x = hard_floats[i];
        bool in = fabsf(x) <= NT_ROMBAUTS_REACH;
        ck_assert(isnan(nt_rombauts_1d(x)) == !in);
        for (int j = 0; j < HARD_FLOATS; j++) {
            float y = hard_floats[j];
            bool both = in && fabsf(y) <= NT_ROMBAUTS_REACH;
            ck_assert_msg(isnan(nt_rombauts_2d(x, y)) == !both, "(%g, %g)", (double)x, (double)y);
        }
    }
}
END_TEST

START_TEST(rombauts_fits_says_whether_a_fractal_is_a_number)
{
    int fitting = 0;

    for (int i = 0; i < HARD_FLOATS; i++)
        for (int f = 0; f < HARD_FLOATS; f++)
            for (size_t octaves = 1; octaves <= 32; octaves += 31) {
                struct nt_rombauts_fractal fractal = {octaves, hard_floats[f], 1.0f, 8.0f, 0.5f};
                bool fits = nt_rombauts_fits(&fractal, fabsf(hard_floats[i]));
                float v = nt_rombauts_fractal_2d(&fractal, hard_floats[i], -hard_floats[i]);
                ck_assert(isnan(v) == !fits);
                ck_assert(isnan(nt_rombauts_fractal_1d(&fractal, hard_floats[i])) == !fits);
                fitting += fits;
            }
    ck_assert_int_gt(fitting, 100);
}
END_TEST

START_TEST(a_rombauts_fractal_without_a_divisor_is_nan)
{
    struct nt_rombauts_fractal fractal = {4, 0.3f, 1.0f, 2.0f, -1.0f};

    ck_assert(nt_rombauts_divisor(&fractal) == 0);
    ck_assert(isnan(nt_rombauts_fractal_1d(&fractal, 0.3f)));
    ck_assert(isnan(nt_rombauts_fractal_2d(&fractal, 0.3f, 0.4f)));
    fractal.octaves = 3;
    ck_assert(nt_rombauts_divisor(&fractal) == 1);
    ck_assert(isfinite(nt_rombauts_fractal_2d(&fractal, 0.3f, 0.4f)));
    fractal = (struct nt_rombauts_fractal){0, 1.0f, 1.0f, 2.0f, 0.5f};
    ck_assert(nt_rombauts_divisor(&fractal) == 0);
}
END_TEST

START_TEST(eiserloh_fits_says_whether_it_is_a_number)
{
    int fitting = 0;

    for (int i = 0; i < HARD_FLOATS; i++)
        for (int c = 0; c < HARD_FLOATS; c++)
            for (size_t octaves = 0; octaves <= 300; octaves += 15) {
                struct nt_eiserloh noise = {octaves, 1.0f, 0.5f, hard_floats[c]};
                bool fits = nt_eiserloh_fits(&noise, fabsf(hard_floats[i]));
                float x = hard_floats[i];
                ck_assert(isnan(nt_eiserloh_2d(&noise, 0x80000000u, x, -x)) == !fits);
                ck_assert(isnan(nt_eiserloh_recursive_2d(&noise, x, -x)) == !fits);
                fitting += fits;
            }
    ck_assert_int_gt(fitting, 1000);
}
END_TEST

START_TEST(eiserloh_recursion_ends_however_many_octaves)
{
    struct nt_eiserloh noise = {SIZE_MAX, 1.0f, 1.0f, FLT_MAX};

    ck_assert(isnan(nt_eiserloh_recursive_2d(&noise, 0, 0)));
    ck_assert(isnan(nt_eiserloh_2d(&noise, 0, 0, 0)));
}
END_TEST

START_TEST(splitmix_is_finite_for_all_but_the_largest)
{
    static const double hard[] = {0.0,      -0.0,     DBL_TRUE_MIN, 0x1p31,     -0x1p31, 0x1p32,
                                  0x1p52,   -0x1p52,  0x1p53,       -0x1p63,    0x1p63,  0x1p64,
                                  -0x1p100, 0x1p144,  1e160,        -1e160,     1e300,   -1e300,
                                  -1e-300,  0x1p1022, -0x1p1022,    DBL_MAX / 4};
    struct nt_splitmix noise;

    nt_splitmix_init(&noise, 9);
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
        for (size_t j = 0; j < sizeof hard / sizeof *hard; j++)
            if (fabs(hard[i]) <= 0x1p1022 && fabs(hard[j]) <= 0x1p1022)
                ck_assert_msg(fabs(nt_splitmix_2d(&noise, hard[i], hard[j])) <= 1, "(%g, %g)",
                              hard[i], hard[j]);
    ck_assert(isnan(nt_splitmix_2d(&noise, (double)NAN, 0)));
    ck_assert(isnan(nt_splitmix_2d(&noise, (double)INFINITY, 0)));
}
END_TEST

START_TEST(splitmix_octaves_are_counted_while_below)
{
    struct nt_splitmix noise;
    double v[5];
    static const double octaves[5] = {2.5, 3, -2.5, 0, 1e-9};

    nt_splitmix_init(&noise, 1);
    for (int i = 0; i < 5; i++) {
        struct nt_splitmix_fbm fbm = {octaves[i], 1, 1, 0.5, 2};
        v[i] = nt_splitmix_fbm_2d(&noise, &fbm, 0.3, 0.4);
    }
    ck_assert(same_double(v[0], v[1]));
    ck_assert(v[2] == 0 && v[3] == 0);
    ck_assert(same_double(v[4], nt_splitmix_2d(&noise, 0.3, 0.4)));
}
END_TEST

START_TEST(inoise_takes_any_coordinate)
{
    static const struct nt_inoise *const all[] = {&nt_inoise8, &nt_inoise16, &nt_inoise8_3_0,
                                                  &nt_inoise16_3_0};
    static const uint32_t hard[] = {0,      1,          127,        128,        255,   256,
                                    32767,  32768,      65280,      65535,      65536, 0x7fffffff,
                                    0x8000, 0x80000000, 0xff000000, 0xffff0000, ~0u,   0x00ffffff};
    enum { HARD = sizeof hard / sizeof *hard };

    for (size_t n = 0; n < 4; n++)
        for (int i = 0; i < HARD * HARD * HARD; i++) {
            uint32_t x = hard[i % HARD], y = hard[i / HARD % HARD], z = hard[i / HARD / HARD];
            uint32_t top = nt_inoise_top(all[n]), half = top / 2 + 1;
            int64_t raw = nt_inoise_raw_3d(all[n], x, y, z);
            if (raw < -(int64_t)half || raw >= half || nt_inoise_2d(all[n], x, y) > top ||
                nt_inoise_3d(all[n], x, y, z) > top ||
                nt_inoise_fill(all[n], x, y, z, SIZE_MAX) > top)
                ck_abort_msg("%zu at (%u, %u, %u)", n, x, y, z);
        }
}
END_TEST

START_TEST(inoise_fill_starts_with_the_noise_and_only_grows)
{
    uint64_t state = 8;

    for (int i = 0; i < 20000; i++) {
        const struct nt_inoise *noise = i % 2 ? &nt_inoise16 : &nt_inoise8;
        uint32_t x = random_u32(&state), y = random_u32(&state), z = random_u32(&state);
        uint32_t last = nt_inoise_fill(noise, x, y, z, 1);
        ck_assert_uint_eq(nt_inoise_fill(noise, x, y, z, 0), 0);
        ck_assert_uint_eq(last, nt_inoise_3d(noise, x, y, z));
        for (size_t octaves = 2; octaves < 20; octaves++) {
            uint32_t now = nt_inoise_fill(noise, x, y, z, octaves), top = nt_inoise_top(noise);
            uint32_t o = (uint32_t)octaves - 1;
            uint32_t more = nt_inoise_3d(noise, x << o, y << o, z << o) >> o;
            if (now != (last + more > top ? top : last + more))
                ck_abort_msg("(%u, %u, %u), octave %u", x, y, z, o);
            last = now;
        }
    }
}
END_TEST

START_TEST(inoise_coordinates_round_down_and_wrap)
{
    ck_assert_uint_eq(nt_inoise_coordinate(&nt_inoise8, 1.0), 256);
    ck_assert_uint_eq(nt_inoise_coordinate(&nt_inoise8, -0x1p-30), 0xffff);
    ck_assert_uint_eq(nt_inoise_coordinate(&nt_inoise8, 256.0), 0);
    ck_assert_uint_eq(nt_inoise_coordinate(&nt_inoise8, 257.5), 384);
    ck_assert_uint_eq(nt_inoise_coordinate(&nt_inoise8_3_0, -1.0), 0xff00);
    ck_assert_uint_eq(nt_inoise_coordinate(&nt_inoise16, 256.0), 0x1000000);
    ck_assert_uint_eq(nt_inoise_coordinate(&nt_inoise16, -0x1p-30), 0xffffffff);
    ck_assert_uint_eq(nt_inoise_coordinate(&nt_inoise16, 65536.0), 0);
    ck_assert_uint_eq(nt_inoise_coordinate(&nt_inoise16_3_0, 0x1p60), 0);
    ck_assert_uint_eq(nt_inoise_coordinate(&nt_inoise16, -DBL_MAX), 0);
}
END_TEST

/* ---- Parts ----------------------------------------------------------------------------------- */

START_TEST(whole_numbers_are_the_c_librarys)
{
    uint64_t state = 3;

    for (int i = 0; i < 200000; i++) {
        double v = ldexp(random_unit(&state) - 0.5, (int)random_below(&state, 120) - 20);
        v = i % 3 ? v : floor(v);
        double low = fmod(trunc(v), 0x1p32);
        uint32_t want = (uint32_t)(int64_t)low;
        if (!same_double(whole_floor(v), floor(v)) || whole_low32(v) != want)
            ck_abort_msg("%.17g: %.17g, %u", v, whole_floor(v), whole_low32(v));
    }
    ck_assert(same_double(whole_floor(-0.0), -0.0));
    ck_assert(isnan(whole_floor((double)NAN)) && isinf(whole_floor((double)-INFINITY)));
}
END_TEST

START_TEST(eiserloh_table_is_cos_and_sin_to_7_decimals)
{
    const double pi = 3.14159265358979323846;

    for (uint32_t i = 0; i < 256; i++) {
        struct nt_eiserloh_unit unit = nt_eiserloh_table_unit(i + 256);
        double x = nearbyint(cos(2 * pi * i / 255) * 1e7) / 1e7,
               y = nearbyint(sin(2 * pi * i / 255) * 1e7) / 1e7;
        ck_assert(same_float(unit.x, (float)x + 0.0f) && same_float(unit.y, (float)y + 0.0f));
    }
}
END_TEST

START_TEST(eiserloh_angles_are_cos_and_sin_to_a_float)
{
    uint64_t state = 2;

    for (int i = 0; i < 400000; i++) {
        /* The ends, around the quarter turns, and anywhere. */
        uint32_t h = i < 20000 ? 0x20000000u * (uint32_t)(i % 5) + (uint32_t)(i / 10) - 1000u
                               : random_u32(&state);
        struct nt_eiserloh_unit unit = nt_eiserloh_angle_unit(h);
        float angle = (float)(h & 0x7fffffff) * (6.28318531f / 2147483648.0f);
        double x = fabs((double)unit.x - cos((double)angle)),
               y = fabs((double)unit.y - sin((double)angle));
        if (x > 0x1.00001p-25 || y > 0x1.00001p-25)
            ck_abort_msg("%u: %g, %g", h, x, y);
    }
}
END_TEST

Suite *dialects_suite(void)
{
    Suite *suite = suite_create("dialects");
    TCase *golden = tcase_create("golden"), *quirks = tcase_create("quirks"),
          *ranges = tcase_create("ranges"), *extremes = tcase_create("extremes"),
          *parts = tcase_create("parts");

    tcase_add_test(golden, the_permutation_is_perlins);
    tcase_add_test(golden, rombauts_1d_is_the_originals);
    tcase_add_test(golden, rombauts_2d_is_the_originals);
    tcase_add_test(golden, rombauts_fractal_1d_is_the_originals);
    tcase_add_test(golden, rombauts_fractal_2d_is_the_originals);
    tcase_add_test(golden, splitmix_draws_the_originals_numbers);
    tcase_add_test(golden, splitmix_shuffles_the_originals_permutations);
    tcase_add_test(golden, splitmix_2d_is_the_originals);
    tcase_add_test(golden, splitmix_fbm_is_the_originals);
    tcase_add_test(golden, eiserloh_hashes_as_the_original);
    tcase_add_test(golden, eiserloh_2d_is_the_originals);
    tcase_add_test(golden, eiserloh_recursive_2d_is_within_2e_6_of_the_originals);
    tcase_add_test(golden, inoise_2d_is_the_originals);
    tcase_add_test(golden, inoise_3d_is_the_originals);
    tcase_add_test(golden, inoise_fill_is_the_originals);

    tcase_add_test(quirks, n37_rombauts_slopes_more_in_x);
    tcase_add_test(quirks, n19_the_dialects_repeat_where_their_originals_do);
    tcase_add_test(quirks, n7_seed_0_of_splitmix_is_as_random_as_any);
    tcase_add_test(quirks, n24_only_32_bits_of_a_splitmix_seed_count);
    tcase_add_test(quirks, only_8_bits_of_an_eiserloh_seed_count);
    tcase_add_test(quirks, n20_all_octaves_are_0_at_the_origin);

    tcase_add_test(ranges, values_stay_in_their_range_and_fill_it);

    tcase_add_test(extremes, rombauts_is_a_number_exactly_within_its_reach);
    tcase_add_test(extremes, rombauts_fits_says_whether_a_fractal_is_a_number);
    tcase_add_test(extremes, a_rombauts_fractal_without_a_divisor_is_nan);
    tcase_add_test(extremes, eiserloh_fits_says_whether_it_is_a_number);
    tcase_add_test(extremes, eiserloh_recursion_ends_however_many_octaves);
    tcase_add_test(extremes, splitmix_is_finite_for_all_but_the_largest);
    tcase_add_test(extremes, splitmix_octaves_are_counted_while_below);
    tcase_add_test(extremes, inoise_takes_any_coordinate);
    tcase_add_test(extremes, inoise_fill_starts_with_the_noise_and_only_grows);
    tcase_add_test(extremes, inoise_coordinates_round_down_and_wrap);

    tcase_add_test(parts, whole_numbers_are_the_c_librarys);
    tcase_add_test(parts, eiserloh_table_is_cos_and_sin_to_7_decimals);
    tcase_add_test(parts, eiserloh_angles_are_cos_and_sin_to_a_float);

    for (size_t i = 0; i < 5; i++) {
        TCase *const all[] = {golden, quirks, ranges, extremes, parts};
        tcase_set_timeout(all[i], 120);
        suite_add_tcase(suite, all[i]);
    }
    return suite;
}
