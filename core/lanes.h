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

#ifdef __SSE2__
#include <immintrin.h> /* for the few operations that vector extensions can't say: see there */
#endif

/* Vectors are passed to inlined functions only, so that how a level would pass them does not
 * matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum { NT_LANES = 8 };

typedef float f8 __attribute__((vector_size(32)));
typedef uint32_t u8 __attribute__((vector_size(32)));
typedef int32_t i8 __attribute__((vector_size(32)));

/* Eight doubles, for positions: two vectors of four. */
typedef double d4 __attribute__((vector_size(32)));
typedef int64_t l4 __attribute__((vector_size(32)));
typedef float f4 __attribute__((vector_size(16)));

/* Halves, for what compilers take apart into single lanes where vectors are half as wide. */
typedef int32_t i4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef int64_t l2 __attribute__((vector_size(16)));
struct d8 {
    d4 half[2];
};

/* Vectors among numbers, wherever these are. (clang lets copies by memcpy go through memory.) */
#define NT_AT __attribute__((aligned(4), may_alias))
typedef f8 f8_at NT_AT;
typedef u8 u8_at NT_AT;
typedef i8 i8_at NT_AT;
typedef d4 d4_at NT_AT;

#define NT_INLINE static inline __attribute__((always_inline, unused))

/* The names that a kernel exports: nt_perlin_baseline, nt_perlin_avx2. */
#define NT_PASTE_(a, b) a##_##b
#define NT_PASTE(a, b)  NT_PASTE_(a, b)
#define NT_EXPORT(name) NT_PASTE(name, NT_LEVEL)

NT_INLINE f8 load_f8(const float *from)
{
    return *(const f8_at *)(const void *)from;
}

NT_INLINE u8 load_u8(const uint32_t *from)
{
    return *(const u8_at *)(const void *)from;
}

NT_INLINE void store_f8(float *to, f8 v)
{
    *(f8_at *)(void *)to = v;
}

NT_INLINE void store_u8(uint32_t *to, u8 v)
{
    *(u8_at *)(void *)to = v;
}

NT_INLINE f8 splat_f8(float x)
{
    return (f8){x, x, x, x, x, x, x, x};
}

NT_INLINE u8 splat_u8(uint32_t x)
{
    return (u8){x, x, x, x, x, x, x, x};
}

NT_INLINE i8 load_i8(const int32_t *from)
{
    return *(const i8_at *)(const void *)from;
}

NT_INLINE void store_i8(int32_t *to, i8 v)
{
    *(i8_at *)(void *)to = v;
}

NT_INLINE i8 splat_i8(int32_t x)
{
    return (i8){x, x, x, x, x, x, x, x};
}

NT_INLINE d4 load_d4(const double *from)
{
    return *(const d4_at *)(const void *)from;
}

NT_INLINE struct d8 load_d8(const double *from)
{
    return (struct d8){{load_d4(from), load_d4(from + 4)}};
}

NT_INLINE void store_d8(double *to, struct d8 v)
{
    *(d4_at *)(void *)to = v.half[0];
    *(d4_at *)(void *)(to + 4) = v.half[1];
}

NT_INLINE d4 splat_d4(double x)
{
    return (d4){x, x, x, x};
}

NT_INLINE f8 join_f4(f4 low, f4 high)
{
#ifdef __AVX2__
    return (f8)_mm256_set_m128((__m128)high, (__m128)low);
#else
    const f4 half[2] = {low, high};
    f8 v;

    memcpy(&v, half, sizeof v);
    return v;
#endif
}

