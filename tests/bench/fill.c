/*
 * fill.c (bench) - a tile's samples, by kind: against pixel-by-pixel evaluation in the same run, and
 * against what the fastest known library took on another machine.
 */
#include "tests/bench/job.h"
#include "tests/bench/parts.h"
#include "tests/bench/rows.h"
#include "tests/bench/scalar.h"
#include "tests/bench/timing.h"

#include <string.h>

enum { SIDE = 256 };

static const double seconds = 0.4; /* for each comparison */

/*
 * `field`: FastNoise2 1.1.1, AVX2, strict floating point, 65 536 samples, in microseconds; 0 = not
 * measured. It was measured on an AMD EPYC (Zen 3), so a ratio to it is a comparison of machines,
 * too.
 */
static const struct {
    const char *name, *query;
    scalar_fill *plain;
    int octaves;
    const char *plain_target;
    double field;
    const char *field_target;
} kinds[] = {
    {"perlin", "fractal=none", scalar_perlin, 1, NULL, 124, NULL},
    {"perlin fBm 5", "", scalar_perlin, 5, "ratio >= 8", 742, "value <= 100"},
    {"value", "noise=value&fractal=none", scalar_value, 1, NULL, 89, NULL},
    {"value fBm 5", "noise=value", scalar_value, 5, "ratio >= 8", 489, "value <= 100"},
    {"simplex", "noise=simplex&fractal=none", scalar_simplex, 1, NULL, 152, "ratio >= 2"},
    {"simplex fBm 5", "noise=simplex", scalar_simplex, 5, NULL, 810, "ratio >= 2"},
    {"opensimplex2s", "noise=opensimplex2s&fractal=none&domain=plane", scalar_opensimplex2s, 1,
     NULL, 191, "ratio > 1"},
    {"opensimplex2s fBm 5", "noise=opensimplex2s&domain=plane", scalar_opensimplex2s, 5, NULL, 0,
     NULL},
    {"cellular", "noise=cellular&fractal=none", scalar_cellular, 1, NULL, 647, "ratio >= 2"},
    {"cellular fBm 5", "noise=cellular", scalar_cellular, 5, NULL, 0, NULL},
    {"white", "noise=white&fractal=none", scalar_white, 1, NULL, 0, NULL},
    {"white fBm 5", "noise=white", scalar_white, 5, NULL, 0, NULL},
};

static float out[SIDE * SIDE];

/* The README has what is judged, and what five octaves cost. */
static void print_row(const struct row *row, bool is_key)
{
    if (is_key || row->target != NULL)
        row_key(row);
    else
        row_detail(row);
}

static void print(const char *name, double us, double plain_us, const char *plain_target,
                  double field_us, const char *field_target)
{
    print_row(&(struct row){name, "us", us, "pixel by pixel", plain_us, RATIO_SPEED, plain_target},
              strstr(name, "fBm 5") != NULL);
    if (field_us > 0)
        print_row(&(struct row){name, "us", us, "FastNoise2 strict, Zen 3", field_us, RATIO_SPEED,
                                field_target},
                  false);
}

static void flat_rows(void)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct scalar_tile tile = {SIDE, 4, 0, 4.0 / SIDE, kinds[i].octaves, out};
        struct job job;
        struct contestant both[] = {{job_fill, &job, 0}, {kinds[i].plain, &tile, 0}};

        job_init(&job, "1/1/0", kinds[i].query);
        time_in_turn(both, 2, seconds);
        print(kinds[i].name, both[0].best_us, both[1].best_us, kinds[i].plain_target,
              kinds[i].field, kinds[i].field_target);
        job_release(&job);
    }
}

/* A slice stands beside our own 2-D tile, too. */
static void slice_rows(void)
{
    struct scalar_tile tile = {SIDE, 4, 0, 4.0 / SIDE, 5, out};
    struct job slice, flat;
    struct contestant all[] = {
        {job_fill, &slice, 0}, {scalar_perlin_slice, &tile, 0}, {job_fill, &flat, 0}};

    job_init(&slice, "1/1/0", "t=0.5");
    job_init(&flat, "1/1/0", "");
    time_in_turn(all, 3, 2 * seconds);
    print("perlin fBm 5, slice (t)", all[0].best_us, all[1].best_us, NULL, 1417, NULL);
    row_key(&(struct row){"perlin fBm 5, slice (t)", "us", all[0].best_us, "our 2-D fill",
                          all[2].best_us, RATIO_SHARE, "ratio <= 1.5"});
    job_release(&slice);
    job_release(&flat);
}

/* 3-D noise on the sphere, and on the cylinder that opensimplex2s needs to close. */
static void round_rows(void)
{
    static const struct {
        const char *name, *query;
        scalar_fill *plain;
        int octaves;
        double field;
        const char *field_target;
    } rounds[] = {
        {"perlin fBm 5, planet", "domain=planet", scalar_perlin_planet, 5, 1411, "value <= 700"},
        {"opensimplex2s, world (3-D)", "noise=opensimplex2s&fractal=none",
         scalar_opensimplex2s_cylinder, 1, 0, NULL},
        {"opensimplex2s fBm 5, world (3-D)", "noise=opensimplex2s", scalar_opensimplex2s_cylinder,
         5, 0, NULL},
    };

    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        struct scalar_tile tile = {SIDE, 0.5, 0, 0.5 / SIDE, rounds[i].octaves, out};
        struct job job;
        struct contestant both[] = {{job_fill, &job, 0}, {rounds[i].plain, &tile, 0}};

        job_init(&job, "1/1/0", rounds[i].query);
        time_in_turn(both, 2, seconds);
        print(rounds[i].name, both[0].best_us, both[1].best_us, NULL, rounds[i].field,
              rounds[i].field_target);
        job_release(&job);
    }
}

void bench_fill(void)
{
    row_section(
        "fill: 256 x 256 samples, 4 cells of the first octave a tile, one thread; pixel by pixel: "
        "-march=native");
    flat_rows();
    slice_rows();
    round_rows();
}
