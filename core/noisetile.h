/*
 * noisetile.h - the one public header of libnoisetile: a tile specification in, pixels out.
 *
 * The library has no sockets, threads, files, clock or environment. Everything it computes is a
 * pure function of its arguments and of NT_ENGINE_VERSION: the same bits on every machine, compiler
 * and optimisation level. Read it in this order: specification (text to struct and back), tile,
 * workspace, fill, encode.
 *
 * Threads: every function may be called from several threads at once as long as they do not share a
 * workspace. nt_init is the exception: call it once, before anything else.
 */
#ifndef NOISETILE_H
#define NOISETILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Raised on purpose whenever any bit of any answer changes; part of every entity tag. */
#define NT_ENGINE_VERSION 1
#define NT_RELEASE        "0.1.0"

/* ---- Failure --------------------------------------------------------------------------------- */

enum nt_status {
    NT_OK = 0,
    NT_BAD_PARAMETER,   /* syntax, unknown, repeated, unused or out of range: HTTP 400 */
    NT_OUTSIDE_GRID,    /* a canonical z, x or y that no tile has: HTTP 404 */
    NT_UNKNOWN_FORMAT,  /* an extension that is no format: HTTP 404 */
    NT_UNKNOWN_VERSION, /* `v` names another engine version: HTTP 404 */
    NT_UNKNOWN_PATH,    /* a tile path that is not {z}/{x}/{y}: HTTP 404 */
    NT_NO_MEMORY,
};

/*
 * What went wrong, for people (detail) and for programs (the rest). Text that does not apply is "";
 * has_value tells an empty value from none.
 * `value` is the client's text, cut to fit: raw bytes that a writer must escape.
 */
struct nt_error {
    enum nt_status status;
    char parameter[24];
    char value[64];
    bool has_value;
    char min[32], max[32]; /* canonical numbers */
    char allowed[512];     /* names, one space between them */
    char detail[640];
};

/* ---- Specification --------------------------------------------------------------------------- */

enum nt_format { NT_PNG, NT_JSON, NT_BIN, NT_NPY, NT_R16, NT_FORMATS };
enum nt_fractal {
    NT_FRACTAL_NONE,
    NT_FRACTAL_FBM,
    NT_FRACTAL_RIDGED,
    NT_FRACTAL_BILLOW,
    NT_FRACTAL_PINGPONG
};
enum nt_domain { NT_DOMAIN_WORLD, NT_DOMAIN_TORUS, NT_DOMAIN_PLANE, NT_DOMAIN_PLANET };
enum nt_cell { NT_CELL_F1, NT_CELL_F2, NT_CELL_F2_F1, NT_CELL_VALUE };
enum nt_lod { NT_LOD_AUTO, NT_LOD_OFF };
enum nt_sampling { NT_SAMPLING_CELL, NT_SAMPLING_POINT };
enum nt_style { NT_STYLE_GRAY, NT_STYLE_COLOR, NT_STYLE_TERRARIUM, NT_STYLE_MAPBOX };
enum nt_bits { NT_BITS_8, NT_BITS_16 };

/* What a specification is for: a tile, or values at places that the request names. */
enum nt_purpose { NT_FOR_TILE, NT_FOR_SAMPLE };

/* A colour ramp: a named one, or own stops with ascending positions in [0, 1]. */
enum { NT_RAMP_STOPS_MAX = 64 };
struct nt_ramp {
    int named; /* index of a named ramp, or -1: then count stops follow */
    int count;
    double position[NT_RAMP_STOPS_MAX];
    unsigned char color[NT_RAMP_STOPS_MAX][4]; /* red, green, blue, alpha */
};

/*
 * A tile specification: what is drawn, not where. A plain value, copied freely. The meaning, range
 * and default of each field is its row in the parameter table (spec.c), which `noisetile render
 * --help`, /params and the README print.
 */
struct nt_spec {
    int64_t seed;
    double frequency, lacunarity, persistence, amplitude;
    double warp, t;
    double jitter;
    double min, max;
    double elevation[2];   /* metres at min and at max */
    double x, y, lon, lat; /* sampling: the first place */
    double dx, dy;         /* and the steps from place to place */
    int64_t nx, ny;        /* how many */
    int64_t octaves, warp_octaves, t_period;
    int64_t size, buffer;
    int64_t version; /* `v`; 0 when not given */
    int noise;       /* index of a row in the registry of kinds (noise/kinds.c) */
    int fractal;     /* enum nt_fractal, and so on */
    int cell;        /* enum nt_cell */
    int domain, lod, sampling, style, bits;
    int format;     /* enum nt_format */
    int scale;      /* the n of @{n}x; belongs to the path, not to the table */
    bool sliced;    /* t was given: a slice of 3-D noise; set by nt_spec_check */
    uint64_t given; /* bit i: row i was set; nt_spec_check keeps those of rows without default */
    enum nt_purpose purpose;
    struct nt_ramp ramp;
};

