/*
 * viewer.js - the server's own page on a desk: mouse, wheel, keyboard, address, sharp screens.
 * Fingers are in viewer_touch.js.
 */
import assert from 'node:assert/strict';
import { tilesAsked, settle } from '../support/browser.js';
import { screenshot } from '../support/pictures.js';
import { acting, hashOf, look, onViewer, zoomOf } from '../support/viewer.js';

const CENTRE = { x: 512, y: 384 };

async function drag(page, dx, dy) {
    await page.mouse.move(CENTRE.x, CENTRE.y);
    await page.mouse.down();
    await page.mouse.move(CENTRE.x + dx, CENTRE.y + dy, { steps: 8 });
    await page.mouse.up();
}

async function opens({ world, page, seen }) {
    const urls = tilesAsked(seen);

    assert.equal(new Set(urls).size, urls.length, 'no tile is asked for twice');
    assert.ok(urls.every((url) => !url.includes('@')), 'plain tiles on a plain screen');
    assert.equal(await page.evaluate(() => document.title !== ''), true);
    await look(world, page, 'page.png');
}

async function mouseMovesAndZooms({ page, seen }) {
    const moved = await acting(seen, () => drag(page, -400, -150));
    assert.ok(moved.urls.length > 0, 'dragging brings new tiles');
    const zoom = zoomOf(moved.urls[0]);

    const zoomed = await acting(seen, async () => {
        for (let turn = 0; turn < 4; turn++)
            await page.mouse.wheel(0, -240);
    });
    assert.ok(zoomed.urls.some((url) => zoomOf(url) > zoom), 'the wheel brings finer tiles');
}

async function keysMoveAndZoom({ page, seen }) {
    const press = (key) => acting(seen, () => page.keyboard.press(key));
    const zoom = zoomOf(tilesAsked(seen)[0]);

    await page.keyboard.press('Tab'); /* the map is the first thing to be reached */
    assert.ok((await press('+')).urls.some((url) => zoomOf(url) > zoom), '+ brings finer tiles');
    const opposites = { ArrowRight: 'ArrowLeft', ArrowDown: 'ArrowUp', '+': '-' };
    for (const [there, back] of Object.entries(opposites)) {
        const { before } = await press(there);
        assert.equal((await press(back)).after, before, `${back} takes ${there} back`);
    }
}

/* Whoever moves by keys sees that the map is what they move. */
async function focusShows({ world, page }) {
    const without = await screenshot(world, page, 'page-no-focus.png');
    await page.keyboard.press('Tab');
    const focused = await screenshot(world, page, 'page-focus.png');

    assert.ok(!without.grey.equals(focused.grey), 'nothing on the screen shows the focus');
}

/* Whoever is sent the address sees the same place, also at the far end of the zoom range. */
async function addressBringsBack({ page, seen }) {
    await acting(seen, () => drag(page, -120, 60));
    const hash = await hashOf(page), shown = await shownTiles(page);

    await page.goto('about:blank');
    await page.goBack();
    await settle(seen);
    assert.equal(await hashOf(page), hash);
    assert.deepEqual(await shownTiles(page), shown);
}

const shownTiles = async (page) =>
    (await page.$$eval('img', (images) => images.map((img) => img.src))).sort();

/* Moving over the antimeridian leaves what was on the screen there: no flash of background. */
async function antimeridianIsNoBorder({ page, seen }) {
    const asked = tilesAsked(seen).length;

    await page.$$eval('img', (images) => images.forEach((img) => { img.seenBefore = true; }));
    await acting(seen, () => drag(page, -60, 0));
    const [kept, all] = await page.$$eval('img', (images) =>
        [images.filter((img) => img.seenBefore).length, images.length]);
    assert.ok(kept > 0.5 * all, `${kept} of ${all} tiles outlived a step over the antimeridian`);
    assert.ok(tilesAsked(seen).length - asked <= all - kept);
}

async function sharpScreenGetsSharpTiles({ seen, page }) {
    const urls = tilesAsked(seen);

    assert.ok(urls.length > 0 && urls.every((url) => /@2x\.png/.test(url)), urls[0]);
    const sizes = await page.$$eval('img', (images) => images.map((img) => img.naturalWidth));
    assert.ok(sizes.every((size) => size === 512), `${sizes}`);
}

export const viewerChecks = {
    'the page opens': onViewer(opens),
    'the page: dragging and the wheel bring other tiles':
        onViewer(mouseMovesAndZooms, { hash: '#4/30/20' }),
    'the page: keys move and zoom, and take it back':
        onViewer(keysMoveAndZoom, { hash: '#4/0/0' }),
    'the page: the focus shows': onViewer(focusShows),
    'the page: its address brings the view back': onViewer(addressBringsBack, { hash: '#5/47/11' }),
    'the page: its address works at zoom 30':
        onViewer(addressBringsBack, { hash: '#30/47.3700000/8.5400000' }),
    'the page: the antimeridian is no border':
        onViewer(antimeridianIsNoBorder, { hash: '#3/0/179' }),
    'the page: a sharp screen gets @2x tiles':
        onViewer(sharpScreenGetsSharpTiles, { deviceScaleFactor: 2 }),
};
