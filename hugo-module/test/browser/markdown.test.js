import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { bundle } from '../../../scripts/bundle.js';
import { ROOT } from '../../../scripts/tools.js';
import { serve, visit } from '../browser.js';
import { INTENDED } from './intended-comments.js';
import { REL, expected } from './markdown-oracle.js';
import { COMMENTS } from './ordinary-comments.js';

/** @typedef {import('playwright-core').Page} Page */

const MARKDOWN = join(ROOT, 'assets', 'stacosys', 'markdown.ts');

/** The page puts it where page.evaluate() finds it. */
const SCRIPT = 'import { markdown } from "./markdown.js"; window.markdown = markdown;';

const ALLOWED = {
  elements: ['P', 'BR', 'EM', 'STRONG', 'CODE', 'PRE', 'BLOCKQUOTE', 'UL', 'OL', 'LI', 'A', 'HR'],
  attributes: ['A href', 'A rel', 'OL start'],
};

/** Comments per look at the page: a call takes longer than a comment. */
const BATCH = 200;

const SIZE = 100_000;

/** Four times the text takes four times as long where time is linear, sixteen where it is quadratic. */
const LINEAR = 10;

test('an ordinary comment is shown as CommonMark says', { timeout: 60_000 }, async (t) => {
  const page = await markdownPage(t);
  const trees = await compared(
    page,
    COMMENTS.map(([, comment]) => comment),
  );
  for (const [index, [what]] of COMMENTS.entries()) {
    await t.test(what, () => assert.equal(trees[index]?.ours.html, trees[index]?.theirs.html));
  }
});

test('a comment is shown otherwise than CommonMark says where that is intended', async (t) => {
  const page = await markdownPage(t);
  const shown = await page.evaluate(
    (comments) =>
      comments.map((comment) => {
        const box = document.createElement('div');
        box.append(Object(window).markdown(comment));
        return box.innerHTML;
      }),
    INTENDED.map(([, comment]) => comment),
  );
  for (const [index, [what, , html]] of INTENDED.entries()) {
    await t.test(what, () => assert.equal(shown[index]?.replaceAll(` rel="${REL}"`, ''), html));
  }
});

test('every link that a commenter chose says that it is one', async (t) => {
  const page = await markdownPage(t);
  const rels = await page.evaluate(() => {
    const nodes = Object(window).markdown(
      '[a](https://example.com) ![b](https://example.com) https://example.com',
    );
    return [...nodes.querySelectorAll('a')].map((link) => link.rel);
  });
  assert.deepEqual(rels, [REL, REL, REL]);
});

// Written so that a comment often opens what another piece closes
const PIECES = fc.oneof(
  { arbitrary: fc.constantFrom('a', 'bee', 'été', '日本', 'x1', '7', '👍'), weight: 4 },
  { arbitrary: fc.constantFrom(' ', '\n', '\n\n', '  '), weight: 3 },
  fc.constantFrom('*', '**', '***', '_', '__', '`', '``', '```', '~~~', '\\', '~', '\r\n', '\t', '    '),
  fc.constantFrom('\n> ', '>', '\n- ', '\n* ', '+ ', '\n1. ', '\n2) ', '\n# ', '### ', '\n---\n', '***'),
  fc.constantFrom('[', ']', '(', ')', '![', '](', '](http://e.org/w)', '](<', '>)', '](/w)', '<', '"t"'),
  fc.constantFrom(
    'http://e.org/w_(x)',
    'https://',
    'mailto:a@e.org',
    '<http://e.org/w>',
    'javascript:alert(1)',
  ),
  fc.constantFrom(
    '<b>',
    '</b>',
    '<script>',
    '<img src=x onerror=alert(1)>',
    '&amp;',
    '<!--',
    'data:text/html,x',
  ),
  fc.constantFrom('.', ',', '!', '?', '"', "'", '\0', '\u2028', '\u00a0', '\u202e', '\ufeff'),
);

const RUNS = fc
  .tuple(
    fc.constantFrom('*', '_', '`', '[', '> ', '- ', '1. ', '#', '![', '](http://e.org)', '\n', ' '),
    fc.nat(60),
  )
  .map(([piece, times]) => piece.repeat(times));

