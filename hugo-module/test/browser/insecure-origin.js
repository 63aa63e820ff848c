/*
 * Shared set-up of the tests of a page that came over http from another host than this machine, where
 * browsers withhold part of what they offer. It holds no test itself.
 */
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';

/**
 * A proxy that takes every host for the site.
 *
 * @param {import('node:test').TestContext} t
 * @param {import('../browser.js').Site} site
 * @returns {Promise<import('playwright-core').BrowserContextOptions>} for a visit
 */
export async function throughProxy(t, { address }) {
  const proxy = createServer((message, response) => {
    const { method, headers } = message;
    const { pathname, search } = new URL(String(message.url));
    const forwarded = httpRequest(address + pathname + search, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.once('error', () => response.destroy());
    message.pipe(forwarded);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (proxy.address());
  return { proxy: { server: `http://127.0.0.1:${port}` } };
}
