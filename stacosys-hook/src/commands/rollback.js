import { join } from 'node:path';
import { carryAssets } from '../carry-assets.js';
import { readManifest } from '../manifest.js';
import { releasesFolder, rollback } from '../releases.js';

/**
 * @param {import('../config.js').Config} config
 * @returns {import('../cli.js').Result}
 */
export function rollbackCommand({ publishTo, release }) {
  /** @type {string[]} */
  const warnings = [];
  const { from, to } = rollback(publishTo, release, (name) => {
    try {
      const own = new Set(readManifest(publishTo, name).assets);
      carryAssets(publishTo, join(releasesFolder(publishTo), name), own);
    } catch (error) {
      // Readers of newer pages may miss a style sheet: better than what is rolled back
      warnings.push(
        `Cannot keep the assets of newer releases: ${error instanceof Error ? error.message : error}`,
      );
    }
  });
  return {
    data: { from, to },
    text: `${to} is live, instead of ${from ?? 'nothing'}. The next build goes live again.`,
    warnings,
  };
}
