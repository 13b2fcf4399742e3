/* tiles.c - see tiles.h. */
#include "tests/support/tiles.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    char url[512];
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

bool same_bits(const float *a, const float *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
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
