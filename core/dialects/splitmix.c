/* splitmix.c - simplex-splitmix: simplex noise in double over a shuffled permutation, and its fbm.
 * What it is and where it comes from: dialects.h. The order of operations is the definition. */
#include "core/dialects/dialects.h"
#include "core/dialects/whole.h"

/* ---- Generator and permutation --------------------------------------------------------------- */

uint32_t nt_splitmix_seed_real(double seed)
{
    return whole_low32(seed);
}

uint32_t nt_splitmix_seed_integer(int64_t seed)
{
    return (uint32_t)(uint64_t)seed;
}

uint32_t nt_splitmix_next(uint32_t *state)
{
    uint32_t t = *state += 0x9e3779b9u;

    t = (t ^ (t >> 16)) * 0x21f0aaadu;
    t = (t ^ (t >> 15)) * 0x735a2d97u;
    return t ^ (t >> 15);
}

void nt_splitmix_init(struct nt_splitmix *noise, uint32_t seed)
{
    uint8_t *p = noise->perm;

    for (uint32_t i = 0; i < 256; i++)
        p[i] = (uint8_t)i;
    for (uint32_t i = 0; i < 255; i++) {
        /* The original multiplies in double, which for 41 bits is exact. */
        uint32_t r = i + (uint32_t)((uint64_t)nt_splitmix_next(&seed) * (256 - i) >> 32);
        uint8_t swapped = p[i];
        p[i] = p[r];
        p[r] = swapped;
    }
    for (int k = 0; k < 512; k++) {
        p[k] = p[k & 255];
        noise->perm_mod12[k] = p[k] % 12;
    }
}

/* ---- One octave ------------------------------------------------------------------------------ */

static double corner(uint32_t h, double x, double y)
{
    double r = 0.5 - x * x - y * y;

    if (r < 0.0)
        return 0.0;
    double a = h < 8 ? x : y, b = h < 4 ? y : 0.0;
    double gradient = (h & 1 ? -a : a) + (h & 2 ? -b : b);
    r *= r;
    return r * r * gradient;
}

double nt_splitmix_2d(const struct nt_splitmix *noise, double x, double y)
{
    static const double root3 = 0x1.bb67ae8584caap+0; /* the double nearest to sqrt(3) */
    const double skew = 0.5 * (root3 - 1.0), unskew = (3.0 - root3) / 6.0;

    double s = (x + y) * skew;
    double i = whole_floor(x + s), j = whole_floor(y + s);
    double t = (i + j) * unskew;
    double x0 = x - (i - t), y0 = y - (j - t);
    bool lower = x0 > y0; /* which triangle of the cell */
    uint32_t i1 = lower ? 1 : 0, j1 = lower ? 0 : 1;
    double x1 = x0 - (double)i1 + unskew, y1 = y0 - (double)j1 + unskew;
    double x2 = x0 - 1.0 + 2.0 * unskew, y2 = y0 - 1.0 + 2.0 * unskew;
    uint32_t u = whole_low32(i) & 255, v = whole_low32(j) & 255;
    double n0 = corner(noise->perm_mod12[u + noise->perm[v]], x0, y0);
    double n1 = corner(noise->perm_mod12[u + i1 + noise->perm[v + j1]], x1, y1);
    double n2 = corner(noise->perm_mod12[u + 1 + noise->perm[v + 1]], x2, y2);

    return 70.0 * (n0 + n1 + n2);
}

/* ---- Fbm ------------------------------------------------------------------------------------- */

double nt_splitmix_fbm_2d(const struct nt_splitmix *noise, const struct nt_splitmix_fbm *fbm,
                          double x, double y)
{
    double sum = 0.0, a = fbm->amplitude, f = fbm->frequency;

    for (uint64_t o = 0; (double)o < fbm->octaves; o++) {
        sum += nt_splitmix_2d(noise, x * f, y * f) * a;
        a *= fbm->persistence;
        f *= fbm->lacunarity;
    }
    return sum;
}
