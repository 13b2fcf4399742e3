/*
 * bits.h - DEFLATE's stream of bits: the first bit is the lowest of the first byte, on every
 * machine. Up to 63 bits are held before whole bytes are written out.
 */
#ifndef NT_BITS_H
#define NT_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct nt_bit_writer {
    uint64_t held;     /* the next bits to be written, lowest first; none above count */
    unsigned count;    /* of held; up to 7 after nt_flush_bits */
    unsigned char *at; /* where they go; 8 bytes from here on may be overwritten at any time */
};

static inline uint64_t nt_little_endian64(uint64_t x)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(x);
#else
    return x;
#endif
}

/* There must be room for them: count + length is at most 63. */
static inline void nt_put_bits(struct nt_bit_writer *bits, uint64_t value, unsigned length)
{
    bits->held |= value << bits->count;
    bits->count += length;
}

/* Writes eight bytes, of which those that are not whole are written again next time. */
static inline void nt_flush_bits(struct nt_bit_writer *bits)
{
    uint64_t bytes = nt_little_endian64(bits->held);

    memcpy(bits->at, &bytes, sizeof bytes);
    bits->at += bits->count >> 3;
    bits->held >>= bits->count & 56;
    bits->count &= 7;
}

#endif
