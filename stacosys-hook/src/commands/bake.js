import { join, relative } from 'node:path';
import { bake } from '../bake.js';
import { dataFolder, putData, toData } from '../data.js';
import { Failure } from '../errors.js';
import { enclosingSite } from '../hugo-site.js';
import { printable } from '../printable.js';
import { chooseSite, openSource } from '../source.js';

/**
 * Reads the database once and puts data/stacosys/counts.json in place, spellings.json where Hugo
 * may print a key in another spelling, and forms.json where comments lie under another url than
 * their key.
 *
 * @param {import('../config.js').Config} config
 * @returns {import('../cli.js').Result}
 */
export function bakeCommand({ db, site, source: folder, busyTimeout }) {
  const hugoSite = enclosingSite(folder);
  if (hugoSite !== null && hugoSite !== folder) throw isInside(folder, hugoSite);
  const { chosen, sites, generation, counted } = readCounts(db, site, busyTimeout);
  const baked = bake(counted);
  const changed = putData(folder, toData(baked));
  const file = join(dataFolder(folder), 'counts.json');
  const { pages, merged, blank } = baked;
  const { comments, pending, lockMilliseconds } = counted;
  const result = { comments: comments - blank, pages, pending, merged, blank, changed };
  return {
    data: { ...result, file, generation, site: chosen?.name ?? null, lockMilliseconds },
    text: describe(result, file),
    warnings: warn(folder, hugoSite !== null, site, sites.length),
  };
}

/**
 * @param {string} db
 * @param {string | undefined} site
 * @param {number} busyTimeout
 */
function readCounts(db, site, busyTimeout) {
  const source = openSource(db, { busyTimeout });
  try {
    const chosen = chooseSite(source, site);
    const { sites, generation } = source;
    return { chosen, sites, generation, counted: source.count(chosen?.id) };
  } finally {
    source.close();
  }
}

/**
 * @param {{comments: number, pages: number, pending: number, merged: number, blank: number, changed: boolean}} result
 * @param {string} file
 */
function describe({ comments, pages, pending, merged, blank, changed }, file) {
  const shown = printable(relative(process.cwd(), file));
  const first = `${amount(comments, 'comment')} on ${amount(pages, 'page')} → ${shown}${changed ? '' : ' unchanged'}`;
  const details = [
    `${grouped(pending)} pending`,
    `${amount(merged, 'url form')} merged`,
    `${grouped(blank)} with a blank url (no page)`,
  ];
  return `${first}\n${details.join(', ')}`;
}

/**
 * @param {number} count
 * @param {string} noun
 */
function amount(count, noun) {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Not toLocaleString(): loading the data of all languages takes 12 ms, a third of a small bake.
 *
 * @param {number} count
 * @returns {string} `1,234`
 */
function grouped(count) {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/**
 * Hugo would publish what is written into content/ or static/ of a site.
 *
 * @param {string} folder
 * @param {string} hugoSite
 */
function isInside(folder, hugoSite) {
  return new Failure(
    `${printable(folder)} is not the Hugo site, but a folder in it`,
    `Run this in ${printable(hugoSite)}, or give --source ${printable(hugoSite)}`,
  );
}

/**
 * @param {string} folder
 * @param {boolean} isHugoSite
 * @param {string | undefined} site
 * @param {number} sites
 */
function warn(folder, isHugoSite, site, sites) {
  const warnings = [];
  if (!isHugoSite) {
    warnings.push(`${folder} has no Hugo configuration: is it the folder of the site (--source DIR)?`);
  }
  if (site !== undefined && sites === 0) {
    warnings.push('This database holds a single site (Stacosys 2.0 or newer): --site has no effect.');
  }
  return warnings;
}
