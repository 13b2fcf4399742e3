/* utf8.h - valid UTF-8, told from anything else. A leaf. */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>

/*
 * Length of the valid UTF-8 sequence that text[0..len) begins with, or 0 (RFC 3629: no overlong
 * forms, no surrogates, nothing above U+10FFFF). len is at least 1.
 */
size_t utf8_length(const unsigned char *text, size_t len);

#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

#endif
