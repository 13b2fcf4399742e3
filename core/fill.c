/*
 * fill.c - octave plan and kernels to samples. Tiles whose samples lie on rows and columns go some
 * rows at a time through the kernel's form for tiles: grid or strip (lattice.h). Everything else
 * (planet, warp, simplices around a cylinder, single points) is a list of places for the scatter
 * form. Next: style/ and encode/, which turn samples into bytes.
 */
#include <math.h>
#include <string.h>

#include "core/dialects/dialect.h"
#include "core/lattice.h"
#include "core/sphere.h"

/*
 * Rows of a tile worked on at once, through all octaves. Sixteen rows of 256 samples are 16 KiB:
 * they stay in the first-level cache from the first octave to the last.
 */
enum { BAND_ROWS = 2 * NT_LANES };

/* The same of strips: more, as kinds with this form work out something for all rows first (simplex
 * takes as many as that at once). */
enum { STRIP_ROWS = 64 };

static const struct nt_row_kernel *const row_kernels[NT_LEVELS] = NT_EACH_LEVEL(nt_rows);

static const struct nt_kernel *kernel_of(const struct nt_spec *spec)
{
    const struct nt_kind *kind = &nt_kinds[spec->noise];

    return (nt_dimensions(spec) == 3 ? kind->space : kind->plane)[nt_level_index()];
}

static void fold(int fractal, float gain, const float *noise, size_t n, float *sum)
{
    row_kernels[nt_level_index()]->fold(fractal, gain, noise, n, sum);
}

/* Octaves that enter the sum as they are can be added by the kernel; others are folded first. */
static bool is_plain(int fractal)
{
    return fractal == NT_FRACTAL_NONE || fractal == NT_FRACTAL_FBM;
}

/* ---- Places ---------------------------------------------------------------------------------- */

enum { CHUNK = 32 * NT_LANES };

/* Some places, on their way from u and v to what octaves multiply. */
struct places {
    size_t n;
    double u[CHUNK], v[CHUNK];
    double mapped[NT_AXES][CHUNK];
    const double *at[NT_AXES]; /* what octaves multiply: mapped, or u and v themselves */
    bool level;                /* the third coordinate is the same for all */
};

static const double radius = 0.5 / 3.14159265358979311600; /* of a circle of circumference 1 */

static void map(const struct nt_spec *spec, struct places *p)
{
    enum nt_mapping mapping = nt_mapping_of(spec);
    double *x = p->mapped[0], *y = p->mapped[1], *z = p->mapped[2], cosine[CHUNK], sine[CHUNK];

    p->at[0] = mapping == NT_MAP_FLAT ? p->u : x;
    p->at[1] = mapping == NT_MAP_FLAT ? p->v : y;
    p->at[2] = mapping == NT_MAP_CYLINDER ? p->v : z;
    p->level = mapping == NT_MAP_FLAT;
    if (mapping == NT_MAP_FLAT) {
        memset(z, 0, p->n * sizeof *z);
        return;
    }
    nt_turns(p->u, p->n, cosine, sine);
    for (size_t i = 0; i < p->n; i++) {
        x[i] = cosine[i] * radius;
        y[i] = sine[i] * radius;
    }
    if (mapping != NT_MAP_SPHERE)
        return;
    nt_latitudes(p->v, p->n, cosine, sine);
    for (size_t i = 0; i < p->n; i++) {
        x[i] *= cosine[i];
        y[i] *= cosine[i];
        z[i] = sine[i] * radius;
    }
}

/* A plan, and what its octaves keep from one row of places to the next (nt_scatter), or NULL. */
struct field {
    struct nt_plan plan;
    char *kept;
};

/* The sum of a field's octaves at mapped places, `step` worlds apart for the band limit. */
static void evaluate(const struct nt_spec *spec, const struct field *field, const struct places *p,
                     double step, float *sum)
{
    const struct nt_plan *plan = &field->plan;
    const struct nt_kernel *kernel = kernel_of(spec);
    bool plain = is_plain(plan->fractal);
    float noise[CHUNK];

    memset(sum, 0, CHUNK * sizeof *sum);
    for (int o = 0; o < plan->count; o++) {
        float gain = nt_octave_gain(plan, &plan->octave[o], step);
        struct nt_scatter points = {.octave = &plan->octave[o],
                                    .place = {p->at[0], p->at[1], p->at[2]},
                                    .level = p->level,
                                    .n = p->n,
                                    .gain = plain ? gain : 1.0f,
                                    .sum = plain ? sum : noise,
                                    .kept = field->kept ? field->kept + (size_t)o * kernel->kept
                                                        : NULL};
        if (gain == 0.0f)
            continue;
        if (!plain)
            memset(noise, 0, sizeof noise);
        kernel->scatter(&points);
        if (!plain)
            fold(plan->fractal, gain, noise, CHUNK, sum);
    }
}

