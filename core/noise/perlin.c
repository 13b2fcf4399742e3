/*
 * perlin.c - gradient noise in two dimensions: a random unit gradient at each node, quintic fade
 * (K. Perlin, "Improving Noise", 2002). A corner adds its gradient's dot product with the way from
 * the corner, so the sum is at most the faded mean of the four distances: sqrt(1/2), in the middle
 * of a cell.
 */
#include "core/lattice.h"

#define KIND         nt_perlin
#define NODE_PARTS   2 /* the gradient's x and y */
#define COLUMN_PARTS 2 /* a and b: the pixel at distance u east of the node gets a * u + b */

/* NT_UNITY over the bound sqrt(1/2), rounded toward zero. */
static const float kind_scale = 1.41420269f;

/*
 * The unit vector of a hash: two bits choose a quarter turn, thirty an angle within it. Sine and
 * cosine are Chebyshev series over [-pi/4, pi/4], good to 6e-7: no table to gather from, every
 * direction possible.
 */
NT_INLINE void node_make(u8 hash, f8 gradient[NODE_PARTS])
{
    f8 t = __builtin_convertvector((i8)(hash << 2), f8) * 0x1p-31f;
    f8 tt = t * t;
    f8 sine = t * (0.785394228f + tt * (-0.0807139747f + tt * 0.00242708677f));
    f8 cosine = 0.999999972f + tt * (-0.308424253f + tt * (0.015849913f + tt * -0.000318878992f));
    u8 swap = sign_mask_u8(hash), sign = (hash << 1) & UINT32_C(0x80000000);

    gradient[0] = (f8)((u8)select_f8(swap, sine, cosine) ^ sign);
    gradient[1] = (f8)((u8)select_f8(swap, cosine, sine) ^ sign);
}

/* Blend of the gradients north (v away) and south (v - 1 away) of a row: all that the row sees of
 * them. */
NT_INLINE void column_make(const f8 north[NODE_PARTS], const f8 south[NODE_PARTS], f8 v, f8 fade,
                           f8 gain, f8 column[COLUMN_PARTS])
{
    f8 b0 = north[1] * v, b1 = south[1] * (v - 1.0f);

    column[0] = (north[0] + fade * (south[0] - north[0])) * gain;
    column[1] = (b0 + fade * (b1 - b0)) * gain;
}

NT_INLINE f8 between(const f8 west[COLUMN_PARTS], const f8 east[COLUMN_PARTS], f8 u, f8 fade)
{
    f8 left = west[0] * u + west[1], right = east[0] * (u - 1.0f) + east[1];

    return left + fade * (right - left);
}

#include "core/noise/lattice_kind.h"
