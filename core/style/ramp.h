/* ramp.h - colour ramps: names, own stops as text, colours by position. */
#ifndef NT_RAMP_H
#define NT_RAMP_H

#include "core/internal.h"

extern const char *const nt_ramp_names[]; /* NULL at the end; the first is the default */

/*
 * A named ramp, or own stops "0:000000,0.5:ff8800,1:ffffff80". NULL, or what is wrong with the
 * text.
 */
const char *nt_ramp_parse(const char *text, size_t len, struct nt_ramp *ramp);

/* Canonical text; text has room for NT_RAMP_TEXT_MAX bytes. */
void nt_ramp_text(const struct nt_ramp *ramp, char *text);
enum { NT_RAMP_TEXT_MAX = 2304 };

#endif
