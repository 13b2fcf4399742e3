/*
 * gradient.h - unit gradients for the kinds that need them, from a node's 32 random bits. No table
 * to gather from, and every direction possible. For kernels only.
 */
#ifndef NT_GRADIENT_H
#define NT_GRADIENT_H

#include "core/lanes.h"

/*
 * Sine and cosine of t * 45 degrees, |t| <= 1: Chebyshev series, good to 6e-7, so that a vector's
 * length is 1 to 4e-7.
 */
NT_INLINE void nt_turn_f8(f8 t, f8 *sine, f8 *cosine)
{
    f8 tt = t * t;

    *sine = t * (0.785394228f + tt * (-0.0807139747f + tt * 0.00242708677f));
    *cosine = 0.999999972f + tt * (-0.308424253f + tt * (0.015849913f + tt * -0.000318878992f));
}

/* A direction in the plane: the upper two bits choose a quarter turn, t an angle within it. */
NT_INLINE void nt_direction(u8 hash, f8 t, f8 *x, f8 *y)
{
    u8 swap = sign_mask_u8(hash), sign = (hash << 1) & UINT32_C(0x80000000);
    f8 sine, cosine;

    nt_turn_f8(t, &sine, &cosine);
    *x = (f8)((u8)select_f8(swap, sine, cosine) ^ sign);
    *y = (f8)((u8)select_f8(swap, cosine, sine) ^ sign);
}

NT_INLINE void nt_gradient_2(u8 hash, f8 g[2])
{
    nt_direction(hash, __builtin_convertvector((i8)(hash << 2), f8) * 0x1p-31f, &g[0], &g[1]);
}

/* In space, all directions alike: height uniform (Archimedes) from the lower half, angle from the
 * upper. */
NT_INLINE void nt_gradient_3(u8 hash, f8 g[3])
{
    f8 angle = __builtin_convertvector((i8)((hash & UINT32_C(0x3fff0000)) << 2), f8) * 0x1p-31f;
    f8 height = __builtin_convertvector((i8)(hash << 16), f8) * 0x1p-31f;
    f8 radius = sqrt_f8(1.0f - height * height);

    nt_direction(hash, angle, &g[0], &g[1]);
    g[0] *= radius;
    g[1] *= radius;
    g[2] = height;
}

/* The unit vector along d: the gradient that a node must have to do its worst. 0 stays 0. */
NT_INLINE void nt_gradient_worst(int dims, const f8 *d, f8 *g)
{
    f8 square = d[0] * d[0];

    for (int axis = 1; axis < dims; axis++)
        square += d[axis] * d[axis];
    f8 length = sqrt_f8(square);
    u8 is_zero = (u8)(length == 0.0f);
    for (int axis = 0; axis < dims; axis++)
        g[axis] = select_f8(is_zero, splat_f8(0.0f),
                            d[axis] / select_f8(is_zero, splat_f8(1.0f), length));
}

#endif
