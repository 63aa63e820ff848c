/*
 * npm run bench:gate: the figures that do not depend on the machine, against their limits. Exit code 1 where
 * one is above.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, refuse } from '../read-options.js';
import { HUGO_LATEST, pinnedHugo } from '../tools.js';
import { bakeFigures } from './gate/bake-figures.js';
import { FIGURES } from './gate/figures.js';
import { buildGateSite } from './gate/gate-site.js';
import { complaint, judge, shown, stability } from './gate/judge.js';
import { byteFigures, scriptFigures, templateFigures } from './gate/page-figures.js';
import { requestFigures } from './gate/request-figures.js';
import { median } from './statistics.js';
import { printRow } from './table.js';

const USAGE = `npm run bench:gate [-- --runs N]

Measures what does not depend on the machine: bytes, requests, calls of templates, statements, files. Exit code 1
where something is above its limit.

  --runs N  measures so often, and prints how stable each figure is: for a new figure, or a new limit`;

/** What was tried and is no figure here, and why. */
const NOT_LOOKED_AT = `Not looked at: times and their ratios (CPU of a bake ÷ a bare query: 0.77 to 0.93 in ten runs), instructions (virtual
machines seldom count them), system calls (2,410 to 2,483, but strace is none of the tools of the tests), memory of
a bake (52.5 to 52.7 MiB, but another with each Node and kernel).`;

const LIMITS = new URL('gate/limits.json', import.meta.url);

async function main() {
  const { runs } = readOptions(USAGE, { runs: { type: 'string' } });
  if (runs !== undefined) {
    if (!/^[1-9]\d*$/.test(runs)) refuse(`--runs ${runs} is no number of runs`, USAGE);
    return printStability(Number(runs));
  }
  const verdicts = judge(FIGURES, JSON.parse(readFileSync(LIMITS, 'utf8')), await measure());
  row('what', 'value', 'limit', 'how stable');
  for (const { figure, value, limit, seen, isMet } of verdicts) {
    const { what, unit } = figure;
    const stable = seen ? stability(seen, unit) : 'a pure function of the source';
    row(what, shown(value, unit), `≤ ${shown(limit, unit)}`, isMet ? stable : 'ABOVE');
  }
  console.log(`\n${NOT_LOOKED_AT}`);
  const missed = verdicts.filter(({ isMet }) => !isMet);
  for (const verdict of missed) console.error(`\n${complaint(verdict)}`);
  return missed.length > 0 ? 1 : 0;
}

/** @returns {Promise<Record<string, number>>} */
async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'hugo-stacosys-gate-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.on('exit', remove);
  try {
    mkdirSync(join(folder, 'bake'));
    const site = buildGateSite(join(folder, 'hugo'), pinnedHugo(HUGO_LATEST));
    return {
      ...(await scriptFigures()),
      ...byteFigures(site),
      ...templateFigures(site),
      ...bakeFigures(join(folder, 'bake')),
      ...(await requestFigures(site)),
    };
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** @param {number} runs */
async function printStability(runs) {
  /** @type {Record<string, number>[]} */
  const measured = [];
  for (let run = 1; run <= runs; run += 1) {
    console.error(`run ${run} of ${runs}`);
    measured.push(await measure());
  }
  row('name', 'least', 'median', 'most');
  for (const { name, unit } of FIGURES) {
    const values = measured.map((run) => run[name] ?? NaN);
    const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)];
    row(name, ...[least, middle, most].map((value) => shown(value, unit)));
  }
  return 0;
}

/** @param {string[]} cells */
function row(...cells) {
  printRow([44, 12, 12, 0], cells);
}

// What is there to be cleaned up is when the process exits, Chromium included
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
process.exitCode = await main();
