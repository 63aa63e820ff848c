import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../src/log.js';

const NOW = new Date('2026-11-21T15:20:13.123Z');

/** @param {Partial<import('../src/log.js').LogOptions>} [options] */
function recorded(options = {}) {
  /** @type {string[]} */
  const lines = [];
  const log = createLog({ write: (line) => lines.push(line), now: () => NOW, ...options });
  return { log, lines };
}

test('a line has the time, the level, the event and its fields', () => {
  const { log, lines } = recorded();
  log('info', 'published', { release: '20261121T152013.123Z-3fa9c1d2', ms: 168, to: undefined, error: null });
  assert.deepEqual(lines, [
    '2026-11-21T15:20:13.123Z info published release=20261121T152013.123Z-3fa9c1d2 ms=168',
  ]);
});

test('a value with a space, a quote or nothing in it stands in quotes', () => {
  const { log, lines } = recorded();
  log('error', 'build failed', { error: 'say "no"', site: '', key: '/é/', list: [1, 'a'] });
  assert.deepEqual(lines, [
    `2026-11-21T15:20:13.123Z error build failed error="say \\"no\\"" site="" key="/é/" list="[1,\\"a\\"]"`,
  ]);
});

test('whatever a stranger typed stays on its line, in both forms', () => {
  const hostile = [
    'a\nb',
    '\r\n2026 error forged',
    '\x1b[31m',
    '\u2028',
    '\u202e',
    '\ud800',
    '\x00',
    '\x7f',
    '\x9b',
  ];
  for (const options of [{}, { isJson: true }, { isJournal: true }]) {
    const { log, lines } = recorded(options);
    for (const text of hostile) log('info', 'seen', { text, [`x`]: { deep: text } });
    assert.equal(lines.length, hostile.length);
    for (const line of lines) assert.match(line, /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u);
  }
});

test('as JSON, a line is an object that can be read back', () => {
  const { log, lines } = recorded({ isJson: true });
  log('warn', 'seen', { text: 'a\n"b"', count: 2 });
  assert.deepEqual(JSON.parse(String(lines[0])), {
    time: NOW.toISOString(),
    level: 'warn',
    event: 'seen',
    text: 'a\n"b"',
    count: 2,
  });
});

test("for systemd's journal, a line has its priority and no time", () => {
  const { log, lines } = recorded({ isJournal: true });
  for (const level of /** @type {const} */ (['error', 'warn', 'info'])) log(level, 'seen');
  assert.deepEqual(lines, ['<3>seen', '<4>seen', '<6>seen']);
});

test('a quiet log has errors only', () => {
  const { log, lines } = recorded({ isQuiet: true });
  for (const level of /** @type {const} */ (['error', 'warn', 'info'])) log(level, 'seen');
  assert.deepEqual(lines, ['2026-11-21T15:20:13.123Z error seen']);
});
