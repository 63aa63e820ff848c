/*
 * What a CommonMark library makes of a comment. Where comments differ from CommonMark on purpose,
 * its rules are switched off, or its nodes are written as the comments have them: nothing else is
 * normalised.
 */
import MarkdownIt from 'markdown-it';

export const REL = 'nofollow ugc noopener';

const oracle = new MarkdownIt({ html: false, breaks: true, linkify: true });

// What nobody writes on purpose: indented text, lines of === or --- under text, references, entities.
// Tables and ~~strikethrough~~ are not CommonMark.
oracle.disable(['code', 'lheading', 'reference', 'entity', 'table', 'strikethrough']);

// Bare links are those that name their scheme
oracle.linkify.set({ fuzzyLink: false, fuzzyEmail: false }).add('ftp:', null).add('//', null);

// Addresses stand as they were written; only those of the web and of mailboxes are links
oracle.normalizeLink = oracle.normalizeLinkText = (/** @type {string} */ url) => url;
oracle.validateLink = (/** @type {string} */ url) => /^(?:https?:\/\/|mailto:)/i.test(url);

// Items of lists always hold paragraphs
oracle.core.ruler.push('loose_lists', ({ tokens }) => {
  for (const token of tokens) token.hidden = false;
});

// Quotes and lists are nested nine deep: what is in there is text. The library would leave it out at 100.
const DEEPEST = 9;

oracle.block.ruler.before('blockquote', 'deepest', (state, line, _endLine, silent) => {
  if (silent || state.level < DEEPEST || nesting(state.tokens) < DEEPEST) return false;
  state.push('paragraph_open', 'p', 1);
  const inline = state.push('inline', '', 0);
  inline.content = state.getLines(line, state.lineMax, state.blkIndent, false).trim();
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
  state.line = state.lineMax;
  return true;
});

/** @param {Token[]} tokens of blocks: those that hold the last one */
function nesting(tokens) {
  return tokens.reduce(
    (depth, token) => depth + (/^(?:blockquote|.*_list)_/.test(token.type) ? token.nesting : 0),
    0,
  );
}

/**
 * @typedef {import('markdown-it').Token} Token
 * @typedef {(tokens: Token[], index: number, options: any, env: any, renderer: typeof oracle.renderer) => string} Rule
 */

/** @type {Record<string, Rule>} */
const rules = {};
rules.heading_open = () => '<p><strong>';
rules.heading_close = () => '</strong></p>';
rules.softbreak = rules.hardbreak = () => '<br>';
// The number that a list starts with is always said
rules.ordered_list_open = (tokens, index) => `<ol start="${tokens[index]?.attrGet('start') ?? 1}">`;
rules.fence = (tokens, index) => `<pre><code>${escaped(tokens[index]?.content)}</code></pre>`;
rules.link_open = (tokens, index) => {
  const address = escaped(tokens[index]?.attrGet('href'));
  return opening(address) + (tokens[index + 1]?.type === 'link_close' ? address : '');
};
// An image is a link to it
rules.image = (tokens, index, options, env, renderer) => {
  const address = escaped(tokens[index]?.attrGet('src'));
  const text = renderer.renderInline(tokens[index]?.children ?? [], options, env);
  return `${opening(address)}${text || address}</a>`;
};

Object.assign(oracle.renderer.rules, rules);

/** @param {string} address */
function opening(address) {
  return `<a href="${address}" rel="${REL}">`;
}

/** @param {string | number | null} [text] */
function escaped(text) {
  return oracle.utils.escapeHtml(String(text ?? ''));
}

/**
 * @param {string} source
 * @returns {string} HTML
 */
export function expected(source) {
  return oracle.render(source);
}
