/*
 * Preloaded into a real run: kills it, as `kill -9` does, before its nth change of a file. So every
 * step can be tried, which no clock would hit. It holds no test itself.
 */
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const STEP = Number(process.env.PROOF_STEP);
const CHANGES = [
  'copyFileSync',
  'fsyncSync',
  'linkSync',
  'mkdirSync',
  'renameSync',
  'rmSync',
  'symlinkSync',
  'unlinkSync',
];

let steps = 0;

function count() {
  steps += 1;
  if (steps === STEP) process.kill(process.pid, 'SIGKILL');
}

/** @param {any} object @param {string} name @param {(args: any[]) => boolean} [isChange] */
function wrap(object, name, isChange = () => true) {
  const original = object[name];
  object[name] = (/** @type {any[]} */ ...args) => {
    if (isChange(args)) count();
    return original.apply(object, args);
  };
}

for (const name of CHANGES) wrap(fs, name);
wrap(fs, 'openSync', ([, flags]) => typeof flags === 'string' && flags !== 'r');
wrap(fs, 'writeSync', ([descriptor]) => descriptor > 2);
for (const name of ['rm', 'rename', 'unlink', 'mkdir']) wrap(fs.promises, name);
syncBuiltinESMExports();
