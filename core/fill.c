/*
 * fill.c - octave plan and kernels to samples: a tile band by band, octave by octave, or points one
 * by one. Next: style/gray.c and encode/, which turn samples into bytes.
 */
#include <math.h>
#include <string.h>

#include "core/lattice.h"

/*
 * Rows of a tile worked on at once, through all octaves. Sixteen rows of 256 samples are 16 KiB:
 * they stay in the first-level cache from the first octave to the last.
 */
enum { BAND_ROWS = 2 * NT_LANES };

static const struct nt_row_kernel *const row_kernels[NT_LEVELS] = NT_EACH_LEVEL(nt_rows);

static const struct nt_kernel *kernel_of(const struct nt_spec *spec)
{
    return nt_kinds[spec->noise].kernel[nt_level_index()];
}

/* A tile being filled. */
struct fill {
    const struct nt_kernel *kernel;
    struct nt_plan plan;
    int side;
    struct nt_axis (*axes)[NT_AXES]; /* one pair per octave of the plan */
    float *field, *band, *scratch;
};

/* Both axes of every octave; false if out of memory. */
static bool make_axes(struct fill *fill, struct nt_workspace *workspace, const double *world)
{
    size_t count = (size_t)fill->plan.count, heads = count * sizeof *fill->axes;
    size_t arrays = nt_axis_size(fill->side), start = (heads + 63) / 64 * 64;
    char *memory = nt_reserve(workspace, NT_USE_AXES, start + count * NT_AXES * arrays);

    if (!memory)
        return false;
    fill->axes = (struct nt_axis(*)[NT_AXES])(void *)memory;
    memory += start;
    for (size_t o = 0; o < count; o++) {
        for (int axis = 0; axis < NT_AXES; axis++, memory += arrays)
            nt_axis_make(&fill->axes[o][axis], &fill->plan.octave[o], axis,
                         world + (size_t)axis * (size_t)fill->side, fill->side, memory);
    }
    return true;
}

static size_t most_nodes(const struct fill *fill)
{
    int most = 0;

    for (int o = 0; o < fill->plan.count; o++)
        if (fill->axes[o][0].nodes > most)
            most = fill->axes[o][0].nodes;
    return (size_t)most + NT_LANES;
}

static bool prepare(struct fill *fill, struct nt_workspace *workspace, const struct nt_spec *spec,
                    const struct nt_tile *tile)
{
    size_t side = (size_t)nt_side(spec);
    double *world = nt_reserve(workspace, NT_USE_WORLD, 2 * side * sizeof *world);

    fill->kernel = kernel_of(spec);
    fill->side = (int)side;
    nt_plan_make(&fill->plan, spec, nt_grid_step(spec, tile));
    fill->field = nt_reserve(workspace, NT_USE_FIELD, side * side * sizeof(float));
    fill->band = nt_reserve(workspace, NT_USE_BAND, BAND_ROWS * side * sizeof(float));
    if (!world || !fill->field || !fill->band)
        return false;
    for (int axis = 0; axis < NT_AXES; axis++)
        nt_grid_axis(spec, tile, axis, world + (size_t)axis * side);
    if (!make_axes(fill, workspace, world))
        return false;
    fill->scratch = nt_reserve(workspace, NT_USE_SCRATCH,
                               most_nodes(fill) * fill->kernel->scratch * sizeof(float));
    return fill->scratch != NULL;
}

enum nt_status nt_fill(struct nt_workspace *workspace, const struct nt_spec *spec,
                       const struct nt_tile *tile)
{
    struct fill fill;

    if (!prepare(&fill, workspace, spec, tile))
        return NT_NO_MEMORY;
    for (int first = 0; first < fill.side; first += BAND_ROWS) {
        int wanted = fill.side - first < BAND_ROWS ? fill.side - first : BAND_ROWS;
        int rows = (wanted + NT_LANES - 1) / NT_LANES * NT_LANES;
        memset(fill.band, 0, (size_t)rows * (size_t)fill.side * sizeof(float));
        for (int o = 0; o < fill.plan.count; o++) {
            const struct nt_band band = {
                &fill.axes[o][0],         &fill.axes[o][1], first,       rows,
                fill.plan.octave[o].gain, fill.band,        fill.scratch};
            fill.kernel->grid(&band);
        }
        row_kernels[nt_level_index()]->unband(fill.band, fill.side, wanted,
                                              fill.field + (size_t)first * (size_t)fill.side);
    }
    return NT_OK;
}

/* ---- Points
 * --------------------------------------------------------------------------------------- */

enum { CHUNK = 32 * NT_LANES };

/* Where the domain repeats, a position is taken modulo one world. */
static void wrap(const struct nt_spec *spec, int axis, const double *from, size_t n, double *to)
{
    bool repeats = nt_grid_repeats(spec, axis);

    for (size_t i = 0; i < n; i++)
        to[i] = repeats ? from[i] - floor(from[i]) : from[i];
}

void nt_sample(const struct nt_spec *spec, const double *u, const double *v, size_t n,
               float *values)
{
    struct nt_plan plan;
    double place[NT_AXES][CHUNK];

    nt_plan_make(&plan, spec, 0.0);
    memset(values, 0, n * sizeof *values);
    for (size_t first = 0; first < n; first += CHUNK) {
        size_t count = n - first < CHUNK ? n - first : CHUNK;
        wrap(spec, 0, u + first, count, place[0]);
        wrap(spec, 1, v + first, count, place[1]);
        for (int o = 0; o < plan.count; o++)
            kernel_of(spec)->scatter(&plan.octave[o], place[0], place[1], count, values + first);
    }
}
