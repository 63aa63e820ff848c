import { join } from 'node:path';
import { buildLock, stateFolder } from './build-lock.js';
import { build, buildInPlace, hashOf } from './build.js';
import { isChange, putData } from './data.js';
import { Failure } from './errors.js';
import { endOrphans } from './orphaned-hugo.js';

/**
 * Builds the site from these data, in its turn.
 *
 * @param {import('./build.js').BuildOptions} options
 * @param {'publish' | 'in place'} mode
 * @param {import('./data.js').Data} data
 * @param {Omit<NonNullable<Parameters<typeof build>[3]>, 'verify'>} [hooks] as for build()
 * @returns {Promise<import('./build.js').Built | {warnings: string[]}>} without a release where it was built in place
 * @throws {Failure}
 */
export async function buildSite(options, mode, data, { signal, published } = {}) {
  const { site, publishTo, hugoTimeout } = options;
  const files = [join(stateFolder(site), 'build.lock')];
  if (mode === 'publish') files.push(join(publishTo, '.build.lock'));
  const lock = await buildLock(files, hugoTimeout, signal);
  try {
    endOrphans(site);
    putData(site, data);
    const verify = () => {
      if (isChange(putData(site, data))) throw wereChanged(site);
    };
    if (mode === 'publish') {
      return await build(options, hashOf(data), new Date(), { signal, verify, published });
    }
    const warnings = await buildInPlace(options, signal);
    verify();
    return { warnings };
  } finally {
    lock.release();
  }
}

/** @param {string} site */
function wereChanged(site) {
  return new Failure(
    `Somebody else wrote the data of ${site} while Hugo read them`,
    'Run this again; a bake, or a checkout, beside a build is not needed.',
  );
}
