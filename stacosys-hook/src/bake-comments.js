import { hash } from 'node:crypto';
import { activityOf } from './activity.js';
import { bakedComments } from './baked-comments.js';
import { TAIL } from './comment-files.js';
import { recentComments } from './recent-comments.js';
import { readFileSync } from './fs.js';

/**
 * @typedef {object} Conversation the comments of one key, ascending by date
 * @property {string} key
 * @property {string} source a hash of them: as long as it stays, nothing has to be rendered
 * @property {string[]} dates as they are stored
 * @property {() => Buffer[]} texts as they were collected
 * @property {(index: number) => Buffer} textAt one of them
 */

/**
 * Sorts the comments by article. What costs time, the Markdown, is left to whoever writes them, who knows
 * what is there already.
 *
 * @param {import('./collect-comments.js').Collected} collected
 * @returns {Required<Pick<import('./data.js').Data, 'comments' | 'recent' | 'activity'>>}
 */
export function bakeComments({ keys, ...texts }) {
  const version = rendering();
  const conversations = [...keys]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, comments]) => toConversation(key, comments, texts, version));
  return {
    comments: toFiles(conversations),
    recent: toJson({ comments: recentComments(conversations) }),
    activity: toJson(activityOf(conversations)),
  };
}

/** What decides how a comment is rendered: files of another make are written anew. */
const RENDERERS = ['./markdown.js', './baked-comments.js', 'markdown-it/package.json'];

function rendering() {
  return sha256(Buffer.concat(RENDERERS.map((name) => readFileSync(new URL(import.meta.resolve(name))))));
}

/** @param {object} value */
function toJson(value) {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`);
}

/**
 * Stacosys sorts by publication; of one second, the one that was written first stays first.
 *
 * @param {string} key
 * @param {number[]} comments
 * @param {Omit<import('./collect-comments.js').Collected, 'keys'>} texts
 * @param {string} version of what renders them
 * @returns {Conversation}
 */
function toConversation(key, comments, { dateOf, textOf, textsOf }, version) {
  const dated = comments
    .map((comment) => ({ comment, date: dateOf(comment) }))
    .sort((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)));
  const order = Uint32Array.from(dated, ({ comment }) => comment);
  return {
    key,
    source: sha256(Buffer.concat([Buffer.from(version), textsOf(order)])),
    dates: dated.map(({ date }) => date),
    texts: () => Array.from(order, textOf),
    textAt: (index) => textOf(order[index] ?? 0),
  };
}

/**
 * A path may be too long for a file name, or be none at all, so each has its hash for a name.
 *
 * @param {Conversation[]} conversations
 * @returns {import('./comment-files.js').CommentFiles}
 */
function toFiles(conversations) {
  const named = conversations
    .map((conversation) => /** @type {const} */ ([`${sha256(conversation.key)}.json`, conversation]))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const files = /** @type {Map<string, Conversation>} */ (new Map(named));
  return {
    sources: new Map([...files].map(([name, { source }]) => [name, source])),
    body: (name) => {
      const { comments, known } = bakedComments(files.get(name)?.texts() ?? []);
      const rows = comments.map((comment) => JSON.stringify(comment));
      return `"known":"${known}","comments":[\n${rows.join(',\n')}${TAIL}`;
    },
  };
}

/** @param {string | Buffer} data */
function sha256(data) {
  return hash('sha256', data, 'hex'); // at once: a Hash object each would be 10,000 of them, outside the heap
}
