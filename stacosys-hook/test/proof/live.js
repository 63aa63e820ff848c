/* What readers find in `current`. It holds no test itself. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { atEnd } from '../at-end.js';

const STATE = /counts: (.*?)\./;
const STYLE = /[\w-]+\.[0-9a-f]{64}\.css/;

/**
 * @param {string} text of a page or of a style sheet
 * @returns {string} the state that it tells
 */
export function stateIn(text) {
  const [, state] = STATE.exec(text) ?? [];
  assert.ok(state !== undefined, `a page tells no state: ${JSON.stringify(text)}`);
  return state;
}

/**
 * @param {string} text of a page
 * @returns {string} the name of its style sheet
 */
export function styleIn(text) {
  const [style] = STYLE.exec(text) ?? [];
  assert.ok(style !== undefined, `a page has no style sheet: ${JSON.stringify(text)}`);
  return style;
}

/**
 * @param {{published: string}} blog
 * @returns {string | null} the state that the live page shows; null where there is no page yet
 */
export function liveState({ published }) {
  try {
    return stateIn(readFileSync(join(published, 'current', 'index.html'), 'utf8'));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * @param {string} folder
 * @returns {Map<string, string>} path → text of each file, in the order of the paths
 */
export function filesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(files.map((file) => [relative(folder, file), readFileSync(file, 'utf8')]));
}

/**
 * Asserts that the live release is all that a clean build gives, and that all its files were made
 * from the same comments. Only style sheets of earlier releases may come on top.
 *
 * @param {{published: string}} blog
 * @param {Map<string, string>} clean
 * @param {string[]} states that existed
 * @returns {string} the state that it shows
 */
export function assertWhole({ published }, clean, states) {
  const files = filesIn(join(published, readlinkSync(join(published, 'current'))));
  const pages = [...clean.keys()].filter((path) => path.endsWith('.html'));
  const home = files.get('index.html') ?? '';
  const state = stateIn(home);
  assert.ok(states.includes(state), `"${state}" never existed`);
  assert.deepEqual(
    [...files.keys()].filter((path) => !STYLE.test(path)),
    [...clean.keys()].filter((path) => !STYLE.test(path)),
    'the same files as in a clean build',
  );
  assert.equal(stateIn(files.get(styleIn(home)) ?? ''), state);
  for (const [path, text] of files) assert.notEqual(text, '', `${path} is empty`);
  for (const path of pages) {
    // Nothing but the state tells the page of one build from that of another
    const expected = (clean.get(path) ?? '')
      .replace(STATE, `counts: ${state}.`)
      .replace(STYLE, styleIn(home));
    assert.equal(files.get(path), expected, path);
  }
  return state;
}

/**
 * Looks at the live page all the time.
 *
 * @param {import('node:test').TestContext} t
 * @param {{published: string}} blog
 * @returns {() => string[]} ends it; the states that were seen, each time that it changed
 */
export function observe(t, blog) {
  /** @type {string[]} */
  const seen = [];
  /** @type {unknown} */
  let trouble = null;
  const look = () => {
    try {
      const state = liveState(blog);
      if (state === null) assert.equal(seen.length, 0, 'the live page was gone for a moment');
      else if (state !== seen.at(-1)) seen.push(state);
    } catch (error) {
      trouble ??= error;
    }
  };
  const timer = setInterval(look, 2);
  atEnd(t, () => clearInterval(timer));
  return () => {
    clearInterval(timer);
    look();
    if (trouble) throw trouble;
    return seen;
  };
}

/**
 * @param {{site: string}} blog
 * @returns {string} the state in the data file, which must be whole
 */
export function bakedState({ site }) {
  const folder = join(site, 'data', 'stacosys');
  for (const name of readdirSync(folder).filter((entry) => !entry.startsWith('.'))) {
    JSON.parse(readFileSync(join(folder, name), 'utf8'));
  }
  const counts = JSON.parse(readFileSync(join(folder, 'counts.json'), 'utf8'));
  return Object.entries(counts)
    .map(([key, count]) => `${key}=${count}`)
    .join(' ');
}

/**
 * @param {{published: string}} blog
 * @returns {string[]} what is half-built, half-removed, or belongs to nothing any more
 */
export function leftOvers({ published }) {
  const names = readdirSync(join(published, 'releases'));
  const isManifestOf = (/** @type {string} */ name) => names.includes(name.replace(/^\.(.*)\.json$/, '$1'));
  return [
    ...names.filter((name) => (name.startsWith('.') ? !isManifestOf(name) : name.endsWith('.partial'))),
    ...readdirSync(published).filter((name) => name.startsWith('.current')),
  ];
}
