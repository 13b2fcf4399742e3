/*
 * web.c - embeds the files of server/web/ through the assembler's .incbin (paths from the
 * repository's root, where make runs the compiler). Adding a file: a line EMBED and a row.
 */
#include "server/web.h"

#include <string.h>

/* The labels are addressed relative to the code, so position-independent programs can be linked. */
#define EMBED(label, path)                   \
    __asm__(".section .rodata\n"             \
            ".balign 16\n"                   \
            ".global web_" #label "_start\n" \
            ".hidden web_" #label "_start\n" \
            "web_" #label "_start:\n"        \
            ".incbin \"" path "\"\n"         \
            ".global web_" #label "_end\n"   \
            ".hidden web_" #label "_end\n"   \
            "web_" #label "_end:\n"          \
            ".byte 0\n"                      \
            ".previous\n");                  \
    extern const unsigned char web_##label##_start[], web_##label##_end[]

EMBED(index, "server/web/index.html");
EMBED(favicon, "server/web/favicon.ico");
EMBED(robots, "server/web/robots.txt");

static const struct {
    const char *name, *media_type;
    const unsigned char *start, *end;
} files[] = {
    {"index.html", "text/html; charset=utf-8", web_index_start, web_index_end},
    {"favicon.ico", "image/x-icon", web_favicon_start, web_favicon_end},
    {"robots.txt", "text/plain; charset=utf-8", web_robots_start, web_robots_end},
};

bool web_find(const char *name, struct web_file *file)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (strcmp(files[i].name, name) != 0)
            continue;
        *file = (struct web_file){files[i].media_type, files[i].start,
                                  (size_t)(files[i].end - files[i].start)};
        return true;
    }
    return false;
}
