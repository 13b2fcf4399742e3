/*
 * Samples to pixels of colour and of terrain: decoded again, compared with the samples. H21, H26,
 * H59, H60, H61, N13.
 */
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "core/style/color.h"
#include "core/style/quantise.h"
#include "core/style/ramp.h"
#include "tests/suites.h"
#include "tests/support/tiles.h"

/* ---- Whole numbers --------------------------------------------------------------------------- */

/* The definition, one sample at a time. */
static uint32_t defined(const struct nt_scale *s, float sample)
{
    double t = ((double)sample - s->min) / s->range;
    double x = ((s->low + t * s->rise) + s->shift) * s->per + 0.5;

    if (!(x > 0.0))
        return 0;
    return x >= s->top ? (uint32_t)s->top : (uint32_t)x;
}

enum { QUANTISED = 4096 };

static void check_levels(const struct nt_scale *s, const float *samples, size_t n)
{
    static unsigned char bytes[QUANTISED], big[2 * QUANTISED], little[2 * QUANTISED],
        triples[3 * QUANTISED + 1];
    const struct nt_quantise_kernel *kernel = nt_quantiser();
    struct nt_scale narrow = *s, middle = *s;

    narrow.top = 255.0;
    middle.top = 65535.0;
    triples[3 * n] = 0xa5;
    kernel->bytes(&narrow, samples, n, bytes);
    kernel->big_words(&middle, samples, n, big);
    kernel->little_words(&middle, samples, n, little);
    kernel->triples(s, samples, n, triples);
    ck_assert_int_eq(triples[3 * n], 0xa5);
    for (size_t i = 0; i < n; i++) {
        const unsigned char *b = big + 2 * i, *l = little + 2 * i, *t = triples + 3 * i;
        uint32_t of_16 = defined(&middle, samples[i]);
        if (bytes[i] != defined(&narrow, samples[i]) || b[0] * 256U + b[1] != of_16 ||
            l[1] * 256U + l[0] != of_16 ||
            t[0] * 65536U + t[1] * 256U + t[2] != defined(s, samples[i]))
            ck_abort_msg("%s: sample %a of min %a, range %a, rise %a", nt_level(),
                         (double)samples[i], s->min, s->range, s->rise);
    }
}

/* A number of any size and sign, often a plain one. */
static double some_number(uint64_t *state)
{
    static const double plain[] = {0, 1, -1, 0.5, 255, -4000, 8848, 1e6};

    if (random_below(state, 2))
        return plain[random_below(state, 8)];
    return ldexp(random_unit(state) - 0.5, (int)random_below(state, 40) - 20);
}

static struct nt_scale some_scale(uint64_t *state)
{
    static const double tops[] = {255, 65535, 16777215};
    struct nt_scale s = {.min = -1, .range = 2, .per = 1, .top = 16777215};
    int kind = (int)random_below(state, 5);

    if (random_below(state, 3)) {
        s.min = some_number(state);
        s.range = fabs(some_number(state)) + ldexp(1.0, (int)random_below(state, 60) - 50);
    }
    if (kind < 3) {
        s.rise = tops[kind];
        return s;
    }
    s.low = some_number(state);
    s.rise = some_number(state);
    s.shift = kind == 3 ? 32768 : 10000;
    s.per = kind == 3 ? 256 : 10;
    return s;
}

/* A sample where one level ends and the next begins, as nearly as a float can lie there or some
 * fraction of a level beside it; or anywhere. */
static float some_sample(const struct nt_scale *s, uint64_t *state)
{
    double end = (random_below(state, 256) + 0.5) * (random_below(state, 2) ? 1 : 257);
    double beside = ldexp(random_unit(state) - 0.5, -(int)random_below(state, 40));
    double t = (((end + beside) / s->per - s->shift) - s->low) / s->rise;
    float sample = (float)(s->min + t * s->range);

    if (random_below(state, 8) == 0 || !isfinite(sample))
        sample = (float)(s->min + (random_unit(state) * 3 - 1) * s->range);
    for (uint32_t i = random_below(state, 5); i > 0; i--)
        sample = nextafterf(sample, beside > 0 ? INFINITY : -INFINITY);
    return isfinite(sample) ? sample : 0.0f;
}

