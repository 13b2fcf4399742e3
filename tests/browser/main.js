/*
 * main.js - what a map in a browser sees of noisetile. Starts a server of its own, a site of
 * another origin and a headless Chromium, runs the checks of checks/ one after the other, and stops
 * what it started. Exits non-zero when anything failed. Next: support/world.js, checks/leaflet.js.
 *
 *   NOISETILE_BINARY       the program to test            (../../build/noisetile)
 *   NOISETILE_SCREENSHOTS  where the pictures go          (../../build/screenshots)
 *   NOISETILE_CHROMIUM     the browser                    (/usr/bin/chromium)
 */
import test from 'node:test';
import { startWorld } from './support/world.js';
import { fetchChecks } from './checks/fetch.js';
import { leafletChecks } from './checks/leaflet.js';
import { maplibreChecks } from './checks/maplibre.js';
import { viewerChecks } from './checks/viewer.js';
import { viewerTouchChecks } from './checks/viewer_touch.js';

const CHECKS = {
    ...fetchChecks,
    ...leafletChecks,
    ...maplibreChecks,
    ...viewerChecks,
    ...viewerTouchChecks,
};
const ONE_CHECK_MS = 20_000;
const WHOLE_RUN_MS = 120_000; /* about 30 s on two cores: only a hang gets here */

/* A hung browser would keep node alive after its test has timed out; exit ends all we started. */
setTimeout(() => {
    console.error(`browser test: not done after ${WHOLE_RUN_MS / 1000} s, giving up`);
    process.exit(1);
}, WHOLE_RUN_MS).unref();
for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => process.exit(1));

await test('noisetile in a browser', async (t) => {
    const world = await startWorld();
    const check = (name, body) => t.test(name, { timeout: ONE_CHECK_MS }, () => body(world));
    try {
        for (const [name, body] of Object.entries(CHECKS))
            await check(name, body);
    } finally {
        await t.test('the server stops with 0 and has nothing to complain about', world.stop);
    }
});
