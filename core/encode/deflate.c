/*
 * deflate.c - the DEFLATE writer: one block of dynamic codes, or stored blocks where that is less.
 * Filtered noise has hardly any repeats: all its gain is in the codes of its literals, for which a
 * quarter of the rows is counted.
 */
#include "core/encode/deflate.h"

#include "core/encode/bits.h"
#include "core/encode/huffman.h"
#include "core/encode/literals.h"
#include "core/encode/matches.h"

enum {
    END_OF_BLOCK = 256,
    LITLEN_SYMBOLS = 286,
    DISTANCE_SYMBOLS = 30,
    STORED_MAX = 65535, /* bytes of a stored block */
    STORED_HEAD = 5,
};

/* ---- Stored blocks --------------------------------------------------------------------------- */

static size_t stored_size(size_t len)
{
    return len + (len / STORED_MAX + 1) * STORED_HEAD;
}

static size_t store(const unsigned char *from, size_t len, unsigned char *out)
{
    const unsigned char *start = out;
    size_t n;

    do {
        n = len < STORED_MAX ? len : STORED_MAX;
        const unsigned char head[STORED_HEAD] = {n == len, (unsigned char)n,
                                                 (unsigned char)(n >> 8), (unsigned char)~n,
                                                 (unsigned char)(~n >> 8)};
        memcpy(out, head, sizeof head);
        memcpy(out + sizeof head, from, n);
        out += sizeof head + n;
        from += n;
        len -= n;
    } while (len > 0);
    return (size_t)(out - start);
}

/* ---- The header of a block with dynamic codes ------------------------------------------------ */

enum { LENGTH_SYMBOLS = 19, LENGTH_LIMIT = 7, REPEAT = 16, ZEROS = 17, MANY_ZEROS = 18 };

/* Code lengths as they are written: 0 to 15, or a repetition with some more bits. */
struct lengths {
    int n;
    struct {
        unsigned char symbol, extra;
    } at[LITLEN_SYMBOLS + DISTANCE_SYMBOLS];
};

static void add_length(struct lengths *lengths, int symbol, int extra)
{
    lengths->at[lengths->n].symbol = (unsigned char)symbol;
    lengths->at[lengths->n++].extra = (unsigned char)extra;
}

/* `times` codes of one length in a row. */
static void add_lengths(struct lengths *lengths, int length, int times)
{
    int most = length ? 6 : 138;

    if (length) {
        add_length(lengths, length, 0);
        times--;
    }
    while (times >= 3) {
        int n = times < most ? times : most;
        if (length)
            add_length(lengths, REPEAT, n - 3);
        else
            add_length(lengths, n < 11 ? ZEROS : MANY_ZEROS, n < 11 ? n - 3 : n - 11);
        times -= n;
    }
    for (; times > 0; times--)
        add_length(lengths, length, 0);
}

static int last_used(const struct nt_code *code, int n)
{
    while (n > 0 && !code[n - 1].length)
        n--;
    return n;
}

static void put_code(struct nt_bit_writer *bits, struct nt_code code)
{
    nt_put_bits(bits, code.bits, code.length);
}

/* The lengths of both codes, litlen's 257 or more and distance's one or more, after another. */
static void list_lengths(struct lengths *lengths, const struct nt_code *litlen, int litlens,
                         const struct nt_code *distance, int distances)
{
    unsigned char all[LITLEN_SYMBOLS + DISTANCE_SYMBOLS];
    int n = 0;

    for (int i = 0; i < litlens; i++)
        all[n++] = (unsigned char)litlen[i].length;
    for (int i = 0; i < distances; i++)
        all[n++] = (unsigned char)distance[i].length;
    lengths->n = 0;
    for (int i = 0, same; i < n; i += same) {
        for (same = 1; i + same < n && all[i + same] == all[i];)
            same++;
        add_lengths(lengths, all[i], same);
    }
}

