/*
 * Where comments are shown otherwise than CommonMark says, on purpose. Of the links it leaves out
 * the attribute rel, which all of them have.
 */

const LINK = '<a href="https://example.com">';

/** @type {[what: string, comment: string, html: string][]} */
export const INTENDED = [
  // Images
  ['an image is a link to it', '![a cat](https://example.com)', `<p>${LINK}a cat</a></p>`],
  [
    'an image without words shows its address',
    '![](https://example.com)',
    `<p>${LINK}https://example.com</a></p>`,
  ],
  [
    'a link with a title stays text, but for its address',
    '[cat](https://example.com "Tom")',
    `<p>[cat](${LINK}https://example.com</a> "Tom")</p>`,
  ],
  ['a backslash at the end of a line is one', 'Hi,\\\nthanks.', '<p>Hi,\\<br>thanks.</p>'],
  ['an emoticon is no rule', 'Hm\n\n-_-', '<p>Hm</p><p>-_-</p>'],
  [
    'a single angle bracket stays',
    'x https://example.com> y',
    `<p>x ${LINK}https://example.com</a>&gt; y</p>`,
  ],
  [
    'an image of another protocol stays text',
    '![x](data:image/gif;base64,R0)',
    '<p>![x](data:image/gif;base64,R0)</p>',
  ],
  ['an image of this site stays text', '![x](/cat.png)', '<p>![x](/cat.png)</p>'],
  // Headings
  ['a heading is bold text', '# One', '<p><strong>One</strong></p>'],
  ['so is every other heading', '###### Six', '<p><strong>Six</strong></p>'],
  ['a heading keeps its marks', '## *a* `b`', '<p><strong><em>a</em> <code>b</code></strong></p>'],
  ['text above a line of hyphens is no heading', 'Regards\n---\nBob', '<p>Regards</p><hr><p>Bob</p>'],
  ['text above a line of equals signs is no heading', 'Sum\n===', '<p>Sum<br>===</p>'],
  // HTML
  ['HTML is text', '<b onclick="alert(1)">x</b>', '<p>&lt;b onclick="alert(1)"&gt;x&lt;/b&gt;</p>'],
  ['a script is text', '<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ['an image in HTML is text', '<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
  ['a block of HTML is text', '<div>\n<p>x\n\n</div>', '<p>&lt;div&gt;<br>&lt;p&gt;x</p><p>&lt;/div&gt;</p>'],
  ['an HTML comment is text', '<!-- x -->', '<p>&lt;!-- x --&gt;</p>'],
  ['HTML in code is text', '`<b>`', '<p><code>&lt;b&gt;</code></p>'],
  ['an entity is text', '&lt;b&gt; &copy; &#106;', '<p>&amp;lt;b&amp;gt; &amp;copy; &amp;#106;</p>'],
  // Blocks
  ['indented text is no code', 'a\n\n    b', '<p>a</p><p>    b</p>'],
  ['a table is text', '| a |\n| - |', '<p>| a |<br>| - |</p>'],
  ['a reference is text', '[a][1]\n\n[1]: /b', '<p>[a][1]</p><p>[1]: /b</p>'],
  ['items of a list hold paragraphs', '- a\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
  ['the language of code is left out', '```js\na\n```', '<pre><code>a\n</code></pre>'],
  // Links that would not lead to the web or to a mailbox
  ...[
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\vscript:alert(1)',
    '\tjavascript:alert(1)',
    '\x01javascript:alert(1)',
    '\0javascript:alert(1)',
    'java\0script:alert(1)',
    'javascript\u200b:alert(1)',
    'javascript\uff1aalert(1)',
    '\ufeffjavascript:alert(1)',
    '\u00a0javascript:alert(1)',
    'ja\u202evascript:alert(1)',
    '\uff4aavascript:alert(1)',
    'javaſcript:alert(1)',
    'javascript://example.com/%0aalert(1)',
    'data:text/html,x',
    'DATA:text/html;base64,x',
    'vbscript:x',
    'VbScript:x',
    'file:///etc/passwd',
    'blob:https',
    'view-source:x',
    'ftp://example.com',
    'tel:123',
    '//example.com',
    '/relative',
    'relative',
    '#fragment',
    '?query',
    '',
    'http:',
    'http:/example.com',
    'https:example.com',
    'httpſ://example.com',
    '\x01https:/',
  ].map((address) => staysText(`a link to ${JSON.stringify(address)}`, `[x](${address})`)),
  staysText('a link to a script in angle brackets', '[x](<javascript:alert(1)>)'),
  staysText('a script in angle brackets', '<javascript:alert(1)>'),
  ['a script with a line break', '[x](java\nscript:alert(1))', '<p>[x](java<br>script:alert(1))</p>'],
  ['a script with entities', '[x](&#106;avascript&colon;a)', '<p>[x](&amp;#106;avascript&amp;colon;a)</p>'],
  ['a script with a backslash', '[x](javascript\\:a)', '<p>[x](javascript:a)</p>'],
  [
    'a script above a line break that an address follows',
    '[x](javascript:a\nb)',
    '<p>[x](javascript:a<br>b)</p>',
  ],
  [
    'a script that names an address',
    '[x](javascript:a//https://example.com)',
    `<p>[x](javascript:a//${LINK}https://example.com</a>)</p>`,
  ],
  [
    'a quotation mark in an address',
    '[x](https://a.b/"onclick=c)',
    '<p><a href="https://a.b/&quot;onclick=c">x</a></p>',
  ],
  // Links in links
  [
    'an address as the words of a link',
    '[https://a.b](https://example.com)',
    `<p>${LINK}https://a.b</a></p>`,
  ],
  [
    'a link without words shows its address',
    '[](https://example.com)',
    `<p>${LINK}https://example.com</a></p>`,
  ],
  [
    'an image in a link is a link beside one',
    '[![cat](https://a.b)](https://example.com)',
    `<p>[<a href="https://a.b">cat</a>](${LINK}https://example.com</a>)</p>`,
  ],
  [
    'a link in a link is a link beside one',
    '[a [b](https://a.b) c](https://example.com)',
    `<p>[a <a href="https://a.b">b</a> c](${LINK}https://example.com</a>)</p>`,
  ],
  // Nesting
  [
    'quotes are nested nine deep',
    '>'.repeat(12) + ' deep',
    '<blockquote>'.repeat(9) + '<p>&gt;&gt;&gt; deep</p>' + '</blockquote>'.repeat(9),
  ],
  [
    'lists are nested nine deep',
    '- '.repeat(11) + 'deep',
    '<ul><li>'.repeat(9) + '<p>- - deep</p>' + '</li></ul>'.repeat(9),
  ],
];

/**
 * @param {string} what
 * @param {string} comment without characters that HTML escapes, other than angle brackets
 * @returns {[what: string, comment: string, html: string]}
 */
function staysText(what, comment) {
  const html = comment.replace(/</g, '&lt;').replace(/>/g, '&gt;').replaceAll('\u00a0', '&nbsp;');
  return [what, comment, `<p>${html}</p>`];
}
