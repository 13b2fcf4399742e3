/* permutation.h - Ken Perlin's permutation of 0...255 ("Improving noise", 2002), which half of the
 * world's noise hashes with: shared by rombauts.c and inoise.c. */
#ifndef NT_PERMUTATION_H
#define NT_PERMUTATION_H

#include <stdint.h>

enum { NT_PERMUTATION_SIZE = 257 }; /* the entry at 256 is the first again, for the next index */

extern const uint8_t nt_permutation[NT_PERMUTATION_SIZE];

#endif
