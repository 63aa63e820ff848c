import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bake as bakeLines, countsByKey, countsByUrl, toJson } from '../src/bake.js';
import { canonicalKey } from '../src/key.js';
import { rows } from './rows.js';

/**
 * @param {[url: string, published: number][]} countsByUrl
 */
function bake(countsByUrl) {
  const { counts, ...rest } = bakeLines(rows(countsByUrl));
  return { ...rest, counts: countsByKey(counts), json: counts.toString() };
}

test('the comments of all forms of an article are summed under its key', () => {
  const { counts, merged } = bake([
    ['/2024/hello/', 10],
    ['2024/hello/', 1],
    ['/2024/hello', 1],
    ['/2024/hello//', 1],
    ['https://blog.example/2024/hello/?q=1#frag', 1],
  ]);
  assert.deepEqual([...counts], [['/2024/hello/', 14]]);
  assert.equal(merged, 4);
});

test('encoded and decoded, composed and decomposed forms are one article', () => {
  const { counts, merged } = bake([
    ['/été/', 1],
    ['/e\u0301te\u0301/', 2],
    ['/%C3%A9t%C3%A9/', 4],
  ]);
  assert.deepEqual([...counts], [['/%C3%A9t%C3%A9/', 7]]);
  assert.equal(merged, 2);
});

test('a single odd form is not a merge', () => {
  assert.equal(bake([['2024/hello', 3]]).merged, 0);
});

test('different articles stay apart, upper case included', () => {
  const { counts, merged } = bake([
    ['/a/', 1],
    ['/A/', 2],
    ['/a.html', 4],
  ]);
  assert.deepEqual(Object.fromEntries(counts), { '/A/': 2, '/a.html': 4, '/a/': 1 });
  assert.equal(merged, 0);
});

test('a blank url counts for no page and is reported', () => {
  const { counts, blank, merged } = bake([
    ['', 1],
    [' ', 2],
    ['?a=1', 4],
    ['/a/', 8],
  ]);
  assert.deepEqual([...counts], [['/a/', 8]]);
  assert.deepEqual({ blank, merged }, { blank: 7, merged: 0 });
});

test('no comment at all bakes to nothing', () => {
  const { counts, spellings, json, ...rest } = bake([]);
  assert.deepEqual([counts.size, spellings.size], [0, 0]);
  assert.deepEqual(rest, { pages: 0, merged: 0, blank: 0 });
  assert.equal(json, '{}\n');
});

test('what Hugo may print instead of a key leads to it', () => {
  const { spellings } = bake([
    ['/été/', 1],
    ['/foo%28bar%29/', 1],
    ['/plain/', 1],
  ]);
  assert.deepEqual(
    [...spellings],
    [
      ['/e%CC%81te%CC%81/', '/%C3%A9t%C3%A9/'],
      ['/foo%28bar%29/', '/foo(bar)/'],
    ],
  );
});

test('names of object properties are ordinary urls', () => {
  const { counts } = bake([
    ['__proto__', 1],
    ['constructor', 2],
    ['2024', 4],
  ]);
  assert.deepEqual(Object.fromEntries(counts), { '/2024/': 4, '/__proto__/': 1, '/constructor/': 2 });
});

/** Few, so that they meet: in one key, just before a key, within another. */
const segment = fc.oneof(
  fc.constantFrom('a', 'A', 'a.b', 'ab', 'b', '9', '10', '~', '-', '__proto__', 'x.html', 'index.html'),
  fc.constantFrom('wow!', 'b(c)', 'x%2Ehtml', '"', '\\', '": 1,\n  "', '\n', '\r', '\0', '$&', ' ', ''),
  fc.constantFrom('é', 'e\u0301', '%C3%A9', '日本', '😀', '\ud800', '\u2028', '%FF', '?a=1', '#a'),
);

const plainUrl = fc
  .array(fc.constantFrom('a', 'A', 'a.b', 'ab', 'b', '9', '10', '~', '-', '__proto__'), { maxLength: 3 })
  .map((segments) => ['', ...segments, ''].join('/'));

const oddUrl = fc
  .tuple(
    fc.constantFrom('', '/', '//', ' ', 'https://blog.example/'),
    fc.array(segment, { maxLength: 4 }),
    fc.constantFrom('', '/', '//'),
  )
  .map(([start, segments, end]) => `${start}${segments.join('/')}${end}`);

const manyRows = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom(
        '/a/',
        'a',
        '/a//',
        '/A/',
        '/é/',
        '/a/!x/',
        '/a/b/',
        '/',
        '/\u2028/',
        '"',
        '__proto__',
        '/e\u0301/',
        '/%C3%A9',
        '/b%28c%29/',
        '/b(c)/',
        ' ',
        '',
      ),
      fc.constantFrom('/x%2Ehtml', '/x%2Ehtml/', '/x.html', '/10/', '/9/', '9'),
      fc.string({ unit: 'binary', maxLength: 6 }),
      { arbitrary: plainUrl, weight: 4 },
      { arbitrary: oddUrl, weight: 3 },
    ),
    fc.integer({ min: 1, max: 1000 }),
  ),
);

test('a bake is what merging every url on its own gives', () => {
  fc.assert(
    fc.property(manyRows, (counts) => {
      const { json, pages, merged, blank } = bake(counts);
      const wanted = mergeOneByOne(counts);
      assert.equal(json, wanted.json);
      assert.deepEqual({ pages, merged, blank }, wanted.numbers);
    }),
    { numRuns: 1000 },
  );
});

/** @param {[url: string, published: number][]} counts */
function mergeOneByOne(counts) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  let blank = 0;
  const forms = new Set();
  for (const [url, published] of counts) {
    const key = canonicalKey(url);
    if (key === null) {
      blank += published;
      continue;
    }
    forms.add(url);
    sums.set(key, (sums.get(key) ?? 0) + published);
  }
  const sorted = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    json: `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`,
    numbers: { pages: sums.size, merged: forms.size - sums.size, blank },
  };
}

test('the counts as they were stored can be read back', () => {
  fc.assert(
    fc.property(manyRows, (counts) => {
      const { lines } = rows(counts);
      const read = countsByUrl(lines);
      assert.deepEqual(rows(read).lines, lines);
    }),
  );
});

test('the order of the rows does not change a byte', () => {
  const shuffled = manyRows.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  fc.assert(
    fc.property(shuffled, ([list, again]) => {
      assert.equal(bake(list).json, bake(again).json);
      assert.equal(toJson(bake(list).spellings), toJson(bake(again).spellings));
    }),
    { numRuns: 500 },
  );
});

test('keys are sorted as bytes', () => {
  fc.assert(
    fc.property(manyRows, (countsByUrl) => {
      const keys = [...bake(countsByUrl).counts.keys()];
      assert.deepEqual(
        keys,
        keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      );
    }),
    { numRuns: 200 },
  );
});

test('the file has a key a line, sorted, and a newline at the end', () => {
  const { json } = bake([
    ['/b/', 1],
    ['/a/', 2],
    ['/B/', 3],
  ]);
  assert.equal(json, '{\n  "/B/": 3,\n  "/a/": 2,\n  "/b/": 1\n}\n');
  assert.equal(toJson(new Map()), '{}\n');
});
