/*
 * site.js - a small web site that shows somebody else's tiles: pages/ and node_modules/, nothing
 * more. It is opened by the name localhost while the tiles come from 127.0.0.1, so that to the
 * browser they are not only of another origin but of another site: the strictest case of CORS and
 * of Cross-Origin-Resource-Policy.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { here } from './paths.js';

const TYPES = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript',
    '.mjs': 'text/javascript',
    '.css': 'text/css',
    '.png': 'image/png',
};

/* The file behind a path of the site, or null. Libraries are only reached below node_modules/. */
function fileOf(pathname) {
    const clean = path.posix.normalize(pathname);
    const below = clean.startsWith('/node_modules/') ? here : path.join(here, 'pages');

    return path.extname(clean) in TYPES ? path.join(below, clean) : null;
}

async function answer(request, response) {
    const url = new URL(request.url, 'http://site');
    const file = fileOf(url.pathname);
    const headers = { 'Content-Type': TYPES[path.extname(url.pathname)] };

    /* ?isolated: the page may embed only what says that it may be embedded. */
    if (url.searchParams.has('isolated'))
        headers['Cross-Origin-Opener-Policy'] = 'same-origin';
    /* Scripts of workers need it too, and those are asked for without the query. */
    if (url.searchParams.has('isolated') || /\.m?js$/.test(url.pathname))
        headers['Cross-Origin-Embedder-Policy'] = 'require-corp';
    try {
        const body = await readFile(file);
        response.writeHead(200, headers).end(body);
    } catch {
        /* Browsers ask for an icon by themselves; a 404 would be an error on their console. */
        response.writeHead(url.pathname === '/favicon.ico' ? 204 : 404).end();
    }
}

/* origin: what pages are opened as. alias: the same server as another origin, without any
 * Cross-Origin-Resource-Policy, to show that the browser really refuses such things. */
export async function startSite() {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();

    return {
        origin: `http://localhost:${port}`,
        alias: `http://127.0.0.1:${port}`,
        async stop() {
            server.close();
            server.closeAllConnections();
        },
    };
}
