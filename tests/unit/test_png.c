/*
 * The PNG encoder, part by part and as a whole: whatever the pixels, two decoders give them back,
 * every instruction level writes the same bytes, and no file is larger than its rows are plain.
 */
#include <libdeflate.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/encode/deflate.h"
#include "core/encode/filter.h"
#include "core/encode/huffman.h"
#include "core/encode/near.h"
#include "core/encode/png.h"
#include "core/internal.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

static int between(uint64_t *state, int least, int most)
{
    return least + (int)random_below(state, (uint32_t)(most - least + 1));
}

/* The workspaces of one test. */
static struct nt_workspace *workspace, *other;

static void workspaces_new(void)
{
    workspace = nt_workspace_new();
    other = nt_workspace_new();
}

static void workspaces_free(void)
{
    nt_workspace_free(workspace);
    nt_workspace_free(other);
}

/* ---- Codes ----------------------------------------------------------------------------------- */

/* Total length of an optimal code without a limit: the plain algorithm, two rarest at a time. */
static uint64_t optimum(const uint32_t *count, int n)
{
    uint64_t weight[NT_SYMBOLS_MAX], total = 0;
    int left = 0;

    for (int i = 0; i < n; i++)
        if (count[i])
            weight[left++] = count[i];
    for (; left > 1; left--) {
        for (int k = 0; k < 2; k++) /* the rarest to the end, then the next one before it */
            for (int i = 0; i < left - 1 - k; i++)
                if (weight[i] < weight[left - 1 - k]) {
                    uint64_t w = weight[i];
                    weight[i] = weight[left - 1 - k];
                    weight[left - 1 - k] = w;
                }
        weight[left - 2] += weight[left - 1];
        total += weight[left - 2];
    }
    return total;
}

static void check_codes(const uint32_t *count, int n, int limit)
{
    struct nt_code code[NT_SYMBOLS_MAX];
    uint64_t space = 0, total = 0;
    int used = 0, longest = 0;

    nt_huffman(count, n, limit, code);
    for (int i = 0; i < n; i++) {
        ck_assert_int_le(code[i].length, limit);
        ck_assert(code[i].length > 0 || count[i] == 0);
        used += code[i].length > 0;
        longest = code[i].length > longest ? code[i].length : longest;
        space += code[i].length ? UINT64_C(1) << (limit - code[i].length) : 0;
        total += (uint64_t)count[i] * code[i].length;
        for (int k = 0; k < n; k++) {
            ck_assert(count[i] <= count[k] || code[i].length <= code[k].length ||
                      code[k].length == 0);
            /* No code begins with another: their first bits are the lowest. */
            if (k != i && code[k].length > 0 && code[k].length <= code[i].length)
                ck_assert_uint_ne(code[i].bits & ((1U << code[k].length) - 1), code[k].bits);
        }
    }
    ck_assert_int_ge(used, 2);
    ck_assert_uint_eq(space, UINT64_C(1) << limit);
    if (longest < limit && used > 2)
        ck_assert_uint_eq(total, optimum(count, n));
}

START_TEST(codes_are_complete_and_the_shortest)
{
    uint64_t state = 5;

    for (int round = 0; round < 300; round++) {
        uint32_t count[NT_SYMBOLS_MAX] = {0};
        int n = between(&state, 2, 286), limit = between(&state, 9, 15);
        uint32_t most = 1U << between(&state, 0, 20), odds = (uint32_t)between(&state, 1, 6);
        for (int i = 0; i < n; i++)
            count[i] = random_below(&state, odds) ? 0 : random_below(&state, most) + 1;
        check_codes(count, n, limit);
    }
}
END_TEST

START_TEST(codes_keep_to_their_limit)
{
    for (int n = 2; n <= 40; n++)
        for (int limit = 6; limit <= 15; limit++) {
            uint32_t count[NT_SYMBOLS_MAX] = {0}, a = 1, b = 1;
            for (int i = 0; i < n; i++) { /* Fibonacci's numbers make the longest codes */
                count[(i * 7) % n == i || n % 7 == 0 ? i : (i * 7) % n] = a;
                b += a;
                a = b - a;
            }
            for (int i = 0; i < n; i++)
                count[i] += count[i] == 0;
            check_codes(count, n, limit);
        }
}
END_TEST