/* The noise of a specification, and the fields that displace it. */
struct fields {
    struct field noise, warp[2];
    double frequency; /* cells per world of the first octave, as the domain rounds it */
};

static void make_fields(struct fields *fields, const struct nt_spec *spec)
{
    fields->frequency = nt_first_frequency(spec);
    fields->noise.kept = fields->warp[0].kept = fields->warp[1].kept = NULL;
    fields->warp[0].plan.count = fields->warp[1].plan.count = 0;
    nt_plan_make(&fields->noise.plan, spec, NT_PLAN_NOISE);
    if (spec->warp == 0.0)
        return;
    nt_plan_make(&fields->warp[0].plan, spec, NT_PLAN_WARP_U);
    nt_plan_make(&fields->warp[1].plan, spec, NT_PLAN_WARP_V);
}

/* Octaves of all fields. */
static size_t octaves_of(const struct fields *fields)
{
    return (size_t)fields->noise.plan.count + (size_t)fields->warp[0].plan.count +
           (size_t)fields->warp[1].plan.count;
}

/* Gives each field's octaves their part of memory: `kept` bytes each. */
static void share_out(struct fields *fields, char *memory, size_t kept)
{
    enum { FIELDS = 3 };
    struct field *const all[FIELDS] = {&fields->noise, &fields->warp[0], &fields->warp[1]};

    for (int i = 0; i < FIELDS; i++) {
        all[i]->kept = memory;
        memory += (size_t)all[i]->plan.count * kept;
    }
}

/* Another part of a tile has other places: what was kept of the last one is forgotten. */
static void forget(char *memory, size_t octaves, size_t kept)
{
    for (size_t o = 0; o < octaves && kept > 0; o++)
        memset(memory + o * kept, 0, sizeof(int));
}

/* Displaces mapped places by the two fields of the domain warp, and maps them again. */
static void displace(const struct nt_spec *spec, const struct fields *fields, struct places *p,
                     double step)
{
    double worlds =
        fmin(spec->warp / fields->frequency, 1e300); /* finite, however low the frequency */
    float displacement[2][CHUNK];

    evaluate(spec, &fields->warp[0], p, step, displacement[0]);
    evaluate(spec, &fields->warp[1], p, step, displacement[1]);
    for (size_t i = 0; i < p->n; i++) {
        p->u[i] += worlds * (double)displacement[0][i];
        p->v[i] += worlds * (double)displacement[1][i];
    }
    map(spec, p);
}

/* ---- Tiles, place by place ------------------------------------------------------------------- */

/*
 * The columns and rows of a tile that is filled place by place: in worlds; x and y of the columns
 * around a circle of circumference 1 (not in the plane); cosines of the rows' latitudes (on the
 * sphere alone); and what the rows give the third coordinate.
 */
struct world {
    const double *columns, *rows;
    double *x, *y, *cosine, *z;
};

enum { WORLD_ARRAYS = 6 };

static void make_world(struct world *world, const struct nt_spec *spec, double *memory)
{
    enum nt_mapping mapping = nt_mapping_of(spec);
    size_t side = (size_t)nt_side(spec);

    world->columns = memory;
    world->rows = memory + side;
    world->x = memory + 2 * side;
    world->y = memory + 3 * side;
    world->cosine = memory + 4 * side;
    world->z = memory + 5 * side;
    if (mapping != NT_MAP_FLAT)
        nt_turns(world->columns, side, world->x, world->y);
    if (mapping == NT_MAP_SPHERE)
        nt_latitudes(world->rows, side, world->cosine, world->z);
    for (size_t i = 0; mapping != NT_MAP_FLAT && i < side; i++) {
        world->x[i] *= radius;
        world->y[i] *= radius;
    }
    for (size_t i = 0; i < side; i++)
        world->z[i] = mapping == NT_MAP_SPHERE     ? world->z[i] * radius
                      : mapping == NT_MAP_CYLINDER ? world->rows[i]
                                                   : 0.0;
}

/* Columns first to first + p->n of row j, mapped as map() does it. */
static void map_row(const struct nt_spec *spec, const struct world *world, size_t j, size_t first,
                    struct places *p)
{
    enum nt_mapping mapping = nt_mapping_of(spec);
    bool is_flat = mapping == NT_MAP_FLAT, is_sphere = mapping == NT_MAP_SPHERE;

