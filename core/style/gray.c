/*
 * gray.c - samples to grey levels. The range [min, max] is the specification's, never a tile's own,
 * so neighbouring tiles meet; what lies beyond is clamped, never wrapped.
 */
#include "core/style/quantise.h"

static const struct nt_quantise_kernel *const kernels[NT_LEVELS] = NT_EACH_LEVEL(nt_quantise);

const struct nt_quantise_kernel *nt_quantiser(void)
{
    return kernels[nt_level_index()];
}

static struct nt_scale scale_of(double min, double max, double top)
{
    return (struct nt_scale){.min = min,
                             .range = max - min,
                             .rise = top,
                             .low = 0.0,
                             .shift = 0.0,
                             .per = 1.0,
                             .top = top};
}

void nt_quantise8(const float *samples, size_t n, double min, double max, unsigned char *out)
{
    struct nt_scale scale = scale_of(min, max, 255.0);

    nt_quantiser()->bytes(&scale, samples, n, out);
}

void nt_quantise16(const float *samples, size_t n, double min, double max, bool big_endian,
                   unsigned char *out)
{
    const struct nt_quantise_kernel *kernel = nt_quantiser();
    struct nt_scale scale = scale_of(min, max, 65535.0);

    (big_endian ? kernel->big_words : kernel->little_words)(&scale, samples, n, out);
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
