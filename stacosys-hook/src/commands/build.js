import { relative } from 'node:path';
import { buildSite } from '../build-site.js';
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
  await hugoVersion(config.hugo, signal);
  const { data, result } = await bakeSite(config);
  const mode = config.mode === 'in place' ? 'in place' : 'publish';
  const built = await buildSite({ ...config, site: config.source }, mode, data, { signal });
  const warnings = [...(result.warnings ?? []), ...built.warnings];
  if (!('release' in built)) return { ...result, text: `${result.text}\nbuilt in place`, warnings };
  const { release, pages: htmlFiles, problems } = built;
  const live = printable(relative(process.cwd(), config.publishTo) || '.');
  return {
    data: { ...result.data, release, htmlFiles },
    text: `${result.text}\n${htmlFiles} HTML files → ${live}/current (release ${release})`,
    warnings: [...warnings, ...problems.map((problem) => `Cannot remove ${problem}`)],
  };
}