START_TEST(one_symbol_or_none_has_a_code_of_two)
{
    for (int n = 2; n <= 30; n++)
        for (int only = -1; only < n; only++) {
            uint32_t count[NT_SYMBOLS_MAX] = {0};
            if (only >= 0)
                count[only] = 7;
            check_codes(count, n, 7);
        }
}
END_TEST

/* ---- Filters --------------------------------------------------------------------------------- */

static const enum nt_filter filters[] = {NT_FILTER_NONE, NT_FILTER_SUB, NT_FILTER_UP,
                                         NT_FILTER_PAETH};
enum { FILTERS = sizeof filters / sizeof *filters };

/* The specification's predictor, section 9.4. */
static int predicted(int filter, int a, int b, int c)
{
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);

    switch (filter) {
    case 0:
        return 0;
    case 1:
        return a;
    case 2:
        return b;
    case 4:
        return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    default:
        ck_abort_msg("filter %d", filter);
    }
}

START_TEST(filters_are_the_specifications)
{
    static const struct nt_filter_kernel *const kernels[] = NT_EACH_LEVEL(nt_filters);
    uint64_t state = 17;

    for (int round = 0; round < 3000; round++) {
        unsigned char memory[3][640];
        size_t len = (size_t)between(&state, 1, 600), bpp = (size_t)between(&state, 1, 8);
        size_t shift = random_below(&state, 32);
        unsigned char *row = memory[0] + shift, *up = memory[1] + shift, *out = memory[2] + 7;
        uint32_t contrast = 1U << between(&state, 0, 8), base = random_below(&state, 256);
        int filter = (int)filters[random_below(&state, FILTERS)], least, most;
        for (size_t i = 0; i < len; i++) {
            row[i] = (unsigned char)(base + random_below(&state, contrast));
            up[i] = (unsigned char)(base + random_below(&state, contrast));
        }
        for (int level = 0; level <= nt_level_index(); level++) {
            out[len] = 0xa5;
            unsigned range = kernels[level]->row((enum nt_filter)filter, row, up, len, bpp, out);
            ck_assert_uint_eq(out[len], 0xa5);
            least = most = 0;
            for (size_t i = 0; i < len; i++) {
                int a = i < bpp ? 0 : row[i - bpp], c = i < bpp ? 0 : up[i - bpp];
                int difference = (unsigned char)(row[i] - predicted(filter, a, up[i], c));
                ck_assert_int_eq(out[i], difference);
                difference -= difference >= 128 ? 256 : 0;
                least = difference < least ? difference : least;
                most = difference > most ? difference : most;
            }
            unsigned reach = 0;
            while (least < -1 - (int)reach || most > (int)reach)
                reach = 2 * reach + 1;
            ck_assert_uint_eq(range, reach);
        }
    }
}
END_TEST

/* ---- Pixels ---------------------------------------------------------------------------------- */

/* Fills n bytes; width is that of a row. */
typedef void pattern(unsigned char *to, size_t n, size_t width, uint64_t *state);

static void constant(unsigned char *to, size_t n, size_t width, uint64_t *state)
{
    (void)width;
    memset(to, (int)random_below(state, 256), n);
}

static void gradient(unsigned char *to, size_t n, size_t width, uint64_t *state)
{
    size_t across = random_below(state, 600), down = random_below(state, 600);

    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)((i % width * across + i / width * down) >> 8);
}

static void stripes(unsigned char *to, size_t n, size_t width, uint64_t *state)
{
    size_t period = random_below(state, 40) + 1;
    bool by_rows = random_below(state, 2);

    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)((by_rows ? i / width : i) / period % 2 * 200);
}

static void checkers(unsigned char *to, size_t n, size_t width, uint64_t *state)
{
    size_t side = random_below(state, 20) + 1;

    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)((i / width / side + i % width / side) % 2 * 255);
}

static void white(unsigned char *to, size_t n, size_t width, uint64_t *state)
{
    uint32_t contrast = 1U << between(state, 0, 8);

    (void)width;
    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)random_below(state, contrast);
}