/* Limits of an instance, not of the noise. */
struct nt_limits {
    int64_t max_size; /* most pixels per side, size times scale */
};
#define NT_MAX_SIZE_DEFAULT 2048
#define NT_SCALE_MAX        4

/* Every row at its default. */
void nt_spec_init(struct nt_spec *spec, enum nt_purpose purpose);

/*
 * Sets the parameter called name[0..name_len) from text. Both texts are percent-decoded already and
 * need no terminator. NT_BAD_PARAMETER if the name is unknown or was set before, or the value is
 * malformed or out of range; then *err is filled and *spec is unchanged.
 */
enum nt_status nt_spec_set(struct nt_spec *spec, const char *name, size_t name_len,
                           const char *value, size_t value_len, struct nt_error *err);

/*
 * Sets every pair of a raw query (without its '?'): percent escapes in values are decoded, '+' is a
 * plus. An empty query is fine; "&&", a trailing '&' or a missing '=' is not. May be called once
 * per spec.
 */
enum nt_status nt_spec_parse_query(struct nt_spec *spec, const char *query, size_t len,
                                   struct nt_error *err);

/*
 * The rules that concern several fields (min < max, parameters that the chosen kind or fractal
 * lacks, limits, engine version), to be called once all are set. On success the specification is in
 * normal form: picture fields that style and format do not use are back at their defaults, so that
 * equal pictures have equal specifications.
 */
enum nt_status nt_spec_check(struct nt_spec *spec, const struct nt_limits *limits,
                             struct nt_error *err);

/*
 * Canonical text of a checked specification: the query that means the same, in table order,
 * defaults left out, numbers in their shortest form ("" for all defaults). `v`, format and scale
 * are not part of it. Distinct checked specifications never share a text. Returns its length;
 * NT_TEXT_MAX bytes are enough.
 */
size_t nt_spec_text(const struct nt_spec *spec, char *text, size_t cap);
#define NT_TEXT_MAX 4096

/* ---- The parameter table as data (for /params, --help and the README) ------------------------ */

enum nt_type { NT_INTEGER, NT_REAL, NT_CHOICE, NT_PAIR, NT_RAMP };
enum nt_group { NT_GROUP_NOISE, NT_GROUP_PICTURE, NT_GROUP_SAMPLE, NT_GROUP_REQUEST };

struct nt_param_info {
    const char *name;
    const char *alias; /* NULL if none */
    enum nt_type type;
    enum nt_group group;
    char default_text[32]; /* "" when there is none (v) */
    char min[32], max[32]; /* "" for choices */
    bool min_excluded;     /* the range is (min, max] */
    char allowed[512];     /* choices, one space between them */
    const char *help;
};

size_t nt_param_count(void);
/* Describes row i < nt_param_count(). Text pointers are static. */
void nt_param_describe(size_t i, struct nt_param_info *info);

const char *nt_type_name(enum nt_type type);    /* "integer" "number" "choice" "numbers" "ramp" */
const char *nt_group_name(enum nt_group group); /* "noise" "picture" "sample" "request" */

/* ---- Tile ------------------------------------------------------------------------------------ */

#define NT_MAX_ZOOM 30

/* A place in the pyramid: column x from the west, row y from the north, 2^z of each. */
struct nt_tile {
    int z;
    int64_t x, y;
};

/*
 * Parses "{z}/{x}/{y}[@{n}x][.{ext}]" (path[0..len), no leading slash, no percent signs): sets
 * *tile, spec->scale and, if there is an extension, spec->format. Call it before nt_spec_check; the
 * place is not checked against the grid here, but by nt_tile_check. NT_BAD_PARAMETER naming z, x, y
 * or scale, or NT_UNKNOWN_FORMAT. *has_format tells whether an extension was there.
 */
enum nt_status nt_tile_parse(struct nt_tile *tile, struct nt_spec *spec, bool *has_format,
                             const char *path, size_t len, struct nt_error *err);

/*
 * The place against the grid of a checked specification: NT_OUTSIDE_GRID names the legal range;
 * NT_BAD_PARAMETER if the tile lies beyond the coordinates that the noise can resolve.
 */
enum nt_status nt_tile_check(const struct nt_tile *tile, const struct nt_spec *spec,
                             struct nt_error *err);

/*
 * One whole request: tile path, then query, then every check above in the contract's order (syntax
 * before grid). `path` as for nt_tile_parse, query without '?'. On NT_OK *tile and *spec can be
 * filled.
 */
