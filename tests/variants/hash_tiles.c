/*
 * hash_tiles.c - SHA-256 of the samples of 200 tiles that differ in everything, and of their PNG
 * files, at the instruction level named by the first argument. `make test` builds it with several
 * compilers and optimisation levels; all must print the same two lines, which also stand in
 * tests/golden/tiles.sha256.
 */
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

#include "core/noisetile.h"

enum { TILES = 200 };

static const char *const natives[] = {"perlin",        "value",    "simplex",
                                      "opensimplex2s", "cellular", "white"};
static const char *const dialects[] = {
    "simplex-rombauts", "simplex-splitmix", "perlin-eiserloh", "perlin-eiserloh-recursive",
    "inoise8",          "inoise16",         "inoise8-3.0",     "inoise16-3.0"};
enum { NATIVES = sizeof natives / sizeof *natives, DIALECTS = sizeof dialects / sizeof *dialects };

/* One in five is a dialect, plain and summed in turn. */
static void describe_dialect(int i, char *query, size_t size)
{
    snprintf(query, size, "noise=%s&fractal=%s&frequency=%d.7&size=%d", dialects[i / 5 % DIALECTS],
             i / 40 % 2 ? "none" : "fbm", 1 + i, 1 + i % 60);
}

/* Native noise that differs from tile to tile in everything. */
static void describe_native(int i, char *query, size_t size)
{
    static const char *const domains[] = {"world", "planet", "plane", "torus"};
    static const char *const fractals[] = {"fractal=none",
                                           "octaves=1",
                                           "octaves=5",
                                           "octaves=7&persistence=0.9&fractal=ridged",
                                           "octaves=7&lacunarity=2.7&persistence=-0.6",
                                           "fractal=billow",
                                           "fractal=pingpong"};
    static const char *const frequencies[] = {"8", "0.001", "3.3", "1000", "131072.5"};
    const char *kind = natives[i % NATIVES], *domain = domains[i / NATIVES % 4];
    bool closes = strcmp(kind, "opensimplex2s") != 0;

    snprintf(query, size,
             "noise=%s&domain=%s&%s&frequency=%s&seed=%lld&size=%d&sampling=%s&buffer=%d%s%s%s",
             kind, closes || strcmp(domain, "torus") != 0 ? domain : "plane", fractals[i % 7],
             frequencies[i / 3 % 5], (long long)i * 1234567890123LL - 99, 1 + i * 37 % 60,
             i % 7 ? "cell" : "point", i % 4, i % 4 || strcmp(kind, "white") == 0 ? "" : "&lod=off",
             i % 9 ? "" : "&warp=1.5&warp_octaves=2", i % 8 || !closes ? "" : "&t=0.75");
}

/* Tile i: another zoom, place and specification for every i, from a fixed recipe. */
static void describe(int i, char *path, size_t path_size, char *query, size_t query_size)
{
    int z = i * 7 % 31;
    unsigned long long last = (1ULL << z) - 1, x = i % 3 ? last * (unsigned)(i % 11) / 10 : 0;

    snprintf(path, path_size, "%d/%llu/%llu", z, x, last - x);
    if (i % 5 == 0)
        describe_dialect(i, query, query_size);
    else
        describe_native(i, query, query_size);
}

/* In each style, at each depth in turn. */
static int hash_png(int i, struct nt_workspace *workspace, struct nt_spec spec,
                    const struct nt_tile *tile, struct sha256_ctx *sha)
{
    struct nt_bytes png;

    spec.style = i / 3 % (NT_STYLE_MAPBOX + 1);
    spec.bits = i % 2 ? NT_BITS_16 : NT_BITS_8;
    if (nt_encode(workspace, &spec, tile, &png))
        return -1;
    sha256_update(sha, png.len, png.data);
    return 0;
}

static int hash_tile(int i, struct nt_workspace *workspace, struct sha256_ctx *sha,
                     struct sha256_ctx *png_sha)
{
    const struct nt_limits limits = {NT_MAX_SIZE_DEFAULT};
    char path[96], query[384];
    struct nt_tile tile;
    struct nt_spec spec;
    struct nt_error err;

    describe(i, path, sizeof path, query, sizeof query);
    if (nt_request_parse(&tile, &spec, &limits, path, strlen(path), query, strlen(query), &err)) {
        fprintf(stderr, "%s?%s: %s\n", path, query, err.detail);
        return -1;
    }
    if (nt_fill(workspace, &spec, &tile))
        return -1;
    size_t n = (size_t)nt_side(&spec) * (size_t)nt_side(&spec);
    for (size_t k = 0; k < n; k++) { /* little-endian whatever the machine */
        uint32_t bits;
        memcpy(&bits, nt_field(workspace) + k, sizeof bits);
        const uint8_t bytes[] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16),
                                 (uint8_t)(bits >> 24)};
        sha256_update(sha, sizeof bytes, bytes);
    }
    return hash_png(i, workspace, spec, &tile, png_sha);
}

static void print(struct sha256_ctx *sha)
{
    uint8_t digest[SHA256_DIGEST_SIZE];

    sha256_digest(sha, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        printf("%02x", digest[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    struct nt_workspace *workspace = nt_workspace_new();
    struct sha256_ctx sha, png_sha;

    if (!workspace || !nt_init(argc > 1 ? argv[1] : NULL))
        return 2;
    sha256_init(&sha);
    sha256_init(&png_sha);
    for (int i = 0; i < TILES; i++)
        if (hash_tile(i, workspace, &sha, &png_sha))
            return 1;
    print(&sha);
    print(&png_sha);
    nt_workspace_free(workspace);
    return 0;
}
