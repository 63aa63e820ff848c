import { once } from 'node:events';
import { prepareRebuilding } from '../rebuild-service.js';

/**
 * Keeps the site up to date until it is told to stop.
 *
 * @param {import('../config.js').Config} config
 * @param {import('../cli.js').Context} context
 * @returns {Promise<import('../cli.js').Result>}
 */
export async function watchCommand(config, { log, signal }) {
  const service = await prepareRebuilding(config, log, signal);
  try {
    if (!signal.aborted) await service.begin();
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await service.stop();
  }
  return { data: {}, text: '' };
}