static void impulses(unsigned char *to, size_t n, size_t width, uint64_t *state)
{
    uint32_t rarity = 1U << between(state, 1, 12);

    (void)width;
    for (size_t i = 0; i < n; i++)
        to[i] = random_below(state, rarity) ? 77 : (unsigned char)random_u32(state);
}

/* Symbol k about 1.618 times as often as k + 1. */
static void fibonacci(unsigned char *to, size_t n, size_t width, uint64_t *state)
{
    (void)width;
    for (size_t i = 0; i < n; i++) {
        unsigned k = 0;
        while (k < 60 && random_below(state, 1000) < 382)
            k++;
        to[i] = (unsigned char)(k * 37);
    }
}

static void two_symbols(unsigned char *to, size_t n, size_t width, uint64_t *state)
{
    unsigned char a = (unsigned char)random_u32(state), b = (unsigned char)random_u32(state);

    (void)width;
    for (size_t i = 0; i < n; i++)
        to[i] = random_below(state, 2) ? a : b;
}

/* Runs of every length from 1 to 600, as far as there is room. */
static void runs(unsigned char *to, size_t n, size_t width, uint64_t *state)
{
    size_t length = random_below(state, 600) + 1;

    (void)width;
    for (size_t i = 0; i < n; length = length % 600 + 1)
        for (size_t end = i + length, value = random_u32(state) & 255; i < n && i < end; i++)
            to[i] = (unsigned char)value;
}

/* Areas of few values with smooth borders. */
static void steps(unsigned char *to, size_t n, size_t width, uint64_t *state)
{
    int tilt = between(state, -3, 3), bend = between(state, 1, 200), few = between(state, 2, 9);

    for (size_t i = 0; i < n; i++) {
        int x = (int)(i % width), y = (int)(i / width);
        to[i] = (unsigned char)((x * tilt + y + x * x / bend) / 64 % few * 90);
    }
}

/* A smooth surface with some noise on it. */
static void hills(unsigned char *to, size_t n, size_t width, uint64_t *state)
{
    uint32_t noise = random_below(state, 6) + 1;
    int wide = between(state, 50, 5000);

    for (size_t i = 0; i < n; i++) {
        int x = (int)(i % width), y = (int)(i / width);
        to[i] = (unsigned char)(128 + (x * x - y * y + 3 * x * y) / wide +
                                (int)random_below(state, noise));
    }
}

/* Noise, and from somewhere on something else: what is sampled says little about the rest. */
static void halves(unsigned char *to, size_t n, size_t width, uint64_t *state)
{
    size_t cut = random_below(state, (uint32_t)n);

    hills(to, cut, width, state);
    white(to + cut, n - cut, width, state);
}

static pattern *const patterns[] = {constant,  gradient,    stripes, checkers, white, impulses,
                                    fibonacci, two_symbols, runs,    steps,    hills, halves};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

/* ---- What is near ---------------------------------------------------------------------------- */

/* Whether the eight bytes at i are those `distance` before. */
static bool is_repeat(const unsigned char *data, size_t i, size_t distance)
{
    return distance > 0 && distance <= i && memcmp(data + i, data + i - distance, 8) == 0;
}

START_TEST(what_is_near_is_found_everywhere)
{
    static const struct nt_near_kernel *const kernels[] = NT_EACH_LEVEL(nt_near);
    static unsigned char data[2000], found[sizeof data + NT_NEAR_BEYOND];
    uint64_t state = (uint64_t)_i + 40;

    for (int round = 0; round < 60; round++) {
        uint16_t distance[NT_NEARS];
        size_t len = (size_t)between(&state, 16, (int)sizeof data);
        size_t at = random_below(&state, (uint32_t)len - 8);
        size_t n = random_below(&state, (uint32_t)(len - 7 - at)) + 1;
        for (int k = 0; k < NT_NEARS; k++)
            distance[k] = (uint16_t)random_below(&state, round % 2 ? 4 : 600);
        patterns[_i](data, len, (size_t)between(&state, 1, 300), &state);
        for (int level = 0; level <= nt_level_index(); level++) {
            memset(found, 0xff, sizeof found);
            kernels[level]->find(distance, data, at, n, found);
            for (size_t i = 0; i < n; i++)
                for (int k = 0; k < NT_NEARS; k++)
                    ck_assert_int_eq(found[i] >> k & 1, is_repeat(data, at + i, distance[k]));
            for (size_t i = n; i < sizeof found; i++)
                ck_assert_uint_eq(found[i], i < n + NT_NEAR_BEYOND ? 0 : 0xff);
        }
    }
}
END_TEST

