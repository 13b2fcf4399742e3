/*
 * gray.c - samples to grey levels. The range [min, max] is the specification's, never a tile's own,
 * so neighbouring tiles meet; what lies beyond is clamped, never wrapped.
 */
#include "core/internal.h"

/* Round half up of (v - min) / (max - min) * top, clamped. */
static inline unsigned level(float sample, double min, double range, double top)
{
    double x = ((double)sample - min) / range * top + 0.5;

    if (!(x > 0.0))
        return 0;
    return x >= top ? (unsigned)top : (unsigned)x;
}

void nt_quantise8(const float *samples, size_t n, double min, double max, unsigned char *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (unsigned char)level(samples[i], min, max - min, 255.0);
}

void nt_quantise16(const float *samples, size_t n, double min, double max, bool big_endian,
                   unsigned char *out)
{
    for (size_t i = 0; i < n; i++) {
        unsigned value = level(samples[i], min, max - min, 65535.0);
        out[2 * i + !big_endian] = (unsigned char)(value >> 8);
        out[2 * i + big_endian] = (unsigned char)(value & 0xff);
    }
}

enum nt_status nt_style_gray(struct nt_workspace *workspace, const struct nt_spec *spec,
                             struct nt_image *image)
{
    int side = nt_side(spec), bytes = spec->bits == NT_BITS_16 ? 2 : 1;
    size_t samples = (size_t)side * (size_t)side;
    unsigned char *pixels = nt_reserve(workspace, NT_USE_PIXELS, samples * (size_t)bytes);

    if (!pixels)
        return NT_NO_MEMORY;
    if (bytes == 2)
        nt_quantise16(nt_field(workspace), samples, spec->min, spec->max, true, pixels);
    else
        nt_quantise8(nt_field(workspace), samples, spec->min, spec->max, pixels);
    *image = (struct nt_image){pixels, side, side, 1, bytes * 8};
    return NT_OK;
}
