import { renderMarkdown } from './markdown.js';

/**
 * @typedef {object} BakedComment what a page may show of a comment; each text is well-formed and without NUL
 * @property {string} id of its element: a link to a comment stays right in the live list and the baked one
 * @property {string} date `YYYY-MM-DD HH:MM:SS`, wall clock of the server; '' where the database has no such date
 * @property {string} [at] the same as RFC 3339, where there is such a date: what Hugo's dateFormat reads first, and as it
 *   is in UTC, no time zone of a site moves it
 * @property {string} author
 * @property {string} initial the first letter of the name
 * @property {string} [site] http or https
 * @property {string} [avatar] a hash of 32 or 64 hexadecimal digits
 * @property {string} html safe
 */

/** MD5 or SHA-256, as Gravatar takes it. Databases hold plain e-mail addresses there, too. */
const HASH = /^(?:[0-9a-f]{32}|[0-9a-f]{64})$/i;

/** A reader who comes back to see his own comment published finds it among the newest. */
const KNOWN = 50;

/**
 * @param {Buffer[]} texts of a collector, ascending by date
 * @returns {{comments: BakedComment[], known: string}} known: by which a browser knows those of the newest comments
 *   again that its reader wrote; `1k7c9dx 8f03ab`
 */
export function bakedComments(texts) {
  /** @type {Map<string, number>} */
  const seconds = new Map();
  const comments = texts.map((text) => {
    const [date] = JSON.parse(String(text));
    const second = secondOf(date);
    const before = seconds.get(second) ?? 0;
    seconds.set(second, before + 1);
    return bakedComment(text, before);
  });
  return { comments, known: texts.slice(-KNOWN).map(wordsOf).join(' ') };
}

/**
 * @param {Buffer} text of a collector
 * @param {number} before comments of the same article and second before it
 * @returns {BakedComment}
 */
export function bakedComment(text, before) {
  const [stored, author, site, avatar, content] = parse(text);
  const date = validDate(stored);
  return {
    id: toId(stored, before),
    date,
    ...(date !== '' && { at: `${date.replace(' ', 'T')}Z` }),
    author,
    initial: [...author][0] ?? '',
    ...(/^https?:\/\//i.test(site) && { site }),
    ...(HASH.test(avatar) && { avatar: avatar.toLowerCase() }),
    html: renderMarkdown(content),
  };
}

/**
 * @param {string} date
 * @returns {string} its digits: without fractions of a second
 */
export function secondOf(date) {
  return date.slice(0, 'YYYY-MM-DD HH:MM:SS'.length).replace(/\D+/g, '');
}

/** More of one second have been imported. */
const MOST_OF_A_SECOND = 20;

/**
 * As assets/stacosys/list.ts makes it, so that a link to a comment stays right: the second one of a second has
 * -2 behind it, the third one -2-2.
 *
 * @param {string} date
 * @param {number} before
 */
function toId(date, before) {
  return `comment-${secondOf(date)}${before > MOST_OF_A_SECOND ? `-${before + 1}` : '-2'.repeat(before)}`;
}

/**
 * Hugo ends the build at a date that it cannot read.
 *
 * @param {string} text as Stacosys stores a date, perhaps with fractions of a second
 * @returns {string} `YYYY-MM-DD HH:MM:SS`; '' where it is no date
 */
export function validDate(text) {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text) ?? [];
  const parsed = new Date(`${day}T${time}Z`);
  const isReal = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(`${day}T${time}`);
  return isReal ? `${day} ${time}` : '';
}

/**
 * @param {Buffer} text
 * @returns {[date: string, author: string, site: string, avatar: string, content: string]}
 */
function parse(text) {
  return JSON.parse(String(text)).map(clean);
}

/** @param {string} text */
function clean(text) {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/**
 * As assets/stacosys/baked.ts makes it of a comment that was just sent. Stacosys keeps line ends as they come.
 *
 * @param {Buffer} text
 */
function wordsOf(text) {
  const [, author, , , content] = parse(text);
  let hash = 0;
  for (const character of (author + content).replace(/\s/g, '')) {
    hash = (Math.imul(hash, 31) + /** @type {number} */ (character.codePointAt(0))) | 0;
  }
  return (hash >>> 0).toString(36);
}
