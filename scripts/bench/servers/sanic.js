import { startPython, workersText } from './python.js';

/**
 * @see https://sanic.dev/en/guide/running/running.html
 * @param {import('./with-processes.js').Start} start
 * @param {import('./server.js').Asked & {cached?: boolean}} asked
 * @returns {Promise<import('./server.js').Server>}
 */
export async function startSanic(start, { database, port, workers, cached = false }) {
  const processes = workers === 1 ? ['--single-process'] : ['--workers', String(workers)];
  const where = ['--host', '127.0.0.1', '--port', String(port)];
  const args = ['sanic_app:app', ...where, ...processes, '--no-access-logs', '--no-motd'];
  const env = { BENCH_DATABASE: database, ...(cached ? { BENCH_CACHED: '1' } : {}) };
  const pid = await startPython(start, port, 'sanic', args, env);
  const memory = cached ? ', a TTL cache (cachetools) in each' : '';
  return { pids: [pid], about: `${workersText(workers)}, uvloop${memory}` };
}