START_TEST(n13_whole_numbers_are_what_their_definition_says_at_every_level)
{
    static const float ends[] = {0.0f, -0.0f, 1e-45f, -1e-45f, 3.4e38f, -3.4e38f, 1.0f, -1.0f};
    static float samples[QUANTISED];
    uint64_t state = 51;

    for (int round = 0; round < 2000 * (int)long_factor(); round++) {
        struct nt_scale s = some_scale(&state);
        size_t n = random_below(&state, QUANTISED + 1);
        for (size_t i = 0; i < n; i++)
            samples[i] = i < 8 ? ends[i] : some_sample(&s, &state);
        ck_assert(nt_init(round % 2 ? "baseline" : "auto"));
        check_levels(&s, samples, n);
    }
}
END_TEST

/* Flat tiles, often on the border between two levels. */
START_TEST(equal_samples_are_equal_levels)
{
    static float samples[QUANTISED];
    uint64_t state = 52;

    for (int round = 0; round < 300; round++) {
        struct nt_scale s = some_scale(&state);
        size_t n = random_below(&state, 300);
        float sample = some_sample(&s, &state);
        for (size_t i = 0; i < n; i++)
            samples[i] = sample;
        check_levels(&s, samples, n);
    }
}
END_TEST

/* Ranges so narrow, wide or empty that the arithmetic overflows: whatever the definition says. */
START_TEST(overflow_is_what_the_definition_makes_of_it)
{
    static const double ranges[] = {5e-324, 1e-300, 1e-38, 1e38, 1e300, 1.7e308};
    static float samples[64];
    uint64_t state = 53;

    for (size_t r = 0; r < 6; r++)
        for (int rise = 0; rise < 3; rise++) {
            struct nt_scale s = {.min = rise - 1.0, .range = ranges[r], .top = 16777215};
            s.rise = rise == 0 ? 0.0 : rise == 1 ? 65535.0 : -1e6;
            s.low = rise == 2 ? 1e6 : 0.0;
            s.per = 1.0;
            for (size_t i = 0; i < 64; i++)
                samples[i] = (float)ldexp(random_unit(&state) - 0.5, (int)i * 4 - 126);
            check_levels(&s, samples, 64);
        }
}
END_TEST

/* ---- Terrain --------------------------------------------------------------------------------- */

/* As clients decode. */
static double height(const unsigned char *rgb, bool mapbox)
{
    if (mapbox)
        return -10000 + (rgb[0] * 65536 + rgb[1] * 256 + rgb[2]) * 0.1;
    return rgb[0] * 256 + rgb[1] + rgb[2] / 256.0 - 32768;
}

static double step_of(bool mapbox)
{
    return mapbox ? 0.1 : 1 / 256.0;
}

static const char *const dem_names[] = {"terrarium", "mapbox"};

START_TEST(h60_decoded_heights_are_the_samples_within_half_a_step)
{
    static const char *const ranges[] = {"", "&elevation=0,9000", "&elevation=3000,-5000",
                                         "&elevation=-100,100&min=0&max=0.5",
                                         "&sampling=point&buffer=2"};

    for (int mapbox = 0; mapbox < 2; mapbox++)
        for (int r = 0; r < 5; r++) {
            char url[200];
            snprintf(url, sizeof url, "3/2/5@2x.png?size=64&style=%s%s", dem_names[mapbox],
                     ranges[r]);
            struct field f = field_of("%s", url);
            struct picture p = picture_drawn(url);
            ck_assert_int_eq(p.color_type, PNG_COLOR_TYPE_RGB);
            ck_assert_int_eq(p.depth, 8);
            ck_assert_int_eq(p.width, f.side);
            for (int i = 0; i < f.side * f.side; i++) {
                double h = f.spec.elevation[0] + ((double)f.at[i] - f.spec.min) /
                                                     (f.spec.max - f.spec.min) *
                                                     (f.spec.elevation[1] - f.spec.elevation[0]);
                double error = fabs(height(p.pixels + 3 * i, mapbox) - h);
                if (!(error <= step_of(mapbox) / 2 * 1.000001))
                    ck_abort_msg("%s: %g off %g", url, error, h);
            }
            free(p.pixels);
            field_free(&f);
        }
}
END_TEST

