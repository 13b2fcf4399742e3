/*
 * tile.c - places in the pyramid as text: parses {z}/{x}/{y}[@{n}x][.{ext}], checks the place
 * against the grid, and writes the canonical URL. What the place means in the world is in grid.c.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "core/number.h"

/* A piece of the request's text. */
struct span {
    const char *text;
    size_t len;
};

/* A tile path taken apart; nothing is judged yet but its shape. */
struct path {
    struct span place[3]; /* z, x, y */
    struct span scale;    /* after '@'; text NULL if none */
    struct span ext;      /* after the first '.'; text NULL if none */
};

static const char *const place_names[3] = {"z", "x", "y"};

static bool split(struct path *out, const char *path, size_t len)
{
    const char *end = path + len;

    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; i++) {
        const char *slash = memchr(path, '/', (size_t)(end - path));
        if ((i < 2) != (slash != NULL))
            return false;
        out->place[i] = (struct span){path, (size_t)((slash ? slash : end) - path)};
        if (out->place[i].len == 0)
            return false;
        path = slash ? slash + 1 : end;
    }
    struct span *last = &out->place[2];
    const char *dot = memchr(last->text, '.', last->len);
    if (dot) {
        out->ext = (struct span){dot + 1, (size_t)(end - dot - 1)};
        last->len = (size_t)(dot - last->text);
    }
    const char *at = memchr(last->text, '@', last->len);
    if (at) {
        out->scale = (struct span){at + 1, (size_t)(last->text + last->len - at - 1)};
        last->len = (size_t)(at - last->text);
    }
    return true;
}

static enum nt_status parse_scale(struct span span, struct nt_spec *spec, struct nt_error *err)
{
    spec->scale = 1;
    if (!span.text)
        return NT_OK;
    if (span.len == 2 && span.text[1] == 'x' && span.text[0] >= '1' &&
        span.text[0] <= '0' + NT_SCALE_MAX) {
        spec->scale = span.text[0] - '0';
        return NT_OK;
    }
    nt_fail(err, NT_BAD_PARAMETER, "scale", span.text, span.len,
            "the scale behind @ is malformed: it is 1x to %dx", NT_SCALE_MAX);
    snprintf(err->allowed, sizeof err->allowed, "1x 2x 3x 4x");
    return err->status;
}

static enum nt_status parse_extension(struct span span, struct nt_spec *spec, bool *has_format,
                                      struct nt_error *err)
{
    int format;

    *has_format = span.text != NULL;
    if (!span.text)
        return NT_OK;
    if (span.len > 0 && span.text[0] >= '0' && span.text[0] <= '9')
        return nt_fail(err, NT_BAD_PARAMETER, "y", span.text, span.len,
                       "y has a fraction: it is a whole number");
    format = nt_format_find(span.text, span.len);
    if (format >= 0) {
        spec->format = format;
        return NT_OK;
    }
    nt_fail(err, NT_UNKNOWN_FORMAT, "format", span.text, span.len, "%s", "");
    for (int i = 0; i < NT_FORMATS; i++)
        nt_list_add(err->allowed, sizeof err->allowed, nt_format_name(i));
    snprintf(err->detail, sizeof err->detail, "there is no such extension: tiles end in one of %s",
             err->allowed);
    return err->status;
}

static enum nt_status parse_place(struct nt_tile *tile, const struct path *path,
                                  struct nt_error *err)
{
    int64_t place[3];

    for (int i = 0; i < 3; i++) {
        enum nt_number result =
            nt_integer_parse(path->place[i].text, path->place[i].len, &place[i]);
        if (result == NT_NUMBER_MALFORMED)
            return nt_fail(
                err, NT_BAD_PARAMETER, place_names[i], path->place[i].text, path->place[i].len,
                "%s is malformed: it is a whole number, such as 0 or 12", place_names[i]);
    }
    /* Any z beyond the pyramid is as good as the next one; the text names it. */
    tile->z = place[0] < 0 || place[0] > NT_MAX_ZOOM ? -1 : (int)place[0];
    tile->x = place[1];
    tile->y = place[2];
    return NT_OK;
}

static enum nt_status parse_split(struct nt_tile *tile, struct nt_spec *spec, bool *has_format,
                                  const struct path *path, struct nt_error *err)
{
    enum nt_status status = parse_place(tile, path, err);

    if (!status)
        status = parse_scale(path->scale, spec, err);
    if (!status)
        status = parse_extension(path->ext, spec, has_format, err);
    return status;
}

static enum nt_status refuse_path(struct nt_error *err)
{
    return nt_fail(err, NT_UNKNOWN_PATH, NULL, NULL, 0,
                   "a tile's path is {z}/{x}/{y}, then @{n}x and an extension if wanted");
}

