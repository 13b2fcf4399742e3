/*
 * browser.js - Chromium, and pages that are watched: all that a page asked for, all that failed
 * and all that it said on the console is kept, so that a check can demand that nothing did.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import * as paths from './paths.js';

const LAUNCH_MS = 20_000;
const SETTLE_MS = 10_000;
const QUIET_MS = 300; /* no request under way for so long: the view is complete */

const FLAGS = [
    '--no-sandbox', /* tests also run as root in containers */
    '--disable-dev-shm-usage',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--enable-unsafe-swiftshader', /* WebGL without a graphics card; the pages are our own */
];

export function startBrowser() {
    return chromium.launch({ executablePath: paths.chromium, args: FLAGS, timeout: LAUNCH_MS });
}

/* SwiftShader's remark about reading pixels back, which a screenshot does, is not the page's. */
const isDriverRemark = (text) => /GL Driver Message .*GPU stall due to ReadPixels/.test(text);

/* { page, asked: [request], answers: [response], complaints: [text], underWay: Set, close() } */
export async function openWatched(browser, options = {}) {
    const viewport = { width: 1024, height: 768 };
    const context = await browser.newContext({ viewport, ...options });
    const page = await context.newPage();
    const seen = { page, asked: [], answers: [], complaints: [], underWay: new Set() };
    const done = (request) => seen.underWay.delete(request);

    page.on('request', (request) => seen.asked.push(request) && seen.underWay.add(request));
    page.on('requestfinished', done);
    page.on('requestfailed', (request) => {
        done(request);
        seen.complaints.push(`${request.url()}: ${request.failure()?.errorText}`);
    });
    page.on('response', (response) => {
        seen.answers.push(response);
        if (response.status() >= 400)
            seen.complaints.push(`${response.url()}: ${response.status()}`);
    });
    page.on('pageerror', (error) => seen.complaints.push(`uncaught: ${error.stack}`));
    page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !isDriverRemark(message.text()))
            seen.complaints.push(`console: ${message.text()}`);
    });
    seen.close = () => context.close();
    return seen;
}

/* Opens `url` in a page of its own, hands it to `body` and closes it, come what may. */
export async function withPage(browser, url, body, options) {
    const seen = await openWatched(browser, options);
    try {
        await seen.page.goto(url);
        return await body(seen);
    } finally {
        await seen.close();
    }
}

export const isTile = (request) => new URL(request.url()).pathname.startsWith('/tile/');
export const tilesAsked = (seen) => seen.asked.filter(isTile).map((request) => request.url());

/*
 * Waits until tiles have been asked for and nothing has been under way for a while; fails when
 * that never comes. (A page may take its time before it draws for the first time.)
 */
export async function settle(seen) {
    const end = Date.now() + SETTLE_MS;
    let quietSince = Date.now(), asked = seen.asked.length;

    while (Date.now() - quietSince < QUIET_MS) {
        assert.ok(Date.now() < end, `after ${seen.asked.length} requests, ${seen.underWay.size} of `
            + `them under way, the view is not complete after ${SETTLE_MS / 1000} s`);
        await sleep(20);
        if (seen.underWay.size > 0 || seen.asked.length !== asked || !seen.asked.some(isTile))
            quietSince = Date.now();
        asked = seen.asked.length;
    }
}

/* All tiles that were asked for have come, as pictures, and nobody has complained. */
export async function assertTilesCame(seen) {
    const answers = seen.answers.filter((answer) => isTile(answer.request()));

    assert.deepEqual(seen.complaints, []);
    assert.ok(answers.length > 0, 'no tile was asked for');
    for (const answer of answers) {
        assert.equal(answer.status(), 200, answer.url());
        assert.equal(answer.headers()['content-type'], 'image/png', answer.url());
    }
}
