/*
 * paths.js - where things are, and the three environment variables that say otherwise.
 */
import { fileURLToPath } from 'node:url';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

export const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const root = path.resolve(here, '../..');

export const binary = path.resolve(
    process.env.NOISETILE_BINARY || path.join(root, 'build/noisetile'));
export const chromium = process.env.NOISETILE_CHROMIUM || '/usr/bin/chromium';

export function screenshotPath(name) {
    const folder = process.env.NOISETILE_SCREENSHOTS || path.join(root, 'build/screenshots');
    mkdirSync(folder, { recursive: true });
    return path.join(folder, name);
}
