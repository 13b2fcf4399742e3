/*
 * level.c - chooses the instruction level. The choice is the library's only changing global: it is
 * made once, before any thread renders, and every choice gives the same bits.
 */
#include <string.h>

#include "core/internal.h"

static const char *const level_names[NT_LEVELS] = {
    [NT_LEVEL_BASELINE] = "baseline",
#ifdef __x86_64__
    [NT_LEVEL_AVX2] = "avx2",
#endif
};

/* Names that exist on other machines: as a cap they mean "the best there is". */
static const char *const foreign_names[] = {"auto", "avx2"};

static int chosen = NT_LEVEL_BASELINE;

static bool usable(int level)
{
#ifdef __x86_64__
    if (level == NT_LEVEL_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#endif
    return level == NT_LEVEL_BASELINE;
}

/* Highest level a cap allows, or -1 for an unknown name. */
static int cap_level(const char *cap)
{
    for (int i = 0; i < NT_LEVELS; i++)
        if (!cap || strcmp(cap, level_names[i]) == 0)
            return cap ? i : NT_LEVELS - 1;
    for (size_t i = 0; i < sizeof foreign_names / sizeof *foreign_names; i++)
        if (strcmp(cap, foreign_names[i]) == 0)
            return NT_LEVELS - 1;
    return -1;
}

bool nt_init(const char *cap)
{
    int level = cap_level(cap);

    if (level < 0)
        return false;
    while (!usable(level))
        level--;
    chosen = level;
    return true;
}

int nt_level_index(void)
{
    return chosen;
}

const char *nt_level(void)
{
    return level_names[chosen];
}
