import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aliasesOf } from '../src/front-matter.js';

/** @type {[what: string, text: string, aliases: string[]][]} */
const CASES = [
  ['YAML', '---\ntitle: x\naliases:\n  - /old/\n  - older\n---\nText', ['/old/', 'older']],
  ['YAML on one line', '---\naliases: [/old/, "/été 1/"]\n---\n', ['/old/', '/été 1/']],
  ['YAML without a text after it', '---\naliases: [/old/]\n---', ['/old/']],
  ['YAML with spaces after its fences', '--- \naliases: [/old/]\n--- \nText', ['/old/']],
  ['YAML with a long closing fence', '---\naliases: [/old/]\n-----\nText', ['/old/']],
  ['YAML with a key that stands there twice', '---\ntitle: a\ntitle: b\naliases: [/old/]\n---\n', ['/old/']],
  ['YAML with a date', '---\ndate: 2024-01-02T03:04:05Z\naliases: [/old/]\n---\n', ['/old/']],
  ['TOML', '+++\ntitle = "x"\naliases = ["/old/", "older"]\n+++\nText', ['/old/', 'older']],
  ['TOML over several lines', '+++\naliases = [\n  "/old/",\n  "/older/",\n]\n+++\n', ['/old/', '/older/']],
  [
    'TOML with a date and a table',
    '+++\ndate = 2024-01-02\naliases = ["/old/"]\n[menu.main]\n+++\n',
    ['/old/'],
  ],
  ['JSON', '{\n  "title": "x",\n  "aliases": ["/old/"]\n}\n\nText', ['/old/']],
  ['JSON on one line', '{"aliases": ["/old/"]}\nText {with} braces', ['/old/']],
  ['JSON with braces inside', '{\n"a": {\n},\n"b": "}\\"}",\n"aliases": ["/old/"]\n}\nText', ['/old/']],
  ['Windows line ends in YAML', '---\r\naliases:\r\n  - /old/\r\n---\r\nText', ['/old/']],
  ['Windows line ends in TOML', '+++\r\naliases = ["/old/"]\r\n+++\r\nText', ['/old/']],
  ['Windows line ends in JSON', '{\r\n"aliases": ["/old/"]\r\n}\r\nText', ['/old/']],
  ['a byte order mark before YAML', '\uFEFF---\naliases: [/old/]\n---\n', ['/old/']],
  ['a byte order mark before TOML', '\uFEFF+++\naliases = ["/old/"]\n+++\n', ['/old/']],
  ['a byte order mark before JSON', '\uFEFF{"aliases": ["/old/"]}', ['/old/']],
  ['blank lines before it', '\n\n---\naliases: [/old/]\n---\n', ['/old/']],
  ['a text instead of a list', '---\naliases: /old/\n---\n', ['/old/']],
  ['several in a text', '---\naliases: /old/ /older/\n---\n', ['/old/', '/older/']],
  ['a year without quotes', '---\naliases: [2017, /old/]\n---\n', ['2017', '/old/']],
  ['upper case', '---\nAliases: [/old/]\n---\n', ['/old/']],
  ['upper case in TOML', '+++\nALIASES = ["/old/"]\n+++\n', ['/old/']],
  ['an empty list', '---\naliases: []\n---\n', []],
  ['an empty text', '---\naliases: ""\n---\n', []],
  ['nothing after the colon', '---\naliases:\n---\n', []],
  ['something else in the list', '---\naliases: [/old/, null, {a: 1}, [b]]\n---\n', ['/old/']],
  ['front matter without aliases', '---\ntitle: x\n---\naliases: [/no/]\n', []],
  ['empty front matter', '---\n---\nText', []],
  ['front matter that is a text', '---\njust a text\n---\n', []],
  ['no front matter', 'Text\n---\naliases: [/no/]\n---\n', []],
  ['front matter that never ends', '---\naliases: [/no/]\nText', []],
  ['JSON that never ends', '{"aliases": ["/no/"]', []],
  ['an empty file', '', []],
];

for (const [what, text, aliases] of CASES) {
  test(`the aliases are read from ${what}`, () => assert.deepEqual(aliasesOf(text), aliases));
}

/** @type {[what: string, text: string][]} */
const BROKEN = [
  ['YAML', '---\ntitle: "x\naliases: [/old/\n---\nText'],
  ['YAML with a tab', '---\naliases:\n\t- /old/\n---\n'],
  ['TOML', '+++\naliases = [\n+++\nText'],
  ['JSON', '{"aliases": [,]}\nText'],
  ['a shortcode in the place of JSON', '{{< figure >}}\nText'],
];

for (const [what, text] of BROKEN) {
  test(`broken front matter is an error and not a page without aliases: ${what}`, () => {
    assert.throws(() => aliasesOf(text));
  });
}

test('a large file with unclosed front matter takes no longer than a moment', () => {
  const started = performance.now();
  for (const start of ['---\n', '+++\n', '{']) {
    assert.deepEqual(aliasesOf(start + '{"a": -\n'.repeat(100_000)), []);
  }
  assert.ok(performance.now() - started < 2000);
});
