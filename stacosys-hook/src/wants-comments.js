import { basename, dirname, join } from 'node:path';
import { existsSync, readFileSync, readdirSync, statSync } from './fs.js';
import { CONFIGS } from './hugo-site.js';

/** `comments = "baked"` in TOML, `comments: baked` in YAML, `"comments": "baked"` in JSON. */
const ASKS = /\bcomments["']?\s*[=:]\s*["']{0,3}baked["']{0,3}\s*(?:[,}\]]|$)/i;

/** A quoted text, which may hold a #, or the comment that ends a line. */
const QUOTED_OR_COMMENT = /("[^"]*"|'[^']*')|(?:^|\s)#.*$/g;

const CONFIG_FILE = /\.(?:toml|ya?ml|json)$/;

/**
 * Whether the comments themselves are to be baked, not only their number: as the owner says, else as his site
 * asks for it with `comments = "baked"` under [params.stacosys]. Looks for these words only, in the files where
 * Hugo's configuration stands: asking Hugo takes as long as ten bakes, and a file too many does no harm.
 *
 * @param {Pick<import('./config.js').Config, 'comments' | 'source'>} config
 * @param {NodeJS.ProcessEnv} [env]
 */
export function wantsComments({ comments, source }, env = process.env) {
  if (comments !== undefined) return comments;
  if (env.HUGO_PARAMS_STACOSYS_COMMENTS !== undefined) return env.HUGO_PARAMS_STACOSYS_COMMENTS === 'baked';
  return configFiles(source).some((file) => readFileSync(file, 'utf8').split('\n').some(asks));
}

/** @param {string} line */
function asks(line) {
  return ASKS.test(line.replace(QUOTED_OR_COMMENT, (_, quoted = '') => quoted));
}

/**
 * @param {string} site
 * @returns {string[]} the files of Hugo's configuration, for all environments
 */
export function configFiles(site) {
  const folder = join(site, 'config');
  const folders = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return [site, ...folders]
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory())
    .flatMap((path) => readdirSync(path).map((name) => join(path, name)))
    .filter((file) => CONFIG_FILE.test(file) && (dirname(file) !== site || CONFIGS.includes(basename(file))))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
