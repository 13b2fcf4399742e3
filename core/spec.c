/*
 * spec.c - THE parameter table. Each row tells everything about one parameter, and parsing,
 * checking,
 * canonical text, /params, --help and the README all come from it: adding a parameter is adding a
 * row and a
 * field of struct nt_spec. Below it, the rules between parameters. What the fields do is in
 * fractal.c,
 * grid.c and style/. Next: param.c for the types of value, query.c for requests.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/param.h"
#include "core/style/ramp.h"

static const char *const fractal_names[] = {"none", "fbm", "ridged", "billow", "pingpong", NULL};
static const char *const domain_names[] = {"world", "torus", "plane", "planet", NULL};
static const char *const cell_names[] = {"f1", "f2", "f2-f1", "value", NULL};
static const char *const lod_names[] = {"auto", "off", NULL};
static const char *const sampling_names[] = {"cell", "point", NULL};
static const char *const style_names[] = {"gray", "color", "terrarium", "mapbox", NULL};
static const char *const bits_names[] = {"8", "16", NULL};
static const char *const format_names[] = {"png", "json", "bin", "npy", "r16", NULL};

/* ---- Uses ------------------------------------------------------------------------------------ */

static unsigned abilities(const struct nt_spec *spec)
{
    return nt_kinds[spec->noise].abilities;
}

/* Each of these returns the name of the parameter whose value has no use for the row, or NULL. */

static const char *single_octave(const struct nt_spec *spec)
{
    return spec->fractal == NT_FRACTAL_NONE ? "fractal" : NULL;
}

/* The displacement of a warp is a sum of octaves, too. */
static const char *no_weights(const struct nt_spec *spec)
{
    return spec->warp != 0.0 && spec->warp_octaves > 1 ? NULL : single_octave(spec);
}

static const char *not_warped(const struct nt_spec *spec)
{
    return spec->warp == 0.0 ? "warp" : NULL;
}

static const char *no_time(const struct nt_spec *spec)
{
    return nt_spec_is_given(spec, "t") ? NULL : "t";
}

/* Styles make pictures; the other formats carry samples. */
static const char *no_picture(const struct nt_spec *spec)
{
    return spec->format == NT_PNG ? NULL : "format";
}

static const char *not_gray(const struct nt_spec *spec)
{
    return no_picture(spec) || spec->style != NT_STYLE_GRAY ? "style" : NULL;
}

static const char *not_color(const struct nt_spec *spec)
{
    return no_picture(spec) || spec->style != NT_STYLE_COLOR ? "style" : NULL;
}

static const char *not_dem(const struct nt_spec *spec)
{
    bool dem = spec->style == NT_STYLE_TERRARIUM || spec->style == NT_STYLE_MAPBOX;

    return no_picture(spec) || !dem ? "style" : NULL;
}

/* JSON reports the range, pictures and r16 map it. */
static const char *no_range(const struct nt_spec *spec)
{
    return spec->format == NT_BIN || spec->format == NT_NPY ? "format" : NULL;
}

/* ---- Defaults that depend on the kind -------------------------------------------------------- */

static bool plane_for_dialects(const struct nt_spec *spec, union nt_value *value)
{
    value->choice = NT_DOMAIN_PLANE;
    return nt_kinds[spec->noise].dialect != NULL;
}

/* Single places have no pixel grid, and dialects are left as they are. */
static bool off_for_dialects(const struct nt_spec *spec, union nt_value *value)
{
    value->choice = NT_LOD_OFF;
    return spec->purpose == NT_FOR_SAMPLE || nt_kinds[spec->noise].dialect != NULL;
}

static bool range_of_dialect(const struct nt_spec *spec, union nt_value *value, bool upper)
{
    double top = nt_dialect_top(nt_kinds[spec->noise].dialect);

    value->real = upper ? top : 0.0;
    return top > 0.0;
}

static bool min_of_dialect(const struct nt_spec *spec, union nt_value *value)
{
    return range_of_dialect(spec, value, false);
}

static bool max_of_dialect(const struct nt_spec *spec, union nt_value *value)
{
    return range_of_dialect(spec, value, true);
}

/* ---- The table ------------------------------------------------------------------------------- */

