import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'node:test';
import { write } from '../../stacosys-hook/src/write.js';
import { makeSite } from './hugo-site.js';
import { HUGO_VERSIONS, pinnedHugo } from '../../scripts/tools.js';

const POLL = 50;

for (const version of HUGO_VERSIONS) {
  test(`hugo server shows a changed count at once (Hugo ${version})`, { timeout: 60_000 }, async (t) => {
    const site = makeSite(t, {
      'content/one.md': '---\ntitle: One\n---\n',
      'data/stacosys/counts.json': '{"/one/": 3}',
    });
    const port = await freePort();
    const args = ['server', '--source', site, '--port', String(port)];
    const server = spawn(pinnedHugo(version), args, { stdio: 'ignore' });
    t.after(() => server.kill());
    const address = `http://127.0.0.1:${port}/one/`;
    await shows(address, '3 comments', t.signal);
    write(join(site, 'data', 'stacosys', 'counts.json'), '{"/one/": 4}');
    await shows(address, '4 comments', t.signal);
    assert.equal(server.exitCode, null);
  });
}

/**
 * @param {string} address
 * @param {string} text
 * @param {AbortSignal} signal ends the wait with the test's time limit
 */
async function shows(address, text, signal) {
  for (;;) {
    signal.throwIfAborted();
    const page = await fetch(address).then(
      (response) => response.text(),
      () => '', // not listening yet
    );
    if (page.includes(text)) return;
    await pause(POLL);
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}
