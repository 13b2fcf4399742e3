/* tiles.c - see tiles.h. */
#include "tests/support/tiles.h"

#include <check.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"

static const struct nt_limits limits = {NT_MAX_SIZE_DEFAULT};

static enum nt_status parse(const char *url, struct nt_tile *tile, struct nt_spec *spec,
                            struct nt_error *err)
{
    const char *mark = strchr(url, '?');
    size_t path_len = mark ? (size_t)(mark - url) : strlen(url);
    const char *query = mark ? mark + 1 : "";

    memset(err, 0, sizeof *err);
    return nt_request_parse(tile, spec, &limits, url, path_len, query, strlen(query), err);
}

void parse_ok(const char *url, struct nt_tile *tile, struct nt_spec *spec)
{
    struct nt_error err;

    ck_assert_msg(parse(url, tile, spec, &err) == NT_OK, "%s: %s", url, err.detail);
}

struct nt_error parse_bad(const char *url)
{
    struct nt_tile tile;
    struct nt_spec spec;
    struct nt_error err;

    ck_assert_msg(parse(url, &tile, &spec, &err) != NT_OK, "%s was accepted", url);
    ck_assert_msg(err.detail[0] != '\0', "%s: no detail", url);
    return err;
}

struct field field_of(const char *url_format, ...)
{
    struct field field = {.at = NULL};
    struct nt_workspace *workspace = nt_workspace_new();
    char url[4096];
    va_list args;

    va_start(args, url_format);
    vsnprintf(url, sizeof url, url_format, args);
    va_end(args);
    parse_ok(url, &field.tile, &field.spec);
    field.side = nt_side(&field.spec);
    ck_assert_int_eq(nt_fill(workspace, &field.spec, &field.tile), NT_OK);
    size_t bytes = (size_t)field.side * (size_t)field.side * sizeof(float);
    field.at = malloc(bytes);
    ck_assert_ptr_nonnull(field.at);
    memcpy(field.at, nt_field(workspace), bytes);
    nt_workspace_free(workspace);
    return field;
}

void field_free(struct field *field)
{
    free(field->at);
    field->at = NULL;
}

unsigned char *encoded_of(const char *url, size_t *len)
{
    struct nt_workspace *workspace = nt_workspace_new();
    struct nt_tile tile;
    struct nt_spec spec;
    struct nt_bytes bytes;

    parse_ok(url, &tile, &spec);
    ck_assert_int_eq(nt_fill(workspace, &spec, &tile), NT_OK);
    ck_assert_int_eq(nt_encode(workspace, &spec, &tile, &bytes), NT_OK);
    unsigned char *copy = malloc(bytes.len);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes.data, bytes.len);
    *len = bytes.len;
    nt_workspace_free(workspace);
    return copy;
}

struct nt_spec spec_of(const char *query_format, ...)
{
    char query[4000], url[4096];
    struct nt_tile tile;
    struct nt_spec spec;
    va_list args;

    va_start(args, query_format);
    vsnprintf(query, sizeof query, query_format, args);
    va_end(args);
    snprintf(url, sizeof url, "0/0/0?%s", query);
    parse_ok(url, &tile, &spec);
    return spec;
}

const char *lod_off(int kind)
{
    return nt_kinds[kind].abilities & NT_LIMITED ? "lod=off" : "amplitude=1";
}

/* ---- Pictures -------------------------------------------------------------------------------- */

struct source {
    const unsigned char *data;
    size_t len, at;
};

static void source_read(png_structp png, png_bytep to, size_t len)
{
    struct source *source = png_get_io_ptr(png);

    if (len > source->len - source->at)
        png_error(png, "truncated");
    memcpy(to, source->data + source->at, len);
    source->at += len;
}

static void refuse_warning(png_structp png, png_const_charp message)
{
    png_error(png, message);
}

struct picture picture_of(const unsigned char *data, size_t len)
{
    struct source source = {data, len, 0};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, refuse_warning);
    png_infop info = png_create_info_struct(png);
    struct picture picture = {0};

    if (setjmp(png_jmpbuf(png)))
        ck_abort_msg("libpng refuses the picture");
    png_set_read_fn(png, &source, source_read);
    png_read_info(png, info);
    picture.width = (int)png_get_image_width(png, info);
    picture.height = (int)png_get_image_height(png, info);
    picture.color_type = png_get_color_type(png, info);
    picture.depth = png_get_bit_depth(png, info);
    picture.channels = png_get_channels(png, info);
    size_t row = png_get_rowbytes(png, info);
    picture.pixels = malloc(row * (size_t)picture.height);
    for (int y = 0; y < picture.height; y++)
        png_read_row(png, picture.pixels + (size_t)y * row, NULL);
    png_read_end(png, info);
    ck_assert_uint_eq(source.at, len);
    png_destroy_read_struct(&png, &info, NULL);
    return picture;
}

struct picture picture_drawn(const char *url)
{
    size_t len;
    unsigned char *data = encoded_of(url, &len);
    struct picture picture = picture_of(data, len);

    free(data);
    return picture;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

bool same_bits(const float *a, const float *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

bool same_values(const float *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float value = (float)b[i];
        if ((double)value != b[i] || !same_bits(&value, &a[i], 1))
            return false;
    }
    return true;
}

double correlation(const double *a, const double *b, size_t n)
{
    double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;

    for (size_t i = 0; i < n; i++) {
        mean_a += a[i] / (double)n;
        mean_b += b[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double x = a[i] - mean_a, y = b[i] - mean_b;
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    return ab / sqrt(aa * bb);
}

uint32_t random_u32(uint64_t *state)
{
    uint64_t x = *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);

    x ^= x >> 33;
    return (uint32_t)((x * UINT64_C(0xff51afd7ed558ccd)) >> 32);
}

uint32_t random_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(((uint64_t)random_u32(state) * n) >> 32);
}

double random_unit(uint64_t *state)
{
    uint64_t high = random_u32(state);

    return (double)(((high << 32) | random_u32(state)) >> 11) * 0x1p-53;
}

size_t long_factor(void)
{
    const char *value = getenv("NOISETILE_LONG");

    return value && strcmp(value, "1") == 0 ? 10 : 1;
}
