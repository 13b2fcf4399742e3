/*
 * json.c - a tile as a JSON document: its place, its samples row-major, and the parameters that
 * made it. Numbers are the shortest that read back as the same float.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/encode/encode.h"
#include "core/number.h"

/* "-1.1754944e-38," and "-2.2250738585072014e-308," are the longest. */
enum { FLOAT_CHARS = 16, DOUBLE_CHARS = 26 };

static void put(char *text, size_t cap, size_t *len, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void put(char *text, size_t cap, size_t *len, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(text + *len, cap - *len, format, args);
    va_end(args);
    assert(n >= 0 && (size_t)n < cap - *len);
    *len += (size_t)n;
}

static size_t put_floats(char *text, const float *values, size_t n)
{
    size_t len = 0;

    for (size_t i = 0; i < n; i++) {
        if (i)
            text[len++] = ',';
        len += nt_float_text(values[i], text + len);
    }
    return len;
}

/* Values kept in double: of a kind that needs it, or floats. */
static size_t put_exact(char *text, const double *values, size_t n, bool is_float64)
{
    size_t len = 0;

    for (size_t i = 0; i < n; i++) {
        if (i)
            text[len++] = ',';
        len += is_float64 ? nt_double_text(values[i], text + len)
                          : nt_float_text((float)values[i], text + len);
    }
    return len;
}

enum nt_status nt_encode_json(struct nt_workspace *workspace, const struct nt_spec *spec,
                              const struct nt_tile *tile, struct nt_bytes *bytes)
{
    int side = nt_side(spec);
    bool wide = nt_is_float64(spec);
    size_t n = (size_t)side * (size_t)side;
    size_t cap = n * (wide ? DOUBLE_CHARS : FLOAT_CHARS) + NT_TEXT_MAX + 1024;
    char *text = nt_reserve(workspace, NT_USE_ENCODED, cap);
    char params[NT_TEXT_MAX], min[NT_NUMBER_TEXT_MAX], max[NT_NUMBER_TEXT_MAX];
    size_t len = 0;

    if (!text)
        return NT_NO_MEMORY;
    nt_spec_text(spec, params,
                 sizeof params); /* letters, digits, -.=&:, and +: nothing to escape */
    nt_double_text(spec->min, min);
    nt_double_text(spec->max, max);
    put(text, cap, &len, "{\"z\":%d,\"x\":%lld,\"y\":%lld,\"width\":%d,\"height\":%d,\"values\":[",
        tile->z, (long long)tile->x, (long long)tile->y, side, side);
    len += wide ? put_exact(text + len, workspace->buffer[NT_USE_EXACT].data, n, true)
                : put_floats(text + len, nt_field(workspace), n);
    put(text, cap, &len, "],\"min\":%s,\"max\":%s,\"params\":\"%s\"}\n", min, max, params);
    *bytes = (struct nt_bytes){(unsigned char *)text, len};
    return NT_OK;
}

enum nt_status nt_encode_sample(struct nt_workspace *workspace, const struct nt_spec *spec,
                                const struct nt_tile *tile, struct nt_bytes *bytes)
{
    size_t n = (size_t)spec->nx * (size_t)spec->ny, len = 0;
    size_t cap = n * DOUBLE_CHARS + NT_TEXT_MAX + 1024;
    char *text = nt_reserve(workspace, NT_USE_ENCODED, cap), params[NT_TEXT_MAX];

    (void)tile;
    if (!text)
        return NT_NO_MEMORY;
    nt_spec_text(spec, params, sizeof params);
    put(text, cap, &len, "{\"values\":[");
    len += put_exact(text + len, workspace->buffer[NT_USE_EXACT].data, n, nt_is_float64(spec));
    put(text, cap, &len, "],\"nx\":%lld,\"ny\":%lld,\"params\":\"%s\"}\n", (long long)spec->nx,
        (long long)spec->ny, params);
    *bytes = (struct nt_bytes){(unsigned char *)text, len};
    return NT_OK;
}
