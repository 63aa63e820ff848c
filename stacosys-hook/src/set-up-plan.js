import { dirname, relative, resolve } from 'node:path';
import { stringify } from 'smol-toml';
import { databasePath } from './database-path.js';
import { asPattern, missingPatterns } from './gitignore.js';
import { importSteps, usesThemesFolder } from './import-steps.js';
import { templateSteps } from './template-steps.js';

/**
 * @typedef {import('./import-steps.js').Step} Step
 *
 * @typedef {object} Change of a file of the blog
 * @property {'stacosys.toml' | '.gitignore'} file
 * @property {boolean} isNew
 * @property {string[]} lines the whole file, or what is added to it
 *
 * @typedef {object} SetUp what the plan is made from
 * @property {string} folder of the blog, absolute
 * @property {import('./read-blog.js').ReadBlog} blog
 * @property {import('./look-at-database.js').DatabaseFacts | null} database
 * @property {string | undefined} from
 * @property {string} publishTo absolute
 * @property {Record<string, unknown> | null} settings of the stacosys.toml that is there
 * @property {string | null} gitignore the text of the .gitignore that is there
 * @property {string | null} gitignoreElsewhere where it leads, if it is a link out of the blog
 *
 * @typedef {object} Plan
 * @property {Change[]} changes
 * @property {Step[]} steps left to the owner
 */

const OTHER_SETTINGS = [
  '# comments = true             # bake the comments themselves, too: for feeds and lists of them',
  '# content = true              # watch, serve: build when you write, too',
  '# publish-to = "published"    # where the releases go, and the link to the live one',
  '# More: npx stacosys-hook build --help',
];

/**
 * What is to be done for a blog to show its comments.
 *
 * @param {SetUp} setUp
 * @returns {Plan}
 */
export function setUpPlan(setUp) {
  const settings = neededSettings(setUp);
  const ignored = missingPatterns(setUp.gitignore ?? '', toIgnore(setUp));
  return {
    changes: [...settingsFile(setUp, settings), ...ignoreFile(setUp, ignored)],
    steps: [
      ...missingSettings(setUp, settings),
      ...ignoreSteps(setUp, ignored),
      ...importSteps(setUp.blog),
      ...templateSteps(setUp.blog),
      ...buildSteps(setUp.blog),
      ...frontSteps(setUp),
    ],
  };
}

/**
 * @param {SetUp} setUp
 * @returns {Record<string, string>}
 */
function neededSettings({ folder, database, from }) {
  if (database === null) return { from: from ?? '' };
  const db = nearPath(folder, database.file);
  const { site, sites } = database;
  return sites > 1 && site !== undefined ? { db, site } : { db };
}

/**
 * A blog and its database that lie side by side may move together.
 *
 * @param {string} folder
 * @param {string} file
 */
function nearPath(folder, file) {
  const path = relative(folder, file);
  const isInside = !path.startsWith('..');
  const isBeside = !path.startsWith('../..') && dirname(folder) !== '/';
  return isInside || isBeside ? path : file;
}

/**
 * @param {SetUp} setUp
 * @param {Record<string, string>} needed
 * @returns {Change[]}
 */
function settingsFile({ settings }, needed) {
  if (settings !== null) return [];
  return [{ file: 'stacosys.toml', isNew: true, lines: [...tomlLines(needed), '', ...OTHER_SETTINGS] }];
}

/**
 * A stacosys.toml that is there is its owner's.
 *
 * @param {SetUp} setUp
 * @param {Record<string, string>} needed
 * @returns {Step[]}
 */
function missingSettings(setUp, { site, ...origin }) {
  const { settings } = setUp;
  if (settings === null) return [];
  const namesComments = ['db', 'stacosys', 'from'].some((name) => name in settings);
  if (isOtherDatabase(setUp)) {
    const title = `Your stacosys.toml names another database, which is read where none is given. If it is wrong, write there`;
    return [{ title, lines: tomlLines(origin) }];
  }
  const lacking = {
    ...(namesComments ? {} : origin),
    ...(site === undefined || 'site' in settings ? {} : { site }),
  };
  if (Object.keys(lacking).length === 0) return [];
  return [{ title: 'Add this to your stacosys.toml', lines: tomlLines(lacking) }];
}