#define FIELD(f)              .offset = offsetof(struct nt_spec, f)
#define INTEGER(f, lo, hi, d) .type = NT_INTEGER, FIELD(f), .whole = {lo, hi, d}
#define REAL(f, lo, hi, d)    .type = NT_REAL, FIELD(f), .real = {lo, hi, {d, 0}}
#define PAIR(f, lo, hi, d, e) .type = NT_PAIR, FIELD(f), .real = {lo, hi, {d, e}}
#define CHOICE(f, names, d)   .type = NT_CHOICE, FIELD(f), .choices = names, .first = d
#define RAMP(f)               .type = NT_RAMP, FIELD(f), .choices = nt_ramp_names
#define NOISE                 .group = NT_GROUP_NOISE
#define PICTURE               .group = NT_GROUP_PICTURE
#define SAMPLE                .group = NT_GROUP_SAMPLE
#define REQUEST               .group = NT_GROUP_REQUEST

static const struct nt_param params[] = {
    {"noise", NOISE, CHOICE(noise, nt_kind_names, NT_PERLIN), .help = "kind of noise"},
    {"seed", NOISE, INTEGER(seed, INT64_MIN, INT64_MAX, 0), .needs = NT_SEED,
     .help = "another seed, another world"},
    {"fractal", NOISE, CHOICE(fractal, fractal_names, NT_FRACTAL_FBM),
     .help = "how octaves are summed; none is a single octave"},
    {"octaves", NOISE, INTEGER(octaves, 1, NT_OCTAVES_MAX, 5), .unused_by = single_octave,
     .help = "layers of detail"},
    {"frequency", NOISE, REAL(frequency, 0, 1048576, 8), .min_excluded = true,
     .help = "cells of the first octave across the world"},
    {"lacunarity", NOISE, REAL(lacunarity, 1, 8, 2), .needs = NT_LACUNARITY,
     .unused_by = no_weights, .help = "frequency of an octave over that of the one before"},
    {"persistence", .alias = "gain", NOISE, REAL(persistence, -1, 2, 0.5), .needs = NT_PERSISTENCE,
     .unused_by = no_weights, .help = "weight of an octave over that of the one before"},
    {"amplitude", NOISE, REAL(amplitude, 0, 1000000, 1), .needs = NT_AMPLITUDE,
     .help = "multiplies the result; min and max do not follow it"},
    {"warp", NOISE, REAL(warp, 0, 16, 0), .needs = NT_NATIVE,
     .help = "displaces the noise by noise, in cells of the first octave"},
    {"warp_octaves", NOISE, INTEGER(warp_octaves, 1, 8, 1), .needs = NT_NATIVE,
     .unused_by = not_warped, .help = "octaves of the displacement"},
    {"t", NOISE, REAL(t, -1000000, 1000000, 0), .needs = NT_TIME, .no_default = true,
     .help = "a slice of 3-D noise, at this third coordinate in cells of the first octave"},
    {"t_period", NOISE, INTEGER(t_period, 0, 65536, 0), .needs = NT_CLOSES, .unused_by = no_time,
     .help = "t repeats after so many cells; 0 never"},
    {"domain", NOISE, CHOICE(domain, domain_names, NT_DOMAIN_WORLD), .start_of = plane_for_dialects,
     .help =
         "world closes at the antimeridian, torus repeats both ways, plane never ends, planet is "
         "noise on the sphere; dialects have plane alone"},
    {"lod", NOISE, CHOICE(lod, lod_names, NT_LOD_AUTO), .needs = NT_LIMITED,
     .start_of = off_for_dialects,
     .help = "auto fades octaves finer than the pixel grid, off keeps them; always off for "
             "dialects and /sample"},
    {"cell", NOISE, CHOICE(cell, cell_names, NT_CELL_F1), .needs = NT_CELLS,
     .help = "cellular: distance to the nearest point, to the second, their difference, or the "
             "nearest cell's value"},
    {"jitter", NOISE, REAL(jitter, 0, 1, 1), .needs = NT_CELLS,
     .help = "cellular: how far points leave the middle of their cells"},

    {"size", PICTURE, INTEGER(size, 1, 1024, 256),
     .help = "pixels per side; @{n}x in the path multiplies it"},
    {"sampling", PICTURE, CHOICE(sampling, sampling_names, NT_SAMPLING_CELL),
     .help = "cell takes pixel centres, point takes grid points shared with the neighbours (one "
             "more per side)"},
    {"buffer", PICTURE, INTEGER(buffer, 0, 16, 0),
     .help = "extra pixels on every side, out of the neighbours"},
    {"style", PICTURE, CHOICE(style, style_names, NT_STYLE_GRAY), .unused_by = no_picture,
     .help = "grey levels, colours of a ramp, or heights encoded for terrain"},
    {"bits", PICTURE, CHOICE(bits, bits_names, NT_BITS_8), .unused_by = not_gray,
     .help = "depth of a grey picture"},
    {"min", PICTURE, REAL(min, -1e12, 1e12, -1), .unused_by = no_range, .start_of = min_of_dialect,
     .help = "sample that becomes black, or the ramp's start; inoise: 0"},
    {"max", PICTURE, REAL(max, -1e12, 1e12, 1), .unused_by = no_range, .start_of = max_of_dialect,
     .help = "sample that becomes white, or the ramp's end; above min; inoise: 255 or 65535"},
    {"ramp", PICTURE, RAMP(ramp), .unused_by = not_color,
     .help = "colours from min to max: a name, or own stops as 0:000000,0.5:ff8800,1:ffffff80"},
    {"elevation", PICTURE, PAIR(elevation, -1000000, 1000000, -4000, 4000), .unused_by = not_dem,
     .help = "metres that min and max stand for"},

    {"x", SAMPLE, REAL(x, -2147483648.0, 2147483648.0, 0), .no_default = true,
     .help = "place from the west, in worlds"},
    {"y", SAMPLE, REAL(y, -2147483648.0, 2147483648.0, 0), .no_default = true,
     .help = "place from the north, in worlds; without it the noise is one-dimensional"},
    {"lon", SAMPLE, REAL(lon, -180, 180, 0), .no_default = true,
     .help = "with lat, a place on the map instead of x and y: degrees east"},
    {"lat", SAMPLE, REAL(lat, -90, 90, 0), .no_default = true, .help = "degrees north"},
    {"nx", SAMPLE, INTEGER(nx, 1, 65536, 1), .help = "places in a row"},
    {"dx", SAMPLE, REAL(dx, -2147483648.0, 2147483648.0, 0),
     .help = "from place to place in a row"},
    {"ny", SAMPLE, INTEGER(ny, 1, 65536, 1), .help = "rows"},
    {"dy", SAMPLE, REAL(dy, -2147483648.0, 2147483648.0, 0), .help = "from row to row"},

    {"format", REQUEST, CHOICE(format, format_names, NT_PNG), .help = "same as the extension"},
    {"v", REQUEST, INTEGER(version, 0, INT32_MAX, 0), .no_default = true,
     .help = "pins the engine version, so that the answer may be cached for ever"},
};
enum { PARAMS = sizeof params / sizeof *params };
_Static_assert(PARAMS <= 64, "struct nt_spec keeps a bit of `given` for each row");

