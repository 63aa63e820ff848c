import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printable, printableJson } from '../src/printable.js';

const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** @type {[what: string, text: string, shown: string][]} */
const CASES = [
  ['plain text', 'My blog', 'My blog'],
  ['text of any language', 'hébergement 日本語 مدونة 🎉', 'hébergement 日本語 مدونة 🎉'],
  ['a colour sequence', '\x1b[31mred\x1b[0m', '\\u{1b}[31mred\\u{1b}[0m'],
  ['a title sequence', '\x1b]0;owned\x07', '\\u{1b}]0;owned\\u{7}'],
  ['the one-byte form of that sequence', '\x9b31m', '\\u{9b}31m'],
  ['a line break', 'one\r\ntwo', 'one\\u{d}\\u{a}two'],
  ['a Unicode line break', 'one\u2028two\u2029', 'one\\u{2028}two\\u{2029}'],
  ['NUL, tab and DEL', '\0\t\x7f', '\\u{0}\\u{9}\\u{7f}'],
  ['text that runs backwards', 'abc\u202etxt.exe', 'abc\\u{202e}txt.exe'],
  ['a lone surrogate', 'x\ud800y', 'x\\u{d800}y'],
  ['an invisible tag character', '\u{e0041}', '\\u{e0041}'],
];

for (const [what, text, shown] of CASES) {
  test(`${what} is shown as ${JSON.stringify(shown)}`, () => assert.equal(printable(text), shown));
}

test('no text shows a control character or a second line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => assert.doesNotMatch(printable(text), CONTROLS)),
    { numRuns: 300 },
  );
});

test('printing what is printable changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(printable(printable(text)), printable(text));
    }),
    { numRuns: 300 },
  );
});

test('JSON for a terminal holds no control character and parses to the same data', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = printableJson({ text });
      assert.doesNotMatch(json, CONTROLS);
      assert.deepEqual(JSON.parse(json), { text });
    }),
    { numRuns: 300 },
  );
  const json = printableJson({ text: '\x1b\x9b\x7f\u202e\u2028\u{e0041}' });
  assert.equal(json, '{"text":"\\u001b\\u009b\\u007f\\u202e\\u2028\\udb40\\udc41"}');
});

test('JSON for a terminal keeps its line breaks where it is indented', () => {
  assert.equal(printableJson({ a: 1 }, 2), '{\n  "a": 1\n}');
});
