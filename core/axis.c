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

    return 3 * padded(positions * sizeof(float)) + 2 * padded(positions * sizeof(int32_t)) +
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
    axis->back = (float *)(void *)at;
    at += padded(positions * sizeof(float));
    axis->slot = (int32_t *)(void *)at;
    at += padded(positions * sizeof(int32_t));
    axis->end = (int32_t *)(void *)at;
    at += padded(positions * sizeof(int32_t));
    axis->hash = (uint32_t *)(void *)at;
}

static const struct nt_row_kernel *const row_kernels[NT_LEVELS] = NT_EACH_LEVEL(nt_rows);

/* Positions worked on at once. */
enum { CHUNK = 64 };

/* The nodes touched by positions, gathered one by one, hashed at the end. */
struct nodes {
    const struct nt_octave_axis *lattice;
    struct nt_reach reach; /* of a position */
    uint32_t *hash;
    int count;
    double cell;         /* of the last position: the newest nodes are its own */
    int64_t upper;       /* upper half of the cell numbers, */
    uint32_t upper_hash; /* and what becomes of it */
};

static void add_node(struct nodes *nodes, double number)
{
    int64_t cell = nt_axis_cell(nodes->lattice, (int64_t)number);

    if (cell >> 32 != nodes->upper) {
        nodes->upper = cell >> 32;
        nodes->upper_hash = nt_upper_hash(nodes->lattice->key, nodes->upper);
    }
    nodes->hash[nodes->count++] = (uint32_t)cell ^ nodes->upper_hash;
}

/* Adds the nodes within reach of a position in `cell`. */
static void add_nodes_around(struct nodes *nodes, double cell)
{
    double first = cell - nodes->reach.before, last = cell + nodes->reach.after;
    double known = nodes->cell + nodes->reach.after;

    if (nodes->count > 0 && cell > nodes->cell && first <= known)
        first = known + 1.0; /* the nodes up to there are shared with the cell before */
    for (int more = (int)(last - first); more >= 0; more--, first += 1.0)
        add_node(nodes, first);
    nodes->cell = cell;
}

/* Slots of positions in these cells. */
static void touch(struct nodes *nodes, const double *cell, int n, int32_t *slot)
{
    int around = nodes->reach.before + 1 + nodes->reach.after;

    for (int i = 0; i < n; i++) {
        if (nodes->count == 0 || cell[i] != nodes->cell)
            add_nodes_around(nodes, cell[i]);
        slot[i] = nodes->count - around;
    }
}

static void hash_nodes(const struct nodes *nodes)
{
    uint32_t key = (uint32_t)nodes->lattice->key;

    for (int i = 0; i < nodes->count; i++)
        nodes->hash[i] = nt_mix32(nodes->hash[i]) ^ key;
}

void nt_axis_make(struct nt_axis *axis, const struct nt_octave *octave, int index,
                  const double *world, int count, struct nt_reach reach, void *memory)
{
    const struct nt_octave_axis *lattice = &octave->axis[index];
    struct nodes nodes = {
        .lattice = lattice, .reach = reach, .upper_hash = nt_upper_hash(lattice->key, 0)};
    double cell[CHUNK];

    lay_out(axis, count, memory);
    nodes.hash = axis->hash;
    for (int i = 0; i < count; i += CHUNK) {
        int n = count - i < CHUNK ? count - i : CHUNK;
        row_kernels[nt_level_index()]->locate(lattice->frequency, lattice->offset, world + i, n,
                                              cell, axis->fraction + i, axis->fade + i);
        touch(&nodes, cell, n, axis->slot + i);
    }
    hash_nodes(&nodes);
    axis->count = count;
    axis->nodes = nodes.count;
    for (int i = count - 1, end = count; i >= 0; i--) {
        end = axis->slot[i] == axis->slot[end - 1] ? end : i + 1;
        axis->end[i] = end;
    }
    for (int i = 0; i < count; i++)
        axis->back[i] = axis->fraction[i] - 1.0f;
    for (int i = 0; i < NT_LANES; i++) { /* padding: rows repeat the last, hashes are never used */
        axis->slot[count + i] = axis->slot[count - 1];
        axis->fraction[count + i] = axis->fraction[count - 1];
        axis->fade[count + i] = axis->fade[count - 1];
        axis->hash[nodes.count + i] = 0;
    }
}
