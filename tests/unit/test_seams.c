/*
 * No seams: any partition of the world gives equal bits, single places are the tiles' samples, and
 * the world closes. All kinds, domains, fractals, slices and warps. N1, N3, N16, N30, N42, H57.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

/* Queries that differ in everything that could open a seam. */
static const char *const queries[] = {
    "noise=perlin",
    "noise=value&seed=-9223372036854775808&domain=plane",
    "noise=perlin&octaves=8&frequency=0.125",
    "noise=perlin&octaves=12&frequency=0.001&domain=plane",
    "noise=value&octaves=12&frequency=0.125&lod=off&domain=torus",
    "noise=perlin&octaves=3&frequency=1048576&lod=off&lacunarity=2.7",
    "noise=value&fractal=none&frequency=777.7&lod=off&domain=torus&seed=9223372036854775807",
    "noise=perlin&t=1.5&fractal=ridged&octaves=3",
    "noise=perlin&warp=2&warp_octaves=2",
    "noise=perlin&domain=planet&lod=off",
    "noise=perlin&domain=planet&t=3&t_period=5&fractal=billow",
    "noise=simplex",
    "noise=simplex&domain=torus&frequency=7&lacunarity=3",
    "noise=simplex&domain=torus&t=-2&t_period=3&frequency=5",
    "noise=simplex&domain=plane&fractal=pingpong&lod=off",
    "noise=simplex&domain=planet&warp=1",
    "noise=opensimplex2s&octaves=3",
    "noise=opensimplex2s&domain=plane&t=7&octaves=2",
    "noise=opensimplex2s&domain=planet&octaves=2&fractal=ridged",
    "noise=opensimplex2s&warp=1&octaves=2",
    "noise=cellular&octaves=2",
    "noise=cellular&cell=f2-f1&domain=torus&fractal=none&jitter=0.5",
    "noise=cellular&cell=value&t=0&fractal=none",
    "noise=cellular&cell=f2&domain=planet&octaves=2",
    "noise=value&domain=planet&fractal=pingpong",
    "noise=value&warp=16&domain=torus&t=1",
    "noise=white",
    "noise=white&domain=torus&frequency=1000&t=4",
    "noise=white&domain=planet&warp=3",
    "noise=simplex-rombauts&frequency=5",
    "noise=simplex-splitmix&seed=7&octaves=3",
    "noise=perlin-eiserloh&seed=-3&octaves=3",
    "noise=perlin-eiserloh-recursive",
    "noise=inoise8&frequency=3.7",
    "noise=inoise16&t=2&fractal=none",
    "noise=inoise8-3.0&octaves=2",
    "noise=inoise16-3.0",
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

/*
 * A tile of twice the size (however asked for) is the mosaic of the four tiles one zoom deeper. On
 * a planet the band limit follows the row, so it holds there too.
 */
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

START_TEST(n1_h57_a_double_tile_is_the_mosaic_of_its_children)
{
    uint64_t state = 21;

    for (int q = 0; q < QUERIES; q++) {
        for (int pick = 0; pick < 10; pick++) {
            int z = (q + 3 * pick) % NT_MAX_ZOOM;
            long long x = some_place(z, pick, &state), y = some_place(z, pick / 2 + 1, &state);
            check_children(false, 32, queries[q], z, x, y);
            check_children(true, 25, queries[q], z, x, y);
        }
        check_children(false, 140, queries[q], 3, 7, 2); /* beyond a chunk of 256 places */
    }
}
END_TEST

/* Tile (x, y) as the domain repeats it; false if there is none. */
static bool wrapped(int domain, long long n, long long *x, long long *y)
{
    bool rows = domain == NT_DOMAIN_TORUS || domain == NT_DOMAIN_PLANE;

    if (domain != NT_DOMAIN_PLANE)
        *x = (*x + n) % n;
    if (domain == NT_DOMAIN_TORUS)
        *y = (*y + n) % n;
    return rows || (*y >= 0 && *y < n);
}

/* Of the wide field, with a buffer of 16, the pixels of the neighbour (dx, dy) steps away. */
static void check_neighbour(const struct field *wide, const char *query, int dx, int dy)
{
    enum { SIZE = 24, BUFFER = 16 };
    long long n = 1LL << wide->tile.z, x = wide->tile.x + dx, y = wide->tile.y + dy;

    if (!wrapped(wide->spec.domain, n, &x, &y))
        return;
    struct field near = field_of("%d/%lld/%lld?size=24&%s", wide->tile.z, x, y, query);
    for (int row = 0; row < wide->side; row++)
        for (int col = 0; col < wide->side; col++) {
            int i = col - BUFFER - SIZE * dx, j = row - BUFFER - SIZE * dy;
            if (i >= 0 && i < SIZE && j >= 0 && j < SIZE)
                ck_assert_msg(
                    same_bits(&near.at[j * SIZE + i], &wide->at[row * wide->side + col], 1),
                    "%s: %d/%lld/%lld, pixel (%d, %d)", query, wide->tile.z, x, y, i, j);
        }
    field_free(&near);
}

START_TEST(a_buffer_holds_the_neighbours_pixels)
{
    uint64_t state = 22;

    for (int q = 0; q < QUERIES; q++)
        for (int pick = 0; pick < 10; pick++) {
            int z = 1 + (q + 3 * pick) % NT_MAX_ZOOM;
            long long x = some_place(z, pick, &state), y = some_place(z, pick / 3, &state);
            struct field wide = field_of("%d/%lld/%lld?size=24&buffer=16&%s", z, x, y, queries[q]);
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    check_neighbour(&wide, queries[q], dx, dy);
            field_free(&wide);
        }
}
END_TEST

START_TEST(neighbours_share_their_edge_of_grid_points)
{
    uint64_t state = 23;

    for (int q = 0; q < QUERIES; q++)
        for (int z = q % 2; z <= NT_MAX_ZOOM; z += 2) {
            long long n = 1LL << z, x = some_place(z, z / 2, &state), y = some_place(z, 2, &state);
            struct field west =
                field_of("%d/%lld/%lld?size=16&sampling=point&%s", z, x, y, queries[q]);
            long long next = x + 1, same = y;
            wrapped(west.spec.domain, n, &next, &same);
            struct field east =
                field_of("%d/%lld/%lld?size=16&sampling=point&%s", z, next, y, queries[q]);
            ck_assert_int_eq(west.side, 17);
            for (int row = 0; row < 17; row++)
                ck_assert_msg(same_bits(&west.at[row * 17 + 16], &east.at[row * 17], 1), "z=%d %s",
                              z, queries[q]);
            field_free(&west);
            field_free(&east);
        }
}
END_TEST

START_TEST(grid_points_of_a_zoom_are_grid_points_of_the_next)
{
    uint64_t state = 24;

    for (int kind = 0; kind < NT_KINDS; kind++)
        for (int z = kind % 3; z < NT_MAX_ZOOM; z += 3) {
            const char *rest = nt_kinds[kind].dialect ? "" : "&fractal=ridged&octaves=3";
            const char *lod = nt_kinds[kind].abilities & NT_LIMITED ? "&lod=off" : "";
            long long x = some_place(z, z, &state), y = some_place(z, z + 1, &state);
            struct field coarse = field_of("%d/%lld/%lld?size=32&sampling=point&noise=%s%s%s", z, x,
                                           y, nt_kind_names[kind], lod, rest);
            struct field fine = field_of("%d/%lld/%lld?size=32&sampling=point&noise=%s%s%s", z + 1,
                                         2 * x, 2 * y, nt_kind_names[kind], lod, rest);
            for (int j = 0; j <= 16; j++)
                for (int i = 0; i <= 16; i++)
                    ck_assert(same_bits(&coarse.at[j * 33 + i], &fine.at[2 * j * 33 + 2 * i], 1));
            field_free(&coarse);
            field_free(&fine);
        }
}
END_TEST

/* ---- Grid and scatter ------------------------------------------------------------------------ */

/* A query for a native kind that differs in everything from round to round. */
static void random_query(uint64_t *state, int kind, char *query, size_t cap)
{
    static const char *const domains[] = {"world", "plane", "planet", "torus"};
    static const char *const fractals[] = {"none", "fbm&octaves=3", "ridged&octaves=2",
                                           "billow&octaves=3&lacunarity=2.7",
                                           "pingpong&octaves=2&persistence=-0.7"};
    static const char *const slices[] = {"", "", "&t=0", "&t=-2.7", "&t=1000000"};
    static const char *const warps[] = {"", "", "&warp=0.5", "&warp=3&warp_octaves=2"};
    bool closes = nt_kinds[kind].abilities & NT_CLOSES;
    int domain = (int)random_below(state, closes ? 4 : 3);
    bool sliced = closes || domain > 0;
    const char *slice = sliced ? slices[random_below(state, 5)] : "";
    const char *period = slice[0] && closes && random_below(state, 2) ? "&t_period=7" : "";
    const char *cell[] = {"", "&cell=f2", "&cell=f2-f1&jitter=0.3", "&cell=value"};

    snprintf(query, cap,
             "noise=%s&%s&domain=%s&fractal=%s%s%s%s%s&frequency=%.17g&seed=%d&size=%u&buffer=%u",
             nt_kind_names[kind], lod_off(kind), domains[domain], fractals[random_below(state, 5)],
             slice, period, warps[random_below(state, 4)],
             kind == NT_CELLULAR ? cell[random_below(state, 4)] : "",
             ldexp(random_unit(state) + 0.01, (int)random_below(state, 14)), (int)random_u32(state),
             random_below(state, 60) + 1, random_below(state, 17));
}

/* nt_sample at every sample's place is the tile. */
static void check_places(const struct field *f, const char *query)
{
    size_t side = (size_t)f->side;
    double *u = malloc(side * sizeof *u), *v = malloc(side * sizeof *v);
    double *row_v = malloc(side * sizeof *v), *row = malloc(side * sizeof *row);

    nt_grid_axis(&f->spec, &f->tile, 0, u);
    nt_grid_axis(&f->spec, &f->tile, 1, v);
    for (size_t j = 0; j < side; j++) {
        for (size_t i = 0; i < side; i++)
            row_v[i] = v[j];
        nt_sample(&f->spec, u, row_v, side, row);
        if (nt_is_float64(&f->spec)) /* the tile's field is rounded */
            for (size_t i = 0; i < side; i++)
                row[i] = (double)(float)row[i];
        ck_assert_msg(same_values(f->at + j * side, row, side), "%d/%lld/%lld?%s row %zu",
                      f->tile.z, (long long)f->tile.x, (long long)f->tile.y, query, j);
    }
    free(u);
    free(v);
    free(row_v);
    free(row);
}

START_TEST(n30_grid_and_scatter_agree)
{
    uint64_t state = 25;

    for (int round = 0; round < 60 * NT_NATIVE_KINDS * (int)long_factor(); round++) {
        int z = (int)random_below(&state, NT_MAX_ZOOM + 1);
        long long x = some_place(z, round, &state),
                  y = some_place(z, (int)random_below(&state, 4), &state);
        char query[512];
        random_query(&state, round % NT_NATIVE_KINDS, query, sizeof query);
        struct field f =
            field_of("%d/%lld/%lld?sampling=%s&%s", z, x, y, round % 2 ? "point" : "cell", query);
        check_places(&f, query);
        field_free(&f);
    }
}
END_TEST

START_TEST(n30_a_dialects_tile_is_its_places_values)
{
    for (int q = 0; q < QUERIES; q++) {
        struct field f = field_of("3/-2/5?size=40&domain=plane&%s",
                                  strstr(queries[q], "domain=") ? "noise=inoise8" : queries[q]);
        if (nt_kinds[f.spec.noise].dialect)
            check_places(&f, queries[q]);
        field_free(&f);
    }
}
END_TEST

START_TEST(points_repeat_where_the_domain_does)
{
    const double u[] = {0.25, 1.25, -0.75, 1000.25}, v[] = {0.5, 0.5, 0.5, 0.5};
    double values[4];

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int domain = 0; domain < 3; domain++) {
            static const char *const domains[] = {"world", "torus", "planet"};
            if (domain == 1 && !(nt_kinds[kind].abilities & NT_CLOSES))
                continue;
            struct nt_spec spec = spec_of("noise=%s&%s&domain=%s", nt_kind_names[kind],
                                          lod_off(kind), domains[domain]);
            for (int axis = 0; axis < (domain == 1 ? 2 : 1); axis++) {
                nt_sample(&spec, axis ? v : u, axis ? u : v, 4, values);
                for (int i = 1; i < 4; i++)
                    ck_assert(memcmp(&values[i], &values[0], sizeof *values) == 0);
            }
        }
}
END_TEST

