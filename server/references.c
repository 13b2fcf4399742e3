/*
 * references.c - the lists of reference requests, and their bytes. A change of a list makes a new
 * tests/golden/verify.txt and a new digest in verify.c, but no new engine version.
 */
#include "server/references.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Canonical URLs, small enough that all take some 40 ms. */
static const char *const samples[] = {
    /* Every kind: flat, a slice of space, on the sphere. */
    "/tile/3/2/5.bin?size=32",
    "/tile/4/11/3.bin?t=0.75&size=32",
    "/tile/2/3/0.bin?domain=planet&size=32",
    "/tile/3/2/5.bin?noise=simplex&size=32",
    "/tile/4/11/3.bin?noise=simplex&t=0.75&size=32",
    "/tile/2/3/0.bin?noise=simplex&domain=planet&size=32",
    "/tile/3/2/5.bin?noise=opensimplex2s&size=32",
    "/tile/4/11/3.bin?noise=opensimplex2s&t=0.75&domain=plane&size=32",
    "/tile/2/3/0.bin?noise=opensimplex2s&domain=planet&size=32",
    "/tile/3/2/5.bin?noise=value&size=32",
    "/tile/4/11/3.bin?noise=value&t=0.75&size=32",
    "/tile/2/3/0.bin?noise=value&domain=planet&size=32",
    "/tile/3/2/5.bin?noise=cellular&size=32",
    "/tile/4/11/3.bin?noise=cellular&t=0.75&size=32",
    "/tile/2/3/0.bin?noise=cellular&domain=planet&size=32",
    "/tile/3/2/5.bin?noise=white&size=32",
    "/tile/4/11/3.bin?noise=white&t=0.75&size=32",
    "/tile/2/3/0.bin?noise=white&domain=planet&size=32",

    /* Domains: both edges of the world, textures, the plane left and right of 0. */
    "/tile/1/0/1.bin?frequency=5.5&size=16&buffer=16",
    "/tile/2/-3/6.bin?frequency=7&domain=torus&size=24",
    "/tile/5/-1/-40.bin?domain=plane&size=24",
    "/tile/1/0/1.bin?noise=simplex&frequency=5.5&size=16&buffer=16",
    "/tile/2/-3/6.bin?noise=simplex&frequency=7&domain=torus&size=24",
    "/tile/5/-1/-40.bin?noise=simplex&domain=plane&size=24",
    "/tile/1/0/1.bin?noise=opensimplex2s&frequency=5.5&size=16&buffer=16",
    "/tile/5/-1/-40.bin?noise=opensimplex2s&domain=plane&size=24",
    "/tile/1/0/1.bin?noise=value&frequency=5.5&size=16&buffer=16",
    "/tile/2/-3/6.bin?noise=value&frequency=7&domain=torus&size=24",
    "/tile/5/-1/-40.bin?noise=value&domain=plane&size=24",
    "/tile/1/0/1.bin?noise=cellular&frequency=5.5&size=16&buffer=16",
    "/tile/2/-3/6.bin?noise=cellular&frequency=7&domain=torus&size=24",
    "/tile/5/-1/-40.bin?noise=cellular&domain=plane&size=24",
    "/tile/1/0/1.bin?noise=white&frequency=5.5&size=16&buffer=16",
    "/tile/2/-3/6.bin?noise=white&frequency=7&domain=torus&size=24",
    "/tile/5/-1/-40.bin?noise=white&domain=plane&size=24",
    "/tile/1/0/0.bin?noise=simplex&t=-0.25&domain=torus&size=24",
    "/tile/1/1/1.bin?t=2.5&domain=planet&size=24",
    "/tile/20/524287/-700000.bin?domain=plane&size=24",

    /* Fractals. */
    "/tile/3/4/2.bin?fractal=none&size=24",
    "/tile/3/4/2.bin?fractal=ridged&size=24",
    "/tile/3/4/2.bin?fractal=billow&size=24",
    "/tile/3/4/2.bin?fractal=pingpong&size=24",
    "/tile/3/4/2.bin?noise=opensimplex2s&fractal=none&size=24",
    "/tile/3/4/2.bin?noise=opensimplex2s&fractal=ridged&size=24",
    "/tile/3/4/2.bin?noise=opensimplex2s&fractal=billow&size=24",
    "/tile/3/4/2.bin?noise=opensimplex2s&fractal=pingpong&size=24",
    "/tile/3/4/2.bin?noise=cellular&fractal=none&size=24",
    "/tile/3/4/2.bin?noise=cellular&fractal=ridged&size=24",
    "/tile/3/4/2.bin?noise=cellular&fractal=billow&size=24",
    "/tile/3/4/2.bin?noise=cellular&fractal=pingpong&size=24",
    "/tile/3/4/2.bin?noise=simplex&fractal=ridged&t=1&size=24",
    "/tile/3/4/2.bin?noise=value&fractal=pingpong&domain=planet&size=24",

    /* Octaves, weights, the band limit. */
    "/tile/0/0/0.bin?octaves=1&frequency=0.001&size=24",
    "/tile/2/1/1.bin?octaves=32&lacunarity=1&persistence=1&size=24",
    "/tile/6/40/9.bin?octaves=12&lacunarity=2.7&persistence=-0.6&size=24",
    "/tile/6/40/9.bin?octaves=12&lacunarity=2.7&persistence=0.9&lod=off&size=24",
    "/tile/1/1/0.bin?octaves=8&lacunarity=8&persistence=2&amplitude=1000000&size=24",
    "/tile/4/7/7.bin?frequency=60&amplitude=0.3&size=32",
    "/tile/7/3/100.bin?noise=value&octaves=20&frequency=3.3&lod=off&size=24",
    "/tile/7/3/100.bin?noise=simplex&octaves=20&frequency=3.3&size=24",
    "/tile/7/3/100.bin?noise=opensimplex2s&octaves=20&frequency=3.3&domain=planet&lod=off&size=16",

    /* Domain warp. */
    "/tile/3/6/1.bin?warp=1.5&size=16",
    "/tile/3/6/1.bin?noise=simplex&warp=1.5&size=16",
    "/tile/3/6/1.bin?noise=opensimplex2s&warp=1.5&size=16",
    "/tile/3/6/1.bin?noise=value&warp=1.5&size=16",
    "/tile/3/6/1.bin?noise=cellular&warp=1.5&size=16",
    "/tile/3/6/1.bin?noise=white&warp=1.5&size=16",
    "/tile/3/6/1.bin?warp=16&warp_octaves=8&size=16",
    "/tile/3/0/1.bin?warp=0.5&warp_octaves=3&domain=planet&size=16",
    "/tile/3/-1/1.bin?noise=simplex&warp=0.5&domain=torus&size=16",
    "/tile/3/6/1.bin?noise=value&warp=0.5&t=3&size=16",
    "/tile/3/6/1.bin?noise=cellular&fractal=billow&warp=2&size=16",

    /* As deep as it goes. */
    "/tile/30/536870919/5.bin?frequency=1048576&size=24",
    "/tile/30/536870919/5.bin?noise=simplex&frequency=1048576&size=24",
    "/tile/30/536870919/5.bin?noise=opensimplex2s&frequency=1048576&size=24",
    "/tile/30/536870919/5.bin?noise=value&frequency=1048576&size=24",
    "/tile/30/536870919/5.bin?noise=cellular&frequency=1048576&size=24",
    "/tile/30/536870919/5.bin?noise=white&frequency=1048576&size=24",
    "/tile/30/1073741823/1073741823.bin?octaves=32&frequency=1048576&size=16",
    "/tile/30/1073741823/1073741823.bin?noise=simplex&octaves=32&frequency=1048576&size=16",
    "/tile/30/1073741823/1073741823.bin?noise=cellular&octaves=32&frequency=1048576&size=16",
    "/tile/30/0/0.bin?frequency=1048576&domain=planet&size=16",
    "/tile/30/3/1073741820.bin?noise=value&frequency=1048576&domain=torus&size=16",
    "/tile/30/-2147483648/2147483647.bin?frequency=1048576&domain=plane&size=16",
    "/tile/24/9000000/7000000.bin?size=16",

    /* Grids of places. */
    "/tile/3/2/5.bin?size=16&sampling=point",
    "/tile/3/2/5.bin?noise=simplex&size=7&sampling=point&buffer=3",
    "/tile/3/2/5@2x.bin?noise=value&size=16",
    "/tile/3/2/5@3x.bin?noise=cellular&size=5&buffer=1",
    "/tile/3/2/5@4x.bin?fractal=ridged&size=16&sampling=point&buffer=16",
    "/tile/0/0/0.bin?size=1",
    "/tile/3/7/5.bin?noise=opensimplex2s&domain=planet&size=16&sampling=point&buffer=2",
    "/tile/0/0/0.bin?octaves=2&size=257",

    /* Seeds. */
    "/tile/2/1/2.bin?seed=9223372036854775807&size=16",
    "/tile/2/1/2.bin?seed=-9223372036854775808&size=16",
    "/tile/2/1/2.bin?noise=simplex&seed=9223372036854775807&size=16",
    "/tile/2/1/2.bin?noise=simplex&seed=-9223372036854775808&size=16",
    "/tile/2/1/2.bin?noise=opensimplex2s&seed=9223372036854775807&size=16",
    "/tile/2/1/2.bin?noise=opensimplex2s&seed=-9223372036854775808&size=16",
    "/tile/2/1/2.bin?noise=value&seed=9223372036854775807&size=16",
    "/tile/2/1/2.bin?noise=value&seed=-9223372036854775808&size=16",
    "/tile/2/1/2.bin?noise=cellular&seed=9223372036854775807&size=16",
    "/tile/2/1/2.bin?noise=cellular&seed=-9223372036854775808&size=16",
    "/tile/2/1/2.bin?noise=white&seed=9223372036854775807&size=16",
    "/tile/2/1/2.bin?noise=white&seed=-9223372036854775808&size=16",
    "/tile/2/1/2.bin?seed=-1&size=16",
    "/tile/2/1/2.bin?seed=4294967296&size=16",
    "/tile/2/1/2.bin?noise=simplex&seed=1&t=0&size=16",

    /* Cells. */
    "/tile/3/1/2.bin?noise=cellular&cell=f2&size=24",
    "/tile/3/1/2.bin?noise=cellular&cell=f2-f1&size=24",
    "/tile/3/1/2.bin?noise=cellular&cell=value&size=24",
    "/tile/3/1/2.bin?noise=cellular&jitter=0&size=24",
    "/tile/3/1/2.bin?noise=cellular&cell=f2&jitter=0.5&size=24",
    "/tile/3/1/2.bin?noise=cellular&cell=f2-f1&jitter=0.25&size=24",
    "/tile/3/1/2.bin?noise=cellular&t=0.5&cell=f2-f1&size=16",
    "/tile/3/1/2.bin?noise=cellular&domain=planet&cell=f2&jitter=0.75&size=16",
    "/tile/3/1/2.bin?noise=cellular&fractal=none&domain=torus&cell=value&jitter=0.5&size=16",

    /* Time that repeats, and far times. */
    "/tile/2/2/1.bin?t=5.5&t_period=4&size=16",
    "/tile/2/2/1.bin?noise=simplex&t=5.5&t_period=4&size=16",
    "/tile/2/2/1.bin?noise=value&t=5.5&t_period=4&size=16",
    "/tile/2/2/1.bin?noise=cellular&t=5.5&t_period=4&size=16",
    "/tile/2/2/1.bin?noise=white&t=5.5&t_period=4&size=16",
    "/tile/2/2/1.bin?t=-1000000&size=16",
    "/tile/2/2/1.bin?noise=simplex&t=999999.5&t_period=65536&size=16",

    /* Dialects as tiles. */
    "/tile/3/2/5.bin?noise=simplex-rombauts&fractal=none&size=24",
    "/tile/3/-1/4.bin?noise=simplex-rombauts&size=24",
    "/tile/3/2/5.bin?noise=simplex-splitmix&fractal=none&size=24",
    "/tile/3/-1/4.bin?noise=simplex-splitmix&size=24",
    "/tile/3/2/5.bin?noise=perlin-eiserloh&fractal=none&size=24",
    "/tile/3/-1/4.bin?noise=perlin-eiserloh&size=24",
    "/tile/3/2/5.bin?noise=perlin-eiserloh-recursive&fractal=none&size=24",
    "/tile/3/-1/4.bin?noise=perlin-eiserloh-recursive&size=24",
    "/tile/3/2/5.bin?noise=inoise8&fractal=none&size=24",
    "/tile/3/-1/4.bin?noise=inoise8&size=24",
    "/tile/3/2/5.bin?noise=inoise16&fractal=none&size=24",
    "/tile/3/-1/4.bin?noise=inoise16&size=24",
    "/tile/3/2/5.bin?noise=inoise8-3.0&fractal=none&size=24",
    "/tile/3/-1/4.bin?noise=inoise8-3.0&size=24",
    "/tile/3/2/5.bin?noise=inoise16-3.0&fractal=none&size=24",
    "/tile/3/-1/4.bin?noise=inoise16-3.0&size=24",
    "/tile/3/2/5.bin?noise=inoise8&t=1.375&size=16",
    "/tile/3/2/5.bin?noise=inoise16&t=1.375&size=16",
    "/tile/3/2/5.bin?noise=inoise8-3.0&t=1.375&size=16",
    "/tile/3/2/5.bin?noise=inoise16-3.0&t=1.375&size=16",
    "/tile/3/2/5.bin?noise=simplex-rombauts&octaves=9&frequency=3.7&lacunarity=2.3"
    "&persistence=-0.4&size=16",
    "/tile/3/2/5.bin?noise=simplex-splitmix&seed=-9223372036854775808&octaves=7"
    "&lacunarity=1.9&persistence=0.7&amplitude=2.5&size=16",
    "/tile/3/2/5.bin?noise=perlin-eiserloh&seed=9223372036854775807&octaves=7"
    "&persistence=0.7&amplitude=2.5&size=16",
    "/tile/3/2/5.bin?noise=perlin-eiserloh-recursive&octaves=7&persistence=0.7&amplitude=2.5"
    "&size=16",

    /* Single places: points, lines, grids, degrees. */
    "/sample?x=-0.375&y=0.2&nx=40&dx=0.0137&ny=5&dy=-0.31",
    "/sample?noise=simplex&x=-0.375&y=0.2&nx=40&dx=0.0137&ny=5&dy=-0.31",
    "/sample?noise=opensimplex2s&x=-0.375&y=0.2&nx=40&dx=0.0137&ny=5&dy=-0.31",
    "/sample?noise=value&x=-0.375&y=0.2&nx=40&dx=0.0137&ny=5&dy=-0.31",
    "/sample?noise=cellular&x=-0.375&y=0.2&nx=40&dx=0.0137&ny=5&dy=-0.31",
    "/sample?noise=white&x=-0.375&y=0.2&nx=40&dx=0.0137&ny=5&dy=-0.31",
    "/sample?x=0&y=0",
    "/sample?x=2147483648&y=-2147483648",
    "/sample?noise=simplex&x=-2147483647.125&y=1000000.3&nx=9&dx=0.1",
    "/sample?frequency=1&domain=plane&x=1048576.5&y=-3000000.25&nx=9&dx=0.1",
    "/sample?noise=cellular&domain=torus&x=3.7&y=-8.1&nx=20&dx=0.3&ny=3&dy=0.7",
    "/sample?warp=2&x=0.1&y=0.9&nx=30&dx=0.07",
    "/sample?noise=value&domain=planet&lon=180&lat=90",
    "/sample?noise=value&domain=planet&lon=-180&lat=-90",
    "/sample?domain=planet&lon=13.4&lat=52.5&nx=10&dx=0.001&ny=3&dy=0.002",
    "/sample?noise=opensimplex2s&lon=-0.1&lat=-51.5",
    "/sample?noise=white&t=2&x=0.3&y=0.4&nx=20&dx=0.05",

    /* Single places of dialects, double precision where they have it, one dimension. */
    "/sample?noise=simplex-rombauts&fractal=none&frequency=1&x=-3.875&y=7.3&nx=30&dx=0.173",
    "/sample?noise=simplex-rombauts&octaves=4&x=-3.875&y=7.3&nx=30&dx=0.173&ny=2&dy=100.5",
    "/sample?noise=simplex-splitmix&fractal=none&frequency=1&x=-3.875&y=7.3&nx=30&dx=0.173",
    "/sample?noise=simplex-splitmix&octaves=4&x=-3.875&y=7.3&nx=30&dx=0.173&ny=2&dy=100.5",
    "/sample?noise=perlin-eiserloh&fractal=none&frequency=1&x=-3.875&y=7.3&nx=30&dx=0.173",
    "/sample?noise=perlin-eiserloh&octaves=4&x=-3.875&y=7.3&nx=30&dx=0.173&ny=2&dy=100.5",
    "/sample?noise=perlin-eiserloh-recursive&fractal=none&frequency=1&x=-3.875&y=7.3&nx=30"
    "&dx=0.173",
    "/sample?noise=perlin-eiserloh-recursive&octaves=4&x=-3.875&y=7.3&nx=30&dx=0.173&ny=2&dy=100.5",
    "/sample?noise=inoise8&fractal=none&frequency=1&x=-3.875&y=7.3&nx=30&dx=0.173",
    "/sample?noise=inoise8&octaves=4&x=-3.875&y=7.3&nx=30&dx=0.173&ny=2&dy=100.5",
    "/sample?noise=inoise16&fractal=none&frequency=1&x=-3.875&y=7.3&nx=30&dx=0.173",
    "/sample?noise=inoise16&octaves=4&x=-3.875&y=7.3&nx=30&dx=0.173&ny=2&dy=100.5",
    "/sample?noise=inoise8-3.0&fractal=none&frequency=1&x=-3.875&y=7.3&nx=30&dx=0.173",
    "/sample?noise=inoise8-3.0&octaves=4&x=-3.875&y=7.3&nx=30&dx=0.173&ny=2&dy=100.5",
    "/sample?noise=inoise16-3.0&fractal=none&frequency=1&x=-3.875&y=7.3&nx=30&dx=0.173",
    "/sample?noise=inoise16-3.0&octaves=4&x=-3.875&y=7.3&nx=30&dx=0.173&ny=2&dy=100.5",
    "/sample?noise=simplex-rombauts&fractal=none&frequency=1&x=-8.00000095&nx=60&dx=0.37",
    "/sample?noise=simplex-rombauts&octaves=6&frequency=0.7&lacunarity=2.1&persistence=0.6"
    "&x=-100.3&nx=60&dx=3.3",
    "/sample?noise=simplex-splitmix&seed=1337&x=2147483648&y=-1000000.7&nx=5&dx=-0.1",
    "/sample?noise=inoise8&fractal=none&frequency=0.00390625&t=1.5&x=-77&y=3000&nx=30&dx=97",
    "/sample?noise=inoise16&fractal=none&frequency=0.00390625&t=1.5&x=-77&y=3000&nx=30&dx=97",
};

