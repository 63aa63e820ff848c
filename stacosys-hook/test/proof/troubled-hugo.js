/* A Hugo that can be made to fail, in all the ways that were thought of. It holds no test itself. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HUGO_LATEST } from '../../../scripts/tools.js';
import { temporaryFolder } from '../database.js';
import { HUGO } from './blog.js';

/**
 * @typedef {keyof typeof TROUBLES | 'none'} Trouble
 *
 * @typedef {object} TroubledHugo
 * @property {string} binary
 * @property {(trouble: Trouble) => void} has from the next run on
 * @property {(version: string) => void} isVersion what it says from now on
 * @property {() => void} goOn ends the waiting of one that waits, for ever
 * @property {() => number[]} sleepers the processes that the hanging one has started
 */

/** $to is the folder of the build, $here that of the script. */
const TROUBLES = {
  fails: 'echo "ERROR the template is wrong" >&2; exit 1',
  waits: 'while [ ! -e "$here/go" ]; do sleep 0.02; done; real "$@"',
  hangs: 'sleep 1000 & echo "$! $$" > "$here/new"; mv "$here/new" "$here/sleepers"; wait',
  prints: `tr '\\0' x < /dev/zero | head -c 100000000; tr '\\0' x < /dev/zero | head -c 100000000 >&2; exit 1`,
  'builds nothing': 'exit 0',
  'builds an empty page': 'real "$@"; : > "$to/index.html"',
  'builds no home page': 'real "$@"; rm "$to/index.html"',
  'builds a tenth': 'real "$@"; rm -r "$to"/[b-z]',
  'is killed': 'kill -9 $$',
  'fills the disk': 'echo "ERROR no space left on device" >&2; mkdir -p "$to"; echo > "$to/half"; exit 255',
};

/**
 * @param {import('node:test').TestContext} t
 * @returns {TroubledHugo}
 */
export function troubledHugo(t) {
  const here = temporaryFolder(t);
  const binary = join(here, 'hugo');
  const has = (/** @type {Trouble} */ trouble) => writeFileSync(join(here, 'trouble'), trouble);
  const cases = Object.entries(TROUBLES).map(([name, script]) => `'${name}') ${script} ;;`);
  const script = `#!/bin/sh
here='${here}'
real() { '${HUGO}' "$@"; }
for to; do :; done
[ "$1" = version ] && exec cat "$here/version"
case "$(cat "$here/trouble")" in
none) real "$@" ;;
${cases.join('\n')}
esac
`;
  writeFileSync(binary, script);
  chmodSync(binary, 0o755);
  const isVersion = (/** @type {string} */ version) =>
    writeFileSync(join(here, 'version'), `hugo v${version} linux/amd64 BuildDate=unknown\n`);
  isVersion(HUGO_LATEST);
  has('none');
  const sleepers = () => {
    const file = join(here, 'sleepers');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').map(Number) : [];
  };
  const goOn = () => writeFileSync(join(here, 'go'), '');
  return { binary, has, goOn, isVersion, sleepers };
}
