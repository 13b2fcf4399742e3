/* filter.c - PNG's filters, 32 bytes at a time. */
#include "core/encode/filter.h"
#include "core/lanes.h"

/* Bytes; comparisons are of the unsigned values. */
typedef uint8_t vec __attribute__((vector_size(32)));
typedef int8_t signed_vec __attribute__((vector_size(32)));
enum { WIDTH = 32 };

NT_INLINE vec load(const unsigned char *from)
{
    vec v;

    memcpy(&v, from, sizeof v);
    return v;
}

NT_INLINE void store(unsigned char *to, vec v)
{
    memcpy(to, &v, sizeof v);
}

/* yes where mask is all ones, no where it is zero. */
NT_INLINE vec choose(vec mask, vec yes, vec no)
{
    return (mask & yes) | (~mask & no);
}

/*
 * Paeth's predictor: that one of a (left), b (up) and c (left and up) that is nearest to a + b - c,
 * in bytes alone. The distances are |b - c|, |a - c| and |a + b - 2c|; the last is less than the
 * others only if c is between a and b, and then it is the difference of the other two.
 */
NT_INLINE vec paeth(vec a, vec b, vec c)
{
    vec b_below = (vec)(b < c), a_below = (vec)(a < c);
    vec to_a = ((b - c) ^ b_below) - b_below, to_b = ((a - c) ^ a_below) - a_below;
    vec b_nearer = (vec)(to_b < to_a), a_nearer = ~b_nearer;
    vec to_c = ((to_a - to_b) ^ a_nearer) - a_nearer;
    vec least = choose(b_nearer, to_b, to_a), nearer = choose(b_nearer, b, a);

    return choose((b_below ^ a_below) & (vec)(to_c < least), c, nearer);
}

NT_INLINE vec predict(enum nt_filter filter, const unsigned char *row, const unsigned char *up,
                      size_t bpp)
{
    switch (filter) {
    case NT_FILTER_SUB:
        return load(row - bpp);
    case NT_FILTER_UP:
        return load(up);
    case NT_FILTER_PAETH:
        return paeth(load(row - bpp), load(up), load(up - bpp));
    default:
        return (vec){0};
    }
}

/* The same for a pixel without one to its left: Paeth's predictor is then what is above. */
NT_INLINE unsigned char predict_first(enum nt_filter filter, unsigned char up)
{
    return filter == NT_FILTER_UP || filter == NT_FILTER_PAETH ? up : 0;
}

static int predict_one(enum nt_filter filter, int a, int b, int c)
{
    int to_a = b > c ? b - c : c - b, to_b = a > c ? a - c : c - a, to_c = a + b - 2 * c;

    to_c = to_c < 0 ? -to_c : to_c;
    switch (filter) {
    case NT_FILTER_SUB:
        return a;
    case NT_FILTER_UP:
        return b;
    case NT_FILTER_PAETH:
        return to_a <= to_b && to_a <= to_c ? a : to_b <= to_c ? b : c;
    default:
        return 0;
    }
}

/* How far from zero, in bits that are set: x for x from 0, -1 - x below. */
NT_INLINE vec magnitude(vec x)
{
    return x ^ (vec)((signed_vec)x < 0);
}

static unsigned all_set_below(unsigned bits)
{
    for (unsigned shift = 1; shift < 8; shift *= 2)
        bits |= bits >> shift;
    return bits;
}

static unsigned any_byte(vec bits)
{
    unsigned char byte[WIDTH];
    unsigned all = 0;

    store(byte, bits);
    for (int i = 0; i < WIDTH; i++)
        all |= byte[i];
    return all;
}

NT_INLINE unsigned filter_row_as(enum nt_filter filter, const unsigned char *row,
                                 const unsigned char *up, size_t len, size_t bpp,
                                 unsigned char *out)
{
    vec seen = {0};
    unsigned all = 0;
    size_t i = 0;

    for (; i < len && i < bpp; i++) {
        out[i] = (unsigned char)(row[i] - predict_first(filter, up[i]));
        all |= out[i] & 0x80 ? (unsigned char)~out[i] : out[i];
    }
    /* The last vector begins where it ends with the row: it does some bytes again. */
    while (len >= bpp + WIDTH && i < len) {
        i = i + WIDTH <= len ? i : len - WIDTH;
        vec x = load(row + i) - predict(filter, row + i, up + i, bpp);
        store(out + i, x);
        seen |= magnitude(x);
        i += WIDTH;
    }
    for (; i < len; i++) {
        out[i] = (unsigned char)(row[i] - predict_one(filter, row[i - bpp], up[i], up[i - bpp]));
        all |= out[i] & 0x80 ? (unsigned char)~out[i] : out[i];
    }
    return all_set_below(all | any_byte(seen));
}

/* One loop for each filter. */
static unsigned filter_row(enum nt_filter filter, const unsigned char *row, const unsigned char *up,
                           size_t len, size_t bpp, unsigned char *out)
{
    switch (filter) {
    case NT_FILTER_SUB:
        return filter_row_as(NT_FILTER_SUB, row, up, len, bpp, out);
    case NT_FILTER_UP:
        return filter_row_as(NT_FILTER_UP, row, up, len, bpp, out);
    case NT_FILTER_PAETH:
        return filter_row_as(NT_FILTER_PAETH, row, up, len, bpp, out);
    default:
        return filter_row_as(NT_FILTER_NONE, row, up, len, bpp, out);
    }
}

const struct nt_filter_kernel NT_EXPORT(nt_filters) = {.row = filter_row};
