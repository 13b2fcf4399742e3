/*
 * spec.c - THE parameter table. Each row tells everything about one parameter, and parsing,
 * checking, canonical text, /params, --help and the README all come from it: adding a parameter is
 * adding a row and a field of struct nt_spec. What the fields do is in fractal.c, grid.c and
 * style/. Next: tile.c.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "core/number.h"

/* ---- The table ------------------------------------------------------------------------------- */

struct row {
    const char *name, *alias;
    enum nt_type type;
    enum nt_group group;
    size_t offset; /* of the field in struct nt_spec: int64_t, double or int by type */
    struct {
        int64_t min, max, start;
    } whole; /* integers; start is the default */
    struct {
        double min, max, start;
    } real;
    bool min_excluded, no_default;
    const char *const *choices; /* names by value, NULL at the end; the first is the default */
    /* Name of the parameter whose value has no use for this one, or NULL if it is used. */
    const char *(*unused_by)(const struct nt_spec *spec);
    const char *help;
};

static const char *const fractal_names[] = {"none", "fbm", "ridged", "billow", "pingpong", NULL};
static const char *const domain_names[] = {"world", "torus", "plane", "planet", NULL};
static const char *const cell_names[] = {"f1", "f2", "f2-f1", "value", NULL};
static const char *const lod_names[] = {"auto", "off", NULL};
static const char *const sampling_names[] = {"cell", "point", NULL};
static const char *const style_names[] = {"gray", NULL};
static const char *const bits_names[] = {"8", "16", NULL};
static const char *const format_names[] = {"png", "json", "bin", "npy", "r16", NULL};

/* Each of these returns the name of the parameter whose value has no use for the row, or NULL. */

static const char *single_octave(const struct nt_spec *spec)
{
    return spec->fractal == NT_FRACTAL_NONE ? "fractal" : NULL;
}

static bool kind_can(const struct nt_spec *spec, enum nt_ability ability)
{
    return (nt_kinds[spec->noise].abilities & ability) != 0;
}

static const char *no_band_limit(const struct nt_spec *spec)
{
    return kind_can(spec, NT_LIMITED) ? NULL : "noise";
}

static const char *not_cellular(const struct nt_spec *spec)
{
    return kind_can(spec, NT_CELLS) ? NULL : "noise";
}

static const char *not_warped(const struct nt_spec *spec)
{
    return spec->warp == 0.0 ? "warp" : NULL;
}

/* A loop in t needs t, and a lattice that can close. */
static const char *no_loop(const struct nt_spec *spec)
{
    if (!nt_spec_is_given(spec, "t"))
        return "t";
    return kind_can(spec, NT_CLOSES) ? NULL : "noise";
}

/* Styles make pictures; the other formats carry samples. */
static const char *no_picture(const struct nt_spec *spec)
{
    return spec->format == NT_PNG ? NULL : "format";
}

/* JSON reports the range, pictures and r16 map it. */
static const char *no_range(const struct nt_spec *spec)
{
    return spec->format == NT_BIN || spec->format == NT_NPY ? "format" : NULL;
}

#define FIELD(f)              .offset = offsetof(struct nt_spec, f)
#define INTEGER(f, lo, hi, d) .type = NT_INTEGER, FIELD(f), .whole = {lo, hi, d}
#define REAL(f, lo, hi, d)    .type = NT_REAL, FIELD(f), .real = {lo, hi, d}
#define CHOICE(f, names, d)   .type = NT_CHOICE, FIELD(f), .choices = names, .whole = {0, 0, d}

