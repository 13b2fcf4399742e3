/*
 * internal.h - what the files of core/ share and nobody else sees: errors, kinds, the octave plan,
 * axes and the workspace. Next: spec.c (text), grid.c (places), fractal.c (plan), fill.c (samples).
 */
#ifndef NT_INTERNAL_H
#define NT_INTERNAL_H

#include "core/noisetile.h"

struct nt_kernel;
struct nt_dialect;

/* ---- Errors (error.c) ------------------------------------------------------------------------ */

/* Fills *err and returns status. The detail is made like printf does; parameter and value may be
 * NULL. */
enum nt_status nt_fail(struct nt_error *err, enum nt_status status, const char *parameter,
                       const char *value, size_t value_len, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Appends a name to a list of names with one space between them, cut to fit. */
void nt_list_add(char *list, size_t cap, const char *name);

/* ---- Specification (spec.c) ------------------------------------------------------------------ */

/* Whether the parameter was set, before nt_spec_check. */
bool nt_spec_is_given(const struct nt_spec *spec, const char *name);

/* ---- Kinds (noise/kinds.c) ------------------------------------------------------------------- */

enum nt_noise {
    NT_PERLIN,
    NT_SIMPLEX,
    NT_OPENSIMPLEX2S,
    NT_VALUE,
    NT_CELLULAR,
    NT_WHITE,
    NT_NATIVE_KINDS,
    NT_SIMPLEX_ROMBAUTS = NT_NATIVE_KINDS,
    NT_SIMPLEX_SPLITMIX,
    NT_PERLIN_EISERLOH,
    NT_PERLIN_EISERLOH_RECURSIVE,
    NT_INOISE8,
    NT_INOISE16,
    NT_INOISE8_3_0,
    NT_INOISE16_3_0,
    NT_KINDS
};

/* What a kind has and can do. */
enum nt_ability {
    NT_CLOSES = 1 << 0,    /* its lattice repeats after a whole number of cells */
    NT_LIMITED = 1 << 1,   /* the band limit applies */
    NT_CELLS = 1 << 2,     /* has `cell` and `jitter` */
    NT_EVEN_ROWS = 1 << 3, /* in the plane, only an even number of rows closes */
    NT_SEED = 1 << 4,
    NT_AMPLITUDE = 1 << 5,
    NT_LACUNARITY = 1 << 6,
    NT_PERSISTENCE = 1 << 7,
    NT_TIME = 1 << 8,   /* a third coordinate */
    NT_NATIVE = 1 << 9, /* all fractals, domains and the warp */
    NT_LINE = 1 << 10,  /* a form of one dimension */
};

struct nt_kind {
    const struct nt_kernel *const *plane; /* two dimensions; one per instruction level */
    const struct nt_kernel *const *space; /* three */
    const struct nt_dialect *dialect;     /* instead of kernels */
    unsigned abilities;
};

extern const char *const nt_kind_names[NT_KINDS + 1]; /* NULL at the end */
extern const struct nt_kind nt_kinds[NT_KINDS];

/*
 * The largest value of a dialect of whole numbers; 0 for others and for NULL (dialects/dialect.c).
 */
double nt_dialect_top(const struct nt_dialect *dialect);

/* ---- Instruction levels (level.c) ------------------------------------------------------------ */

/* The same sources compiled for more than one instruction set; all levels give the same bits. */
enum nt_level_index {
    NT_LEVEL_BASELINE,
#ifdef __x86_64__
    NT_LEVEL_AVX2,
#endif
    NT_LEVELS
};
int nt_level_index(void); /* of the level in use */

#ifdef __x86_64__
#define NT_EACH_LEVEL(name)            \
    {                                  \
        &name##_baseline, &name##_avx2 \
    }
#define NT_DECLARE_LEVELS(type, name) extern type name##_baseline, name##_avx2
#else
#define NT_EACH_LEVEL(name) \
    {                       \
        &name##_baseline    \
    }
#define NT_DECLARE_LEVELS(type, name) extern type name##_baseline
#endif

/* ---- The octave plan (fractal.c) ------------------------------------------------------------- */

enum { NT_OCTAVES_MAX = 32, NT_AXES = 3 };

/* One octave along one axis. Position of coordinate w: w * frequency + offset, in cells. */
struct nt_octave_axis {
    uint64_t key;     /* of the hash of this axis' cell numbers */
    double frequency; /* cells per world along this axis */
    double offset;    /* [0, 1) cells, so that no coordinate is special; on the third axis also t */
    int64_t period;   /* cells after which the lattice repeats; 0 = never */
};

struct nt_octave {
    double frequency; /* cells per world */
    double weight;    /* share of the result, band limit left out */
    int cell;         /* cellular: enum nt_cell */
    float jitter;
    struct nt_octave_axis axis[NT_AXES];
};

/* Which field of a specification: the noise itself, or one of the two that displace it. */
enum nt_plan_field { NT_PLAN_NOISE, NT_PLAN_WARP_U, NT_PLAN_WARP_V };

struct nt_plan {
    int count;   /* octaves; those beyond NT_CELLS_MAX are left out */
    int fractal; /* enum nt_fractal: how an octave enters the sum */
    bool limited;
    struct nt_octave octave[NT_OCTAVES_MAX];
};

/* The weights' absolute values sum to at most `amplitude` (1 for the displacing fields). */
void nt_plan_make(struct nt_plan *plan, const struct nt_spec *spec, enum nt_plan_field field);

/* Cells per world of the first octave: whole in the domains that close. */
double nt_first_frequency(const struct nt_spec *spec);

/*
 * What an octave's [-1, 1] is multiplied with where neighbouring samples are `step` worlds apart:
 * its weight times the band limit, rounded toward zero; 0 = silent.
 */
float nt_octave_gain(const struct nt_plan *plan, const struct nt_octave *octave, double step);

/*
 * Cells beyond which neighbouring doubles are too far apart for a smooth fraction (2^-12 of a
 * cell): more cells per world are silent, places further out are refused.
 */
#define NT_CELLS_MAX 0x1p40

/* ---- Places (grid.c) ------------------------------------------------------------------------- */

/* World coordinate of column (axis 0) or row (axis 1) i of a tile, counted from the west or north.
 */
double nt_grid_world(const struct nt_spec *spec, const struct nt_tile *tile, int axis, int i);

/* All of them, nt_side() in number. */
void nt_grid_axis(const struct nt_spec *spec, const struct nt_tile *tile, int axis, double *world);

/*
 * Whether the kind can compute at |coordinates| up to reach worlds (of the axes that do not
 * repeat), with samples `step` worlds apart (0: any):
 * doubles are not endless, and dialects less so. NT_BAD_PARAMETER names the parameter to blame.
 */
enum nt_status nt_reach_check(const struct nt_spec *spec, double reach, double step,
                              struct nt_error *err);

/* How u and v become the two or three coordinates that octaves multiply. */
enum nt_mapping {
    NT_MAP_FLAT,     /* u, v, and 0 on the third axis, where the octave's offset holds t */
    NT_MAP_CYLINDER, /* u around a cylinder of circumference 1, v along it */
    NT_MAP_SPHERE,   /* Mercator's u, v on a sphere of circumference 1 */
};
enum nt_mapping nt_mapping_of(const struct nt_spec *spec);
int nt_dimensions(const struct nt_spec *spec); /* 2 or 3 */

/* Whether the domain repeats after one world along an axis. */
bool nt_grid_repeats(const struct nt_spec *spec, int axis);

/* Distance of neighbouring samples of a tile, in worlds. */
double nt_grid_step(const struct nt_spec *spec, const struct nt_tile *tile);

/* ---- Single places (sample.c) ---------------------------------------------------------------- */

enum nt_status nt_sample_fill(struct nt_workspace *workspace, const struct nt_spec *spec);

/* ---- Workspace (workspace.c) ----------------------------------------------------------------- */

/* A block of memory that grows and is kept. */
struct nt_buffer {
    void *data;
    size_t cap;
};

enum nt_use {
    NT_USE_FIELD,    /* float samples, row-major */
    NT_USE_EXACT,    /* the same in double, where nt_fill has to keep more than a float */
    NT_USE_WORLD,    /* doubles: world coordinates of columns, then rows */
    NT_USE_AXES,     /* struct nt_axis and arrays of each octave and axis */
    NT_USE_BAND,     /* sum of octaves for some rows, eight rows to a vector */
    NT_USE_SCRATCH,  /* a kernel's own */
    NT_USE_PIXELS,   /* quantised samples */
    NT_USE_FILTERED, /* PNG's filtered rows */
    NT_USE_CODES,    /* tables of codes (encode/literals.h) */
    NT_USE_TOKENS,   /* literals and matches (encode/matches.h) */
    NT_USE_ENCODED,  /* what nt_encode returns */
    NT_USE_ZIPPED,   /* what nt_gzip returns */
    NT_USES
};

struct libdeflate_compressor;
struct png_struct_def;

struct nt_workspace {
    struct nt_buffer buffer[NT_USES];
    struct libdeflate_compressor *compressor; /* made when first needed */
    struct png_struct_def *framer;            /* so is libpng's */
};

/* At least size bytes for a use, aligned for vectors; what was there is lost. NULL if out of
 * memory. */
void *nt_reserve(struct nt_workspace *workspace, enum nt_use use, size_t size);

/* ---- Styles and formats (style, encode) ------------------------------------------------------ */

/* What a style made: rows without gaps, big-endian when 16 bits deep, as PNG wants them. */
struct nt_image {
    const unsigned char *pixels;
    int width, height;
    int channels; /* 1 grey, 3 RGB, 4 RGBA */
    int depth;    /* bits per channel: 8 or 16 */
};

/*
 * n samples to whole numbers 0...top (255 or 65535): round half up of (v - min) / (max - min) *
 * top, clamped. The arithmetic is double precision in that order, so that a client can repeat it.
 */
void nt_quantise8(const float *samples, size_t n, double min, double max, unsigned char *out);
void nt_quantise16(const float *samples, size_t n, double min, double max, bool big_endian,
                   unsigned char *out);

/* Styles, all of one shape: the workspace's field as an image in the workspace. */
typedef enum nt_status nt_style(struct nt_workspace *workspace, const struct nt_spec *spec,
                                struct nt_image *image);
nt_style nt_style_gray, nt_style_color, nt_style_dem;

/* Free what the workspace keeps of libdeflate's and libpng's. */
void nt_gzip_release(struct nt_workspace *workspace);
void nt_frame_release(struct nt_workspace *workspace);

#endif