/* ---- Edges ----------------------------------------------------------------------------------- */

/* Largest step between neighbouring samples inside a tile. */
static double largest_step(const struct field *f)
{
    double most = 0;

    for (int j = 1; j < f->side; j++)
        for (int i = 1; i < f->side; i++) {
            const float *at = &f->at[j * f->side + i];
            most = fmax(most, fabs((double)at[0] - (double)at[-1]));
            most = fmax(most, fabs((double)at[0] - (double)at[-f->side]));
        }
    return most;
}

/*
 * N1, N3, N16, N42: the step from one tile to the next (its east side, or its south) is like any.
 */
static void check_edge(const char *query, int z, bool south, const long long from[2],
                       const long long to[2])
{
    struct field a = field_of("%d/%lld/%lld?%s", z, from[0], from[1], query),
                 b = field_of("%d/%lld/%lld?%s", z, to[0], to[1], query);
    double inside = fmax(largest_step(&a), largest_step(&b));
    double room = 1.1; /* one edge's largest step may by chance be larger than all inside */

    for (int j = 0; j < a.side; j++) {
        int last = south ? (a.side - 1) * a.side + j : j * a.side + a.side - 1;
        double step = fabs((double)a.at[last] - (double)b.at[south ? j : j * b.side]);
        ck_assert_msg(step <= inside * room + 1e-6, "%s, z=%d: %g across, %g inside", query, z,
                      step, inside);
    }
    field_free(&a);
    field_free(&b);
}

