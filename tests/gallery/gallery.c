/*
 * gallery.c - a contact sheet: every kind (rows) with every fractal, a slice, warp, planet and
 * colours (columns) in one PNG, for a person to look at. Usage: gallery FILE [KINDS], KINDS = how
 * many of the kinds (six: the native ones).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encode/png.h"
#include "core/internal.h"

enum { CELL = 96, GAP = 4 };

static const char *const columns[] = {
    "fractal=none", "fractal=fbm", "fractal=ridged", "fractal=billow", "fractal=pingpong",
    "t=0.5",        "warp=1",      "domain=planet",  "style=color",    "style=color&ramp=terrain",
};
enum { COLUMNS = sizeof columns / sizeof *columns };

struct sheet {
    int width, height;
    unsigned char *pixels; /* RGB */
};

/* The picture of a query, as PNG's pixels; false if the kind cannot do it. */
static bool render(struct nt_workspace *workspace, const char *query, struct nt_image *image)
{
    const struct nt_limits limits = {NT_MAX_SIZE_DEFAULT};
    struct nt_tile tile;
    struct nt_spec spec;
    struct nt_error err;

    if (nt_request_parse(&tile, &spec, &limits, "2/1/1", 5, query, strlen(query), &err))
        return false;
    if (nt_fill(workspace, &spec, &tile))
        exit(1);
    return (spec.style == NT_STYLE_GRAY ? nt_style_gray : nt_style_color)(workspace, &spec,
                                                                          image) == NT_OK;
}

static void paste(struct sheet *sheet, const struct nt_image *image, int column, int row)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const unsigned char *from = image->pixels + (y * image->width + x) * image->channels;
            size_t at = (size_t)(row * (CELL + GAP) + y) * (size_t)sheet->width +
                        (size_t)(column * (CELL + GAP) + x);
            for (int c = 0; c < 3; c++)
                sheet->pixels[3 * at + (size_t)c] = from[image->channels >= 3 ? c : 0];
        }
}

int main(int argc, char **argv)
{
    int kinds = argc == 3 ? atoi(argv[2]) : NT_KINDS;
    struct sheet sheet = {COLUMNS * (CELL + GAP) - GAP, kinds * (CELL + GAP) - GAP, NULL};
    size_t bytes = 3 * (size_t)sheet.width * (size_t)sheet.height;
    struct nt_workspace *workspace = nt_workspace_new();
    struct nt_bytes png;

    sheet.pixels = malloc(bytes);
    if (argc < 2 || kinds < 1 || kinds > NT_KINDS || !sheet.pixels || !workspace ||
        !nt_init("auto"))
        return 1;
    memset(sheet.pixels, 255, bytes);
    for (int kind = 0; kind < kinds; kind++)
        for (int column = 0; column < COLUMNS; column++) {
            struct nt_image image;
            char query[256];
            snprintf(query, sizeof query, "size=%d&noise=%s&frequency=%s&%s%s", CELL,
                     nt_kind_names[kind], "24", columns[column],
                     kind < NT_NATIVE_KINDS && column != 0 ? "&min=-0.8&max=0.8" : "");
            if (render(workspace, query, &image))
                paste(&sheet, &image, column, kind);
        }
    const struct nt_image image = {sheet.pixels, sheet.width, sheet.height, 3, 8};
    FILE *file = fopen(argv[1], "wb");
    if (!file || nt_png_encode(workspace, &image, &png) ||
        fwrite(png.data, 1, png.len, file) != png.len || fclose(file))
        return 1;
    free(sheet.pixels);
    nt_workspace_free(workspace);
    return 0;
}
