import { delimiter, extname, join } from 'node:path';
import { blogOf, themesOf } from './blog.js';
import { readConfigFile } from './config-file.js';
import { Failure } from './errors.js';
import { existsSync, readFileSync, readdirSync, statSync } from './fs.js';
import { CONFIGS, enclosingSite } from './hugo-site.js';
import { printable } from './printable.js';
import { templateCalls } from './template-calls.js';

/**
 * @typedef {object} Surroundings what lies around Hugo's configuration
 * @property {boolean} hasGoMod the blog is a Hugo module
 * @property {boolean} hasThemesFolder
 * @property {boolean} hasGo on the PATH
 * @property {boolean} hasModule in the folder of the themes
 * @property {boolean} hasHook as an npm package of the blog
 * @property {boolean} isInGit
 * @property {string[]} missingThemes named by `theme`, and not there
 * @property {string[]} templates of the blog and its themes, relative to the blog
 * @property {import('./template-calls.js').TemplateCalls} calls
 *
 * @typedef {import('./blog.js').Blog & Surroundings} ReadBlog
 */

const CONFIG_FOLDER = join('config', '_default');

/** What may name a theme or a module. */
const OF_INTEREST = /^(hugo|config|module|languages)\.(toml|ya?ml|json)$/i;

/** Templates are small, and a blog with its themes has some hundred. */
const MOST_TEMPLATES = 5000;
const LARGEST_TEMPLATE = 262_144; // bytes

/**
 * Reads what a Hugo site says of itself. Runs nothing, Hugo neither.
 *
 * @param {string} folder absolute
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<ReadBlog>}
 * @throws {Failure} no Hugo site, or its configuration cannot be read
 */
export async function readBlog(folder, env) {
  const site = enclosingSite(folder);
  if (site !== folder) throw noSite(folder, site);
  const blog = await readBlogConfig(folder);
  try {
    return { ...blog, ...surroundingsOf(folder, blog, env) };
  } catch (cause) {
    const { code, path } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === undefined) throw cause;
    throw new Failure(
      `Cannot read ${printable(path ?? folder)}: ${code}`,
      'Give your user the right to read the blog, then run this again.',
      { cause },
    );
  }
}

/**
 * @param {string} folder of a Hugo site
 * @returns {Promise<import('./blog.js').Blog>}
 * @throws {Failure} its configuration cannot be read
 */
export async function readBlogConfig(folder) {
  const files = [];
  for (const file of configFilesOf(folder)) {
    const advice = 'Run hugo in that folder and mend what it says, then run this again.';
    files.push({ file, values: await readConfigFile(join(folder, file), advice) });
  }
  return blogOf(files);
}

/**
 * @param {string} folder
 * @param {string | null} site around it
 */
function noSite(folder, site) {
  if (site === null) {
    return new Failure(
      `${printable(folder)} is no Hugo site: it has no hugo.toml, hugo.yaml, hugo.json or config/_default`,
      'Run this in the folder of your blog, or give it: --source DIR',
    );
  }
  return new Failure(
    `${printable(folder)} is not the Hugo site, but a folder in it`,
    `Run this in ${printable(site)}, or give --source ${printable(site)}`,
  );
}

/**
 * @param {string} folder
 * @returns {string[]} relative, the ones that win first
 */
function configFilesOf(folder) {
  const root = CONFIGS.find((name) => existsSync(join(folder, name)));
  const names = namesIn(join(folder, CONFIG_FOLDER)).filter((name) => OF_INTEREST.test(name));
  return [...names.sort().map((name) => join(CONFIG_FOLDER, name)), ...(root === undefined ? [] : [root])];
}

/**
 * @param {string} folder
 * @param {import('./blog.js').Blog} blog
 * @param {NodeJS.ProcessEnv} env
 * @returns {Surroundings}
 */
function surroundingsOf(folder, blog, env) {
  const has = (/** @type {string[]} */ ...path) => existsSync(join(folder, ...path));
  const isFilled = (/** @type {string} */ theme) =>
    namesIn(join(folder, blog.themesFolder, theme)).length > 0;
  const hasGoMod = has('go.mod');
  const templates = readTemplates(folder, blog);
  return {
    hasGoMod,
    hasThemesFolder: has(blog.themesFolder),
    hasGo: (env.PATH ?? '').split(delimiter).some((bin) => bin !== '' && existsSync(join(bin, 'go'))),
    hasModule: isFilled('hugo-stacosys'),
    hasHook: has('node_modules', 'hugo-stacosys'),
    isInGit: isInGit(folder),
    missingThemes: hasGoMod ? [] : (blog.theme?.names ?? []).filter((name) => !isFilled(name)),
    templates: templates.map(({ file }) => file),
    calls: templateCalls(templates),
  };
}

/**
 * @param {string} folder
 * @returns {boolean}
 */
function isInGit(folder) {
  const parent = join(folder, '..');
  return existsSync(join(folder, '.git')) || (parent !== folder && isInGit(parent));
}

/**
 * @param {string} folder
 * @param {import('./blog.js').Blog} blog
 * @returns {import('./template-calls.js').Template[]} those of the blog first
 */
function readTemplates(folder, blog) {
  const themes = themesOf(blog).flatMap((name) => [
    join(blog.themesFolder, name, 'layouts'),
    join('_vendor', name, 'layouts'),
  ]);
  return [blog.layoutFolder, ...themes]
    .flatMap((layouts) => filesBelow(join(folder, layouts)).map((file) => join(layouts, file)))
    .filter((file) => extname(file) === '.html' && isTemplate(join(folder, file)))
    .slice(0, MOST_TEMPLATES)
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
}

/** @param {string} file */
function isTemplate(file) {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && stats.isFile() && stats.size <= LARGEST_TEMPLATE;
}

/** @param {string} folder perhaps missing */
function filesBelow(folder) {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort() : [];
}

/** @param {string} folder perhaps missing, or no folder */
function namesIn(folder) {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? readdirSync(folder) : [];
}