START_TEST(n1_n3_the_step_across_an_edge_is_ordinary)
{
    static const char *const plain[] = {
        "", "octaves=8&frequency=0.125", "octaves=12&frequency=0.125",
        "octaves=8&frequency=0.001&domain=plane", "octaves=12&frequency=0.001&domain=plane"};

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int q = 0; q < 5; q++) {
            char query[160];
            snprintf(query, sizeof query, "size=128&noise=%s%s%s", nt_kind_names[kind],
                     q ? "&" : "", plain[q]);
            check_edge(query, 5, false, (const long long[]){10, 10}, (const long long[]){11, 10});
            check_edge(query, 3, true, (const long long[]){3, 3}, (const long long[]){3, 4});
        }
    for (int q = 0; q < QUERIES; q++)
        check_edge(queries[q], 5, false, (const long long[]){10, 10}, (const long long[]){11, 10});
}
END_TEST

START_TEST(n42_the_world_closes_at_the_antimeridian)
{
    static const char *const rest[] = {"lacunarity=2&octaves=8",     "lacunarity=2.7&octaves=8",
                                       "fractal=ridged&octaves=3",   "fractal=billow&octaves=3",
                                       "fractal=pingpong&octaves=3", "warp=1"};

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int r = 0; r < 6; r++)
            for (int z = r % 3; z <= 12; z += 5) {
                long long last = (1LL << z) - 1, middle = (1LL << z) / 2;
                char query[128];
                snprintf(query, sizeof query, "size=96&noise=%s&%s", nt_kind_names[kind], rest[r]);
                check_edge(query, z, false, (const long long[]){last, middle},
                           (const long long[]){0, middle});
                if (!(nt_kinds[kind].abilities & NT_CLOSES))
                    continue;
                snprintf(query, sizeof query, "size=96&noise=%s&domain=torus&%s",
                         nt_kind_names[kind], rest[r]);
                check_edge(query, z, false, (const long long[]){last, middle},
                           (const long long[]){0, middle});
                check_edge(query, z, true, (const long long[]){middle, last},
                           (const long long[]){middle, 0});
            }
}
END_TEST

