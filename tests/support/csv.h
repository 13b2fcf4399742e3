/* csv.h - golden files for tests: one header line, then rows of numbers. Whatever is not as
 * expected fails the test; nothing is skipped. */
#ifndef CSV_H
#define CSV_H

#include <stddef.h>
#include <stdint.h>

struct csv {
    const char *path;
    size_t rows, columns;
    char **cells; /* [rows][columns], pointing into text */
    char *text;
};

/* Reads a file, by its path from the repository's root, that must have this header and number of
 * rows. */
struct csv csv_load(const char *path, const char *header, size_t rows);
void csv_free(struct csv *csv);

/* A cell as a number; the whole cell must be one. csv_float rounds once, to nearest. */
int64_t csv_integer(const struct csv *csv, size_t row, size_t column);
double csv_double(const struct csv *csv, size_t row, size_t column);
float csv_float(const struct csv *csv, size_t row, size_t column);

#endif