/* The lower halves of eight numbers. */
NT_INLINE i8 narrow_l4(l4 low, l4 high)
{
#ifdef __AVX2__
    /* in two steps, each of which is one instruction: of floats, GCC makes three for integers */
    f8 quarters = __builtin_shufflevector((f8)low, (f8)high, 0, 2, 8, 10, 4, 6, 12, 14);

    return (i8)__builtin_shufflevector((l4)quarters, (l4)quarters, 0, 2, 1, 3);
#else
    enum { ODD = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };
    i4 from[4], half[2];
    i8 v;

    memcpy(from, &low, sizeof low);
    memcpy(from + 2, &high, sizeof high);
    for (int h = 0; h < 2; h++)
        half[h] = __builtin_shufflevector(from[2 * h], from[2 * h + 1], 0 + ODD, 2 + ODD, 4 + ODD,
                                          6 + ODD);
    memcpy(&v, half, sizeof v);
    return v;
#endif
}

/* All ones where a > b. */
NT_INLINE u8 above_f8(f8 a, f8 b)
{
#ifdef __AVX2__
    return (u8)(a > b);
#else
    f4 x[2], y[2];
    i4 mask[2];
    u8 v;

    memcpy(x, &a, sizeof a);
    memcpy(y, &b, sizeof b);
    for (int h = 0; h < 2; h++)
        mask[h] = (i4)(x[h] > y[h]);
    memcpy(&v, mask, sizeof v);
    return v;
#endif
}

/* All ones where the uppermost bit is set. */
NT_INLINE u8 sign_mask_u8(u8 x)
{
    return (u8)((i8)x < 0);
}

/* The same of signed numbers; GCC and Clang both shift the sign in. */
NT_INLINE i8 negative_i8(i8 x)
{
    return x >> 31; // cppcheck-suppress shiftTooManyBitsSigned
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

/*
 * The smaller and the greater of each pair, b where they are equal. GCC takes comparisons of
 * vectors apart that the machine doesn't have, so these go by halves.
 */
#ifdef __SSE2__
#define NT_MIN_F4(a, b) ((f4)_mm_min_ps((__m128)(a), (__m128)(b)))
#define NT_MAX_F4(a, b) ((f4)_mm_max_ps((__m128)(a), (__m128)(b)))
#else
#define NT_PICK_F4(mask, a, b) ((f4)(((mask) & (i4)(a)) | (~(mask) & (i4)(b))))
#define NT_MIN_F4(a, b)        NT_PICK_F4((a) < (b), a, b)
#define NT_MAX_F4(a, b)        NT_PICK_F4((a) > (b), a, b)
#endif

NT_INLINE f8 smaller_f8(f8 a, f8 b)
{
#ifdef __AVX2__
    return (f8)_mm256_min_ps((__m256)a, (__m256)b);
#else
    f4 p[2], q[2];

    memcpy(p, &a, sizeof p);
    memcpy(q, &b, sizeof q);
    for (int h = 0; h < 2; h++)
        p[h] = NT_MIN_F4(p[h], q[h]);
    memcpy(&a, p, sizeof p);
    return a;
#endif
}

NT_INLINE f8 larger_f8(f8 a, f8 b)
{
#ifdef __AVX2__
    return (f8)_mm256_max_ps((__m256)a, (__m256)b);
#else
    f4 p[2], q[2];

    memcpy(p, &a, sizeof p);
    memcpy(q, &b, sizeof q);
    for (int h = 0; h < 2; h++)
        p[h] = NT_MAX_F4(p[h], q[h]);
    memcpy(&a, p, sizeof p);
    return a;
#endif
}

/* x where it is positive, else +0: one instruction where there is one that says exactly this. */
NT_INLINE f8 positive_f8(f8 x)
{
#ifdef __AVX2__
    return (f8)_mm256_max_ps((__m256)x, _mm256_setzero_ps());
#else
    return (f8)(above_f8(x, splat_f8(0.0f)) & (u8)x);
#endif
}

/* from[index[k]] in lane k, 0 <= index < 8: a permutation of one load where there is such a thing.
 */
NT_INLINE f8 pick_f8(const float *from, i8 index)
{
#ifdef __AVX2__
    return (f8)_mm256_permutevar8x32_ps(_mm256_loadu_ps(from), (__m256i)index);
#else
    f8 v = {0};

    for (int k = 0; k < NT_LANES; k++)
        v[k] = from[index[k]];
    return v;
#endif
}

/* Lane index[k] of x in lane k, 0 <= index; on AVX2 modulo 8. */
NT_INLINE f8 permute_f8(f8 x, i8 index)
{
    return pick_f8((const float *)&x, index);
}

/* Bit k is lane k of a mask. */
NT_INLINE unsigned mask_bits(u8 mask)
{
#ifdef __AVX2__
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#elif defined __SSE2__
    __m128 half[2];

    memcpy(half, &mask, sizeof half);
    return (unsigned)(_mm_movemask_ps(half[0]) | _mm_movemask_ps(half[1]) << 4);
#else
    unsigned bits = 0;

    for (unsigned k = 0; k < NT_LANES; k++)
        bits |= (mask[k] & 1) << k;
    return bits;
#endif
}

/* Bit k tells whether lane k is other than 0. */
NT_INLINE unsigned nonzero_u8(u8 x)
{
#ifdef __AVX2__
    return mask_bits((u8)(x == 0)) ^ 255;
#else
    unsigned bits = 0;

    for (unsigned k = 0; k < NT_LANES; k++)
        bits |= (unsigned)(x[k] != 0) << k;
    return bits;
#endif
}

/* Bit k tells whether lane k of any of n vectors is another number in a than in b. */
NT_INLINE unsigned differ_d8(int n, const struct d8 *a, const struct d8 *b)
{
#ifdef __AVX2__
    l4 differs[2] = {{0}, {0}};

    for (int v = 0; v < n; v++)
        for (int h = 0; h < 2; h++)
            differs[h] |= (l4)(a[v].half[h] != b[v].half[h]);
    return (unsigned)(_mm256_movemask_pd((__m256d)differs[0]) |
                      _mm256_movemask_pd((__m256d)differs[1]) << 4);
#else
    unsigned bits = 0;

    for (int v = 0; v < n; v++)
        for (unsigned k = 0; k < NT_LANES; k++)
            bits |= (unsigned)(a[v].half[k / 4][k % 4] != b[v].half[k / 4][k % 4]) << k;
    return bits;
#endif
}

/* Halves, pairs or single lanes change places: three steps bring all lanes together. */
NT_INLINE f8 swap_f8(f8 x, int step)
{
    switch (step) {
    case 0:
        return __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3);
    case 1:
        return __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5);
    default:
        return __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6);
    }
}