    p->level = true;
    p->at[0] = is_sphere ? p->mapped[0] : (is_flat ? world->columns : world->x) + first;
    p->at[1] = is_sphere ? p->mapped[1] : is_flat ? p->v : world->y + first;
    p->at[2] = p->mapped[2];
    for (size_t i = 0; i < p->n; i++)
        p->mapped[2][i] = world->z[j];
    for (size_t i = 0; is_sphere && i < p->n; i++) {
        p->mapped[0][i] = world->x[first + i] * world->cosine[j];
        p->mapped[1][i] = world->y[first + i] * world->cosine[j];
    }
    if (!is_flat && spec->warp == 0.0)
        return;
    memcpy(p->u, world->columns + first, p->n * sizeof *p->u);
    for (size_t i = 0; i < p->n; i++)
        p->v[i] = world->rows[j];
}

/* Columns first to first + n of row j. */
static void fill_part(const struct nt_spec *spec, const struct fields *fields,
                      const struct world *world, size_t j, size_t first, size_t n, double step,
                      float *row)
{
    struct places p;
    float sum[CHUNK];

    p.n = n;
    map_row(spec, world, j, first, &p);
    if (spec->warp != 0.0)
        displace(spec, fields, &p, step);
    evaluate(spec, &fields->noise, &p, step, sum);
    memcpy(row + first, sum, n * sizeof *sum);
}

/* memory: WORLD_ARRAYS arrays; the first two hold the columns and rows. */
static enum nt_status fill_places(struct nt_workspace *workspace, const struct nt_spec *spec,
                                  const struct nt_tile *tile, double *memory, float *field)
{
    bool is_sphere = nt_mapping_of(spec) == NT_MAP_SPHERE;
    size_t side = (size_t)nt_side(spec), octaves, keeps = kernel_of(spec)->kept;
    double step = nt_grid_step(spec, tile);
    struct fields fields;
    struct world world;
    char *kept;

    make_fields(&fields, spec);
    make_world(&world, spec, memory);
    octaves = octaves_of(&fields);
    kept = nt_reserve(workspace, NT_USE_SCRATCH, octaves * keeps);
    if (!kept)
        return NT_NO_MEMORY;
    share_out(&fields, kept, keeps);
    for (size_t first = 0; first < side; first += CHUNK) {
        size_t n = side - first < CHUNK ? side - first : CHUNK;
        forget(kept, octaves, keeps);
        for (size_t j = 0; j < side; j++) /* on a sphere rows decide how far apart samples are */
            fill_part(spec, &fields, &world, j, first, n, is_sphere ? step * world.cosine[j] : step,
                      field + j * side);
    }
    return NT_OK;
}

/* ---- Tiles on the lattice, band by band ------------------------------------------------------ */

/* An octave of a tile, ready for the kernel. */
struct layer {
    struct nt_octave octave;
    float gain;
    struct nt_axis axis[2];
    struct nt_point slice;
};

/* A tile being filled. */
struct fill {
    const struct nt_spec *spec;
    const struct nt_kernel *kernel;
    int side, fractal, count;
    struct layer *layer; /* octaves that are heard */
    float *field, *band, *noise, *scratch;
};

static bool make_layers(struct fill *fill, struct nt_workspace *workspace,
                        const struct nt_plan *plan, const double *world, double step)
{
    size_t heads = ((size_t)plan->count * sizeof *fill->layer + 63) / 64 * 64;
    const struct nt_reach reach = fill->kernel->reach;
    size_t arrays = nt_axis_size(fill->side, reach), side = (size_t)fill->side;
    char *memory = nt_reserve(workspace, NT_USE_AXES, heads + (size_t)plan->count * 2 * arrays);

    if (!memory)
        return false;
    fill->layer = (struct layer *)(void *)memory;
    memory += heads;
    for (int o = 0; o < plan->count; o++) {
        struct layer *layer = &fill->layer[fill->count];
        layer->octave = plan->octave[o];
        layer->gain = nt_octave_gain(plan, &plan->octave[o], step);
        if (layer->gain == 0.0f)
            continue;
        for (int axis = 0; axis < 2; axis++, memory += arrays)
            nt_axis_make(&layer->axis[axis], &plan->octave[o], axis, world + (size_t)axis * side,
                         fill->side, reach, memory);
        layer->slice = nt_axis_point(&plan->octave[o], 2, 0.0);
        fill->count++;
    }
    return true;
}

