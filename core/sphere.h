/* sphere.h - circles and the Mercator projection, equal to the bit on every machine. */
#ifndef NT_SPHERE_H
#define NT_SPHERE_H

#include <stddef.h>

/* Within 4 ulp for |x| <= 700; beyond, the value at 700. */
double nt_exp(double x);

/* Cosine and sine of u turns (2 pi u); exact at quarter turns. */
void nt_turn(double u, double *x, double *y);

/* The same of n turns; u may be x or y. */
void nt_turns(const double *u, size_t n, double *x, double *y);

/* Ordinate of a latitude in degrees: 0 north, 1 south for the edges of the Mercator square. */
double nt_mercator(double lat);

/* Cosine and sine of the latitude at ordinate v of the Mercator square (0 north, 1 south). */
void nt_latitude(double v, double *cosine, double *sine);

/* The same of n ordinates; v may be one of the results. */
void nt_latitudes(const double *v, size_t n, double *cosines, double *sines);

#endif
