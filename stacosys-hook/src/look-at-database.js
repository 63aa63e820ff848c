import { dirname } from 'node:path';
import { frontOf } from './config-ini.js';
import { databasePlaces } from './database-places.js';
import { Failure } from './errors.js';
import { findDatabases, iniBeside } from './find-database.js';
import { printable } from './printable.js';
import { chooseSite, openSource } from './source.js';

/**
 * @typedef {object} DatabaseFacts
 * @property {string} file absolute
 * @property {string | undefined} ini the config.ini that names it
 * @property {ReturnType<typeof frontOf> | undefined} front what that says to a web server
 * @property {string} generation
 * @property {string | undefined} site the name of the chosen one, where the database tells them apart
 * @property {number} sites
 * @property {number} comments that are published
 * @property {number} urls
 * @property {string[]} warnings
 */

/**
 * What is in the database that is named, or found where one usually lies.
 *
 * @param {import('./config.js').Config} config
 * @param {string} home folder of the user; '' for none
 * @returns {DatabaseFacts | null} null where another stacosys-hook is asked instead
 * @throws {Failure} no database, several, or one that cannot be read
 */
export function lookAtDatabase({ db, stacosys, from, site, source: blog, busyTimeout }, home) {
  if (from !== undefined) return null;
  const { file, ini, warnings } = db === '' ? find(databasePlaces(blog, home), home) : named(db, stacosys);
  const source = openSource(file, { busyTimeout });
  try {
    const chosen = chooseSite(source, site);
    const { comments, urls } = source.count(chosen?.id);
    return {
      file,
      ini,
      front: ini === undefined ? undefined : frontOf(ini),
      generation: source.generation,
      site: chosen?.name,
      sites: source.sites.length,
      comments,
      urls,
      warnings,
    };
  } finally {
    source.close();
  }
}

/**
 * @param {string} file
 * @param {string | undefined} stacosys
 */
function named(file, stacosys) {
  return { file, ini: stacosys ?? iniBeside(dirname(file), file), warnings: [] };
}

/**
 * @param {string[]} places
 * @param {string} home
 */
function find(places, home) {
  const { databases, refused } = findDatabases(places);
  const [first, second] = databases;
  if (first === undefined) throw refused[0] ?? nothingFound(places, home);
  if (second !== undefined) {
    throw new Failure(
      `There are ${databases.length} databases of Stacosys: ${databases.map(({ file }) => printable(file)).join(', ')}`,
      'Name the one that is meant: --db FILE',
    );
  }
  const { file, ini } = first;
  const hidden = refused.filter(
    ({ cause }) => /** @type {NodeJS.ErrnoException | undefined} */ (cause)?.code === 'EACCES',
  );
  return { file, ini: ini ?? iniBeside(dirname(file), file), warnings: hidden.map(({ message }) => message) };
}

/**
 * @param {string[]} places
 * @param {string} home
 */
function nothingFound(places, home) {
  const shown = places.map((place) => printable(home !== '' && place === home ? '~' : place));
  return new Failure(
    `No database of Stacosys was found: there is no db.sqlite, and no config.ini that names one, in ${shown.join(', ')}`,
    'Name it by --db FILE, or by --stacosys FILE its config.ini; by --from URL the counts.json of a stacosys-hook serve, where the database lies on another machine.',
  );
}
