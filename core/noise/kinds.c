/*
 * kinds.c - the registry of kinds. A new kind is a file beside this one, a row here, and its name
 * in enum nt_noise and in the Makefile's KERNELS.
 */
#include "core/lattice.h"

const char *const nt_kind_names[NT_KINDS + 1] = {
    [NT_PERLIN] = "perlin",
    [NT_VALUE] = "value",
};

#define KERNELS(name) ((const struct nt_kernel *const[NT_LEVELS])NT_EACH_LEVEL(name))

const struct nt_kind nt_kinds[NT_KINDS] = {
    [NT_PERLIN] = {KERNELS(nt_perlin)},
    [NT_VALUE] = {KERNELS(nt_value)},
};
