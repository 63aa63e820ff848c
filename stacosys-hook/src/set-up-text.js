import { isOurs, themesOf } from './blog.js';
import { isImported } from './import-steps.js';
import { printable } from './printable.js';

/**
 * @typedef {import('./set-up-plan.js').SetUp} SetUp
 * @typedef {import('./set-up-plan.js').Plan} Plan
 */

const WIDTH = 12;
const LISTED = 3;

/**
 * What was found of a blog and its comments, for people.
 *
 * @param {SetUp} setUp
 * @returns {string}
 */
export function foundText({ folder, blog, database, from, settings }) {
  const { calls, theme, imports } = blog;
  const ours = [...(imports?.names ?? []), ...(theme?.names ?? [])].find(isOurs);
  const rows = [
    ['Blog', `${folder} (${blog.files.join(', ')})`],
    ['Theme', themesOf(blog).join(', ') || 'none'],
    ...(blog.languages.length > 1 ? [['Languages', blog.languages.join(', ')]] : []),
    ['Module', isImported(blog) ? `imported: ${ours}` : 'not imported yet'],
    ['Counts', listed(calls.count) || 'in no template yet'],
    ['Comments', commentsText(calls)],
    ...databaseRows(database, from),
    ...(settings === null ? [] : [['Settings', `stacosys.toml stays as it is: ${settingsText(settings)}`]]),
  ];
  return rows.map(([name = '', value = '']) => printable(name.padEnd(WIDTH) + value)).join('\n');
}

/**
 * @param {Plan} plan
 * @returns {string} each file, and its new lines; '' where nothing is to be written
 */
export function changesText({ changes }) {
  const blocks = changes.map(({ file, isNew, lines }) =>
    [
      `  ${file} (${isNew ? 'new' : 'adds'})`,
      ...lines.map((line) => `    | ${printable(line)}`.trimEnd()),
    ].join('\n'),
  );
  return blocks.join('\n');
}

/**
 * @param {Plan} plan
 * @returns {string} without numbers, which the documentation has, of other steps; what is to be copied stands at
 *   the beginning of its line
 */
export function stepsText({ steps }) {
  return steps
    .map(({ title, lines }) => {
      const heading = printable(`→ ${title}${lines.length > 0 ? ':' : '.'}`);
      return lines.length > 0 ? `${heading}\n\n${lines.map(printable).join('\n')}\n` : `${heading}\n`;
    })
    .join('\n');
}

/** @param {string[]} files */
function listed(files) {
  const more = files.length - LISTED;
  return [...files.slice(0, LISTED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** @param {import('./template-calls.js').TemplateCalls} calls */
function commentsText({ comments, forwarded }) {
  if (comments.length > 0) return listed(comments);
  return forwarded.length > 0 ? `${listed(forwarded)}, by comments.html` : 'in no template yet';
}

/**
 * @param {SetUp['database']} database
 * @param {string | undefined} from
 */
function databaseRows(database, from) {
  if (database === null) return [['Data of', (from ?? '').replace(/\/\/[^/@]*@/, '//…@')]];
  const { file, ini, generation, site, comments, urls } = database;
  const of = site === undefined ? '' : ` of ${site}`;
  const amount = `${comments} published comment${comments === 1 ? '' : 's'}${of} under ${urls} url${urls === 1 ? '' : 's'}`;
  return [
    ['Database', `${file}, of Stacosys ${generation}: ${amount}`],
    ...(ini === undefined ? [] : [['', `named by ${ini}`]]),
  ];
}

/**
 * A site may be given by its token, and an address hold a password: both stay where they are.
 *
 * @param {Record<string, unknown>} settings
 */
function settingsText(settings) {
  const names = Object.keys(settings);
  if (names.length === 0) return 'it is empty';
  return names
    .map((name) =>
      ['site', 'from'].includes(name) ? `${name} = …` : `${name} = ${JSON.stringify(settings[name])}`,
    )
    .join(', ');
}
