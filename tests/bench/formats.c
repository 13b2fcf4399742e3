/* formats.c (bench) - the other formats, each against what one writes first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/job.h"
#include "tests/bench/parts.h"
#include "tests/bench/rows.h"
#include "tests/bench/timing.h"

static const double seconds = 0.3; /* for each format */

enum { SAMPLES = 256 * 256 };

static char text[SAMPLES * 20];

static void print_all(void *job)
{
    const float *field = nt_field(((struct job *)job)->workspace);
    size_t len = 0;

    for (size_t i = 0; i < SAMPLES; i++)
        len += (size_t)sprintf(text + len, "%.9g,", (double)field[i]);
    ((struct job *)job)->bytes = len;
}

static void copy_all(void *job)
{
    memcpy(text, nt_field(((struct job *)job)->workspace), SAMPLES * sizeof(float));
    ((struct job *)job)->bytes = SAMPLES * sizeof(float);
}

static void round_all(void *job)
{
    const float *field = nt_field(((struct job *)job)->workspace);

    for (size_t i = 0; i < SAMPLES; i++) {
        double level = ((double)field[i] + 1.0) / 2.0 * 65535.0 + 0.5;
        unsigned whole = level <= 0 ? 0 : level >= 65535 ? 65535 : (unsigned)level;
        text[2 * i] = (char)(whole & 255);
        text[2 * i + 1] = (char)(whole >> 8);
    }
    ((struct job *)job)->bytes = 2 * SAMPLES;
}

static const struct {
    const char *name, *path, *plain_name, *target;
    void (*plain)(void *job);
} formats[] = {
    {"JSON, 65 536 values", "1/1/0.json", "printf %.9g", "value <= 3000", print_all},
    {"bin (float32)", "1/1/0.bin", "memcpy", NULL, copy_all},
    {"npy (float32)", "1/1/0.npy", "memcpy", NULL, copy_all},
    {"r16 (uint16)", "1/1/0.r16", "sample by sample", NULL, round_all},
};

void bench_formats(void)
{
    row_section("other formats: 256 x 256 samples, perlin fBm 5, one thread");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct job ours, plain;
        struct contestant both[] = {{job_encode, &ours, 0}, {formats[i].plain, &plain, 0}};
        void (*printer)(const struct row *) = formats[i].target ? row_key : row_detail;
        char name[64];

        job_init(&ours, formats[i].path, "");
        job_init(&plain, formats[i].path, "");
        time_in_turn(both, 2, seconds);
        printer(&(struct row){formats[i].name, "us", both[0].best_us, formats[i].plain_name,
                              both[1].best_us, RATIO_SPEED, formats[i].target});
        snprintf(name, sizeof name, "%s, size", formats[i].name);
        row_detail(&(struct row){name, "B", (double)ours.bytes, formats[i].plain_name,
                                 (double)plain.bytes, RATIO_SHARE, NULL});
        job_release(&ours);
        job_release(&plain);
    }
}
