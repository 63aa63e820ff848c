/*
 * Shared set-up of the tests: an empty database of Stacosys 3.4, and a server on a free port.
 * It holds no test itself.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommentTable } from '../comment-table.js';
import { writeDatabase } from '../stacosys-database.js';

/** @typedef {import('node:test').TestContext} TestContext */

/**
 * @param {TestContext} t
 * @returns {string} a folder that goes away with the test
 */
export function temporaryFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'dev-stacosys-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * @param {TestContext} t
 * @param {import('../stacosys-database.js').Comment[]} [comments]
 * @returns {string} a new database
 */
export function databaseWith(t, comments = []) {
  const file = join(temporaryFolder(t), 'db.sqlite');
  writeDatabase(file, comments);
  return file;
}

/**
 * @param {TestContext} t
 * @param {string} file
 */
export function openTable(t, file) {
  const table = new CommentTable(file);
  t.after(() => table.close());
  return table;
}

/**
 * @param {TestContext} t
 * @param {import('node:http').Server} server
 * @returns {Promise<string>} its origin
 */
export async function listen(t, server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://127.0.0.1:${port}`;
}
