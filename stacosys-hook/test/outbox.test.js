import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { openOutbox } from '../src/outbox.js';
import {
  asOrdinaryUser,
  databaseWith,
  edit,
  failureOf,
  handOver,
  openElsewhere,
  temporaryFolder,
} from './database.js';

const NOW = Date.UTC(2024, 0, 2, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HOOK = 'https://hooks.example/build/s3cret-part?token=hidden';
const OTHER = 'https://other.example/hooks/rebuild';

/** The process that is killed below runs this file too. */
if (process.argv[2] === 'record') recordUntilKilled(String(process.argv[3]));
else tests();

/** @param {string} file */
function recordUntilKilled(file) {
  const outbox = openOutbox(file);
  for (let n = 1; ; n += 1) {
    outbox.record(counts({ '/a/': n }), [HOOK], NOW);
    process.send?.(n);
  }
}

/** @param {Record<string, number>} pages */
function counts(pages) {
  return Buffer.from(`${JSON.stringify(pages, null, 2)}\n`);
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string} [file]
 */
function outboxFor(t, file = join(temporaryFolder(t), 'outbox.sqlite')) {
  const outbox = openOutbox(file);
  t.after(() => outbox.close());
  /** @param {string} [target] */
  const waiting = (target = HOOK) => {
    const [found, ...more] = outbox.waiting([target], NOW);
    assert.equal(more.length, 0);
    return found;
  };
  const waits = () => waiting() ?? assert.fail('nothing waits');
  const recorded = (/** @type {Record<string, number>} */ pages, now = NOW, targets = [HOOK]) =>
    outbox.record(counts(pages), targets, now);
  return { outbox, file, waiting, waits, recorded };
}

/**
 * @param {import('../src/outbox.js').Outbox} outbox
 * @param {import('../src/outbox.js').Waiting} waiting
 */
function sent(outbox, waiting) {
  const message = outbox.begin(waiting) ?? assert.fail('another notification took its place');
  return { attempt: message.attempt, changes: Object.fromEntries(message.changes), changed: message.changed };
}

function tests() {
  test('the first counts of all are no change: nobody knows what was before', (t) => {
    const { waiting, recorded, outbox } = outboxFor(t);
    recorded({ '/a/': 1 });
    assert.equal(waiting(), undefined);
    assert.deepEqual(outbox.status(), { waiting: 0, oldest: null, givenUp: [] });
  });

  test('a change waits for each target, with what it was and what it is', (t) => {
    const { outbox, recorded } = outboxFor(t);
    recorded({ '/a/': 1, '/gone/': 2, '/same/': 3 });
    recorded({ '/a/': 2, '/new/': 1, '/same/': 3 }, NOW + 5, [HOOK, OTHER, HOOK]);
    const all = outbox.waiting([HOOK, OTHER, HOOK], NOW + 5);
    assert.deepEqual(
      all.map(({ target, due }) => [target, due]),
      [
        [HOOK, NOW + 5],
        [OTHER, NOW + 5],
      ],
    );
    const ids = all.map(({ id }) => id);
    assert.equal(new Set(ids).size, 2);
    for (const id of ids) assert.match(id, /^msg_[\w-]{36}$/);
    const changes = {
      '/a/': { from: 1, to: 2 },
      '/new/': { from: 0, to: 1 },
      '/gone/': { from: 2, to: 0 },
    };
    for (const one of all) assert.deepEqual(sent(outbox, one), { attempt: 1, changes, changed: NOW + 5 });
    assert.deepEqual(outbox.status(), { waiting: 2, oldest: NOW + 5, givenUp: [] });
  });

  test('the same counts are no change, and the same in other words neither', (t) => {
    const { outbox, recorded, waiting } = outboxFor(t);
    recorded({ '/a/': 1 });
    recorded({ '/a/': 1 });
    outbox.record(Buffer.from('{"/a/":1}'), [HOOK], NOW);
    assert.equal(waiting(), undefined);
  });

  test('changes are merged into what was not sent yet, under its id', (t) => {
    const { outbox, recorded, waits } = outboxFor(t);
    recorded({ '/a/': 1, '/b/': 1 });
    recorded({ '/a/': 2, '/b/': 1 });
    const { id } = waits();
    recorded({ '/a/': 5 }, NOW + 10);
    assert.equal(waits().id, id);
    const changes = { '/a/': { from: 1, to: 5 }, '/b/': { from: 1, to: 0 } };
    assert.deepEqual(sent(outbox, waits()), { attempt: 1, changes, changed: NOW + 10 });
    assert.equal(outbox.status().oldest, NOW);
  });

  test('what was taken back before it was sent is not sent', (t) => {
    const { outbox, recorded, waits, waiting } = outboxFor(t);
    recorded({ '/a/': 1 });
    recorded({ '/a/': 2, '/b/': 1 });
    recorded({ '/a/': 1, '/b/': 1 });
    assert.deepEqual(Object.keys(sent(outbox, waits()).changes), ['/b/']);
    outbox.delivered(waits());
    recorded({ '/a/': 1, '/b/': 2 });
    recorded({ '/a/': 1, '/b/': 1 });
    assert.equal(waiting(), undefined);
    assert.equal(outbox.status().waiting, 0);
  });

  test('what was sent may have arrived: later changes get another id, and the old ones with them', (t) => {
    const { outbox, recorded, waits } = outboxFor(t);
    recorded({ '/a/': 1 });
    recorded({ '/a/': 2 });
    const first = waits();
    sent(outbox, first);
    outbox.failed(first, 'no answer', NOW, 1);
    recorded({ '/a/': 2, '/b/': 1 });
    const second = waits();
    assert.notEqual(second.id, first.id);
    assert.equal(outbox.begin(first), null);
    assert.equal(outbox.status().waiting, 1);
    const changes = { '/a/': { from: 1, to: 2 }, '/b/': { from: 0, to: 1 } };
    assert.deepEqual(sent(outbox, second), { attempt: 1, changes, changed: NOW });
  });

  test('what was sent and then taken back must be told', (t) => {
    const { outbox, recorded, waits } = outboxFor(t);
    recorded({ '/a/': 1 });
    recorded({ '/a/': 2 });
    sent(outbox, waits());
    recorded({ '/a/': 2, '/b/': 1 }); // the id is a new one, never sent itself
    recorded({ '/a/': 1, '/b/': 1 });
    assert.deepEqual(sent(outbox, waits()).changes, {
      '/a/': { from: 2, to: 1 },
      '/b/': { from: 0, to: 1 },
    });
  });

  test('an answer to what was replaced meanwhile leaves the newer one waiting', (t) => {
    const { outbox, recorded, waits, waiting } = outboxFor(t);
    recorded({});
    recorded({ '/a/': 1 });
    const first = waits();
    sent(outbox, first);
    recorded({ '/a/': 2 });
    outbox.delivered(first);
    const second = waits();
    assert.deepEqual(sent(outbox, second).changes, { '/a/': { from: 0, to: 2 } });
    outbox.delivered(second);
    assert.equal(waiting(), undefined);
  });

  test('however the counts change and whatever fails, a receiver knows the last ones in the end', (t) => {
    const folder = temporaryFolder(t);
    let run = 0;
    const anyCounts = fc.dictionary(fc.constantFrom('/a/', '/b/', '/c/'), fc.integer({ min: 1, max: 3 }));
    const anyStep = fc.oneof(
      fc.record({ counts: anyCounts }),
      fc.record({ sends: fc.constantFrom('arrives', 'is lost', 'answer is lost', 'late change') }),
    );
    fc.assert(
      fc.property(anyCounts, fc.array(anyStep, { maxLength: 12 }), (initial, steps) => {
        const outbox = openOutbox(join(folder, `${(run += 1)}.sqlite`));
        const known = new Map(Object.entries(initial)); // to the receiver
        /** @type {Record<string, number>} */
        let last = initial;
        const record = () => outbox.record(counts(last), [HOOK], NOW);
        /** @param {string} how */
        const send = (how) => {
          const [waiting] = outbox.waiting([HOOK], NOW);
          if (!waiting) return;
          const { changes } = outbox.begin(waiting) ?? assert.fail();
          if (how !== 'is lost') for (const [key, { to }] of changes) known.set(key, to);
          if (how === 'late change') outbox.record(counts((last = { '/a/': 9 })), [HOOK], NOW);
          if (how === 'arrives' || how === 'late change') outbox.delivered(waiting);
          else outbox.failed(waiting, how, NOW, 0);
        };
        record();
        for (const step of steps) {
          if ('sends' in step) send(step.sends);
          else {
            last = step.counts;
            record();
          }
        }
        send('arrives');
        send('arrives');
        outbox.close();
        const shown = [...known].filter(([, count]) => count > 0);
        assert.deepEqual(Object.fromEntries(shown), { ...last });
      }),
      { numRuns: 60 },
    );
  });

  test('what is delivered waits no longer', (t) => {
    const { outbox, recorded, waits, waiting } = outboxFor(t);
    recorded({});
    recorded({ '/a/': 1 });
    const only = waits();
    sent(outbox, only);
    outbox.delivered(only);
    assert.equal(waiting(), undefined);
    assert.equal(outbox.begin(only), null);
    assert.equal(outbox.failed(only, 'late', NOW, 0), null);
    assert.deepEqual(outbox.status(), { waiting: 0, oldest: null, givenUp: [] });
  });

  test('the pauses grow from about a second to a quarter of an hour, each between half and whole', (t) => {
    const { outbox, recorded, waits } = outboxFor(t);
    recorded({});
    recorded({ '/a/': 1 });
    const only = waits();
    const pauses = Array.from({ length: 12 }, (_, i) => {
      assert.equal(sent(outbox, only).attempt, i + 1);
      return Number(outbox.failed(only, 'answered 500', NOW, i % 2)) - NOW;
    });
    const seconds = [0.5, 2, 2, 8, 8, 32, 32, 128, 128, 512, 450, 900];
    assert.deepEqual(
      pauses,
      seconds.map((pause) => pause * 1000),
    );
    assert.equal(waits().due, NOW + 900_000);
  });

  test('a change during a pause does not shorten it', (t) => {
    const { outbox, recorded, waits } = outboxFor(t);
    recorded({});
    recorded({ '/a/': 1 });
    sent(outbox, waits());
    const due = outbox.failed(waits(), 'answered 500', NOW, 1);
    recorded({ '/a/': 2 }, NOW + 1);
    assert.equal(waits().due, due);
  });

  test('after an answer the pauses begin anew', (t) => {
    const { outbox, recorded, waits } = outboxFor(t);
    recorded({});
    recorded({ '/a/': 1 });
    for (let i = 0; i < 5; i += 1) outbox.failed(waits(), 'answered 500', NOW, 1);
    const answered = waits();
    sent(outbox, answered);
    recorded({ '/a/': 2 });
    outbox.delivered(answered);
    assert.equal(outbox.failed(waits(), 'answered 500', NOW, 1), NOW + 1000);
  });

  test('a clock that is set back by days delays nothing', (t) => {
    const { outbox, recorded } = outboxFor(t);
    recorded({}, NOW + 48 * HOUR);
    recorded({ '/a/': 1 }, NOW + 48 * HOUR);
    assert.equal(outbox.waiting([HOOK], NOW)[0]?.due, NOW);
    assert.equal(outbox.waiting([HOOK], NOW + 48 * HOUR - 1)[0]?.due, NOW + 48 * HOUR);
  });

  test('after a day it is given up, and that stays known until the target answers', (t) => {
    const { outbox, recorded, waiting, waits, file } = outboxFor(t);
    recorded({});
    recorded({ '/a/': 1 });
    const first = waits();
    sent(outbox, first);
    assert.notEqual(outbox.failed(first, 'answered 404', NOW + 24 * HOUR - 1, 0), null);
    assert.deepEqual(outbox.status(), { waiting: 1, oldest: NOW, givenUp: [] });
    assert.equal(outbox.failed(first, 'answered 410', NOW + 24 * HOUR, 0), null);
    const givenUp = [{ to: 'https://hooks.example', since: NOW, error: 'answered 410' }];
    assert.deepEqual(outbox.status(), { waiting: 0, oldest: null, givenUp });
    assert.equal(waiting(), undefined);
    const again = openOutbox(file);
    t.after(() => again.close());
    assert.deepEqual(again.status().givenUp, givenUp);

    recorded({ '/a/': 1, '/b/': 1 }, NOW + 30 * HOUR);
    assert.deepEqual(outbox.status(), { waiting: 1, oldest: NOW, givenUp });
    const second = outbox.waiting([HOOK], NOW + 30 * HOUR)[0] ?? assert.fail();
    assert.deepEqual([second.id === first.id, second.due], [false, NOW + 30 * HOUR]);
    const changes = { '/a/': { from: 0, to: 1 }, '/b/': { from: 0, to: 1 } };
    assert.deepEqual(sent(outbox, second).changes, changes);
    assert.notEqual(outbox.failed(second, 'answered 500', NOW + 31 * HOUR, 0), null);
    outbox.delivered(second);
    assert.deepEqual(outbox.status(), { waiting: 0, oldest: null, givenUp: [] });
  });

  test('a target that fails for a day is reported although newer changes are still tried', (t) => {
    const { outbox, recorded, waits } = outboxFor(t);
    recorded({});
    for (let hour = 0; hour <= 24; hour += 1) {
      recorded({ '/a/': hour + 1 }, NOW + hour * HOUR);
      sent(outbox, waits());
      const due = outbox.failed(waits(), 'answered 500', NOW + hour * HOUR, 0);
      assert.notEqual(due, null);
      assert.equal(outbox.status().givenUp.length, hour < 24 ? 0 : 1);
    }
    assert.equal(outbox.status().waiting, 1);
  });

  test('what waits for a target that is configured no longer is dropped', (t) => {
    const { outbox, recorded } = outboxFor(t);
    recorded({}, NOW, [HOOK, OTHER]);
    recorded({ '/a/': 1 }, NOW, [HOOK, OTHER]);
    outbox.retain([OTHER, 'https://new.example/']);
    assert.deepEqual(
      outbox.waiting([HOOK, OTHER, 'https://new.example/'], NOW).map(({ target }) => target),
      [OTHER],
    );
    recorded({ '/a/': 1 }, NOW, []);
    assert.equal(outbox.status().waiting, 0);
  });

  test('a restart loses nothing, and the number of attempts neither', (t) => {
    const { outbox, recorded, waits, file } = outboxFor(t);
    recorded({});
    recorded({ '/a/': 1 });
    const before = waits();
    sent(outbox, before);
    outbox.close();
    const { outbox: again, waits: waitsAgain } = outboxFor(t, file);
    assert.deepEqual(waitsAgain(), before);
    const changes = { '/a/': { from: 0, to: 1 } };
    assert.deepEqual(sent(again, before), { attempt: 2, changes, changed: NOW });
  });

  test('a process that is killed in the middle has recorded all or nothing', async (t) => {
    const file = join(temporaryFolder(t), 'outbox.sqlite');
    for (let round = 0; round < 5; round += 1) {
      const child = fork(fileURLToPath(import.meta.url), ['record', file]);
      t.after(() => child.kill('SIGKILL'));
      const ended = once(child, 'exit');
      let last = 0;
      const enough = new Promise((resolve) => {
        child.on('message', (/** @type {number} */ n) => {
          last = n;
          if (n > 5 + round) resolve(n);
        });
      });
      await Promise.race([enough, ended]);
      child.kill('SIGKILL');
      await ended;
      const outbox = openOutbox(file);
      const waiting = outbox.waiting([HOOK], NOW)[0] ?? assert.fail();
      const change = sent(outbox, waiting).changes['/a/'] ?? assert.fail();
      assert.ok(change.to >= last, `${last} was recorded, ${change.to} is known`);
      // The snapshot and what waits are of one moment: the same counts again are no change
      outbox.record(counts({ '/a/': change.to }), [HOOK], NOW);
      assert.equal(outbox.waiting([HOOK], NOW)[0]?.id, waiting.id);
      outbox.delivered(waiting);
      outbox.record(counts({ '/a/': 1 }), [HOOK], NOW);
      outbox.close();
    }
  });

  test('the file and its folder are made, and only their owner may read the file', (t) => {
    const umask = process.umask(0);
    t.after(() => process.umask(umask));
    const file = join(temporaryFolder(t), 'state', 'deep', 'outbox.sqlite');
    const { recorded } = outboxFor(t, file);
    recorded({ '/a/': 1 });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(join(file, '..')), ['outbox.sqlite']);
  });

  test('the address of a target, which may be a secret, is not in the file', (t) => {
    const { outbox, recorded, waits, file } = outboxFor(t);
    recorded({});
    recorded({ '/a/': 1 });
    outbox.failed(waits(), 'answered 500', NOW, 0);
    outbox.close();
    const bytes = readFileSync(file, 'latin1');
    assert.ok(bytes.includes('https://hooks.example'));
    for (const secret of ['/build/', 's3cret-part', 'hidden']) assert.ok(!bytes.includes(secret), secret);
  });

  test('a file that is no database is a failure that leaves it alone', (t) => {
    const file = join(temporaryFolder(t), 'outbox.sqlite');
    writeFileSync(file, 'my notes, which are rather long\n'.repeat(100));
    const { message, advice } = failureOf(() => openOutbox(file));
    assert.match(message, /outbox\.sqlite.* is damaged: file is not a database$/);
    assert.match(advice, /^Delete it/);
    assert.match(readFileSync(file, 'utf8'), /^my notes/);
  });

  test('a file that was cut short is a failure', (t) => {
    const file = join(temporaryFolder(t), 'outbox.sqlite');
    const outbox = openOutbox(file);
    const pages = Array.from({ length: 1000 }, (_, i) => [`/${i}/`, 1]);
    outbox.record(counts(Object.fromEntries(pages)), [], NOW);
    outbox.close();
    truncateSync(file, statSync(file).size - 8192);
    assert.match(failureOf(() => openOutbox(file)).message, /is damaged/);
  });

  test("another program's database is a failure, above all that of Stacosys", (t) => {
    const file = databaseWith(t, [{ url: '/a/' }]);
    const before = readFileSync(file);
    assert.match(failureOf(() => openOutbox(file)).message, /is a database of another program$/);
    assert.ok(readFileSync(file).equals(before));
  });

  test('a file of a newer version is a failure', (t) => {
    const { file, outbox } = outboxFor(t);
    outbox.close();
    edit(file, (database) => database.pragma('user_version = 2'));
    assert.match(failureOf(() => openOutbox(file)).message, /newer stacosys-hook$/);
  });

  test('a file or a folder without the right to write is a failure at once', (t) => {
    const folder = join(temporaryFolder(t), 'state');
    mkdirSync(folder);
    const file = join(folder, 'outbox.sqlite');
    openOutbox(file).close();
    handOver(file, 0o400);
    handOver(folder, 0o755);
    const { message, advice } = failureOf(() => asOrdinaryUser(() => openOutbox(file)));
    assert.match(message, /^Cannot write .*outbox\.sqlite: /);
    assert.match(advice, /rights/);
    handOver(file, 0o600);
    handOver(folder, 0o555);
    failureOf(() => asOrdinaryUser(() => openOutbox(file)));
    failureOf(() => asOrdinaryUser(() => openOutbox(join(folder, 'other.sqlite'))));
    failureOf(() => asOrdinaryUser(() => openOutbox(join(folder, 'more', 'outbox.sqlite'))));
    assert.ok(!existsSync(join(folder, 'other.sqlite')));
  });

  test('a write that fails later is a failure that loses nothing', (t) => {
    const { outbox, recorded, waits, waiting, file } = outboxFor(t);
    recorded({ '/a/': 1 });
    recorded({ '/a/': 2 });
    const before = waits();
    edit(file, (database) =>
      database.exec(`CREATE TRIGGER full BEFORE INSERT ON snapshot BEGIN
        SELECT raise(ABORT, 'database or disk is full'); END`),
    );
    const { message } = failureOf(() => recorded({ '/a/': 3 }));
    assert.match(message, /^Cannot write .*: database or disk is full$/);
    assert.deepEqual(waiting(), before);
    edit(file, (database) => database.exec('DROP TRIGGER full'));
    recorded({ '/a/': 3 });
    assert.deepEqual(sent(outbox, waits()).changes, { '/a/': { from: 1, to: 3 } });
  });

  test('a file that another program holds for long is a failure', async (t) => {
    const { file, recorded, waiting } = outboxFor(t);
    recorded({ '/a/': 1 });
    const other = await openElsewhere(t, file);
    await other.exec('BEGIN EXCLUSIVE');
    assert.match(failureOf(() => recorded({ '/a/': 2 })).message, /locked/);
    await other.exec('ROLLBACK');
    recorded({ '/a/': 2 });
    assert.notEqual(waiting(), undefined);
  });
}
