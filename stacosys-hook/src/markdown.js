import MarkdownIt from 'markdown-it';

/**
 * @typedef {import('markdown-it').Token} Token
 * @typedef {(tokens: Token[], index: number, options: any, env: any, renderer: typeof markdown.renderer) => string} Rule
 */

/** A link that a commenter chose, and no search engine should count. */
export const REL = 'nofollow ugc noopener';

/** Longer ones stay text: the form of an article takes 10,000 characters unless told otherwise. */
const LONGEST = 50_000;

/** Each bracket that nobody closes is looked for to the end: with more of them it stays text, too. */
const MOST_LINKS = 1000;

const markdown = new MarkdownIt({ html: false, breaks: true, linkify: true });

// What nobody writes on purpose: indented text, lines of === or --- under text, references, entities.
// Tables and ~~strikethrough~~ are not CommonMark.
markdown.disable(['code', 'lheading', 'reference', 'entity', 'table', 'strikethrough']);

// Bare links are those that name their scheme
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false }).add('ftp:', null).add('//', null);

// Addresses stand as they were written; only those of the web and of mailboxes are links
markdown.normalizeLink = markdown.normalizeLinkText = (/** @type {string} */ url) => url;
markdown.validateLink = (/** @type {string} */ url) => /^(?:https?:\/\/|mailto:)/i.test(url);

// Items of lists always hold paragraphs
markdown.core.ruler.push('loose_lists', ({ tokens }) => {
  for (const token of tokens) token.hidden = false;
});

/** @typedef {{nesting?: {seen: number, depth: number}}} Depth */

/** Quotes and lists in each other: what is deeper is text. The library would leave it out at 100. */
const DEEPEST = 9;

markdown.block.ruler.before('blockquote', 'deepest', (state, line, _endLine, silent) => {
  if (silent || state.level < DEEPEST || nesting(state.tokens, /** @type {Depth} */ (state.env)) < DEEPEST) {
    return false;
  }
  state.push('paragraph_open', 'p', 1);
  const inline = state.push('inline', '', 0);
  inline.content = state.getLines(line, state.lineMax, state.blkIndent, false).trim();
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
  state.line = state.lineMax;
  return true;
});

/**
 * Counts on from where it was asked last: the blocks of a hostile comment are thousands.
 *
 * @param {Token[]} tokens of blocks so far
 * @param {Depth} env of this comment
 * @returns {number} how many quotes and lists hold the next block
 */
function nesting(tokens, env) {
  const known = (env.nesting ??= { seen: 0, depth: 0 });
  for (; known.seen < tokens.length; known.seen += 1) {
    const { type, nesting: step } = /** @type {Token} */ (tokens[known.seen]);
    if (/^(?:blockquote|.*_list)_/.test(type)) known.depth += step;
  }
  return known.depth;
}

// A link without an address is none
markdown.core.ruler.push('empty_links', ({ tokens }) => {
  for (const { children } of tokens) unlink(children ?? []);
});

/** @param {Token[]} tokens of a line */
function unlink(tokens) {
  let isEmpty = false;
  for (const token of tokens) {
    if (token.type === 'link_open') isEmpty = !token.attrGet('href');
    if (!isEmpty || !token.type.startsWith('link')) continue;
    token.content = token.nesting > 0 ? '[' : ']()';
    Object.assign(token, { type: 'text', nesting: 0 });
  }
}

/** @type {Record<string, Rule>} */
const rules = {};
// The page has headings of its own
rules.heading_open = () => '<p><strong>';
rules.heading_close = () => '</strong></p>';
rules.softbreak = rules.hardbreak = () => '<br>';
// The number that a list starts with is always said
rules.ordered_list_open = (tokens, index) =>
  `<ol start="${escaped(tokens[index]?.attrGet('start') ?? '1')}">`;
