/* No seams: any partition of the world gives equal bits, and the world closes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

/* Queries that differ in everything that could open a seam. N1, N3 among them. */
static const char *const queries[] = {
    "noise=perlin",
    "noise=value&seed=-9223372036854775808&domain=plane",
    "noise=perlin&octaves=8&frequency=0.125",
    "noise=perlin&octaves=12&frequency=0.001&domain=plane",
    "noise=value&octaves=12&frequency=0.125&lod=off&domain=torus",
    "noise=perlin&octaves=3&frequency=1048576&lod=off&lacunarity=2.7",
    "noise=value&fractal=none&frequency=777.7&lod=off&domain=torus&seed=9223372036854775807",
};
enum { QUERIES = sizeof queries / sizeof *queries };

/* x of a tile at zoom z: the edges of the world, its middle, and anywhere. */
static long long some_place(int z, int pick, uint64_t *state)
{
    long long n = 1LL << z;

    switch (pick % 4) {
    case 0:
        return 0;
    case 1:
        return n - 1;
    case 2:
        return n / 2;
    default:
        return (long long)(random_unit(state) * (double)n);
    }
}

/* Whether the small field equals the part of the large one that begins at (left, top). */
static void check_part(const struct field *large, const struct field *small, int left, int top,
                       const char *what)
{
    for (int row = 0; row < small->side; row++)
        ck_assert_msg(same_bits(small->at + (size_t)row * (size_t)small->side,
                                large->at + (size_t)(top + row) * (size_t)large->side + left,
                                (size_t)small->side),
                      "%s: %d/%lld/%lld row %d", what, small->tile.z, (long long)small->tile.x,
                      (long long)small->tile.y, row);
}

/* A tile of twice the size (however asked for) is the mosaic of the four tiles one zoom deeper. */
static void check_children(bool scaled, int size, const char *query, int z, long long x,
                           long long y)
{
    struct field parent = scaled ? field_of("%d/%lld/%lld@2x?size=%d&%s", z, x, y, size, query)
                                 : field_of("%d/%lld/%lld?size=%d&%s", z, x, y, 2 * size, query);

    for (int child = 0; child < 4; child++) {
        int i = child % 2, j = child / 2;
        struct field part =
            field_of("%d/%lld/%lld?size=%d&%s", z + 1, 2 * x + i, 2 * y + j, size, query);
        check_part(&parent, &part, i * size, j * size, query);
        field_free(&part);
    }
    field_free(&parent);
}

START_TEST(a_double_tile_is_the_mosaic_of_its_children)
{
    uint64_t state = 21;

    for (int z = 0; z < NT_MAX_ZOOM; z++)
        for (int pick = 0; pick < 4; pick++) {
            const char *query = queries[(z + pick * 3) % QUERIES];
            long long x = some_place(z, pick, &state), y = some_place(z, pick + 1, &state);
            check_children(false, 256, query, z, x, y);
            check_children(true, 100, query, z, x, y);
        }
}
END_TEST

START_TEST(a_buffer_holds_the_neighbours_pixels)
{
    uint64_t state = 22;

    for (int z = 1; z <= NT_MAX_ZOOM; z++)
        for (int q = 0; q < QUERIES; q++) {
            long long n = 1LL << z, x = some_place(z, q, &state), y = some_place(z, 2, &state);
            struct field wide = field_of("%d/%lld/%lld?size=64&buffer=16&%s", z, x, y, queries[q]);
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    if (y + dy < 0 || y + dy >= n)
                        continue;
                    long long column =
                        (x + dx + n) % n; /* across the antimeridian in world and torus */
                    if (wide.spec.domain == NT_DOMAIN_PLANE)
                        column = x + dx;
                    struct field near =
                        field_of("%d/%lld/%lld?size=64&%s", z, column, y + dy, queries[q]);
                    for (int row = 0; row < wide.side; row++)
                        for (int col = 0; col < wide.side; col++) {
                            int i = col - 16 - 64 * dx, j = row - 16 - 64 * dy;
                            if (i >= 0 && i < 64 && j >= 0 && j < 64)
                                ck_assert(same_bits(&near.at[j * 64 + i],
                                                    &wide.at[row * wide.side + col], 1));
                        }
                    field_free(&near);
                }
            }
            field_free(&wide);
        }
}
END_TEST

