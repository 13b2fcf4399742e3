/*
 * dialect.h - a dialect as the registry sees it: from a specification and places to values. The
 * functions
 * that reproduce the originals are in dialects.h.
 */
#ifndef NT_DIALECT_H
#define NT_DIALECT_H

#include "core/internal.h"

struct nt_dialect {
    /* values[i] at (x[i], y[i]), exact in double whatever the dialect's own type; y NULL: in 1-D. */
    void (*sample)(const struct nt_spec *spec, const double *x, const double *y, size_t n,
                   double *values);
    /* Whether all octaves of |x|, |y| <= reach can be computed; if not, the parameter to blame. */
    const char *(*fault)(const struct nt_spec *spec, double reach);
    double top;      /* the largest value of a dialect of whole numbers; else 0 */
    bool is_float64; /* values need a double */
};

extern const struct nt_dialect nt_dialect_rombauts, nt_dialect_splitmix, nt_dialect_eiserloh,
    nt_dialect_eiserloh_recursive, nt_dialect_inoise8, nt_dialect_inoise16, nt_dialect_inoise8_3_0,
    nt_dialect_inoise16_3_0;

#endif