static const struct row rows[] = {
    {"noise", .group = NT_GROUP_NOISE, CHOICE(noise, nt_kind_names, NT_PERLIN),
     .help = "kind of noise"},
    {"seed", .group = NT_GROUP_NOISE, INTEGER(seed, INT64_MIN, INT64_MAX, 0),
     .help = "another seed, another world"},
    {"fractal", .group = NT_GROUP_NOISE, CHOICE(fractal, fractal_names, NT_FRACTAL_FBM),
     .help = "how octaves are summed; none is a single octave"},
    {"octaves", .group = NT_GROUP_NOISE, INTEGER(octaves, 1, NT_OCTAVES_MAX, 5),
     .unused_by = single_octave, .help = "layers of detail"},
    {"frequency", .group = NT_GROUP_NOISE, REAL(frequency, 0, 1048576, 8), .min_excluded = true,
     .help = "cells of the first octave across the world"},
    {"lacunarity", .group = NT_GROUP_NOISE, REAL(lacunarity, 1, 8, 2), .unused_by = single_octave,
     .help = "frequency of an octave over that of the one before"},
    {"persistence", .alias = "gain", .group = NT_GROUP_NOISE, REAL(persistence, -1, 2, 0.5),
     .unused_by = single_octave, .help = "weight of an octave over that of the one before"},
    {"amplitude", .group = NT_GROUP_NOISE, REAL(amplitude, 0, 1000000, 1),
     .help = "multiplies the result; min and max do not follow it"},
    {"warp", .group = NT_GROUP_NOISE, REAL(warp, 0, 16, 0),
     .help = "displaces the noise by noise, in cells of the first octave"},
    {"warp_octaves", .group = NT_GROUP_NOISE, INTEGER(warp_octaves, 1, 8, 1),
     .unused_by = not_warped, .help = "octaves of the displacement"},
    {"t", .group = NT_GROUP_NOISE, REAL(t, -1000000, 1000000, 0), .no_default = true,
     .help = "a slice of 3-D noise, at this third coordinate in cells of the first octave"},
    {"t_period", .group = NT_GROUP_NOISE, INTEGER(t_period, 0, 65536, 0), .unused_by = no_loop,
     .help = "t repeats after so many cells; 0 never"},
    {"domain", .group = NT_GROUP_NOISE, CHOICE(domain, domain_names, NT_DOMAIN_WORLD),
     .help = "world closes at the antimeridian, torus repeats both ways, plane never ends"},
    {"lod", .group = NT_GROUP_NOISE, CHOICE(lod, lod_names, NT_LOD_AUTO),
     .unused_by = no_band_limit,
     .help = "auto fades octaves finer than the pixel grid, off keeps them"},
    {"cell", .group = NT_GROUP_NOISE, CHOICE(cell, cell_names, NT_CELL_F1),
     .unused_by = not_cellular,
     .help = "cellular: distance to the nearest point, to the second, their difference, or the "
             "cell's value"},
    {"jitter", .group = NT_GROUP_NOISE, REAL(jitter, 0, 1, 1), .unused_by = not_cellular,
     .help = "cellular: how far points leave the middle of their cells"},
    {"size", .group = NT_GROUP_PICTURE, INTEGER(size, 1, 1024, 256),
     .help = "pixels per side; @{n}x in the path multiplies it"},
    {"sampling", .group = NT_GROUP_PICTURE, CHOICE(sampling, sampling_names, NT_SAMPLING_CELL),
     .help = "cell takes pixel centres, point takes grid points shared with the neighbours (one "
             "more per side)"},
    {"buffer", .group = NT_GROUP_PICTURE, INTEGER(buffer, 0, 16, 0),
     .help = "extra pixels on every side, out of the neighbours"},
    {"style", .group = NT_GROUP_PICTURE, CHOICE(style, style_names, NT_STYLE_GRAY),
     .unused_by = no_picture, .help = "how a picture shows the samples"},
    {"bits", .group = NT_GROUP_PICTURE, CHOICE(bits, bits_names, NT_BITS_8),
     .unused_by = no_picture, .help = "depth of a grey picture"},
    {"min", .group = NT_GROUP_PICTURE, REAL(min, -1e12, 1e12, -1), .unused_by = no_range,
     .help = "sample that becomes black"},
    {"max", .group = NT_GROUP_PICTURE, REAL(max, -1e12, 1e12, 1), .unused_by = no_range,
     .help = "sample that becomes white; above min"},
    {"format", .group = NT_GROUP_REQUEST, CHOICE(format, format_names, NT_PNG),
     .help = "same as the extension"},
    {"v", .group = NT_GROUP_REQUEST, INTEGER(version, 0, INT32_MAX, 0), .no_default = true,
     .help = "pins the engine version, so that the answer may be cached for ever"},
};
enum { ROWS = sizeof rows / sizeof *rows };
_Static_assert(ROWS <= 32, "struct nt_spec keeps a bit of `given` for each row");

