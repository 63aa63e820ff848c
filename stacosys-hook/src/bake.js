import { canonicalKey, otherSpellings } from './key.js';

/*
 * The counts of 100,000 articles stay as they come from SQLite: one text of JSON members, one a
 * line. Nearly every url is its own key, so nearly every line goes into the data file as it is.
 * An object a line costs 30 MB and a third of the time.
 */

/**
 * @typedef {object} Lines the rows of a source
 * @property {string} lines `  "url": published,\n` for each url as Stacosys stores it, in the order
 *   of their bytes, none twice
 * @property {number} urls how many
 *
 * @typedef {object} Baked
 * @property {Buffer} counts the text of counts.json: canonical key → published comments, sorted
 * @property {Map<string, string>} spellings what Hugo may print instead of a key → the key, sorted
 * @property {number} pages keys, of pages with a comment
 * @property {number} merged url forms that were merged into another form of their article
 * @property {number} blank published comments whose url names no page
 *
 * @typedef {[url: string, published: number]} Count
 */

/**
 * A line whose url is not plain: `/`, or segments each closed by one slash, is its own key. Not
 * with `^` and `.`, for which a line also ends at U+2028, which a url may hold.
 */
const ODD_LINE = /(?<![^\n])(?! {2}"\/(?:[A-Za-z0-9_.~-]+\/)*": )[^\n]+\n/g;

/** What stands before a url in its line. */
const INDENT = '  "'.length;

/**
 * Merges the url forms of every article and sums their comments.
 *
 * @param {Lines} rows
 * @returns {Baked}
 */
export function bake({ lines, urls }) {
  const odd = lines.match(ODD_LINE) ?? [];
  const plain = odd.length === 0 ? lines : lines.replace(ODD_LINE, '');
  const { counts, spellings, blank, forms } = mergeForms(odd.map(parseLine));
  const { pieces, known } = weave(plain, sorted(counts));
  const pages = urls - odd.length + counts.size - known;
  const merged = urls - odd.length + forms - pages;
  return { counts: toObject(pieces), spellings: sorted(spellings), pages, merged, blank };
}

/**
 * The counts as they were stored, for those who look into them.
 *
 * @param {string} lines
 * @returns {Count[]}
 */
export function countsByUrl(lines) {
  return (lines.match(/[^\n]+\n/g) ?? []).map(parseLine);
}

/**
 * The counts under their keys, likewise.
 *
 * @param {Buffer} counts of bake
 * @returns {Map<string, number>}
 */
export function countsByKey(counts) {
  return new Map(Object.entries(JSON.parse(counts.toString())));
}

/**
 * The text of a data file: one entry a line, newline at the end, no time stamp, so that the
 * same comments give the same bytes.
 *
 * @param {Map<string, string>} map
 */
export function toJson(map) {
  return `${JSON.stringify(Object.fromEntries(map), null, 2)}\n`;
}

/**
 * @param {string} line
 * @returns {Count}
 */
function parseLine(line) {
  const [count] = Object.entries(JSON.parse(`{${line.slice(0, -',\n'.length)}}`));
  return /** @type {Count} */ (count);
}

/** @param {Count[]} odd */
function mergeForms(odd) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {Map<string, string>} */
  const spellings = new Map();
  let blank = 0;
  let forms = 0;
  for (const [url, published] of odd) {
    const key = canonicalKey(url);
    if (key === null) {
      blank += published;
      continue;
    }
    forms += 1;
    counts.set(key, (counts.get(key) ?? 0) + published);
    for (const spelling of otherSpellings(url, key)) spellings.set(spelling, key);
  }
  return { counts, spellings, blank, forms };
}

/**
 * @template T
 * @param {Map<string, T>} map
 * @returns {Map<string, T>} the same entries in the order of their bytes: keys are ASCII
 */
function sorted(map) {
  return new Map([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Puts merged counts between the plain lines, or on top of the line of the same key.
 *
 * @param {string} plain lines whose url is its key
 * @param {Map<string, number>} counts sorted
 * @returns {{pieces: string[], known: number}} known: keys that have a plain line
 */
function weave(plain, counts) {
  const pieces = [];
  let known = 0;
  let next = 0;
  for (const [key, count] of counts) {
    const { place, end } = find(key, plain, next);
    const isKnown = end > place;
    const published = isKnown ? parseLine(plain.slice(place, end))[1] : 0;
    pieces.push(plain.slice(next, place), `  "${key}": ${count + published},\n`);
    known += isKnown ? 1 : 0;
    next = end;
  }
  pieces.push(plain.slice(next));
  return { pieces: pieces.filter(Boolean), known };
}

/**
 * Where the line of a key stands, or would stand.
 *
 * @param {string} key
 * @param {string} plain lines
 * @param {number} from the beginning of a line
 * @returns {{place: number, end: number}} end is place where there is no such line
 */
function find(key, plain, from) {
  let low = from;
  let high = plain.length;
  while (low < high) {
    const start = Math.max(low, plain.lastIndexOf('\n', (low + high) >>> 1) + 1);
    const keyStart = start + INDENT;
    const candidate = plain.slice(keyStart, plain.indexOf('"', keyStart));
    const end = plain.indexOf('\n', keyStart) + 1;
    if (candidate === key) return { place: start, end };
    if (candidate < key) low = end;
    else high = start;
  }
  return { place: low, end: low };
}

/**
 * @param {string[]} pieces of whole lines, none empty, ASCII
 * @returns {Buffer}
 */
function toObject(pieces) {
  const last = pieces.pop();
  const texts = last === undefined ? ['{}\n'] : ['{\n', ...pieces, last.slice(0, -',\n'.length), '\n}\n'];
  const buffer = Buffer.allocUnsafe(texts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const text of texts) end += buffer.write(text, end, 'latin1');
  return buffer;
}
