import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { askEach } from '../bench/load/page-view.js';
import { refuseWrongCount, refuseWrongFile } from '../bench/pipelined-contenders.js';
import { KINDS, runnable, viewOf } from '../bench/readers-contenders.js';
import { commentsOn, pathOf, timeCounts, writeReadersDatabase } from '../bench/readers-database.js';
import { readersResult } from '../bench/readers-result.js';
import { refuseWrongAnswers } from '../bench/refuse-wrong-answers.js';
import { listen, temporaryFolder } from './serving.js';

const ARTICLES = Array.from({ length: 10 }, (_, article) => article);
const COUNTS = ARTICLES.map(commentsOn);

const EACH = {
  name: 'a server',
  page: /** @type {const} */ ('places'),
  counts: /** @type {const} */ ('each'),
};
const BATCH = { ...EACH, counts: /** @type {const} */ ('batch') };
const FILE = { ...EACH, counts: /** @type {const} */ ('file') };
const NONE = { ...EACH, page: /** @type {const} */ ('bare'), counts: /** @type {const} */ ('none') };
const BAKED = { ...NONE, page: /** @type {const} */ ('baked') };

test('the database holds the published comments that the checks expect, and some that wait', (t) => {
  const file = join(temporaryFolder(t), 'db.sqlite');
  writeReadersDatabase(file, 60);
  const database = new Database(file, { readonly: true });
  t.after(() => database.close());
  const query = database.prepare('SELECT count(*) n, count(published) p FROM comment WHERE url = ?');
  const rows = /** @type {{n: number, p: number}[]} */ (
    ARTICLES.map((article) => query.get(pathOf(article)))
  );
  assert.deepEqual(rows.map(({ p }) => p), COUNTS); // prettier-ignore
  assert.equal(new Set(COUNTS).size, 10, 'all different: a mix-up shows');
  assert.ok(rows.some(({ n, p }) => n > p));
  const { indexed, scanned } = timeCounts(file);
  assert.ok(indexed > 0 && scanned > 0);
});

test('a page asks for its ten counts one by one, in one request, or not at all', () => {
  const asked = (/** @type {import('../bench/readers-contenders.js').Kind} */ kind) => viewOf(kind).length;
  const sizes = Object.fromEntries(KINDS.map((kind) => [kind.name, asked(kind)]));
  assert.deepEqual(sizes, {
    ...{ Flask: 11, 'Sanic, 1 worker': 11, 'Sanic, 4 workers': 11, 'Sanic with a cache': 11 },
    ...{ 'Go cache proxy': 11, 'nginx with a cache': 11, uvicorn: 11, Rust: 11, 'Rust with a cache': 11 },
    ...{ Isso: 2, 'one request for counts.json': 2, 'baked page': 1, 'page without counts': 1 },
  });
});

test('what needs a missing language is skipped by name, with the reason', () => {
  assert.deepEqual(runnable([]), { kinds: KINDS, skipped: [] });
  const why = 'the servers in Rust could not be installed (node scripts/setup.js bench-rust says why)';
  assert.deepEqual(runnable(['Rust']).skipped, [`Rust: ${why}`, `Rust with a cache: ${why}`]);
  const { kinds, skipped } = runnable(['Python']);
  assert.deepEqual(kinds.map(({ name }) => name), ['Rust', 'Rust with a cache', 'one request for counts.json', 'baked page', 'page without counts']); // prettier-ignore
  assert.ok(
    skipped.some((reason) =>
      reason.startsWith('Go cache proxy: the servers in Python could not be installed'),
    ),
  );
});

test('right answers are accepted', () => {
  refuseWrongAnswers(EACH, [ok(page()), ...COUNTS.map((count) => ok(`{"count": ${count}}`))]);
  refuseWrongAnswers(BATCH, [ok(page()), ok(JSON.stringify(COUNTS))]);
  refuseWrongAnswers(FILE, [ok(page()), ok(JSON.stringify({ ...fileOf(COUNTS), '/more/': 1 }))]);
  refuseWrongAnswers(BAKED, [ok(page(COUNTS))]);
  refuseWrongAnswers(NONE, [ok(page())]);
});

