import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../tools.js';

/** @type {[command: string, script: string][]} */
const SCRIPTS = [
  ['demo', 'demo.js'],
  ['bench', 'bench/run.js'],
];

/**
 * @param {string} script
 * @param {string[]} args
 */
function run(script, args) {
  const command = [join(ROOT, 'scripts', script), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}

for (const [command, script] of SCRIPTS) {
  test(`npm run ${command} -- --help prints its options, and does nothing`, () => {
    const { status, stdout, stderr } = run(script, ['--help']);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, new RegExp(`^Usage: npm run ${command} \\[-- .*OPTIONS\\]+\n`));
    assert.match(stdout, /^ {2}--\w/m);
    assert.equal(run(script, ['-h']).stdout, stdout);
  });

  test(`npm run ${command} with a wrong option says which, and what there is`, () => {
    const { status, stdout, stderr } = run(script, ['--nope']);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, new RegExp(`^Unknown option '--nope'\n\nUsage: npm run ${command} `));
    assert.doesNotMatch(stderr, /^\s+at /m, 'no stack trace');
  });
}

test('a port that is none is refused before the demo does anything', () => {
  for (const port of ['x', '0', '65536', '1.5']) {
    const { status, stderr } = run('demo.js', ['--port', port]);
    assert.equal(status, 2);
    assert.ok(stderr.startsWith(`--port is "${port}": `), stderr);
  }
});

test('a part of the benchmark that there is not is refused, and those that there are named', () => {
  const { status, stderr } = run('bench/run.js', ['moon']);
  assert.equal(status, 2);
  assert.match(stderr, /^There is no part "moon"\n\nUsage: npm run bench .*^ {2}bake {2,}/ms);
});
