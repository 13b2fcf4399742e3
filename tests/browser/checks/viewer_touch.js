/*
 * viewer_touch.js - the server's own page on a telephone: one finger drags, two pinch. Fingers are
 * made through the browser's own protocol: Playwright can only tap.
 */
import assert from 'node:assert/strict';
import { acting, look, onViewer, zoomOf } from '../support/viewer.js';
import { tilesAsked } from '../support/browser.js';

const PHONE = {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
};
const STEPS = 8;

/* Moves fingers in straight lines: [{ from: [x, y], to: [x, y] }, …]. */
async function fingers(page, lines) {
    const session = await page.context().newCDPSession(page);
    const send = (type, touchPoints) =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints });
    const at = (part) => lines.map(({ from, to }, id) => ({
        id,
        x: from[0] + (to[0] - from[0]) * part,
        y: from[1] + (to[1] - from[1]) * part,
    }));

    await send('touchStart', at(0));
    for (let step = 1; step <= STEPS; step++)
        await send('touchMove', at(step / STEPS));
    await send('touchEnd', []);
    await session.detach();
}

async function fits({ world, page }) {
    const { wide, high } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth - window.innerWidth,
        high: document.documentElement.scrollHeight - window.innerHeight,
    }));
    assert.ok(wide <= 0 && high <= 0, `the page is ${wide}, ${high} pixels larger than the screen`);
    await look(world, page, 'page-mobile.png');
}

async function oneFingerDrags({ page, seen }) {
    const { urls } = await acting(seen, () => fingers(page, [{ from: [300, 500], to: [60, 350] }]));

    assert.ok(urls.length > 0, 'dragging brings new tiles');
}

async function twoFingersZoom({ page, seen }) {
    const zoom = Math.max(...tilesAsked(seen).map(zoomOf));
    const { urls } = await acting(seen, () => fingers(page, [
        { from: [195, 460], to: [195, 760] },
        { from: [195, 380], to: [195, 130] },
    ]));

    assert.ok(urls.some((url) => zoomOf(url) > zoom), 'spreading brings finer tiles');
    assert.equal(await page.evaluate(() => window.visualViewport.scale), 1, 'only the map zooms');
}

export const viewerTouchChecks = {
    'a telephone: the page fits': onViewer(fits, PHONE),
    'a telephone: one finger drags': onViewer(oneFingerDrags, PHONE),
    'a telephone: two fingers zoom': onViewer(twoFingersZoom, PHONE),
};