static size_t most_nodes(const struct fill *fill)
{
    int most = 0;

    for (int o = 0; o < fill->count; o++)
        if (fill->layer[o].axis[0].nodes > most)
            most = fill->layer[o].axis[0].nodes;
    return (size_t)most + NT_LANES;
}

/* Adds an octave to rows of the band (which counts as 0 for the first of them), or puts it through
 * the fractal's fold before. */
static void add_layer(const struct fill *fill, const struct layer *layer, int first, int rows,
                      bool fresh)
{
    bool plain = is_plain(fill->fractal);
    size_t n = (size_t)rows * (size_t)fill->side;
    const struct nt_band band = {
        .octave = &layer->octave,
        .x = &layer->axis[0],
        .y = &layer->axis[1],
        .z = nt_dimensions(fill->spec) == 3 ? &layer->slice : NULL,
        .first = first,
        .rows = rows,
        .gain = plain ? layer->gain : 1.0f,
        .fresh = fresh || !plain,
        .sum = plain ? fill->band : fill->noise,
        .scratch = fill->scratch,
    };

    if (band.fresh && !fill->kernel->can_store)
        memset(band.sum, 0, n * sizeof(float));
    fill->kernel->grid(&band);
    if (!plain)
        fold(fill->fractal, layer->gain, fill->noise, n, fill->band);
}

static void fill_bands(const struct fill *fill)
{
    for (int first = 0; first < fill->side; first += BAND_ROWS) {
        int wanted = fill->side - first < BAND_ROWS ? fill->side - first : BAND_ROWS;
        int rows = (wanted + NT_LANES - 1) / NT_LANES * NT_LANES;
        if (fill->count == 0 || !is_plain(fill->fractal))
            memset(fill->band, 0, (size_t)rows * (size_t)fill->side * sizeof(float));
        for (int o = 0; o < fill->count; o++)
            add_layer(fill, &fill->layer[o], first, rows, o == 0);
        row_kernels[nt_level_index()]->unband(fill->band, fill->side, wanted,
                                              fill->field + (size_t)first * (size_t)fill->side);
    }
}

static enum nt_status fill_grid(struct nt_workspace *workspace, const struct nt_spec *spec,
                                const struct nt_tile *tile, const double *world, float *field)
{
    struct fill fill = {
        .spec = spec, .kernel = kernel_of(spec), .side = nt_side(spec), .field = field};
    size_t band = BAND_ROWS * (size_t)fill.side;
    struct nt_plan plan;

    nt_plan_make(&plan, spec, NT_PLAN_NOISE);
    fill.fractal = plan.fractal;
    fill.band = nt_reserve(workspace, NT_USE_BAND, 2 * band * sizeof(float));
    if (!fill.band || !make_layers(&fill, workspace, &plan, world, nt_grid_step(spec, tile)))
        return NT_NO_MEMORY;
    fill.noise = fill.band + band;
    fill.scratch = nt_reserve(workspace, NT_USE_SCRATCH,
                              most_nodes(&fill) * fill.kernel->scratch * sizeof(float));
    if (!fill.scratch)
        return NT_NO_MEMORY;
    fill_bands(&fill);
    return NT_OK;
}

/* ---- Tiles on the lattice, row by row -------------------------------------------------------- */

/* Adds an octave to a strip of the tile, through the fractal's fold if it has one. */
static void add_strip(const struct nt_kernel *kernel, const struct nt_plan *plan,
                      struct nt_strip *strip, float gain, float *noise)
{
    size_t n = (size_t)strip->rows * (size_t)strip->columns;
    float *sum = strip->sum;

    if (is_plain(plan->fractal)) {
        strip->gain = gain;
        kernel->strip(strip);
        return;
    }
    strip->gain = 1.0f;
    strip->sum = noise;
    memset(noise, 0, n * sizeof *noise);
    kernel->strip(strip);
    strip->sum = sum;
    fold(plan->fractal, gain, noise, (n + NT_LANES - 1) / NT_LANES * NT_LANES, sum);
}

