/*
 * literals.h - many literals as bits, two at a time where it can be. Compiled once per instruction
 * level; all write the same bits.
 */
#ifndef NT_LITERALS_H
#define NT_LITERALS_H

#include "core/encode/bits.h"
#include "core/encode/huffman.h"
#include "core/internal.h"

/* Longest code of a literal, so that two and their length fit into 32 bits. */
enum { NT_LITERAL_BITS_MAX = 13 };

/* The length of a code in the lower six bits, which are all that a shift by it looks at; above them
 * its up to 26 bits. */
typedef uint32_t nt_packed_code;
enum { NT_PACKED_SHIFT = 6 };

struct nt_literal_codes {
    nt_packed_code one[256];
    /*
     * Of two literals by the 16 bits they are in memory (the first is the low byte); only those are
     * set whose signed values are both from -2^near to 2^near - 1: the table is small where it is
     * used. near < 0: no two.
     */
    int near;
    nt_packed_code two[65536];
};

struct nt_literal_kernel {
    /* range: nearly all literals are, signed, from -1 - range to range (filter.h). */
    void (*make)(struct nt_literal_codes *codes, const struct nt_code *code, unsigned range);
    void (*put)(const struct nt_literal_codes *codes, const unsigned char *from, size_t n,
                struct nt_bit_writer *bits);
};

NT_DECLARE_LEVELS(const struct nt_literal_kernel, nt_literals);

#endif
