import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a generated site calls wherever it shows a count. */
const COUNT = '{{ partial "stacosys/count.html" . }}';
const COMMENTS = '{{ partial "stacosys/comments.html" . }}';

/**
 * What a variant changes in a template of the site.
 *
 * @type {Record<'bare' | 'counts' | 'comments', (template: string, file: string) => string>}
 */
const CHANGES = {
  bare: (template) => template.replaceAll(COUNT, ''),
  counts: (template) => template,
  comments: (template, file) =>
    file.endsWith('single.html') ? template.replace('{{ .Content }}', `$&${COMMENTS}`) : template,
};

/** @typedef {keyof typeof CHANGES} Variant */

/**
 * Gives a generated site more configurations for the same content: `bare`, as if there were no
 * module, `counts`, as it is, and `comments`, with the section in each article.
 *
 * @param {string} site
 * @returns {Record<Variant, string[]>} the arguments with which Hugo builds each
 */
export function writeVariants(site) {
  const arguments_ = /** @type {Record<Variant, string[]>} */ ({});
  for (const name of /** @type {Variant[]} */ (Object.keys(CHANGES))) {
    writeLayouts(site, name);
    const config = readFileSync(join(site, 'hugo.toml'), 'utf8');
    const own = name === 'bare' ? config.slice(0, config.indexOf('[module]')) : config;
    writeFileSync(join(site, `${name}.toml`), `layoutDir = "layouts-${name}"\n${own}`);
    arguments_[name] = ['--source', site, '--config', `${name}.toml`, '--minify', '--quiet'];
  }
  return arguments_;
}

/**
 * @param {string} site
 * @param {Variant} name
 */
function writeLayouts(site, name) {
  const layouts = readdirSync(join(site, 'layouts'), { recursive: true, encoding: 'utf8' });
  for (const file of layouts.filter((file) => file.endsWith('.html'))) {
    const template = readFileSync(join(site, 'layouts', file), 'utf8');
    const copy = join(site, `layouts-${name}`, file);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, CHANGES[name](template, file));
  }
}
