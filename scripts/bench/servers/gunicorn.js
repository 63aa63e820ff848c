/** Of each worker. */
export const THREADS = 4;

/** Seconds: longer than nginx keeps a connection that nobody uses. */
const KEEP_ALIVE = 75;

/**
 * @see https://docs.gunicorn.org/en/stable/design.html
 * @param {number} port
 * @param {number} workers
 * @param {string} app
 * @returns {string[]} the arguments of gunicorn
 */
export function gunicornArgs(port, workers, app) {
  const size = ['--workers', String(workers), '--threads', String(THREADS)];
  return [...size, '--keep-alive', String(KEEP_ALIVE), '--bind', `127.0.0.1:${port}`, app];
}
