/* scalar.h - the baseline for the fill: what one writes first. */
#ifndef SCALAR_H
#define SCALAR_H

/* Perlin fBm of `octaves` octaves, pixel by pixel, into side * side floats. */
void scalar_fill(float *out, int side, double x0, double y0, double step, int octaves);

#endif