test('a wrong count, a wrong page and an error are refused', () => {
  const swapped = COUNTS.toReversed();
  const counts = (/** @type {number[]} */ of) => of.map((count) => ok(`{"count":${count}}`));
  assert.throws(() => refuseWrongAnswers(EACH, [ok(page()), ...counts(swapped)]), /a server: the counts are/);
  assert.throws(() => refuseWrongAnswers(EACH, [ok(page()), ...counts(COUNTS.slice(1))]), /the counts are/);
  assert.throws(() => refuseWrongAnswers(BATCH, [ok(page()), ok('[]')]), /the counts are \[\]/);
  assert.throws(
    () => refuseWrongAnswers(FILE, [ok(page()), ok(JSON.stringify(fileOf(swapped)))]),
    /counts are/,
  );
  assert.throws(() => refuseWrongAnswers(FILE, [ok(page()), ok('{}')]), /the counts are \[null/);
  assert.throws(() => refuseWrongAnswers(BAKED, [ok(page())]), /the counts in the page are \[\]/);
  assert.throws(() => refuseWrongAnswers(BAKED, [ok(page(swapped))]), /the counts in the page/);
  assert.throws(() => refuseWrongAnswers(NONE, [ok(page(COUNTS))]), /the counts in the page/);
  assert.throws(() => refuseWrongAnswers(NONE, [ok('<p>Welcome to nginx!')]), /the articles in the page/);
  assert.throws(() => refuseWrongAnswers(NONE, [{ status: 502, text: 'Bad Gateway' }]), /answered 502: Bad/);
});

test('a server that tells the same count of every article fails its check', async (t) => {
  const answer = (/** @type {string} */ url) => (url === '/' ? page() : '{"count":5}');
  const origin = await listen(t, createServer(({ url = '' }, response) => response.end(answer(url)))); // prettier-ignore
  const answers = await askEach({ port: Number(new URL(origin).port) }, viewOf(EACH));
  assert.throws(
    () => refuseWrongAnswers(EACH, answers),
    /the counts are \[5,5,5,5,5,5,5,5,5,5\], not \[5,12,/,
  );
});

test('a file and a server of counts are checked in the pipelined part, too', () => {
  const file = fileOf(COUNTS);
  refuseWrongFile('a file', ok(JSON.stringify(file)));
  refuseWrongCount('a server', ok(`{"count":${commentsOn(3)}}`));
  for (const wrong of [{ ...file, '/more/': 1 }, { ...file, [pathOf(2)]: 0 }, {}]) {
    assert.throws(() => refuseWrongFile('a file', ok(JSON.stringify(wrong))), /a file answered 200/);
  }
  assert.throws(() => refuseWrongCount('a server', ok('{"count":0}')), /a server answered 200/);
  assert.throws(() => refuseWrongCount('a server', { status: 500, text: '' }), /a server answered 500/);
});

test('the targets compare what was measured in the same round', () => {
  const { targets } = result({ ours: [3000, 1000], bare: [3000, 2000], proxy: [100, 50] });
  assert.deepEqual(
    targets.map(({ values, least, most }) => ({ values, limit: least ?? most })),
    [
      { values: [30, 20], limit: 25 },
      { values: [1, 0.5], limit: 0.95 },
      { values: [2], limit: 0 },
    ],
  );
});

test('without a proxy there is nothing to compare with', () => {
  const { targets } = result({ ours: [3000], bare: [3000] });
  assert.deepEqual(targets.map(({ unit }) => unit), ['×', '']); // prettier-ignore
});

/** @param {Record<string, number[]>} views of each round; each had one error */
function result(views) {
  const rest = { mean: 1, p50: 1, p99: 1, answerBytes: 1, cpuPerThousand: 1, serverCores: 1, wrkCores: 1 };
  return readersResult({
    results: new Map(
      Object.entries(views).map(([name, rounds]) => [
        name,
        rounds.map((perSecond) => ({ views: perSecond, errors: 1, ...rest })),
      ]),
    ),
    about: new Map(),
    counts: { indexed: 1, scanned: 2 },
    effort: {
      articles: 10,
      rounds: 2,
      seconds: 1,
      connections: 250,
      shared: { servers: 1, load: 1, onServers: [], onLoad: [] },
    },
    skipped: [],
    versions: {},
    names: { ours: 'ours', bare: 'bare', proxy: 'proxy' },
  });
}

/** @param {number[]} [counts] */
function page(counts) {
  const row = (/** @type {number} */ article) =>
    `<article><h2><a href=${pathOf(article)}>Title</a></h2>` +
    `<a class=stacosys-count href=${pathOf(article)}#comments>${counts ? `${counts[article]} comments` : ''}</a>`;
  return ARTICLES.map(row).join('');
}

/** @param {string} text */
function ok(text) {
  return { status: 200, text };
}

/** @param {number[]} counts */
function fileOf(counts) {
  return Object.fromEntries(counts.map((count, article) => [pathOf(article), count]));
}
