import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { carryAssets } from './carry-assets.js';
import { Failure } from './errors.js';
import { reasonOf, runHugo, warningsOf, wasEnded } from './hugo.js';
import { inspect, manifestPath, readManifest, requireHomePage, writeManifest } from './manifest.js';
import { prepareNext, removeEmpty, takeNext } from './next-release.js';
import { BUILD_MARK } from './orphaned-hugo.js';
import {
  cannotPublish,
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
 * @property {string[]} problems in removing what is old
 * @property {string[]} warnings of our templates
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
export function hashOf({ counts, spellings, forms, comments }) {
  const hash = createHash('sha256');
  for (const bytes of [counts, spellings, forms]) hash.update(`${bytes?.length ?? -1} `).update(bytes ?? '');
  for (const entry of comments?.sources ?? []) hash.update(`${entry}\n`);
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
 * @param {{signal?: AbortSignal, verify?: () => void, published?: (built: Pick<Built, 'release' | 'pages'>) => void}} [hooks] signal: ends the
 *   build, which then is not published; verify: throws where what was built should not be; published: it is
 *   live, and only tidying up is left
 * @returns {Promise<Built>}
 * @throws {Failure} and the live site is as it was
 */
export async function build(options, data, now, { signal, verify, published } = {}) {
  const { publishTo, keep } = options;
  const name = releaseName(now, data);
  const partial = partialPath(publishTo, name);
  makeReleasesFolder(publishTo);
  const problems = await sweep(publishTo);
  const before = currentRelease(publishTo);
  try {
    await laterSecond(publishTo, signal);
    const warnings = await buildInto(partial, options, signal);
    const manifest = inspectSite(partial, data, before, options);
    carryAssets(publishTo, partial, new Set(manifest.assets));
    verify?.();
    if (signal?.aborted) throw wasEnded();
    writeManifest(publishTo, name, manifest);
    renameSync(partial, join(releasesFolder(publishTo), name));
    publish(publishTo, name);
    published?.({ release: name, pages: manifest.pages });
    problems.push(...(await tidyUp(publishTo, name, keep, before)));
    return { release: name, pages: manifest.pages, problems, warnings };
  } catch (error) {
    await sweep(publishTo, [name]);
    throw asFailure(error, publishTo);
  }
}

/**
 * The site is live: nothing here is a reason to say that the build failed.
 *
 * @param {string} publishTo
 * @param {string} release
 * @param {number} keep
 * @param {string | null} before
 * @returns {Promise<string[]>} what could not be done, and why; a line each
 */
async function tidyUp(publishTo, release, keep, before) {
  try {
    const problems = await prune(publishTo, keep, before);
    await prepareNext(publishTo, release);
    return problems;
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/**
 * Builds in place, into public/ of the site, as Hugo alone does.
 *
 * @param {Pick<BuildOptions, 'site' | 'hugo' | 'hugoArgs' | 'hugoTimeout'>} options
 * @param {AbortSignal} [signal]
 * @returns {Promise<string[]>} warnings of our templates
 */
export async function buildInPlace(options, signal) {
  return runBuild(options, [], {}, signal);
}

/**
 * @param {string} partial
 * @param {BuildOptions} options
 * @param {AbortSignal} [signal]
 */
async function buildInto(partial, options, signal) {
  const run = () => runBuild(options, ['--destination', partial], { HUGO_PUBLISHDIR: undefined }, signal);
  if (!takeNext(options.publishTo, partial)) return run();
  return run().catch(async (error) => {
    if (!/is a directory/i.test(error.message)) throw error;
    await rm(partial, { recursive: true }); // what was a page with a folder is a file now
    return run();
  });
}

/**
 * A web server takes a page of the same size and the same second for the same page (nginx makes
 * its ETag of these two), so no two releases have files of one second.
 *
 * @param {string} publishTo
 * @param {AbortSignal} [signal]
 */
async function laterSecond(publishTo, signal) {
  const now = Date.now();
  const written = listReleases(publishTo).map(
    (name) => statSync(manifestPath(publishTo, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  const latest = Math.max(0, ...written.filter((time) => time <= now)); // the clock may have been set back
  const wait = (Math.floor(latest / SECOND) + 1) * SECOND - now;
  if (wait <= 0) return;
  await pause(wait, undefined, { signal }).catch(() => {
    throw wasEnded();
  });
}

/**
 * @param {Pick<BuildOptions, 'site' | 'hugo' | 'hugoArgs' | 'hugoTimeout'>} options
 * @param {string[]} more
 * @param {Record<string, undefined>} env
 * @param {AbortSignal} [signal]
 * @returns {Promise<string[]>} warnings of our templates
 */
async function runBuild({ site, hugo, hugoArgs, hugoTimeout }, more, env, signal) {
  const args = ['--minify', '--source', site, ...more, ...hugoArgs];
  const marked = { ...env, [BUILD_MARK]: site };
  const finished = await runHugo(hugo, args, { cwd: site, timeout: hugoTimeout, signal, env: marked });
  if (finished.status === 0) return warningsOf(finished);
  throw new Failure(
    `Hugo failed: ${reasonOf(finished)}`,
    'Run hugo in the site and mend what it says; the live site is untouched.',
  );
}

/**
 * @param {string} root
 * @param {string} data
 * @param {string | null} live the release
 * @param {BuildOptions} options
 */
function inspectSite(root, data, live, { publishTo, force }) {
  const nothing = new Failure(
    'Hugo ended well, but built nothing',
    'Run hugo in the site and look at public/.',
  );
  if (!existsSync(root)) throw nothing;
  const manifest = inspect(root, data, (empty) => removeEmpty(root, empty));
  if (readdirSync(root).length === 0) throw nothing;
  requireHomePage(root, live === null ? null : join(releasesFolder(publishTo), live));
  const before = live === null ? 0 : readManifest(publishTo, live).pages;
  if (manifest.pages >= before * PAGES_KEPT || force) return manifest;
  throw new Failure(
    `This build has ${manifest.pages} HTML files, the live site ${before}: that looks like a mishap`,
    'Look whether the content is complete; if it is meant so: stacosys-hook build --force',
  );
}

/**
 * @param {unknown} error
 * @param {string} publishTo
 */
function asFailure(error, publishTo) {
  const code = /** @type {NodeJS.ErrnoException} */ (error).code;
  if (error instanceof Failure || code === undefined) return error;
  return cannotPublish(publishTo, error);
}
