/*
 * number.c - numbers as text. Parsing follows a grammar first and only then asks the C library;
 * printing finds the shortest digits. Locale never matters: the program sets none. Next: spec.c,
 * which uses both.
 */
#include "core/number.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parsing --------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

enum nt_number nt_integer_parse(const char *text, size_t len, int64_t *value)
{
    size_t i = 0;
    bool negative = len > 0 && text[0] == '-';
    uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    uint64_t magnitude = 0;
    bool saturated = false;

    if (len == 1 && text[0] == '0') {
        *value = 0;
        return NT_NUMBER_OK;
    }
    i += negative;
    if (i == len || text[i] < '1' || text[i] > '9')
        return NT_NUMBER_MALFORMED;
    for (; i < len; i++) {
        if (!is_digit(text[i]))
            return NT_NUMBER_MALFORMED;
        unsigned digit = (unsigned)(text[i] - '0');
        if (magnitude > (limit - digit) / 10)
            saturated = true;
        else
            magnitude = magnitude * 10 + digit;
    }
    if (saturated)
        magnitude = limit;
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return saturated ? NT_NUMBER_TOO_LARGE : NT_NUMBER_OK;
}

/* Skips digits; false if there was none. */
static bool skip_digits(const char *text, size_t len, size_t *at)
{
    size_t start = *at;

    while (*at < len && is_digit(text[*at]))
        ++*at;
    return *at > start;
}

/* -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)? */
static bool is_json_number(const char *text, size_t len)
{
    size_t i = len > 0 && text[0] == '-';

    if (i < len && text[i] == '0')
        i++;
    else if (!skip_digits(text, len, &i))
        return false;
    if (i < len && text[i] == '.') {
        i++;
        if (!skip_digits(text, len, &i))
            return false;
    }
    if (i < len && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        if (i < len && (text[i] == '+' || text[i] == '-'))
            i++;
        if (!skip_digits(text, len, &i))
            return false;
    }
    return i == len;
}

/* Whether the digits before the exponent are all zero. */
static bool is_zero_text(const char *text, size_t len)
{
    for (size_t i = 0; i < len && text[i] != 'e' && text[i] != 'E'; i++)
        if (text[i] >= '1' && text[i] <= '9')
            return false;
    return true;
}

enum nt_number nt_real_parse(const char *text, size_t len, double *value)
{
    char copy[NT_REAL_CHARS_MAX + 1];
    double parsed;

    if (len > NT_REAL_CHARS_MAX || !is_json_number(text, len))
        return NT_NUMBER_MALFORMED;
    memcpy(copy, text, len);
    copy[len] = '\0';
    parsed = strtod(copy, NULL);
    if (isinf(parsed))
        return NT_NUMBER_TOO_LARGE;
    if (parsed == 0.0 && !is_zero_text(text, len))
        return NT_NUMBER_TOO_SMALL;
    *value = parsed == 0.0 ? 0.0 : parsed;
    return NT_NUMBER_OK;
}

/* ---- Printing -------------------------------------------------------------------------------- */

