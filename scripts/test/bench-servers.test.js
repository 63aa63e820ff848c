import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cpuSeconds, parseStat, ticksOfTrees } from '../bench/servers/cpu-seconds.js';
import { freePorts } from '../bench/servers/free-ports.js';
import { kitFor } from '../bench/servers/nginx.js';
import { withProcesses } from '../bench/servers/with-processes.js';
import { ROOT } from '../tools.js';

const LIMITS = { timeout: 60_000 };

const KIT = readFileSync(join(ROOT, 'hugo-module', 'deploy', 'nginx.conf'), 'utf8');

/** A server with a child of its own. */
const SERVER = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  require('node:http').createServer((_, response) => response.end(String(child.pid)))
    .listen(Number(process.argv[1]), '127.0.0.1');`;

const FRONT = {
  binary: 'nginx',
  folder: '/own',
  port: 4443,
  workers: 2,
  pages: '/pages',
  certificate: { cert: '/own/cert.pem', key: '/own/key.pem' },
};

test('the CPU time of a process is read past a name with spaces and brackets', () => {
  const stat = '42 (a ) (b) S 7 42 42 0 -1 4194560 100 200 3 4 500 60 7 8 20 0 1 0 12345';
  assert.deepEqual(parseStat(stat), { pid: 42, parent: 7, ticks: 575 });
});

test('the CPU time of servers is that of their processes and of all that these started', () => {
  const usages = [
    { pid: 13, parent: 12, ticks: 1 }, // listed before its parent
    { pid: 10, parent: 1, ticks: 2 },
    { pid: 12, parent: 10, ticks: 4 },
    { pid: 20, parent: 1, ticks: 8 },
    { pid: 21, parent: 2, ticks: 16 },
  ];
  assert.equal(ticksOfTrees(usages, [10, 20]), 15);
  assert.throws(() => ticksOfTrees(usages, [10, 99]), /process 99 is gone/);
  assert.ok(cpuSeconds([process.pid]) > 0);
});

test('nginx has the settings of the kit, and one location more where there are counts', () => {
  const page = kitFor(KIT, FRONT);
  assert.doesNotMatch(page, /listen (80|443|\[)/);
  assert.doesNotMatch(page, /letsencrypt\/live|\/var\/www\/blog|127\.0\.0\.1:8100/);
  for (const kept of ['gzip_static   on;', 'open_file_cache  off;', 'root             /pages/current;']) {
    assert.ok(page.includes(kept), kept);
  }
  const counts = kitFor(KIT, { ...FRONT, counts: { location: '/count', port: 1 } });
  assert.equal(counts.replace(/ {4}location = \/count \{.*\n/, ''), page);
});

test('a kit that no longer holds what must change is refused', () => {
  const other = KIT.replace('listen 443 ssl http2;', 'listen 443 ssl;');
  assert.throws(() => kitFor(other, FRONT), /nginx\.conf no longer holds .*listen 443/);
});

test('servers and what they started end with their use, also when it fails', LIMITS, async () => {
  const [port = 0] = await freePorts(1);
  /** @type {number[]} */
  const pids = [];
  const use = withProcesses(async (start) => {
    pids.push(await start({ binary: process.execPath, args: ['-e', SERVER, String(port)], port }));
    pids.push(Number(await (await fetch(`http://127.0.0.1:${port}/`)).text()));
    for (const pid of pids) assert.ok(process.kill(pid, 0));
    throw new Error('enough');
  });
  await assert.rejects(use, /enough/);
  assert.equal(pids.length, 2);
  for (const pid of pids) while (!isOver(pid)) await nextTurn(); // killed, and the kernel takes its time
});

test('a server that ends or cannot be run fails at once, with what it said', async () => {
  const [port = 0] = await freePorts(1);
  const says = ['-e', 'console.error("no such table"); process.exitCode = 1'];
  const run = (/** @type {string} */ binary) => withProcesses((start) => start({ binary, args: says, port }));
  await assert.rejects(run(process.execPath), /ended\nno such table/);
  await assert.rejects(run('there-is-no-such-program'), /ENOENT/);
});

/** @param {number} pid killed, though nobody may have waited for it */
function isOver(pid) {
  try {
    return /\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
