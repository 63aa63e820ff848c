import { readFileSync } from 'node:fs';
import { benchRust } from '../bench-tools.js';

const LOCK = new URL('rust/Cargo.lock', import.meta.url);

/**
 * axum on tokio, with rusqlite.
 *
 * @param {import('./with-processes.js').Start} start
 * @param {import('./server.js').Asked & {cached?: boolean}} asked
 * @returns {Promise<import('./server.js').Server>}
 */
export async function startRust(start, { database, port, workers, cached = false }) {
  const args = [database, String(port), String(workers), ...(cached ? ['cached'] : [])];
  const pid = await start({ binary: benchRust() ?? '', args, port });
  const threads = `${workers} ${workers === 1 ? 'thread' : 'threads'}`;
  return { pids: [pid], about: `axum, rusqlite, ${threads}${cached ? ', a cache (moka)' : ''}` };
}

/** @returns {Record<string, string>} of the crates that matter */
export function rustVersions() {
  const lock = readFileSync(LOCK, 'utf8');
  const versionOf = (/** @type {string} */ name) =>
    new RegExp(`name = "${name}"\\nversion = "(.*)"`).exec(lock)?.[1] ?? 'unknown';
  return Object.fromEntries(
    ['axum', 'hyper', 'tokio', 'rusqlite', 'moka'].map((name) => [name, versionOf(name)]),
  );
}
