/*
 * verify.c - digests of the references, by nettle, and the one digest that this engine version
 * promises. Next: cli_verify.c and verifier.c, which ask for it.
 */
#include "server/verify.h"

#include "server/references.h"

#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

/*
 * Of engine version 1. Raising NT_ENGINE_VERSION, or another list of references, needs a new one:
 * the last line of `noisetile verify`.
 */
static const char promised[] = "8af9af87de287b37f69e31518671034e46e3fdb17d21eed05e10b6f4a885466f";

const char *verify_promised(void)
{
    return promised;
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

static bool make_line(struct verify_line *line, size_t i, struct nt_workspace *workspace)
{
    size_t len;
    unsigned char *bytes = references_samples(i, workspace, &len);
    struct sha256_ctx sha;

    if (bytes == NULL)
        return false;
    line->url = references_url(i);
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

bool verify_make(struct verify *verify, struct nt_workspace *workspace)
{
    struct sha256_ctx sha;

    verify->count = references_count();
    verify->lines = malloc(verify->count * sizeof *verify->lines);
    sha256_init(&sha);
    for (size_t i = 0; i < verify->count; i++) {
        if (verify->lines == NULL || !make_line(&verify->lines[i], i, workspace)) {
            verify_release(verify);
            return false;
        }
        add(&sha, verify->lines[i].sha256);
        add(&sha, "  ");
        add(&sha, verify->lines[i].url);
        add(&sha, "\n");
    }
    finish(&sha, verify->sha256);
    return true;
}

void verify_release(struct verify *verify)
{
    free(verify->lines);
    verify->lines = NULL;
}