/* Whether a < b in all lanes. */
NT_INLINE int all_less(f8 a, f8 b)
{
    u8 mask = above_f8(b, a);
#ifdef __SSE2__
    return mask_bits(mask) == 255;
#else
    uint64_t part[NT_LANES / 2];

    memcpy(part, &mask, sizeof part);
    return (part[0] & part[1] & part[2] & part[3]) == UINT64_MAX;
#endif
}

/* Added to a double below 2^51 it leaves the nearest whole number, in the lower bits, too. */
#define NT_TO_WHOLE      0x1.8p52
#define NT_TO_WHOLE_BITS INT64_C(0x4338000000000000)

/* The largest whole number not above x, |x| < 2^51. */
NT_INLINE d4 floor_d4(d4 x)
{
#ifdef __AVX2__
    return (d4)_mm256_floor_pd((__m256d)x);
#else
    d2 half[2];

    memcpy(half, &x, sizeof half);
    for (int h = 0; h < 2; h++) {
        d2 nearest = half[h] + NT_TO_WHOLE - NT_TO_WHOLE;
        half[h] = nearest - (d2)((l2)(nearest > half[h]) & (l2)(d2){1.0, 1.0});
    }
    memcpy(&x, half, sizeof x);
    return x;
#endif
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

/* a[0], b[0], a[1], b[1] ... */
NT_INLINE void store_pairs_f8(float *to, f8 a, f8 b)
{
    store_f8(to, __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
    store_f8(to + NT_LANES, __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
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
