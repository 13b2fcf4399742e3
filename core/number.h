/*
 * number.h - numbers as text, the same on every machine: strict parsing of what clients send, and
 * the shortest text that reads back as the same value.
 */
#ifndef NT_NUMBER_H
#define NT_NUMBER_H

#include <stddef.h>
#include <stdint.h>

enum nt_number { NT_NUMBER_OK, NT_NUMBER_MALFORMED, NT_NUMBER_TOO_LARGE, NT_NUMBER_TOO_SMALL };

enum {
    NT_REAL_CHARS_MAX = 40,  /* longest real accepted */
    NT_NUMBER_TEXT_MAX = 32, /* any text written here fits, with its terminator */
};

/* 0 or -?[1-9][0-9]*. If the value has no int64_t: NT_NUMBER_TOO_LARGE, and *value is the nearest
 * one. */
enum nt_number nt_integer_parse(const char *text, size_t len, int64_t *value);

/*
 * JSON's number grammar (RFC 8259), at most NT_REAL_CHARS_MAX characters, rounded to nearest. -0
 * becomes 0. A number that is not zero but too small for a double is NT_NUMBER_TOO_SMALL.
 */
enum nt_number nt_real_parse(const char *text, size_t len, double *value);

/* Writes into text[NT_NUMBER_TEXT_MAX], with a terminator; returns the length. */
size_t nt_integer_text(int64_t value, char *text);

/*
 * Shortest decimal that reads back as the same double or float; of several, the nearest. Laid out
 * as ECMAScript's Number::toString does: 0.001, 1e-7, 100000, 1e+21. -0 is "0"; what is
 * not finite is "null".
 */
size_t nt_double_text(double value, char *text);
size_t nt_float_text(float value, char *text);

#endif