/* Digits of value into text, most significant first; returns how many. */
static size_t put_digits(uint64_t value, char *text)
{
    char reversed[20];
    size_t n = 0;

    do {
        reversed[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t i = 0; i < n; i++)
        text[i] = reversed[n - 1 - i];
    return n;
}

size_t nt_integer_text(int64_t value, char *text)
{
    size_t n = 0;

    if (value < 0)
        text[n++] = '-';
    n += put_digits(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, text + n);
    text[n] = '\0';
    return n;
}

/* A decimal: digits * 10^exponent. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* ECMA-262, Number::toString, for k digits whose value is 0.digits * 10^n. */
static size_t put_decimal(struct decimal decimal, bool negative, char *text)
{
    char digits[20];
    size_t at = 0;
    int k, n;

    while (decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.exponent++;
    }
    k = (int)put_digits(decimal.digits, digits);
    n = k + decimal.exponent;
    if (negative)
        text[at++] = '-';
    if (n > 21 || n < -5) { /* scientific */
        text[at++] = digits[0];
        if (k > 1)
            text[at++] = '.';
        memcpy(text + at, digits + 1, (size_t)(k - 1));
        at += (size_t)(k - 1);
        text[at++] = 'e';
        text[at++] = n > 0 ? '+' : '-';
        at += put_digits((uint64_t)(n > 0 ? n - 1 : 1 - n), text + at);
    } else if (n <= 0) { /* 0.00ddd */
        memcpy(text + at, "0.00000", (size_t)(2 - n));
        at += (size_t)(2 - n);
        memcpy(text + at, digits, (size_t)k);
        at += (size_t)k;
    } else { /* ddd, ddd000 or dd.d */
        int whole = k < n ? k : n;
        memcpy(text + at, digits, (size_t)whole);
        memset(text + at + whole, '0', (size_t)(n - whole));
        at += (size_t)n;
        if (k > n) {
            text[at++] = '.';
            memcpy(text + at, digits + n, (size_t)(k - n));
            at += (size_t)(k - n);
        }
    }
    text[at] = '\0';
    return at;
}

/*
 * Parameters are few and mostly have few digits, so the library's correctly rounded conversions are
 * simply asked for more and more digits until one reads back.
 */
size_t nt_double_text(double value, char *text)
{
    char tried[NT_NUMBER_TEXT_MAX];
    struct decimal decimal = {0, 0};

    if (!isfinite(value))
        return (size_t)snprintf(text, NT_NUMBER_TEXT_MAX, "null");
    if (value == 0.0)
        return nt_integer_text(0, text);
    if (fabs(value) < 0x1p53 && value == trunc(value))
        return nt_integer_text((int64_t)value, text);
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(tried, sizeof tried, "%.*e", digits - 1, fabs(value));
        if (strtod(tried, NULL) == fabs(value))
            break;
    }
    const char *c = tried;
    for (; *c != 'e'; c++) {
        if (*c == '.')
            continue;
        decimal.digits = decimal.digits * 10 + (uint64_t)(*c - '0');
        decimal.exponent -= c > tried + 1;
    }
    decimal.exponent += (int)strtol(c + 1, NULL, 10);
    return put_decimal(decimal, value < 0.0, text);
}

/*
 * floor(10^e * 2^(63 - floor(log2 10^e))) + 1 for e = -31...45: 64 significant bits of each power
 * of ten, rounded up, as Giulietti's proof wants them. Made with exact fractions.
 */
enum { POWER_MIN = -31, POWER_MAX = 45 };
static const uint64_t power_of_ten[POWER_MAX - POWER_MIN + 1] = {
    0x81ceb32c4b43fcf5, 0xa2425ff75e14fc32, 0xcad2f7f5359a3b3f, 0xfd87b5f28300ca0e,
    0x9e74d1b791e07e49, 0xc612062576589ddb, 0xf79687aed3eec552, 0x9abe14cd44753b53,
    0xc16d9a0095928a28, 0xf1c90080baf72cb2, 0x971da05074da7bef, 0xbce5086492111aeb,
    0xec1e4a7db69561a6, 0x9392ee8e921d5d08, 0xb877aa3236a4b44a, 0xe69594bec44de15c,
    0x901d7cf73ab0acda, 0xb424dc35095cd810, 0xe12e13424bb40e14, 0x8cbccc096f5088cc,
    0xafebff0bcb24aaff, 0xdbe6fecebdedd5bf, 0x89705f4136b4a598, 0xabcc77118461cefd,
    0xd6bf94d5e57a42bd, 0x8637bd05af6c69b6, 0xa7c5ac471b478424, 0xd1b71758e219652c,
    0x83126e978d4fdf3c, 0xa3d70a3d70a3d70b, 0xcccccccccccccccd, 0x8000000000000001,
    0xa000000000000001, 0xc800000000000001, 0xfa00000000000001, 0x9c40000000000001,
    0xc350000000000001, 0xf424000000000001, 0x9896800000000001, 0xbebc200000000001,
    0xee6b280000000001, 0x9502f90000000001, 0xba43b74000000001, 0xe8d4a51000000001,
    0x9184e72a00000001, 0xb5e620f480000001, 0xe35fa931a0000001, 0x8e1bc9bf04000001,
    0xb1a2bc2ec5000001, 0xde0b6b3a76400001, 0x8ac7230489e80001, 0xad78ebc5ac620001,
    0xd8d726b7177a8001, 0x878678326eac9001, 0xa968163f0a57b401, 0xd3c21bcecceda101,
    0x84595161401484a1, 0xa56fa5b99019a5c9, 0xcecb8f27f4200f3b, 0x813f3978f8940985,
    0xa18f07d736b90be6, 0xc9f2c9cd04674edf, 0xfc6f7c4045812297, 0x9dc5ada82b70b59e,
    0xc5371912364ce306, 0xf684df56c3e01bc7, 0x9a130b963a6c115d, 0xc097ce7bc90715b4,
    0xf0bdc21abb48db21, 0x96769950b50d88f5, 0xbc143fa4e250eb32, 0xeb194f8e1ae525fe,
    0x92efd1b8d0cf37bf, 0xb7abc627050305ae, 0xe596b7b0c643c71a, 0x8f7e32ce7bea5c70,
    0xb35dbf821ae4f38c,
};

