/*
 * world.js - the three parties of every check: the noisetile server, the site whose pages show its
 * tiles, and the browser. They are started here, and stopped in the opposite order.
 */
import { startBrowser } from './browser.js';
import { startNoisetile } from './noisetile.js';
import { startSite } from './site.js';

/* { tiles: origin of noisetile, site: origin of the pages, siteAlias: another, browser, stop() } */
export async function startWorld() {
    const stops = [];
    const stop = async () => {
        while (stops.length > 0)
            await stops.pop()();
    };

    try {
        const noisetile = await startNoisetile();
        stops.push(noisetile.stop);
        const site = await startSite();
        stops.push(site.stop);
        const browser = await startBrowser();
        stops.push(() => browser.close());

        return { tiles: noisetile.origin, site: site.origin, siteAlias: site.alias, browser, stop };
    } catch (error) {
        await stop();
        throw error;
    }
}
