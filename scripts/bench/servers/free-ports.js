import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * @param {number} count
 * @returns {Promise<number[]>} ports of 127.0.0.1 that were free a moment ago, all different
 */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map(
    (server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port,
  );
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