/* ---- Deflated data --------------------------------------------------------------------------- */

static void check_inflates(const unsigned char *deflated, size_t size, const unsigned char *data,
                           size_t len)
{
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    unsigned char *out = malloc(len + 1);
    size_t in_used, out_used;
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)deflated,
                       .avail_in = (uInt)size,
                       .next_out = out,
                       .avail_out = (uInt)len + 1};

    ck_assert_int_eq(libdeflate_deflate_decompress_ex(decompressor, deflated, size, out, len,
                                                      &in_used, &out_used),
                     LIBDEFLATE_SUCCESS);
    ck_assert_uint_eq(in_used, size);
    ck_assert_uint_eq(out_used, len);
    ck_assert(memcmp(out, data, len) == 0);
    memset(out, 0, len);
    ck_assert_int_eq(inflateInit2(&stream, -15), Z_OK);
    ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
    ck_assert_uint_eq(stream.total_in, size);
    ck_assert_uint_eq(stream.total_out, len);
    ck_assert(memcmp(out, data, len) == 0);
    inflateEnd(&stream);
    libdeflate_free_decompressor(decompressor);
    free(out);
}

/* As the filters would say it of all rows but the first. */
static unsigned range_of(const unsigned char *data, size_t len, size_t stride)
{
    unsigned range = 0;

    for (size_t i = stride; i < len; i++) {
        unsigned magnitude = data[i] < 128 ? data[i] : 255U - data[i];
        while (i % stride != 0 && magnitude > range)
            range = 2 * range + 1;
    }
    return range;
}

static size_t stored_size(size_t len)
{
    return len + 5 * (len / 65535 + 1);
}

static void check_deflate(const struct nt_filtered *filtered)
{
    size_t len = filtered->rows * filtered->stride, bound = nt_deflate_bound(filtered);
    enum { CANARY = 64 };
    unsigned char *out = malloc(bound + CANARY), *again = malloc(bound);

    for (int search = NT_SEARCH_NOTHING; search <= NT_SEARCH_NEAR; search++) {
        memset(out + bound, 0xc3, CANARY);
        size_t size = nt_deflate(workspace, filtered, (enum nt_search)search, out);
        ck_assert_uint_gt(size, 0);
        ck_assert_uint_le(size, stored_size(len));
        for (size_t i = bound; i < bound + CANARY; i++)
            ck_assert_uint_eq(out[i], 0xc3);
        check_inflates(out, size, filtered->data, len);
        ck_assert(nt_init("baseline"));
        ck_assert_uint_eq(nt_deflate(workspace, filtered, (enum nt_search)search, again), size);
        ck_assert(memcmp(out, again, size) == 0);
        ck_assert(nt_init("auto"));
    }
    free(out);
    free(again);
}

START_TEST(deflated_data_is_inflated_by_others)
{
    uint64_t state = (uint64_t)_i + 1;
    size_t rounds = 4 * long_factor();

    for (size_t round = 0; round < rounds; round++) {
        size_t stride = (size_t)between(&state, 2, round % 4 ? 300 : 5000);
        size_t rows = (size_t)between(&state, 1, round % 4 ? 120 : 12);
        unsigned char *data = malloc(rows * stride);
        patterns[_i](data, rows * stride, stride, &state);
        for (size_t y = 0; y < rows; y++)
            data[y * stride] = 4;
        struct nt_filtered filtered = {data, rows, stride, random_below(&state, 8) + 1,
                                       range_of(data, rows * stride, stride)};
        if (stride > filtered.bpp)
            check_deflate(&filtered);
        free(data);
    }
}
END_TEST