/* Samples of our own through a style: what a workspace of `side` pixels would draw. */
static struct nt_image styled(struct nt_workspace *workspace, const struct nt_spec *spec,
                              const float *samples, int side, nt_style *style)
{
    struct nt_spec sized = *spec;
    struct nt_image image;
    size_t bytes = (size_t)side * (size_t)side * sizeof *samples;

    sized.size = side;
    memcpy(nt_reserve(workspace, NT_USE_FIELD, bytes), samples, bytes);
    ck_assert_int_eq(style(workspace, &sized, &image), NT_OK);
    ck_assert_int_eq(image.width, side);
    ck_assert_int_eq(image.depth, 8);
    return image;
}

START_TEST(h59_heights_rise_with_the_samples_and_never_spike)
{
    enum { SIDE = 256, N = SIDE * SIDE };
    static float samples[N];
    struct nt_workspace *workspace = nt_workspace_new();

    for (int i = 0; i < N; i++)
        samples[i] = -1 + 2 * (float)i / (N - 1);
    for (int mapbox = 0; mapbox < 2; mapbox++) {
        struct nt_spec spec = spec_of("style=%s&elevation=-4000,4000", dem_names[mapbox]);
        struct nt_image image = styled(workspace, &spec, samples, SIDE, nt_style_dem);
        for (int i = 1; i < N; i++) {
            double rise =
                height(image.pixels + 3 * i, mapbox) - height(image.pixels + 3 * i - 3, mapbox);
            ck_assert_msg(rise >= 0 && rise < 8000.0 / N + 2 * step_of(mapbox), "%g at %d", rise,
                          i);
        }
    }
    nt_workspace_free(workspace);
}
END_TEST

START_TEST(h26_heights_beyond_the_encoding_are_its_ends)
{
    /* heights are a million times as many metres */
    static const float samples[] = {-2, 2, -1.0000001f, 1.7f, -1e30f, 1e30f, 1.99f, 3, -0.5f};
    struct nt_workspace *workspace = nt_workspace_new();

    for (int mapbox = 0; mapbox < 2; mapbox++) {
        struct nt_spec spec = spec_of("style=%s&elevation=-1000000,1000000", dem_names[mapbox]);
        struct nt_image image = styled(workspace, &spec, samples, 3, nt_style_dem);
        static const unsigned char low[] = {0, 0, 0}, high[] = {255, 255, 255};
        for (int i = 0; i < 9; i++)
            ck_assert_msg(memcmp(image.pixels + 3 * i, samples[i] < 0 ? low : high, 3) == 0,
                          "%s, sample %g", dem_names[mapbox], (double)samples[i]);
    }
    nt_workspace_free(workspace);
    struct picture p =
        picture_drawn("0/0/0?style=mapbox&elevation=-1000000,1000000&amplitude=1000000");
    int ends = 0;
    for (int i = 0; i < 65536; i++) {
        uint32_t value = (uint32_t)p.pixels[3 * i] << 16 | (uint32_t)p.pixels[3 * i + 1] << 8 |
                         p.pixels[3 * i + 2];
        ends += value == 0 || value == 0xffffff;
    }
    ck_assert_int_eq(ends, 65536);
    free(p.pixels);
}
END_TEST

START_TEST(heights_go_on_beyond_min_and_max)
{
    static const float samples[] = {-2, -1, 0, 1, 2, 3, 0, 0, 0};
    static const double heights[] = {-1000, 0, 1000, 2000, 3000, 4000};
    struct nt_workspace *workspace = nt_workspace_new();
    struct nt_spec spec = spec_of("style=terrarium&elevation=0,2000");
    struct nt_image image = styled(workspace, &spec, samples, 3, nt_style_dem);

    for (int i = 0; i < 6; i++)
        ck_assert_double_eq(height(image.pixels + 3 * i, false), heights[i]);
    nt_workspace_free(workspace);
}
END_TEST