static uint32_t row_bit(const struct row *row)
{
    return UINT32_C(1) << (row - rows);
}

static bool is_given(const struct row *row, const struct nt_spec *spec)
{
    return (spec->given & row_bit(row)) != 0;
}

/* ---- Fields ---------------------------------------------------------------------------------- */

union field {
    int64_t whole;
    double real;
    int choice;
};

static union field field_get(const struct row *row, const struct nt_spec *spec)
{
    const char *at = (const char *)spec + row->offset;
    union field field = {0};

    switch (row->type) {
    case NT_INTEGER:
        memcpy(&field.whole, at, sizeof field.whole);
        break;
    case NT_REAL:
        memcpy(&field.real, at, sizeof field.real);
        break;
    case NT_CHOICE:
        memcpy(&field.choice, at, sizeof field.choice);
        break;
    }
    return field;
}

static void field_set(const struct row *row, struct nt_spec *spec, union field field)
{
    char *at = (char *)spec + row->offset;

    switch (row->type) {
    case NT_INTEGER:
        memcpy(at, &field.whole, sizeof field.whole);
        break;
    case NT_REAL:
        memcpy(at, &field.real, sizeof field.real);
        break;
    case NT_CHOICE:
        memcpy(at, &field.choice, sizeof field.choice);
        break;
    }
}

static union field field_default(const struct row *row)
{
    union field field = {0};

    if (row->type == NT_INTEGER)
        field.whole = row->whole.start;
    else if (row->type == NT_REAL)
        field.real = row->real.start;
    else
        field.choice = (int)row->whole.start;
    return field;
}

static bool field_is_default(const struct row *row, const struct nt_spec *spec)
{
    union field is = field_get(row, spec), def = field_default(row);

    if (row->no_default)
        return !is_given(row, spec);
    if (row->type == NT_INTEGER)
        return is.whole == def.whole;
    if (row->type == NT_REAL)
        return is.real == def.real;
    return is.choice == def.choice;
}

/* Canonical text of a field's value; text[NT_NUMBER_TEXT_MAX]. */
static void field_text(const struct row *row, union field field, char *text)
{
    if (row->type == NT_INTEGER)
        nt_integer_text(field.whole, text);
    else if (row->type == NT_REAL)
        nt_double_text(field.real, text);
    else
        snprintf(text, NT_NUMBER_TEXT_MAX, "%s", row->choices[field.choice]);
}

void nt_spec_init(struct nt_spec *spec)
{
    memset(spec, 0, sizeof *spec);
    spec->scale = 1;
    for (size_t i = 0; i < ROWS; i++)
        field_set(&rows[i], spec, field_default(&rows[i]));
}

/* ---- Setting one parameter
 * ------------------------------------------------------------------------ */

static void list_choices(const struct row *row, char *list, size_t cap)
{
    list[0] = '\0';
    for (int i = 0; row->choices[i]; i++)
        nt_list_add(list, cap, row->choices[i]);
}

static void range_text(const struct row *row, char *min, char *max)
{
    union field lo = {0}, hi = {0};

    if (row->type == NT_INTEGER) {
        lo.whole = row->whole.min;
        hi.whole = row->whole.max;
    } else {
        lo.real = row->real.min;
        hi.real = row->real.max;
    }
    field_text(row, lo, min);
    field_text(row, hi, max);
}

