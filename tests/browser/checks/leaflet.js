/*
 * leaflet.js - a Leaflet map across the antimeridian: all tiles come, and neighbours meet.
 */
import assert from 'node:assert/strict';
import { assertTilesCame, settle, withPage } from '../support/browser.js';
import { assertNotBlank, screenshot } from '../support/pictures.js';

/* Runs in the page: where each tile is in the grid, whether it is there, and its four edges. */
function readTiles() {
    const step = (a, b) => a.reduce((most, v, i) => Math.max(most, Math.abs(v - b[i])), 0);

    return [...document.querySelectorAll('img.leaflet-tile')].map((img) => {
        const canvas = new OffscreenCanvas(256, 256).getContext('2d');
        canvas.drawImage(img, 0, 0);
        const { data } = canvas.getImageData(0, 0, 256, 256);
        const column = (x) => Array.from({ length: 256 }, (_, y) => data[4 * (256 * y + x)]);
        const row = (y) => Array.from({ length: 256 }, (_, x) => data[4 * (256 * y + x)]);
        const along = (line) => Math.max(
            ...Array.from({ length: 255 }, (_, i) => step(line(i), line(i + 1))));
        const { x, y } = L.DomUtil.getPosition(img);
        const [z, tileX, tileY] = img.src.match(/\d+\/\d+\/\d+/)[0].split('/').map(Number);
        return {
            place: { x: Math.round(x / 256), y: Math.round(y / 256) }, z, tileX, tileY,
            complete: img.complete,
            naturalWidth: img.naturalWidth,
            naturalHeight: img.naturalHeight,
            west: column(0), east: column(255), north: row(0), south: row(255),
            stepX: along(column), stepY: along(row),
        };
    });
}

const step = (a, b) => Math.max(...a.map((v, i) => Math.abs(v - b[i])));
const at = (tiles, x, y) => tiles.find((tile) => tile.place.x === x && tile.place.y === y);

/* [tile, the one dx columns and dy rows further on the screen] of all that have such a one. */
function pairs(tiles, dx, dy) {
    return tiles.map((tile) => [tile, at(tiles, tile.place.x + dx, tile.place.y + dy)])
        .filter(([, neighbour]) => neighbour !== undefined);
}

/* No step across an edge is larger than the largest inside the two tiles. */
function assertEdgesMeet(tiles) {
    for (const [tile, east] of pairs(tiles, 1, 0)) {
        assert.equal(east.tileX, (tile.tileX + 1) % 2 ** tile.z, 'Leaflet wraps x');
        assert.ok(step(tile.east, east.west) <= Math.max(tile.stepX, east.stepX),
            `a seam between ${tile.z}/${tile.tileX}/${tile.tileY} and its neighbour to the east`);
    }
    for (const [tile, below] of pairs(tiles, 0, 1))
        assert.ok(step(tile.south, below.north) <= Math.max(tile.stepY, below.stepY),
            `a seam between ${tile.z}/${tile.tileX}/${tile.tileY} and its neighbour to the south`);
}

async function shown(seen) {
    await seen.page.waitForFunction(() => window.loaded);
    await settle(seen);
    assert.deepEqual(await seen.page.evaluate(() => window.failed), []);
    await assertTilesCame(seen);
}

export const leafletChecks = {
    'Leaflet shows all tiles, and they meet across the antimeridian': (world) =>
        withPage(world.browser, `${world.site}/leaflet.html?tiles=${world.tiles}`, async (seen) => {
            await shown(seen);
            const tiles = await seen.page.evaluate(readTiles);
            const pictures = { complete: true, naturalWidth: 256, naturalHeight: 256 };

            assert.ok(tiles.length >= 12, `only ${tiles.length} tiles`);
            for (const { complete, naturalWidth, naturalHeight } of tiles)
                assert.deepEqual({ complete, naturalWidth, naturalHeight }, pictures);
            assertEdgesMeet(tiles);

            const crossing = pairs(tiles, 1, 0).filter(([a, b]) => a.tileX === 7 && b.tileX === 0);
            assert.ok(crossing.length > 0, 'the view does not cross the antimeridian');
            /* The measure itself can fail: tiles that are no neighbours do not meet. */
            for (const [a, b] of crossing)
                assert.ok(step(a.west, b.east) > Math.max(a.stepX, b.stepX));

            assertNotBlank(await screenshot(world, seen.page, 'leaflet.png'));
        }),

    /* Cross-Origin-Embedder-Policy: require-corp, and tiles asked for without CORS: only their
     * Cross-Origin-Resource-Policy lets them in. */
    'an isolated page may embed tiles': (world) =>
        withPage(world.browser, `${world.site}/leaflet.html?isolated&plain&tiles=${world.tiles}`,
            async (seen) => {
                await shown(seen);
                assert.ok(await seen.page.evaluate(() => window.crossOriginIsolated));
                const widths = await seen.page.$$eval('img.leaflet-tile',
                    (tiles) => tiles.map((tile) => tile.naturalWidth));
                assert.ok(widths.length > 0 && widths.every((width) => width === 256));

                /* The rule is in force: a picture without that header is kept out. */
                const embeds = (url) => seen.page.evaluate((src) => new Promise((resolve) => {
                    const img = new Image();
                    img.onload = () => resolve(true);
                    img.onerror = () => resolve(false);
                    img.src = src;
                }), url);
                const marker = '/node_modules/leaflet/dist/images/marker-icon.png';
                assert.equal(await embeds(world.site + marker), true);
                assert.equal(await embeds(world.siteAlias + marker), false);
            }),
};
