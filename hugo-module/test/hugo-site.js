import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT, pinnedHugo } from '../../scripts/tools.js';
import { temporaryFolder } from '../../stacosys-hook/test/database.js';
import { writeFiles } from '../../stacosys-hook/test/hugo-site.js';

/** What a warning of our templates must not survive. */
export const STRICT = ['--panicOnWarning', '--printI18nWarnings', '--printPathWarnings'];

/** A site that all tests of a file share. */
export const WHOLE_FILE = { after: (/** @type {() => void} */ end) => void process.once('exit', end) };

/**
 * @typedef {object} Built
 * @property {number | null} status
 * @property {string} log standard output and error
 * @property {(file: string) => string} read a file of the output
 * @property {() => string[]} files of the output, sorted
 */

/**
 * A temporary Hugo site that uses the module as a theme folder, as `git clone` into themes/
 * makes it.
 *
 * @param {{after: (end: () => void) => void}} t a test, or WHOLE_FILE
 * @param {Record<string, string>} files path → text; hugo.toml is made where it is missing
 * @param {{theme?: boolean, layouts?: boolean}} [options] what it has besides
 */
export function makeSite(t, files, { theme = true, layouts = true } = {}) {
  const folder = temporaryFolder(t);
  if (theme) {
    mkdirSync(join(folder, 'themes'));
    symlinkSync(ROOT, join(folder, 'themes', 'hugo-stacosys'));
  }
  const templates = {
    'layouts/_default/single.html': '{{ partial "stacosys/count.html" . }}',
    'layouts/_default/list.html':
      '{{ range site.RegularPages }}{{ partial "stacosys/count.html" . }}\n{{ end }}',
  };
  writeFiles(folder, { 'hugo.toml': CONFIG, ...(layouts ? templates : {}), ...files });
  return folder;
}

export const CONFIG = `baseURL = "https://example.org/"
theme = "hugo-stacosys"
disableKinds = ["taxonomy", "term", "RSS", "sitemap", "404"]
`;

/**
 * @param {string} folder
 * @param {string} version of Hugo
 * @param {string[]} [args]
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Built}
 */
export function build(folder, version, args = [], env = {}) {
  const output = join(folder, `public-${version}`);
  rmSync(output, { recursive: true, force: true });
  const { status, stdout, stderr } = spawnSync(
    pinnedHugo(version),
    ['--source', folder, '--destination', output, ...args],
    { encoding: 'utf8', env: { ...process.env, ...env } },
  );
  return {
    status,
    log: `${stdout}${stderr}`,
    read: (file) => readFileSync(join(output, file), 'utf8'),
    files: () => listFiles(output),
  };
}

/** @param {string} folder */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** @param {string} html what stands between the tags, without blank lines */
export function textLines(html) {
  return html
    .replace(/<[^>]*>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
