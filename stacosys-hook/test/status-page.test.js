import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { STATUS_POLICY, statusPage } from '../src/status-page.js';
import { NOW, buildRecord, buildState, databaseState, stateWith } from './service.js';

/** @type {import('../src/service-state.js').Result[]} */
const RESULTS = ['published', 'unchanged', 'failed'];

const TWENTY = Array.from({ length: 20 }, (_, n) =>
  buildRecord({ started: NOW - n * 60_000, milliseconds: 100 * (n + 1), result: RESULTS[n % 3] ?? 'failed' }),
);

/**
 * @param {Partial<import('../src/service-state.js').ServiceState>} state
 * @returns {string}
 */
const page = (state) => statusPage(stateWith(state), NOW);

/**
 * @param {string} html
 * @param {string} element
 * @returns {string[]} the texts of all elements of this name, as a reader sees them
 */
function texts(html, element) {
  const found = html.matchAll(new RegExp(`<${element}[ >][^]*?</${element}>`, 'g'));
  return [...found].map(([text]) =>
    text
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

/** @param {string} html */
function tags(html) {
  return html.match(/<[^>]*>/g) ?? [];
}

test('the policy allows the style of the page, and no other, and nothing else', () => {
  const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page({})) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  assert.match(style, /prefers-color-scheme: dark/);
  assert.ok(STATUS_POLICY.startsWith(`default-src 'none'; style-src 'sha256-${hash}'; `));
  assert.doesNotMatch(page({ build: buildState(TWENTY) }), /<script| style=| on\w+=|javascript:|https?:/i);
});

test('a service that is well says so, with its numbers', () => {
  const html = page({
    release: '20240517-115900-3fa9c1',
    build: buildState([], { lastSuccess: NOW - 90_000 }),
  });
  assert.deepEqual(texts(html, 'h1'), ['A blog']);
  assert.match(html, />All is well\.</);
  assert.doesNotMatch(html, /attention/i);
  const facts = texts(html, 'dl').join(' ');
  for (const fact of [
    '1,234',
    '120',
    '20240517-115900-3fa9c1',
    '(90 s ago)',
    'locked for 4.2 ms',
    'waiting for changes',
  ]) {
    assert.ok(facts.includes(fact), `${fact}: ${facts}`);
  }
});

test('a service that is not well says why, what to do, and when it tries again', () => {
  const failed = buildRecord({ result: 'failed', error: 'Hugo ended with 1', advice: 'Mend the template.' });
  const html = page({
    database: databaseState({ ok: false, reason: 'it is locked' }),
    build: buildState([failed], { nextTry: NOW + 12_000 }),
    notifications: { waiting: 1, givenUp: [{ to: 'https://ci.example', error: 'HTTP 500' }] },
  });
  const [alarm = ''] = texts(html, 'section');
  for (const text of [
    'The database cannot be read: it is locked',
    'The last build failed: Hugo ended with 1',
    'The notification of https://ci.example was given up: HTTP 500',
    'Mend the template.',
    'It is tried again in 12 s.',
  ]) {
    assert.ok(alarm.includes(text), `${text}: ${alarm}`);
  }
  assert.deepEqual(texts(html, 'title')[0], 'Attention: A blog');
  assert.doesNotMatch(html, /All is well/);
});

test('a service that has built nothing yet has no chart and no table', () => {
  const html = page({});
  assert.match(html, /There was none yet/);
  assert.doesNotMatch(html, /<table|<figure/);
});

test('each of the last 20 builds has a row, and a bar as long as it took', () => {
  const html = page({ build: buildState([...TWENTY, buildRecord({ milliseconds: 99_000 })]) });
  assert.equal(texts(html, 'tr').length, 1 + 20);
  const [chart = ''] = /<svg\s+class="chart"[^]*?<\/svg>/.exec(html) ?? [];
  const bars = [...chart.matchAll(/<rect\s+class="(\w+)"\s+x="([\d.]+)"[^>]*\sheight="([\d.]+)"/g)];
  assert.deepEqual(
    bars.map(([, result, x, height]) => ({ result, x: Number(x), height: Math.round(Number(height)) })),
    TWENTY.map(({ result }, n) => ({ result, x: (19 - n) * 10 + 1.5, height: (n + 1) * 5 })),
  );
  assert.equal(texts(chart, 'title')[0], `published in 100 ms, ${localTime(NOW)}`);
});

test('builds that took no time at all have bars that can be seen', () => {
  const html = page({ build: buildState([buildRecord({ milliseconds: 0 })]) });
  assert.match(html, /<rect\s+class="published"[^>]*\sheight="1\.5"/);
});

/** @param {number} time milliseconds since 1970 */
function localTime(time) {
  const date = new Date(time);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()];
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  return `${day.map(two).join('-')} ${clock.map(two).join(':')}`;
}