static void put_header(struct nt_bit_writer *bits, bool final, const struct nt_code *litlen,
                       const struct nt_code *distance)
{
    static const unsigned char order[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                        11, 4,  12, 3, 13, 2, 14, 1, 15};
    static const unsigned char extra_bits[LENGTH_SYMBOLS] = {
        [REPEAT] = 2, [ZEROS] = 3, [MANY_ZEROS] = 7};
    int litlens = last_used(litlen, LITLEN_SYMBOLS), orders = LENGTH_SYMBOLS;
    int distances = last_used(distance, DISTANCE_SYMBOLS);
    struct lengths lengths;
    struct nt_code code[LENGTH_SYMBOLS];
    uint32_t count[LENGTH_SYMBOLS] = {0};

    list_lengths(&lengths, litlen, litlens, distance, distances);
    for (int i = 0; i < lengths.n; i++)
        count[lengths.at[i].symbol]++;
    nt_huffman(count, LENGTH_SYMBOLS, LENGTH_LIMIT, code);
    while (!code[order[orders - 1]].length)
        orders--;
    nt_put_bits(bits, final | 2 << 1, 3); /* dynamic codes */
    nt_put_bits(bits, (unsigned)(litlens - 257), 5);
    nt_put_bits(bits, (unsigned)(distances - 1), 5);
    nt_put_bits(bits, (unsigned)(orders - 4), 4);
    for (int i = 0; i < orders; i++) {
        nt_flush_bits(bits);
        nt_put_bits(bits, code[order[i]].length, 3);
    }
    for (int i = 0; i < lengths.n; i++) {
        nt_flush_bits(bits);
        put_code(bits, code[lengths.at[i].symbol]);
        nt_put_bits(bits, lengths.at[i].extra, extra_bits[lengths.at[i].symbol]);
    }
    nt_flush_bits(bits);
}

/* ---- Counting literals ----------------------------------------------------------------------- */

/* Four tables, because a count that was just written is not soon ready to be read again. */
struct counter {
    uint32_t of[4][256];
};

static void count_row(struct counter *counter, const unsigned char *from, size_t n)
{
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        uint64_t x;
        memcpy(&x, from + i, sizeof x);
        for (int k = 0; k < 8; k++)
            counter->of[k & 3][x >> (8 * k) & 255]++;
    }
    for (; i < n; i++)
        counter->of[0][from[i]]++;
}

/*
 * How often each literal occurs, from one row in 1, 2 or 4. All of them get a code that may occur
 * elsewhere: those of the first row, which is like no other, and all within the range.
 */
static void count_literals(const struct nt_filtered *filtered, uint32_t *count)
{
    enum { FEW = 1 << 15, WEIGHT = 16 };
    struct counter counter = {0};
    size_t len = filtered->rows * filtered->stride, range = filtered->range;
    size_t step = len < FEW ? 1 : len < 2 * FEW ? 2 : 4;

    for (size_t y = 0; y < filtered->rows; y += step) {
        /* Some row of each `step`, so that no pattern of rows goes unseen for ever. */
        size_t row = y + (y * 0x9e37 >> 8) % step;
        row = row < filtered->rows ? row : filtered->rows - 1;
        count_row(&counter, filtered->data + row * filtered->stride, filtered->stride);
    }
    for (int i = 0; i < 256; i++)
        count[i] =
            WEIGHT * (counter.of[0][i] + counter.of[1][i] + counter.of[2][i] + counter.of[3][i]);
    for (size_t i = 0; i <= range; i++) {
        count[i]++;
        count[255 - i]++;
    }
    for (size_t i = 0; i < filtered->stride; i++)
        count[filtered->data[i]]++;
}

/* ---- Literals alone -------------------------------------------------------------------------- */

static const struct nt_literal_kernel *const literal_kernels[] = NT_EACH_LEVEL(nt_literals);