/* Without a pixel grid: 1 - 1e-12 worlds and 0 are the same place, for every number of cells. */
START_TEST(n42_n44_every_kind_closes_whatever_its_frequency)
{
    static const char *const rest[] = {
        "fractal=none",       "octaves=8&lacunarity=2.7",   "fractal=ridged&octaves=6&lacunarity=3",
        "fractal=none&t=0.4", "octaves=4&t=0.4&t_period=5", "warp=1.3&octaves=2"};
    static const char *const frequencies[] = {"0.3", "1", "2", "3", "7", "8.5", "1001"};
    enum { N = 32 };

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int r = 0; r < 6; r++)
            for (int f = 0; f < 7; f++)
                for (int torus = 0; torus < 2; torus++) {
                    double edge[2 * N], along[2 * N], value[2][2 * N];
                    bool closes = nt_kinds[kind].abilities & NT_CLOSES;
                    if (!closes && (torus || strstr(rest[r], "t=")))
                        continue;
                    struct nt_spec spec =
                        spec_of("noise=%s&%s&domain=%s&frequency=%s&%s", nt_kind_names[kind],
                                lod_off(kind), torus ? "torus" : "world", frequencies[f], rest[r]);
                    for (int i = 0; i < N; i++) {
                        edge[i] = 0;
                        edge[N + i] = 1 - 1e-12;
                        along[i] = along[N + i] = (i + 0.31) / N;
                    }
                    nt_sample(&spec, edge, along, 2 * N, value[0]);
                    nt_sample(&spec, along, edge, 2 * N, value[1]);
                    for (int axis = 0; axis <= torus; axis++)
                        for (int i = 0; i < N; i++)
                            ck_assert_msg(fabs(value[axis][i] - value[axis][N + i]) < 2e-5,
                                          "%s %s, %s cells, axis %d: %g and %g",
                                          nt_kind_names[kind], rest[r], frequencies[f], axis,
                                          value[axis][i], value[axis][N + i]);
                }
}
END_TEST