test('a row tells when, what, why, how long, and which counts changed', () => {
  const changes = [
    { key: '/caf%C3%A9/', from: 0, to: 1 },
    { key: '/%FF/', from: 3, to: 2 },
  ];
  const records = [buildRecord({ cause: 'webhook', milliseconds: 3456, changes, changed: 2 })];
  const [, row = ''] = texts(page({ build: buildState(records) }), 'tr');
  assert.equal(row, `${localTime(NOW - 60_000)} published webhook 3.5 s 1,204 /café/ 0 → 1 /%FF/ 3 → 2`);
});

test('many changes unfold, and those that nobody recorded are counted', () => {
  const changes = Array.from({ length: 50 }, (_, n) => ({ key: `/page-${n}/`, from: n, to: n + 1 }));
  const html = page({ build: buildState([buildRecord({ changes, changed: 1234 })]) });
  const [folded = ''] = texts(html, 'details');
  assert.match(folded, /^1,231 more \/page-3\/ 3 → 4 .* \/page-49\/ 49 → 50 … and 1,184 more$/);
  const [, row = ''] = texts(html, 'tr');
  assert.match(row, / \/page-0\/ 0 → 1 \/page-1\/ 1 → 2 \/page-2\/ 2 → 3 1,231 more /);
});

test('a failed build says why in its row', () => {
  const failed = buildRecord({ result: 'failed', pages: null, error: 'Hugo ended', advice: 'Mend it.' });
  const [, row = ''] =
    texts(page({ build: buildState([buildRecord(), failed]) }), 'tbody')[0]?.split('published') ?? [];
  assert.match(row, / failed comments 2\.0 s Hugo ended Mend it\.$/);
});

test('whatever strangers and errors say is text', () => {
  const plain = tags(hostilePage('x'));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const html = hostilePage(`x${text}`);
      assert.deepEqual(tags(html), plain);
      assert.doesNotMatch(html, /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
    {
      examples: [
        ['<script>alert(1)</script>'],
        ['"\'><img src=x onerror=alert(1)>'],
        ['</style>&lt;%3Cb%3E\u202e'],
      ],
    },
  );
  assert.match(hostilePage('<b a="\'">&amp;'), /&lt;b a=&quot;&#39;&quot;&gt;&amp;amp;/);
});

/** @param {string} text wherever text of unknown origin comes in */
function hostilePage(text) {
  const failed = buildRecord({ result: 'failed', error: text, advice: text });
  const changes = Array.from({ length: 5 }, () => ({ key: text, from: 0, to: 1 }));
  return page({
    version: text,
    site: text,
    release: text,
    database: databaseState({ ok: false, reason: text }),
    build: buildState([failed, buildRecord({ changes, changed: 5 })], {
      running: { started: NOW, cause: text },
    }),
    notifications: { waiting: 0, givenUp: [{ to: text, error: text }] },
  });
}

test('a text of any length leaves the page short', () => {
  const long = 'x'.repeat(1_000_000);
  const failed = buildRecord({ result: 'failed', error: long, advice: long });
  const changed = buildRecord({ changes: [{ key: long, from: 0, to: 1 }], changed: 1 });
  const html = page({
    database: databaseState({ ok: false, reason: long }),
    build: buildState([failed, changed]),
    notifications: { waiting: 0, givenUp: [{ to: 'https://ci.example', error: long }] },
  });
  assert.ok(html.length < 20_000, String(html.length));
});
