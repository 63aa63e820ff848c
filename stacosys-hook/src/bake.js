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
 * @property {Map<string, string[]>} forms key → the urls under which its comments lie, sorted; only
 *   where they are not just the key
 * @property {number} pages keys, of pages with a comment
 * @property {number} merged url forms that were merged into another form of their article
 * @property {number} blank published comments whose url names no page
 *
 * @typedef {[url: string, published: number]} Count
 *
 * @typedef {object} Article what its odd lines say
 * @property {number} published
 * @property {string[]} urls in the order of their bytes
 */

/** Lines whose url is `/`, or segments each closed by one slash: it is its own key. */
const PLAIN_LINES = /(?: {2}"\/(?:[A-Za-z0-9_.~-]+\/)*": \d+,\n){1,64}/y;

/** What stands before a url in its line. */
const INDENT = '  "'.length;

/**
 * Merges the url forms of every article and sums their comments.
 *
 * @param {Lines} rows
 * @returns {Baked}
 */
export function bake({ lines, urls }) {
  const { plain, odd } = separate(lines);
  const { articles, spellings, blank, named } = mergeForms(odd.map(parseLine));
  const { pieces, known } = weave(plain, articles);
  const pages = urls - odd.length + articles.size - known.size;
  const merged = urls - odd.length + named - pages;
  const forms = formsToAskFor(articles, known);
  return { counts: toObject(pieces), spellings: sorted(spellings), forms, pages, merged, blank };
}

/**
 * @param {string} lines
 * @returns {{plain: string[], odd: string[]}} plain: texts of a few lines whose url is its key; odd: each
 *   other line
 */
function separate(lines) {
  const plain = /** @type {string[]} */ ([]);
  const odd = /** @type {string[]} */ ([]);
  let next = 0;
  while (next < lines.length) {
    PLAIN_LINES.lastIndex = next;
    const isPlain = PLAIN_LINES.test(lines);
    const end = isPlain ? PLAIN_LINES.lastIndex : lines.indexOf('\n', next) + 1;
    (isPlain ? plain : odd).push(lines.slice(next, end));
    next = end;
  }
  return { plain, odd };
}

/**
 * The counts as they were stored. Urls that are no UTF-8 may look alike and come twice.
 *
 * @param {string} lines
 * @returns {Count[]}
 */
export function countsByUrl(lines) {
  return (lines.match(/[^\n]+\n/g) ?? []).map(parseLine);
}

/**
 * @param {string} line
 * @returns {Count}
 */
function parseLine(line) {
  const end = line.lastIndexOf(': ');
  return [JSON.parse(line.slice(0, end)), Number(line.slice(end + ': '.length, -',\n'.length))];
}

/**
 * The counts under their keys, for those who look into them.
 *
 * @param {Buffer} counts of bake
 * @returns {Map<string, number>}
 */
export function countsByKey(counts) {
  return new Map(Object.entries(JSON.parse(counts.toString())));
}

/**
 * @param {Buffer} counts of bake
 * @returns {{comments: number, pages: number}}
 */
export function totals(counts) {
  const values = [...countsByKey(counts).values()];
  return { comments: values.reduce((sum, count) => sum + count, 0), pages: values.length };
}

/**
 * The text of a data file: one value a line, newline at the end, no time stamp, so that the
 * same comments give the same bytes.
 *
 * @param {Map<string, string> | Map<string, string[]>} map
 */
export function toJson(map) {
  return `${JSON.stringify(Object.fromEntries(map), null, 2)}\n`;
}

/** @param {Count[]} odd in the order of their bytes */
function mergeForms(odd) {
  /** @type {Map<string, Article>} */
  const articles = new Map();
  /** @type {Map<string, string>} */
  const spellings = new Map();
  let blank = 0;
  let named = 0;
  for (const [url, published] of odd) {
    const key = canonicalKey(url);
    if (key === null) {
      blank += published;
      continue;
    }
    named += 1;
    const article = articles.get(key);
    if (article) {
      article.published += published;
      article.urls.push(url);
    } else {
      articles.set(key, { published, urls: [url] });
    }
    for (const spelling of otherSpellings(url, key)) spellings.set(spelling, key);
  }
  return { articles: sorted(articles), spellings, blank, named };
}

/**
 * Stacosys compares urls byte for byte, so a page has to ask for each form of its own. A Set,
 * because urls that are no UTF-8 may look alike. A blob is among them, and asked for in vain: its
 * marker could be the first letter of a text.
 *
 * @param {Map<string, Article>} articles sorted
 * @param {Set<string>} known keys that have a plain line
 * @returns {Map<string, string[]>} the key first, where it has comments itself
 */
function formsToAskFor(articles, known) {
  const forms = new Map();
  for (const [key, { urls }] of articles) {
    if (urls.length === 1 && urls[0] === key) continue;
    const hasOwn = known.has(key) || urls.includes(key);
    forms.set(key, [...new Set(hasOwn ? [key, ...urls] : urls)]);
  }
  return forms;
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
 * @param {string[]} plain texts of lines whose url is its key
 * @param {Map<string, Article>} articles sorted
 * @returns {{pieces: string[], known: Set<string>}} known: their keys that have a plain line
 */
function weave(plain, articles) {
  const pieces = [];
  const left = [...articles].reverse();
  const known = /** @type {Set<string>} */ (new Set());
  for (const text of plain) {
    const last = keyAt(text, text.lastIndexOf('\n', text.length - 2) + 1);
    let next = 0;
    for (let article = left.at(-1); article && article[0] <= last; article = left.at(-1)) {
      const [key, { published }] = article;
      const { place, end } = find(key, text, next);
      const own = end > place ? parseLine(text.slice(place, end))[1] : 0;
      pieces.push(text.slice(next, place), toLine(key, published + own));
      if (end > place) known.add(key);
      next = end;
      left.pop();
    }
    pieces.push(text.slice(next));
  }
  pieces.push(...left.reverse().map(([key, { published }]) => toLine(key, published)));
  return { pieces: pieces.filter(Boolean), known };
}

/**
 * @param {string} key
 * @param {number} count
 */
function toLine(key, count) {
  return `  "${key}": ${count},\n`;
}

/**
 * Where the line of a key stands, or would stand.
 *
 * @param {string} key
 * @param {string} text plain lines
 * @param {number} from the beginning of a line
 * @returns {{place: number, end: number}} end is place where there is no such line
 */
function find(key, text, from) {
  let place = from;
  while (place < text.length) {
    const candidate = keyAt(text, place);
    if (candidate > key) break;
    const end = text.indexOf('\n', place) + 1;
    if (candidate === key) return { place, end };
    place = end;
  }
  return { place, end: place };
}

/**
 * @param {string} text plain lines
 * @param {number} place the beginning of one
 */
function keyAt(text, place) {
  const start = place + INDENT;
  return text.slice(start, text.indexOf('"', start));
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
