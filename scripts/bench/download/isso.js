import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../servers/free-ports.js';
import { pythonPackage, pythonProgram, pythonVersions } from '../servers/python.js';
import { ARTICLES } from './blog.js';
import { proxy } from './contender.js';

const PREFIX = '/isso/';
const PATIENCE = 20_000; // milliseconds for it to start

// As https://isso-comments.de/docs/guides/quickstart/ says. `defer` is in its favour
const COMMENTS = `<section id="isso-thread"></section>
<script data-isso="${PREFIX}" src="${PREFIX}js/embed.min.js" defer></script>`;

const LIST = `<script data-isso="${PREFIX}" src="${PREFIX}js/count.min.js" defer></script>`;

/**
 * The real server, behind the web server, with its own client.
 *
 * @returns {import('./contender.js').Contender}
 */
export function isso() {
  return {
    name: 'Isso',
    pages: ['list', 'article'],
    version: String(pythonVersions(['isso']).isso),
    slots: {
      count: '<a href="{{ .RelPermalink }}#isso-thread">Comments</a>',
      list: LIST,
      comments: COMMENTS,
    },
    files: Object.fromEntries(
      ['js/embed.min.js', 'js/count.min.js', 'css/isso.css'].map((file) => [
        PREFIX + file,
        join(pythonPackage('isso'), file),
      ]),
    ),
    start: (_, folder) => start(folder),
  };
}

/**
 * @param {string} folder
 * @returns {Promise<import('./contender.js').Backend>}
 */
async function start(folder) {
  const [port] = await freePorts(1);
  const address = `http://127.0.0.1:${port}`;
  const config = join(folder, 'isso.cfg');
  const log = join(folder, 'isso.log');
  writeFileSync(
    config,
    `[general]\ndbpath = ${join(folder, 'isso.db')}\nhost = ${address}\n[server]\nlisten = ${address}\n[guard]\nenabled = false\n`,
  );
  const output = openSync(log, 'w');
  const server = spawn(pythonProgram('isso'), ['-c', config, 'run'], { stdio: ['ignore', output, output] });
  closeSync(output);
  const ended = once(server, 'exit');
  const kill = () => void server.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.removeListener('exit', kill);
    server.kill();
    await ended;
  };
  try {
    await untilAnswering(address, ended, log);
    await fill(address);
  } catch (error) {
    await stop();
    throw error;
  }
  return { answer: proxy(PREFIX, address), stop };
}

/**
 * @param {string} address
 * @param {Promise<unknown>} ended
 * @param {string} log
 */
async function untilAnswering(address, ended, log) {
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const deadline = performance.now() + PATIENCE;
  const answers = () =>
    fetch(`${address}/count`, { method: 'POST', headers: JSON_BODY, body: '[]' }).then(
      () => true,
      () => false, // nobody listens yet
    );
  while (!(await answers())) {
    if (hasEnded || performance.now() > deadline) {
      throw new Error(`Isso did not start: ${readFileSync(log, 'utf8')}`);
    }
    await pause(50);
  }
}

const JSON_BODY = { 'content-type': 'application/json' };

/** @param {string} address */
async function fill(address) {
  for (const { path, title, notes } of ARTICLES) {
    for (const { author, text } of notes) {
      const body = JSON.stringify({ author, text, title });
      const url = `${address}/new?uri=${encodeURIComponent(path)}`;
      const { status } = await fetch(url, { method: 'POST', headers: JSON_BODY, body });
      if (status !== 201) throw new Error(`Isso refused a comment with ${status}`);
    }
  }
}
