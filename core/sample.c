/*
 * sample.c - values at places that the request names: a point, a line or a grid, in worlds or in
 * degrees.
 * Parsing here, values through fill.c; the JSON is encode/json.c's.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "core/param.h"
#include "core/sphere.h"

/* Largest coordinate, in worlds. */
static const double reach_max = 2147483648.0;

/* Latitude of the Mercator square's edge. */
static const double lat_max = 85.0511287798066;

static bool given(const struct nt_spec *spec, const char *name)
{
    return nt_spec_is_given(spec, name);
}

static enum nt_status refuse(const char *name, const char *why, struct nt_error *err)
{
    return nt_fail(err, NT_BAD_PARAMETER, name, NULL, 0, "%s %s", name, why);
}

static enum nt_status refuse_number(const char *name, double value, const char *why, double min,
                                    double max, struct nt_error *err)
{
    char text[NT_NUMBER_TEXT_MAX];

    nt_double_text(value, text);
    nt_fail(err, NT_BAD_PARAMETER, name, text, strlen(text), "%s %s", name, why);
    nt_double_text(min, err->min);
    nt_double_text(max, err->max);
    return err->status;
}

/* A place is x and y, x alone (noise of one dimension), or lon and lat. */
static enum nt_status check_place(const struct nt_spec *spec, struct nt_error *err)
{
    bool line = nt_kinds[spec->noise].abilities & NT_LINE;
    bool on_map = given(spec, "lon") || given(spec, "lat");

    if (on_map && (given(spec, "x") || given(spec, "y")))
        return refuse(given(spec, "lon") ? "lon" : "lat", "and x, y exclude each other", err);
    if (on_map && !given(spec, "lat"))
        return refuse("lat", "is missing: a place on the map is lon and lat", err);
    if (on_map && !given(spec, "lon"))
        return refuse("lon", "is missing: a place on the map is lon and lat", err);
    if (on_map && spec->domain != NT_DOMAIN_PLANET && fabs(spec->lat) > lat_max)
        return refuse_number("lat", spec->lat,
                             "is beyond the edge of the map, but for domain=planet", -lat_max,
                             lat_max, err);
    if (!on_map && !given(spec, "x"))
        return refuse("x", "is missing: a place is x and y, or lon and lat", err);
    if (!on_map && !given(spec, "y") && !line)
        return refuse("y", "is missing: only simplex-rombauts has noise of one dimension", err);
    if (!on_map && !given(spec, "y") && (spec->ny > 1 || spec->dy != 0.0))
        return refuse(spec->ny > 1 ? "ny" : "dy", "is not used without y", err);
    return NT_OK;
}

/* Every position within reach, and not too many of them. */
static enum nt_status check_steps(const struct nt_spec *spec, struct nt_error *err)
{
    double last_x = spec->x + (double)(spec->nx - 1) * spec->dx;
    double last_y = spec->y + (double)(spec->ny - 1) * spec->dy;
    int64_t most_x = NT_SAMPLES_MAX / spec->ny;

    if (spec->nx > most_x)
        return refuse_number("nx", (double)spec->nx, "times ny is more than 65536 values", 1,
                             (double)most_x, err);
    if (!(fabs(last_x) <= reach_max))
        return refuse_number("dx", spec->dx, "leads beyond 2^31 worlds", -reach_max, reach_max,
                             err);
    if (!(fabs(last_y) <= reach_max))
        return refuse_number("dy", spec->dy, "leads beyond 2^31 worlds", -reach_max, reach_max,
                             err);
    return NT_OK;
}

/* Largest |coordinate| along the axes that do not repeat; a sphere has none. */
static double farthest(const struct nt_spec *spec)
{
    double x = fmax(fabs(spec->x), fabs(spec->x + (double)(spec->nx - 1) * spec->dx));
    double y = fmax(fabs(spec->y), fabs(spec->y + (double)(spec->ny - 1) * spec->dy));

    if (spec->domain == NT_DOMAIN_PLANET)
        return 0.0;
    return fmax(nt_grid_repeats(spec, 0) ? 0.0 : x, nt_grid_repeats(spec, 1) ? 0.0 : y);
}

enum nt_status nt_sample_request_parse(struct nt_spec *spec, const char *query, size_t query_len,
                                       struct nt_error *err)
{
    static const struct nt_limits no_limits = {INT64_MAX};
    enum nt_status status;

    nt_spec_init(spec, NT_FOR_SAMPLE);
    spec->format = NT_JSON;
    if ((status = nt_spec_parse_query(spec, query, query_len, err)) ||
        (status = nt_spec_check(spec, &no_limits, err)) || (status = check_place(spec, err)))
        return status;
    if (given(spec, "lon")) {
        spec->x = (spec->lon + 180.0) / 360.0;
        spec->y = nt_mercator(spec->lat);
    }
    if ((status = check_steps(spec, err)))
        return status;
    return nt_reach_check(spec, farthest(spec), 0.0, err);
}

/* Position k of a row is x + k dx, in double. */
enum nt_status nt_sample_fill(struct nt_workspace *workspace, const struct nt_spec *spec)
{
    size_t nx = (size_t)spec->nx, ny = (size_t)spec->ny;
    bool flat = given(spec, "y") || given(spec, "lat");
    double *values = nt_reserve(workspace, NT_USE_EXACT, nx * ny * sizeof *values);
    double *x = nt_reserve(workspace, NT_USE_WORLD, 2 * nx * sizeof *x), *y = x ? x + nx : NULL;

    if (!values || !x)
        return NT_NO_MEMORY;
    for (size_t i = 0; i < nx; i++)
        x[i] = spec->x + (double)i * spec->dx;
    for (size_t j = 0; j < ny; j++) {
        for (size_t i = 0; i < nx; i++)
            y[i] = spec->y + (double)j * spec->dy;
        nt_sample(spec, x, flat ? y : NULL, nx, values + j * nx);
    }
    return NT_OK;
}
