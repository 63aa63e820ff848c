import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, createServer, get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * @typedef {object} PageServer
 * @property {(path: string, matches: (page: string) => boolean) => Promise<number>} untilPage asks for the page
 *   every few ms; resolves with the time (of performance.now()) at which it was as wanted
 * @property {() => void} close
 */

const EVERY = 3; // milliseconds
const LIMIT = 120_000;

/**
 * As small a static web server as can be, on the loopback interface.
 *
 * @param {string} root
 * @returns {Promise<PageServer>}
 */
export async function servePages(root) {
  const server = createServer((request, response) => {
    readFile(join(root, String(request.url), 'index.html')).then(
      (page) => response.end(page),
      () => response.writeHead(404).end(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const agent = new Agent({ keepAlive: true });
  const ask = async (/** @type {string} */ path) => {
    const [answer] = await once(get({ host: '127.0.0.1', port, path, agent }), 'response');
    return text(answer);
  };
  return {
    untilPage: async (path, matches) => {
      const deadline = performance.now() + LIMIT;
      while (!matches(await ask(path))) {
        if (performance.now() > deadline) throw new Error(`${path} did not change within ${LIMIT / 1000} s`);
        await pause(EVERY);
      }
      return performance.now();
    },
    close: () => {
      agent.destroy();
      server.close();
    },
  };
}