const struct nt_param *nt_param_find(const char *name, size_t len)
{
    for (const struct nt_param *p = params; p < params + PARAMS; p++)
        if ((strlen(p->name) == len && memcmp(p->name, name, len) == 0) ||
            (p->alias && strlen(p->alias) == len && memcmp(p->alias, name, len) == 0))
            return p;
    return NULL;
}

bool nt_param_serves(const struct nt_param *param, enum nt_purpose purpose)
{
    if (param->group == NT_GROUP_NOISE || param->no_default)
        return param->group != (purpose == NT_FOR_TILE ? NT_GROUP_SAMPLE : NT_GROUP_PICTURE);
    return purpose == NT_FOR_TILE ? param->group != NT_GROUP_SAMPLE
                                  : param->group == NT_GROUP_SAMPLE;
}

void nt_param_names(enum nt_purpose purpose, char *list, size_t cap)
{
    list[0] = '\0';
    for (const struct nt_param *p = params; p < params + PARAMS; p++)
        if (nt_param_serves(p, purpose))
            nt_list_add(list, cap, p->name);
}

static uint64_t bit_of(const struct nt_param *param)
{
    return UINT64_C(1) << (param - params);
}

bool nt_param_is_given(const struct nt_param *param, const struct nt_spec *spec)
{
    return (spec->given & bit_of(param)) != 0;
}

bool nt_spec_is_given(const struct nt_spec *spec, const char *name)
{
    return nt_param_is_given(nt_param_find(name, strlen(name)), spec);
}

void nt_param_mark_given(const struct nt_param *param, struct nt_spec *spec)
{
    spec->given |= bit_of(param);
}

static void reset(const struct nt_param *param, struct nt_spec *spec)
{
    union nt_value value;

    nt_param_default(param, spec, &value);
    nt_param_put(param, spec, &value);
}

