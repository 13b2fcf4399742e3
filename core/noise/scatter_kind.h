/*
 * scatter_kind.h - the loop of kinds that are evaluated eight places at a time. Included by a
 * kind's file once for each number of dimensions, with KIND (the exported kernel's name), DIMS, and
 *
 *   f8 eight_DIMS(const struct nt_octave *octave, const struct place8 *place)    scaled to 1
 *   float worst_DIMS(const struct nt_octave *octave, const float *place)         see nt_kernel
 */

#define FN_PASTE_(name, dims) name##_##dims
#define FN_PASTE(name, dims)  FN_PASTE_(name, dims)
#define FN(name)              FN_PASTE(name, DIMS)

static void FN(scatter)(const struct nt_scatter *points)
{
    for (size_t i = 0; i < points->n; i += NT_LANES) {
        size_t lanes = points->n - i < NT_LANES ? points->n - i : NT_LANES;
        struct place8 place;
        for (size_t k = 0; k < NT_LANES; k++)
            for (int axis = 0; axis < DIMS; axis++) /* spare lanes repeat the last place */
                place.at[axis][k] = points->place[axis][i + (k < lanes ? k : lanes - 1)];
        f8 noise = FN(eight)(points->octave, &place) * points->gain;
        for (size_t k = 0; k < lanes; k++)
            points->sum[i + k] += noise[k];
    }
}

const struct nt_kernel NT_EXPORT(KIND) = {.scatter = FN(scatter), .worst = FN(worst)};

#undef KIND
#undef DIMS
#undef FN_PASTE_
#undef FN_PASTE
#undef FN