START_TEST(n44_octaves_close_whatever_their_frequency)
{
    /* Every octave's cells per world are whole, at least 1, so its lattice repeats. */
    static const char *const starts[] = {"3.3", "0.2", "8"};

    for (int kind = 0; kind < NT_NATIVE_KINDS; kind++)
        for (int octaves = 1; octaves <= 8; octaves++) {
            bool closes = nt_kinds[kind].abilities & NT_CLOSES;
            struct nt_spec spec = spec_of(
                "noise=%s&domain=%s&frequency=%s&lacunarity=2.7&octaves=%d", nt_kind_names[kind],
                closes ? "torus" : "plane", starts[octaves % 3], octaves);
            struct nt_plan plan;
            nt_plan_make(&plan, &spec, NT_PLAN_NOISE);
            ck_assert_int_eq(plan.count, octaves);
            for (int o = 0; closes && o < octaves; o++) {
                const struct nt_octave *octave = &plan.octave[o];
                double whole = fmax(1, floor(spec.frequency * pow(2.7, o) + 0.5));
                int64_t even = (int64_t)whole % 2 != 0 && kind == NT_SIMPLEX;
                ck_assert_double_eq(octave->frequency, whole);
                ck_assert_int_eq(octave->axis[0].period, (int64_t)whole);
                ck_assert_int_eq(octave->axis[1].period, (int64_t)whole + even);
                ck_assert_double_eq(octave->axis[1].frequency, whole + (double)even);
            }
        }
}
END_TEST

START_TEST(n16_negative_columns_are_ordinary)
{
    for (int kind = 0; kind < NT_KINDS; kind++) {
        char query[64];
        snprintf(query, sizeof query, "noise=%s&domain=plane", nt_kind_names[kind]);
        bool whole = nt_dialect_top(nt_kinds[kind].dialect) > 0; /* steps of whole numbers */
        if (whole)
            continue;
        check_edge(query, 3, false, (const long long[]){-1, 0}, (const long long[]){0, 0});
        check_edge(query, 3, false, (const long long[]){-1, -1}, (const long long[]){0, -1});
        check_edge(query, 3, true, (const long long[]){0, -1}, (const long long[]){0, 0});
        check_edge(query, 3, false, (const long long[]){-10001, -3},
                   (const long long[]){-10000, -3});
    }
}
END_TEST

Suite *seams_suite(void)
{
    Suite *suite = suite_create("seams");
    TCase *tc = tcase_create("seams");

    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, n1_h57_a_double_tile_is_the_mosaic_of_its_children);
    tcase_add_test(tc, a_buffer_holds_the_neighbours_pixels);
    tcase_add_test(tc, neighbours_share_their_edge_of_grid_points);
    tcase_add_test(tc, grid_points_of_a_zoom_are_grid_points_of_the_next);
    tcase_add_test(tc, n30_grid_and_scatter_agree);
    tcase_add_test(tc, n30_a_dialects_tile_is_its_places_values);
    tcase_add_test(tc, points_repeat_where_the_domain_does);
    tcase_add_test(tc, n1_n3_the_step_across_an_edge_is_ordinary);
    tcase_add_test(tc, n42_the_world_closes_at_the_antimeridian);
    tcase_add_test(tc, n42_n44_every_kind_closes_whatever_its_frequency);
    tcase_add_test(tc, n44_octaves_close_whatever_their_frequency);
    tcase_add_test(tc, n16_negative_columns_are_ordinary);
    suite_add_tcase(suite, tc);
    return suite;
}
