/*
 * ramp.c - colour ramps: the named ones, and own stops as text. Between two stops colours are
 * linear in sRGB bytes. What a ramp does with samples is in color.c.
 */
#include "core/style/ramp.h"

#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/style/color.h"

/*
 * Named ramps, as stops at equal distances. viridis, magma, inferno, plasma: S. van der Walt and
 * N. Smith for matplotlib (2015, CC0); cividis: J. Nunez, C. Anderton, R. Renslow (2018); turbo:
 * A. Mikhailov (2019); each at every tenth or fourteenth of its table. The others are ours.
 */
#define STOPS(...) \
    (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)
static const struct {
    const uint32_t *rgb;
    size_t count;
} named[] = {
    {STOPS(0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c, 0x22a884, 0x44bf70, 0x7ad151,
           0xbddf26, 0xfde725)}, /* viridis */
    {STOPS(0x000004, 0x140e36, 0x3b0f70, 0x641a80, 0x8c2981, 0xb73779, 0xde4968, 0xf7705c, 0xfe9f6d,
           0xfecf92, 0xfcfdbf)}, /* magma */
    {STOPS(0x000004, 0x160b39, 0x420a68, 0x6a176e, 0x932667, 0xbc3754, 0xdd513a, 0xf37819, 0xfca50a,
           0xf6d746, 0xfcffa4)}, /* inferno */
    {STOPS(0x0d0887, 0x41049d, 0x6a00a8, 0x8f0da4, 0xb12a90, 0xcc4778, 0xe16462, 0xf2844b, 0xfca636,
           0xfcce25, 0xf0f921)}, /* plasma */
    {STOPS(0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55,
           0xfee838)}, /* cividis */
    {STOPS(0x30123b, 0x4145ab, 0x4675ed, 0x39a2fc, 0x1bcfd4, 0x24eca6, 0x61fc6c, 0xa4fc3b, 0xd1e834,
           0xf3c63a, 0xfe9b2d, 0xf36315, 0xd93806, 0xb11901, 0x7a0403)}, /* turbo */
    {STOPS(0x1d2f6f, 0x2f6f9f, 0x6fb7c7, 0xe7dfae, 0x8fb573, 0x5f8f4f, 0x8f7a4f, 0xa89a8c,
           0xffffff)},                                                             /* terrain */
    {STOPS(0x020818, 0x0a2342, 0x10466f, 0x1a6f9f, 0x3fa0c0, 0x8fd0d8, 0xe4f5f0)}, /* ocean */
    {STOPS(0x0b3b5c, 0x2f7fa8, 0x9fd0dc, 0xf2ecc4, 0xb9cf8a, 0x6fa05c, 0xc9a869, 0x8d5a3c,
           0xf4f0ec)},                                                             /* topo */
    {STOPS(0x040818, 0x123a6a, 0x2f7fc0, 0x7fc4ea, 0xd0ecf8, 0xffffff)},           /* ice */
    {STOPS(0x000000, 0x4a0404, 0xa01808, 0xe84f0c, 0xfca21c, 0xfdec7a, 0xffffff)}, /* fire */
    {STOPS(0x000000, 0xffffff)},                                                   /* gray */
};

const char *const nt_ramp_names[] = {"viridis", "magma",   "inferno", "plasma", "cividis",
                                     "turbo",   "terrain", "ocean",   "topo",   "ice",
                                     "fire",    "gray",    NULL};
_Static_assert(sizeof named / sizeof *named == sizeof nt_ramp_names / sizeof *nt_ramp_names - 1,
               "a name for every ramp");

/* ---- Parsing --------------------------------------------------------------------------------- */

static int find_named(const char *text, size_t len)
{
    for (int i = 0; nt_ramp_names[i]; i++)
        if (strlen(nt_ramp_names[i]) == len && memcmp(nt_ramp_names[i], text, len) == 0)
            return i;
    return -1;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* RRGGBB or RRGGBBAA. */
static bool parse_color(const char *text, size_t len, unsigned char color[4])
{
    if (len != 6 && len != 8)
        return false;
    color[3] = 255;
    for (size_t i = 0; i < len; i += 2) {
        int high = hex_value(text[i]), low = hex_value(text[i + 1]);
        if (high < 0 || low < 0)
            return false;
        color[i / 2] = (unsigned char)(high * 16 + low);
    }
    return true;
}

static const char *parse_stop(const char *text, size_t len, struct nt_ramp *ramp)
{
    const char *colon = memchr(text, ':', len);
    double position;

    if (!colon)
        return "a stop has no colon";
    if (ramp->count == NT_RAMP_STOPS_MAX)
        return "there are more than 64 stops";
    size_t before = (size_t)(colon - text);
    if (nt_real_parse(text, before, &position) != NT_NUMBER_OK || position < 0.0 || position > 1.0)
        return "a position is not a number in [0, 1]";
    if (ramp->count > 0 && position <= ramp->position[ramp->count - 1])
        return "positions do not ascend";
    if (!parse_color(colon + 1, len - before - 1, ramp->color[ramp->count]))
        return "a colour is not RRGGBB or RRGGBBAA";
    ramp->position[ramp->count++] = position;
    return NULL;
}

const char *nt_ramp_parse(const char *text, size_t len, struct nt_ramp *ramp)
{
    memset(ramp, 0, sizeof *ramp);
    ramp->named = find_named(text, len);
    if (ramp->named >= 0)
        return NULL;
    for (;;) {
        const char *comma = memchr(text, ',', len);
        size_t stop = comma ? (size_t)(comma - text) : len;
        const char *fault = parse_stop(text, stop, ramp);
        if (fault)
            return fault;
        if (!comma)
            return ramp->count < 2 ? "there are fewer than two stops" : NULL;
        text = comma + 1;
        len -= stop + 1;
    }
}

void nt_ramp_text(const struct nt_ramp *ramp, char *text)
{
    if (ramp->named >= 0) {
        snprintf(text, NT_RAMP_TEXT_MAX, "%s", nt_ramp_names[ramp->named]);
        return;
    }
    for (int i = 0; i < ramp->count; i++) {
        const unsigned char *c = ramp->color[i];
        if (i > 0)
            *text++ = ',';
        text += nt_double_text(ramp->position[i], text);
        text += snprintf(text, 8, ":%02x%02x%02x", c[0], c[1], c[2]);
        if (c[3] != 255)
            text += snprintf(text, 3, "%02x", c[3]);
    }
}

/* ---- Colours --------------------------------------------------------------------------------- */

void nt_ramp_expand(const struct nt_ramp *ramp, struct nt_ramp *stops)
{
    *stops = *ramp;
    if (ramp->named < 0)
        return;
    stops->count = (int)named[ramp->named].count;
    for (int i = 0; i < stops->count; i++) {
        uint32_t rgb = named[ramp->named].rgb[i];
        stops->position[i] = (double)i / (stops->count - 1);
        stops->color[i][0] = (unsigned char)(rgb >> 16);
        stops->color[i][1] = (unsigned char)(rgb >> 8 & 255);
        stops->color[i][2] = (unsigned char)(rgb & 255);
        stops->color[i][3] = 255;
    }
}
