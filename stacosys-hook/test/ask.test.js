import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { ask } from '../src/ask.js';

/**
 * @param {string | null} answer null for the end of the input
 * @returns {Promise<{isYes: boolean, screen: string}>}
 */
async function answered(answer) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(answer ?? '');
  const isYes = await ask('What it is about', 'Really? ', input, output);
  return { isYes, screen: String(output.read()) };
}

test('only a yes is a yes', async () => {
  for (const answer of ['y\n', 'Y\n', 'yes\n', ' yes \n']) assert.ok((await answered(answer)).isYes, answer);
  for (const answer of ['\n', 'n\n', 'no\n', 'yesterday\n', 'ja y\n', null]) {
    assert.ok(!(await answered(answer)).isYes, String(answer));
  }
});

test('the occasion stands before the question, once', async () => {
  assert.match((await answered('y\n')).screen, /^What it is about\n\nReally\? $/);
});
