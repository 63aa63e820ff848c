/*
 * BENCHMARKS.md, from what the parts measured.
 */
import { escapeHtml } from '../escape-html.js';
import { description } from './chart/draw-chart.js';
import { WIDTH } from './chart/theme.js';
import { aboutTime } from './time-left.js';
import { verdictOn } from './verdict.js';

/**
 * @typedef {import('./records.js').PartRecord} PartRecord
 * @typedef {import('./records.js').Measurement} Measurement
 * @typedef {import('./part.js').Chart} Chart
 */

/** Of the charts, as seen from BENCHMARKS.md. */
export const CHARTS = 'scripts/bench/charts';

/**
 * @param {PartRecord[]} records
 * @returns {string} Markdown
 */
export function report(records) {
  const measured = records.flatMap(({ measured }) => measured ?? []);
  const isOneRun = new Set(measured.map(({ run }) => run)).size === 1;
  const [first] = measured;
  const sections = [
    introduction(isOneRun),
    ...(isOneRun && first ? [machineTable(first)] : []),
    ...targets(records),
    ...records.map((record) => section(record, isOneRun)),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** @param {boolean} isOneRun */
function introduction(isOneRun) {
  const runs = isOneRun
    ? 'The numbers of all tables are of one run on one machine; a reason that names another run says so.'
    : 'The sections are not all of one run: each says of which it is.';
  return `# Benchmarks

What \`npm run bench\` measured; it wrote this file, too. ${runs}
It installs what it needs, and measures on the loopback interface alone: repeat it, and doubt it.

A number is a median, with the least and the most of its rounds behind it. The contenders of a round take
turns, after a round that warms up and does not count. A ratio or a difference is one of two runs of the same round: what
else the machine did hit both. Its median is that of the rounds, not that of two medians.`;
}

/** @param {Measurement} measurement */
function machineTable({ run, options, machine }) {
  const rows = [
    ['run', [dateOf(run), ...options.map((option) => `\`${option}\``)].join(', ')],
    ['processor', machine.processor],
    ['memory', machine.memory],
    ['system', machine.system],
    ['load before', `${machine.load} (processes that wanted to run in the minute before)`],
    ['software', listed(machine.software)],
  ];
  return table(['', ''], rows);
}

/**
 * @param {PartRecord[]} records
 * @returns {string[]} no section, or one
 */
function targets(records) {
  const rows = records.flatMap(({ title, measured }) =>
    (measured?.result.targets ?? []).map((target) => {
      const { what, measured, target: wanted, isMet } = verdictOn(target);
      return [title, what, measured, wanted, isMet ? 'met' : '**missed**'];
    }),
  );
  if (rows.length === 0) return [];
  return [`## Targets\n\n${table(['part', 'what', 'measured', 'target', ''], rows)}`, ...reasons(records)];
}

/**
 * @param {PartRecord[]} records
 * @returns {string[]} no paragraph, or one
 */
function reasons(records) {
  const missed = records
    .flatMap(({ measured }) => measured?.result.targets ?? [])
    .filter((target) => target.why !== undefined && !verdictOn(target).isMet);
  if (missed.length === 0) return [];
  const items = [...Map.groupBy(missed, ({ why = '' }) => why.replace(/\s+/g, ' '))].map(
    ([why, targets]) => `- **${targets.map(({ what }) => what).join('; ')}**: ${why}`,
  );
  return [`Why a target is missed, and what was tried:\n\n${items.join('\n')}`];
}

/**
 * @param {PartRecord} record
 * @param {boolean} isOneRun
 */
function section({ name, title, measured, skipped }, isOneRun) {
  const heading = `## ${title}`;
  const note = skipped ? [`**Skipped** in the last run: ${skipped}.`] : [];
  if (!measured) return [heading, ...(note.length > 0 ? note : ['Not measured yet.'])].join('\n\n');
  const { about, tables, charts, skipped: left, versions } = measured.result;
  return [
    heading,
    ...note,
    ...charts.map((chart) => picture(name, chart)),
    ...tables.map(({ caption, columns, rows }) => `**${caption}**\n\n${table(columns, rows)}`),
    about.trim(),
    ...(left.length > 0 ? [`Skipped:\n\n${left.map((reason) => `- ${reason}`).join('\n')}`] : []),
    origin(name, measured, versions, isOneRun),
  ].join('\n\n');
}

/**
 * @param {string} part
 * @param {Chart} chart
 */
function picture(part, chart) {
  const [light, dark] = ['light', 'dark'].map((theme) => `${CHARTS}/${chartFile(part, chart, theme)}`);
  const alt = escapeHtml(`${chart.title}. ${description(chart)}`);
  return `<picture>
<source media="(prefers-color-scheme: dark)" srcset="${dark}">
<img src="${light}" width="${WIDTH}" alt="${alt}">
</picture>`;
}

/**
 * @param {string} part
 * @param {Chart} chart
 * @param {string} theme
 */
export function chartFile(part, chart, theme) {
  return `${part}-${chart.name}-${theme}.svg`;
}

/**
 * @param {string} name
 * @param {Measurement} measurement
 * @param {Record<string, string>} versions
 * @param {boolean} isOneRun
 */
function origin(name, { run, options, seconds, machine }, versions, isOneRun) {
  const { processor, memory, system, software } = machine;
  const said = [
    `\`npm run bench -- ${[name, ...options].join(' ')}\`, ${aboutTime(seconds)}`,
    ...(isOneRun ? [] : [`${dateOf(run)}: ${processor}, ${memory}, ${system}`, listed(software)]),
    ...(Object.keys(versions).length > 0 ? [listed(versions)] : []),
  ];
  return `<sub>${said.map((sentence) => `${sentence}.`).join(' ')}</sub>`;
}

/** @param {string} run */
function dateOf(run) {
  return `${run.slice(0, 10)}, ${run.slice(11, 16)} UTC`;
}

/** @param {Record<string, string>} versions */
function listed(versions) {
  return Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

/**
 * @param {string[]} columns
 * @param {string[][]} rows
 */
function table(columns, rows) {
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