/* Bytes written, or 0 if stored blocks are less. */
static size_t deflate_literals(const struct nt_filtered *filtered, struct nt_literal_codes *codes,
                               size_t most, unsigned char *out)
{
    uint32_t count[LITLEN_SYMBOLS] = {[END_OF_BLOCK] = 1}, distances[DISTANCE_SYMBOLS] = {0};
    struct nt_code litlen[LITLEN_SYMBOLS], distance[DISTANCE_SYMBOLS];
    struct nt_bit_writer bits = {.at = out};
    const struct nt_literal_kernel *kernel = literal_kernels[nt_level_index()];

    count_literals(filtered, count);
    nt_huffman(count, LITLEN_SYMBOLS, NT_LITERAL_BITS_MAX, litlen);
    nt_huffman(distances, DISTANCE_SYMBOLS, NT_CODE_BITS_MAX, distance);
    put_header(&bits, true, litlen, distance);
    kernel->make(codes, litlen, filtered->range);
    for (size_t y = 0; y < filtered->rows; y++) {
        kernel->put(codes, filtered->data + y * filtered->stride, filtered->stride, &bits);
        if ((size_t)(bits.at - out) >= most)
            return 0;
    }
    put_code(&bits, litlen[END_OF_BLOCK]);
    bits.count += 7; /* to a whole byte */
    nt_flush_bits(&bits);
    return (size_t)(bits.at - out);
}

/* ---- Literals and matches -------------------------------------------------------------------- */

/* A block's symbols and how often they occur. */
struct symbols {
    uint32_t litlen[LITLEN_SYMBOLS], distance[DISTANCE_SYMBOLS];
    uint32_t extra_bits;
};

static void count_symbols(const struct nt_matcher *matcher, const unsigned char *from,
                          struct symbols *symbols)
{
    memset(symbols, 0, sizeof *symbols);
    symbols->litlen[END_OF_BLOCK] = 1;
    for (size_t i = 0; i < matcher->count; i++) {
        struct nt_token token = matcher->token[i];
        for (uint32_t k = 0; k < token.literals; k++)
            symbols->litlen[*from++]++;
        if (!token.length)
            continue;
        struct nt_extended length = nt_length_symbol(token.length);
        struct nt_extended distance = nt_distance_symbol(token.distance);
        symbols->litlen[length.symbol]++;
        symbols->distance[distance.symbol]++;
        symbols->extra_bits += length.extra_bits + distance.extra_bits;
        from += token.length;
    }
}

/* At most 15 + 5 and 15 + 13 bits. */
static void put_match(struct nt_bit_writer *bits, const struct nt_code *litlen,
                      const struct nt_code *distances, struct nt_token token)
{
    struct nt_extended length = nt_length_symbol(token.length);
    struct nt_extended distance = nt_distance_symbol(token.distance);

    put_code(bits, litlen[length.symbol]);
    nt_put_bits(bits, length.extra, length.extra_bits);
    put_code(bits, distances[distance.symbol]);
    nt_put_bits(bits, distance.extra, distance.extra_bits);
    nt_flush_bits(bits);
}

static void put_symbols(struct nt_bit_writer *stream, const struct nt_matcher *matcher,
                        const unsigned char *from, const struct nt_code *litlen,
                        const struct nt_code *distance)
{
    struct nt_bit_writer bits = *stream;

    for (size_t i = 0; i < matcher->count; i++) {
        struct nt_token token = matcher->token[i];
        for (uint32_t k = 0; k < token.literals; k++) {
            put_code(&bits, litlen[*from++]);
            nt_flush_bits(&bits);
        }
        if (token.length)
            put_match(&bits, litlen, distance, token);
        from += token.length;
    }
    put_code(&bits, litlen[END_OF_BLOCK]);
    nt_flush_bits(&bits);
    *stream = bits;
}

static size_t sum_of(const uint32_t *count, const struct nt_code *code, int n)
{
    size_t bits = 0;

    for (int i = 0; i < n; i++)
        bits += (size_t)count[i] * code[i].length;
    return bits;
}

static size_t make_codes(const struct symbols *symbols, struct nt_code *litlen,
                         struct nt_code *distance)
{
    nt_huffman(symbols->litlen, LITLEN_SYMBOLS, NT_CODE_BITS_MAX, litlen);
    nt_huffman(symbols->distance, DISTANCE_SYMBOLS, NT_CODE_BITS_MAX, distance);
    return sum_of(symbols->litlen, litlen, LITLEN_SYMBOLS) +
           sum_of(symbols->distance, distance, DISTANCE_SYMBOLS) + symbols->extra_bits;
}

