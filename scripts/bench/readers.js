/*
 * Part 1: page views with ten counts, 250 readers at a time over HTTPS.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usableNginx } from '../tools.js';
import { inTurn } from './load/rounds.js';
import { measureLoad } from './load/measure-load.js';
import { untilQuiet } from './load/until-quiet.js';
import { wrkVersion } from './load/run-wrk.js';
import { shares, startOn } from './load/shares.js';
import { makeCertificate } from './make-certificate.js';
import { BAKED, BARE, GO_PROXY, kindsOf, startContenders, usableKinds } from './readers-contenders.js';
import { timeCounts } from './readers-database.js';
import { readersResult } from './readers-result.js';
import { buildReadersSite } from './readers-site.js';
import { refuseWrongAnswers } from './refuse-wrong-answers.js';
import { cpuSeconds } from './servers/cpu-seconds.js';
import { nginxVersion } from './servers/nginx.js';
import { withProcesses } from './servers/with-processes.js';

/**
 * @typedef {import('./part.js').Context} Context
 * @typedef {import('./load/measure-load.js').Measured} Measured
 * @typedef {import('./readers-contenders.js').Contender} Contender
 *
 * @typedef {object} Effort
 * @property {number} articles
 * @property {number} rounds
 * @property {number} seconds of a run
 * @property {number} longest seconds of one in which all readers wait for a slow server
 */

/** @type {Record<'full' | 'quick', Effort>} */
const EFFORTS = {
  full: { articles: 1000, rounds: 5, seconds: 3, longest: 6 },
  quick: { articles: 200, rounds: 3, seconds: 1, longest: 3 },
};

const OF_THE_KIT = 'DNS:example.org'; // in hugo-module/deploy/nginx.conf
const CONNECTIONS = 250;
const CHECK_SECONDS = [1, 4, 16]; // the first in which a reader had all answers
const TURNS = 2; // that a reader is to have in a run, where there is time
const BETWEEN_RUNS = 0.8; // seconds, about
const TO_REST = 60; // seconds at most, until nobody works off what was asked before
const PREPARATION = 8; // seconds

/** @type {import('./part.js').Part} */
export const readers = {
  name: 'readers',
  title: 'Readers: page views with ten counts',
  needs: ['hugo', 'nginx', 'openssl', 'wrk', 'bench-python', 'bench-go', 'bench-rust'],
  seconds: (quick) => {
    const { rounds, seconds, longest } = EFFORTS[quick ? 'quick' : 'full'];
    const { length } = kindsOf(quick);
    const round = length * (seconds + BETWEEN_RUNS) + (longest - seconds); // of the slowest
    return PREPARATION + length * ((CHECK_SECONDS[0] ?? 0) + BETWEEN_RUNS) + rounds * round;
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
 */
async function measure({ quick, folder, hugo, progress }, start, shared) {
  const effort = EFFORTS[quick ? 'quick' : 'full'];
  const nginx = usableNginx();
  if (nginx === null) throw new Error('there is no nginx');
  progress('building the blog');
  const site = buildReadersSite(join(folder, 'blog'), { articles: effort.articles, hugo });
  const { kinds, skipped, versions } = usableKinds(quick);
  progress('starting the servers');
  const certificate = makeCertificate(join(folder, 'certificate'), OF_THE_KIT);
  const contenders = await startContenders(start, kinds, {
    folder,
    site,
    nginx,
    certificate,
    cores: shared.servers,
  });
  const ca = readFileSync(certificate.cert, 'utf8');
  const results = await measureRounds(
    contenders,
    { ...effort, shared, ca, file: join(folder, 'batch') },
    progress,
  );
  return readersResult({
    results,
    about: new Map(contenders.map((contender) => [contender.kind.name, contender.about])),
    counts: timeCounts(site.database),
    effort: { ...effort, connections: CONNECTIONS, shared },
    skipped,
    versions: { nginx: nginxVersion(nginx), wrk: wrkVersion(), ...versions },
    names: { ours: BAKED, bare: BARE, proxy: GO_PROXY },
  });
}

/**
 * @param {Contender[]} contenders
 * @param {Effort & {ca: string, file: string, shared: import('./load/shares.js').Shares}} how
 * @param {Context['progress']} progress
 * @returns {Promise<Map<string, Measured[]>>} by name, one a round
 */
async function measureRounds(contenders, { rounds, ca, file, shared, ...limits }, progress) {
  const strength = { connections: CONNECTIONS, threads: shared.load, on: shared.onLoad };
  /** @type {Map<string, Measured[]>} */
  const results = new Map(contenders.map(({ kind }) => [kind.name, []]));
  /** @type {Map<string, number>} */
  const lengths = new Map();
  const all = contenders.flatMap(({ pids }) => pids);
  const rest = () => untilQuiet(() => cpuSeconds(all), TO_REST);
  for (const { kind, ...contender } of contenders) {
    progress(`checking every answer under load: ${kind.name}`);
    const views = await checkLoad(targetOf({ kind, ...contender }, ca), strength, file);
    lengths.set(kind.name, lengthOf(views, limits));
    await rest();
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const contender of inTurn(contenders, round)) {
      const { name } = contender.kind;
      progress(`round ${round} of ${rounds}: ${name}`);
      const seconds = lengths.get(name) ?? limits.seconds;
      results.get(name)?.push(await measureLoad(targetOf(contender, ca), { ...strength, seconds }, file));
      await rest();
    }
  }
  return results;
}

/**
 * Has every body looked at, for as long as it takes until a reader had all answers. It also warms up what
 * will be measured.
 *
 * @param {import('./load/measure-load.js').Target} target
 * @param {{connections: number, threads: number, on: string[]}} strength
 * @param {string} file
 * @returns {Promise<number>} views per second
 */
async function checkLoad(target, strength, file) {
  for (const seconds of CHECK_SECONDS) {
    const { views, mean } = await measureLoad(target, { ...strength, seconds, everyBody: true }, file);
    if (!Number.isNaN(mean)) return views;
  }
  throw new Error(
    `${target.name} answered nobody in ${CHECK_SECONDS.at(-1)} s: is this machine busy with something else?`,
  );
}

/**
 * @param {number} views per second
 * @param {{seconds: number, longest: number}} limits
 * @returns {number} seconds of a run
 */
function lengthOf(views, { seconds, longest }) {
  return Math.min(longest, Math.max(seconds, Math.ceil((TURNS * CONNECTIONS) / views)));
}

/**
 * @param {Contender} contender
 * @param {string} ca
 * @returns {import('./load/measure-load.js').Target}
 */
function targetOf({ kind, port, pids, view }, ca) {
  return { name: kind.name, port, ca, pids, view, check: (answers) => refuseWrongAnswers(kind, answers) };
}
