// npm run size [-- --budget BYTES]: what the scripts of an article page cost. Exit code 1 above a budget.
import { parseArgs } from 'node:util';
import { SCRIPTS, bundle, sizesOf } from './bundle.js';

const PEERS = [
  ['other comment systems, brotli, in November 2026:'],
  ['Schnack (its server renders Markdown)', '2,497 B'],
  ['Commento', '7,241 B'],
  ['Isso 0.14', '16,854 B'],
  ['Remark42', '49 KB'],
  ['Waline 3.15', '82 KB'],
];

const { values } = parseArgs({ options: { budget: { type: 'string' } } });

for (const script of SCRIPTS) {
  const left = await report({ ...script, budget: Number(values.budget ?? script.budget) });
  if (left < 0) process.exitCode = 1;
}
print(PEERS);

/**
 * @param {import('./bundle.js').Script} script
 * @returns {Promise<number>} what is left of the budget
 */
async function report({ what, entry, budget }) {
  if (!Number.isInteger(budget) || budget < 0) throw new RangeError(`--budget ${values.budget}`);
  const { code, modules } = await bundle(entry);
  const sizes = sizesOf(code);
  const left = budget - sizes.brotli;
  print([[`${what}:`], ...shares(modules, sizes.minified)]);
  print([
    ['minified', bytes(sizes.minified)],
    ['gzip', bytes(sizes.gzip)],
    ['brotli', bytes(sizes.brotli)],
    ['budget, brotli', bytes(budget)],
    left < 0 ? ['ABOVE the budget', bytes(-left)] : ['left of the budget', bytes(left)],
  ]);
  return left;
}

/**
 * @param {import('./bundle.js').Bundle['modules']} modules
 * @param {number} minified bytes of all
 * @returns {string[][]}
 */
function shares(modules, minified) {
  const inModules = modules.reduce((sum, module) => sum + module.bytes, 0);
  const rest = { name: 'between modules', bytes: minified - inModules };
  return [...modules, rest].map((part) => {
    const percent = Math.round((100 * part.bytes) / minified);
    return [part.name, bytes(part.bytes), `${percent} %`];
  });
}

/** @param {number} count */
function bytes(count) {
  return `${count.toLocaleString('en')} B`;
}

/** @param {string[][]} rows */
function print(rows) {
  for (const [name = '', ...figures] of rows) {
    console.log(name.padEnd(38) + figures.map((figure) => figure.padStart(9)).join(''));
  }
  console.log();
}