/* ---- Colour ---------------------------------------------------------------------------------- */

static struct nt_ramp ramp_of(const char *text)
{
    struct nt_ramp ramp, stops;
    const char *fault = nt_ramp_parse(text, strlen(text), &ramp);

    ck_assert_msg(!fault, "%s: %s", text, fault);
    nt_ramp_expand(&ramp, &stops);
    return stops;
}

static void check_color(const struct nt_ramp *stops, double position, uint32_t rgba)
{
    unsigned char is[4];

    nt_ramp_color(stops, position, is);
    uint32_t packed = (uint32_t)is[0] << 24 | (uint32_t)is[1] << 16 | (uint32_t)is[2] << 8 | is[3];
    ck_assert_msg(packed == rgba, "at %.17g: %08x, not %08x", position, packed, rgba);
}

START_TEST(stops_have_exactly_their_colours)
{
    struct nt_ramp own = ramp_of("0:000000,0.25:ff8800,0.75:0088ff40,1:FFffFF80");

    check_color(&own, 0, 0x000000ff);
    check_color(&own, 0.25, 0xff8800ff);
    check_color(&own, 0.75, 0x0088ff40);
    check_color(&own, 1, 0xffffff80);
    for (int i = 0; nt_ramp_names[i]; i++) {
        struct nt_ramp named = ramp_of(nt_ramp_names[i]);
        for (int k = 0; k < named.count; k++) {
            const unsigned char *c = named.color[k];
            check_color(&named, named.position[k],
                        (uint32_t)c[0] << 24 | (uint32_t)c[1] << 16 | (uint32_t)c[2] << 8 | c[3]);
        }
        ck_assert(named.position[0] == 0 && named.position[named.count - 1] == 1);
    }
}
END_TEST

START_TEST(between_stops_colours_are_linear_rounded_half_up)
{
    struct nt_ramp own = ramp_of("0:000000,1:ff6401fe");

    check_color(&own, 0.5, 0x803201ff); /* 127.5 -> 128, 50, 0.5 -> 1, 254.5 -> 255 */
    check_color(&own, 0.25, 0x401900ff);
    for (int i = 0; i <= 1000; i++) {
        double t = i / 1000.0;
        unsigned char is[4];
        nt_ramp_color(&own, t, is);
        ck_assert_int_eq(is[0], (int)floor(255 * t + 0.5));
        ck_assert_int_eq(is[1], (int)floor(100 * t + 0.5));
    }
}
END_TEST

START_TEST(n13_beyond_the_ramp_are_its_ends)
{
    struct nt_ramp own = ramp_of("0.25:102030,0.5:405060");
    static const double below[] = {-1e300, -1, -1e-9, 0, 0.2499999},
                        above[] = {0.5, 0.50001, 1, 1.0000001, 1e300};

    for (int i = 0; i < 5; i++) {
        check_color(&own, below[i], 0x102030ff);
        check_color(&own, above[i], 0x405060ff);
    }
    check_color(&own, (double)INFINITY, 0x405060ff);
    check_color(&own, -(double)INFINITY, 0x102030ff);
}
END_TEST

START_TEST(h61_equal_samples_have_equal_colours_in_every_tile)
{
    /* Tiles apart, with other extremes: a pixel's colour is a function of its sample alone. */
    static const char *const places[] = {"0/0/0", "3/1/6", "7/100/3@2x", "12/9/9"};
    struct nt_ramp stops = ramp_of("turbo");

    for (int t = 0; t < 4; t++) {
        char url[128];
        snprintf(url, sizeof url, "%s?style=color&ramp=turbo&size=96&min=-0.6&max=0.4", places[t]);
        struct field f = field_of("%s", url);
        struct picture p = picture_drawn(url);
        ck_assert_int_eq(p.color_type, PNG_COLOR_TYPE_RGB); /* never a palette */
        for (int i = 0; i < f.side * f.side; i++) {
            unsigned char is[4];
            nt_ramp_color(&stops, ((double)f.at[i] - -0.6) / (0.4 - -0.6), is);
            ck_assert_mem_eq(p.pixels + 3 * i, is, 3);
        }
        free(p.pixels);
        field_free(&f);
    }
}
END_TEST

