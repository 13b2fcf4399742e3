/*
 * bench.c - times the core and prints rows (rows.h) for report.awk. Every figure stands beside a
 * baseline that is timed in turn with it. What needs a server is in http.sh and overload.sh.
 * Usage: bench PART...
 */
#include "core/noisetile.h"
#include "tests/bench/parts.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {
    {"fill", bench_fill},
    {"png", bench_png},
    {"formats", bench_formats},
    {"curves", bench_curves},
};

enum { PARTS = sizeof parts / sizeof *parts };

int main(int argc, char **argv)
{
    if (!nt_init("auto"))
        return 1;
    for (int i = 1; i < argc; i++) {
        size_t part = 0;

        while (part < PARTS && strcmp(argv[i], parts[part].name) != 0)
            part++;
        if (part == PARTS) {
            fprintf(stderr, "bench: there is no part %s\n", argv[i]);
            return 2;
        }
        parts[part].run();
    }
    return 0;
}
