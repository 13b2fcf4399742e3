/*
 * viewer.js - the server's own page as a visitor meets it: opened, looked at, and judged by what
 * it asks for, shows and writes into its address. All it knows of how the page is made is that
 * tiles are img elements.
 */
import assert from 'node:assert/strict';
import { assertTilesCame, isTile, settle, tilesAsked, withPage } from './browser.js';
import { assertNotBlank, screenshot } from './pictures.js';

export const hashOf = (page) => page.evaluate(() => window.location.hash);
export const zoomOf = (url) => Number(/\/tile\/(\d+)\//.exec(url)[1]);

/* Hands a viewer page that is complete to `body`; at its end nothing may have gone wrong. */
export const onViewer = (body, { hash = '', ...options } = {}) => (world) =>
    withPage(world.browser, `${world.tiles}/${hash}`, async (seen) => {
        await settle(seen);
        await assertViewComplete(world, seen);
        await body({ world, seen, page: seen.page });
        await settle(seen);
        await assertViewComplete(world, seen);
    }, options);

/* A tile that scrolled away while it was loading is cancelled by the page: no failure. */
function dropCancelled(seen) {
    seen.complaints = seen.complaints.filter(
        (text) => !(/\/tile\//.test(text) && text.endsWith('net::ERR_ABORTED')));
}

async function assertViewComplete(world, seen) {
    dropCancelled(seen);
    await assertTilesCame(seen);
    for (const request of seen.asked)
        assert.equal(new URL(request.url()).origin, world.tiles, 'the page asks nobody else');
    for (const request of seen.asked.filter(isTile))
        assert.match(request.url(), /[?&]v=/, 'tiles carry the version, to be kept for ever');
    const broken = await seen.page.$$eval('img', (images) => images
        .filter((img) => !(img.complete && img.naturalWidth > 0)).map((img) => img.src));
    assert.deepEqual(broken, []);
}

/*
 * Does something with the page; returns { before, after: location.hash, urls: tiles asked since }.
 * The address may follow a moment later than the picture: it is waited for.
 */
export async function acting(seen, action) {
    const before = await hashOf(seen.page), asked = tilesAsked(seen).length;

    await action();
    await seen.page.waitForFunction((old) => window.location.hash !== old, before,
        { timeout: 5000 });
    await settle(seen);
    return { before, after: await hashOf(seen.page), urls: tilesAsked(seen).slice(asked) };
}

/* Takes a picture of a page that should be full of noise. */
export async function look(world, page, name) {
    assertNotBlank(await screenshot(world, page, name));
}
