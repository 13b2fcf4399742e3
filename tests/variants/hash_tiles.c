/*
 * hash_tiles.c - SHA-256 of the samples of 200 tiles that differ in everything, at the instruction
 * level named by the first argument. `make test` builds it with several compilers and optimisation
 * levels; all must print the same line, which also stands in tests/golden/tiles.sha256.
 */
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

#include "core/noisetile.h"

enum { TILES = 200 };

/* Tile i: a different zoom, place and specification for every i, from a fixed recipe. */
static void describe(int i, char *path, size_t path_size, char *query, size_t query_size)
{
    static const char *const kinds[] = {"perlin", "value"};
    static const char *const domains[] = {"world", "torus", "plane"};
    static const char *const fractals[] = {"fractal=none", "octaves=1", "octaves=5",
                                           "octaves=12&persistence=0.9",
                                           "octaves=7&lacunarity=2.7&persistence=-0.6"};
    static const char *const frequencies[] = {"8", "0.001", "3.3", "1000", "131072.5"};
    int z = i * 7 % 31;
    unsigned long long last = (1ULL << z) - 1, x = i % 3 ? last * (unsigned)(i % 11) / 10 : 0;

    snprintf(path, path_size, "%d/%llu/%llu", z, x, last - x);
    snprintf(query, query_size,
             "noise=%s&domain=%s&%s&frequency=%s&seed=%lld&lod=%s&size=%d&sampling=%s&buffer=%d",
             kinds[i % 2], domains[i / 2 % 3], fractals[i % 5], frequencies[i / 5 % 5],
             (long long)i * 1234567890123LL - 99, i % 4 ? "auto" : "off", 1 + i * 37 % 300,
             i % 7 ? "cell" : "point", i % 17);
}

static int hash_tile(int i, struct nt_workspace *workspace, struct sha256_ctx *sha)
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
    return 0;
}

int main(int argc, char **argv)
{
    struct nt_workspace *workspace = nt_workspace_new();
    struct sha256_ctx sha;
    uint8_t digest[SHA256_DIGEST_SIZE];

    if (!workspace || !nt_init(argc > 1 ? argv[1] : NULL))
        return 2;
    sha256_init(&sha);
    for (int i = 0; i < TILES; i++)
        if (hash_tile(i, workspace, &sha))
            return 1;
    sha256_digest(&sha, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        printf("%02x", digest[i]);
    printf("\n");
    nt_workspace_free(workspace);
    return 0;
}
