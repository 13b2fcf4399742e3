/*
 * quantise.h - samples to whole numbers: grey levels, 16-bit samples, units of terrain. What they
 * are is defined in double precision (struct nt_scale); quantise.c finds the same numbers faster.
 */
#ifndef NT_QUANTISE_H
#define NT_QUANTISE_H

#include "core/internal.h"

/*
 * Sample v becomes ((v - min) / range * rise + low + shift) * per, rounded half up and clamped to
 * 0...top: each operation rounded to double, in that order, so that a client can repeat it. Greys
 * are (v - min) / range * top, heights the rest of it.
 */
struct nt_scale {
    double min, range, rise, low, shift, per;
    double top; /* 255, 65535 or 16777215 */
};

/* n samples to whole numbers of one, two or three bytes each. */
struct nt_quantise_kernel {
    void (*bytes)(const struct nt_scale *scale, const float *samples, size_t n, unsigned char *out);
    void (*big_words)(const struct nt_scale *scale, const float *samples, size_t n,
                      unsigned char *out);
    void (*little_words)(const struct nt_scale *scale, const float *samples, size_t n,
                         unsigned char *out);
    void (*triples)(const struct nt_scale *scale, const float *samples, size_t n,
                    unsigned char *out); /* the most significant first */
};

NT_DECLARE_LEVELS(const struct nt_quantise_kernel, nt_quantise);

/* The one for the instruction level in use (gray.c). */
const struct nt_quantise_kernel *nt_quantiser(void);

#endif
