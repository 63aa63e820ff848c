import { join } from 'node:path';
import { existsSync, readFileSync, readdirSync } from './fs.js';
import { CONFIGS } from './hugo-site.js';

/** `comments = "baked"` in TOML, `comments: baked` in YAML, `"comments": "baked"` in JSON; no comment line. */
const ASKS = /^[^#\n]*\bcomments["']?\s*[=:]\s*["']?baked\b/m;

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
  return configFiles(source).some((file) => ASKS.test(readFileSync(file, 'utf8')));
}

/** @param {string} site */
function configFiles(site) {
  const folder = join(site, 'config');
  const inFolder = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return [
    ...CONFIGS.map((name) => join(site, name)).filter((file) => existsSync(file)),
    ...inFolder.filter((name) => CONFIG_FILE.test(name)).map((name) => join(folder, name)),
  ];
}
