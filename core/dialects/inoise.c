/* inoise.c - inoise8, inoise16, inoise8-3.0, inoise16-3.0: gradient noise in whole numbers. The
 * four are one algorithm in two widths and two versions; struct rules says in what they differ,
 * and the table at the end compiles it once for each. What they are and where they come from:
 * dialects.h. */
#include "core/dialects/dialects.h"
#include "core/dialects/permutation.h"
#include "core/dialects/whole.h"

/* Everything below is inlined into the four, where the rules are constants. */
#define INLINE static inline __attribute__((always_inline))

struct rules {
    uint32_t bits;               /* of a fraction and of a value: 8 or 16 */
    bool v3;                     /* as in 3.0: scales and averages round down, the fade is f * f */
    bool folds;                  /* 3-D gradients 12...15 are 0...3; else 12 and 14 are in x, y */
    bool saturates;              /* value = 2 (raw + offset) cut off, instead of times gain / 256 */
    uint32_t offset[2], gain[2]; /* from raw to value, in 2-D and 3-D */
};

INLINE uint32_t top_of(const struct rules *rules)
{
    return (1u << rules->bits) - 1;
}

/* ---- Arithmetic of so many bits -------------------------------------------------------------- */

/* To a signed number of the width, as a conversion to int8_t or int16_t wraps. */
INLINE int32_t wrapped(const struct rules *rules, int32_t v)
{
    uint32_t top = top_of(rules), half = top / 2 + 1;

    return (int32_t)(((uint32_t)v + half) & top) - (int32_t)half;
}

/* i * s, where s stands for a fraction. */
INLINE uint32_t scaled(const struct rules *rules, uint32_t i, uint32_t s)
{
    return i * (s + !rules->v3) >> rules->bits; /* at most 65535 * 65536 */
}

/* Half of a signed number, rounded down; gcc and clang shift arithmetically. */
INLINE int32_t halved(int32_t v)
{
    return v >> 1;
}

INLINE int32_t average(const struct rules *rules, int32_t u, int32_t v)
{
    return rules->v3 ? halved(u + v) : halved(u) + halved(v) + (u & 1);
}

INLINE uint32_t fade(const struct rules *rules, uint32_t f)
{
    uint32_t top = top_of(rules), j = f <= top / 2 ? f : top - f;

    if (rules->v3)
        return scaled(rules, f, f);
    uint32_t k = (scaled(rules, j, j) << 1) & top;
    return f <= top / 2 ? k : top - k;
}

/* v, or -v where sign is -1 instead of 0: a branch would be mispredicted half of the time. */
INLINE int32_t with_sign(int32_t v, int32_t sign)
{
    return (v ^ sign) - sign;
}

/* a + (b - a) * w, the product rounded towards 0: between the two. */
INLINE int32_t lerp(const struct rules *rules, int32_t a, int32_t b, uint32_t w)
{
    int32_t sign = -(b < a);

    return a + with_sign((int32_t)scaled(rules, (uint32_t)with_sign(b - a, sign), w), sign);
}

/* ---- Gradients ------------------------------------------------------------------------------- */

/* Bit 0 negates u, bit 1 negates v. */
INLINE int32_t signed_average(const struct rules *rules, uint32_t h, int32_t u, int32_t v)
{
    u = wrapped(rules, with_sign(u, -(int32_t)(h & 1)));
    v = wrapped(rules, with_sign(v, -(int32_t)(h >> 1 & 1)));
    return average(rules, u, v);
}

INLINE int32_t gradient_2d(const struct rules *rules, uint32_t h, int32_t x, int32_t y)
{
    return h & 4 ? signed_average(rules, h, y, x) : signed_average(rules, h, x, y);
}

INLINE int32_t gradient_3d(const struct rules *rules, uint32_t h, int32_t x, int32_t y, int32_t z)
{
    h &= 15;
    if (rules->folds && h >= 12)
        h -= 12;
    int32_t third = h == 12 || h == 14 ? x : z;
    return signed_average(rules, h, h < 8 ? x : y, h < 4 ? y : third);
}

/* ---- Noise ----------------------------------------------------------------------------------- */

/* One coordinate, taken apart. */
struct place {
    uint32_t cell;
    int32_t to[2]; /* offset from the near and from the far side of the cell, in half units */
    uint32_t fade;
};

INLINE struct place find_place(const struct rules *rules, uint32_t coordinate)
{
    uint32_t top = top_of(rules), f = coordinate & top;
    int32_t near = (int32_t)(f >> 1), half = (int32_t)(top / 2 + 1);

    return (struct place){(coordinate >> rules->bits) & 255, {near, near - half}, fade(rules, f)};
}

INLINE uint32_t p(uint32_t index)
{
    return nt_permutation[index];
}

INLINE int32_t raw_2d(const struct rules *rules, uint32_t x, uint32_t y)
{
    struct place at[2] = {find_place(rules, x), find_place(rules, y)};
    uint32_t a = (p(at[0].cell) + at[1].cell) & 255, b = (p(at[0].cell + 1) + at[1].cell) & 255;
    int32_t row[2];

    for (uint32_t j = 0; j < 2; j++)
        row[j] = lerp(rules, gradient_2d(rules, p(p(a + j)), at[0].to[0], at[1].to[j]),
                      gradient_2d(rules, p(p(b + j)), at[0].to[1], at[1].to[j]), at[0].fade);
    return lerp(rules, row[0], row[1], at[1].fade);
}

