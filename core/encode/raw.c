/*
 * raw.c - samples as plain numbers: bin (float32), npy (the same behind NumPy's header) and r16
 * (uint16), all little-endian and row-major on every machine.
 */
#include <stdio.h>
#include <string.h>

#include "core/encode/encode.h"

static size_t sample_count(const struct nt_spec *spec)
{
    size_t side = (size_t)nt_side(spec);

    return side * side;
}

/* Little-endian; where the machine is, they are copied as they are. */
static void put_floats(const float *samples, size_t n, unsigned char *out)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(out, samples, n * sizeof *samples);
#else
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &samples[i], sizeof bits);
        bits = __builtin_bswap32(bits);
        memcpy(out + 4 * i, &bits, sizeof bits);
    }
#endif
}

/* Floats behind `start` bytes of room for a header. */
static unsigned char *encode_floats(struct nt_workspace *workspace, const struct nt_spec *spec,
                                    size_t start, struct nt_bytes *bytes)
{
    size_t n = sample_count(spec);
    unsigned char *out = nt_reserve(workspace, NT_USE_ENCODED, start + 4 * n);

    if (!out)
        return NULL;
    put_floats(nt_field(workspace), n, out + start);
    *bytes = (struct nt_bytes){out, start + 4 * n};
    return out;
}

enum nt_status nt_encode_bin(struct nt_workspace *workspace, const struct nt_spec *spec,
                             const struct nt_tile *tile, struct nt_bytes *bytes)
{
    (void)tile;
    return encode_floats(workspace, spec, 0, bytes) ? NT_OK : NT_NO_MEMORY;
}

/* NumPy's format, version 1.0: magic, header length, a Python dict, padded with spaces to 64 bytes.
 */
enum { NPY_HEADER = 128, NPY_FIXED = 10 };

enum nt_status nt_encode_npy(struct nt_workspace *workspace, const struct nt_spec *spec,
                             const struct nt_tile *tile, struct nt_bytes *bytes)
{
    static const unsigned char magic[NPY_FIXED] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, NPY_HEADER - NPY_FIXED, 0,
    };
    int side = nt_side(spec);
    char dict[NPY_HEADER - NPY_FIXED + 1];
    unsigned char *out = encode_floats(workspace, spec, NPY_HEADER, bytes);

    (void)tile;
    if (!out)
        return NT_NO_MEMORY;
    int len = snprintf(dict, sizeof dict,
                       "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", side, side);
    memset(dict + len, ' ', sizeof dict - (size_t)len);
    dict[sizeof dict - 2] = '\n';
    memcpy(out, magic, NPY_FIXED);
    memcpy(out + NPY_FIXED, dict, NPY_HEADER - NPY_FIXED);
    return NT_OK;
}

enum nt_status nt_encode_r16(struct nt_workspace *workspace, const struct nt_spec *spec,
                             const struct nt_tile *tile, struct nt_bytes *bytes)
{
    size_t n = sample_count(spec);
    unsigned char *out = nt_reserve(workspace, NT_USE_ENCODED, 2 * n);

    (void)tile;
    if (!out)
        return NT_NO_MEMORY;
    nt_quantise16(nt_field(workspace), n, spec->min, spec->max, false, out);
    *bytes = (struct nt_bytes){out, 2 * n};
    return NT_OK;
}