/* What a literal costs if there is nothing else, in bits. */
static size_t literals_cost(const struct nt_filtered *filtered)
{
    uint32_t count[LITLEN_SYMBOLS] = {0};
    struct nt_code code[LITLEN_SYMBOLS];

    count_literals(filtered, count);
    nt_huffman(count, 256, NT_LITERAL_BITS_MAX, code);
    size_t total = 0;
    for (int i = 0; i < 256; i++)
        total += count[i];
    return 16 * sum_of(count, code, 256) / total;
}

/* Bytes written, or 0 if stored blocks are less. */
static size_t deflate_matches(const struct nt_filtered *filtered, bool by_rows,
                              struct nt_matcher *matcher, size_t most, unsigned char *out)
{
    struct nt_bit_writer bits = {.at = out};
    struct nt_code litlen[LITLEN_SYMBOLS], distance[DISTANCE_SYMBOLS];
    size_t len = filtered->rows * filtered->stride, start;
    enum { HEADER_MAX = 512 };

    nt_matches_start(matcher, (uint32_t)literals_cost(filtered), by_rows);
    do {
        struct symbols symbols;
        start = matcher->at;
        nt_matches_find(matcher, filtered);
        count_symbols(matcher, filtered->data + start, &symbols);
        size_t size = make_codes(&symbols, litlen, distance) / 8 + HEADER_MAX;
        if ((size_t)(bits.at - out) + size >= most)
            return 0;
        put_header(&bits, matcher->at == len, litlen, distance);
        put_symbols(&bits, matcher, filtered->data + start, litlen, distance);
    } while (matcher->at < len);
    bits.count += 7; /* to a whole byte */
    nt_flush_bits(&bits);
    return (size_t)(bits.at - out);
}

/* ---- The whole ------------------------------------------------------------------------------- */

size_t nt_deflate_estimate(struct nt_workspace *workspace, const struct nt_filtered *filtered,
                           enum nt_search search)
{
    struct nt_code litlen[LITLEN_SYMBOLS], distance[DISTANCE_SYMBOLS];
    struct nt_matcher *matcher = nt_reserve(workspace, NT_USE_TOKENS, sizeof *matcher);
    struct symbols symbols;

    if (search == NT_SEARCH_NOTHING)
        return literals_cost(filtered) * filtered->rows * filtered->stride / 16;
    if (!matcher)
        return 0;
    nt_matches_start(matcher, (uint32_t)literals_cost(filtered), search == NT_SEARCH_ROWS);
    nt_matches_find(matcher, filtered);
    count_symbols(matcher, filtered->data, &symbols);
    return make_codes(&symbols, litlen, distance);
}

/* A row may be written, and a header, before it is noticed that stored blocks are less. */
size_t nt_deflate_bound(const struct nt_filtered *filtered)
{
    enum { HEADER_MAX = 512 };

    return stored_size(filtered->rows * filtered->stride) + HEADER_MAX + 2 * filtered->stride;
}

size_t nt_deflate(struct nt_workspace *workspace, const struct nt_filtered *filtered,
                  enum nt_search search, unsigned char *out)
{
    size_t len = filtered->rows * filtered->stride, stored = stored_size(len), size;

    if (search == NT_SEARCH_NOTHING) {
        struct nt_literal_codes *codes = nt_reserve(workspace, NT_USE_CODES, sizeof *codes);
        if (!codes)
            return 0;
        size = deflate_literals(filtered, codes, stored, out);
    } else {
        struct nt_matcher *matcher = nt_reserve(workspace, NT_USE_TOKENS, sizeof *matcher);
        if (!matcher)
            return 0;
        size = deflate_matches(filtered, search == NT_SEARCH_ROWS, matcher, stored, out);
    }
    return size > 0 && size < stored ? size : store(filtered->data, len, out);
}
