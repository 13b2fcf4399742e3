/*
 * bench.c - times the core: fill, PNG, JSON. Every figure is the best of many runs, and stands
 * beside a baseline timed in turn with it, because these machines are shared: the ratio is what
 * counts.
 */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/internal.h"
#include "tests/bench/scalar.h"

enum { ROUNDS = 40 };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A tile to work on, parsed once. */
struct job {
    struct nt_workspace *workspace;
    struct nt_spec spec;
    struct nt_tile tile;
    struct nt_image image; /* of the filled tile, as PNG wants it */
    size_t bytes;          /* of the last encoding */
};

typedef void work(struct job *job);

static void prepare(struct job *job, const char *path, const char *query)
{
    const struct nt_limits limits = {NT_MAX_SIZE_DEFAULT};
    struct nt_error err;

    memset(job, 0, sizeof *job);
    job->workspace = nt_workspace_new();
    if (!job->workspace ||
        nt_request_parse(&job->tile, &job->spec, &limits, path, strlen(path), query, strlen(query),
                         &err) ||
        nt_fill(job->workspace, &job->spec, &job->tile)) {
        fprintf(stderr, "bench: cannot render %s?%s\n", path, query);
        exit(1);
    }
}

static double time_of(work *what, struct job *job)
{
    double start = now();

    what(job);
    return now() - start;
}

/* Both in turn; the best of each. */
static void compare(work *a, struct job *job_a, double *best_a, work *b, struct job *job_b,
                    double *best_b, int rounds)
{
    *best_a = *best_b = 1e9;
    for (int i = 0; i < rounds; i++) {
        double t = time_of(a, job_a);
        *best_a = t < *best_a ? t : *best_a;
        t = time_of(b, job_b);
        *best_b = t < *best_b ? t : *best_b;
    }
}

/* ---- What is timed --------------------------------------------------------------------------- */

static void fill(struct job *job)
{
    nt_fill(job->workspace, &job->spec, &job->tile);
}

static void scalar(struct job *job)
{
    static float out[256 * 256];

    (void)job;
    scalar_fill(out, 256, 3, 1, 4.0 / 256, 5);
}

static void encode(struct job *job)
{
    struct nt_bytes bytes;

    nt_encode(job->workspace, &job->spec, &job->tile, &bytes);
    job->bytes = bytes.len;
}

static size_t written;

static void count(png_structp png, png_bytep data, size_t len)
{
    (void)png;
    (void)data;
    written += len;
}

/* What anybody gets who calls libpng without settings. */
static void libpng_defaults(struct job *job)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);

    nt_style_gray(job->workspace, &job->spec, &job->image);
    written = 0;
    png_set_write_fn(png, NULL, count, NULL);
    png_set_IHDR(png, info, (png_uint_32)job->image.width, (png_uint_32)job->image.height,
                 job->image.depth, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < job->image.height; y++)
        png_write_row(png, job->image.pixels +
                               (size_t)y * (size_t)job->image.width * (size_t)job->image.depth / 8);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    job->bytes = written;
}

/* ---- The table ------------------------------------------------------------------------------- */

static void fill_rows(void)
{
    static const char *const queries[] = {"", "noise=value", "fractal=none",
                                          "noise=value&fractal=none", "octaves=12&lod=off"};

    printf(
        "\nfill, 256 x 256, 4 cells a tile, level %s       us   pixel by pixel (fBm 5)   ratio\n",
        nt_level());
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        struct job job;
        double ours, plain;
        prepare(&job, "1/0/1", queries[i]);
        compare(fill, &job, &ours, scalar, &job, &plain, ROUNDS);
        printf("  %-38s %9.1f %17.1f us %12.1f\n",
               queries[i][0] ? queries[i] : "default (perlin, fBm 5)", ours * 1e6, plain * 1e6,
               plain / ours);
        nt_workspace_free(job.workspace);
    }
}

static void png_rows(void)
{
    static const struct {
        const char *name, *query;
    } tiles[] = {{"grey 8", ""},
                 {"grey 8, one octave", "fractal=none"},
                 {"grey 8, flat", "amplitude=0"},
                 {"grey 16", "bits=16"}};

    printf("\nPNG, 256 x 256 (style, filter, deflate, framing)   us     bytes   libpng defaults    "
           " bytes   ratio\n");
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        struct job job, other;
        double ours, theirs;
        prepare(&job, "1/0/1", tiles[i].query);
        prepare(&other, "1/0/1", tiles[i].query);
        compare(encode, &job, &ours, libpng_defaults, &other, &theirs, ROUNDS / 8);
        printf("  %-44s %9.1f %9zu %14.1f us %9zu %7.1f\n", tiles[i].name, ours * 1e6, job.bytes,
               theirs * 1e6, other.bytes, theirs / ours);
        nt_workspace_free(job.workspace);
        nt_workspace_free(other.workspace);
    }
}

static void other_rows(void)
{
    printf("\nother formats, 256 x 256                           us     bytes\n");
    for (int format = NT_JSON; format < NT_FORMATS; format++) {
        struct job job;
        double best, again;
        char path[32];
        snprintf(path, sizeof path, "1/0/1.%s", nt_format_name(format));
        prepare(&job, path, "");
        compare(encode, &job, &best, encode, &job, &again, ROUNDS / 4);
        printf("  %-44s %9.1f %9zu\n", nt_format_name(format), best * 1e6, job.bytes);
        nt_workspace_free(job.workspace);
    }
}

int main(void)
{
    if (!nt_init("auto"))
        return 1;
    fill_rows();
    png_rows();
    other_rows();
    return 0;
}
