import { once } from 'node:events';
import { basename } from 'node:path';
import { Failure } from '../errors.js';
import { prepareRebuilding } from '../rebuild-service.js';
import { currentRelease } from '../releases.js';
import { createService } from '../server.js';
import { packageVersion } from '../version.js';

/**
 * Watches, and answers over HTTP, until it is told to stop.
 *
 * @param {import('../config.js').Config} config
 * @param {import('../cli.js').Context} context
 * @returns {Promise<import('../cli.js').Result>}
 */
export async function serveCommand(config, { log, signal }) {
  const rebuilding = await prepareRebuilding(config, log, signal);
  const service = createService({ ...facts(config, rebuilding), log });
  try {
    await listen(service.server, config);
    log('info', 'listens', addressOf(service.server));
    if (config.secrets.webhook.length === 0) log('warn', 'has no secret, refuses all webhooks');
    if (!signal.aborted) await rebuilding.begin();
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    if (service.server.listening) await service.close();
    await rebuilding.stop();
  }
  return { data: {}, text: '' };
}

/**
 * @param {import('../config.js').Config} config
 * @param {import('../rebuild-service.js').RebuildService} rebuilding
 * @returns {Omit<import('../server.js').ServiceOptions, 'log'>}
 */
function facts({ source, mode, publishTo, secrets }, { rebuilder, database, notifications }) {
  const version = packageVersion();
  const started = Date.now();
  return {
    secrets: secrets.webhook,
    requestBuild: rebuilder.request,
    data: () => rebuilder.reading()?.data ?? null,
    state: () => ({
      version,
      site: basename(source),
      started,
      database: database(),
      build: rebuilder.state(),
      release: mode === 'publish' ? liveRelease(publishTo) : null,
      notifications: notifications(),
    }),
  };
}

/** @param {string} folder in which `current` may be somebody else's: the build says so */
function liveRelease(folder) {
  try {
    return currentRelease(folder);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/**
 * @param {import('node:http').Server} server
 * @param {{host: string, port: number}} where
 */
async function listen(server, { host, port }) {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    throw new Failure(
      `Cannot listen on ${host}, port ${port}: ${code}`,
      'Choose another: --port N, --host ADDRESS.',
      { cause },
    );
  }
}

/** @param {import('node:http').Server} server */
function addressOf(server) {
  const address = server.address();
  if (address === null || typeof address === 'string') return {};
  return { address: address.address, port: address.port };
}
