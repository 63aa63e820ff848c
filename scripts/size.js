// npm run size [-- --budget BYTES] [-- --entry FILE]: what the script of an article page costs.
// Exit code 1 above the budget.
import { parseArgs } from 'node:util';
import { BUDGET, ENTRY, bundle, sizesOf } from './bundle.js';

const PEERS = [
  ['other comment systems, brotli:'],
  ['Schnack (its server renders Markdown)', '2,497 B'],
  ['Commento', '7,241 B'],
  ['Isso', '16,854 B'],
  ['Remark42', '49 KB'],
  ['Waline', '63 KB'],
];

const { values } = parseArgs({
  options: {
    budget: { type: 'string', default: String(BUDGET) },
    entry: { type: 'string', default: ENTRY },
  },
});

const budget = Number(values.budget);
if (!Number.isInteger(budget) || budget < 0) throw new RangeError(`--budget ${values.budget}`);

const { code, modules } = await bundle(values.entry);
const sizes = sizesOf(code);
const left = budget - sizes.brotli;

print(shares());
print([
  ['minified', bytes(sizes.minified)],
  ['gzip', bytes(sizes.gzip)],
  ['brotli', bytes(sizes.brotli)],
  ['budget, brotli', bytes(budget)],
  left < 0 ? ['ABOVE the budget', bytes(-left)] : ['left of the budget', bytes(left)],
]);
print(PEERS);
if (left < 0) process.exitCode = 1;

/** @returns {string[][]} */
function shares() {
  const inModules = modules.reduce((sum, module) => sum + module.bytes, 0);
  const rest = { name: 'between modules', bytes: sizes.minified - inModules };
  return [...modules, rest].map((part) => {
    const percent = Math.round((100 * part.bytes) / sizes.minified);
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
