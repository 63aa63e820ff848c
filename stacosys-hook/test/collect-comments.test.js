import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { collectComments } from '../src/collect-comments.js';
import { openSource } from '../src/source.js';
import { databaseWith, edit, fixture, temporaryFolder } from './database.js';

/** Urls that sort, escape or decode in a way of their own. */
const ODD = [
  '',
  ' ',
  '/"/',
  '/!/',
  '/#/',
  '/\\/',
  '/é/',
  '/\u{1f600}/',
  '/\uffee/',
  '/a\nb\tc/',
  '/\0/',
  ' /x/',
];

/**
 * @param {string} file
 * @param {string} [site]
 */
function bothWays(file, site) {
  const source = openSource(file);
  try {
    const id = source.sites.find(({ name }) => name === site)?.id;
    const { lockMilliseconds: alone, ...counted } = source.count(id);
    const { counted: collectedCounts, collected } = collectComments(source.read(id));
    const { lockMilliseconds: together, ...sameCounted } = collectedCounts;
    assert.ok(alone > 0 && together > 0);
    return { counted, sameCounted, collected };
  } finally {
    source.close();
  }
}

for (const [name, site] of [
  ['gen-a-2015', 'blog'],
  ['gen-b-2017', 'blog'],
  ['gen-c-1.1', 'blog'],
  ['gen-d-2.0'],
  ['gen-d-migrated'],
  ['gen-f-3.4'],
]) {
  test(`who reads the comments of ${name} counts them as who only counts`, (t) => {
    const { counted, sameCounted } = bothWays(fixture(t, String(name)), site);
    assert.ok(counted.comments > 0);
    assert.deepEqual(sameCounted, counted);
  });
}

test('odd urls are counted alike, in the same order', (t) => {
  const texts = ODD.map((url, index) => ({ url, pending: index % 5 === 4 }));
  const blobs = ['/é/', '/blob/'].map((url) => ({ url: Buffer.from(url) }));
  const file = databaseWith(t, [...blobs, ...texts, { url: '/é/' }, { url: null }]);
  edit(file, (database) => {
    for (const bytes of ['2f62ff2f', '2f62fe2f', '2f22ff2f']) {
      database.exec(`INSERT INTO comment (url, created, published, author_name, author_site, content)
        VALUES (CAST(x'${bytes}' AS TEXT), '', '', '', '', '')`);
    }
    database.exec(
      `UPDATE comment SET id = -5 WHERE id = 1; UPDATE comment SET id = 9223372036854775807 WHERE id = 2`,
    );
  });
  const { counted, sameCounted } = bothWays(file);
  assert.deepEqual(sameCounted, counted);
});

test('of thousands of comments none is lost, and each keeps its text and its place', (t) => {
  const file = databaseWith(
    t,
    Array.from({ length: 1234 }, (_, index) => ({ url: `/${index % 7}/`, pending: index % 11 === 0 })),
  );
  edit(file, (database) => database.exec(`UPDATE comment SET content = 'comment ' || id || ' é'`));
  const { counted, sameCounted, collected } = bothWays(file);
  assert.deepEqual(sameCounted, counted);
  const ids = [...collected.keys.values()].map((comments) =>
    comments.map((comment) =>
      Number(/comment (\d+) é/.exec(JSON.parse(String(collected.textOf(comment)))[4])?.[1]),
    ),
  );
  assert.equal(new Set(ids.flat()).size, counted.comments);
  for (const own of ids) {
    assert.deepEqual(
      own,
      own.toSorted((a, b) => a - b),
    );
  }
});

test('the comments of all forms of an article stand in the order of their rows', (t) => {
  const file = databaseWith(t, [{ url: '/b' }, { url: '/b/' }, { url: 'b' }, { url: '/b/' }]);
  const { keys } = bothWays(file).collected;
  assert.deepEqual([...keys], [['/b/', [0, 1, 2, 3]]]);
});

test('a database in UTF-16 gives the same comments', (t) => {
  const utf8 = databaseWith(t, [{ url: '/é/' }, { url: '/\u{1f600}/' }, { url: '/é/' }]);
  const utf16 = join(temporaryFolder(t), 'utf16.sqlite');
  const database = new Database(utf16);
  database.pragma("encoding = 'UTF-16le'");
  edit(utf8, (other) => {
    database.exec(String(other.prepare('SELECT sql FROM sqlite_schema').pluck().get()));
    const rows = /** @type {Record<string, unknown>[]} */ (other.prepare('SELECT * FROM comment').all());
    for (const row of rows) {
      const names = Object.keys(row);
      database
        .prepare(`INSERT INTO comment (${names}) VALUES (${names.map(() => '?')})`)
        .run(Object.values(row));
    }
  });
  database.close();
  const [a, b] = [bothWays(utf8).collected, bothWays(utf16).collected];
  assert.deepEqual([...b.keys], [...a.keys]);
  assert.equal(String(b.textOf(0)), String(a.textOf(0)));
});