START_TEST(a_ramp_with_alpha_makes_an_rgba_picture)
{
    struct picture p =
        picture_drawn("0/0/0?style=color&ramp=0:ff000000,1:00ff00ff&min=-0.5&max=0.5");
    struct field f = field_of("0/0/0?style=color&ramp=0:ff000000,1:00ff00ff&min=-0.5&max=0.5");

    ck_assert_int_eq(p.color_type, PNG_COLOR_TYPE_RGB_ALPHA);
    for (int i = 0; i < 65536; i++) {
        double t = fmin(1, fmax(0, (double)f.at[i] + 0.5));
        ck_assert_int_eq(p.pixels[4 * i + 3], (int)floor(255 * t + 0.5));
        ck_assert_int_eq(p.pixels[4 * i + 2], 0);
    }
    free(p.pixels);
    field_free(&f);
    p = picture_drawn("0/0/0?style=color&ramp=0:ff0000ff,1:00ff00"); /* opaque after all */
    ck_assert_int_eq(p.color_type, PNG_COLOR_TYPE_RGB);
    free(p.pixels);
}
END_TEST

START_TEST(a_gray_ramp_is_the_gray_style)
{
    struct picture color = picture_drawn("2/1/1?style=color&ramp=gray"),
                   gray = picture_drawn("2/1/1?style=gray");

    for (int i = 0; i < 65536; i++)
        for (int c = 0; c < 3; c++)
            ck_assert_int_eq(color.pixels[3 * i + c], gray.pixels[i]);
    free(color.pixels);
    free(gray.pixels);
}
END_TEST

/* Stops at random, sometimes almost in one place. */
static struct nt_ramp some_ramp(uint64_t *state)
{
    struct nt_ramp ramp = {.named = -1};
    int most = 2 + (int)random_below(state, random_below(state, 2) ? 5 : 63);
    double position = random_below(state, 2) ? 0 : random_unit(state) / 4;
    bool opaque = random_below(state, 2);

    if (random_below(state, 2))
        return ramp_of(nt_ramp_names[random_below(state, 12)]);
    while (ramp.count < most && position <= 1) {
        unsigned char *color = ramp.color[ramp.count];
        ramp.position[ramp.count++] = position;
        for (int c = 0; c < 4; c++)
            color[c] = (unsigned char)random_below(state, 256);
        color[3] = opaque ? 255 : color[3];
        position += ldexp(random_unit(state) + 1e-3, -(int)random_below(state, most > 8 ? 12 : 6));
    }
    if (ramp.count < 2)
        return ramp_of("gray");
    return ramp;
}

/* At or beside a stop, or where a channel goes from one level to the next; or anywhere. */
static float some_colored(const struct nt_spec *spec, uint64_t *state)
{
    const struct nt_ramp *ramp = &spec->ramp;
    int i = 1 + (int)random_below(state, (uint32_t)ramp->count - 1),
        c = (int)random_below(state, 4);
    double from = ramp->position[i - 1], span = ramp->position[i] - from, t = 0;
    double rise = (double)ramp->color[i][c] - ramp->color[i - 1][c];

    if (random_below(state, 4) && rise != 0)
        t = (random_below(state, (uint32_t)fabs(rise)) + 0.5 +
             ldexp(random_unit(state) - 0.5, -(int)random_below(state, 40))) /
            fabs(rise);
    double position = random_below(state, 6) ? from + t * span : random_unit(state) * 1.4 - 0.2;
    float sample = (float)(spec->min + position * (spec->max - spec->min));
    for (uint32_t k = random_below(state, 4); k > 0; k--)
        sample = nextafterf(sample, t > 0.5 ? INFINITY : -INFINITY);
    return sample;
}

