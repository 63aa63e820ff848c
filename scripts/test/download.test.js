import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { ARTICLES } from '../bench/download/blog.js';
import { makeCertificate } from '../bench/make-certificate.js';
import { load } from '../bench/download/load.js';
import { refuseWrong } from '../bench/download/refuse-wrong.js';
import { paired, tableOf, tally, targetsOf } from '../bench/download/report.js';
import { serveSite } from '../bench/download/serve-site.js';
import { usableChromium } from '../tools.js';

const ORIGIN = 'https://127.0.0.1:1';
const AWAITED = { counts: { '/a/': 3 }, marks: ['Note 1 of 1.'] };

/** @param {Partial<import('../bench/download/load.js').Transfer>} [change] */
function transfer(change) {
  return {
    url: `${ORIGIN}/`,
    kind: /** @type {const} */ ('html'),
    status: 200,
    bytes: 100,
    body: 80,
    ...change,
  };
}

/** @param {Partial<import('../bench/download/load.js').Load>} [change] */
function rightLoad(change) {
  const found = { counts: { '/a/': '3' }, missing: [], footer: 'The end' };
  return { visible: 1200, found, transfers: [transfer()], errors: [], ...change };
}

/** @type {[what: string, change: Parameters<typeof rightLoad>[0], message: RegExp][]} */
const WRONG = [
  [
    'shows a wrong count',
    { found: { counts: { '/a/': '4' }, missing: [], footer: 'The end' } },
    /shows "4" for \/a\/, not 3/,
  ],
  [
    'lacks a comment',
    { found: { counts: { '/a/': '3' }, missing: ['Note 1 of 1.'], footer: 'The end' } },
    /does not show the comment "Note 1 of 1\."/,
  ],
  ['is cut off', { found: { counts: { '/a/': '3' }, missing: [], footer: '' } }, /no whole page/],
  ['was never complete', { visible: Infinity }, /never showed all of that/],
  ['got an error', { transfers: [transfer({ status: 502 })] }, /was answered with 502/],
  ['got no answer', { transfers: [transfer({ status: 0 })] }, /was answered with 0/],
  [
    'asked another host',
    { transfers: [transfer({ url: 'https://cdn.example/a.js' })] },
    /asked for https:\/\/cdn/,
  ],
  ['has a script that failed', { errors: ['x is not defined'] }, /a script failed: x is not defined/],
];

test('a page that shows what it should is accepted', () => {
  refuseWrong('ours, list', rightLoad(), AWAITED, ORIGIN);
});

for (const [what, change, message] of WRONG) {
  test(`a page that ${what} is refused`, () => {
    assert.throws(() => refuseWrong('theirs, list', rightLoad(change), AWAITED, ORIGIN), message);
  });
}

test('each comment of the blog is known by words that no other one holds', () => {
  const [first] = ARTICLES;
  for (const { mark } of first?.notes ?? []) {
    assert.equal(first?.notes.filter(({ text }) => text.includes(mark)).length, 1);
  }
});

test('bytes are summed by kind and together', () => {
  const transfers = [
    transfer(),
    transfer({ kind: 'script', bytes: 20 }),
    transfer({ kind: 'script', bytes: 30 }),
    transfer({ kind: 'other', bytes: 4 }),
  ];
  const sums = { requests: 4, html: 100, script: 50, style: 0, other: 4, bytes: 154 };
  assert.deepEqual(tally(transfers), sums);
});

test('a ratio is that of two loads of one round', () => {
  assert.deepEqual(paired([2, 9], [1, 3]), [2, 3]);
});

test('who was not timed has no time in the table', () => {
  const floor = { name: 'none', isFloor: true, transfers: [transfer()], times: [1000, 2000] };
  const ours = { name: 'ours', transfers: [transfer()], times: [1500, 2000] };
  const other = { name: 'other', transfers: [transfer(), transfer()], times: [] };
  const { rows } = tableOf('Pages', 'counts', [floor, ours, other]);
  assert.deepEqual(rows[1]?.slice(-2), ['1.75 s (1.50 to 2.00)', '1.25 × (1.00 to 1.50)']);
  assert.deepEqual(rows[2]?.slice(-2), ['–', '–']);
  assert.equal(rows[2]?.[1], '2');
});

test('a script on a list page misses its target', () => {
  const floor = { name: 'none', isFloor: true, transfers: [transfer()], times: [1000] };
  const list = {
    name: 'ours',
    transfers: [transfer(), transfer({ kind: 'script', bytes: 7 })],
    times: [1000],
  };
  const article = { name: 'live', transfers: [transfer({ kind: 'script', body: 2389 })], times: [1000] };
  const other = { name: 'other', transfers: [transfer()], times: [2000] };
  const targets = targetsOf([floor, list], [floor, article, article, other]);
  const valueOf = (/** @type {RegExp} */ what) => targets.find((target) => what.test(target.what))?.values;
  assert.deepEqual(valueOf(/requests for ten counts/), [1]);
  assert.deepEqual(valueOf(/script for ten counts/), [7]);
  assert.deepEqual(valueOf(/script of an article, live/), [2389]);
  assert.deepEqual(valueOf(/the fastest other/), [0.5]);
});

test('Chromium says what came over the wire, and what the page shows', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hugo-stacosys-download-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const pages = join(folder, 'pages');
  mkdirSync(pages);
  writeFileSync(join(pages, 'index.html'), PAGE);
  writeFileSync(join(pages, 'notes.js'), SCRIPT);
  const answer = (/** @type {Request} */ { url }) =>
    url.endsWith('/api') ? Response.json(['Note 1 of 1.']) : null;
  const server = await serveSite(
    { folder: pages, files: {}, answer },
    makeCertificate(folder, 'IP:127.0.0.1'),
  );
  t.after(server.close);
  const isRoot = process.getuid?.() === 0; // for whom Chromium has no sandbox
  const browser = await chromium.launch({
    executablePath: String(usableChromium()),
    chromiumSandbox: !isRoot,
  });
  t.after(() => browser.close());

  const url = `${server.origin}/`;
  const right = await load(browser, { url, awaited: AWAITED, slow: false });
  refuseWrong('this page', right, AWAITED, server.origin);
  assert.deepEqual(right.transfers.map(({ kind }) => kind).sort(), ['html', 'other', 'script']);
  const script = right.transfers.find(({ kind }) => kind === 'script');
  assert.ok(script && script.body > 0 && script.body < SCRIPT.length, 'it is compressed');
  assert.ok(script.bytes > script.body, 'with its headers');

  const more = { ...AWAITED, counts: { '/a/': 4 } };
  const wrong = await load(browser, { url, awaited: more, slow: false, limit: 300 });
  assert.throws(() => refuseWrong('this page', wrong, more, server.origin), /shows "3" for \/a\/, not 4/);
});

const PAGE = `<!doctype html><title>A page</title><link rel="icon" href="data:,">
<p data-count-of="/a/">3 comments</p><div id="discussion"></div><footer>The end</footer>
<script src="notes.js"></script>`;

const SCRIPT = `/* ${'Shows what the API says. '.repeat(20)} */
fetch('/api').then((answer) => answer.json()).then((notes) => {
  document.querySelector('#discussion').textContent = notes.join();
});
`;