void nt_spec_init(struct nt_spec *spec, enum nt_purpose purpose)
{
    memset(spec, 0, sizeof *spec);
    spec->scale = 1;
    spec->purpose = purpose;
    for (const struct nt_param *p = params; p < params + PARAMS; p++)
        reset(p, spec);
}

/* ---- The rules between parameters ------------------------------------------------------------ */

/* "with fractal=none", or "without t". */
static void describe_setting(const struct nt_spec *spec, const char *name, char *text, size_t cap)
{
    const struct nt_param *param = nt_param_find(name, strlen(name));
    char value[NT_VALUE_TEXT_MAX];
    union nt_value is;

    nt_param_get(param, spec, &is);
    nt_param_text(param, &is, value);
    if (param->no_default && !nt_param_is_given(param, spec))
        snprintf(text, cap, "without %s", name);
    else
        snprintf(text, cap, "with %s=%.60s", name, value);
}

static enum nt_status refuse_given(const struct nt_spec *spec, const struct nt_param *param,
                                   const char *by, struct nt_error *err)
{
    char text[NT_VALUE_TEXT_MAX], setting[128];
    union nt_value value;

    nt_param_get(param, spec, &value);
    nt_param_text(param, &value, text);
    describe_setting(spec, by, setting, sizeof setting);
    return nt_fail(err, NT_BAD_PARAMETER, param->name, text, strlen(text),
                   "%s is not used %s: leave one of them out", param->name, setting);
}

/* A kind's only value of domain or lod may be named. */
static bool is_only_value(const struct nt_param *param, const struct nt_spec *spec)
{
    return nt_kinds[spec->noise].dialect && param->start_of && nt_param_is_default(param, spec);
}

/*
 * A noise parameter that the rest has no use for is an error; a picture parameter goes back to its
 * default.
 */
static enum nt_status settle_unused(struct nt_spec *spec, struct nt_error *err)
{
    for (const struct nt_param *p = params; p < params + PARAMS; p++) {
        bool lacking = (p->needs & ~abilities(spec)) != 0;
        const char *by = lacking ? "noise" : p->unused_by ? p->unused_by(spec) : NULL;
        if (!by)
            continue;
        if (p->group == NT_GROUP_NOISE && nt_param_is_given(p, spec) && !is_only_value(p, spec))
            return refuse_given(spec, p, by, err);
        reset(p, spec);
    }
    return NT_OK;
}

/* A choice that the kind does not have. */
static enum nt_status refuse_choice(const struct nt_spec *spec, const char *name,
                                    const char *allowed, struct nt_error *err)
{
    const struct nt_param *param = nt_param_find(name, strlen(name));
    char text[NT_VALUE_TEXT_MAX];
    union nt_value value;

    nt_param_get(param, spec, &value);
    nt_param_text(param, &value, text);
    nt_fail(err, NT_BAD_PARAMETER, name, text, strlen(text),
            "%s=%s is not possible with noise=%s: it is one of %s", name, text,
            nt_kind_names[spec->noise], allowed);
    snprintf(err->allowed, sizeof err->allowed, "%s", allowed);
    return err->status;
}

/* What the kind cannot do. */
static enum nt_status check_abilities(const struct nt_spec *spec, struct nt_error *err)
{
    bool native = abilities(spec) & NT_NATIVE, closes = abilities(spec) & NT_CLOSES;

    if (!native && spec->fractal != NT_FRACTAL_NONE && spec->fractal != NT_FRACTAL_FBM)
        return refuse_choice(spec, "fractal", "none fbm", err);
    if (!native && spec->domain != NT_DOMAIN_PLANE)
        return refuse_choice(spec, "domain", "plane", err);
    if (native && !closes && spec->domain == NT_DOMAIN_TORUS)
        return refuse_choice(spec, "domain", "world plane planet", err);
    if (spec->purpose == NT_FOR_SAMPLE && spec->lod != NT_LOD_OFF)
        return nt_fail(err, NT_BAD_PARAMETER, "lod", "auto", 4,
                       "lod is off where single places are sampled: there is no pixel grid");
    if (native && !closes && spec->domain == NT_DOMAIN_WORLD && spec->sliced)
        return nt_fail(err, NT_BAD_PARAMETER, "t", NULL, 0,
                       "t is not possible with noise=%s in domain=world, which it closes by going "
                       "around a cylinder in space: use domain=plane or planet",
                       nt_kind_names[spec->noise]);
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

static enum nt_status check_range(const struct nt_spec *spec, struct nt_error *err)
{
    char text[NT_NUMBER_TEXT_MAX];

