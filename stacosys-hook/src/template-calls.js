/**
 * @typedef {object} Template
 * @property {string} file relative to the blog
 * @property {string} text
 *
 * @typedef {object} TemplateCalls the files that call each of these partials
 * @property {string[]} count stacosys/count.html, or what the module has for a theme, which shows the count
 * @property {string[]} comments stacosys/comments.html
 * @property {string[]} forwarded comments.html, which our module has, too: many themes call it
 */

/** What is commented out calls nothing. */
const COMMENT = /\{\{-?\s*\/\*.*?\*\/\s*-?\}\}|<!--.*?-->/gs;

const PARTIALS = {
  count: 'stacosys/(count|themes/[\\w-]+)',
  comments: 'stacosys/comments',
  forwarded: 'comments',
};

/**
 * @param {Template[]} templates
 * @returns {TemplateCalls}
 */
export function templateCalls(templates) {
  const plain = templates.map(({ file, text }) => ({ file, text: text.replace(COMMENT, '') }));
  /** @param {string} partial */
  const callersOf = (partial) => {
    const call = new RegExp(`\\bpartial(Cached)?\\s*\\(?\\s*["\`]${partial}(\\.html)?["\`]`);
    return plain.filter(({ text }) => call.test(text)).map(({ file }) => file);
  };
  return {
    count: callersOf(PARTIALS.count),
    comments: callersOf(PARTIALS.comments),
    forwarded: callersOf(PARTIALS.forwarded),
  };
}
