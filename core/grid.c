/*
 * grid.c - where a tile's samples lie in the world. Every position is one division of two exact
 * integers, so any partition of the world (256-pixel tiles, 512-pixel tiles, @2x) gives equal
 * doubles. Next: fractal.c, which turns world coordinates into lattice cells.
 */
#include <math.h>

#include "core/internal.h"

static int64_t floor_mod(int64_t n, int64_t d)
{
    int64_t rest = n % d;

    return rest < 0 ? rest + d : rest;
}

enum nt_mapping nt_mapping_of(const struct nt_spec *spec)
{
    if (spec->domain == NT_DOMAIN_PLANET)
        return NT_MAP_SPHERE;
    if (spec->domain == NT_DOMAIN_WORLD && !(nt_kinds[spec->noise].abilities & NT_CLOSES))
        return NT_MAP_CYLINDER; /* no lattice of its own that could close */
    return NT_MAP_FLAT;
}

int nt_dimensions(const struct nt_spec *spec)
{
    return spec->sliced || nt_mapping_of(spec) != NT_MAP_FLAT ? 3 : 2;
}

bool nt_grid_repeats(const struct nt_spec *spec, int axis)
{
    if (axis > 0)
        return spec->domain == NT_DOMAIN_TORUS;
    return spec->domain != NT_DOMAIN_PLANE;
}

int nt_side(const struct nt_spec *spec)
{
    return (int)(spec->size * spec->scale + (spec->sampling == NT_SAMPLING_POINT) +
                 2 * spec->buffer);
}

double nt_grid_step(const struct nt_spec *spec, const struct nt_tile *tile)
{
    return ldexp(1.0 / (double)(spec->size * spec->scale), -tile->z);
}

/*
 * Pixel i of tile x, N pixels wide: centres lie at (2(xN + i) + 1) / (2N 2^z), grid points at
 * (xN + i) / (N 2^z). Numerators stay below 2^45, so both are exact in a double.
 */
double nt_grid_world(const struct nt_spec *spec, const struct nt_tile *tile, int axis, int i)
{
    int64_t pixels = spec->size * spec->scale, centre = spec->sampling == NT_SAMPLING_CELL;
    int64_t index = (axis == 0 ? tile->x : tile->y) * pixels - spec->buffer + i;
    int64_t numerator = centre ? 2 * index + 1 : index;
    int64_t denominator = (pixels << tile->z) << centre;

    if (nt_grid_repeats(spec, axis))
        numerator = floor_mod(numerator, denominator);
    return (double)numerator / (double)denominator;
}

void nt_grid_axis(const struct nt_spec *spec, const struct nt_tile *tile, int axis, double *world)
{
    int side = nt_side(spec);

    for (int i = 0; i < side; i++)
        world[i] = nt_grid_world(spec, tile, axis, i);
}