/* The value is no number, not a name, or out of range: says which and what is allowed. */
static enum nt_status refuse_value(const struct row *row, const char *value, size_t len,
                                   const char *why, struct nt_error *err)
{
    char min[NT_NUMBER_TEXT_MAX], max[NT_NUMBER_TEXT_MAX];

    if (row->type == NT_CHOICE) {
        nt_fail(err, NT_BAD_PARAMETER, row->name, value, len, "%s", "");
        list_choices(row, err->allowed, sizeof err->allowed);
        snprintf(err->detail, sizeof err->detail, "%s %s: it is one of %s", row->name, why,
                 err->allowed);
        return NT_BAD_PARAMETER;
    }
    range_text(row, min, max);
    nt_fail(err, NT_BAD_PARAMETER, row->name, value, len, "%s %s: it is a %s number %s %s%s to %s",
            row->name, why, row->type == NT_INTEGER ? "whole" : "decimal",
            row->min_excluded ? "above" : "from", min, row->min_excluded ? ", up" : "", max);
    memcpy(err->min, min, sizeof err->min);
    memcpy(err->max, max, sizeof err->max);
    return NT_BAD_PARAMETER;
}

static enum nt_number parse_choice(const struct row *row, const char *value, size_t len,
                                   int *choice)
{
    for (int i = 0; row->choices[i]; i++) {
        if (strlen(row->choices[i]) == len && memcmp(row->choices[i], value, len) == 0) {
            *choice = i;
            return NT_NUMBER_OK;
        }
    }
    return NT_NUMBER_MALFORMED;
}

static bool in_range(const struct row *row, union field field)
{
    switch (row->type) {
    case NT_INTEGER:
        return field.whole >= row->whole.min && field.whole <= row->whole.max;
    case NT_REAL:
        return (row->min_excluded ? field.real > row->real.min : field.real >= row->real.min) &&
               field.real <= row->real.max;
    case NT_CHOICE:
        break;
    }
    return true;
}

static enum nt_status parse_field(const struct row *row, const char *value, size_t len,
                                  union field *field, struct nt_error *err)
{
    enum nt_number result = NT_NUMBER_MALFORMED;

    if (row->type == NT_INTEGER)
        result = nt_integer_parse(value, len, &field->whole);
    else if (row->type == NT_REAL)
        result = nt_real_parse(value, len, &field->real);
    else
        result = parse_choice(row, value, len, &field->choice);

    if (len == 0)
        return refuse_value(row, value, len, "is empty", err);
    if (result == NT_NUMBER_MALFORMED)
        return refuse_value(row, value, len,
                            row->type == NT_CHOICE ? "has no such value" : "is malformed", err);
    if (result == NT_NUMBER_TOO_SMALL)
        return refuse_value(row, value, len, "is too small to be told from 0", err);
    if (result == NT_NUMBER_TOO_LARGE || !in_range(row, *field))
        return refuse_value(row, value, len, "is out of range", err);
    return NT_OK;
}

static bool is_named(const char *name, const char *text, size_t len)
{
    return name && strlen(name) == len && memcmp(name, text, len) == 0;
}

static const struct row *find_row(const char *name, size_t len)
{
    for (size_t i = 0; i < ROWS; i++)
        if (is_named(rows[i].name, name, len) || is_named(rows[i].alias, name, len))
            return &rows[i];
    return NULL;
}

bool nt_spec_is_given(const struct nt_spec *spec, const char *name)
{
    const struct row *row = find_row(name, strlen(name));

    return is_given(row, spec);
}

static enum nt_status refuse_name(const char *name, size_t len, const char *value, size_t value_len,
                                  struct nt_error *err)
{
    nt_fail(err, NT_BAD_PARAMETER, NULL, value, value_len, "%s", "");
    snprintf(err->parameter, sizeof err->parameter, "%.*s", (int)(len < 23 ? len : 23), name);
    for (size_t i = 0; i < ROWS; i++)
        nt_list_add(err->allowed, sizeof err->allowed, rows[i].name);
    snprintf(err->detail, sizeof err->detail, "unknown parameter: the parameters are %s",
             err->allowed);
    return NT_BAD_PARAMETER;
}

enum nt_status nt_spec_set(struct nt_spec *spec, const char *name, size_t name_len,
                           const char *value, size_t value_len, struct nt_error *err)
{
    const struct row *row = find_row(name, name_len);
    union field field = {0};

    if (!row)
        return refuse_name(name, name_len, value, value_len, err);
    if (is_given(row, spec))
        return nt_fail(err, NT_BAD_PARAMETER, row->name, value, value_len,
                       "%s is given more than once%s%s", row->name,
                       row->alias ? "; its other name is " : "", row->alias ? row->alias : "");
    enum nt_status status = parse_field(row, value, value_len, &field, err);
    if (status)
        return status;
    field_set(row, spec, field);
    spec->given |= row_bit(row);
    return NT_OK;
}

