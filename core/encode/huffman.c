/*
 * huffman.c - optimal code lengths by counting, in place and in linear time after a sort (A. Moffat
 * and J. Katajainen, In-place calculation of minimum-redundancy codes, 1995), and canonical codes.
 */
#include "core/encode/huffman.h"

#include <string.h>

/* ---- Sorting --------------------------------------------------------------------------------- */

struct leaf {
    uint32_t count;
    uint32_t symbol;
};

/* By one byte of the count; keeps the order of equals, so that ties go by symbol everywhere. */
static void sort_by_byte(const struct leaf *from, int n, int shift, struct leaf *to)
{
    int start[257] = {0};

    for (int i = 0; i < n; i++)
        start[(from[i].count >> shift & 255) + 1]++;
    for (int b = 0; b < 256; b++)
        start[b + 1] += start[b];
    for (int i = 0; i < n; i++)
        to[start[from[i].count >> shift & 255]++] = from[i];
}

/* The leaves, rarest first, in *sorted, which is one of the two arrays. */
static const struct leaf *sort(struct leaf *leaf, int n, struct leaf *other)
{
    uint32_t most = 0;

    for (int i = 0; i < n; i++)
        most |= leaf[i].count;
    for (int shift = 0; shift < 32 && most >> shift; shift += 8) {
        struct leaf *sorted = other;
        sort_by_byte(leaf, n, shift, sorted);
        other = leaf;
        leaf = sorted;
    }
    return leaf;
}

/* ---- Lengths --------------------------------------------------------------------------------- */

/*
 * Moffat and Katajainen's three passes over a[], counts in ascending order: a[] becomes first the
 * parents of inner nodes, then their depths, then the leaves' depths, deepest first.
 */
static void join(uint32_t *a, int n)
{
    int leaf = 0, root = 0;

    for (int next = 0; next < n - 1; next++) {
        uint32_t weight = 0;
        for (int child = 0; child < 2; child++) {
            if (leaf >= n || (root < next && a[root] < a[leaf])) {
                weight += a[root];
                a[root++] = (uint32_t)next;
            } else {
                weight += a[leaf++];
            }
        }
        a[next] = weight;
    }
}

static void measure(uint32_t *a, int n)
{
    int root = n - 2, next = n - 1, open = 1;

    a[root] = 0;
    for (int i = n - 3; i >= 0; i--)
        a[i] = a[a[i]] + 1;
    for (uint32_t depth = 0; open > 0; depth++) {
        int inner = 0;
        for (; root >= 0 && a[root] == depth; root--)
            inner++;
        for (; open > inner; open--)
            a[next--] = depth;
        open = 2 * inner;
    }
}

/*
 * How many codes there are of each length, none beyond the limit: those that are too long are cut,
 * and then, as long as there are more than fit, the longest of the shorter ones becomes longer,
 * taking one of the longest for its sibling.
 */
static void count_lengths(const uint32_t *depth, int n, int limit, int *codes)
{
    int excess = -(1 << limit);

    memset(codes, 0, (NT_CODE_BITS_MAX + 1) * sizeof *codes);
    for (int i = 0; i < n; i++) {
        int length = depth[i] < (uint32_t)limit ? (int)depth[i] : limit;
        codes[length]++;
        excess += 1 << (limit - length);
    }
    for (; excess > 0; excess--) {
        int length = limit - 1;
        while (!codes[length])
            length--;
        codes[length]--;
        codes[length + 1] += 2;
        codes[limit]--;
    }
}

/* ---- Codes ----------------------------------------------------------------------------------- */

static unsigned reversed(unsigned bits, int length)
{
    bits = (bits & 0x5555) << 1 | (bits >> 1 & 0x5555);
    bits = (bits & 0x3333) << 2 | (bits >> 2 & 0x3333);
    bits = (bits & 0x0f0f) << 4 | (bits >> 4 & 0x0f0f);
    bits = (bits & 0x00ff) << 8 | bits >> 8;
    return bits >> (16 - length);
}

/* From the lengths alone, as the decoder does it. */
static void assign(struct nt_code *code, int n, const int *codes)
{
    unsigned next[NT_CODE_BITS_MAX + 1], first = 0;

    for (int length = 1; length <= NT_CODE_BITS_MAX; length++) {
        next[length] = first;
        first = (first + (unsigned)codes[length]) << 1;
    }
    for (int i = 0; i < n; i++)
        if (code[i].length)
            code[i].bits = (uint16_t)reversed(next[code[i].length]++, code[i].length);
}

void nt_huffman(const uint32_t *count, int n, int limit, struct nt_code *code)
{
    struct leaf leaf[NT_SYMBOLS_MAX], other[NT_SYMBOLS_MAX];
    uint32_t depth[NT_SYMBOLS_MAX];
    int leaves = 0, codes[NT_CODE_BITS_MAX + 1];

    for (int i = 0; i < n; i++)
        if (count[i])
            leaf[leaves++] = (struct leaf){count[i], (uint32_t)i};
    for (int i = 0; leaves < 2; i++) /* symbols that do not occur make it two */
        if (!count[i])
            leaf[leaves++] = (struct leaf){1, (uint32_t)i};
    const struct leaf *sorted = sort(leaf, leaves, other);
    for (int i = 0; i < leaves; i++)
        depth[i] = sorted[i].count;
    join(depth, leaves);
    measure(depth, leaves);
    count_lengths(depth, leaves, limit, codes);
    memset(code, 0, (size_t)n * sizeof *code);
    for (int length = limit, i = 0; length > 0; length--) /* the rarest get the longest */
        for (int k = 0; k < codes[length]; k++)
            code[sorted[i++].symbol].length = (uint16_t)length;
    assign(code, n, codes);
}
