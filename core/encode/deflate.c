/*
 * deflate.c - the DEFLATE writer: blocks of dynamic codes, or stored ones where that is less.
 * Filtered noise has hardly any repeats: all its gain is in the codes of its literals, for which one
 * row in eight of a tile is counted.
 */
#include "core/encode/deflate.h"

#include "core/encode/bits.h"
#include "core/encode/huffman.h"
#include "core/encode/literals.h"
#include "core/encode/matches.h"

enum {
    END_OF_BLOCK = 256,
    LITLEN_SYMBOLS = NT_LITLEN_SYMBOLS,
    DISTANCE_SYMBOLS = NT_DISTANCE_SYMBOLS,
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
 * How often each literal occurs, from one row in 1, 2, 4 or 8. All of them get a code that may occur
 * elsewhere: those of the first row, which is like no other, and all within the range.
 */
static void count_literals(const struct nt_filtered *filtered, uint32_t *count)
{
    enum { FEW = 1 << 14, WEIGHT = 16 };
    struct counter counter = {0};
    size_t len = filtered->rows * filtered->stride, range = filtered->range;
    size_t step = len < FEW ? 1 : len < 2 * FEW ? 2 : len < 4 * FEW ? 4 : 8;

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

static size_t sum_of(const uint32_t *count, const struct nt_code *code, int n)
{
    size_t bits = 0;

    for (int i = 0; i < n; i++)
        bits += (size_t)count[i] * code[i].length;
    return bits;
}

/* What a literal takes, in 1/64 of a bit. */
static size_t literal_cost(const uint32_t *count, const struct nt_code *code)
{
    size_t total = 0;

    for (int i = 0; i < 256; i++)
        total += count[i];
    return 64 * sum_of(count, code, 256) / total;
}

/* ---- Literals alone -------------------------------------------------------------------------- */

static const struct nt_literal_kernel *const literal_kernels[] = NT_EACH_LEVEL(nt_literals);

/*
 * Bytes written, or 0 if stored blocks are less, or would be more by hardly a percent: codes
 * made for the rows that are counted save some of that in white noise, too, and nothing in the end.
 */
static size_t deflate_literals(const struct nt_filtered *filtered, struct nt_literal_codes *codes,
                               size_t most, unsigned char *out)
{
    uint32_t count[LITLEN_SYMBOLS] = {[END_OF_BLOCK] = 1}, distances[DISTANCE_SYMBOLS] = {0};
    struct nt_code litlen[LITLEN_SYMBOLS], distance[DISTANCE_SYMBOLS];
    struct nt_bit_writer bits = {.at = out};
    const struct nt_literal_kernel *kernel = literal_kernels[nt_level_index()];
    enum { WORTH_CODES = 8 * 64 - 4 }; /* of a byte, in 1/64 of a bit */

    count_literals(filtered, count);
    nt_huffman(count, LITLEN_SYMBOLS, NT_LITERAL_BITS_MAX, litlen);
    if (literal_cost(count, litlen) > WORTH_CODES)
        return 0;
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

/*
 * What is written of tokens, ready to be put: a literal's code or a length's with its extra bits; a
 * distance's code.
 */
struct token_codes {
    struct {
        uint32_t bits, length;
    } what[NT_TOKEN_KINDS];
    struct nt_code distance[DISTANCE_SYMBOLS];
};

static void make_token_codes(struct token_codes *codes, const struct nt_code *litlen,
                             const struct nt_code *distance)
{
    for (int i = 0; i < 256; i++) {
        codes->what[i].bits = litlen[i].bits;
        codes->what[i].length = litlen[i].length;
    }
    for (unsigned length = NT_MATCH_MIN; length <= NT_MATCH_MAX; length++) {
        struct nt_extended symbol = nt_length_symbol(length);
        struct nt_code code = litlen[symbol.symbol];
        codes->what[NT_TOKEN_MATCH + length].bits = code.bits | symbol.extra << code.length;
        codes->what[NT_TOKEN_MATCH + length].length = code.length + symbol.extra_bits;
    }
    memcpy(codes->distance, distance, DISTANCE_SYMBOLS * sizeof *distance);
}

/* At most 15 + 5 and 15 + 13 bits a token. */
static void put_tokens(struct nt_bit_writer *stream, const struct nt_matcher *matcher,
                       const struct token_codes *codes)
{
    struct nt_bit_writer bits = *stream;

    for (size_t i = 0; i < matcher->count; i++) {
        struct nt_token token = matcher->token[i];
        nt_put_bits(&bits, codes->what[token.what].bits, codes->what[token.what].length);
        if (token.distance) {
            struct nt_extended distance = nt_distance_symbol(token.distance);
            put_code(&bits, codes->distance[distance.symbol]);
            nt_put_bits(&bits, distance.extra, distance.extra_bits);
        }
        nt_flush_bits(&bits);
    }
    *stream = bits;
}

/* Extra bits of all lengths and distances. */
static size_t sum_of_extra(const struct nt_matcher *matcher)
{
    size_t bits = 0;

    for (unsigned i = 265; i < 285; i++)
        bits += (size_t)matcher->litlens[i] * ((i - 261) / 4);
    for (unsigned i = 4; i < DISTANCE_SYMBOLS; i++)
        bits += (size_t)matcher->distances[i] * (i / 2 - 1);
    return bits;
}

/* Returns how many bits the block's symbols take. */
static size_t make_codes(struct nt_matcher *matcher, struct nt_code *litlen,
                         struct nt_code *distance)
{
    matcher->litlens[END_OF_BLOCK] = 1;
    nt_huffman(matcher->litlens, LITLEN_SYMBOLS, NT_CODE_BITS_MAX, litlen);
    nt_huffman(matcher->distances, DISTANCE_SYMBOLS, NT_CODE_BITS_MAX, distance);
    return sum_of(matcher->litlens, litlen, LITLEN_SYMBOLS) +
           sum_of(matcher->distances, distance, DISTANCE_SYMBOLS) + sum_of_extra(matcher);
}

/* What a literal takes if there is nothing else, in 1/64 of a bit. */
static size_t cost_of_literals(const struct nt_filtered *filtered)
{
    uint32_t count[LITLEN_SYMBOLS] = {0};
    struct nt_code code[LITLEN_SYMBOLS];

    count_literals(filtered, count);
    nt_huffman(count, 256, NT_LITERAL_BITS_MAX, code);
    return literal_cost(count, code);
}

/* Bytes written, or 0 if stored blocks are less. */
static size_t deflate_matches(const struct nt_filtered *filtered, enum nt_search search,
                              struct nt_matcher *matcher, size_t most, unsigned char *out)
{
    struct nt_bit_writer bits = {.at = out};
    struct nt_code litlen[LITLEN_SYMBOLS], distance[DISTANCE_SYMBOLS];
    size_t len = filtered->rows * filtered->stride;
    enum { HEADER_MAX = 512 };

    nt_matches_start(matcher, (uint32_t)cost_of_literals(filtered) / 4, search);
    do {
        struct token_codes codes;
        nt_matches_find(matcher, filtered);
        size_t size = make_codes(matcher, litlen, distance) / 8 + HEADER_MAX;
        if ((size_t)(bits.at - out) + size >= most)
            return 0;
        put_header(&bits, matcher->at == len, litlen, distance);
        make_token_codes(&codes, litlen, distance);
        put_tokens(&bits, matcher, &codes);
        put_code(&bits, litlen[END_OF_BLOCK]);
        nt_flush_bits(&bits);
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
    size_t cost = cost_of_literals(filtered);

    if (!matcher)
        return 0;
    if (search == NT_SEARCH_NOTHING)
        return cost * filtered->rows * filtered->stride / 64;
    nt_matches_start(matcher, (uint32_t)cost / 4, search);
    nt_matches_find(matcher, filtered);
    return make_codes(matcher, litlen, distance);
}

size_t nt_deflate_repeats(struct nt_workspace *workspace, const struct nt_filtered *filtered)
{
    struct nt_matcher *matcher = nt_reserve(workspace, NT_USE_TOKENS, sizeof *matcher);

    return matcher ? nt_matches_count(matcher, filtered) : NT_NO_REPEATS;
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
        size = deflate_matches(filtered, search, matcher, stored, out);
    }
    return size > 0 && size < stored ? size : store(filtered->data, len, out);
}
