/*
 * literals.c - the inner loop of the PNG encoder. Eight literals take four looks into the table of
 * pairs and one write, about a cycle each; symbol by symbol it is nearly two.
 */
#include "core/encode/literals.h"
#include "core/lanes.h"

enum { LENGTH_MASK = (1 << NT_PACKED_SHIFT) - 1 };

NT_INLINE uint64_t bits_of(nt_packed_code code)
{
    return code >> NT_PACKED_SHIFT;
}

NT_INLINE unsigned length_of(nt_packed_code code)
{
    return code & LENGTH_MASK;
}

/* One code behind the other. */
NT_INLINE nt_packed_code joined(nt_packed_code first, nt_packed_code second)
{
    return first + length_of(second) + ((second & ~(unsigned)LENGTH_MASK) << length_of(first));
}

/* ---- Tables ---------------------------------------------------------------------------------- */

enum { NEAR_MAX = 5 }; /* 64 x 64 pairs: more would take longer to make than they save */

static void make_pairs(struct nt_literal_codes *codes, int near)
{
    unsigned reach = 1U << near;

    for (unsigned i = 0; i < 2 * reach; i++) {
        unsigned second = (i - reach) & 255;
        nt_packed_code *with_second = codes->two + 256 * second;
        for (unsigned first = 0; first < reach; first++)
            with_second[first] = joined(codes->one[first], codes->one[second]);
        for (unsigned first = 256 - reach; first < 256; first++)
            with_second[first] = joined(codes->one[first], codes->one[second]);
    }
}

static void make(struct nt_literal_codes *codes, const struct nt_code *code, unsigned range)
{
    int near = 0;

    for (int i = 0; i < 256; i++)
        codes->one[i] = code[i].length | (nt_packed_code)code[i].bits << NT_PACKED_SHIFT;
    while (range >> near)
        near++;
    codes->near = near <= NEAR_MAX ? near : -1;
    if (codes->near >= 0)
        make_pairs(codes, near);
}

/* ---- Writing --------------------------------------------------------------------------------- */

NT_INLINE unsigned pair_at(const unsigned char *from)
{
    return (unsigned)from[0] | (unsigned)from[1] << 8;
}

/* Two codes, of 52 bits at most, independently of what the stream holds: these do not wait. */
NT_INLINE void put_both(nt_packed_code first, nt_packed_code second, struct nt_bit_writer *bits)
{
    uint64_t both = bits_of(first) | bits_of(second) << length_of(first);

    nt_put_bits(bits, both, length_of(first + second));
}

NT_INLINE void put_four(const struct nt_literal_codes *codes, const unsigned char *from,
                        struct nt_bit_writer *bits)
{
    nt_packed_code c[4];

    for (int i = 0; i < 4; i++)
        c[i] = codes->one[from[i]];
    put_both(joined(c[0], c[1]), joined(c[2], c[3]), bits);
    nt_flush_bits(bits);
}

/* Eight that may be far from zero. Rare: no part of the loop, which has no registers to spare. */
static __attribute__((noinline)) struct nt_bit_writer
put_far(const struct nt_literal_codes *codes, const unsigned char *from, struct nt_bit_writer bits)
{
    put_four(codes, from, &bits);
    put_four(codes, from + 4, &bits);
    return bits;
}

NT_INLINE void put_near(const nt_packed_code *two, const unsigned char *from,
                        struct nt_bit_writer *bits)
{
    nt_packed_code a = two[pair_at(from)], b = two[pair_at(from + 2)];
    nt_packed_code c = two[pair_at(from + 4)], d = two[pair_at(from + 6)];

    put_both(a, b, bits);
    if (__builtin_expect(bits->count + length_of(c + d) > 63, 0))
        nt_flush_bits(bits);
    put_both(c, d, bits);
    nt_flush_bits(bits);
}

/*
 * Whether all eight bytes, signed, are from -2^near to 2^near - 1: whether their bits from `near`
 * up are equal to each other.
 */
NT_INLINE bool all_near(const unsigned char *from, uint64_t unequal)
{
    uint64_t x;

    memcpy(&x, from, sizeof x);
    return !((x ^ x << 1) & unequal);
}

static void put(const struct nt_literal_codes *codes, const unsigned char *from, size_t n,
                struct nt_bit_writer *stream)
{
    struct nt_bit_writer bits = *stream;
    const unsigned char *end = from + n;

    if (codes->near >= 0) {
        const nt_packed_code *two = codes->two;
        uint64_t unequal = UINT64_C(0x0101010101010101) * (0xff & 0xfe << codes->near);
        for (const unsigned char *eights = from + n / 8 * 8; from < eights; from += 8) {
            if (__builtin_expect(all_near(from, unequal), 1))
                put_near(two, from, &bits);
            else
                bits = put_far(codes, from, bits);
        }
    }
    for (; end - from >= 4; from += 4)
        put_four(codes, from, &bits);
    for (; from < end; from++) {
        nt_packed_code code = codes->one[*from];
        nt_put_bits(&bits, bits_of(code), length_of(code));
        nt_flush_bits(&bits);
    }
    *stream = bits;
}

const struct nt_literal_kernel NT_EXPORT(nt_literals) = {.make = make, .put = put};
