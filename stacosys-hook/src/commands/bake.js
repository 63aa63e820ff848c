import { join, relative } from 'node:path';
import { bake, totals } from '../bake.js';
import { commentsFolder } from '../comment-files.js';
import { dataFolder, isChange, putData, toData, withComments } from '../data.js';
import { Failure } from '../errors.js';
import { enclosingSite } from '../hugo-site.js';
import { printable } from '../printable.js';
import { chooseSite, openSource } from '../source.js';
import { unseenFolders } from '../unseen-folders.js';
import { wantsComments } from '../wants-comments.js';

/**
 * @typedef {object} Baked
 * @property {import('../data.js').Data} data
 * @property {boolean} changed whether a data file did
 * @property {import('../cli.js').Result} result
 */

/**
 * Reads the comments once and puts data/stacosys/counts.json in place, spellings.json where Hugo
 * may print a key in another spelling, and forms.json where comments lie under another url than
 * their key.
 *
 * @param {import('../config.js').Config} config
 * @returns {Promise<import('../cli.js').Result>}
 */
export async function bakeCommand(config) {
  return (await bakeSite(config)).result;
}

/**
 * @param {import('../config.js').Config} config
 * @returns {Promise<Baked>}
 */
export async function bakeSite(config) {
  const { source: folder, from } = config;
  const hugoSite = enclosingSite(folder);
  if (hugoSite !== null && hugoSite !== folder) throw isInside(folder, hugoSite);
  const baked = from === undefined ? await bakeDatabase(config) : await bakeRemote(config, from);
  const warnings = hugoSite === null ? [noHugoSite(folder)] : await unseenFolders(config);
  baked.result.warnings?.unshift(...warnings);
  return baked;
}

/**
 * @param {import('../config.js').Config} config
 * @returns {Promise<Baked>}
 */
async function bakeDatabase(config) {
  const { site, source: folder } = config;
  const { chosen, sites, generation, counted, collected } = await readComments(config);
  const baked = bake(counted);
  const data = await withComments(toData(baked), collected);
  const changes = putData(folder, data);
  const changed = isChange(changes);
  const file = countsFile(folder);
  const { pages, merged, blank } = baked;
  const { comments, pending, lockMilliseconds } = counted;
  const facts = { comments: comments - blank, pages, pending, merged, blank, changed };
  const details = [
    `${grouped(pending)} pending`,
    `${amount(merged, 'url form')} merged`,
    `${grouped(blank)} with a blank url (no page)`,
  ];
  const lines = [summary(facts, file), details.join(', '), ...filesText(folder, data, changes)];
  const result = {
    data: {
      ...facts,
      file,
      generation,
      site: chosen?.name ?? null,
      lockMilliseconds,
      ...(data.comments && { files: changes.comments }),
    },
    text: lines.join('\n'),
    warnings: site !== undefined && sites.length === 0 ? [SINGLE_SITE] : [],
  };
  return { data, changed, result };
}

/**
 * @param {import('../config.js').Config} config
 * @param {string} url
 * @returns {Promise<Baked>}
 */
async function bakeRemote(config, url) {
  const { source: folder } = config;
  const { fetchData, onlyCounts } = await import('../remote.js'); // loads the network
  if (wantsComments(config)) throw onlyCounts();
  const { data } = await fetchData(url, folder);
  const changed = isChange(putData(folder, data));
  const file = countsFile(folder);
  const facts = { ...totals(data.counts), changed };
  const result = { data: { ...facts, file }, text: summary(facts, file), warnings: [] };
  return { data, changed, result };
}

/** @param {string} folder */
function countsFile(folder) {
  return join(dataFolder(folder), 'counts.json');
}

/** @param {import('../config.js').Config} config */
async function readComments(config) {
  const collect = wantsComments(config) ? await import('../collect-comments.js') : null; // most sites want none
  const source = openSource(config.db, { busyTimeout: config.busyTimeout });
  try {
    const chosen = chooseSite(source, config.site);
    const { sites, generation } = source;
    const facts = { chosen, sites, generation };
    if (collect === null) return { ...facts, counted: source.count(chosen?.id), collected: undefined };
    return { ...facts, ...collect.collectComments(source.read(chosen?.id)) };
  } finally {
    source.close();
  }
}

/**
 * @param {{comments: number, pages: number, changed: boolean}} facts
 * @param {string} file
 */
function summary({ comments, pages, changed }, file) {
  const shown = printable(relative(process.cwd(), file));
  return `${amount(comments, 'comment')} on ${amount(pages, 'page')} → ${shown}${changed ? '' : ' unchanged'}`;
}

/**
 * @param {string} folder
 * @param {import('../data.js').Data} data
 * @param {import('../data.js').Changes} changes
 * @returns {string[]} a line where the comments themselves are baked
 */
function filesText(folder, { comments }, { comments: { written, removed } }) {
  if (!comments) return [];
  const shown = printable(relative(process.cwd(), commentsFolder(folder)));
  const done =
    written + removed > 0
      ? ` (${amount(written, 'file')} written, ${grouped(removed)} removed)`
      : ' unchanged';
  return [`the comments themselves → ${shown}/${done}`];
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

/** @param {string} folder */
function noHugoSite(folder) {
  return `${folder} has no Hugo configuration: is it the folder of the site (--source DIR)?`;
}

const SINGLE_SITE = 'This database holds a single site (Stacosys 2.0 or newer): --site has no effect.';
