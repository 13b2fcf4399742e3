/*
 * huffman.h - prefix codes for DEFLATE (RFC 1951, section 3.2.2). Whole numbers alone: the codes
 * are the same on every machine.
 */
#ifndef NT_HUFFMAN_H
#define NT_HUFFMAN_H

#include <stdint.h>

enum { NT_SYMBOLS_MAX = 288, NT_CODE_BITS_MAX = 15 };

/* A symbol's code, as it is written: its first bit is the lowest. */
struct nt_code {
    uint16_t bits;
    uint16_t length; /* 0: the symbol has none */
};

/*
 * Codes for n symbols that occur count[i] times: the shortest text of all codes of at most `limit`
 * bits, or hardly longer where the limit bites. At least two symbols get codes, as all decoders
 * want it, even if none occurs. The sum of counts must be less than 2^32, n at least 2, and 2^limit
 * at least n.
 */
void nt_huffman(const uint32_t *count, int n, int limit, struct nt_code *code);

#endif
