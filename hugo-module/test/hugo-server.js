/* A real `hugo server`, and what it shows. It holds no test itself. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pinnedHugo } from '../../scripts/tools.js';
import { atEnd } from '../../stacosys-hook/test/at-end.js';

const POLL = 50;

/**
 * @param {import('node:test').TestContext} t ends it
 * @param {string} site
 * @param {string} version of Hugo
 */
export async function startServer(t, site, version) {
  const port = await freePort();
  const args = ['server', '--source', site, '--port', String(port)];
  const server = spawn(pinnedHugo(version), args, { stdio: 'ignore' });
  atEnd(t, () => server.kill());
  return { address: `http://127.0.0.1:${port}`, isRunning: () => server.exitCode === null };
}

/**
 * @param {string} address
 * @param {string} text
 * @param {AbortSignal} signal ends the wait with the test's time limit
 * @returns {Promise<string>} the page
 */
export async function shows(address, text, signal) {
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
