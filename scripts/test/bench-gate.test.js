import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bakeFigures } from '../bench/gate/bake-figures.js';
import { FIGURES } from '../bench/gate/figures.js';
import { complaint, judge, stability } from '../bench/gate/judge.js';
import { byteFigures } from '../bench/gate/page-figures.js';
import { templateCalls } from '../bench/gate/template-calls.js';
import { temporaryFolder } from './serving.js';

/** @type {Record<string, import('../bench/gate/judge.js').Limit>} */
const LIMITS = JSON.parse(readFileSync(new URL('../bench/gate/limits.json', import.meta.url), 'utf8'));

const FIGURE = { name: 'bytes', what: 'a page', unit: 'B', where: 'limits.json' };

test('the gate says what rose, from what to what, and where its limit stands', () => {
  const limits = { bytes: { most: 103, seen: /** @type {[number, number, number]} */ ([100, 100, 101]) } };
  const [met] = judge([FIGURE], limits, { bytes: 103 });
  assert.equal(met?.isMet, true);
  const [missed] = judge([FIGURE], limits, { bytes: 104 });
  assert.ok(missed && !missed.isMet);
  assert.match(complaint(missed), /^a page: 104 B, was 100 B, and may be 103 B\.\n.*"bytes" in limits\.json/);
});

test('of a budget and a limit the lower one counts', () => {
  const limits = { bytes: { most: 103, seen: /** @type {[number, number, number]} */ ([100, 100, 101]) } };
  const limitWith = (/** @type {number} */ budget) =>
    judge([{ ...FIGURE, budget }], limits, { bytes: 1 })[0]?.limit;
  assert.deepEqual([limitWith(102), limitWith(200)], [102, 103]);
});

test('a figure that was not measured, or has no limit, is no success', () => {
  const limits = { bytes: { most: 1, seen: /** @type {[number, number, number]} */ ([1, 1, 1]) } };
  assert.throws(() => judge([FIGURE], limits, {}), /bytes was not measured/);
  assert.throws(() => judge([FIGURE], limits, { bytes: NaN }), /bytes was not measured/);
  assert.throws(() => judge([FIGURE], {}, { bytes: 1 }), /bytes has no limit/);
  assert.throws(() => judge([FIGURE], limits, { bytes: 1, more: 1 }), /no figure is named more/);
  assert.throws(() => judge([], limits, {}), /no figure is named bytes/);
});

test('a limit stands at most a twentieth above what was seen in ten runs', () => {
  for (const { name, budget } of FIGURES) {
    const limit = LIMITS[name];
    if (!limit && budget !== undefined) continue; // scripts/bundle.js has it
    const { most, seen } = limit ?? assert.fail(`${name} has no limit`);
    assert.ok(most >= seen[2] && most <= seen[2] * 1.05, `${name}: ${most}, seen ${seen.join(' ')}`);
  }
});

test('how stable a figure was stands beside it', () => {
  assert.equal(stability([3, 3, 3]), 'the same in ten runs');
  assert.equal(stability([3, 3.5, 4.25], 'B'), '3 B to 4.25 B in ten runs');
});

test('calls of partials are read of what either Hugo prints', () => {
  const oldest = `
     cumulative       average       maximum      cache  percent  cached  total
    17.270201ms     246.717µs   10.077727ms         80        0       0     70  partials/stacosys/count.html
    16.835494ms     673.419µs   10.514385ms          0        0       0     25  _default/single.html
     6.835494ms      73.419µs   10.514385ms        100       99      69     70  partials/stacosys/funcs/text.html`;
  const latest = `
          6.09 ms      87.04 µs       5.99 ms        100       99      69     70  _partials/stacosys/funcs/text.html
         16.77 ms     239.61 µs       6.21 ms         80        0       0     70  _partials/stacosys/count.html
         13.68 ms       3.42 ms      13.10 ms          0        0       0      4  list.html`;
  const expected = [
    { name: 'count.html', total: 70, run: 70 },
    { name: 'funcs/text.html', total: 70, run: 1 },
  ];
  assert.deepEqual(templateCalls(oldest), expected);
  assert.deepEqual(templateCalls(latest), expected);
  assert.throws(() => templateCalls('Total in 80 ms'), /no partial of ours/);
});

test('a count that grows by an attribute is seen', (t) => {
  const folder = temporaryFolder(t);
  const count = (/** @type {number} */ page, attribute = '') =>
    `<article><h2>Article ${page}</h2><a class=count${attribute} href=/posts/${page}/#comments>5 comments</a></article>`;
  const built = (/** @type {string} */ name, /** @type {(page: number) => string} */ shown) => {
    const output = join(folder, name);
    const list = Array.from({ length: 20 }, (_, page) => shown(page)).join('');
    for (const [page, html] of Object.entries({ '': list, 'article-0': list, 'article-1': 'One' })) {
      mkdirSync(join(output, 'posts', page), { recursive: true });
      writeFileSync(join(output, 'posts', page, 'index.html'), html);
    }
    return { output, log: '' };
  };
  const bare = built('bare', (page) => `<article><h2>Article ${page}</h2></article>`);
  const others = { bare, comments: bare, baked: bare };
  const before = byteFigures({ ...others, counts: built('before', (page) => count(page)) });
  const after = byteFigures({ ...others, counts: built('after', (page) => count(page, ` id=c${page}`)) });
  assert.ok(Number(after['count-minified']) >= Number(before['count-minified']) + 6);
  assert.ok(Number(after['count-brotli']) > Number(before['count-brotli']));
});

test('what a bake does is counted, and within its limits', (t) => {
  const figures = bakeFigures(temporaryFolder(t));
  for (const [name, value] of Object.entries(figures)) {
    assert.ok(value <= Number(LIMITS[name]?.most), `${name}: ${value}`);
  }
  assert.equal(figures['bake-scans'], 1);
  assert.equal(figures['bake-unchanged-files'], 0);
  assert.ok(Number(figures['bake-one-more-files']) >= 2);
});
