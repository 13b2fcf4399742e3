/*
 * png.c (bench) - style and encoding of tiles that differ as pictures do, against libpng as it comes,
 * and against libdeflate's fastest level behind the filters that our encoder chose. The baselines
 * start from finished pixels, which are read from our own file.
 */
#include <libdeflate.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/job.h"
#include "tests/bench/parts.h"
#include "tests/bench/rows.h"
#include "tests/bench/timing.h"

static const double seconds = 0.2; /* for each tile */

/*
 * Sets of tiles with one target: its time holds for the first tile and for the sum of all, its bytes
 * for each tile, too.
 */
enum set { GREY_8, COLOUR, DEEP, SETS };

static const struct {
    const char *name, *time_target, *bytes_target; /* NULL: none */
} sets[SETS] = {
    [GREY_8] = {"grey 8", "ratio >= 100", "ratio <= 1"},
    [COLOUR] = {"colour", NULL, "ratio <= 1"},
    [DEEP] = {"grey 16 and DEM", "ratio >= 8", "ratio <= 1.02"},
};

static const struct {
    const char *name;
    enum set set;
    const char *path, *query;
} tiles[] = {
    {"grey 8, perlin fBm 5", GREY_8, "1/1/0", ""},
    {"grey 8, one octave", GREY_8, "1/1/0", "fractal=none"},
    {"grey 8, flat", GREY_8, "1/1/0", "amplitude=0"},
    {"grey 8, smooth (1/8 cell)", GREY_8, "6/20/20", "fractal=none"},
    {"grey 8, ridged", GREY_8, "1/1/0", "fractal=ridged"},
    {"grey 8, cellular", GREY_8, "1/1/0", "noise=cellular&fractal=none"},
    {"grey 8, white", GREY_8, "1/1/0", "noise=white&fractal=none&frequency=512"},
    {"grey 8, contrast", GREY_8, "1/1/0", "min=-0.4&max=0.4"},
    {"ramp of two colours", COLOUR, "1/1/0",
     "style=color&ramp=0:203040,0.4999:203040,0.5:ffffff,1:ffffff"},
    {"ramp of 256 colours", COLOUR, "1/1/0", "style=color"},
    {"ramp with alpha", COLOUR, "1/1/0", "style=color&ramp=0:000000,0.5:ff8800,1:ffffff80"},
    {"grey 16, perlin fBm 5", DEEP, "1/1/0", "bits=16"},
    {"grey 16, one octave", DEEP, "1/1/0", "bits=16&fractal=none"},
    {"grey 16, flat", DEEP, "1/1/0", "bits=16&amplitude=0"},
    {"terrarium", DEEP, "1/1/0", "style=terrarium"},
    {"mapbox", DEEP, "1/1/0", "style=mapbox"},
};

enum { TILES = sizeof tiles / sizeof *tiles };

/* ---- Our file, taken apart ------------------------------------------------------------------- */

/* A picture as both baselines start from it. */
struct picture {
    unsigned char *pixels, *filters; /* height * stride; the filter type of each row */
    size_t stride, pixel;            /* bytes of a row, of a pixel */
    int width, height, channels, depth;
    struct libdeflate_compressor *compressor;
    unsigned char *filtered, *deflated; /* libdeflate's */
    size_t capacity, bytes;             /* bytes: of the last encoding */
};

static void *need(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "bench: no memory, or a file that cannot be read\n");
        exit(1);
    }
    return memory;
}

struct source {
    const unsigned char *data;
    size_t at;
};

static void read_bytes(png_structp png, png_bytep to, size_t len)
{
    struct source *source = png_get_io_ptr(png);

    memcpy(to, source->data + source->at, len);
    source->at += len;
}

