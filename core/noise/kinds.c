/*
 * kinds.c - the registry of kinds. A new kind is a file beside this one, a row here, and its name
 * in enum nt_noise and in the Makefile's KERNELS.
 */
#include "core/lattice.h"

const char *const nt_kind_names[NT_KINDS + 1] = {
    [NT_PERLIN] = "perlin", [NT_SIMPLEX] = "simplex",   [NT_OPENSIMPLEX2S] = "opensimplex2s",
    [NT_VALUE] = "value",   [NT_CELLULAR] = "cellular", [NT_WHITE] = "white",
};

#define KERNELS(name) ((const struct nt_kernel *const[NT_LEVELS])NT_EACH_LEVEL(name))
#define NATIVE(name)  .plane = KERNELS(nt_##name), .space = KERNELS(nt_##name##_space)

const struct nt_kind nt_kinds[NT_KINDS] = {
    [NT_PERLIN] = {NATIVE(perlin), .abilities = NT_CLOSES | NT_LIMITED},
    [NT_SIMPLEX] = {NATIVE(simplex), .abilities = NT_CLOSES | NT_LIMITED | NT_EVEN_ROWS},
    [NT_OPENSIMPLEX2S] = {NATIVE(opensimplex2s), .abilities = NT_LIMITED},
    [NT_VALUE] = {NATIVE(value), .abilities = NT_CLOSES | NT_LIMITED},
    [NT_CELLULAR] = {NATIVE(cellular), .abilities = NT_CLOSES | NT_LIMITED | NT_CELLS},
    [NT_WHITE] = {NATIVE(white), .abilities = NT_CLOSES},
};
