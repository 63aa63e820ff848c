import { startPython, workersText } from './python.js';

/** Seconds: longer than nginx keeps a connection that nobody uses. */
const KEEP_ALIVE = '75';

/**
 * A Starlette application on uvicorn with uvloop and httptools.
 *
 * @see https://www.uvicorn.org/deployment/
 * @param {import('./with-processes.js').Start} start
 * @param {import('./server.js').Asked} asked
 * @returns {Promise<import('./server.js').Server>}
 */
export async function startUvicorn(start, { database, port, workers }) {
  const where = ['--host', '127.0.0.1', '--port', String(port), '--workers', String(workers)];
  const fast = ['--loop', 'uvloop', '--http', 'httptools'];
  const quiet = ['--no-access-log', '--log-level', 'warning'];
  const args = ['starlette_app:app', ...where, ...fast, ...quiet, '--timeout-keep-alive', KEEP_ALIVE];
  const pid = await startPython(start, port, 'uvicorn', args, { BENCH_DATABASE: database });
  return { pids: [pid], about: `Starlette, uvloop, httptools, ${workersText(workers)}` };
}
