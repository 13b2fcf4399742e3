/*
 * verify.c - digests of the references, by nettle, and the digests that this engine version
 * promises. Next: cli_verify.c and verifier.c, which ask for it.
 */
#include "server/verify.h"

#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

/*
 * Of engine version 1. Raising NT_ENGINE_VERSION, or another list of references, needs new ones:
 * the lines `overall` and `png` of `noisetile verify`.
 */
static const char *const promised[REFERENCES_LISTS] = {
    [REFERENCES_SAMPLES] = "8af9af87de287b37f69e31518671034e46e3fdb17d21eed05e10b6f4a885466f",
    [REFERENCES_PNG] = "9fc7fca3c209b285d56ae36b9a3973f997e3c996e3326314d65ce6246f27b975",
};

const char *verify_promised(enum references list)
{
    return promised[list];
}

bool verify_is_promised(const struct verify *verify)
{
    for (int i = 0; i < REFERENCES_LISTS; i++)
        if (strcmp(verify->list[i].sha256, promised[i]) != 0)
            return false;
    return true;
}

static void finish(struct sha256_ctx *sha, char hex[VERIFY_HEX_MAX])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];

    _Static_assert(2 * SHA256_DIGEST_SIZE + 1 == VERIFY_HEX_MAX, "two digits for each byte");
    sha256_digest(sha, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        *hex++ = digits[digest[i] >> 4];
        *hex++ = digits[digest[i] & 15];
    }
    *hex = '\0';
}

static bool make_line(struct verify_line *line, enum references list, size_t i,
                      struct nt_workspace *workspace)
{
    size_t len;
    unsigned char *bytes = references_bytes(list, i, workspace, &len);
    struct sha256_ctx sha;

    if (bytes == NULL)
        return false;
    line->url = references_url(list, i);
    sha256_init(&sha);
    sha256_update(&sha, len, bytes);
    finish(&sha, line->sha256);
    free(bytes);
    return true;
}

static void add(struct sha256_ctx *sha, const char *text)
{
    sha256_update(sha, strlen(text), (const uint8_t *)text);
}

static bool make_list(struct verify_list *made, enum references list,
                      struct nt_workspace *workspace)
{
    struct sha256_ctx sha;

    made->count = references_count(list);
    made->lines = malloc(made->count * sizeof *made->lines);
    sha256_init(&sha);
    for (size_t i = 0; i < made->count; i++) {
        if (made->lines == NULL || !make_line(&made->lines[i], list, i, workspace))
            return false;
        add(&sha, made->lines[i].sha256);
        add(&sha, "  ");
        add(&sha, made->lines[i].url);
        add(&sha, "\n");
    }
    finish(&sha, made->sha256);
    return true;
}

bool verify_make(struct verify *verify, struct nt_workspace *workspace)
{
    memset(verify, 0, sizeof *verify);
    for (int i = 0; i < REFERENCES_LISTS; i++)
        if (!make_list(&verify->list[i], (enum references)i, workspace)) {
            verify_release(verify);
            return false;
        }
    return true;
}

void verify_release(struct verify *verify)
{
    for (int i = 0; i < REFERENCES_LISTS; i++) {
        free(verify->list[i].lines);
        verify->list[i].lines = NULL;
    }
}
