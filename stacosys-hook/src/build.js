import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from './errors.js';
import { reasonOf, runHugo, wasEnded } from './hugo.js';
import { inspect, manifestPath, readManifest, requireHomePage, writeManifest } from './manifest.js';
import { endOrphans } from './orphaned-hugo.js';
import {
  currentRelease,
  listReleases,
  makeReleasesFolder,
  partialPath,
  prune,
  publish,
  releaseName,
  releasesFolder,
  sweep,
} from './releases.js';

/**
 * @typedef {object} BuildOptions
 * @property {string} site the folder of the Hugo site, whose data files are in place
 * @property {string} hugo the binary
 * @property {string[]} hugoArgs what the owner adds
 * @property {number} hugoTimeout milliseconds
 * @property {string} publishTo the folder of the releases
 * @property {number} keep releases
 * @property {boolean} force publish a site that lost most of its pages
 *
 * @typedef {object} Built
 * @property {string} release
 * @property {number} pages HTML files
 */

/** A site that shrinks by more is a mishap more often than a wish. */
const PAGES_KEPT = 0.5;

const SECOND = 1000; // milliseconds

/**
 * The comments in a release, as one value to compare.
 *
 * @param {import('./data.js').Data} data
 * @returns {string} hexadecimal
 */
export function hashOf({ counts, spellings, forms }) {
  const hash = createHash('sha256');
  for (const bytes of [counts, spellings, forms]) hash.update(`${bytes?.length ?? -1} `).update(bytes ?? '');
  return hash.digest('hex');
}

/**
 * Builds the site into a folder of its own, looks whether it is one, and makes it live in one
 * step. Whatever fails, and whenever the process dies, `current` is a complete release. One at a
 * time: the caller holds a lock.
 *
 * @param {BuildOptions} options
 * @param {string} data the hash of the comments
 * @param {Date} now
 * @param {AbortSignal} [signal] ends the build, which then is not published
 * @returns {Promise<Built>}
 * @throws {Failure}
 */
export async function build(options, data, now, signal) {
  const { publishTo, keep } = options;
  const name = releaseName(now, data);
  const partial = partialPath(publishTo, name);
  makeReleasesFolder(publishTo);
  await clearAway(publishTo);
  try {
    await laterSecond(publishTo, signal);
    await runBuild(options, ['--destination', partial], signal);
    const manifest = inspectSite(partial, data, options);
    carryAssets(publishTo, partial, new Set(manifest.assets));
    if (signal?.aborted) throw wasEnded();
    writeManifest(publishTo, name, manifest);
    renameSync(partial, join(releasesFolder(publishTo), name));
    publish(publishTo, name);
    await prune(publishTo, keep);
    return { release: name, pages: manifest.pages };
  } catch (error) {
    await sweep(publishTo, [name]);
    throw asFailure(error, publishTo);
  }
}

/**
 * A web server takes a page of the same size and the same second for the same page (nginx makes
 * its ETag of these two), so no two releases have files of one second.
 *
 * @param {string} publishTo
 * @param {AbortSignal} [signal]
 */
async function laterSecond(publishTo, signal) {
  const newest = listReleases(publishTo).at(-1);
  const manifest = newest && statSync(manifestPath(publishTo, newest), { throwIfNoEntry: false });
  const next = manifest ? (Math.floor(manifest.mtimeMs / SECOND) + 1) * SECOND : 0;
  const wait = next - Date.now();
  if (wait <= 0 || wait > SECOND) return; // the clock was set back
  await pause(wait, undefined, { signal }).catch(() => {
    throw wasEnded();
  });
}

/**
 * Builds in place, into public/ of the site, as Hugo alone does.
 *
 * @param {Omit<BuildOptions, 'publishTo' | 'keep' | 'force'>} options
 * @param {AbortSignal} [signal]
 */
export async function buildInPlace(options, signal) {
  await runBuild(options, [], signal);
}

/**
 * @param {Pick<BuildOptions, 'site' | 'hugo' | 'hugoArgs' | 'hugoTimeout'>} options
 * @param {string[]} more
 * @param {AbortSignal} [signal]
 */
async function runBuild({ site, hugo, hugoArgs, hugoTimeout }, more, signal) {
  const args = ['--minify', '--source', site, ...more, ...hugoArgs];
  const finished = await runHugo(hugo, args, { cwd: site, timeout: hugoTimeout, signal });
  if (finished.status === 0) return;
  throw new Failure(
    `Hugo failed: ${reasonOf(finished)}`,
    'Run hugo in the site and mend what it says; the live site is untouched.',
  );
}

/**
 * Under the lock of the builder, whatever is unfinished was left by a crash; so may Hugo itself be,
 * which would go on writing into it.
 *
 * @param {string} publishTo
 */
async function clearAway(publishTo) {
  endOrphans(`${releasesFolder(publishTo)}/`);
  await sweep(publishTo);
}

/**
 * @param {string} root
 * @param {string} data
 * @param {BuildOptions} options
 */
function inspectSite(root, data, { publishTo, force }) {
  if (!existsSync(root)) {
    throw new Failure('Hugo ended well, but built nothing', 'Run hugo in the site and look at public/.');
  }
  requireHomePage(root);
  const manifest = inspect(root, data);
  const current = currentRelease(publishTo);
  const before = current === null ? 0 : readManifest(publishTo, current).pages;
  if (manifest.pages >= before * PAGES_KEPT || force) return manifest;
  throw new Failure(
    `This build has ${manifest.pages} HTML files, the live site ${before}: that looks like a mishap`,
    'Look whether the content is complete; if it is meant so: stacosys-hook build --force',
  );
}

/**
 * A reader who has a page of an earlier release asks for its style sheet still.
 *
 * @param {string} publishTo
 * @param {string} partial
 * @param {Set<string>} own paths that the new site has
 */
function carryAssets(publishTo, partial, own) {
  for (const release of listReleases(publishTo)) {
    for (const asset of readManifest(publishTo, release).assets.filter((path) => !own.has(path))) {
      own.add(asset);
      carry(join(releasesFolder(publishTo), release, asset), join(partial, asset));
    }
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function carry(from, to) {
  if (!existsSync(from) || existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to); // a file system without hard links
  }
}

/**
 * @param {unknown} error
 * @param {string} publishTo
 */
function asFailure(error, publishTo) {
  const code = /** @type {NodeJS.ErrnoException} */ (error).code;
  if (error instanceof Failure || code === undefined) return error;
  return new Failure(
    `Cannot publish in ${publishTo}: ${error instanceof Error ? error.message : code}`,
    'Check the rights of that folder and the free space of its disk; the live site is untouched.',
    { cause: error },
  );
}
