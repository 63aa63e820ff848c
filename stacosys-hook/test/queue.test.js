import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createQueue } from '../src/queue.js';
import { until } from './until.js';

/**
 * A run that a test ends when it likes.
 *
 * @param {import('node:test').TestContext} t
 * @param {(attempt: number) => number} [pauseBefore]
 */
function controlled(t, pauseBefore = () => 1_000_000) {
  /** @type {{causes: string[], end: () => void, fail: () => void}[]} */
  const runs = [];
  let atOnce = 0;
  const queue = createQueue({
    pauseBefore,
    run: async (causes) => {
      atOnce += 1;
      assert.equal(atOnce, 1, 'one run at a time');
      try {
        await new Promise((/** @type {(value?: unknown) => void} */ resolve, reject) => {
          runs.push({
            causes: [...causes],
            end: resolve,
            fail: () => reject(new Error('failed on purpose')),
          });
        });
      } finally {
        atOnce -= 1;
      }
    },
  });
  t.after(async () => {
    const stopped = queue.stop();
    for (const { end } of runs) end();
    await stopped;
  });
  /** @param {number} number from 1 */
  const begun = (number) => until(`run ${number}`, () => runs[number - 1]);
  return { queue, runs, begun };
}

test('what is asked for while nothing runs begins', async (t) => {
  const { queue, begun } = controlled(t);
  queue.add('start');
  const run = await begun(1);
  assert.deepEqual(run.causes, ['start']);
  run.end();
  await queue.stop();
});

test('whatever is asked for during a run causes exactly one more', async (t) => {
  const { queue, runs, begun } = controlled(t);
  queue.add('start');
  const first = await begun(1);
  for (let i = 0; i < 1000; i += 1) queue.add('webhook');
  queue.add('database');
  assert.ok(queue.isWaiting());
  first.end();
  const second = await begun(2);
  assert.deepEqual(second.causes, ['webhook', 'database']);
  assert.ok(!queue.isWaiting());
  second.end();
  await until('the end of the second run', () => !queue.isRunning());
  assert.equal(runs.length, 2);
});

test('causes that come in one moment cause one run', async (t) => {
  const { queue, runs, begun } = controlled(t);
  for (let i = 0; i < 1000; i += 1) queue.add('webhook');
  (await begun(1)).end();
  await until('the end of the run', () => !queue.isRunning());
  assert.equal(runs.length, 1);
});

test('a run that failed is repeated after pauses that grow', async (t) => {
  /** @type {number[]} */
  const attempts = [];
  const { queue, begun } = controlled(t, (attempt) => {
    attempts.push(attempt);
    return 1;
  });
  queue.add('database');
  for (const number of [1, 2, 3]) (await begun(number)).fail();
  const last = await begun(4);
  assert.deepEqual(last.causes, ['retry']);
  assert.deepEqual(attempts, [1, 2, 3]);
  last.end();
  await until('the end of the last run', () => !queue.isRunning());
  assert.equal(queue.nextTry(), null);
  queue.add('database');
  (await begun(5)).fail();
  await begun(6);
  assert.deepEqual(attempts, [1, 2, 3, 1], 'a success begins the count anew');
});

test('the pauses grow from a second to five minutes', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] }); // of a machine that takes no time for anything else
  const failing = createQueue({ run: () => Promise.reject(new Error('failed on purpose')) });
  const pauses = [];
  for (let i = 0; i < 12; i += 1) {
    failing.add('database');
    await nextTurn();
    pauses.push(Number(failing.nextTry()) - Date.now());
  }
  await failing.stop();
  const seconds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300];
  assert.deepEqual(
    pauses,
    seconds.map((pause) => pause * 1000),
  );
});

test('the next change repeats a failed run at once', async (t) => {
  const { queue, begun } = controlled(t);
  queue.add('start');
  (await begun(1)).fail();
  await until('the pause', () => queue.nextTry());
  queue.add('database');
  const second = await begun(2);
  assert.deepEqual(second.causes, ['database']);
  second.end();
  await until('the end of the run', () => !queue.isRunning());
  assert.equal(queue.nextTry(), null, 'which succeeded');
});

test('a run that would fail as the last one did leaves its repetition as it stands', async (t) => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs === 1) throw new Error('failed on purpose');
    return runs < 4 ? /** @type {const} */ ('futile') : undefined;
  };
  const queue = createQueue({ pauseBefore: () => 1_000_000, run });
  t.after(queue.stop);
  queue.add('start');
  const at = await until('the pause', () => queue.nextTry());
  for (const futile of [2, 3]) {
    queue.add('database');
    await until('the futile run', () => runs === futile && !queue.isRunning());
    assert.equal(queue.nextTry(), at);
  }
  queue.add('content');
  await until('the run that succeeds', () => runs === 4 && !queue.isRunning());
  assert.equal(queue.nextTry(), null);
});

test('what is asked for during a run that fails runs at once', async (t) => {
  const { queue, begun } = controlled(t);
  queue.add('start');
  const first = await begun(1);
  queue.add('database');
  first.fail();
  assert.deepEqual((await begun(2)).causes, ['database']);
});

test('a queue that stops lets the run end and begins no other', async (t) => {
  const { queue, runs, begun } = controlled(t);
  queue.add('start');
  const run = await begun(1);
  queue.add('database');
  const stopped = queue.stop();
  run.end();
  await stopped;
  queue.add('webhook');
  assert.ok(!queue.isRunning());
  assert.equal(runs.length, 1);
});

test('a queue that stops forgets the repetition of a failed run', async (t) => {
  const { queue, runs, begun } = controlled(t, () => 1);
  queue.add('start');
  const run = await begun(1);
  const stopped = queue.stop();
  run.fail();
  await stopped;
  assert.equal(queue.nextTry(), null);
  assert.equal(runs.length, 1);
});
