import { join } from 'node:path';
import { Failure } from './errors.js';
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from './fs.js';
import { gitignoreAddition } from './gitignore.js';
import { printable } from './printable.js';
import { write } from './write.js';

/**
 * Writes what was planned, each file in one step. What its owner changed meanwhile is kept.
 *
 * @param {string} folder of the blog
 * @param {import('./set-up-plan.js').Change[]} changes
 * @throws {Failure}
 */
export function applyChanges(folder, changes) {
  for (const { file, lines } of changes) {
    const path = join(folder, file);
    if (file === '.gitignore') append(path, lines);
    else create(path, lines);
  }
}

/**
 * @param {string} file
 * @returns {string | null} its text, a character for each byte; null where there is no such file
 * @throws {Failure}
 */
export function textOf(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === 'ENOENT' && !isLink(file)) return null;
    throw new Failure(
      `Cannot read ${printable(file)}: ${code === 'ENOENT' ? 'it is a link that leads nowhere' : code}`,
      'Mend that, or move it away, then run this again.',
      { cause },
    );
  }
}

/**
 * A link stays a link, and the file behind it keeps its rights and every byte.
 *
 * @param {string} file
 * @param {string[]} lines
 */
function append(file, lines) {
  const text = textOf(file);
  const addition = Buffer.from(gitignoreAddition(text ?? '', lines));
  if (text === null) write(file, addition);
  else {
    const target = realpathSync(file);
    write(target, Buffer.concat([Buffer.from(text, 'latin1'), addition]), statSync(target).mode & 0o777);
  }
}

/**
 * @param {string} file
 * @param {string[]} lines
 */
function create(file, lines) {
  if (existsSync(file) || isLink(file)) {
    throw new Failure(
      `${printable(file)} has come into being meanwhile`,
      'Run this again to see what it lacks.',
    );
  }
  write(file, lines.map((line) => `${line}\n`).join(''));
}

/** @param {string} file */
function isLink(file) {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