/* ---- Queries --------------------------------------------------------------------------------- */

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

static enum nt_status parse_pair(struct nt_spec *spec, const char *pair, size_t len,
                                 struct nt_error *err)
{
    char decoded[NT_TEXT_MAX];
    const char *equals = memchr(pair, '=', len);
    size_t name_len = equals ? (size_t)(equals - pair) : len;
    const struct row *row = find_row(pair, name_len);

    if (len == 0)
        return nt_fail(err, NT_BAD_PARAMETER, NULL, NULL, 0,
                       "the query has an empty pair: write name=value, one & between two pairs");
    if (!row)
        return refuse_name(pair, name_len, equals ? equals + 1 : NULL,
                           equals ? len - name_len - 1 : 0, err);
    if (!equals)
        return nt_fail(err, NT_BAD_PARAMETER, row->name, NULL, 0, "%s has no value: write %s=value",
                       row->name, row->name);
    const char *value = equals + 1;
    size_t value_len = len - name_len - 1;
    long decoded_len = value_len <= sizeof decoded ? percent_decode(value, value_len, decoded) : 0;
    if (value_len > sizeof decoded)
        return refuse_value(row, value, value_len, "is too long", err);
    if (decoded_len < 0)
        return refuse_value(row, value, value_len, "has a malformed percent escape", err);
    return nt_spec_set(spec, row->name, strlen(row->name), decoded, (size_t)decoded_len, err);
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

/* ---- The rules between parameters
 * ------------------------------------------------------------------ */

/* "with fractal=none", or "without t". */
static void describe_setting(const struct nt_spec *spec, const char *name, char *text, size_t cap)
{
    const struct row *row = find_row(name, strlen(name));
    char value[NT_NUMBER_TEXT_MAX];

    field_text(row, field_get(row, spec), value);
    if (row->no_default && !is_given(row, spec))
        snprintf(text, cap, "without %s", name);
    else
        snprintf(text, cap, "with %s=%s", name, value);
}

/*
 * A noise parameter that the rest has no use for is an error; a picture parameter goes back to its
 * default.
 */
static enum nt_status settle_unused(struct nt_spec *spec, struct nt_error *err)
{
    for (const struct row *row = rows; row < rows + ROWS; row++) {
        const char *by = row->unused_by ? row->unused_by(spec) : NULL;
        char value[NT_NUMBER_TEXT_MAX], setting[64];
        if (!by)
            continue;
        if (row->group == NT_GROUP_NOISE && is_given(row, spec)) {
            field_text(row, field_get(row, spec), value);
            describe_setting(spec, by, setting, sizeof setting);
            return nt_fail(err, NT_BAD_PARAMETER, row->name, value, strlen(value),
                           "%s is not used %s: leave one of them out", row->name, setting);
        }
        field_set(row, spec, field_default(row));
    }
    return NT_OK;
}

/* What a kind without a lattice that closes cannot do. */
static enum nt_status check_abilities(const struct nt_spec *spec, struct nt_error *err)
{
    const char *kind = nt_kind_names[spec->noise];

    if (kind_can(spec, NT_CLOSES))
        return NT_OK;
    if (spec->domain == NT_DOMAIN_TORUS) {
        nt_fail(err, NT_BAD_PARAMETER, "domain", "torus", strlen("torus"),
                "domain=torus is not possible with noise=%s, whose lattice does not close", kind);
        snprintf(err->allowed, sizeof err->allowed, "world plane planet");
        return err->status;
    }
    if (spec->domain == NT_DOMAIN_WORLD && spec->sliced)
        return nt_fail(
            err, NT_BAD_PARAMETER, "t", NULL, 0,
            "t is not possible with noise=%s in domain=world, which it closes by going around "
            "a cylinder in space: use domain=plane or planet",
            kind);
    return NT_OK;
}

static enum nt_status check_version(const struct nt_spec *spec, struct nt_error *err)
{
    char text[NT_NUMBER_TEXT_MAX];

