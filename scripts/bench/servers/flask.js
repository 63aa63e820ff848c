import { THREADS, gunicornArgs } from './gunicorn.js';
import { startPython } from './python.js';

/**
 * Flask behind gunicorn, as its documentation has it, but with threads: they keep the connections of nginx
 * open, which halved the CPU time of an answer.
 *
 * @see https://flask.palletsprojects.com/en/stable/deploying/gunicorn/
 * @param {import('./with-processes.js').Start} start
 * @param {import('./server.js').Asked} asked
 * @returns {Promise<import('./server.js').Server>}
 */
export async function startFlask(start, { database, port, workers }) {
  const args = gunicornArgs(port, workers, 'flask_app:app');
  const pid = await startPython(start, port, 'gunicorn', args, { BENCH_DATABASE: database });
  return { pids: [pid], about: `gunicorn, ${workers} workers of ${THREADS} threads` };
}