START_TEST(h61_a_tiles_colours_are_the_ramps_at_every_level)
{
    enum { SIDE = 61, N = SIDE * SIDE };
    static float samples[N];
    struct nt_workspace *workspace = nt_workspace_new();
    uint64_t state = 54;

    for (int round = 0; round < 600 * (int)long_factor(); round++) {
        struct nt_spec spec = spec_of("style=color");
        spec.ramp = some_ramp(&state);
        spec.ramp.named = -1;
        if (random_below(&state, 3)) {
            spec.min = some_number(&state);
            spec.max = spec.min + fabs(some_number(&state)) +
                       ldexp(1.0, (int)random_below(&state, 70) - 60);
        }
        bool flat = random_below(&state, 10) == 0;
        for (int i = 0; i < N; i++)
            samples[i] = flat && i ? samples[0] : some_colored(&spec, &state);
        ck_assert(nt_init(round % 2 ? "baseline" : "auto"));
        struct nt_image image = styled(workspace, &spec, samples, SIDE, nt_style_color);
        for (int i = 0; i < N; i++) {
            unsigned char is[4];
            nt_ramp_color(&spec.ramp, ((double)samples[i] - spec.min) / (spec.max - spec.min), is);
            if (memcmp(image.pixels + image.channels * i, is, (size_t)image.channels) != 0)
                ck_abort_msg("%s: sample %a of %a to %a, %d stops", nt_level(), (double)samples[i],
                             spec.min, spec.max, spec.ramp.count);
        }
    }
    nt_workspace_free(workspace);
}
END_TEST

/* ---- Ramps as text --------------------------------------------------------------------------- */

START_TEST(h21_what_is_no_ramp_is_refused_with_the_names)
{
    static const char *const bad[] = {"nope",
                                      "VIRIDIS",
                                      "viridis ",
                                      "",
                                      ",",
                                      ":",
                                      "0:000000",
                                      "0:000000,",
                                      ",0:000000,1:ffffff",
                                      "0:000000,,1:ffffff",
                                      "0:00000,1:ffffff",
                                      "0:0000000,1:ffffff",
                                      "0:000000000,1:ffffff",
                                      "0:00000g,1:ffffff",
                                      "0:%23000000,1:ffffff",
                                      "0:000000,0:ffffff", /* duplicate stops */
                                      "0:000000,0.5:111111,0.5:222222,1:ffffff",
                                      "1:000000,0:ffffff",
                                      "-0.1:000000,1:ffffff",
                                      "0:000000,1.1:ffffff",
                                      "nan:000000,1:ffffff",
                                      "0:000000,inf:ffffff",
                                      "0:000000,1e400:ffffff",
                                      "0:000000,1e-400:ffffff",
                                      "00:000000,1:ffffff",
                                      "0:000000,.5:ffffff",
                                      "0:000000,+1:ffffff",
                                      "[[0,\"000000\"],[1,",
                                      "{\"stops\":[",
                                      "0:000000%001:ffffff",
                                      "0:000000;1:ffffff",
                                      "0=000000,1=ffffff",
                                      "0:000000 ,1:ffffff",
                                      "0:0x0000,1:ffffff",
                                      "0:-00000,1:ffffff"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char url[256];
        snprintf(url, sizeof url, "0/0/0?style=color&ramp=%s", bad[i]);
        struct nt_error err = parse_bad(url);
        ck_assert_msg(err.status == NT_BAD_PARAMETER, "%s: %s", bad[i], err.detail);
        ck_assert_str_eq(err.parameter, "ramp");
        ck_assert_msg(strstr(err.allowed, "viridis magma inferno"), "%s: %s", bad[i], err.allowed);
    }
}
END_TEST

/* n stops at equal distances, `digits` behind the point. */
static char *many_stops(int n, int digits)
{
    char *text = malloc((size_t)n * (size_t)(digits + 16) + 64), *at = text;

    at += sprintf(at, "0/0/0?style=color&ramp=");
    for (int i = 0; i < n; i++)
        at += sprintf(at, "%s%.*f:%06x", i ? "," : "", digits, i / (double)n, i);
    return text;
}

