/*
 * scalar.h - the baselines for the fill: for each kind the program that one writes first. Pixel by
 * pixel, octave by octave, hashing in every corner; the same lattice, corners and fade as ours, so
 * the same work for each pixel. Built at -O3 for the machine's own instruction set.
 */
#ifndef SCALAR_H
#define SCALAR_H

/* A square of side * side samples, `step` cells of the first octave apart. */
struct scalar_tile {
    int side;
    double x, y, step;
    int octaves; /* each twice as fine and half as loud as the one before */
    float *out;  /* [side * side] */
};

/* For time_in_turn; they take a struct scalar_tile. */
typedef void scalar_fill(void *tile);
scalar_fill scalar_perlin, scalar_value, scalar_simplex, scalar_opensimplex2s, scalar_cellular,
    scalar_white, scalar_perlin_slice;

/*
 * x, y and step in worlds of Mercator's map instead, 8 cells around: on the sphere, or on a cylinder,
 * which is how opensimplex2s closes.
 */
scalar_fill scalar_perlin_planet, scalar_opensimplex2s_cylinder;

#endif