/* Upper 32 bits of g * c / 2^64, the last bit set if anything was cut off ("rounded to odd"). */
static uint32_t round_to_odd(uint64_t g, uint32_t c)
{
    uint64_t low = (g & 0xffffffffu) * c;
    uint64_t high = (g >> 32) * c + (low >> 32);

    return (uint32_t)(high >> 32) | ((uint32_t)high > 1);
}

/* floor(n / 2^shift), also of a negative n. */
static int floor_shift(int n, int shift)
{
    return n >= 0 ? n >> shift : -((-n - 1) >> shift) - 1;
}

/* floor(e * log2 10), exact for the exponents here. */
static int floor_log2_pow10(int e)
{
    return floor_shift(e * 1741647, 19);
}

/*
 * Shortest decimal in the rounding interval of the positive float with these bits: R. Giulietti,
 * "The Schubfach way to render doubles" (2020), for binary32. v = c * 2^q; the interval's ends and
 * v itself are scaled by 4 and by a power of ten so that one of two neighbouring multiples of 1 or
 * 10 is the answer.
 */
static struct decimal shortest_float(uint32_t bits)
{
    uint32_t fraction = bits & 0x7fffff, biased = bits >> 23;
    uint32_t c = biased ? fraction | 0x800000 : fraction;
    int q = (biased ? (int)biased : 1) - 150;

    if (biased && q <= 0 && q > -24 && (c & ((1u << -q) - 1)) == 0)
        return (struct decimal){c >> -q, 0}; /* a small whole number */

    bool closer = fraction == 0 && biased > 1; /* the float below is only half as far */
    int k = floor_shift(q * 1262611 - (closer ? 524031 : 0), 22); /* floor(log10 of the interval) */
    int h = q + floor_log2_pow10(-k) + 1;
    uint64_t g = power_of_ten[-k - POWER_MIN];
    uint32_t odd = c & 1; /* the ends belong to the interval of an even c only */
    uint32_t lower = round_to_odd(g, (4 * c - 2 + closer) << h) + odd;
    uint32_t middle = round_to_odd(g, (4 * c) << h);
    uint32_t upper = round_to_odd(g, (4 * c + 2) << h) - odd;
    uint32_t s = middle / 4, tens = s / 10;

    if (s >= 10) {
        bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
        if (below != above)
            return (struct decimal){tens + above, k + 1};
    }
    bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    if (below != above)
        return (struct decimal){s + above, k};
    uint32_t half = 4 * s + 2;
    return (struct decimal){s + (middle > half || (middle == half && (s & 1))), k};
}

size_t nt_float_text(float value, char *text)
{
    uint32_t bits;

    if (!isfinite(value)) /* no kind makes one; if it did, the document must stay JSON */
        return (size_t)snprintf(text, NT_NUMBER_TEXT_MAX, "null");
    if (value == 0.0f)
        return nt_integer_text(0, text);
    memcpy(&bits, &value, sizeof bits);
    return put_decimal(shortest_float(bits & 0x7fffffff), bits >> 31, text);
}