START_TEST(h21_sixty_four_stops_are_the_most)
{
    struct nt_tile tile;
    struct nt_spec spec;
    char *fits = many_stops(64, 9), *over = many_stops(65, 9), *huge = many_stops(100000, 9);

    parse_ok(fits, &tile, &spec);
    ck_assert_int_eq(spec.ramp.count, 64);
    ck_assert_str_eq(parse_bad(over).parameter, "ramp");
    ck_assert_str_eq(parse_bad(huge).parameter, "ramp");
    free(fits);
    free(over);
    free(huge);
}
END_TEST

/* The longest canonical texts: shorter to write than to print. */
START_TEST(h21_a_ramp_grows_in_canonical_form_without_harm)
{
    char url[4096], again[NT_URL_MAX], text[NT_TEXT_MAX], *at = url;
    struct nt_tile tile;
    struct nt_spec spec, reparsed;

    at += sprintf(at, "0/0/0?style=color&ramp=");
    for (int i = 0; i < 64; i++) /* 17 characters that are 20 in canonical form */
        at += sprintf(at, "%s%.11fe-6:%06x", i ? "," : "", 1.00000000001 + i * 0.1, i);
    parse_ok(url, &tile, &spec);
    nt_spec_text(&spec, text, sizeof text);
    ck_assert_uint_gt(strlen(text), 64 * 25);
    snprintf(again, sizeof again, "0/0/0?%s", text);
    parse_ok(again, &tile, &reparsed);
    ck_assert_mem_eq(&spec.ramp, &reparsed.ramp, sizeof spec.ramp);
}
END_TEST

START_TEST(a_ramps_text_is_canonical)
{
    static const struct {
        const char *ramp, *text;
    } cases[] = {
        {"viridis", ""},
        {"magma", "style=color&ramp=magma"},
        {"0:000000,1:FFFFFF", "style=color&ramp=0:000000,1:ffffff"},
        {"0.0:000000ff,1e0:ffffff", "style=color&ramp=0:000000,1:ffffff"},
        {"0:000000,0.50:ABCDEF80,1:ffffff", "style=color&ramp=0:000000,0.5:abcdef80,1:ffffff"},
        {"0%3A000000%2C1%3Affffff", "style=color&ramp=0:000000,1:ffffff"},
        {"-0:000000,1:ffffff", "style=color&ramp=0:000000,1:ffffff"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[NT_TEXT_MAX];
        struct nt_spec spec = spec_of("style=color&ramp=%s", cases[i].ramp);
        nt_spec_text(&spec, text, sizeof text);
        ck_assert_str_eq(text, cases[i].text[0] ? cases[i].text : "style=color");
    }
}
END_TEST

Suite *style_suite(void)
{
    Suite *suite = suite_create("style");
    TCase *tc = tcase_create("style");

    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, n13_whole_numbers_are_what_their_definition_says_at_every_level);
    tcase_add_test(tc, equal_samples_are_equal_levels);
    tcase_add_test(tc, overflow_is_what_the_definition_makes_of_it);
    tcase_add_test(tc, h60_decoded_heights_are_the_samples_within_half_a_step);
    tcase_add_test(tc, h59_heights_rise_with_the_samples_and_never_spike);
    tcase_add_test(tc, h26_heights_beyond_the_encoding_are_its_ends);
    tcase_add_test(tc, heights_go_on_beyond_min_and_max);
    tcase_add_test(tc, stops_have_exactly_their_colours);
    tcase_add_test(tc, between_stops_colours_are_linear_rounded_half_up);
    tcase_add_test(tc, n13_beyond_the_ramp_are_its_ends);
    tcase_add_test(tc, h61_equal_samples_have_equal_colours_in_every_tile);
    tcase_add_test(tc, h61_a_tiles_colours_are_the_ramps_at_every_level);
    tcase_add_test(tc, a_ramp_with_alpha_makes_an_rgba_picture);
    tcase_add_test(tc, a_gray_ramp_is_the_gray_style);
    tcase_add_test(tc, h21_what_is_no_ramp_is_refused_with_the_names);
    tcase_add_test(tc, h21_sixty_four_stops_are_the_most);
    tcase_add_test(tc, h21_a_ramp_grows_in_canonical_form_without_harm);
    tcase_add_test(tc, a_ramps_text_is_canonical);
    suite_add_tcase(suite, tc);
    return suite;
}