const GENERATORS = {
  'any text': fc.string({ unit: 'binary', maxLength: 100 }),
  'pieces of Markdown': fc
    .array(fc.oneof({ arbitrary: PIECES, weight: 9 }, RUNS), { maxLength: 40 })
    .map((pieces) => pieces.join('')),
};

for (const [what, comment] of Object.entries(GENERATORS)) {
  test(`${what} becomes nothing but harmless elements`, { timeout: 60_000 }, async (t) => {
    const page = await markdownPage(t);
    await fc.assert(
      fc.asyncProperty(fc.array(comment, { maxLength: BATCH, size: 'max' }), async (comments) => {
        assert.deepEqual(await strays(page, comments), []);
      }),
      { numRuns: 60 },
    );
  });
}

// What it leaves out, because comments differ there on purpose or hardly anybody writes it: lines that
// four spaces or a tab indent, entities, email addresses in angle brackets, bare links that touch other
// text, empty items, a list that starts at two right under other text, escaped brackets.
const PLAIN = fc.oneof(
  { arbitrary: fc.constantFrom('a', 'bee', 'été', '日本', 'x1'), weight: 5 },
  { arbitrary: fc.constantFrom(' ', '\n', '\n\n', '  \n', '\r\n'), weight: 4 },
  fc.constantFrom('*', '**', '***', '_', '__', '`', '\n```\n', '\n~~~\n', '~', '\\*', '\\_', '\\`'),
  fc.constantFrom('\n> one ', '\n>two ', '\n- one ', '\n* two ', '\n+ six ', '\n1. one ', '\n\n2) two '),
  fc.constantFrom('\n# one', '\n### two', '\n---\n', '\n***\n'),
  fc.constantFrom('[', ']', '(', ')', '![', '](', '](http://e.org/w)', '](/w)', '<', '>', '<b>', '</b>'),
  fc.constantFrom(' http://e.org/w ', ' https://e.org/w_(x), ', ' <http://e.org/w> ', ' mailto:a@e.org '),
  fc.constantFrom('.', ',', '!', '?', '"', "'", ':'),
);

test('no word of a comment is lost, doubled or moved', { timeout: 60_000 }, async (t) => {
  const page = await markdownPage(t);
  const comment = fc.array(PLAIN, { maxLength: 25 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(comment, { maxLength: BATCH, size: 'max' }), async (comments) => {
      for (const { ours, theirs } of await compared(page, comments)) {
        assert.equal(ours.text, theirs.text);
      }
    }),
    { numRuns: 60 },
  );
});

test('100 KB of brackets or of stars take less than 50 ms', async (t) => {
  const page = await markdownPage(t);
  for (const open of ['[', '*']) {
    const times = await milliseconds(page, { open, size: SIZE, times: 5 });
    assert.ok(Math.min(...times) < 50, `${open}: ${times.join(', ')} ms`);
  }
});

/**
 * What is written as often as the size needs it. What closes follows what opens as often as that.
 *
 * @typedef {object} Repeated
 * @property {string} open
 * @property {string} [close]
 */

