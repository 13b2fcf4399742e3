/*
 * pictures.js - looks at screenshots. The browser decodes its own: no image library is needed.
 */
import assert from 'node:assert/strict';
import { screenshotPath } from './paths.js';

/* Runs in a page: the grey value (green) of each pixel, row by row, as the characters of a string:
 * an array of a million numbers takes seconds to get out of a browser. */
async function decode(base64) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    canvas.drawImage(bitmap, 0, 0);
    const { data, width, height } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
    let grey = '';
    for (let i = 0; i < width * height; i++)
        grey += String.fromCharCode(data[4 * i + 1]);
    return { width, height, grey };
}

/* Takes a screenshot, keeps it under `name`, returns { width, height, grey: [0…255] }. */
export async function screenshot(world, page, name) {
    const bytes = await page.screenshot({ path: screenshotPath(name) });
    const context = await world.browser.newContext();
    try {
        const blank = await context.newPage();
        const picture = await blank.evaluate(decode, bytes.toString('base64'));
        return { ...picture, grey: Buffer.from(picture.grey, 'latin1') };
    } finally {
        await context.close();
    }
}

/* Noise fills the picture: many grey levels, and no single one (a hole, a background) has most. */
export function assertNotBlank(picture) {
    const counts = new Array(256).fill(0);
    for (const value of picture.grey)
        counts[value]++;
    const levels = counts.filter((count) => count > 0).length;
    const share = Math.max(...counts) / picture.grey.length;

    assert.ok(levels >= 64, `only ${levels} grey levels`);
    assert.ok(share < 0.25, `${Math.round(100 * share)} % of the picture have the same grey`);
}

/* The largest step between column x and the one to its right, over rows [top, bottom). */
export function columnStep({ width, height, grey }, x, top = 0, bottom = height) {
    let largest = 0;
    for (let y = top; y < bottom; y++)
        largest = Math.max(largest, Math.abs(grey[y * width + x] - grey[y * width + x + 1]));
    return largest;
}
