import { bakedComment, secondOf, validDate } from './baked-comments.js';
import { escapeHtml, excerpt } from './markdown.js';

/**
 * @typedef {import('./bake-comments.js').Conversation} Conversation
 *
 * @typedef {object} Found
 * @property {Conversation} conversation
 * @property {number} index of the comment in it
 * @property {string} date
 *
 * @typedef {import('./baked-comments.js').BakedComment & {key: string, excerpt: string}} RecentComment
 */

const MOST = 100; // comments: a feed of the site's comments shows no more
const EXCERPT = 160; // characters
const LONGEST = 5000; // characters, of what a feed shows in full

/**
 * The newest comments of the site, the newest first. One without a valid date is none of them.
 *
 * @param {Conversation[]} conversations
 * @returns {RecentComment[]}
 */
export function recentComments(conversations) {
  /** @type {Found[]} */
  let found = [];
  for (const conversation of conversations) {
    const least = found.length < MOST ? '' : (found.at(-1)?.date ?? '');
    const newer = newerThan(conversation, least);
    if (newer.length > 0) found = [...found, ...newer].sort(latestFirst).slice(0, MOST);
  }
  return found.map(toRecent);
}

/**
 * @param {Conversation} conversation
 * @param {string} least a date
 * @returns {Found[]}
 */
function newerThan(conversation, least) {
  const { dates } = conversation;
  const found = [];
  for (let index = dates.length - 1; index >= 0; index -= 1) {
    const date = dates[index] ?? '';
    if (date <= least) break;
    if (validDate(date) !== '') found.push({ conversation, index, date });
  }
  return found.slice(0, MOST);
}

/**
 * @param {Found} a
 * @param {Found} b
 */
function latestFirst(a, b) {
  return a.date < b.date ? 1 : -Number(a.date > b.date);
}

/**
 * @param {Found} found
 * @returns {RecentComment}
 */
function toRecent({ conversation: { key, dates, textAt }, index }) {
  const text = textAt(index);
  const [published, author, site, avatar, content] = JSON.parse(String(text));
  const shown = excerpt(content, EXCERPT);
  if (content.length <= LONGEST) return { ...bakedComment(text, before(dates, index)), key, excerpt: shown };
  // What a feed does not show in full need not be rendered
  const short = Buffer.from(JSON.stringify([published, author, site, avatar, shown]));
  const html = `<p>${escapeHtml(shown)}</p>\n`;
  return { ...bakedComment(short, before(dates, index)), key, html, excerpt: shown };
}

/**
 * @param {string[]} dates ascending
 * @param {number} index
 * @returns {number} how many of its second come before it
 */
function before(dates, index) {
  const second = secondOf(dates[index] ?? '');
  let first = index;
  while (first > 0 && secondOf(dates[first - 1] ?? '') === second) first -= 1;
  return index - first;
}