/* More than a block of tokens, more than a window, and matches as far away as they may be. */
START_TEST(deflated_data_of_many_blocks)
{
    enum { STRIDE = 3001, ROWS = 500, PERIOD = 32768 };
    unsigned char *data = malloc(STRIDE * ROWS);
    uint64_t state = 3;

    for (size_t i = 0; i < STRIDE * ROWS; i++) {
        size_t before = PERIOD - 8 + i / 50000 % 16;
        data[i] = i > before && random_below(&state, 20) ? data[i - before]
                                                         : (unsigned char)random_below(&state, 40);
    }
    for (size_t y = 0; y < ROWS; y++)
        data[y * STRIDE] = 2;
    struct nt_filtered filtered = {data, ROWS, STRIDE, 3, range_of(data, STRIDE * ROWS, STRIDE)};
    check_deflate(&filtered);
    free(data);
}
END_TEST

/* ---- Whole files ----------------------------------------------------------------------------- */

static uint32_t u32_at(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The second decoder: libdeflate and the specification, no libpng. */
static void check_by_hand(const struct nt_bytes *png, const struct nt_image *image)
{
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    size_t bpp = (size_t)(image->channels * image->depth / 8), row = (size_t)image->width * bpp;
    size_t len = (row + 1) * (size_t)image->height, used;
    unsigned char *rows = malloc(len);
    const unsigned char *idat = png->data + 33;

    ck_assert_uint_eq(u32_at(idat) + 33 + 12 + 12, png->len);
    ck_assert_mem_eq(idat + 4, "IDAT", 4);
    ck_assert_uint_eq(u32_at(idat + 8 + u32_at(idat)), crc32(0, idat + 4, u32_at(idat) + 4));
    ck_assert_int_eq(
        libdeflate_zlib_decompress(decompressor, idat + 8, u32_at(idat), rows, len, &used),
        LIBDEFLATE_SUCCESS);
    ck_assert_uint_eq(used, len);
    for (size_t y = 0; y < (size_t)image->height; y++)
        for (size_t i = 0; i < row; i++) {
            const unsigned char *at = image->pixels + y * row + i;
            int a = i < bpp ? 0 : at[-(ptrdiff_t)bpp], b = y == 0 ? 0 : at[-(ptrdiff_t)row];
            int c = i < bpp || y == 0 ? 0 : at[-(ptrdiff_t)(row + bpp)];
            int decoded = rows[y * (row + 1) + 1 + i] + predicted(rows[y * (row + 1)], a, b, c);
            ck_assert_uint_eq((unsigned char)decoded, *at);
        }
    libdeflate_free_decompressor(decompressor);
    free(rows);
}

static void check_file(const struct nt_image *image)
{
    size_t row = (size_t)(image->width * image->channels * image->depth / 8);
    struct nt_bytes png, same;

    ck_assert_int_eq(nt_png_encode(workspace, image, &png), NT_OK);
    ck_assert_uint_le(png.len, 57 + 6 + stored_size((row + 1) * (size_t)image->height));
    struct picture picture = picture_of(png.data, png.len);
    ck_assert_int_eq(picture.width, image->width);
    ck_assert_int_eq(picture.height, image->height);
    ck_assert_int_eq(picture.channels, image->channels);
    ck_assert_int_eq(picture.depth, image->depth);
    ck_assert(memcmp(picture.pixels, image->pixels, row * (size_t)image->height) == 0);
    free(picture.pixels);
    check_by_hand(&png, image);
    ck_assert(nt_init("baseline"));
    ck_assert_int_eq(nt_png_encode(other, image, &same), NT_OK);
    ck_assert(nt_init("auto"));
    ck_assert(same.len == png.len && memcmp(same.data, png.data, png.len) == 0);
}

static void check_random_file(pattern *draw, int width, int height, uint64_t *state)
{
    static const int channel_counts[] = {1, 3, 4};
    int channels = channel_counts[random_below(state, 3)], depth = random_below(state, 2) ? 8 : 16;
    size_t row = (size_t)(width * channels * depth / 8), n = row * (size_t)height;
    unsigned char *pixels = malloc(n);

    draw(pixels, n, random_below(state, 2) ? row : (size_t)width, state);
    check_file(&(struct nt_image){pixels, width, height, channels, depth});
    free(pixels);
}

START_TEST(files_decode_to_their_pixels)
{
    uint64_t state = (uint64_t)_i + 100;
    size_t rounds = 4 * long_factor();

    for (size_t round = 0; round < rounds; round++)
        check_random_file(patterns[_i], between(&state, 1, 90), between(&state, 1, 90), &state);
    check_random_file(patterns[_i], between(&state, 1, 1024), 3, &state);
    check_random_file(patterns[_i], 3, between(&state, 1, 1024), &state);
    check_random_file(patterns[_i], 256, 256, &state);
}
END_TEST

START_TEST(files_of_all_small_sizes)
{
    uint64_t state = 9;

    for (int size = 1; size <= 70; size++)
        check_random_file(patterns[size % PATTERNS], size, size, &state);
    check_random_file(halves, 1024, 1024, &state);
}
END_TEST

/* ---- Against libpng -------------------------------------------------------------------------- */

static void count_bytes(png_structp png, png_bytep data, size_t len)
{
    (void)data;
    *(size_t *)png_get_io_ptr(png) += len;
}

/* What anybody gets who calls libpng without settings. */
static size_t libpng_size(const struct picture *picture)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    size_t size = 0;

    png_set_write_fn(png, &size, count_bytes, NULL);
    png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height,
                 picture->depth, picture->color_type, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < picture->height; y++)
        png_write_row(png, picture->pixels + (size_t)y * (size_t)picture->width *
                                                 (size_t)picture->channels *
                                                 (size_t)picture->depth / 8);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return size;
}

