/*
 * query.c - from a request's raw query to the rows of the parameter table: pairs, percent escapes,
 * unknown and repeated names. What a value may be is the row's own business (param.c). Next:
 * tile.c.
 */
#include <stdio.h>
#include <string.h>

#include "core/param.h"

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes percent escapes of value into decoded[len]; -1 for a bad escape or a NUL. */
static long percent_decode(const char *value, size_t len, char *decoded)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++) {
        char c = value[i];
        if (c == '%') {
            int high = i + 1 < len ? hex_digit(value[i + 1]) : -1;
            int low = i + 2 < len ? hex_digit(value[i + 2]) : -1;
            if (high < 0 || low < 0)
                return -1;
            c = (char)(high * 16 + low);
            i += 2;
        }
        if (c == '\0')
            return -1;
        decoded[n++] = c;
    }
    return (long)n;
}

static const struct nt_param *find(const struct nt_spec *spec, const char *name, size_t len)
{
    const struct nt_param *param = nt_param_find(name, len);

    return param && nt_param_serves(param, spec->purpose) ? param : NULL;
}

static enum nt_status refuse_name(const struct nt_spec *spec, const char *name, size_t len,
                                  const char *value, size_t value_len, struct nt_error *err)
{
    nt_fail(err, NT_BAD_PARAMETER, NULL, value, value_len, "%s", "");
    snprintf(err->parameter, sizeof err->parameter, "%.*s", (int)(len < 23 ? len : 23), name);
    nt_param_names(spec->purpose, err->allowed, sizeof err->allowed);
    snprintf(err->detail, sizeof err->detail, "unknown parameter: the parameters are %s",
             err->allowed);
    return NT_BAD_PARAMETER;
}

static enum nt_status set(struct nt_spec *spec, const struct nt_param *param, const char *value,
                          size_t len, struct nt_error *err)
{
    union nt_value parsed;
    enum nt_status status;

    if (nt_param_is_given(param, spec))
        return nt_fail(err, NT_BAD_PARAMETER, param->name, value, len,
                       "%s is given more than once%s%s", param->name,
                       param->alias ? "; its other name is " : "",
                       param->alias ? param->alias : "");
    status = nt_param_parse(param, value, len, &parsed, err);
    if (status)
        return status;
    nt_param_put(param, spec, &parsed);
    nt_param_mark_given(param, spec);
    return NT_OK;
}

enum nt_status nt_spec_set(struct nt_spec *spec, const char *name, size_t name_len,
                           const char *value, size_t value_len, struct nt_error *err)
{
    const struct nt_param *param = find(spec, name, name_len);

    return param ? set(spec, param, value, value_len, err)
                 : refuse_name(spec, name, name_len, value, value_len, err);
}

static enum nt_status parse_pair(struct nt_spec *spec, const char *pair, size_t len,
                                 struct nt_error *err)
{
    char decoded[NT_VALUE_TEXT_MAX];
    const char *equals = memchr(pair, '=', len);
    size_t name_len = equals ? (size_t)(equals - pair) : len;
    const struct nt_param *param = find(spec, pair, name_len);

    if (len == 0)
        return nt_fail(err, NT_BAD_PARAMETER, NULL, NULL, 0,
                       "the query has an empty pair: write name=value, one & between two pairs");
    if (!param)
        return refuse_name(spec, pair, name_len, equals ? equals + 1 : NULL,
                           equals ? len - name_len - 1 : 0, err);
    if (!equals)
        return nt_fail(err, NT_BAD_PARAMETER, param->name, NULL, 0,
                       "%s has no value: write %s=value", param->name, param->name);
    const char *value = equals + 1;
    size_t value_len = len - name_len - 1;
    if (value_len > sizeof decoded)
        return nt_param_refuse(param, value, value_len, "is too long", err);
    long decoded_len = percent_decode(value, value_len, decoded);
    if (decoded_len < 0)
        return nt_param_refuse(param, value, value_len, "has a malformed percent escape", err);
    return set(spec, param, decoded, (size_t)decoded_len, err);
}

enum nt_status nt_spec_parse_query(struct nt_spec *spec, const char *query, size_t len,
                                   struct nt_error *err)
{
    if (len == 0)
        return NT_OK;
    for (;;) {
        const char *ampersand = memchr(query, '&', len);
        size_t pair_len = ampersand ? (size_t)(ampersand - query) : len;
        enum nt_status status = parse_pair(spec, query, pair_len, err);
        if (status || !ampersand)
            return status;
        query = ampersand + 1;
        len -= pair_len + 1;
    }
}