static const char *const png[] = {
    /* Noise: literals alone. */
    "/tile/1/0/1.png",
    "/tile/1/0/1.png?noise=simplex&size=128",
    "/tile/1/0/1.png?noise=opensimplex2s&size=128",
    "/tile/1/0/1.png?noise=value&size=128",
    "/tile/1/0/1.png?noise=cellular&size=128",
    "/tile/1/0/1.png?noise=white&size=128",
    "/tile/1/0/1.png?fractal=ridged&size=128",
    "/tile/1/0/1.png?fractal=pingpong&size=128",
    "/tile/1/0/1.png?octaves=12&frequency=64&lod=off&size=128",
    "/tile/1/0/1.png?amplitude=3&size=128",

    /* Flat, smooth, few values: repeats. */
    "/tile/1/0/1.png?amplitude=0",
    "/tile/1/0/1.png?amplitude=0.1",
    "/tile/1/0/1.png?octaves=2",
    "/tile/1/0/1.png?octaves=3&size=512",
    "/tile/1/0/1.png?fractal=none",
    "/tile/1/0/1.png?fractal=none&frequency=1",
    "/tile/1/0/1.png?frequency=0.1",
    "/tile/1/0/1.png?noise=cellular&fractal=none",
    "/tile/1/0/1.png?noise=cellular&fractal=none&cell=value",
    "/tile/1/0/1.png?noise=cellular&fractal=none&cell=f2-f1",
    "/tile/1/0/1.png?noise=white&fractal=none",
    "/tile/1/0/1.png?noise=white&fractal=none&frequency=32",
    "/tile/1/0/1.png?min=-0.1&max=0.1",
    "/tile/1/0/1.png?min=0&max=0.01",

    /* Sizes and kinds. */
    "/tile/3/2/5.png?size=1",
    "/tile/3/2/5.png?size=2",
    "/tile/3/2/5.png?size=7",
    "/tile/3/2/5.png?size=33",
    "/tile/3/2/5.png?size=100&buffer=3",
    "/tile/3/2/5@3x.png?seed=-5&size=33",
    "/tile/0/0/0.png?domain=planet&size=257",
    "/tile/3/2/5.png?noise=inoise8&size=96",
    "/tile/3/2/5.png?noise=simplex-rombauts&size=96",

    /* 16 bits. */
    "/tile/1/0/1.png?bits=16",
    "/tile/1/0/1.png?size=3&bits=16",
    "/tile/1/0/1.png?fractal=none&size=128&bits=16",
    "/tile/1/0/1.png?fractal=none&frequency=0.1&bits=16",
    "/tile/1/0/1.png?amplitude=0&size=128&bits=16",
    "/tile/1/0/1.png?noise=white&size=128&bits=16",

    /* Terrain. */
    "/tile/1/0/1.png?size=128&style=terrarium",
    "/tile/1/0/1.png?size=5&style=terrarium",
    "/tile/1/0/1.png?fractal=none&frequency=0.1&size=128&style=terrarium",
    "/tile/1/0/1.png?size=128&style=mapbox",
    "/tile/1/0/1.png?amplitude=0&size=128&style=mapbox",
    "/tile/1/0/1.png?frequency=0.1&size=128&style=mapbox",

    /* Colours, with and without alpha. */
    "/tile/1/0/1.png?size=128&style=color",
    "/tile/1/0/1.png?size=128&style=color&ramp=topo",
    "/tile/1/0/1.png?fractal=none&size=128&style=color&ramp=turbo",
    "/tile/1/0/1.png?size=128&style=color&ramp=0:00008000,0.5:2060ff,1:ffffff80",
    "/tile/1/0/1.png?size=128&style=color&ramp=0:000080,0.4:000080,0.4001:ff8000",
    "/tile/1/0/1.png?size=31&style=color&ramp=0:ff0000,0.5:ff0000,0.5001:00ff00,1:00ff0080",
};

