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
  test(
    `hugo server shows a changed count or alias at once (Hugo ${version})`,
    { timeout: 60_000 },
    async (t) => {
      const site = makeSite(t, {
        'content/one.md': '---\ntitle: One\n---\n',
        'layouts/_default/single.html':
          '{{ partial "stacosys/count.html" . }}{{ partial "stacosys/comments.html" . }}',
        'data/stacosys/counts.json': '{"/one/": 3}',
      });
      const port = await freePort();
      const args = ['server', '--source', site, '--port', String(port)];
      const server = spawn(pinnedHugo(version), args, { stdio: 'ignore' });
      t.after(() => server.kill());
      const address = `http://127.0.0.1:${port}/one/`;
      await shows(address, '3 comments', t.signal);
      await shows(address, '<span class="stacosys-number">3<', t.signal);
      write(join(site, 'data', 'stacosys', 'counts.json'), '{"/one/": 4, "/old/": 5}');
      await shows(address, '4 comments', t.signal);
      await shows(address, '<span class="stacosys-number">4<', t.signal);
      write(join(site, 'content', 'one.md'), '---\ntitle: One\naliases: [/old/]\n---\n');
      await shows(address, '9 comments', t.signal);
      const page = await shows(address, '%2Fone%2F /api/comments?url=%2Fold%2F"', t.signal);
      const [, script = ''] = /<script [^>]*src="([^"]*)"/.exec(page) ?? [];
      assert.equal((await fetch(new URL(script, address))).status, 200);
      assert.equal(server.exitCode, null);
    },
  );
}

/**
 * @param {string} address
 * @param {string} text
 * @param {AbortSignal} signal ends the wait with the test's time limit
 * @returns {Promise<string>} the page
 */
async function shows(address, text, signal) {
  for (;;) {
    signal.throwIfAborted();
    const page = await fetch(address).then(
      (response) => response.text(),
      () => '', // not listening yet
    );
    if (page.includes(text)) return page;
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
