/* utf8.c - one table of the forms that RFC 3629 allows. */
#include "server/utf8.h"

size_t utf8_length(const unsigned char *text, size_t len)
{
    static const struct {
        unsigned char first[2], second[2]; /* from, to */
        size_t len;
    } rows[] = {
        {{0x00, 0x7f}, {0x00, 0x00}, 1}, {{0xc2, 0xdf}, {0x80, 0xbf}, 2},
        {{0xe0, 0xe0}, {0xa0, 0xbf}, 3}, {{0xe1, 0xec}, {0x80, 0xbf}, 3},
        {{0xed, 0xed}, {0x80, 0x9f}, 3}, {{0xee, 0xef}, {0x80, 0xbf}, 3},
        {{0xf0, 0xf0}, {0x90, 0xbf}, 4}, {{0xf1, 0xf3}, {0x80, 0xbf}, 4},
        {{0xf4, 0xf4}, {0x80, 0x8f}, 4},
    };
    size_t i = 0, count = sizeof rows / sizeof rows[0];

    while (i < count && (text[0] < rows[i].first[0] || text[0] > rows[i].first[1]))
        i++;
    if (i == count || rows[i].len > len)
        return 0;
    if (rows[i].len > 1 && (text[1] < rows[i].second[0] || text[1] > rows[i].second[1]))
        return 0;
    for (size_t k = 2; k < rows[i].len; k++)
        if (text[k] < 0x80 || text[k] > 0xbf)
            return 0;
    return rows[i].len;
}
