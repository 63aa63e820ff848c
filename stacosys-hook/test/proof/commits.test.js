/* Proof: whenever somebody writes, the last state is live in the end, and nothing else ever is. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { age, blog, statesOf } from './blog.js';
import { observe } from './live.js';
import { randomness } from './randomness.js';
import { startService } from './service.js';
import { sized } from './soak.js';
import { startWriter } from './writer.js';

const COMMITS = sized(30, 300);
/** A few at once: the second one may come while the first is being read. Many: while it is being built. */
const AT_ONCE = [1, 2, 2, 3, 5, 12];
const LONGEST_PAUSE = 60; // milliseconds
const LONGEST_HOLD = 40;

const ANEW = /** @type {const} */ ({ connection: 'anew', synchronous: 'normal' });
const HELD = /** @type {const} */ ({ connection: 'held', synchronous: 'normal' });
const ANEW_DURABLE = /** @type {const} */ ({ connection: 'anew', synchronous: 'extra' });
const HELD_DURABLE = /** @type {const} */ ({ connection: 'held', synchronous: 'full' });

/** @type {[string, import('./writer.js').Habit[]][]} */
const COMPANIES = sized(
  [
    ['a connection for each commit', [ANEW_DURABLE]],
    ['one of each kind', [ANEW, HELD_DURABLE]],
  ],
  [
    ['a connection for each commit', [ANEW]],
    ['a connection for each commit, synchronous = extra', [ANEW_DURABLE]],
    ['one long-held connection', [HELD]],
    ['one long-held connection, synchronous = full', [HELD_DURABLE]],
    ['one of each kind', [ANEW, HELD_DURABLE]],
    ['four of all kinds', [ANEW, ANEW_DURABLE, HELD, HELD_DURABLE]],
  ],
);

describe(`of ${COMMITS} commits at random moments none is missed`, { concurrency: 4 }, () => {
  for (const journal of /** @type {const} */ (['delete', 'wal'])) {
    for (const [company, habits] of COMPANIES) {
      test(`journal mode ${journal}, ${company}`, async (t) => {
        const { integer, pick } = randomness(t);
        const ours = blog(t, { journal });
        const service = startService(t, ours);
        const end = observe(t, ours);
        const writers = habits.map((habit) => startWriter(t, ours.database, habit));
        const moment = () => ({
          pause: integer(0, LONGEST_PAUSE),
          hold: integer(-LONGEST_HOLD, LONGEST_HOLD),
        });
        let commits = 0;
        let longest = 0;
        await service.says('published');
        while (commits < COMMITS) {
          if (sized(true, false)) age(ours);
          const rounds = Math.ceil(pick(AT_ONCE) / writers.length);
          const written = await Promise.all(
            writers.map((commit) => commit(Array.from({ length: rounds }, moment))),
          );
          const [last] = written.toSorted((one, other) => other.id - one.id);
          await service.shows(String(last?.state));
          commits += rounds * writers.length;
          longest = Math.max(longest, ...written.map((each) => each.longest));
        }
        const states = statesOf(ours);
        assert.equal(states.length, commits + 1, 'every commit counts');
        const seen = end().map((state) => states.indexOf(state));
        assert.ok(!seen.includes(-1), `a state that never existed was live: ${seen}`);
        assert.deepEqual(
          seen,
          seen.toSorted((one, other) => one - other),
          'none came back',
        );
        assert.equal(seen.at(-1), commits);
        assert.equal(service.log.filter(({ level }) => level !== 'info').length, 0, service.text());
        t.diagnostic(`the longest commit took ${longest.toFixed(0)} ms; ${seen.length} states were live`);
      });
    }
  }
});