/** @param {SetUp} setUp */
function isOtherDatabase({ folder, database, settings }) {
  const db = settings?.db;
  return database !== null && typeof db === 'string' && resolve(folder, databasePath(db)) !== database.file;
}

/** @param {Record<string, string>} settings */
function tomlLines(settings) {
  return stringify(settings).trimEnd().split('\n');
}

/**
 * @param {SetUp} setUp
 * @param {string[]} lines that it lacks
 * @returns {Change[]}
 */
function ignoreFile({ gitignore, gitignoreElsewhere }, lines) {
  if (lines.length === 0 || gitignoreElsewhere !== null) return [];
  return [{ file: '.gitignore', isNew: gitignore === null, lines }];
}

/**
 * What lies out of the blog is not ours to write, and other blogs may share it.
 *
 * @param {SetUp} setUp
 * @param {string[]} lines that it lacks
 * @returns {Step[]}
 */
function ignoreSteps({ gitignoreElsewhere }, lines) {
  if (lines.length === 0 || gitignoreElsewhere === null) return [];
  const what = `Your .gitignore is a link out of the blog, to ${gitignoreElsewhere}, which git itself does not follow (2.32 and newer)`;
  return [{ title: `${what}. Make it a file, and add this to it`, lines }];
}

/**
 * @param {SetUp} setUp
 * @returns {string[]} patterns
 */
function toIgnore({ folder, database, publishTo }) {
  const published = insideOf(folder, publishTo);
  // A database holds e-mail addresses. What is baked from it belongs into git only where it is not at hand
  const inside = database === null ? null : insideOf(folder, database.file);
  return [
    ...(published === null ? [] : [`${asPattern(published)}/`]),
    '/.stacosys/',
    '/assets/jsconfig.json', // Hugo writes it when it builds a script
    'node_modules/',
    ...(database === null ? [] : ['/data/stacosys/', '/assets/stacosys/comments/']),
    ...(inside === null ? [] : [`${asPattern(inside)}*`]),
  ];
}

/**
 * @param {string} folder
 * @param {string} path
 * @returns {string | null} relative; null where it lies elsewhere
 */
function insideOf(folder, path) {
  const inside = relative(folder, path);
  return inside === '' || inside.startsWith('..') ? null : inside;
}

/**
 * @param {import('./read-blog.js').ReadBlog} blog
 * @returns {Step[]}
 */
function buildSteps(blog) {
  const fromFolder = [
    'echo install-links=true >> .npmrc',
    `npm install ./${blog.themesFolder}/hugo-stacosys`,
  ];
  const isFolder = usesThemesFolder(blog) || (blog.hasModule && !blog.hasGoMod);
  const lines = isFolder ? fromFolder : ['npm install github:hugo-stacosys/hugo-stacosys'];
  return [
    ...(blog.hasHook ? [] : [{ title: 'Install the command in the blog', lines }]),
    { title: 'Bake the counts and build', lines: ['npx stacosys-hook bake && hugo --minify'] },
  ];
}

/**
 * What the browser and Stacosys need of each other, where its config.ini tells it.
 *
 * @param {SetUp} setUp
 * @returns {Step[]}
 */
function frontSteps({ database, blog: { root } }) {
  const front = database?.front;
  if (front === undefined) return [];
  const port = /^\d{1,5}$/.test(front.port ?? '') ? front.port : '8100';
  const proxy = {
    title:
      'Let the browser reach Stacosys on the address of your blog; with nginx, these two paths and no other',
    lines: [
      `location = /api/comments { proxy_pass http://127.0.0.1:${port}; }`,
      `location = /newcomment   { proxy_pass http://127.0.0.1:${port}; client_max_body_size 512k; }`,
    ],
  };
  const page = front.redirect;
  if (!page?.startsWith('/')) return [proxy];
  const value = JSON.stringify(page);
  const within = { toml: '', yaml: ', under `params:`', json: ', inside of "params"' }[root.format];
  const title = `Make the page ${page}: there its config.ini sends whoever comments without JavaScript. Then name it in ${root.file}${within}`;
  const lines = {
    toml: ['[params.stacosys]', `  redirect = ${value}`],
    yaml: ['  stacosys:', `    redirect: ${value}`],
    json: [`"stacosys": { "redirect": ${value} },`],
  }[root.format];
  return [proxy, { title, lines }];
}
