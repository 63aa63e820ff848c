import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { excerpt, renderMarkdown } from '../src/markdown.js';

/** Every tag that a comment can have, as it is written. */
const TAG =
  /<\/?(?:p|strong|em|code|pre|blockquote|ul|li|ol|br|hr)>|<ol start="\d+">|<a href="(?:https?:\/\/|mailto:)[^"<>]*" rel="nofollow ugc noopener">|<\/a>/gi;

test('whatever somebody writes, there are a dozen tags and no other', () => {
  const marks = fc.constantFrom(
    ...[
      '<',
      '>',
      '"',
      "'",
      '&',
      '[',
      ']',
      '(',
      ')',
      '!',
      '*',
      '_',
      '`',
      '~',
      '#',
      '-',
      '1.',
      '\n',
      ' ',
      '\t',
      '\\',
    ],
    ...[
      'http://',
      'https://x.y/',
      'mailto:a@b.c',
      'javascript:',
      'data:',
      '//',
      '<script>',
      '&lt;',
      '&#60;',
      '\0',
    ],
    ...['a', 'é', '\u202e', '{{<', 'onclick=', '<a href="', '![', '](', '```\n', '> ', '\ud800'],
  );
  fc.assert(
    fc.property(fc.array(marks, { maxLength: 60 }), (parts) => {
      const rest = renderMarkdown(parts.join('')).replace(TAG, '');
      assert.doesNotMatch(rest, /[<>"]/);
    }),
    { numRuns: 3000 },
  );
});

test('an image in a link is its text: links do not nest', () => {
  assert.equal(
    renderMarkdown('[![alt](https://i.example/a.png)](https://x.example/)'),
    '<p><a href="https://x.example/" rel="nofollow ugc noopener">alt</a></p>\n',
  );
});

test('a link or an image without an address stays text', () => {
  assert.equal(
    renderMarkdown('[a]() [*b*](<>) ![c]() [d](x)'),
    '<p>[a]() [<em>b</em>](&lt;&gt;) ![c]() [d](x)</p>\n',
  );
});

test('a text that is too long to be a comment stays text', () => {
  const html = renderMarkdown(`**bold** <b>\nline\n\n${'x'.repeat(50_000)}`);
  assert.match(html, /^<p>\*\*bold\*\* &lt;b&gt;<br>line<\/p>\n<p>x+<\/p>\n$/);
});

test('an excerpt is what a comment says, without marks, cut at a word', () => {
  assert.equal(
    excerpt('# Hi *there*\n\n- a\n- `b` [link](http://x.y) ![alt](http://i.png)\n\n> c\n<b>', 160),
    'Hi there – a – b link alt – c <b>',
  );
  assert.equal(excerpt('one two three', 9), 'one two…');
  assert.equal(excerpt('x'.repeat(50), 10), `${'x'.repeat(9)}…`);
  assert.equal(excerpt('🎉🎉🎉🎉', 3), '🎉🎉…');
  assert.equal(excerpt('', 10), '');
});

test('an excerpt parts what stood in paragraphs of their own, and adds nothing where a stop does', () => {
  const cases = {
    'First paragraph\n\nSecond': 'First paragraph – Second',
    'Is it so?\n\nYes. (Really!)\n\n“Good.”\n\nWell…\n\nFirst:\n\n- a\n- b':
      'Is it so? Yes. (Really!) “Good.” Well… First: a – b',
    '同感です。\n\nありがとう\n\nهل هذا صحيح؟\n\nنعم': '同感です。 ありがとう – هل هذا صحيح؟ نعم',
    'one line\nand the next': 'one line and the next',
    '---\n\nafter a rule\n\n***': 'after a rule',
  };
  for (const [content, text] of Object.entries(cases)) assert.equal(excerpt(content, 160), text);
  assert.equal(excerpt('one two\n\nthree', 12), 'one two…', 'no dash before the ellipsis');
  assert.equal(excerpt('one two\n\nthree', 10), 'one two…');
  assert.equal(excerpt('one two\n\nthree four', 17), 'one two – three…');
});
