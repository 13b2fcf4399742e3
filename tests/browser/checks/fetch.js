/*
 * fetch.js - what a script of another site may ask for and read: bodies, errors, the headers that
 * are exposed to it, timings, and a conditional request with its preflight.
 */
import assert from 'node:assert/strict';
import { withPage } from '../support/browser.js';

const EXPOSED = ['etag', 'content-location', 'cache-status', 'server-timing', 'x-request-id'];

/* Runs in the page. 'blocked' is what a script sees of an answer that CORS keeps from it. */
async function ask({ url, ...init }) {
    try {
        const answer = await fetch(url, init);
        const text = await answer.text();
        return { status: answer.status, headers: Object.fromEntries(answer.headers), text };
    } catch (error) {
        return 'blocked';
    }
}

const onBlankPage = (body) => (world) =>
    withPage(world.browser, `${world.site}/blank.html`,
        (seen) => body({
            world,
            seen,
            get: (path, init = {}) => seen.page.evaluate(ask, { url: world.tiles + path, ...init }),
        }));

/* Playwright does not report preflights; the browser's own protocol does. */
async function countPreflights(seen) {
    const session = await seen.page.context().newCDPSession(seen.page);
    const count = { value: 0 };

    await session.send('Network.enable');
    session.on('Network.requestWillBeSent', ({ request }) => {
        count.value += request.method === 'OPTIONS' ? 1 : 0;
    });
    return count;
}

async function aTileIsReadable({ get }) {
    const answer = await get('/tile/3/7/2.json?size=4&seed=5');
    const tile = JSON.parse(answer.text);

    assert.equal(answer.status, 200);
    assert.deepEqual([tile.z, tile.x, tile.y, tile.width, tile.height], [3, 7, 2, 4, 4]);
    assert.equal(tile.values.length, 16);
    for (const name of EXPOSED)
        assert.ok(answer.headers[name], `${name} is not readable`);
    assert.match(answer.headers.etag, /^"[^"]+"$/);
    assert.equal(answer.headers['content-location'], '/tile/3/7/2.json?seed=5&size=4');
    assert.match(answer.headers['cache-status'], /^noisetile; (hit|fwd=miss)/);
    assert.match(answer.headers['server-timing'], /queue;dur=.*noise;dur=.*encode;dur=/);
}

async function floatsEqualJson({ world, seen, get }) {
    const { values } = JSON.parse((await get('/tile/5/3/9.json?size=16')).text);
    const floats = await seen.page.evaluate(
        async (url) => [...new Float32Array(await (await fetch(url)).arrayBuffer())],
        `${world.tiles}/tile/5/3/9.bin?size=16`);

    assert.equal(floats.length, 256);
    assert.deepEqual(floats, values.map(Math.fround));
}

async function errorsAreReadable({ get }) {
    const wrong = await get('/tile/3/7/2.png?octaves=99');
    const problem = JSON.parse(wrong.text);

    assert.equal(wrong.status, 400);
    assert.equal(wrong.headers['content-type'], 'application/problem+json');
    assert.ok(wrong.headers['x-request-id']);
    assert.deepEqual([problem.status, problem.parameter, problem.value], [400, 'octaves', '99']);
    assert.deepEqual([problem.min, problem.max], [1, 32]);

    for (const [path, status, init] of [
        ['/tile/3/8/2.png', 404],
        ['/nothing/here', 404],
        ['/tile/3/7/2.png', 405, { method: 'POST' }],
    ]) {
        const answer = await get(path, init);
        assert.equal(answer.status, status, path);
        assert.equal(JSON.parse(answer.text).status, status, path);
    }
}

/* A header that is not on the browser's own list of harmless ones: it asks first. */
async function conditionalRequests({ seen, get }) {
    const path = '/tile/3/7/2.png?seed=304';
    const { etag } = (await get(path)).headers;
    const preflights = await countPreflights(seen);
    const ifNoneMatch = (value) => get(path, { headers: { 'If-None-Match': value } });

    const same = await ifNoneMatch(etag);
    assert.equal(same.status, 304);
    assert.equal(same.text, '');
    assert.equal(same.headers.etag, etag);
    assert.equal(preflights.value, 1, 'the browser asks before it sends If-None-Match');
    /* It asks each time, whatever Access-Control-Max-Age says: with this header Chromium treats a
     * request as one that goes round all caches, that of permissions too. */

    const other = await ifNoneMatch('"another"');
    assert.equal(other.status, 200);
    assert.equal(other.headers.etag, etag);

    assert.equal(await get(path, { headers: { 'X-Not-Allowed': '1' } }), 'blocked');
}

async function timingsAndCaching({ world, seen }) {
    const entries = await seen.page.evaluate(async (url) => {
        await (await fetch(url)).blob();
        await (await fetch(url)).blob();
        return performance.getEntriesByName(url).map((entry) => ({
            responseStart: entry.responseStart,
            transferSize: entry.transferSize,
            serverTiming: entry.serverTiming.map(({ name }) => name),
        }));
    }, `${world.tiles}/tile/4/1/1.png?seed=77`);

    assert.equal(entries.length, 2);
    assert.ok(entries[0].responseStart > 0 && entries[0].transferSize > 1000);
    assert.deepEqual(entries[0].serverTiming, ['queue', 'noise', 'encode']);
    assert.equal(entries[1].transferSize, 0, 'the second one came from the browser\'s cache');
}

export const fetchChecks = {
    'a script of another site reads a tile and its headers': onBlankPage(aTileIsReadable),
    'floats of .bin are those of .json': onBlankPage(floatsEqualJson),
    'errors are readable from another site': onBlankPage(errorsAreReadable),
    'If-None-Match passes its preflight and gets 304 or 200': onBlankPage(conditionalRequests),
    'timings are readable, and the browser keeps a tile': onBlankPage(timingsAndCaching),
};
