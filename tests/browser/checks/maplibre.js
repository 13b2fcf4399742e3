/*
 * maplibre.js - a MapLibre map (WebGL, tiles by fetch) across the antimeridian.
 */
import assert from 'node:assert/strict';
import { assertTilesCame, settle, tilesAsked, withPage } from '../support/browser.js';
import { assertNotBlank, columnStep, screenshot } from '../support/pictures.js';

/* The antimeridian is in the middle of the picture. Controls are in the corners: their rows are
 * left out. */
function assertNoSeamInTheMiddle(picture) {
    const top = 100, bottom = picture.height - 100, middle = picture.width / 2;
    let elsewhere = 0, here = 0;

    for (let x = middle - 200; x < middle + 200; x++) {
        const step = columnStep(picture, x, top, bottom);
        if (Math.abs(x - middle) <= 2)
            here = Math.max(here, step);
        else
            elsewhere = Math.max(elsewhere, step);
    }
    assert.ok(here <= elsewhere, `at the antimeridian a step of ${here}, elsewhere ${elsewhere}`);
}

const view = (options) => (world) =>
    withPage(world.browser, `${world.site}/maplibre.html?${options.query}tiles=${world.tiles}`,
        async (seen) => {
            await seen.page.waitForFunction(() => window.idle);
            await settle(seen);
            assert.deepEqual(await seen.page.evaluate(() => window.failed), []);
            assert.ok(await seen.page.evaluate(() => window.map.areTilesLoaded()));
            await assertTilesCame(seen);

            for (const column of ['/tile/3/7/', '/tile/3/0/'])
                assert.ok(tilesAsked(seen).some((url) => url.includes(column)),
                    'the view crosses the antimeridian');

            const picture = await screenshot(world, seen.page, options.picture);
            assertNotBlank(picture);
            assertNoSeamInTheMiddle(picture);
        });

export const maplibreChecks = {
    'MapLibre shows all tiles, and they meet across the antimeridian':
        view({ query: '', picture: 'maplibre.png' }),
    'MapLibre shows them on an isolated page':
        view({ query: 'isolated&', picture: 'maplibre-isolated.png' }),
};
