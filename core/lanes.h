/*
 * lanes.h - vectors of eight lanes, written once and compiled for each instruction level: on AVX2
 * one register, on SSE2 and NEON two, elsewhere plain code. Only single IEEE operations, so that
 * all levels give the same bits. For kernels only.
 */
#ifndef NT_LANES_H
#define NT_LANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Vectors are passed to inlined functions only, so that how a level would pass them does not
 * matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum { NT_LANES = 8 };

typedef float f8 __attribute__((vector_size(32)));
typedef uint32_t u8 __attribute__((vector_size(32)));
typedef int32_t i8 __attribute__((vector_size(32)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d4 __attribute__((vector_size(32)));
typedef int64_t l4 __attribute__((vector_size(32)));

#define NT_INLINE static inline __attribute__((always_inline, unused))

/* The names that a kernel exports: nt_perlin_baseline, nt_perlin_avx2. */
#define NT_PASTE_(a, b) a##_##b
#define NT_PASTE(a, b)  NT_PASTE_(a, b)
#define NT_EXPORT(name) NT_PASTE(name, NT_LEVEL)

NT_INLINE f8 load_f8(const float *from)
{
    f8 v;

    memcpy(&v, from, sizeof v);
    return v;
}

NT_INLINE u8 load_u8(const uint32_t *from)
{
    u8 v;

    memcpy(&v, from, sizeof v);
    return v;
}

NT_INLINE void store_f8(float *to, f8 v)
{
    memcpy(to, &v, sizeof v);
}

NT_INLINE f8 splat_f8(float x)
{
    return (f8){x, x, x, x, x, x, x, x};
}

NT_INLINE u8 splat_u8(uint32_t x)
{
    return (u8){x, x, x, x, x, x, x, x};
}

NT_INLINE d4 load_d4(const double *from)
{
    d4 v;

    memcpy(&v, from, sizeof v);
    return v;
}

NT_INLINE void store_d4(double *to, d4 v)
{
    memcpy(to, &v, sizeof v);
}

NT_INLINE d4 splat_d4(double x)
{
    return (d4){x, x, x, x};
}

/* All ones where the uppermost bit is set. */
NT_INLINE u8 sign_mask_u8(u8 x)
{
    return (u8)((i8)x < 0);
}

/* yes where mask is all ones, no where it is zero. */
NT_INLINE f8 select_f8(u8 mask, f8 yes, f8 no)
{
    return (f8)((mask & (u8)yes) | (~mask & (u8)no));
}

NT_INLINE d4 select_d4(l4 mask, d4 yes, d4 no)
{
    return (d4)((mask & (l4)yes) | (~mask & (l4)no));
}

/* Square roots, correctly rounded on every machine (IEEE 754). */
NT_INLINE f8 sqrt_f8(f8 x)
{
    float lane[NT_LANES];

    memcpy(lane, &x, sizeof lane);
    for (int k = 0; k < NT_LANES; k++)
        lane[k] = __builtin_sqrtf(lane[k]);
    return load_f8(lane);
}

/* Rows become columns: lane j of m[i] goes to lane i of m[j]. */
NT_INLINE void transpose_f8(f8 m[NT_LANES])
{
    f8 a[NT_LANES], b[NT_LANES];

    for (int i = 0; i < NT_LANES; i += 2) { /* pairs of single lanes */
        a[i] = __builtin_shufflevector(m[i], m[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = __builtin_shufflevector(m[i], m[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < NT_LANES; i += 4) { /* pairs of two lanes */
        for (int j = 0; j < 2; j++) {
            b[i + j] = __builtin_shufflevector(a[i + j], a[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[i + j + 2] =
                __builtin_shufflevector(a[i + j], a[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int j = 0; j < 4; j++) { /* halves */
        m[j] = __builtin_shufflevector(b[j], b[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        m[j + 4] = __builtin_shufflevector(b[j], b[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

#endif
