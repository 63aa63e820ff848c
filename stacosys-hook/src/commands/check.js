import { bake, countsByKey, countsByUrl } from '../bake.js';
import { canonicalKey } from '../key.js';
import { findOrphans } from '../orphans.js';
import { printable } from '../printable.js';
import { Failure } from '../errors.js';
import { isHugoSite } from '../hugo-site.js';
import { readPages } from '../site.js';
import { chooseSite, openSource } from '../source.js';
import { unseenFolders } from '../unseen-folders.js';

const LISTED = 20;
const FORMS_LISTED = 6;
const URL_SHOWN = 160; // characters

const JOURNALS = {
  'rollback journal':
    'a read and a write wait for each other, so that a bake keeps Stacosys waiting as long as one count',
  wal: 'reads and writes do not wait for each other; whoever reads it must be able to read the files beside it, too',
};

/**
 * Explains a set-up before anything breaks. Writes nothing.
 *
 * @param {import('../config.js').Config} config
 * @returns {Promise<import('../cli.js').Result>} exit code 1 where comments belong to no page
 */
export async function checkCommand(config) {
  const { db, site, source: folder, busyTimeout, hugo } = config;
  const database = readDatabase(db, site, busyTimeout);
  const pages = isHugoSite(folder) ? await readPages(folder, hugo) : null;
  const orphans = pages === null ? null : findOrphans(database.counts, pages);
  if (pages === null && isHugoSite(folder) && hugo !== 'hugo') throw noSuchHugo(hugo);
  const { counts, forms, ...facts } = database;
  return {
    data: {
      ...facts,
      pages: counts.size,
      forms: Object.fromEntries([...forms].map(([key, urls]) => [key, Object.fromEntries(urls)])),
      site: pages === null ? null : { folder, pages: pages.length },
      orphans,
    },
    text: [
      table(database),
      formsText(forms),
      pages === null ? '' : orphansText(orphans ?? [], pages.length, folder),
    ]
      .filter(Boolean)
      .join('\n\n'),
    warnings: [...(pages === null ? [whyNotCompared(folder)] : []), ...(await unseenFolders(config))],
    exitCode: orphans?.length ? 1 : 0,
  };
}

/**
 * @param {string} db
 * @param {string | undefined} wanted
 * @param {number} busyTimeout
 */
function readDatabase(db, wanted, busyTimeout) {
  const source = openSource(db, { busyTimeout });
  try {
    const chosen = chooseSite(source, wanted);
    const { lines, urls, comments, pending, lockMilliseconds } = source.count(chosen?.id);
    const { counts, blank } = bake({ lines, urls });
    return {
      database: source.file,
      generation: source.generation,
      journal: source.journal,
      sites: source.sites.map(({ name, url }) => ({ name, url, chosen: name === chosen?.name })),
      comments: comments + pending,
      published: comments,
      pending,
      blank,
      urls,
      lockMilliseconds,
      counts: countsByKey(counts),
      forms: groupForms(countsByUrl(lines)),
    };
  } finally {
    source.close();
  }
}

/**
 * @typedef {Map<string, [url: string, published: number][]>} Forms
 *
 * @param {[url: string, published: number][]} urls
 * @returns {Forms} key → its url forms, where they are not just the key; '' for what is no page
 */
function groupForms(urls) {
  /** @type {Forms} */
  const forms = new Map();
  for (const entry of urls) {
    const key = canonicalKey(entry[0]) ?? '';
    const group = forms.get(key);
    if (group) group.push(entry);
    else forms.set(key, [entry]);
  }
  return new Map([...forms].filter(([key, [first, second]]) => second || first?.[0] !== key));
}

/** @param {ReturnType<typeof readDatabase>} facts */
function table({
  database,
  generation,
  journal,
  sites,
  comments,
  published,
  pending,
  urls,
  blank,
  counts,
  lockMilliseconds,
}) {
  const rows = [
    ['Database', printable(database)],
    ['Written by', `Stacosys ${generation}`],
    ['Journal', `${journal}: ${JOURNALS[journal]}`],
    ['Read lock', `${lockMilliseconds.toFixed(1)} ms for a count`],
    ...sites.map(({ name, url, chosen }) => [
      'Site',
      `${printable(name)} (${printable(url)})${chosen ? ', the chosen one' : ''}`,
    ]),
    ['Comments', `${comments} (${published} published, ${pending} pending)`],
    [
      'Urls',
      `${urls} with published comments, which mean ${counts.size} page${counts.size === 1 ? '' : 's'}`,
    ],
  ];
  if (blank > 0) {
    rows.push(['Blank', `${blank} published with a url that names no page: no page can count them`]);
  }
  return rows.map(([name, value]) => `${name?.padEnd(12)}${value}`).join('\n');
}

/** @param {Forms} forms */
function formsText(forms) {
  if (forms.size === 0 || (forms.size === 1 && forms.has(''))) return '';
  const lines = [...forms]
    .filter(([key]) => key !== '')
    .map(([key, urls]) => {
      const from = urls.slice(0, FORMS_LISTED).map(([url, count]) => `"${shown(url)}" (${count})`);
      const more = urls.length - FORMS_LISTED;
      return `  ${shown(key)} ← ${from.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    });
  return `Urls that are read as another form of their page:\n${listed(lines)}`;
}

/**
 * @param {import('../orphans.js').Orphan[]} orphans
 * @param {number} pages
 * @param {string} folder
 */
function orphansText(orphans, pages, folder) {
  const where = `${pages} page${pages === 1 ? '' : 's'} of ${printable(folder)}`;
  if (orphans.length === 0) return `Every commented url is one of the ${where}.`;
  const lines = orphans.map(({ key, comments, nearest }) => {
    const remedy = nearest
      ? `did you mean ${nearest.key}? add ${asAlias(key)} to \`aliases\` in ${printable(nearest.path)}`
      : 'no page resembles it';
    return `  ${shown(key)} (${comments} comment${comments === 1 ? '' : 's'}): ${remedy}`;
  });
  return `Comments that are lost, because their url is none of the ${where}:\n${listed(lines)}\n${MOVED_OR_GONE}`;
}

const MOVED_OR_GONE =
  'A page that moved takes its old address as one of its `aliases`. Where a page is gone, its comments count in the total only.';

/**
 * Hugo takes an alias as the name of a folder: an escape in it would make a page that nobody finds.
 *
 * @param {string} key
 */
function asAlias(key) {
  return key.includes('%') ? `"${printable(decodeURIComponent(key))}"` : 'it';
}

/** @param {string} url of any length, typed by anybody */
function shown(url) {
  return printable(url.length > URL_SHOWN ? `${url.slice(0, URL_SHOWN)}…` : url);
}

/** @param {string[]} lines */
function listed(lines) {
  const more = lines.length - LISTED;
  return [...lines.slice(0, LISTED), ...(more > 0 ? [`  … and ${more} more (--json lists all)`] : [])].join(
    '\n',
  );
}

/** @param {string} hugo as it was given: nobody wants to believe a check that did not look */
function noSuchHugo(hugo) {
  return new Failure(`There is no ${printable(hugo)}`, 'Give the Hugo binary: --hugo FILE, or HUGO_BIN.');
}

/** @param {string} folder */
function whyNotCompared(folder) {
  return isHugoSite(folder)
    ? `There is no hugo on the PATH to list the pages with: the comments were not compared with the site. Give --hugo FILE.`
    : `${folder} is no Hugo site: the comments were not compared with its pages. Give --source DIR.`;
}
