/* color.h - what color.c needs of a ramp: its stops, named or own. */
#ifndef NT_COLOR_H
#define NT_COLOR_H

#include "core/internal.h"

/* The stops of any ramp: a named one's are looked up. */
void nt_ramp_expand(const struct nt_ramp *ramp, struct nt_ramp *stops);

/* Colour at a position, in the stops of nt_ramp_expand; beyond the first and last stop, theirs. */
void nt_ramp_color(const struct nt_ramp *stops, double position, unsigned char rgba[4]);

#endif
