import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { asPattern, gitignoreAddition, missingPatterns } from '../src/gitignore.js';
import { temporaryFolder } from './database.js';

/** @type {[pattern: string, text: string][]} */
const PRESENT = [
  ['/published/', '/published/'],
  ['/published/', 'published'],
  ['/published/', '  /published \n'],
  ['/published/', 'a\r\n/published/\r\nb\r\n'],
  ['node_modules/', '**/node_modules/**'],
  ['/data/stacosys/', '/data/stacosys'],
  ['/data/stacosys/', 'data/'],
];

for (const [pattern, text] of PRESENT) {
  test(`${pattern} is not added where there is ${JSON.stringify(text)}`, () => {
    assert.deepEqual(missingPatterns(text, [pattern]), []);
  });
}

for (const text of [
  '',
  '# /published/',
  '!/published/',
  '/published/x',
  'unpublished',
  '/published-elsewhere/',
]) {
  test(`/published/ is added where there is ${JSON.stringify(text)}`, () => {
    assert.deepEqual(missingPatterns(text, ['/published/']), ['/published/']);
  });
}

/** @type {[text: string, addition: string][]} */
const ADDITIONS = [
  ['', 'a\nb\n'],
  ['x\n', 'a\nb\n'],
  ['x', '\na\nb\n'],
  ['x\r\n', 'a\r\nb\r\n'],
  ['x\r\ny', '\r\na\r\nb\r\n'],
];

for (const [text, addition] of ADDITIONS) {
  test(`lines after ${JSON.stringify(text)} are added as ${JSON.stringify(addition)}`, () => {
    assert.equal(gitignoreAddition(text, ['a', 'b']), addition);
  });
}

test('git takes a pattern of a path for that path and no other, whatever its name', (t) => {
  const folder = temporaryFolder(t);
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  const names = ['db.sqlite', '#db', '!db', 'a*b', 'a[b]', 'été', 'a b ', 'a?b', 'back\\slash'];
  for (const name of names) {
    writeFileSync(join(folder, '.gitignore'), `${asPattern(name)}\n`);
    assert.deepEqual(ignoredIn(folder, [name, 'axb', 'ab', 'backslash', `sub/${name}`]), [name]);
  }
});

/**
 * @param {string} folder
 * @param {string[]} paths
 * @returns {string[]} those that git ignores
 */
function ignoredIn(folder, paths) {
  const { stdout } = spawnSync('git', ['check-ignore', '--stdin', '-z'], {
    cwd: folder,
    input: paths.join('\0'),
    encoding: 'utf8',
  });
  return stdout.split('\0').filter(Boolean);
}