INLINE int32_t raw_3d(const struct rules *rules, uint32_t x, uint32_t y, uint32_t z)
{
    struct place at[3] = {find_place(rules, x), find_place(rules, y), find_place(rules, z)};
    uint32_t a = (p(at[0].cell) + at[1].cell) & 255, b = (p(at[0].cell + 1) + at[1].cell) & 255;
    int32_t plane[2];

    for (uint32_t k = 0; k < 2; k++) {
        int32_t row[2], dz = at[2].to[k];
        for (uint32_t j = 0; j < 2; j++) {
            uint32_t near = p(((p(a + j) + at[2].cell) & 255) + k);
            uint32_t far = p(((p(b + j) + at[2].cell) & 255) + k);
            row[j] = lerp(rules, gradient_3d(rules, near, at[0].to[0], at[1].to[j], dz),
                          gradient_3d(rules, far, at[0].to[1], at[1].to[j], dz), at[0].fade);
        }
        plane[k] = lerp(rules, row[0], row[1], at[1].fade);
    }
    return lerp(rules, plane[0], plane[1], at[2].fade);
}

/* dimension: 0 in 2-D, 1 in 3-D. */
INLINE uint32_t value(const struct rules *rules, int32_t raw, int dimension)
{
    uint32_t n = (uint32_t)raw + rules->offset[dimension];

    if (rules->saturates)
        return (n & 255) < 128 ? (n & 255) * 2 : 255;
    if (rules->bits == 8)
        return ((n & 255) * rules->gain[dimension] >> 8 << 1) & 255;
    return (n * rules->gain[dimension] >> 8) & 65535;
}

/* ---- The four -------------------------------------------------------------------------------- */

struct nt_inoise {
    const struct rules *rules;
    int32_t (*raw_2d)(uint32_t x, uint32_t y);
    int32_t (*raw_3d)(uint32_t x, uint32_t y, uint32_t z);
};

#define DIALECT(name, ...)                                           \
    static const struct rules name##_rules = {__VA_ARGS__};          \
    static int32_t name##_raw_2d(uint32_t x, uint32_t y)             \
    {                                                                \
        return raw_2d(&name##_rules, x, y);                          \
    }                                                                \
    static int32_t name##_raw_3d(uint32_t x, uint32_t y, uint32_t z) \
    {                                                                \
        return raw_3d(&name##_rules, x, y, z);                       \
    }                                                                \
    const struct nt_inoise name = {&name##_rules, name##_raw_2d, name##_raw_3d}

DIALECT(nt_inoise8, .bits = 8, .folds = true, .saturates = true, .offset = {64, 64});
DIALECT(nt_inoise16, .bits = 16, .offset = {17308, 19052}, .gain = {484, 440});
DIALECT(nt_inoise8_3_0, .bits = 8, .v3 = true, .offset = {69, 76}, .gain = {237, 215});
DIALECT(nt_inoise16_3_0, .bits = 16, .v3 = true, .offset = {17308, 19052}, .gain = {484, 440});

uint32_t nt_inoise_top(const struct nt_inoise *noise)
{
    return top_of(noise->rules);
}

uint32_t nt_inoise_coordinate(const struct nt_inoise *noise, double cells)
{
    uint32_t top = nt_inoise_top(noise);
    uint32_t low = whole_low32(whole_floor(cells * (double)(top + 1)));

    return noise->rules->bits == 8 ? low & 0xffff : low;
}

int32_t nt_inoise_raw_2d(const struct nt_inoise *noise, uint32_t x, uint32_t y)
{
    return noise->raw_2d(x, y);
}

int32_t nt_inoise_raw_3d(const struct nt_inoise *noise, uint32_t x, uint32_t y, uint32_t z)
{
    return noise->raw_3d(x, y, z);
}

uint32_t nt_inoise_2d(const struct nt_inoise *noise, uint32_t x, uint32_t y)
{
    return value(noise->rules, noise->raw_2d(x, y), 0);
}

uint32_t nt_inoise_3d(const struct nt_inoise *noise, uint32_t x, uint32_t y, uint32_t z)
{
    return value(noise->rules, noise->raw_3d(x, y, z), 1);
}

/* ---- Octave-major fill ----------------------------------------------------------------------- */

uint32_t nt_inoise_fill(const struct nt_inoise *noise, uint32_t x, uint32_t y, uint32_t z,
                        size_t octaves)
{
    uint32_t top = nt_inoise_top(noise), sum = 0;

    for (uint32_t o = 0; o < noise->rules->bits && o < octaves; o++) {
        sum += nt_inoise_3d(noise, x << o, y << o, z << o) >> o;
        if (sum > top)
            sum = top;
    }
    return sum;
}

/* The original adds octave after octave to the whole matrix; samples never meet, so one after the
 * other is the same. */
void nt_inoise_fill_grid(const struct nt_inoise *noise, uint32_t x, uint32_t y, uint32_t z,
                         uint32_t step, size_t octaves, size_t nx, size_t ny, uint16_t *out)
{
    for (size_t i = 0; i < nx; i++)
        for (size_t j = 0; j < ny; j++)
            out[i * ny + j] = (uint16_t)nt_inoise_fill(noise, x + (uint32_t)i * step,
                                                       y + (uint32_t)j * step, z, octaves);
}