static enum nt_status fill_strips(struct nt_workspace *workspace, const struct nt_spec *spec,
                                  const struct nt_tile *tile, const double *world, float *field)
{
    int side = nt_side(spec);
    double step = nt_grid_step(spec, tile);
    float *noise =
        nt_reserve(workspace, NT_USE_BAND, (STRIP_ROWS * (size_t)side + NT_LANES) * sizeof *noise);
    struct nt_plan plan;

    if (!noise)
        return NT_NO_MEMORY;
    nt_plan_make(&plan, spec, NT_PLAN_NOISE);
    for (int first = 0; first < side; first += STRIP_ROWS) {
        struct nt_strip strip = {
            .x = world,
            .y = world + side + first,
            .columns = side,
            .rows = side - first < STRIP_ROWS ? side - first : STRIP_ROWS,
            .sum = field + (size_t)first * (size_t)side,
        };
        memset(strip.sum, 0, (size_t)strip.rows * (size_t)side * sizeof(float));
        for (int o = 0; o < plan.count; o++) {
            float gain = nt_octave_gain(&plan, &plan.octave[o], step);
            strip.octave = &plan.octave[o];
            if (gain != 0.0f)
                add_strip(kernel_of(spec), &plan, &strip, gain, noise);
        }
    }
    return NT_OK;
}

/* ---- Tiles of dialects ----------------------------------------------------------------------- */

static enum nt_status fill_dialect(struct nt_workspace *workspace, const struct nt_spec *spec,
                                   const double *world, float *field)
{
    size_t side = (size_t)nt_side(spec);
    double *exact = nt_reserve(workspace, NT_USE_EXACT, (side * side + side) * sizeof *exact);
    double *y = exact ? exact + side * side : NULL;

    if (!exact)
        return NT_NO_MEMORY;
    for (size_t j = 0; j < side; j++) {
        for (size_t i = 0; i < side; i++)
            y[i] = world[side + j];
        nt_kinds[spec->noise].dialect->sample(spec, world, y, side, exact + j * side);
    }
    for (size_t i = 0; i < side * side; i++)
        field[i] = (float)exact[i];
    return NT_OK;
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

static bool on_lattice(const struct nt_spec *spec)
{
    return nt_mapping_of(spec) == NT_MAP_FLAT && spec->warp == 0.0;
}

enum nt_status nt_fill(struct nt_workspace *workspace, const struct nt_spec *spec,
                       const struct nt_tile *tile)
{
    size_t side = (size_t)nt_side(spec);
    double *world;
    float *field;

    if (spec->purpose == NT_FOR_SAMPLE)
        return nt_sample_fill(workspace, spec);
    world = nt_reserve(workspace, NT_USE_WORLD, WORLD_ARRAYS * side * sizeof *world);
    field = nt_reserve(workspace, NT_USE_FIELD, (side * side + NT_LANES) * sizeof *field);
    if (!world || !field)
        return NT_NO_MEMORY;
    for (int axis = 0; axis < 2; axis++)
        nt_grid_axis(spec, tile, axis, world + (size_t)axis * side);
    if (nt_kinds[spec->noise].dialect)
        return fill_dialect(workspace, spec, world, field);
    if (on_lattice(spec) && kernel_of(spec)->strip)
        return fill_strips(workspace, spec, tile, world, field);
    if (on_lattice(spec) && kernel_of(spec)->grid)
        return fill_grid(workspace, spec, tile, world, field);
    return fill_places(workspace, spec, tile, world, field);
}

/* ---- Points ---------------------------------------------------------------------------------- */

bool nt_is_float64(const struct nt_spec *spec)
{
    return nt_kinds[spec->noise].dialect && nt_kinds[spec->noise].dialect->is_float64;
}

/* Where the domain repeats, a position is taken modulo one world. */
static void wrap(const struct nt_spec *spec, int axis, const double *from, size_t n, double *to)
{
    bool repeats = nt_grid_repeats(spec, axis);

    for (size_t i = 0; i < n; i++)
        to[i] = repeats ? from[i] - floor(from[i]) : from[i];
}

void nt_sample(const struct nt_spec *spec, const double *u, const double *v, size_t n,
               double *values)
{
    struct fields fields;
    struct places p;
    float sum[CHUNK];

    if (nt_kinds[spec->noise].dialect) {
        nt_kinds[spec->noise].dialect->sample(spec, u, v, n, values);
        return;
    }
    make_fields(&fields, spec);
    for (size_t first = 0; first < n; first += CHUNK) {
        p.n = n - first < CHUNK ? n - first : CHUNK;
        wrap(spec, 0, u + first, p.n, p.u);
        wrap(spec, 1, v + first, p.n, p.v);
        map(spec, &p);
        if (spec->warp != 0.0)
            displace(spec, &fields, &p, 0.0);
        evaluate(spec, &fields.noise, &p, 0.0, sum);
        for (size_t i = 0; i < p.n; i++)
            values[first + i] = (double)sum[i];
    }
}