START_TEST(tiles_are_no_larger_than_libpngs)
{
    static const char *const urls[] = {
        "1/0/1",
        "1/0/1?amplitude=0",
        "1/0/1?fractal=none",
        "1/0/1?octaves=3",
        "6/20/20?fractal=none",
        "8/100/100",
        "1/0/1?noise=value",
        "1/0/1?noise=simplex",
        "1/0/1?noise=cellular",
        "1/0/1?noise=cellular&cell=value&fractal=none",
        "1/0/1?noise=white&fractal=none",
        "1/0/1?fractal=ridged",
        "1/0/1?bits=16",
        "1/0/1?bits=16&amplitude=0",
        "1/0/1?style=terrarium",
        "1/0/1?style=color",
        "1/0/1?style=color&ramp=0:000000,0.5:ff8800,1:ffffff80",
        "1/0/1?style=color&ramp=0:000080,0.4:000080,0.4001:ffff80,0.7:ffff80,0.7001:ff8000",
    };

    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        size_t len;
        unsigned char *data = encoded_of(urls[i], &len);
        struct picture picture = picture_of(data, len);
        size_t theirs = libpng_size(&picture);
        ck_assert_msg(len <= theirs, "%s: %zu bytes, libpng %zu", urls[i], len, theirs);
        free(data);
        free(picture.pixels);
    }
}
END_TEST

Suite *png_suite(void)
{
    Suite *suite = suite_create("png");
    TCase *parts = tcase_create("parts"), *files = tcase_create("files");

    tcase_add_checked_fixture(parts, workspaces_new, workspaces_free);
    tcase_add_checked_fixture(files, workspaces_new, workspaces_free);
    tcase_set_timeout(parts, 120);
    tcase_set_timeout(files, 120);
    tcase_add_test(parts, codes_are_complete_and_the_shortest);
    tcase_add_test(parts, codes_keep_to_their_limit);
    tcase_add_test(parts, one_symbol_or_none_has_a_code_of_two);
    tcase_add_test(parts, filters_are_the_specifications);
    tcase_add_loop_test(parts, what_is_near_is_found_everywhere, 0, PATTERNS);
    tcase_add_loop_test(parts, deflated_data_is_inflated_by_others, 0, PATTERNS);
    tcase_add_test(parts, deflated_data_of_many_blocks);
    tcase_add_loop_test(files, files_decode_to_their_pixels, 0, PATTERNS);
    tcase_add_test(files, files_of_all_small_sizes);
    tcase_add_test(files, tiles_are_no_larger_than_libpngs);
    suite_add_tcase(suite, parts);
    suite_add_tcase(suite, files);
    return suite;
}
