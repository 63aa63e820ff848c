import { relative } from 'node:path';
import { buildLock } from '../build-lock.js';
import { build, buildInPlace, hashOf } from '../build.js';
import { hugoVersion } from '../hugo.js';
import { printable } from '../printable.js';
import { bakeSite } from './bake.js';

/**
 * Bakes, builds the site with Hugo into a release of its own, and makes it live; or builds in
 * place (--no-publish).
 *
 * @param {import('../config.js').Config} config
 * @param {import('../cli.js').Context} context
 * @returns {Promise<import('../cli.js').Result>}
 */
export async function buildCommand(config, { signal }) {
  await hugoVersion(config.hugo);
  const lock = await buildLock(config.source, config.hugoTimeout, signal);
  try {
    const { data, result } = await bakeSite(config);
    const options = { ...config, site: config.source };
    if (config.mode !== 'publish') {
      await buildInPlace(options, signal);
      return { ...result, text: `${result.text}\nbuilt in place` };
    }
    const built = await build(options, hashOf(data), new Date(), signal);
    const live = printable(relative(process.cwd(), config.publishTo) || '.');
    return {
      ...result,
      data: { ...result.data, ...built },
      text: `${result.text}\n${built.pages} HTML files → ${live}/current (release ${built.release})`,
    };
  } finally {
    lock.release();
  }
}
