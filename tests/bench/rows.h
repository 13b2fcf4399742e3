/*
 * rows.h - what the bench prints: one row for each figure, fields with tabs between them, which
 * report.awk makes into the table, the JSON and the README's section.
 *
 *   section TITLE
 *   key     NAME UNIT VALUE BASELINE BASELINE_VALUE RATIO TARGET: for the README, too
 *   row     the same: a detail
 *   point   the same: one of many on a curve, printed more tightly
 *   step    the same: a point between those that the README has
 */
#ifndef ROWS_H
#define ROWS_H

enum row_ratio {
    RATIO_NONE,
    RATIO_SPEED, /* times: how many times the baseline's time ours is less */
    RATIO_SHARE, /* bytes, rates, costs: ours over the baseline's */
};

struct row {
    const char *name, *unit;
    double value;
    const char *baseline; /* what it is compared with; NULL: nothing */
    double baseline_value;
    enum row_ratio ratio;
    const char *target; /* "ratio >= 8", "value <= 100"; NULL: none */
};

void row_section(const char *title);
void row_key(const struct row *row);
void row_detail(const struct row *row);
void row_point(const struct row *row);
void row_step(const struct row *row);

#endif
