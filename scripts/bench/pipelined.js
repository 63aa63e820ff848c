/*
 * Part 2: 24 requests in flight on each of 100 connections to one worker, as in the "million requests per second"
 * of Japronto (https://github.com/squeaky-pl/japronto): the counts as a file, and from servers.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { benchGo, benchRust } from './bench-tools.js';
import { usableNginx } from '../tools.js';
import { inTurn } from './load/rounds.js';
import { measureLoad } from './load/measure-load.js';
import { wrkVersion } from './load/run-wrk.js';
import { shares, startOn } from './load/shares.js';
import { ARTICLES, IN_FLIGHT, startPipelined } from './pipelined-contenders.js';
import { buildReadersSite } from './readers-site.js';
import { goVersions } from './servers/go-proxy.js';
import { nginxVersion } from './servers/nginx.js';
import { rustVersions } from './servers/rust.js';
import { withProcesses } from './servers/with-processes.js';
import { spread } from './table.js';

/**
 * @typedef {import('./part.js').Context} Context
 * @typedef {import('./load/measure-load.js').Measured} Measured
 * @typedef {import('./pipelined-contenders.js').Pipelined} Pipelined
 * @typedef {{contender: Pipelined, rounds: Measured[]}} Outcome
 */

const STRENGTH = { connections: 100, threads: 1 };
const EFFORTS = { full: { rounds: 5, seconds: 1 }, quick: { rounds: 1, seconds: 1 } };
const CONTENDERS = 5;
const CHECK_SECONDS = 1;
const PREPARATION = 5; // seconds

/** @type {import('./part.js').Part} */
export const pipelined = {
  name: 'pipelined',
  title: 'Pipelined: 24 requests in flight, one worker',
  needs: ['hugo', 'nginx', 'wrk', 'bench-go', 'bench-rust'],
  seconds: (quick) => {
    const { rounds, seconds } = EFFORTS[quick ? 'quick' : 'full'];
    return PREPARATION + CONTENDERS * (CHECK_SECONDS + rounds * (seconds + 0.2));
  },
  run: (context) => {
    const shared = shares();
    return withProcesses((start) => measure(context, startOn(start, shared.onServers), shared));
  },
};

/**
 * @param {Context} context
 * @param {import('./servers/with-processes.js').Start} start
 * @param {import('./load/shares.js').Shares} shared
 * @returns {Promise<import('./part.js').Result>}
 */
async function measure({ quick, folder, hugo, progress }, start, { onLoad }) {
  const nginx = usableNginx();
  if (nginx === null) throw new Error('there is no nginx');
  progress('building the blog');
  const site = buildReadersSite(join(folder, 'blog'), { articles: ARTICLES, hugo });
  const { contenders, skipped } = await startPipelined(start, { folder, site, nginx });
  const outcomes = contenders.map((contender) => ({ contender, rounds: /** @type {Measured[]} */ ([]) }));
  const effort = { ...EFFORTS[quick ? 'quick' : 'full'], on: onLoad };
  await measureRounds(outcomes, effort, join(folder, 'batch'), progress);
  const file = statSync(join(site.pages.baked, 'current', 'stacosys', 'counts.json'));
  return {
    about: method(file.size, effort),
    versions: {
      nginx: nginxVersion(nginx),
      wrk: wrkVersion(),
      ...(benchGo() === null ? {} : goVersions()),
      ...(benchRust() === null ? {} : rustVersions()),
    },
    tables: [table(outcomes)],
    charts: [chart(outcomes)],
    targets: [],
    skipped,
  };
}

/**
 * @param {Outcome[]} outcomes which get a measurement for each round
 * @param {{rounds: number, seconds: number, on: string[]}} effort on: where wrk runs
 * @param {string} file
 * @param {Context['progress']} progress
 */
async function measureRounds(outcomes, { rounds, seconds, on }, file, progress) {
  for (const { contender } of outcomes) {
    progress(`checking every answer under load: ${contender.name}`);
    await measureLoad(contender, { ...STRENGTH, on, seconds: CHECK_SECONDS, everyBody: true }, file);
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const { contender, rounds: measured } of inTurn(outcomes, round)) {
      progress(`round ${round} of ${rounds}: ${contender.name}`);
      const result = await measureLoad(contender, { ...STRENGTH, on, seconds }, file);
      if (result.errors > 0) throw new Error(`${contender.name}: ${result.errors} errors`);
      measured.push(result);
    }
  }
}

/** @param {Outcome[]} outcomes */
function table(outcomes) {
  return {
    caption: 'Answers per second of one worker: median (least to most of the rounds)',
    columns: [
      '',
      'answers/s',
      'bytes of one',
      'counts in it',
      'answers per CPU second',
      'cores: server',
      'cores: wrk',
    ],
    rows: outcomes.map(({ contender: { name, counts }, rounds }) => [
      name,
      spread(answersPerSecond(rounds), '/s', 0),
      String(rounds[0]?.answerBytes ?? ''),
      String(counts),
      spread(answersPerCpuSecond(rounds), '', 0),
      busy(rounds, 'serverCores'),
      busy(rounds, 'wrkCores'),
    ]),
  };
}

/**
 * @param {Outcome[]} outcomes
 * @returns {import('./part.js').Chart}
 */
function chart(outcomes) {
  return {
    name: 'answers',
    title: 'Answers per second of one worker, 24 requests in flight',
    shape: 'bars',
    scale: 'linear',
    better: 'more',
    points: outcomes.map(({ contender: { name, ours }, rounds }) => ({
      label: name,
      values: answersPerSecond(rounds),
      ours,
    })),
  };
}

/**
 * @param {Measured[]} rounds
 * @param {'serverCores' | 'wrkCores'} whose
 */
function busy(rounds, whose) {
  const cores = rounds.map((measured) => measured[whose]);
  return spread(cores, '', 2);
}

/** @param {Measured[]} rounds a "view" of which is all that is in flight on a connection */
function answersPerSecond(rounds) {
  return rounds.map(({ views }) => views * IN_FLIGHT);
}

/** @param {Measured[]} rounds */
function answersPerCpuSecond(rounds) {
  return rounds.map(({ cpuPerThousand }) => (IN_FLIGHT * 1000) / cpuPerThousand);
}

/**
 * @param {number} bytes
 * @param {{rounds: number, seconds: number, on: string[]}} effort
 */
function method(bytes, { rounds, seconds, on }) {
  return `${STRENGTH.connections} connections, ${IN_FLIGHT} requests in flight on each: wrk writes ${IN_FLIGHT} at once, and the next ones when it has all
answers. Plain HTTP, nothing in front, one worker: \`worker_processes 1\`, \`GOMAXPROCS=1\`, one tokio thread. ${rounds} rounds of ${seconds} s,
in turns, after a run that is not counted${on.length === 0 ? '' : '; wrk on a core of its own'}. All requests of one connection ask for the same.

- **The file** is \`/stacosys/counts.json\`, which this module publishes: all counts of the site in one answer, ${ARTICLES} articles in ${bytes} bytes here, without
  its headers. The servers answer with one count, so ten of their answers tell what one of the file tells.
- **nginx** runs without a cache of open files, as in our kit, because a publish must show at once; and with one, for comparison.
- **Go** is the proxy of part 1 with a warm cache. **Rust** asks SQLite for each answer; with a cache it asks once.
- **wrk** has the other core. Where the server keeps less than one core busy, wrk, or whatever else this machine does, is what limits;
  the answers per CPU second of the server do not depend on it.
- **Checked**: before each run one answer against the database, in a run beside the measured ones every body, in all runs status and bytes.
`;
}