    if (spec->min < spec->max)
        return NT_OK;
    nt_double_text(spec->min, text);
    nt_fail(err, NT_BAD_PARAMETER, "min", text, strlen(text), "min must be less than max");
    nt_double_text(spec->max, err->max);
    return err->status;
}

static enum nt_status check_size(const struct nt_spec *spec, const struct nt_limits *limits,
                                 struct nt_error *err)
{
    char text[NT_NUMBER_TEXT_MAX];

    if (spec->size * spec->scale <= limits->max_size)
        return NT_OK;
    nt_integer_text(spec->size, text);
    nt_fail(err, NT_BAD_PARAMETER, "size", text, strlen(text),
            "size times @%dx is above this server's limit of %lld pixels per side", spec->scale,
            (long long)limits->max_size);
    nt_integer_text(1, err->min);
    nt_integer_text(limits->max_size / spec->scale, err->max);
    return err->status;
}

/* Rows that were not given and whose default depends on the rest. */
static void set_defaults(struct nt_spec *spec)
{
    for (const struct nt_param *p = params; p < params + PARAMS; p++)
        if (p->start_of && !nt_param_is_given(p, spec))
            reset(p, spec);
}

enum nt_status nt_spec_check(struct nt_spec *spec, const struct nt_limits *limits,
                             struct nt_error *err)
{
    enum nt_status status;

    set_defaults(spec);
    spec->sliced = nt_spec_is_given(spec, "t");
    if ((status = check_range(spec, err)) || (status = check_size(spec, limits, err)) ||
        (status = settle_unused(spec, err)) || (status = check_abilities(spec, err)) ||
        (status = check_version(spec, err)))
        return status;
    for (const struct nt_param *p = params; p < params + PARAMS; p++)
        if (!p->no_default)
            spec->given &= ~bit_of(p);
    return NT_OK;
}

/* ---- Out again ------------------------------------------------------------------------------- */

size_t nt_spec_text(const struct nt_spec *spec, char *text, size_t cap)
{
    size_t len = 0;

    assert(cap >= NT_TEXT_MAX);
    text[0] = '\0';
    for (const struct nt_param *p = params; p < params + PARAMS; p++) {
        char value_text[NT_VALUE_TEXT_MAX];
        union nt_value value;
        if (p->group == NT_GROUP_REQUEST || !nt_param_serves(p, spec->purpose) ||
            nt_param_is_default(p, spec))
            continue;
        nt_param_get(p, spec, &value);
        nt_param_text(p, &value, value_text);
        int n = snprintf(text + len, cap - len, "%s%s=%s", len ? "&" : "", p->name, value_text);
        assert(n > 0 && (size_t)n < cap - len);
        len += (size_t)n;
    }
    return len;
}

size_t nt_param_count(void)
{
    return PARAMS;
}

void nt_param_describe(size_t i, struct nt_param_info *info)
{
    const struct nt_param *param = &params[i];
    char text[NT_VALUE_TEXT_MAX];
    struct nt_spec spec;
    union nt_value value;

    assert(i < PARAMS);
    memset(info, 0, sizeof *info);
    info->name = param->name;
    info->alias = param->alias;
    info->type = param->type;
    info->group = param->group;
    info->min_excluded = param->min_excluded;
    info->help = param->help;
    if (!param->no_default) {
        nt_spec_init(&spec, param->group == NT_GROUP_SAMPLE ? NT_FOR_SAMPLE : NT_FOR_TILE);
        nt_param_get(param, &spec, &value);
        nt_param_text(param, &value, text);
        snprintf(info->default_text, sizeof info->default_text, "%.31s", text);
    }
    if (param->choices)
        nt_param_choices_text(param, info->allowed, sizeof info->allowed);
    else
        nt_param_range_text(param, info->min, info->max);
}

const char *nt_group_name(enum nt_group group)
{
    static const char *const names[] = {"noise", "picture", "sample", "request"};

    return names[group];
}

const char *nt_format_name(int format)
{
    return format_names[format];
}

int nt_format_find(const char *name, size_t len)
{
    for (int i = 0; i < NT_FORMATS; i++)
        if (strlen(format_names[i]) == len && memcmp(format_names[i], name, len) == 0)
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