static const struct {
    const char *const *urls;
    size_t count;
} lists[REFERENCES_LISTS] = {
    [REFERENCES_SAMPLES] = {samples, sizeof samples / sizeof *samples},
    [REFERENCES_PNG] = {png, sizeof png / sizeof *png},
};

size_t references_count(enum references list)
{
    return lists[list].count;
}

const char *references_url(enum references list, size_t i)
{
    assert(i < references_count(list));
    return lists[list].urls[i];
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static unsigned char *put_little_endian(unsigned char *out, uint64_t bits, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        *out++ = (unsigned char)(bits >> (8 * i));
    return out;
}

static unsigned char *put_float(unsigned char *out, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return put_little_endian(out, bits, sizeof bits);
}

static unsigned char *put_double(unsigned char *out, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return put_little_endian(out, bits, sizeof bits);
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

static unsigned char *field_bytes(const struct nt_workspace *workspace, size_t n, size_t *len)
{
    unsigned char *bytes, *out;

    *len = n * sizeof(float);
    bytes = out = malloc(*len);
    for (size_t i = 0; bytes != NULL && i < n; i++)
        out = put_float(out, nt_field(workspace)[i]);
    return bytes;
}

static unsigned char *file_bytes(struct nt_workspace *workspace, const struct nt_spec *spec,
                                 const struct nt_tile *tile, size_t *len)
{
    struct nt_bytes file;
    unsigned char *bytes;

    if (nt_encode(workspace, spec, tile, &file) != NT_OK)
        return NULL;
    bytes = malloc(file.len);
    if (bytes != NULL)
        memcpy(bytes, file.data, file.len);
    *len = file.len;
    return bytes;
}

/* query: where it begins in the URL, or the end. */
static unsigned char *tile_bytes(const char *path, const char *query,
                                 struct nt_workspace *workspace, size_t *len)
{
    static const struct nt_limits limits = {NT_MAX_SIZE_DEFAULT};
    struct nt_tile tile;
    struct nt_spec spec;
    struct nt_error err;
    size_t path_len = (size_t)(query - path);
    enum nt_status status;

    query += *query == '?';
    status = nt_request_parse(&tile, &spec, &limits, path, path_len, query, strlen(query), &err);
    assert(status == NT_OK);
    if (nt_fill(workspace, &spec, &tile) != NT_OK)
        return NULL;
    if (spec.format == NT_PNG)
        return file_bytes(workspace, &spec, &tile, len);
    return field_bytes(workspace, (size_t)nt_side(&spec) * (size_t)nt_side(&spec), len);
}

/* ---- Single places --------------------------------------------------------------------------- */

static bool is_given(const struct nt_spec *spec, const char *name)
{
    struct nt_param_info info;

    for (size_t i = 0; i < nt_param_count(); i++) {
        nt_param_describe(i, &info);
        if (strcmp(info.name, name) == 0)
            return (spec->given >> i & 1) != 0;
    }
    return false;
}

/* A row of values; noise of one dimension has no y. */
static void sample_row(const struct nt_spec *spec, int64_t row, double *places, double *values)
{
    bool flat = is_given(spec, "y") || is_given(spec, "lat");
    size_t n = (size_t)spec->nx;

    for (size_t i = 0; i < n; i++) {
        places[i] = spec->x + (double)i * spec->dx;
        places[n + i] = spec->y + (double)row * spec->dy;
    }
    nt_sample(spec, places, flat ? places + n : NULL, n, values);
}

static unsigned char *place_bytes(const char *query, size_t *len)
{
    struct nt_spec spec;
    struct nt_error err;
    enum nt_status status = nt_sample_request_parse(&spec, query, strlen(query), &err);
    bool wide = nt_is_float64(&spec);
    size_t n = (size_t)spec.nx;
    double *places = malloc(3 * n * sizeof *places);
    unsigned char *bytes, *out;

    assert(status == NT_OK);
    *len = n * (size_t)spec.ny * (wide ? sizeof(double) : sizeof(float));
    bytes = out = malloc(*len);
    for (int64_t row = 0; bytes != NULL && places != NULL && row < spec.ny; row++) {
        const double *values = places + 2 * n;

        sample_row(&spec, row, places, places + 2 * n);
        for (size_t i = 0; i < n; i++)
            out = wide ? put_double(out, values[i]) : put_float(out, (float)values[i]);
    }
    if (places == NULL) {
        free(bytes);
        bytes = NULL;
    }
    free(places);
    return bytes;
}

unsigned char *references_bytes(enum references list, size_t i, struct nt_workspace *workspace,
                                size_t *len)
{
    static const char tile[] = "/tile/";
    const char *url = references_url(list, i), *query = url + strcspn(url, "?");

    if (strncmp(url, tile, sizeof tile - 1) == 0)
        return tile_bytes(url + sizeof tile - 1, query, workspace, len);
    return place_bytes(query + 1, len);
}
