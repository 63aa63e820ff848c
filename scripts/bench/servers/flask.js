import { startPython } from './python.js';

/**
 * Flask behind gunicorn, as its documentation has it.
 *
 * @see https://flask.palletsprojects.com/en/stable/deploying/gunicorn/
 * @param {import('./with-processes.js').Start} start
 * @param {import('./server.js').Asked} asked
 * @returns {Promise<import('./server.js').Server>}
 */
export async function startFlask(start, { database, port, workers }) {
  const args = ['--workers', String(workers), '--bind', `127.0.0.1:${port}`, 'flask_app:app'];
  const pid = await startPython(start, port, 'gunicorn', args, { BENCH_DATABASE: database });
  return { pids: [pid], about: `gunicorn, ${workers} sync workers` };
}
