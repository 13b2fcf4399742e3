/*
 * kinds.c - the registry of kinds. A new kind is a file beside this one, a row and a name here, its
 * number
 * in enum nt_noise, its kernels' declarations in lattice.h and the file in the Makefile's KERNELS.
 * Dialects
 * are in dialects/.
 */
#include "core/dialects/dialect.h"
#include "core/lattice.h"

const char *const nt_kind_names[NT_KINDS + 1] = {
    [NT_PERLIN] = "perlin",
    [NT_SIMPLEX] = "simplex",
    [NT_OPENSIMPLEX2S] = "opensimplex2s",
    [NT_VALUE] = "value",
    [NT_CELLULAR] = "cellular",
    [NT_WHITE] = "white",
    [NT_SIMPLEX_ROMBAUTS] = "simplex-rombauts",
    [NT_SIMPLEX_SPLITMIX] = "simplex-splitmix",
    [NT_PERLIN_EISERLOH] = "perlin-eiserloh",
    [NT_PERLIN_EISERLOH_RECURSIVE] = "perlin-eiserloh-recursive",
    [NT_INOISE8] = "inoise8",
    [NT_INOISE16] = "inoise16",
    [NT_INOISE8_3_0] = "inoise8-3.0",
    [NT_INOISE16_3_0] = "inoise16-3.0",
};

#define KERNELS(name) ((const struct nt_kernel *const[NT_LEVELS])NT_EACH_LEVEL(name))
#define NATIVE(name, extra)                                                                \
    {                                                                                      \
        .plane = KERNELS(nt_##name), .space = KERNELS(nt_##name##_space),                  \
        .abilities = NT_NATIVE | NT_SEED | NT_AMPLITUDE | NT_LACUNARITY | NT_PERSISTENCE | \
                     NT_TIME | (extra)                                                     \
    }
#define DIALECT(name, has)                                \
    {                                                     \
        .dialect = &nt_dialect_##name, .abilities = (has) \
    }

const struct nt_kind nt_kinds[NT_KINDS] = {
    [NT_PERLIN] = NATIVE(perlin, NT_CLOSES | NT_LIMITED),
    [NT_SIMPLEX] = NATIVE(simplex, NT_CLOSES | NT_LIMITED | NT_EVEN_ROWS),
    [NT_OPENSIMPLEX2S] = NATIVE(opensimplex2s, NT_LIMITED),
    [NT_VALUE] = NATIVE(value, NT_CLOSES | NT_LIMITED),
    [NT_CELLULAR] = NATIVE(cellular, NT_CLOSES | NT_LIMITED | NT_CELLS),
    [NT_WHITE] = NATIVE(white, NT_CLOSES),
    [NT_SIMPLEX_ROMBAUTS] =
        DIALECT(rombauts, NT_AMPLITUDE | NT_LACUNARITY | NT_PERSISTENCE | NT_LINE),
    [NT_SIMPLEX_SPLITMIX] =
        DIALECT(splitmix, NT_SEED | NT_AMPLITUDE | NT_LACUNARITY | NT_PERSISTENCE),
    [NT_PERLIN_EISERLOH] = DIALECT(eiserloh, NT_SEED | NT_AMPLITUDE | NT_PERSISTENCE),
    [NT_PERLIN_EISERLOH_RECURSIVE] = DIALECT(eiserloh_recursive, NT_AMPLITUDE | NT_PERSISTENCE),
    [NT_INOISE8] = DIALECT(inoise8, NT_TIME),
    [NT_INOISE16] = DIALECT(inoise16, NT_TIME),
    [NT_INOISE8_3_0] = DIALECT(inoise8_3_0, NT_TIME),
    [NT_INOISE16_3_0] = DIALECT(inoise16_3_0, NT_TIME),
};