/** @type {Repeated[]} */
const NASTY = [
  ...['[', ']', '(', ')', '![', '](', '[]', '[](', '[a](', '[a](http://', '[a](http://b "', '[a](http://(b)'],
  ...['[a](http://b', '[[a](http://b)', '[a](<', '[a](<http://b', '[a](http://(', '[(http://b)', '(((', '()'],
  ...[
    'http://',
    'http://.',
    'http://(',
    'http://(a)',
    '<http://',
    '<http://a',
    'mailto:',
    'mailto:.',
    'https',
  ],
  ...[
    '*',
    '**',
    '***',
    '****',
    '_',
    '__',
    '*_',
    '*__',
    '**_',
    'a*',
    'a**',
    'a***',
    '*a ',
    '**a ',
    'a* ',
    '_a ',
  ],
  ...[
    '*a_',
    '*a _b ',
    '*a **b ',
    '***a ',
    '*a* ',
    '*a*',
    '**a**',
    '*a**b',
    '_a __b ',
    '*(',
    '*) ',
    '(*',
    '.*',
  ],
  ...['`', '``', '`` ', '```', '````', '` ``', '` `` ``` ', '`a``b', '\\', '\\*', '\\`', '\\\n', '`\\'],
  ...[
    'a',
    'a ',
    'é',
    '日本',
    '👍',
    'a_b',
    ' ',
    '\t',
    '\u00a0',
    '\n',
    '\r\n',
    ' \n',
    'a\n',
    'a\n\n',
    ' a\n',
    '  \n',
  ],
  ...['>', '> ', '>a\n', '> a\n', '> a\n\n', '> > ', '>\n', '>>\n', '> - ', '> 1. ', '>```\n', '\n >'],
  ...[
    '- ',
    '- a\n',
    '- a\n\n',
    '-\n',
    '- - a\n',
    '  - a\n',
    '* ',
    '+ ',
    '* a\n- b\n',
    '- a\n  b\n',
    '- a\n\n\n',
  ],
  ...['1. ', '1. a\n', '1. a\n\n', '1', '1)\n', '2. a\n', '1. - ', '- 1. a\n', '1.\n', '1. a\n   - b\n'],
  ...[
    '#',
    '# ',
    '# a\n',
    '####### a\n',
    '#\n',
    '---\n',
    '- - -\n',
    '***\n',
    '-',
    '* * a\n',
    '_ _ ',
    '- - - a\n',
  ],
  ...[
    '```\n',
    '```a\n',
    '~~~\n',
    '~~~',
    '```\n~~~\n',
    '~~~~\n~~~\n',
    '```\na\n```\n',
    ' ```\n',
    '```\n\n',
    '>~~~\n',
  ],
  ...[
    '<',
    '<a>',
    '</a>',
    '<!--',
    '<!-- -->',
    '&',
    '&amp;',
    '!',
    '!!',
    '!*',
    '"',
    '~',
    '|',
    '|a',
    '|-\n',
    ':',
  ],
].map((open) => ({ open }));

/** @type {Repeated[]} */
const HALVES = [
  { open: '*a ', close: 'a* ' },
  { open: '*a _b ', close: 'b_ a* ' },
  { open: '**a ', close: 'a* ' },
  { open: '*a ', close: 'a** ' },
  { open: '***a ', close: 'a*** ' },
  { open: '*a_ ', close: '_a* ' },
  { open: '[', close: ']' },
  { open: '[', close: '](http://a)' },
  { open: '[a](http://', close: ')' },
  { open: '![', close: ']' },
  { open: '(', close: ')' },
  { open: 'http://a(', close: ')' },
  { open: '`', close: '`a' },
  { open: '`a', close: '``' },
  { open: '~~~\n', close: '~~~~\n' },
  { open: ' ', close: 'a' },
  { open: ' ', close: '- a\n' },
  { open: ' ', close: '- ' },
  { open: '1', close: '. a' },
  { open: '-', close: 'a' },
  { open: '- ', close: 'a' },
  { open: '- a\n', close: '\n' },
  { open: '\n', close: '- a\n' },
  { open: '>', close: 'a\n' },
  { open: '> ', close: '- ' },
  { open: '#', close: ' a' },
];

const SIGNS = [
  'a',
  ' ',
  '\n',
  '*',
  '_',
  '`',
  '[',
  ']',
  '(',
  ')',
  '!',
  '<',
  '>',
  '#',
  '-',
  '1. ',
  '\\',
  'http://',
  '~~~',
];

/** All that two of these make: the search for what nobody thought of. */
const PAIRS = SIGNS.flatMap((one) => SIGNS.map((other) => ({ open: one + other })));

const TEXTS = {
  'nasty input': { texts: NASTY, size: SIZE },
  'what opens often and then closes often': { texts: HALVES, size: SIZE },
  'any two signs, repeated': { texts: PAIRS, size: SIZE / 4 },
};

for (const [what, { texts, size }] of Object.entries(TEXTS)) {
  test(`${what} takes time linear in its length`, { timeout: 120_000 }, async (t) => {
    const page = await markdownPage(t);
    for (const text of texts) assert.deepEqual(await slowness(page, text, size), []);
  });
}

/**
 * A machine that does something else makes one measurement long, so the shortest of several counts,
 * and a text that seems slow is measured again.
 *
 * @param {Page} page
 * @param {Repeated} text
 * @param {number} size
 * @returns {Promise<string[]>} nothing, or what took too long
 */
