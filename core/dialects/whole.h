/* whole.h - whole numbers out of doubles for the dialects: without libm, which some machines would
 * call for floor, and defined for every double. */
#ifndef NT_WHOLE_H
#define NT_WHOLE_H

#include <math.h>
#include <stdint.h>

/* floor, also of what is not finite. From 2^52 on every double is whole. */
static inline double whole_floor(double v)
{
    if (!(fabs(v) < 0x1p52))
        return v;
    double whole = (double)(int64_t)v;
    if (whole == v)
        return v; /* so that -0 stays -0 */
    return whole > v ? whole - 1.0 : whole;
}

/* The whole part of v (towards zero) modulo 2^32; 0 if v is not finite. ECMAScript's ToUint32. */
static inline uint32_t whole_low32(double v)
{
    if (fabs(v) < 0x1p62)
        return (uint32_t)(int64_t)v;
    if (!isfinite(v))
        return 0;
    double high = whole_floor(fabs(v) * 0x1p-32); /* exact: v is whole */
    uint32_t low = (uint32_t)(fabs(v) - high * 0x1p32);
    return v < 0.0 ? 0 - low : low;
}

#endif
