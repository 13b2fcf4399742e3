/*
 * curves.c (bench) - how the cost of a tile grows with its size, its octaves and the zoom. The
 * points of a curve are timed in turn; each is compared with what its curve promises.
 */
#include <stdio.h>

#include "tests/bench/job.h"
#include "tests/bench/parts.h"
#include "tests/bench/rows.h"
#include "tests/bench/timing.h"

enum { POINTS_MAX = 32 };

struct curve {
    int n;
    struct job job[POINTS_MAX];
    struct contestant point[POINTS_MAX];
};

static void add(struct curve *curve, void (*run)(void *job), const char *path, const char *query)
{
    int i = curve->n++;

    job_init(&curve->job[i], path, query);
    curve->point[i] = (struct contestant){run, &curve->job[i], 0};
}

static void release(struct curve *curve)
{
    for (int i = 0; i < curve->n; i++)
        job_release(&curve->job[i]);
    curve->n = 0;
}

/*
 * Linear in pixels: a pixel of the largest tile costs no more than one of the usual size. That is of
 * as rough noise, with as many pixels a cell: a larger tile of the same place is smoother, and a
 * smooth picture is searched for repeats.
 */
static void size_curve(struct curve *curve, const char *what, bool as_rough, void (*run)(void *job))
{
    static const int sizes[] = {64, 128, 256, 512, 1024};
    enum { SIZES = sizeof sizes / sizeof *sizes, USUAL = 2 };
    double ns[SIZES];
    char text[96];

    snprintf(text, sizeof text, "cost by size, %s (lod=off): ns a pixel, against 256 x 256", what);
    row_section(text);
    for (int i = 0; i < SIZES; i++) {
        snprintf(text, sizeof text, "lod=off&size=%d&frequency=%d", sizes[i],
                 as_rough ? 8 * sizes[i] / sizes[USUAL] : 8);
        add(curve, run, "1/1/0", text);
    }
    time_in_turn(curve->point, SIZES, 0.5);
    for (int i = 0; i < SIZES; i++)
        ns[i] = 1e3 * curve->point[i].best_us / sizes[i] / sizes[i];
    for (int i = 0; i < SIZES; i++) {
        snprintf(text, sizeof text, "size %d", sizes[i]);
        row_point(&(struct row){text, "ns/pixel", ns[i], "size 256", ns[USUAL], RATIO_SHARE,
                                as_rough && i > USUAL ? "ratio <= 1.1" : NULL});
    }
    release(curve);
}

/* At most linear in octaves: n of them cost at most n times what one does. */
static void octave_points(const struct curve *curve, const int *octaves, const char *target)
{
    char text[32];

    for (int i = 0; i < curve->n; i++) {
        snprintf(text, sizeof text, "octaves %d", octaves[i]);
        row_point(&(struct row){text, "us", curve->point[i].best_us, "linear",
                                octaves[i] * curve->point[0].best_us, RATIO_SHARE, target});
    }
}

static void octave_curve(struct curve *curve, const char *lod)
{
    static const int octaves[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16};
    enum { COUNTS = sizeof octaves / sizeof *octaves, AT_8 = 6, AT_12 = 8, AT_16 = 10 };
    const struct contestant *point = curve->point;
    char text[96];

    snprintf(text, sizeof text, "cost by octaves (lod=%s): us, against so many times one", lod);
    row_section(text);
    for (int i = 0; i < COUNTS; i++) {
        snprintf(text, sizeof text, "lod=%s&octaves=%d", lod, octaves[i]);
        add(curve, job_fill, "1/1/0", text);
    }
    time_in_turn(curve->point, COUNTS, 1);
    if (curve->job[0].spec.lod == NT_LOD_AUTO) {
        octave_points(curve, octaves, "ratio <= 1.1");
    } else {
        /* The first octaves share more between pixels than those of a cell for every pixel. */
        octave_points(curve, octaves, NULL);
        row_key(&(struct row){"octaves 13 to 16 (lod=off)", "us",
                              point[AT_16].best_us - point[AT_12].best_us, "octaves 9 to 12",
                              point[AT_12].best_us - point[AT_8].best_us, RATIO_SHARE,
                              "ratio <= 1.2"});
    }
    release(curve);
}

/* `whole`: all of its points, and for the README. */
static void zoom_curve(struct curve *curve, const char *kind, bool whole)
{
    char text[96], query[64];
    double worst = 0, first;

    snprintf(query, sizeof query, "lod=off&noise=%s", kind);
    for (int z = 0; z <= NT_MAX_ZOOM; z++) {
        snprintf(text, sizeof text, "%d/%d/%d", z, (int)(UINT64_C(5) << z >> 3),
                 (int)(UINT64_C(3) << z >> 3));
        add(curve, job_fill, text, query);
    }
    time_in_turn(curve->point, curve->n, 0.6);
    first = curve->point[0].best_us;
    for (int z = 0; z <= NT_MAX_ZOOM; z++) {
        double us = curve->point[z].best_us;
        worst = us > worst ? us : worst;
        snprintf(text, sizeof text, "z %d", z);
        if (whole)
            (z % 5 == 0 ? row_point : row_step)(
                &(struct row){text, "us", us, "z 0", first, RATIO_SHARE, "ratio <= 1.2"});
    }
    snprintf(text, sizeof text, "%s fBm 5, the dearest zoom", kind);
    (whole ? row_key : row_detail)(
        &(struct row){text, "us", worst, "z 0", first, RATIO_SHARE, "ratio <= 1.2"});
    release(curve);
}

void bench_curves(void)
{
    static struct curve curve;

    size_curve(&curve, "fill", true, job_fill);
    size_curve(&curve, "fill and PNG", true, job_render);
    size_curve(&curve, "fill and PNG of one place", false, job_render);
    octave_curve(&curve, "auto");
    octave_curve(&curve, "off");
    row_section("cost by zoom (lod=off, fBm 5): us, against z 0");
    zoom_curve(&curve, "perlin", true);
    zoom_curve(&curve, "value", false);
    zoom_curve(&curve, "simplex", false);
    zoom_curve(&curve, "opensimplex2s", false);
    zoom_curve(&curve, "cellular", false);
}
