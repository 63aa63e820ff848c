import { join, relative } from 'node:path';
import { applyChanges, textOf } from '../apply-changes.js';
import { readConfigFile } from '../config-file.js';
import { existsSync, realpathSync } from '../fs.js';
import { lookAtDatabase } from '../look-at-database.js';
import { readBlog } from '../read-blog.js';
import { setUpPlan } from '../set-up-plan.js';
import { changesText, foundText, stepsText } from '../set-up-text.js';
import { isTrackedByGit } from '../tracked-by-git.js';
import { unseenFolders } from '../unseen-folders.js';

const PUBLISHED = /^(assets|content|public|static)\//;

/**
 * Sets up a blog: says what is there, writes the settings and the lines of .gitignore where the owner
 * agrees, and tells the rest, which is the owner's to write.
 *
 * @param {import('../config.js').Config} config
 * @param {import('../cli.js').Context} context
 * @returns {Promise<import('../cli.js').Result>}
 */
export async function initCommand(config, { ask }) {
  const setUp = await gather(config);
  const plan = setUpPlan(setUp);
  const found = foundText(setUp);
  const todo = plan.changes.length > 0 ? `To write:\n${changesText(plan)}` : 'Nothing is to be written.';
  const isAsked = plan.changes.length > 0 && !config.yes && ask !== undefined;
  const agrees = isAsked ? await ask(`${found}\n\n${todo}`, 'Write this? [y/N] ') : config.yes;
  if (agrees) applyChanges(config.source, plan.changes);
  const said = [...(isAsked ? [] : [found, todo]), outcome(plan, agrees)].filter(Boolean);
  return {
    data: facts(setUp, plan, agrees),
    text: `${said.join('\n\n')}\n\nWhat is left to do, one after the other, in the folder of your blog:\n\n${stepsText(plan).trimEnd()}`,
    warnings: [...warningsOf(setUp), ...(await unseenFolders(config))],
  };
}

/**
 * @param {import('../config.js').Config} config
 * @returns {Promise<import('../set-up-plan.js').SetUp>}
 */
async function gather(config) {
  const { source: folder, from, publishTo } = config;
  if (from !== undefined) (await import('../remote.js')).countsAddress(from); // throws: no password in it, for one
  const blog = await readBlog(folder, process.env);
  const file = join(folder, 'stacosys.toml');
  return {
    folder,
    blog,
    database: lookAtDatabase(config, process.env.HOME ?? ''),
    from,
    publishTo,
    settings: existsSync(file) ? await readConfigFile(file, 'Mend it, then run this again.') : null,
    gitignore: textOf(join(folder, '.gitignore')),
    gitignoreElsewhere: elsewhere(folder, join(folder, '.gitignore')),
  };
}

/**
 * @param {string} folder
 * @param {string} file in it
 * @returns {string | null} where it leads, if that is out of the folder
 */
function elsewhere(folder, file) {
  if (!existsSync(file)) return null;
  const target = realpathSync(file);
  return relative(realpathSync(folder), target).startsWith('..') ? target : null;
}

/**
 * @param {import('../set-up-plan.js').Plan} plan
 * @param {boolean} agrees
 */
function outcome({ changes }, agrees) {
  if (changes.length === 0) return '';
  const files = changes.map(({ file }) => file).join(' and ');
  return agrees
    ? `Written: ${files}`
    : 'Nothing was written. To write this: npx stacosys-hook init --yes, with the same options';
}

/** @param {import('../set-up-plan.js').SetUp} setUp */
function warningsOf({ folder, blog, database }) {
  const missing = blog.missingThemes
    .filter((theme) => theme !== 'hugo-stacosys')
    .map((theme) => {
      const remedy = blog.isInGit ? ' (git submodule update --init fetches what is a submodule)' : '';
      return `The theme ${theme} is not in ${blog.themesFolder}/: Hugo cannot build the blog without it${remedy}`;
    });
  const isPublished = database !== null && PUBLISHED.test(relative(folder, database.file));
  return [
    ...missing,
    ...(isPublished
      ? [`${database.file} lies where Hugo publishes files, with what nobody may see: move it`]
      : []),
    ...(database !== null && isTrackedByGit(database.file) ? [isInGit(database.file)] : []),
    ...(database?.warnings ?? []),
  ];
}

/** @param {string} database */
function isInGit(database) {
  return `${database} is in a git repository, and what nobody may see with it: git rm --cached takes it out of the next commit, .gitignore alone does not, and the commits of before keep it`;
}

/**
 * @param {import('../set-up-plan.js').SetUp} setUp
 * @param {import('../set-up-plan.js').Plan} plan
 * @param {boolean} agrees
 */
function facts({ folder, blog, database }, { changes, steps }, agrees) {
  const { files, theme, imports, languages, calls } = blog;
  return {
    blog: {
      folder,
      files,
      theme: theme?.names ?? [],
      imports: imports?.names ?? [],
      languages,
      calls,
    },
    database: database && {
      file: database.file,
      generation: database.generation,
      site: database.site ?? null,
      comments: database.comments,
    },
    changes,
    written: agrees ? changes.map(({ file }) => file) : [],
    steps,
  };
}