rules.fence = (tokens, index) => `<pre><code>${escaped(tokens[index]?.content)}</code></pre>`;
rules.link_open = (tokens, index) => {
  const address = escaped(tokens[index]?.attrGet('href'));
  return opening(address) + (tokens[index + 1]?.type === 'link_close' ? address : '');
};
// Loading an image would tell its server about every reader
rules.image = (tokens, index, options, env, renderer) => {
  const address = escaped(tokens[index]?.attrGet('src'));
  const words = tokens[index]?.children?.filter(({ type }) => !/^(?:link_|image$)/.test(type)) ?? [];
  const text = renderer.renderInline(words, options, env) || address;
  if (address === '') return `![${text}]()`;
  return isInLink(tokens, index) ? text : `${opening(address)}${text}</a>`;
};

Object.assign(markdown.renderer.rules, rules);

/**
 * The Markdown that people write in comments, as HTML that is safe whatever they wrote: HTML stays
 * text, a heading is bold text, an image is a link to it, and only what leads to the web or to a
 * mailbox is a link. The script of the live list (assets/stacosys/markdown.ts) shows the same.
 *
 * @param {string} content as Stacosys stores it
 * @returns {string} HTML
 */
export function renderMarkdown(content) {
  if (content.length > LONGEST || content.split('[').length > MOST_LINKS) return plainParagraphs(content);
  return markdown.render(content, {});
}

/** Characters of Markdown for one that shows: a link has its address. */
const MARKS = 10;

/** The end of a sentence or a part of one, also in brackets or quotes, in any script. */
const STOP =
  /[\p{Terminal_Punctuation}\p{Dash_Punctuation}…][\p{Close_Punctuation}\p{Final_Punctuation}"']*$/u;

/**
 * What a comment says, in one line without any mark. A dash parts paragraphs, headings and items, unless a stop
 * does.
 *
 * @param {string} content as Stacosys stores it
 * @param {number} length characters at most; longer text is cut at a word, with an ellipsis
 * @returns {string} plain text, not HTML
 */
export function excerpt(content, length) {
  const tokens = markdown.parse(content.slice(0, length * MARKS), {});
  const blocks = tokens.map((token) => wordsOf(token).replace(/\s+/g, ' ').trim()).filter(Boolean);
  const text = blocks.map((block, index) => (index > 0 ? joint(blocks[index - 1]) + block : block)).join('');
  const characters = [...text];
  if (characters.length <= length) return text;
  const cut = characters.slice(0, length - 1).join('');
  return `${cut.replace(/(?: –)?\s+\S{0,20}$/, '')}…`;
}

/** @param {string} [block] of text, before the next one */
function joint(block = '') {
  return STOP.test(block) ? ' ' : ' – ';
}

/**
 * @param {Token} token
 * @returns {string}
 */
function wordsOf({ type, content, children }) {
  if (children === null) return type === 'fence' || type === 'text' || type === 'code_inline' ? content : '';
  return children.map((child) => (child.type.endsWith('break') ? ' ' : wordsOf(child))).join('');
}

/**
 * @param {Token[]} tokens
 * @param {number} index
 */
function isInLink(tokens, index) {
  return (
    tokens
      .slice(0, index)
      .reduce((depth, { type, nesting }) => depth + (/^link/.test(type) ? nesting : 0), 0) > 0
  );
}

/** @param {string} content */
function plainParagraphs(content) {
  const paragraphs = content.split(/(?:\r?\n[ \t]*){2,}/).filter((text) => text.trim() !== '');
  return paragraphs.map((text) => `<p>${escaped(text.trim()).replace(/\r?\n/g, '<br>')}</p>\n`).join('');
}

/** @param {string} address */
function opening(address) {
  return `<a href="${address}" rel="${REL}">`;
}

/** @param {string} text @returns {string} which stands for itself in HTML, in an attribute too */
export function escapeHtml(text) {
  return markdown.utils.escapeHtml(text);
}

/** @param {string | number | null} [text] */
function escaped(text) {
  return escapeHtml(String(text ?? ''));
}
