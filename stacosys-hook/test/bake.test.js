import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { bake as bakeLines, countsByKey, countsByUrl, toJson } from '../src/bake.js';
import { canonicalKey } from '../src/key.js';
import { openSource } from '../src/source.js';
import { databaseWith, edit, fixture, fixturePath, temporaryFolder, writeDatabase } from './database.js';
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
  const { counts, spellings, forms, json, ...rest } = bake([]);
  assert.deepEqual([counts.size, spellings.size, forms.size], [0, 0, 0]);
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

test('a page whose comments all lie under its key has no list of forms', () => {
  const { forms } = bake([
    ['/a/', 1],
    ['/b.html', 1],
    ['/%C3%A9t%C3%A9/', 1],
    ['/a(b)/', 1],
    [' ', 1],
  ]);
  assert.deepEqual([...forms], []);
});

test('the forms of a page are its key, where it has comments itself, and the others in the order of their bytes', () => {
  const { forms } = bake([
    ['/both/', 1],
    ['both', 1],
    ['/both', 1],
    ['/été/', 1],
    ['https://blog.example/b.html?q=1#frag', 1],
    ['/b.html', 1],
    ['/none', 1],
    ['/plain/', 1],
  ]);
  assert.deepEqual(
    [...forms],
    [
      ['/%C3%A9t%C3%A9/', ['/été/']],
      ['/b.html', ['/b.html', 'https://blog.example/b.html?q=1#frag']],
      ['/both/', ['/both/', '/both', 'both']],
      ['/none/', ['/none']],
    ],
  );
});

test('urls that are no UTF-8, and look alike, are one form', (t) => {
  const file = databaseWith(t, [{ url: '/a' }]);
  edit(file, (database) => {
    database.exec(`INSERT INTO comment (url, created, published, author_name, author_site, content)
      VALUES (CAST(x'2fff' AS TEXT), '', '', '', '', ''), (CAST(x'2ffe' AS TEXT), '', '', '', '', '')`);
  });
  assert.deepEqual(
    [...bakeDatabase(file).forms],
    [
      ['/%EF%BF%BD/', ['/\ufffd']],
      ['/a/', ['/a']],
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

test('no list of forms is just its key, which stands first or nowhere', () => {
  fc.assert(
    fc.property(manyRows, (counts) => {
      for (const [key, urls] of bake(counts).forms) {
        assert.notDeepEqual(urls, [key]);
        assert.equal(urls[0] === key, counts.flat().includes(key), 'comments of its own');
        const others = urls.filter((url) => url !== key);
        assert.deepEqual(others, inByteOrder(new Set(others)));
        assert.ok(urls.length - others.length <= 1);
      }
    }),
    { numRuns: 500 },
  );
});

/** @type {[name: string, siteId: number | undefined][]} */
const FIXTURES = [
  ['gen-a-2015', 1],
  ['gen-a-2015', 2],
  ['gen-b-2017', 1],
  ['gen-b-2017', 2],
  ['gen-c-1.1', 1],
  ['gen-c-1.1', 2],
  ['gen-d-2.0', undefined],
  ['gen-d-migrated', undefined],
  ['gen-f-3.4', undefined],
];

for (const [name, siteId] of FIXTURES) {
  test(`whoever asks ${name} for the forms of a page finds as many comments as are counted${siteId ? ` (site ${siteId})` : ''}`, (t) => {
    const asked = askForEveryForm(fixture(t, name), siteId);
    assert.ok(asked > 0);
  });
}

test('a database as it has become over the years gives these forms', () => {
  assert.deepEqual(
    [...bakeDatabase(fixturePath('gen-f-3.4')).forms],
    [
      [
        '/2019/bilan-h%C3%A9bergement-2018/',
        ['/2019/bilan-h%C3%A9bergement-2018/', '/2019/bilan-hébergement-2018/'],
      ],
      [
        '/2024/hello/',
        ['/2024/hello/', '/2024/hello', '2024/hello/', 'https://blog.example/2024/hello/?q=1#frag'],
      ],
    ],
  );
});

test('whoever asks any database for the forms of a page finds as many comments as are counted', (t) => {
  const folder = temporaryFolder(t);
  let databases = 0;
  const fewRows = fc.array(
    manyRows.map((list) => list.slice(0, 3)),
    { maxLength: 10 },
  );
  fc.assert(
    fc.property(fewRows, (parts) => {
      const comments = parts.flat().map(([url, published]) => ({ url, pending: published % 4 === 0 }));
      askForEveryForm(writeDatabase(join(folder, `${(databases += 1)}.sqlite`), comments));
    }),
    { numRuns: 50 },
  );
});

/**
 * Asks SQLite as Stacosys does.
 *
 * @param {string} file
 * @param {number} [siteId]
 * @returns {number} how many urls were asked for
 */
function askForEveryForm(file, siteId) {
  const { counts, forms } = bakeDatabase(file, siteId);
  const database = new Database(file, { readonly: true });
  try {
    const ofSite = siteId === undefined ? '' : `AND site_id = ${siteId}`;
    const statement = database
      .prepare(`SELECT count(*) FROM comment WHERE url = ? AND published IS NOT NULL ${ofSite}`)
      .pluck();
    let asked = 0;
    for (const [key, count] of countsByKey(counts)) {
      const found = (forms.get(key) ?? [key]).map((url) => Number(statement.get(url)));
      assert.ok(!found.includes(0), `${key} is asked for in vain`);
      assert.equal(
        found.reduce((sum, published) => sum + published),
        count,
        key,
      );
      asked += found.length;
    }
    assert.deepEqual(
      [...forms.keys()].filter((key) => !countsByKey(counts).has(key)),
      [],
    );
    return asked;
  } finally {
    database.close();
  }
}

/**
 * @param {string} file
 * @param {number} [siteId]
 */
function bakeDatabase(file, siteId) {
  const source = openSource(file);
  try {
    return bakeLines(source.count(siteId));
  } finally {
    source.close();
  }
}

/** @param {Iterable<string>} texts */
function inByteOrder(texts) {
  return [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
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
      assert.equal(toJson(bake(list).forms), toJson(bake(again).forms));
    }),
    { numRuns: 500 },
  );
});

test('keys are sorted as bytes', () => {
  fc.assert(
    fc.property(manyRows, (countsByUrl) => {
      const { counts, forms } = bake(countsByUrl);
      for (const keys of [[...counts.keys()], [...forms.keys()]]) {
        assert.deepEqual(keys, inByteOrder(keys));
      }
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
