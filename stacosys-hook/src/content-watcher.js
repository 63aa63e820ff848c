import { relative, sep } from 'node:path';
import { watch } from 'chokidar';

/** What Hugo reads of a site. @see https://gohugo.io/getting-started/directory-structure/ */
const FOLDERS = ['archetypes', 'assets', 'config', 'content', 'data', 'i18n', 'layouts', 'static', 'themes'];
const CONFIG_FILES = ['hugo', 'config'].flatMap((name) =>
  ['toml', 'yaml', 'yml', 'json'].map((type) => `${name}.${type}`),
);
const INPUTS = new Set([...FOLDERS, ...CONFIG_FILES, 'go.mod', 'go.sum']);
/** Hugo writes the last three itself, jsconfig.json into assets/ whenever it builds a script of a module. */
const NO_INPUTS = new Set(['.git', 'node_modules', '.hugo_build.lock', 'hugo_stats.json', 'jsconfig.json']);

/** A folder alone changes no page. */
const EVENTS = /** @type {const} */ (['add', 'change', 'unlink']);

const QUIET = 200; // milliseconds without an event: an editor or a `git pull` writes several files
const LONGEST = 2000; // milliseconds after the first event: somebody may write without a pause
const THROTTLE = 100; // milliseconds: chokidar drops a second event of a file within 50

/**
 * Says when the site itself has changed: what its owner writes, not what we or Hugo write.
 *
 * @param {string} site the folder
 * @param {() => void} onChange
 * @param {(error: unknown) => void} onError such as too few inotify watches
 * @returns {Promise<() => Promise<void>>} resolves when no change is missed any more, with what ends it
 */
export async function watchContent(site, onChange, onError) {
  const isIgnored = (/** @type {string} */ path) =>
    path !== site && !isInput(relative(site, path).split(sep));
  const settled = settle(onChange);
  const watcher = watch(site, { ignored: isIgnored, ignoreInitial: true, atomic: false });
  for (const event of EVENTS) watcher.on(event, settled.touch);
  watcher.on('error', onError); // a path that cannot be watched; the others are
  await new Promise((resolve) => watcher.once('ready', () => resolve(null)));
  return async () => {
    settled.cancel();
    await watcher.close();
  };
}

/** @param {string[]} names the path within the site */
function isInput([first = '', ...rest]) {
  if (!INPUTS.has(first) || rest.some((name) => NO_INPUTS.has(name))) return false;
  const isOurs =
    first === 'data'
      ? rest[0] === 'stacosys'
      : /^assets\/stacosys\/comments(\/|$)/.test([first, ...rest].join('/'));
  return !isOurs; // what we write
}

/** @param {() => void} act */
function settle(act) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let first = 0;
  const touch = () => {
    const now = performance.now();
    if (timer === undefined) first = now;
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        timer = undefined;
        act();
      },
      Math.max(THROTTLE, Math.min(QUIET, first + LONGEST - now)),
    );
  };
  return { touch, cancel: () => clearTimeout(timer) };
}
