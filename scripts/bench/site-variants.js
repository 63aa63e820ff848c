import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REMOTE_COUNT, remoteCountConfig, remoteCountLayouts } from './remote-count.js';

/** What a generated site calls wherever it shows a count. */
const COUNT = '{{ partial "stacosys/count.html" . }}';
const COMMENTS = '{{ partial "stacosys/comments.html" . }}';

/**
 * What a variant changes in a template of the site.
 *
 * @type {Record<'bare' | 'counts' | 'remote' | 'comments', (template: string, file: string) => string>}
 */
const CHANGES = {
  bare: (template) => template.replaceAll(COUNT, ''),
  counts: (template) => template,
  remote: (template) => template.replaceAll(COUNT, REMOTE_COUNT),
  comments: (template, file) =>
    file.endsWith('single.html') ? template.replace('{{ .Content }}', `$&${COMMENTS}`) : template,
};

/**
 * @typedef {keyof typeof CHANGES} Variant
 *
 * @typedef {object} Remote where the variant `remote` asks
 * @property {string} address of the API
 * @property {string} cache folder of what Hugo got
 * @property {string} hugoVersion
 */

/**
 * Gives a generated site more configurations for the same content: `bare`, as if there were no
 * module, `counts`, as it is, `remote`, with the counts but without the module, and `comments`, with the
 * section in each article.
 *
 * @param {string} site
 * @param {Remote} remote
 * @returns {Record<Variant, string[]>} the arguments with which Hugo builds each
 */
export function writeVariants(site, { address, cache, hugoVersion }) {
  const config = readFileSync(join(site, 'hugo.toml'), 'utf8');
  const withoutModule = config.slice(0, config.indexOf('[module]'));
  const configs = { bare: withoutModule, remote: `${withoutModule}${remoteCountConfig(address)}` };
  const arguments_ = /** @type {Record<Variant, string[]>} */ ({});
  for (const name of /** @type {Variant[]} */ (Object.keys(CHANGES))) {
    writeLayouts(site, name);
    const own = { counts: config, comments: config, ...configs }[name];
    writeFileSync(join(site, `${name}.toml`), `layoutDir = "layouts-${name}"\n${own}`);
    arguments_[name] = ['--source', site, '--config', `${name}.toml`, '--minify', '--quiet'];
  }
  writeFiles(join(site, 'layouts-remote'), remoteCountLayouts(hugoVersion));
  arguments_.remote.push('--cacheDir', cache);
  return arguments_;
}

/**
 * @param {string} site
 * @param {Variant} name
 */
function writeLayouts(site, name) {
  const layouts = readdirSync(join(site, 'layouts'), { recursive: true, encoding: 'utf8' });
  const files = layouts
    .filter((file) => file.endsWith('.html'))
    .map((file) => [file, CHANGES[name](readFileSync(join(site, 'layouts', file), 'utf8'), file)]);
  writeFiles(join(site, `layouts-${name}`), Object.fromEntries(files));
}

/**
 * @param {string} folder
 * @param {Record<string, string>} files
 */
function writeFiles(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
