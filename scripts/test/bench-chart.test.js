import assert from 'node:assert/strict';
import { test } from 'node:test';
import { description, drawChart } from '../bench/chart/draw-chart.js';
import { figure, tickFigure } from '../bench/chart/figure.js';
import { position, scaleOf } from '../bench/chart/scale.js';
import { WIDTH, wrap } from '../bench/chart/theme.js';

/** @typedef {import('../bench/part.js').Chart} Chart */

/** @type {Chart} */
const BARS = {
  name: 'views',
  title: 'Page views per second & more',
  shape: 'bars',
  scale: 'log',
  better: 'more',
  points: [
    { label: 'Flask <1>', values: [70, 73, 75] },
    { label: 'Baked page', values: [31_000, 33_000, 34_000], ours: true },
  ],
};

/** @type {Chart} */
const LINES = {
  name: 'time',
  title: 'Hugo build, seconds',
  shape: 'lines',
  x: 'pages',
  scale: 'log',
  better: 'less',
  points: ['no counts', 'baked counts', 'GetRemote', 'GetRemote, warm', 'GetRemote, stale'].flatMap((label) =>
    [1000, 10_000, 50_000].map((x) => ({
      label,
      x,
      values: [x / 1000, x / 900, x / 800],
      ours: label === 'baked counts',
    })),
  ),
};

/** @param {string} svg */
function textsIn(svg) {
  return [
    ...svg.matchAll(/<text [^>]*?transform="translate\(([-\d.]+),([-\d.]+)\)"[^>]*>(.*?)<\/text>/gs),
  ].map(([, x, y, text = '']) => ({
    x: Number(x),
    y: Number(y),
    text: text.replace(/<[^>]*>/g, ' ').trim(),
  }));
}

test('the same chart gives the same bytes, and another in the dark', async () => {
  for (const chart of [BARS, LINES]) {
    const [first, dark] = [await drawChart(chart, 'light'), await drawChart(chart, 'dark')];
    assert.equal(await drawChart(chart, 'light'), first);
    assert.notEqual(dark, first);
    assert.equal(dark.replace(/#[\da-f]{6}/g, ''), first.replace(/#[\da-f]{6}/g, ''), 'colours apart');
  }
});

test('a chart is one picture with a name and a description, of the width of a phone', async () => {
  const svg = await drawChart(BARS, 'light');
  assert.match(
    svg,
    new RegExp(`^<svg xmlns="[^"]*" viewBox="0 0 ${WIDTH} \\d+" .*role="img" aria-labelledby="title desc">`),
  );
  assert.ok(svg.includes('<title id="title">Page views per second &amp; more</title>'));
  assert.ok(
    svg.includes(
      '<desc id="desc">Baked page 33,000; Flask &lt;1&gt; 73 (more is better · logarithmic).</desc>',
    ),
  );
  assert.ok(svg.endsWith('</svg>\n'));
});

test('each bar has its name and its median beside it, ours in the colour of the project', async () => {
  const svg = await drawChart(BARS, 'light');
  const texts = textsIn(svg).map(({ text }) => text);
  for (const text of ['Flask &lt;1&gt;', '73', 'Baked page', '33,000', '1,000', '10k']) {
    assert.ok(texts.includes(text), `${text} in ${texts.join(', ')}`);
  }
  assert.equal(svg.match(/fill="#0f766e"/g)?.length, 1);
});

test('the best bar is on top, and below the title stands which that is', async () => {
  const order = async (/** @type {Chart} */ chart) =>
    textsIn(await drawChart(chart, 'light'))
      .filter(({ text }) => /^(Flask|Baked|more|less)/.test(text))
      .toSorted((one, other) => one.y - other.y)
      .map(({ text }) => text);
  assert.deepEqual(await order(BARS), ['more is better · logarithmic', 'Baked page', 'Flask &lt;1&gt;']);
  assert.deepEqual(await order({ ...BARS, scale: 'linear', better: 'less' }), [
    'less is better',
    'Flask &lt;1&gt;',
    'Baked page',
  ]);
});

test('the names of lines that end together do not lie on each other', async () => {
  const names = textsIn(await drawChart(LINES, 'light')).filter(({ text }) => /counts|GetRemote/.test(text));
  assert.equal(names.length, 5);
  const gaps = names.slice(1).map(({ y }, index) => y - (names[index]?.y ?? NaN));
  assert.ok(
    gaps.every((gap) => gap >= 23),
    gaps.join(', '),
  );
});

test('a description says ours first, and of lines where they end', () => {
  assert.equal(
    description(LINES),
    'At 50,000 (pages): baked counts 55.6; no counts 55.6; GetRemote 55.6; GetRemote, warm 55.6; GetRemote, stale 55.6 (less is better · logarithmic).',
  );
});

test('numbers are as short as they can be', () => {
  assert.deepEqual([0, 0.0312, 1.234, 73, 1432, 33_123, 9_798_980, 2.5e9].map(figure), [
    '0',
    '0.0312',
    '1.23',
    '73',
    '1,430',
    '33,100',
    '9.8 M',
    '2.5 G',
  ]);
  assert.deepEqual([0.01, 1000, 10_000, 1e6].map(tickFigure), ['0.01', '1,000', '10k', '1M']);
});

test('an axis begins and ends with round numbers', () => {
  assert.deepEqual(scaleOf([0.3, 4200], 'log'), {
    type: 'log',
    domain: [0.2, 5000],
    ticks: [1, 10, 100, 1000],
  });
  assert.deepEqual(scaleOf([0.3, 4], 'log').ticks, [0.2, 0.5, 1, 2, 5]);
  assert.deepEqual(scaleOf([0, 30, 30], 'log').domain, [20, 200], 'a 0 has no logarithm');
  assert.deepEqual(scaleOf([3, 160], 'linear'), {
    type: 'linear',
    domain: [0, 200],
    ticks: [0, 50, 100, 150, 200],
  });
  assert.deepEqual(scaleOf([-40, 20], 'linear').domain, [-40, 20]);
  assert.deepEqual(scaleOf([0, 0], 'log'), scaleOf([0], 'linear'));
  assert.equal(position({ type: 'log', domain: [1, 100], ticks: [] }, 10), 0.5);
});

test('a text is broken between its words', () => {
  assert.deepEqual(wrap('a poller that looks once a minute', 170), [
    'a poller that',
    'looks once a',
    'minute',
  ]);
});
