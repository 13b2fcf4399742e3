/* csv.c - see csv.h. */
#include "tests/support/csv.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size;

    ck_assert_msg(file != NULL, "%s: %s (run from the repository's root)", path, strerror(errno));
    ck_assert(fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    ck_assert(text != NULL && fread(text, 1, (size_t)size, file) == (size_t)size);
    text[size] = '\0';
    fclose(file);
    return text;
}

static size_t count(const char *text, char c)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == c;
    return n;
}

/* Cuts a line, which it moves past, into its cells. */
static void cut_line(const struct csv *csv, size_t row, char **line)
{
    for (size_t column = 0; column < csv->columns; column++) {
        size_t len = strcspn(*line, ",\n");
        char end = column + 1 < csv->columns ? ',' : '\n';
        ck_assert_msg((*line)[len] == end, "%s: row %zu has not %zu cells", csv->path, row + 1,
                      csv->columns);
        (*line)[len] = '\0';
        csv->cells[row * csv->columns + column] = *line;
        *line += len + 1;
    }
}

struct csv csv_load(const char *path, const char *header, size_t rows)
{
    struct csv csv = {path, rows, count(header, ',') + 1, NULL, read_file(path)};
    size_t len = strlen(header);

    ck_assert_msg(strncmp(csv.text, header, len) == 0 && csv.text[len] == '\n',
                  "%s: its header is not %s", path, header);
    ck_assert_msg(count(csv.text, '\n') == rows + 1, "%s: not %zu rows", path, rows);
    csv.cells = malloc(rows * csv.columns * sizeof *csv.cells);
    ck_assert(csv.cells != NULL);
    char *line = csv.text + len + 1;
    for (size_t row = 0; row < rows; row++)
        cut_line(&csv, row, &line);
    ck_assert_msg(*line == '\0', "%s: its last line is not ended", path);
    return csv;
}

void csv_free(struct csv *csv)
{
    free(csv->cells);
    free(csv->text);
}

static const char *cell(const struct csv *csv, size_t row, size_t column)
{
    ck_assert(row < csv->rows && column < csv->columns);
    return csv->cells[row * csv->columns + column];
}

/* Whether a number was there and nothing after it. */
static void check_end(const struct csv *csv, size_t row, const char *text, const char *end)
{
    ck_assert_msg(end > text && *end == '\0', "%s: row %zu: '%s'", csv->path, row + 1, text);
}

int64_t csv_integer(const struct csv *csv, size_t row, size_t column)
{
    const char *text = cell(csv, row, column);
    char *end;

    errno = 0;
    long long value = strtoll(text, &end, 10);
    check_end(csv, row, text, end);
    ck_assert_int_ne(errno, ERANGE);
    return value;
}

double csv_double(const struct csv *csv, size_t row, size_t column)
{
    const char *text = cell(csv, row, column);
    char *end;

    double value = strtod(text, &end);
    check_end(csv, row, text, end);
    return value;
}

float csv_float(const struct csv *csv, size_t row, size_t column)
{
    const char *text = cell(csv, row, column);
    char *end;

    float value = strtof(text, &end);
    check_end(csv, row, text, end);
    return value;
}
