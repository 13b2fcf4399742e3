/*
 * noisetile.js - one server process: started on a free port, and ended by its own id.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { binary } from './paths.js';

const START_MS = 10_000;
const STOP_MS = 10_000;

/* The value of `promise`, or a failure that says what did not happen in time. */
async function within(ms, promise, what) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${what}: not within ${ms / 1000} s`)), ms);
    });
    try {
        return await Promise.race([promise, late]);
    } finally {
        clearTimeout(timer);
    }
}

/* One JSON line per event; what is not at level info is a complaint. */
function complaints(log) {
    return log.split('\n').filter((line) => line !== '' && JSON.parse(line).level !== 'info');
}

/* Our own NOISETILE_… variables would be options to the server, and it refuses unknown ones. */
function environment() {
    const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('NOISETILE_'));
    return Object.fromEntries(entries);
}

export async function startNoisetile() {
    const arguments_ = ['serve', '--listen', '127.0.0.1:0', '--access-log', 'false'];
    const child = spawn(binary, arguments_,
        { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'close'); /* [code, signal]; rejects when it cannot be started */
    const kill = () => child.kill('SIGKILL');
    let log = '';

    child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
    process.once('exit', kill); /* however we end, it does not outlive us */

    const firstLine = once(createInterface({ input: child.stdout }), 'line').then(([line]) => line);
    const early = ended.then(([code]) => `(it ended with ${code}: ${log.trim()})`);
    const line = await within(START_MS, Promise.race([firstLine, early]), `first line of ${binary}`)
        .catch((error) => {
            kill(); /* or it would keep us alive: its output is a pipe of ours */
            throw error;
        });
    const found = /^listening on (http:\/\/127\.0\.0\.1:[1-9][0-9]*)$/.exec(line);
    if (!found)
        kill();
    assert.ok(found, `the first line of ${binary} does not say where it listens: ${line}`);

    async function stop() {
        child.kill('SIGTERM');
        const [code, signal] = await within(STOP_MS, ended, 'stopping noisetile').finally(kill);
        assert.deepEqual({ code, signal }, { code: 0, signal: null }, log);
        assert.deepEqual(complaints(log), []);
    }
    return { origin: found[1], stop };
}
