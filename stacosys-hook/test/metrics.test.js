import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metrics } from '../src/metrics.js';
import { NOW, buildRecord, buildState, databaseState, stateWith } from './service.js';

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"';
const NUMBER = '[+-]?(?:\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|Inf)|NaN';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)?\\})? (${NUMBER})$`);
const SUFFIXES = { summary: ['_sum', '_count'], counter: [''], gauge: [''] };

/**
 * Reads the text format as strictly as its description can be read, which Prometheus does not.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details
 * @param {string} text
 * @returns {Map<string, number>} by name and labels
 */
function parse(text) {
  assert.match(text, /\n$/);
  /** @type {Map<string, number>} */
  const samples = new Map();
  /** @type {Set<string>} */
  const families = new Set();
  for (const block of text.split(/^(?=# HELP )/m)) readFamily(block.trimEnd().split('\n'), families, samples);
  return samples;
}

/**
 * @param {string[]} lines
 * @param {Set<string>} families
 * @param {Map<string, number>} samples
 */
function readFamily([help = '', type = '', ...lines], families, samples) {
  const [, name = ''] = new RegExp(`^# HELP (${NAME}) \\S`).exec(help) ?? assert.fail(help);
  const [, typed, kind] =
    new RegExp(`^# TYPE (${NAME}) (counter|gauge|summary)$`).exec(type) ?? assert.fail(type);
  assert.equal(typed, name);
  assert.ok(!families.has(name), `${name} comes twice`);
  assert.equal(/_total$/.test(name), kind === 'counter', 'a counter is called so');
  families.add(name);
  const suffixes = SUFFIXES[/** @type {keyof typeof SUFFIXES} */ (kind)];
  for (const line of lines) {
    const [, full, labels = '', value] = SAMPLE.exec(line) ?? assert.fail(line);
    assert.ok(
      suffixes.some((suffix) => full === name + suffix),
      line,
    );
    const key = labels ? `${full}{${labels}}` : String(full);
    assert.ok(!samples.has(key), `${key} comes twice`);
    samples.set(key, Number(value));
  }
}

test('all that the service knows of itself is told, times in seconds', () => {
  const record = buildRecord();
  const state = stateWith({
    database: databaseState({ checked: NOW - 500, lockMilliseconds: 4.5 }),
    build: buildState([record], {
      totals: { published: 12, unchanged: 3, failed: 1 },
      seconds: 31.5,
      running: { started: NOW, cause: 'webhook' },
      waiting: true,
      lastSuccess: NOW - 60_000,
    }),
    notifications: { waiting: 2, givenUp: [{ to: 'https://ci.example', error: 'HTTP 500' }] },
  });
  const webhooks = new Map([
    [202, 7],
    [401, 1000],
  ]);
  const told = Object.fromEntries(
    [...parse(metrics(state, webhooks))].map(([name, value]) => [name.replace('stacosys_hook_', ''), value]),
  );
  assert.deepEqual(told, {
    'info{version="1.2.3"}': 1,
    start_time_seconds: NOW / 1000 - 3600,
    'webhooks_total{status="202"}': 7,
    'webhooks_total{status="401"}': 1000,
    'builds_total{result="published"}': 12,
    'builds_total{result="unchanged"}': 3,
    'builds_total{result="failed"}': 1,
    build_duration_seconds_sum: 31.5,
    build_duration_seconds_count: 16,
    build_running: 1,
    build_waiting: 1,
    last_success_timestamp_seconds: NOW / 1000 - 60,
    database_up: 1,
    database_last_check_timestamp_seconds: NOW / 1000 - 0.5,
    database_read_lock_seconds: 0.0045,
    comments: 1234,
    comments_pending: 3,
    pages: 120,
    notifications_waiting: 2,
    notifications_given_up: 1,
  });
});

test('what has never happened has the time 0, and who is not to be notified is not counted', () => {
  const state = stateWith({ database: databaseState({ ok: false, checked: null, reason: 'no such file' }) });
  const told = parse(metrics(state, new Map()));
  assert.equal(told.get('stacosys_hook_last_success_timestamp_seconds'), 0);
  assert.equal(told.get('stacosys_hook_database_last_check_timestamp_seconds'), 0);
  assert.equal(told.get('stacosys_hook_database_up'), 0);
  assert.deepEqual(
    [...told.keys()].filter((name) => name.includes('notifications')),
    [],
  );
});

test('a label may hold anything', () => {
  const state = stateWith({ version: 'a"} 1\nevil 2\\' });
  const told = parse(metrics(state, new Map()));
  assert.equal(told.get('stacosys_hook_info{version="a\\"} 1\\nevil 2\\\\"}'), 1);
  assert.ok(![...told.keys()].some((name) => name.startsWith('evil')));
});

test('the reader of these tests refuses what Prometheus would', () => {
  const good = '# HELP a_total What.\n# TYPE a_total counter\na_total{x="y"} 1\n';
  assert.deepEqual([...parse(good)], [['a_total{x="y"}', 1]]);
  for (const [part, other] of [
    ['{x="y"}', '{x="y"z"}'],
    ['{x="y"}', '{x=y}'],
    ['} 1', '} one'],
    ['# TYPE a_total counter\n', ''],
    ['a_total{', 'b_total{'],
    ['1\n', '1'],
    ['1\n', `1\n${good}`],
    ['1\n', '1\na_total{x="y"} 2\n'],
  ]) {
    assert.throws(() => parse(good.replace(String(part), String(other))), assert.AssertionError, other);
  }
});
