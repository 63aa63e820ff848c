import { MODULE, isOurs } from './blog.js';

/**
 * @typedef {import('./read-blog.js').ReadBlog} ReadBlog
 * @typedef {import('./blog.js').Place} Place
 *
 * @typedef {object} Step that is left to the owner
 * @property {string} title
 * @property {string[]} lines to copy; empty where the title says it all
 */

const REPOSITORY = `https://${MODULE}`;

/**
 * How the module gets into the blog, in the format of its configuration. It must come before the theme:
 * of two partials with one name, Hugo takes the first.
 *
 * @param {ReadBlog} blog
 * @returns {Step[]} empty where it is there already
 */
export function importSteps(blog) {
  if (!isImported(blog)) return usesThemesFolder(blog) ? asTheme(blog) : asImport(blog);
  const isFolder = blog.theme?.names.some(isOurs) && !blog.hasGoMod;
  return [...orderSteps(blog), ...(isFolder && !blog.hasModule ? [cloneStep(blog)] : [])];
}

/** @param {ReadBlog} blog */
export function isImported({ theme, imports }) {
  return [...(imports?.names ?? []), ...(theme?.names ?? [])].some(isOurs);
}

/**
 * Go modules want Go, which whoever keeps themes in a folder may not have.
 *
 * @param {ReadBlog} blog
 * @returns {boolean} whether the module goes beside the themes of the blog
 */
export function usesThemesFolder({ theme, imports, hasGoMod, hasThemesFolder, hasGo }) {
  const keepsThemes = hasThemesFolder || theme !== null;
  return imports === null && !hasGoMod && (keepsThemes || !hasGo);
}

/**
 * @param {ReadBlog} blog
 * @returns {Step[]}
 */
function asTheme(blog) {
  const place = blog.theme ?? blog.root;
  const names = ['hugo-stacosys', ...(blog.theme?.names ?? [])];
  const where = blog.theme
    ? `In ${place.file}, write this in place of the setting "theme", because the first one wins`
    : `Write this ${OUTERMOST[place.format]} ${place.file}`;
  const comma = place.format === 'json' && !blog.theme ? ',' : '';
  return [
    { title: where, lines: [setting(place, 'theme', names) + comma] },
    ...(blog.hasModule ? [] : [cloneStep(blog)]),
  ];
}

const OUTERMOST = {
  toml: 'at the top of',
  yaml: 'at the top of',
  json: 'right after the first { of',
};

/**
 * @param {ReadBlog} blog
 * @returns {Step}
 */
function cloneStep({ isInGit, themesFolder }) {
  const get = isInGit ? 'git submodule add' : 'git clone';
  return { title: 'Get the module', lines: [`${get} ${REPOSITORY} ${themesFolder}/hugo-stacosys`] };
}

/**
 * @param {ReadBlog} blog
 * @returns {Step[]}
 */
function asImport(blog) {
  const init = blog.hasGoMod ? [] : ['hugo mod init example.org/blog'];
  const needsGo = blog.hasGo ? '' : ' (this needs Go: https://go.dev/dl/)';
  return [
    blog.imports ? oneMoreImport(blog.imports) : firstImport(blog.module ?? blog.root, blog.module !== null),
    { title: `Get the module${needsGo}`, lines: [...init, 'hugo mod get'] },
  ];
}

/**
 * @param {Place} place of the imports that there are
 * @returns {Step}
 */
function oneMoreImport({ file, format, inside }) {
  const table = inside.includes('module') ? 'imports' : 'module.imports';
  const first = {
    toml: `[[${table}]]`,
    yaml: 'entry of `imports:`, as far to the right',
    json: 'entry of "imports"',
  }[format];
  const lines = {
    toml: [`[[${table}]]`, `  path = "${MODULE}"`],
    yaml: [`- path: ${MODULE}`],
    json: [`{ "path": "${MODULE}" },`],
  }[format];
  return { title: `In ${file}, before the first ${first}, because the first one wins`, lines };
}

/**
 * @param {Place} place of the table `module`, or where it can be made
 * @param {boolean} hasTable
 * @returns {Step}
 */
function firstImport({ file, format, inside }, hasTable) {
  const isBare = inside.includes('module');
  const within = hasTable && !isBare && format !== 'toml';
  const title = within
    ? `In ${file}, inside of ${format === 'yaml' ? '`module:`' : '"module"'}`
    : `Write this ${format === 'json' ? OUTERMOST.json : 'at the end of'} ${file}`;
  return { title, lines: importLines(format, isBare || within, within ? '  ' : '') };
}

/**
 * @param {Place['format']} format
 * @param {boolean} isBare inside of the table `module`
 * @param {string} indent
 */
function importLines(format, isBare, indent) {
  if (format === 'toml') return [`[[${isBare ? 'imports' : 'module.imports'}]]`, `  path = "${MODULE}"`];
  const entry =
    format === 'yaml' ? ['imports:', `  - path: ${MODULE}`] : [`"imports": [{ "path": "${MODULE}" }]`];
  if (isBare) return entry.map((line) => indent + line + (format === 'json' ? ',' : ''));
  return format === 'yaml'
    ? ['module:', ...entry.map((line) => `  ${line}`)]
    : [`"module": { ${entry[0]} },`];
}

/**
 * @param {ReadBlog} blog which has the module
 * @returns {Step[]} empty where it comes before every theme
 */
function orderSteps({ theme, imports }) {
  if (isLate(imports?.names)) {
    return [
      {
        title: `In ${imports?.file}, move the import of ${MODULE} before that of the theme: the first one wins`,
        lines: [],
      },
    ];
  }
  if (theme === null || !isLate(theme.names)) return [];
  const names = [...theme.names.filter(isOurs), ...theme.names.filter((name) => !isOurs(name))];
  return [
    {
      title: `In ${theme.file}, put hugo-stacosys first, because the first one wins`,
      lines: [setting(theme, 'theme', names)],
    },
  ];
}

/**
 * Other modules may well come before ours, but one of the others is the theme.
 *
 * @param {string[]} [names]
 */
function isLate(names = []) {
  const others = names.filter((name) => !isOurs(name));
  return (
    others.length > 0 &&
    others.length < names.length &&
    names.slice(0, others.length).every((name) => !isOurs(name))
  );
}

/**
 * @param {Place} place
 * @param {string} name
 * @param {string[]} values
 */
function setting({ format }, name, values) {
  const list = `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  return { toml: `${name} = ${list}`, yaml: `${name}: ${list}`, json: `"${name}": ${list}` }[format];
}