START_TEST(neighbours_share_their_edge_of_grid_points)
{
    uint64_t state = 23;

    for (int z = 0; z <= NT_MAX_ZOOM; z++)
        for (int q = 0; q < QUERIES; q++) {
            long long n = 1LL << z, x = some_place(z, q, &state), y = some_place(z, 2, &state);
            struct field west =
                field_of("%d/%lld/%lld?size=32&sampling=point&%s", z, x, y, queries[q]);
            long long next = west.spec.domain == NT_DOMAIN_PLANE ? x + 1 : (x + 1) % n;
            struct field east =
                field_of("%d/%lld/%lld?size=32&sampling=point&%s", z, next, y, queries[q]);
            ck_assert_int_eq(west.side, 33);
            for (int row = 0; row < 33; row++)
                ck_assert_msg(same_bits(&west.at[row * 33 + 32], &east.at[row * 33], 1), "z=%d %s",
                              z, queries[q]);
            field_free(&west);
            field_free(&east);
        }
}
END_TEST

START_TEST(grid_points_of_a_zoom_are_grid_points_of_the_next)
{
    uint64_t state = 24;

    for (int z = 0; z < NT_MAX_ZOOM; z++) {
        long long x = some_place(z, z, &state), y = some_place(z, z + 1, &state);
        struct field coarse = field_of("%d/%lld/%lld?size=64&sampling=point&lod=off", z, x, y);
        struct field fine =
            field_of("%d/%lld/%lld?size=64&sampling=point&lod=off", z + 1, 2 * x, 2 * y);
        for (int j = 0; j <= 32; j++)
            for (int i = 0; i <= 32; i++)
                ck_assert(same_bits(&coarse.at[j * 65 + i], &fine.at[2 * j * 65 + 2 * i], 1));
        field_free(&coarse);
        field_free(&fine);
    }
}
END_TEST

START_TEST(grid_and_scatter_agree)
{
    uint64_t state = 25;
    static const char *const domains[] = {"world", "torus", "plane"};

    for (int round = 0; round < 300; round++) {
        int z = (int)random_below(&state, NT_MAX_ZOOM + 1);
        long long x = some_place(z, round, &state),
                  y = some_place(z, (int)random_below(&state, 4), &state);
        struct field f = field_of(
            "%d/%lld/"
            "%lld?lod=off&noise=%s&size=%u&buffer=%u&domain=%s&frequency=%.17g&seed=%d&sampling=%s",
            z, x, y, nt_kind_names[random_below(&state, NT_KINDS)], random_below(&state, 70) + 1,
            random_below(&state, 17), domains[random_below(&state, 3)],
            ldexp(random_unit(&state) + 0.01, (int)random_below(&state, 14)),
            (int)random_u32(&state), round % 2 ? "point" : "cell");
        size_t side = (size_t)f.side;
        double *u = malloc(side * sizeof *u), *v = malloc(side * sizeof *v),
               *row_v = malloc(side * sizeof *v);
        float *row = malloc(side * sizeof *row);
        nt_grid_axis(&f.spec, &f.tile, 0, u);
        nt_grid_axis(&f.spec, &f.tile, 1, v);
        for (size_t j = 0; j < side; j++) {
            for (size_t i = 0; i < side; i++)
                row_v[i] = v[j];
            nt_sample(&f.spec, u, row_v, side, row);
            ck_assert_msg(same_bits(row, f.at + j * side, side), "round %d row %zu", round, j);
        }
        free(u);
        free(v);
        free(row_v);
        free(row);
        field_free(&f);
    }
}
END_TEST

START_TEST(points_repeat_where_the_domain_does)
{
    struct nt_tile tile;
    struct nt_spec spec;
    const double u[] = {0.25, 1.25, -0.75, 1000.25}, v[] = {0.5, 0.5, 0.5, 0.5};
    float values[4];

    parse_ok("0/0/0?lod=off", &tile, &spec);
    nt_sample(&spec, u, v, 4, values);
    for (int i = 1; i < 4; i++)
        ck_assert(same_bits(&values[i], &values[0], 1));
    parse_ok("0/0/0?lod=off&domain=torus", &tile, &spec);
    nt_sample(&spec, v, u, 4, values);
    for (int i = 1; i < 4; i++)
        ck_assert(same_bits(&values[i], &values[0], 1));
}
END_TEST

