import { join } from 'node:path';
import { Failure } from './errors.js';
import { existsSync, readFileSync } from './fs.js';
import { checkSecret } from './signature.js';

/** As systemd's credentials have it. */
export const SECRETS = /** @type {const} */ (['webhook-secret', 'notify', 'notify-secret', 'notify-token']);

/**
 * Secrets come from the environment or from a file, not from a flag, which every user of the
 * machine can see, nor from stacosys.toml, which lies in the repository of the blog. For each of
 * them: STACOSYS_WEBHOOK_SECRET itself, else the file that STACOSYS_WEBHOOK_SECRET_FILE names,
 * else the credential `webhook-secret` of systemd.
 *
 * @see https://systemd.io/CREDENTIALS/
 * @param {NodeJS.ProcessEnv} env
 * @returns {import('./config.js').Secrets}
 * @throws {Failure} a file that cannot be read, a secret of webhooks that is too weak
 */
export function readSecrets(env) {
  const webhook = wordsOf(env, 'webhook-secret');
  const targets = wordsOf(env, 'notify');
  const [notify] = wordsOf(env, 'notify-secret');
  const [token] = wordsOf(env, 'notify-token');
  for (const secret of webhook) checkSecret(secret);
  return { webhook, targets, notify, token };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {typeof SECRETS[number]} name
 * @returns {string[]} separated by white space
 */
function wordsOf(env, name) {
  const variable = `STACOSYS_${name.toUpperCase().replaceAll('-', '_')}`;
  const text = env[variable] || fromFile(env[`${variable}_FILE`] || credential(env, name));
  return text.split(/\s+/).filter(Boolean);
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} name
 */
function credential({ CREDENTIALS_DIRECTORY: folder }, name) {
  const file = folder ? join(folder, name) : '';
  return existsSync(file) ? file : '';
}

/** @param {string} file '' for none */
function fromFile(file) {
  if (file === '') return '';
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Failure(
      `Cannot read ${file}: ${cause instanceof Error ? cause.message : cause}`,
      'It holds a secret: check the path, and that the user who runs this may read it.',
      { cause },
    );
  }
}
