/* rows.c - see rows.h. */
#include "tests/bench/rows.h"

#include <stdio.h>

void row_section(const char *title)
{
    printf("section\t%s\n", title);
    fflush(stdout); /* so that a person sees how far it is */
}

static void print(const char *sort, const struct row *row)
{
    static const char *const ratios[] = {
        [RATIO_NONE] = "", [RATIO_SPEED] = "speed", [RATIO_SHARE] = "share"};

    printf("%s\t%s\t%s\t%.6g\t", sort, row->name, row->unit, row->value);
    if (row->baseline != NULL)
        printf("%s\t%.6g", row->baseline, row->baseline_value);
    else
        printf("\t");
    printf("\t%s\t%s\n", ratios[row->ratio], row->target != NULL ? row->target : "");
}

void row_key(const struct row *row)
{
    print("key", row);
}

void row_detail(const struct row *row)
{
    print("row", row);
}

void row_point(const struct row *row)
{
    print("point", row);
}

void row_step(const struct row *row)
{
    print("step", row);
}