async function slowness(page, text, size) {
  let [small, large] = [Infinity, Infinity];
  for (let times = 1; times <= 16; times *= 2) {
    small = Math.min(small, ...(await milliseconds(page, { ...text, size: size / 4, times })));
    large = Math.min(large, ...(await milliseconds(page, { ...text, size, times })));
    if (large < LINEAR * Math.max(small, 1)) return [];
  }
  return [`${JSON.stringify(text)}: ${large} ms, a quarter of it ${small} ms`];
}

/**
 * @param {Page} page
 * @param {Repeated & {size: number, times: number}} measured
 * @returns {Promise<number[]>}
 */
function milliseconds(page, measured) {
  return page.evaluate(({ open, close = '', size, times }) => {
    const half = Math.ceil(size / (open.length + close.length));
    const source = (open.repeat(half) + close.repeat(half)).slice(0, size);
    return Array.from({ length: times }, () => {
      const start = performance.now();
      Object(window).markdown(source);
      return performance.now() - start;
    });
  }, measured);
}

/**
 * Opens a page with the Markdown of comments as readers get it, under the policy of a careful blog.
 *
 * @param {import('node:test').TestContext} t
 * @returns {Promise<Page>}
 */
async function markdownPage(t) {
  site ??= await writeSite();
  const { address } = await serve(t, site);
  const { page, problems } = await visit(t, address);
  assert.deepEqual(problems, []);
  return page;
}

/** @type {string | undefined} */
let site;

async function writeSite() {
  const folder = mkdtempSync(join(tmpdir(), 'hugo-stacosys-markdown-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { code } = await bundle(MARKDOWN);
  writeFileSync(join(folder, 'markdown.js'), code);
  writeFileSync(join(folder, 'page.js'), SCRIPT);
  writeFileSync(join(folder, 'favicon.ico'), ''); // which Chromium asks for
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="/page.js"></script>');
  return folder;
}

/**
 * What comments show, and what CommonMark says that they show: the HTML of both trees, without the
 * spaces that HTML does not show, and the letters and digits of their text.
 *
 * @param {Page} page
 * @param {string[]} comments
 */
function compared(page, comments) {
  return page.evaluate(
    (pairs) => {
      /** @param {Element} root */
      const shown = (root) => {
        root.normalize();
        const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        /** @type {Text[]} */
        const between = [];
        for (let node; (node = /** @type {Text | null} */ (texts.nextNode()));) {
          const { parentElement: parent, previousSibling: previous } = node;
          const isIndented = previous ? previous.nodeName === 'BR' : parent?.matches('p');
          if (isIndented) node.data = node.data.trimStart();
          // The library writes a line per block
          if (parent === root || parent?.matches('blockquote, ul, ol, li')) between.push(node);
        }
        for (const node of between) if (!node.data.trim()) node.remove();
        return { html: root.innerHTML, text: root.textContent.replace(/[^\p{L}\p{N}]/gu, '') };
      };
      return pairs.map(({ comment, html }) => {
        const box = document.createElement('div');
        box.append(Object(window).markdown(comment));
        const theirs = new DOMParser().parseFromString(html, 'text/html').body;
        return { ours: shown(box), theirs: shown(theirs) };
      });
    },
    comments.map((comment) => ({ comment, html: expected(comment) })),
  );
}

/**
 * @param {Page} page
 * @param {string[]} comments
 * @returns {Promise<string[]>} what no comment may hold, and what it threw
 */
function strays(page, comments) {
  return page.evaluate(
    ({ comments, elements, attributes }) => {
      /** @param {Element} element */
      const faults = (element) => {
        const names = element.getAttributeNames().map((name) => `${element.tagName} ${name}`);
        return [
          ...[element.tagName].filter((tag) => !elements.includes(tag)),
          ...names.filter((name) => !attributes.includes(name)),
          ...[element.getAttribute('href') ?? 'https://'].filter((to) => !/^(https?:\/\/|mailto:)/i.test(to)),
          ...(element.matches('a a, p p, p blockquote, p pre') ? [`nested ${element.tagName}`] : []),
        ];
      };
      return comments.flatMap((comment) => {
        try {
          const found = [...Object(window).markdown(comment).querySelectorAll('*')].flatMap(faults);
          return found.map((fault) => `${fault} of ${JSON.stringify(comment)}`);
        } catch (error) {
          return [`${error} at ${JSON.stringify(comment)}`];
        }
      });
    },
    { comments, ...ALLOWED },
  );
}