/* Largest step between neighbouring columns inside a tile. */
static double largest_step(const struct field *f)
{
    double most = 0;

    for (int j = 0; j < f->side; j++)
        for (int i = 1; i < f->side; i++)
            most = fmax(most,
                        fabs((double)f->at[j * f->side + i] - (double)f->at[j * f->side + i - 1]));
    return most;
}

/* N1, N3, N16, N42: the step across an edge is a step like any other. */
static void check_edge(const char *query, int z, long long west, long long east, long long y)
{
    struct field a = field_of("%d/%lld/%lld?%s", z, west, y, query),
                 b = field_of("%d/%lld/%lld?%s", z, east, y, query);
    double inside = fmax(largest_step(&a), largest_step(&b));

    for (int j = 0; j < a.side; j++) {
        double step = fabs((double)a.at[j * a.side + a.side - 1] - (double)b.at[j * b.side]);
        ck_assert_msg(step <= inside * 1.001, "%s: %g across, %g inside", query, step, inside);
    }
    field_free(&a);
    field_free(&b);
}

START_TEST(n1_n3_the_step_across_an_edge_is_ordinary)
{
    check_edge("noise=perlin", 5, 10, 11, 10);
    check_edge("noise=value", 5, 10, 11, 10);
    check_edge("octaves=8&frequency=0.125", 3, 3, 4, 3);
    check_edge("octaves=12&frequency=0.125", 3, 3, 4, 3);
    check_edge("octaves=8&frequency=0.001&domain=plane", 3, 3, 4, 3);
    check_edge("octaves=12&frequency=0.001&domain=plane", 3, 3, 4, 3);
}
END_TEST

START_TEST(the_world_closes_at_the_antimeridian)
{
    static const char *const lacunarities[] = {"2", "2.7"};

    for (int z = 0; z <= 12; z += 3)
        for (int k = 0; k < NT_KINDS; k++)
            for (int l = 0; l < 2; l++) {
                char query[128];
                snprintf(query, sizeof query, "noise=%s&lacunarity=%s&octaves=8", nt_kind_names[k],
                         lacunarities[l]);
                check_edge(query, z, (1LL << z) - 1, 0, (1LL << z) / 2);
                snprintf(query, sizeof query, "noise=%s&lacunarity=%s&octaves=8&domain=torus",
                         nt_kind_names[k], lacunarities[l]);
                check_edge(query, z, (1LL << z) - 1, 0, (1LL << z) / 2);
            }
}
END_TEST

START_TEST(n16_negative_columns_are_ordinary)
{
    for (int k = 0; k < NT_KINDS; k++) {
        char query[64];
        snprintf(query, sizeof query, "noise=%s&domain=plane", nt_kind_names[k]);
        check_edge(query, 3, -1, 0, 0);
        check_edge(query, 3, -1, 0, -1);
        check_edge(query, 3, -1000001, -1000000, -3);
    }
}
END_TEST

Suite *seams_suite(void)
{
    Suite *suite = suite_create("seams");
    TCase *tc = tcase_create("seams");

    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, a_double_tile_is_the_mosaic_of_its_children);
    tcase_add_test(tc, a_buffer_holds_the_neighbours_pixels);
    tcase_add_test(tc, neighbours_share_their_edge_of_grid_points);
    tcase_add_test(tc, grid_points_of_a_zoom_are_grid_points_of_the_next);
    tcase_add_test(tc, grid_and_scatter_agree);
    tcase_add_test(tc, points_repeat_where_the_domain_does);
    tcase_add_test(tc, n1_n3_the_step_across_an_edge_is_ordinary);
    tcase_add_test(tc, the_world_closes_at_the_antimeridian);
    tcase_add_test(tc, n16_negative_columns_are_ordinary);
    suite_add_tcase(suite, tc);
    return suite;
}
