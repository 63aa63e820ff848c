import { posix, relative, resolve } from 'node:path';
import { Failure } from './errors.js';
import { readFileSync, statSync } from './fs.js';
import { printable } from './printable.js';
import { configFiles, wantsComments } from './wants-comments.js';

/**
 * @typedef {import('./blog.js').Blog} Blog
 *
 * @typedef {object} Written what a bake writes for Hugo
 * @property {string} folder relative to the site
 * @property {'data' | 'assets'} component of Hugo, in which it belongs
 * @property {'dataFolder' | 'assetFolder'} origin of that component, where no mount says otherwise
 * @property {string} setting of Hugo that names the origin
 */

/** @type {Written} */
const COUNTS = { folder: 'data/stacosys', component: 'data', origin: 'dataFolder', setting: 'dataDir' };

/** @type {Written} */
const COMMENTS = {
  folder: 'assets/stacosys/comments',
  component: 'assets',
  origin: 'assetFolder',
  setting: 'assetDir',
};

/** Few sites say any of this, and the others need not wait until their configuration is read in earnest. */
const MENTIONS = /\b(?:mounts|dataDir|assetDir)\b/i;

/**
 * Hugo reads data/ and assets/ of a site, unless its configuration names other folders: then it would not see
 * what a bake writes, and say no more than that nothing was baked.
 *
 * @param {Pick<import('./config.js').Config, 'comments' | 'source'>} config
 * @param {NodeJS.ProcessEnv} [env] in which Hugo will run
 * @returns {Promise<string[]>} a warning for each such folder: why, and what to do
 */
export async function unseenFolders(config, env = process.env) {
  const { source } = config;
  const named = namedIn(env);
  const isSaid = () => configFiles(source).some((file) => MENTIONS.test(readFileSync(file, 'utf8')));
  if (Object.keys(named).length === 0 && !isSaid()) return [];
  const { readBlogConfig } = await import('./read-blog.js');
  try {
    const blog = { ...(await readBlogConfig(source)), ...named };
    const inside = (/** @type {string} */ path) => relative(source, resolve(source, path)) || '.';
    return unseen(blog, wantsComments(config), {
      inside,
      isThere: (path) => isFolder(resolve(source, path)),
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [`Cannot tell whether Hugo sees ${COUNTS.folder}/: ${error.message}`]; // the bake is good all the same
  }
}

/**
 * The environment overrides the files: HUGO_DATADIR, HUGO_ASSETDIR, of which Hugo takes any case behind HUGO, any
 * character between, and an empty value.
 *
 * @see https://gohugo.io/configuration/introduction/#environment-variables
 * @param {NodeJS.ProcessEnv} env
 * @returns {Partial<Pick<Seen, 'dataFolder' | 'assetFolder'>>}
 */
function namedIn(env) {
  const found = [COUNTS, COMMENTS].flatMap(({ origin, setting }) => {
    const isMeant = (/** @type {string} */ variable) =>
      variable.startsWith('HUGO') && variable.slice('HUGO_'.length).toLowerCase() === setting.toLowerCase();
    const variable = Object.keys(env).find(isMeant);
    if (variable === undefined) return [];
    return [
      [origin, { name: env[variable]?.trim() ?? '', file: `the environment (${printable(variable)})` }],
    ];
  });
  return Object.fromEntries(found);
}

/**
 * @typedef {Pick<Blog, 'mounts'> & Record<Written['origin'], {name: string, file: string} | null>} Seen
 *
 * @typedef {object} Disk
 * @property {(path: string) => string} inside a path of the configuration, relative to the blog
 * @property {(path: string) => boolean} isThere a folder of it
 */

/**
 * @param {Seen} blog
 * @param {boolean} isWithComments whether they are baked themselves
 * @param {Disk} disk
 * @returns {string[]}
 */
function unseen(blog, isWithComments, disk) {
  return [COUNTS, ...(isWithComments ? [COMMENTS] : [])]
    .map((written) => whyUnseen(blog, written, disk))
    .filter((warning) => warning !== null);
}

/**
 * A mount of a component takes the place of its origin, one whose folder is missing does nothing.
 *
 * @see https://gohugo.io/configuration/module/#mounts
 * @param {Seen} blog
 * @param {Written} written
 * @param {Disk} disk
 * @returns {string | null}
 */
function whyUnseen({ mounts, ...blog }, { folder, component, origin, setting }, { inside, isThere }) {
  const what = `Hugo does not see ${folder}/`;
  const own = mount(component, component);
  const ofComponent = (mounts?.mounts ?? []).filter(({ target }) => isAtOrIn(target, component));
  if (ofComponent.some(({ source, target }) => leads(inside(source), target, folder))) return null;
  if (ofComponent.some(({ source }) => isThere(source))) {
    return `${what}: the mounts in ${mounts?.file} put other folders into ${component}. Add one more there: ${own}`;
  }
  const place = blog[origin];
  if (place === null || inside(place.name) === component) return null;
  if (place.name === '') return `${what}: ${setting} in ${place.file} is empty. Remove it`;
  const remedy = `Write two mounts under module in place of that: ${mount(place.name, component)} and ${own}`;
  return `${what}: ${setting} in ${place.file} is ${place.name}. ${remedy}`;
}

/**
 * @param {string} source of a mount
 * @param {string} target
 * @param {string} folder
 * @returns {boolean} whether it brings the folder to the place of the same name
 */
function leads(source, target, folder) {
  return isAtOrIn(folder, source) && posix.join(target, posix.relative(source, folder)) === folder;
}

/**
 * @param {string} path
 * @param {string} folder
 */
function isAtOrIn(path, folder) {
  return path === folder || path.startsWith(`${folder}/`);
}

/**
 * @param {string} source
 * @param {string} target
 */
function mount(source, target) {
  return `source = ${JSON.stringify(source)}, target = ${JSON.stringify(target)}`;
}

/** @param {string} path */
function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