    if (!nt_spec_is_given(spec, "v") || spec->version == NT_ENGINE_VERSION)
        return NT_OK;
    nt_integer_text(spec->version, text);
    nt_fail(err, NT_UNKNOWN_VERSION, "v", text, strlen(text),
            "engine version %s is not served here: the current one is %d", text, NT_ENGINE_VERSION);
    snprintf(err->allowed, sizeof err->allowed, "%d", NT_ENGINE_VERSION);
    return err->status;
}

enum nt_status nt_spec_check(struct nt_spec *spec, const struct nt_limits *limits,
                             struct nt_error *err)
{
    char text[NT_NUMBER_TEXT_MAX];

    if (spec->min >= spec->max) {
        nt_double_text(spec->min, text);
        nt_fail(err, NT_BAD_PARAMETER, "min", text, strlen(text), "min must be less than max");
        nt_double_text(spec->max, err->max);
        return err->status;
    }
    if (spec->size * spec->scale > limits->max_size) {
        nt_integer_text(spec->size, text);
        nt_fail(err, NT_BAD_PARAMETER, "size", text, strlen(text),
                "size times @%dx is above this server's limit of %lld pixels per side", spec->scale,
                (long long)limits->max_size);
        nt_integer_text(1, err->min);
        nt_integer_text(limits->max_size / spec->scale, err->max);
        return err->status;
    }
    enum nt_status status = settle_unused(spec, err);
    spec->sliced = nt_spec_is_given(spec, "t");
    if (!status)
        status = check_abilities(spec, err);
    if (!status)
        status = check_version(spec, err);
    for (const struct row *row = rows; row < rows + ROWS; row++)
        if (!row->no_default)
            spec->given &= ~row_bit(row);
    return status;
}

/* ---- Out again ------------------------------------------------------------------------------- */

size_t nt_spec_text(const struct nt_spec *spec, char *text, size_t cap)
{
    size_t len = 0;

    assert(cap >= NT_TEXT_MAX);
    text[0] = '\0';
    for (size_t i = 0; i < ROWS; i++) {
        char value[NT_NUMBER_TEXT_MAX];
        if (rows[i].group == NT_GROUP_REQUEST || field_is_default(&rows[i], spec))
            continue;
        field_text(&rows[i], field_get(&rows[i], spec), value);
        int n = snprintf(text + len, cap - len, "%s%s=%s", len ? "&" : "", rows[i].name, value);
        assert(n > 0 && (size_t)n < cap - len);
        len += (size_t)n;
    }
    return len;
}

size_t nt_param_count(void)
{
    return ROWS;
}

void nt_param_describe(size_t i, struct nt_param_info *info)
{
    const struct row *row = &rows[i];

    assert(i < ROWS);
    memset(info, 0, sizeof *info);
    info->name = row->name;
    info->alias = row->alias;
    info->type = row->type;
    info->group = row->group;
    info->min_excluded = row->min_excluded;
    info->help = row->help;
    if (!row->no_default)
        field_text(row, field_default(row), info->default_text);
    if (row->type == NT_CHOICE)
        list_choices(row, info->allowed, sizeof info->allowed);
    else
        range_text(row, info->min, info->max);
}

const char *nt_type_name(enum nt_type type)
{
    static const char *const names[] = {"integer", "number", "choice"};

    return names[type];
}

const char *nt_group_name(enum nt_group group)
{
    static const char *const names[] = {"noise", "picture", "request"};

    return names[group];
}

const char *nt_format_name(int format)
{
    return format_names[format];
}

int nt_format_find(const char *name, size_t len)
{
    for (int i = 0; i < NT_FORMATS; i++)
        if (is_named(format_names[i], name, len))
            return i;
    return -1;
}

const char *nt_media_type(int format)
{
    static const char *const types[NT_FORMATS] = {
        "image/png", "application/json", "application/octet-stream", "application/octet-stream",
        "application/octet-stream"};

    return types[format];
}