enum nt_status nt_tile_parse(struct nt_tile *tile, struct nt_spec *spec, bool *has_format,
                             const char *path, size_t len, struct nt_error *err)
{
    struct path parts;

    if (!split(&parts, path, len))
        return refuse_path(err);
    return parse_split(tile, spec, has_format, &parts, err);
}

/* Largest |world coordinate| of a tile. */
static double farthest(const struct nt_tile *tile, const struct nt_spec *spec)
{
    double most = 0;

    for (int axis = 0; axis < 2; axis++) {
        most = fmax(most, fabs(nt_grid_world(spec, tile, axis, 0)));
        most = fmax(most, fabs(nt_grid_world(spec, tile, axis, nt_side(spec) - 1)));
    }
    return most;
}

/* Whether the kind can compute so far out. */
static enum nt_status check_reach(const struct nt_tile *tile, const struct nt_spec *spec,
                                  struct nt_error *err)
{
    return nt_reach_check(spec, farthest(tile, spec), nt_grid_step(spec, tile), err);
}

/* given: the places as the client wrote them, or NULL. */
static enum nt_status check_place(const struct nt_tile *tile, const struct nt_spec *spec,
                                  const struct span *given, struct nt_error *err)
{
    bool wraps = spec->domain == NT_DOMAIN_PLANE || spec->domain == NT_DOMAIN_TORUS;
    bool in_pyramid = tile->z >= 0 && tile->z <= NT_MAX_ZOOM;
    int64_t place[3] = {tile->z, tile->x, tile->y};
    int64_t last = in_pyramid ? (INT64_C(1) << tile->z) - 1 : 0;

    for (int i = 0; i < 3; i++) {
        int64_t lo = i > 0 && wraps ? INT32_MIN : 0;
        int64_t hi = i == 0 ? NT_MAX_ZOOM : wraps ? INT32_MAX : last;
        char text[NT_NUMBER_TEXT_MAX];
        if (place[i] >= lo && place[i] <= hi)
            continue;
        nt_integer_text(place[i], text);
        struct span value = given ? given[i] : (struct span){text, strlen(text)};
        nt_fail(err, NT_OUTSIDE_GRID, place_names[i], value.text, value.len,
                "%s is outside the grid: %s %lld to %lld", place_names[i],
                i == 0  ? "zooms go from"
                : wraps ? "it goes from"
                        : "at this zoom it goes from",
                (long long)lo, (long long)hi);
        nt_integer_text(lo, err->min);
        nt_integer_text(hi, err->max);
        return err->status;
    }
    return check_reach(tile, spec, err);
}

enum nt_status nt_tile_check(const struct nt_tile *tile, const struct nt_spec *spec,
                             struct nt_error *err)
{
    return check_place(tile, spec, NULL, err);
}

enum nt_status nt_request_parse(struct nt_tile *tile, struct nt_spec *spec,
                                const struct nt_limits *limits, const char *path, size_t path_len,
                                const char *query, size_t query_len, struct nt_error *err)
{
    struct path parts;
    struct nt_spec from_path;
    bool has_format;
    enum nt_status status;

    nt_spec_init(spec, NT_FOR_TILE);
    from_path = *spec;
    if (!split(&parts, path, path_len))
        return refuse_path(err);
    if ((status = parse_split(tile, &from_path, &has_format, &parts, err)))
        return status;
    if ((status = nt_spec_parse_query(spec, query, query_len, err)))
        return status;
    if (has_format && nt_spec_is_given(spec, "format") && spec->format != from_path.format)
        return nt_fail(err, NT_BAD_PARAMETER, "format", nt_format_name(spec->format),
                       strlen(nt_format_name(spec->format)),
                       "format and the extension .%s differ: give one of them",
                       nt_format_name(from_path.format));
    if (has_format)
        spec->format = from_path.format;
    spec->scale = from_path.scale;
    if ((status = nt_spec_check(spec, limits, err)))
        return status;
    return check_place(tile, spec, parts.place, err);
}

size_t nt_tile_url(const struct nt_tile *tile, const struct nt_spec *spec, bool with_version,
                   char *url, size_t cap)
{
    char text[NT_TEXT_MAX], version[40] = "", scale[8] = "", path[128] = "/sample";
    size_t text_len = nt_spec_text(spec, text, sizeof text);

    assert(cap >= NT_URL_MAX);
    if (with_version && spec->version)
        snprintf(version, sizeof version, "%sv=%lld", text_len ? "&" : "",
                 (long long)spec->version);
    if (spec->scale != 1)
        snprintf(scale, sizeof scale, "@%dx", spec->scale);
    if (spec->purpose == NT_FOR_TILE)
        snprintf(path, sizeof path, "/tile/%d/%lld/%lld%s.%s", tile->z, (long long)tile->x,
                 (long long)tile->y, scale, nt_format_name(spec->format));
    return (size_t)snprintf(url, cap, "%s%s%s%s", path, text_len || version[0] ? "?" : "", text,
                            version);
}