static void read_pixels(struct picture *picture, const unsigned char *file)
{
    struct source source = {file, 0};
    png_structp png = need(png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL));
    png_infop info = need(png_create_info_struct(png));

    png_set_read_fn(png, &source, read_bytes);
    png_read_png(png, info, PNG_TRANSFORM_EXPAND, NULL); /* a palette's colours as RGB */
    picture->width = (int)png_get_image_width(png, info);
    picture->height = (int)png_get_image_height(png, info);
    picture->channels = png_get_channels(png, info);
    picture->depth = png_get_bit_depth(png, info);
    picture->pixel = (size_t)(picture->channels * picture->depth / 8);
    picture->stride = png_get_rowbytes(png, info);
    picture->pixels = need(malloc(picture->stride * (size_t)picture->height));
    for (int y = 0; y < picture->height; y++)
        memcpy(picture->pixels + (size_t)y * picture->stride, png_get_rows(png, info)[y],
               picture->stride);
    png_destroy_read_struct(&png, &info, NULL);
}

/* The image data: all IDAT chunks' contents, in to[]; returns how many bytes. */
static size_t image_data(const unsigned char *file, size_t len, unsigned char *to)
{
    size_t total = 0;

    for (size_t at = 8; at + 12 <= len;) {
        const unsigned char *chunk = file + at;
        size_t size = (size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 | (size_t)chunk[2] << 8 |
                      (size_t)chunk[3];
        if (memcmp(chunk + 4, "IDAT", 4) == 0) {
            memcpy(to + total, chunk + 8, size);
            total += size;
        }
        at += 12 + size;
    }
    return total;
}

static void read_filters(struct picture *picture, const unsigned char *file, size_t len)
{
    struct libdeflate_decompressor *decompressor = need(libdeflate_alloc_decompressor());
    size_t room = (picture->stride + 1) * (size_t)picture->height, inflated = 0;
    unsigned char *packed = need(malloc(len)), *rows = need(malloc(room));
    size_t size = image_data(file, len, packed);

    if (libdeflate_zlib_decompress(decompressor, packed, size, rows, room, &inflated))
        need(NULL);
    picture->filters = need(malloc((size_t)picture->height));
    for (size_t y = 0; y < (size_t)picture->height; y++)
        picture->filters[y] = rows[y * (inflated / (size_t)picture->height)];
    free(rows);
    free(packed);
    libdeflate_free_decompressor(decompressor);
}

static void picture_init(struct picture *picture, struct job *job)
{
    struct nt_bytes file;
    size_t filtered;

    nt_encode(job->workspace, &job->spec, &job->tile, &file);
    read_pixels(picture, file.data);
    read_filters(picture, file.data, file.len);
    filtered = (picture->stride + 1) * (size_t)picture->height;
    picture->compressor = need(libdeflate_alloc_compressor(1));
    picture->capacity = libdeflate_zlib_compress_bound(picture->compressor, filtered);
    picture->filtered = need(malloc(filtered));
    picture->deflated = need(malloc(picture->capacity));
}

static void picture_release(struct picture *picture)
{
    libdeflate_free_compressor(picture->compressor);
    free(picture->deflated);
    free(picture->filtered);
    free(picture->filters);
    free(picture->pixels);
}

/* ---- libpng as it comes ---------------------------------------------------------------------- */

static void count(png_structp png, png_bytep data, size_t len)
{
    size_t *bytes = png_get_io_ptr(png);

    (void)data;
    *bytes += len;
}

static void libpng_defaults(void *job)
{
    static const int types[] = {[1] = PNG_COLOR_TYPE_GRAY,
                                [2] = PNG_COLOR_TYPE_GRAY_ALPHA,
                                [3] = PNG_COLOR_TYPE_RGB,
                                [4] = PNG_COLOR_TYPE_RGBA};
    struct picture *p = job;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);

    p->bytes = 0;
    png_set_write_fn(png, &p->bytes, count, NULL);
    png_set_IHDR(png, info, (png_uint_32)p->width, (png_uint_32)p->height, p->depth,
                 types[p->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < p->height; y++)
        png_write_row(png, p->pixels + (size_t)y * p->stride);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}

/* ---- libdeflate, level 1 --------------------------------------------------------------------- */

static int paeth(int a, int b, int c)
{
    int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);

    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* One row of each filter of the PNG specification, section 9; `up` is the row above. */
#define FILTER_ROW(prediction)                             \
    for (size_t i = 0; i < len; i++) {                     \
        int a = i >= pixel ? row[i - pixel] : 0;           \
        int b = up[i], c = i >= pixel ? up[i - pixel] : 0; \
        (void)a, (void)b, (void)c;                         \
        out[i] = (unsigned char)(row[i] - (prediction));   \
    }

static void filter_row(int type, const unsigned char *row, const unsigned char *up, size_t len,
                       size_t pixel, unsigned char *out)
{
    switch (type) {
    case PNG_FILTER_VALUE_NONE:
        FILTER_ROW(0)
        break;
    case PNG_FILTER_VALUE_SUB:
        FILTER_ROW(a)
        break;
    case PNG_FILTER_VALUE_UP:
        FILTER_ROW(b)
        break;
    case PNG_FILTER_VALUE_AVG:
        FILTER_ROW((a + b) >> 1)
        break;
    default:
        FILTER_ROW(paeth(a, b, c))
        break;
    }
}

static void libdeflate_fastest(void *job)
{
    static const unsigned char zeros[256 * 8];
    struct picture *p = job;
    size_t line = p->stride + 1;

    for (size_t y = 0; y < (size_t)p->height; y++) {
        const unsigned char *row = p->pixels + y * p->stride;
        p->filtered[y * line] = p->filters[y];
        filter_row(p->filters[y], row, y > 0 ? row - p->stride : zeros, p->stride, p->pixel,
                   p->filtered + y * line + 1);
    }
    p->bytes = libdeflate_zlib_compress(p->compressor, p->filtered, line * (size_t)p->height,
                                        p->deflated, p->capacity);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

struct sums {
    double us, plain_us;
    size_t bytes, plain_bytes;
};

typedef void printer(const struct row *row);

static void print(printer *print_row, const char *name, const char *other, const struct sums *s,
                  const char *time_target, const char *bytes_target)
{
    char full[96];

    print_row(&(struct row){name, "us", s->us, other, s->plain_us, RATIO_SPEED, time_target});
    snprintf(full, sizeof full, "%s, size", name);
    print_row(&(struct row){full, "B", (double)s->bytes, other, (double)s->plain_bytes, RATIO_SHARE,
                            bytes_target});
}

/* One tile: three contestants, four rows. Adds to the sums of its set. */
static void tile_rows(size_t i, struct sums *sum)
{
    static const char *const names[] = {"libpng defaults", "libdeflate 1, our filters"};
    enum set set = tiles[i].set;
    struct picture picture = {0}, deflated = {0};
    struct job job;
    struct contestant all[] = {
        {job_encode, &job, 0}, {libpng_defaults, &picture, 0}, {libdeflate_fastest, &deflated, 0}};

    job_init(&job, tiles[i].path, tiles[i].query);
    picture_init(&picture, &job);
    picture_init(&deflated, &job);
    time_in_turn(all, 3, seconds);
    struct sums by_libpng = {all[0].best_us, all[1].best_us, job.bytes, picture.bytes};
    struct sums by_libdeflate = {all[0].best_us, all[2].best_us, job.bytes, deflated.bytes};
    const char *target = i == 0 || tiles[i - 1].set != set ? sets[set].time_target : NULL;
    print(target ? row_key : row_detail, tiles[i].name, names[0], &by_libpng, target,
          sets[set].bytes_target);
    print(row_detail, tiles[i].name, names[1], &by_libdeflate, NULL, NULL);
    sum[set].us += by_libpng.us;
    sum[set].plain_us += by_libpng.plain_us;
    sum[set].bytes += by_libpng.bytes;
    sum[set].plain_bytes += by_libpng.plain_bytes;
    picture_release(&picture);
    picture_release(&deflated);
    job_release(&job);
}

void bench_png(void)
{
    struct sums sum[SETS] = {{0}};
    char name[64];

    row_section("PNG: style and encoding of 256 x 256 samples, one thread");
    for (size_t i = 0; i < TILES; i++)
        tile_rows(i, sum);
    for (int set = 0; set < SETS; set++) {
        snprintf(name, sizeof name, "%s, all of these tiles", sets[set].name);
        print(row_key, name, "libpng defaults", &sum[set], sets[set].time_target,
              sets[set].bytes_target);
    }
}
