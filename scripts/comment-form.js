/**
 * @typedef {object} NewComment
 * @property {string} url
 * @property {string} author
 * @property {string} site
 * @property {string} gravatar
 * @property {string} content
 */

const ALLOWED = new Set(['url', 'author', 'message', 'site', 'email', 'token', 'remarque']);

/** What Python's `str.strip` takes away; `trim` knows other characters. */
const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
/** Not begun inside a run of them, which would take a time that grows with its square. */
const AROUND = new RegExp(`^${SPACE}+|(?<!${SPACE})${SPACE}+$`, 'g');

/**
 * What Stacosys makes of its form.
 *
 * @param {import('./form-fields.js').Fields} fields
 * @returns {NewComment | null} null where it refuses it
 */
export function commentForm(fields) {
  const field = (/** @type {string} */ name) => fields.get(name) ?? '';
  const strip = (/** @type {string} */ text) => text.replace(AROUND, '');
  const [url, author, content] = [field('url'), strip(field('author')), field('message')];
  const isComplete = url !== '' && author !== '' && content !== '';
  const isSpam = field('remarque') !== '' || [...fields.keys()].some((name) => !ALLOWED.has(name));
  if (!isComplete || isSpam) return null;
  const site = strip(field('site').toLowerCase());
  return { url, author, site: withScheme(site), gravatar: strip(field('email')), content };
}

/** @param {string} site of the author; any scheme but http becomes a part of the host */
function withScheme(site) {
  return site === '' || site.startsWith('http') ? site : `http://${site}`;
}
