/*
 * axis.c - world coordinates to lattice cells, along one axis and for one octave. This is the only
 * place where a position is rounded: one product and one sum in double, then the fraction to float.
 */
#include "core/lattice.h"

enum { ALIGN = 64 };

static size_t padded(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Each position may touch nodes of its own only. */
static size_t most_nodes(int count, struct nt_reach reach)
{
    return (size_t)count * (size_t)(reach.before + 1 + reach.after) + NT_LANES;
}

size_t nt_axis_size(int count, struct nt_reach reach)
{
    size_t positions = (size_t)count + NT_LANES;

    return 2 * padded(positions * sizeof(float)) + padded(positions * sizeof(int32_t)) +
           padded(most_nodes(count, reach) * sizeof(uint32_t));
}

static void lay_out(struct nt_axis *axis, int count, void *memory)
{
    size_t positions = (size_t)count + NT_LANES;
    char *at = memory;

    axis->fraction = (float *)(void *)at;
    at += padded(positions * sizeof(float));
    axis->fade = (float *)(void *)at;
    at += padded(positions * sizeof(float));
    axis->slot = (int32_t *)(void *)at;
    at += padded(positions * sizeof(int32_t));
    axis->hash = (uint32_t *)(void *)at;
}

void nt_axis_make(struct nt_axis *axis, const struct nt_octave *octave, int index,
                  const double *world, int count, struct nt_reach reach, void *memory)
{
    const struct nt_octave_axis *lattice = &octave->axis[index];
    int64_t before = 0; /* cell of the position before */
    int nodes = 0;

    lay_out(axis, count, memory);
    for (int i = 0; i < count; i++) {
        struct nt_cell_place place = nt_cell_of(world[i] * lattice->frequency + lattice->offset);
        int64_t cell = place.cell;
        float t = place.fraction;

        if (nodes == 0 || cell != before) {
            int64_t first = cell - reach.before, known = before + reach.after;
            if (nodes > 0 && cell > before && first <= known)
                first = known + 1; /* the nodes up to there are shared */
            for (; first <= cell + reach.after; first++)
                axis->hash[nodes++] = nt_axis_hash(lattice, first);
            before = cell;
        }
        axis->slot[i] = nodes - (reach.before + 1 + reach.after);
        axis->fraction[i] = t;
        axis->fade[i] = NT_FADE(t);
    }
    axis->count = count;
    axis->nodes = nodes;
    for (int i = 0; i < NT_LANES; i++) { /* padding: rows repeat the last, hashes are never used */
        axis->slot[count + i] = axis->slot[count - 1];
        axis->fraction[count + i] = axis->fraction[count - 1];
        axis->fade[count + i] = axis->fade[count - 1];
        axis->hash[nodes + i] = 0;
    }
}