enum nt_status nt_request_parse(struct nt_tile *tile, struct nt_spec *spec,
                                const struct nt_limits *limits, const char *path, size_t path_len,
                                const char *query, size_t query_len, struct nt_error *err);

/*
 * The same for values at places that the query names ("/sample?..."): *spec can be filled and
 * encoded like
 * a tile, with any tile as argument.
 */
enum nt_status nt_sample_request_parse(struct nt_spec *spec, const char *query, size_t query_len,
                                       struct nt_error *err);
enum { NT_SAMPLES_MAX = 65536 };

/*
 * Canonical URL of a tile, path-absolute: "/tile/z/x/y[@nx].ext[?text]"; of a sample,
 * "/sample?text". With with_version, `v` is
 * kept if it was given. Without, equal texts mean equal bytes: this is the identity of a tile.
 * Returns the length; NT_URL_MAX bytes are enough.
 */
size_t nt_tile_url(const struct nt_tile *tile, const struct nt_spec *spec, bool with_version,
                   char *url, size_t cap);
#define NT_URL_MAX (NT_TEXT_MAX + 128)

/* Samples in x and in y of a tile: size * scale, plus one for point sampling, plus twice the
 * buffer. */
int nt_side(const struct nt_spec *spec);

const char *nt_format_name(int format); /* "png": also the extension */
const char *nt_media_type(int format);  /* "image/png" */
/* Format called name[0..len), or -1. */
int nt_format_find(const char *name, size_t len);

/* ---- Rendering ------------------------------------------------------------------------------- */

/*
 * Chooses the instruction level once for the whole process: the best this CPU has, not above `cap`
 * ("baseline", "avx2"; NULL or "auto" = no cap). Returns false if there is no such name. All levels
 * give the same bits.
 */
bool nt_init(const char *cap);
const char *nt_level(void); /* name of the level in use */

/*
 * Memory one thread renders in: grows to the largest tile it has seen, then is reused, so that
 * rendering allocates nothing. What a tile of more than 512 pixels a side needed is given back by
 * nt_workspace_trim.
 */
struct nt_workspace;
struct nt_workspace *nt_workspace_new(void); /* NULL if out of memory */
void nt_workspace_free(struct nt_workspace *workspace);
void nt_workspace_trim(struct nt_workspace *workspace);

/*
 * Fills the workspace's field with nt_side() * nt_side() samples of the tile, row-major, row 0
 * north. Takes a checked specification and tile. NT_OK or NT_NO_MEMORY.
 */
enum nt_status nt_fill(struct nt_workspace *workspace, const struct nt_spec *spec,
                       const struct nt_tile *tile);

/* The samples of the last nt_fill; valid until the next call with this workspace. */
const float *nt_field(const struct nt_workspace *workspace);

/* Bytes owned by the workspace that made them; valid until its next call. */
struct nt_bytes {
    const unsigned char *data;
    size_t len;
};

/* Encodes the last filled tile in spec->format (same arguments as nt_fill's). NT_OK or
 * NT_NO_MEMORY. */
enum nt_status nt_encode(struct nt_workspace *workspace, const struct nt_spec *spec,
                         const struct nt_tile *tile, struct nt_bytes *bytes);

/* About how many bytes nt_encode will give, before anything is rendered. */
size_t nt_bytes_estimate(const struct nt_spec *spec);

/* gzip (RFC 1952) of any bytes, in the workspace; `from` may be what nt_encode returned. */
enum nt_status nt_gzip(struct nt_workspace *workspace, struct nt_bytes from, struct nt_bytes *to);

/*
 * Takes bytes that nt_encode or nt_gzip returned out of the workspace, once: no copy, and no memory
 * kept behind their end. The caller frees them with free(). The workspace gets new memory when it
 * next needs some, so this is for long ones. NULL if the bytes are not the workspace's (any more).
 */
unsigned char *nt_bytes_take(struct nt_workspace *workspace, struct nt_bytes bytes);

/*
 * Names and versions of the libraries that a format's bytes depend on besides the engine, for
 * entity tags ("" if none): gzip comes from a library, all else, PNG too, from the engine alone.
 */
const char *nt_codec_version(int format, bool gzip);

/*
 * Values at n arbitrary places (u[i], v[i]) in world units, lod off: bit for bit what a tile has
 * at the same positions. Takes a checked specification; |u|, |v| <= 2^31. v NULL: one-dimensional
 * noise. Values are exact in double; all but those of nt_is_float64 kinds are floats.
 */
void nt_sample(const struct nt_spec *spec, const double *u, const double *v, size_t n,
               double *values);
bool nt_is_float64(const struct nt_spec *spec);

#endif
