import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { countOf, meanOf, percentileOf, uncorrected } from '../bench/load/latencies.js';
import { askEach, batchOf } from '../bench/load/page-view.js';
import { refuseOtherBytes, refuseWrongBodies } from '../bench/load/refuse-wrong-load.js';
import { inTurn } from '../bench/load/rounds.js';
import { untilQuiet } from '../bench/load/until-quiet.js';
import { parseRun } from '../bench/load/run-wrk.js';
import { coresIn } from '../bench/load/shares.js';

/** @typedef {import('../bench/load/latencies.js').Histogram} Histogram */

/** @type {Histogram} */
const MEASURED = [
  [900, 4],
  [1000, 10],
  [2500, 3],
  [9000, 1],
];

const NO_ERRORS = { connect: 0, read: 0, write: 0, status: 0, timeout: 0 };

test('what wrk adds to its latencies is taken out again, to the last one', () => {
  for (const expected of [90, 450, 1000, 4500, 20_000]) {
    assert.deepEqual(uncorrected(asWrkWould(MEASURED, expected), expected), MEASURED, `${expected}`);
  }
});

test('latencies that wrk cannot have corrected like that are refused', () => {
  assert.throws(() => uncorrected(MEASURED, 90), /wrk corrects its latencies in another way/);
});

test('mean and percentiles are those of all latencies', () => {
  assert.equal(countOf(MEASURED), 18);
  assert.equal(meanOf(MEASURED), (3600 + 10_000 + 7500 + 9000) / 18);
  assert.equal(percentileOf(MEASURED, 0.5), 1000);
  assert.equal(percentileOf(MEASURED, 4 / 18), 900);
  assert.equal(percentileOf(MEASURED, 0.99), 9000);
  assert.equal(percentileOf([], 0.5), NaN);
});

test('the last line of wrk tells the run', () => {
  const latencies = asWrkWould(MEASURED, 1000);
  const output = `Running 1s test\n  Latency  1ms\n\n${line({ answers: 200, latencies })}\n`;
  const run = parseRun(output, { connections: 2, answers: 11 });
  assert.deepEqual(run.latencies, MEASURED);
  assert.deepEqual([run.seconds, run.answers, run.errors], [0.1, 200, NO_ERRORS]);
});

test('a run whose latencies are of more or fewer views than its answers is refused', () => {
  const latencies = asWrkWould(MEASURED, 1000);
  for (const answers of [11, 20]) {
    const parse = () => parseRun(line({ answers: 200, latencies }), { connections: 2, answers });
    if (answers === 11) assert.doesNotThrow(parse);
    else assert.throws(parse, /wrk counted 200 answers and 18 views of 20/);
  }
});

test('an order of a round starts elsewhere each time, and goes backwards every second time', () => {
  const orders = [0, 1, 2, 3].map((round) => inTurn(['a', 'b', 'c'], round).join(''));
  assert.deepEqual(orders, ['abc', 'acb', 'cab', 'cba']);
});

test('who is measured next waits until the others have worked off what they were asked', async () => {
  let [looks, used] = [0, 0];
  const busyFor = (/** @type {number} */ wanted) => () => {
    looks += 1;
    if (looks <= wanted) used += 1;
    return used;
  };
  await untilQuiet(busyFor(3), 60);
  assert.equal(looks, 4);
  await assert.rejects(
    untilQuiet(busyFor(Infinity), 0),
    /after 0 s the servers still keep \d+\.\d cores busy/,
  );
});

test('all requests of a view stand in one batch, with the length of what they post', () => {
  const batch = batchOf([
    { method: 'GET', path: '/' },
    { method: 'POST', path: '/count', body: '["/é/"]' },
  ]);
  assert.match(batch, /^GET \/ HTTP\/1\.1\r\nHost: example\.org\r\n[^]*\r\n\r\nPOST \/count HTTP\/1\.1\r\n/);
  assert.match(batch, /\r\nContent-Length: 8\r\n\r\n\["\/é\/"\]$/);
});

test('what an answer weighs is what comes over the wire', async (t) => {
  const text = 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\nX-Name: a b\r\nConnection: close\r\n\r\n{"count":3}';
  const server = createServer();
  server.on('connection', (socket) => socket.end(text));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const [answer] = await askEach({ port }, [{ method: 'GET', path: '/' }]);
  assert.deepEqual([answer?.status, answer?.text, answer?.bytes], [200, '{"count":3}', text.length]);
});

test('a run that brought other bytes than its views weigh is refused', () => {
  const view = { bytes: 5000, answers: 11, connections: 10 };
  const run = { answers: 11_000, bytes: 5_000_000, errors: NO_ERRORS };
  refuseOtherBytes('right', run, view);
  assert.throws(() => refuseOtherBytes('short', { ...run, bytes: 4_900_000 }, view), /^Error: short: 11000/);
  assert.throws(() => refuseOtherBytes('none', { ...run, answers: 0, bytes: 0 }, view), /none: 0 answers/);
});

test('a run is refused in which a body was wrong, or one count came in the place of another', () => {
  const run = (/** @type {number[][]} */ seen) => ({
    ...{ seconds: 1, answers: 30, bytes: 0, cpuSeconds: 0, latencies: [], errors: NO_ERRORS },
    seen,
  });
  refuseWrongBodies('right', run([[50, 49, 47, 0], [50, 50, 50, 0]]), 10); // prettier-ignore
  assert.throws(() => refuseWrongBodies('wrong', run([[50, 50, 1]]), 10), /wrong: of 30 .* 1 were wrong/);
  assert.throws(() => refuseWrongBodies('swapped', run([[100, 0, 0]]), 10), /swapped: .*: 100,0$/);
});

/**
 * @param {Histogram} measured
 * @param {number} expected
 * @returns {Histogram} with a latency added for each whole `expected` that fits into a longer one, as often
 */
function asWrkWould(measured, expected) {
  const counts = new Map(measured);
  for (const [latency, count] of measured) {
    if (latency < 2 * expected) continue;
    for (let less = latency - expected; less > expected; less -= expected) {
      counts.set(less, (counts.get(less) ?? 0) + count);
    }
  }
  return [...counts].sort(([a], [b]) => a - b);
}

/** @param {{answers: number, latencies: Histogram}} of */
function line({ answers, latencies }) {
  const rest = { bytes: 1000, cpuSeconds: 0.1, errors: NO_ERRORS, seen: [] };
  return JSON.stringify({ microseconds: 100_000, answers, ...rest, latencies });
}

test('the cores of a machine are read as Linux lists them', () => {
  assert.deepEqual(coresIn('0-2,5'), [0, 1, 2, 5]);
  assert.deepEqual(coresIn('3'), [3]);
  assert.deepEqual(coresIn(''), []);
});
