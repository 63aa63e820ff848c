import { basename, join } from 'node:path';
import { MODULE, themesOf } from './blog.js';
import { knownTheme } from './known-themes.js';

/**
 * @typedef {import('./read-blog.js').ReadBlog} ReadBlog
 * @typedef {import('./import-steps.js').Step} Step
 */

const COUNT = '{{ partial "stacosys/count.html" . }}';
const COMMENTS = '{{ partial "stacosys/comments.html" . }}';

const INSTRUCTIONS = `https://${MODULE}/blob/HEAD/hugo-module/adapters/README.md`;

/** Where Hugo and themes keep what shows an article in a list, and an article: the likely ones first. */
const LISTS = ['summary.html', 'list.html', 'home.html', 'index.html', 'section.html', 'li.html'];
const ARTICLES = ['single.html', 'page.html'];

/**
 * The lines that show the counts and the comments.
 *
 * @param {ReadBlog} blog
 * @returns {Step[]} empty where its templates have them
 */
export function templateSteps(blog) {
  const theme = knownTheme(themesOf(blog));
  if (theme === undefined) return [...countSteps(blog), ...commentsSteps(blog)];
  if (blog.calls.count.length > 0) return [];
  const page = `${INSTRUCTIONS}#${theme.name.toLowerCase()}`;
  return [{ title: `Show the counts and the comments: for ${theme.name}, do as ${page} says`, lines: [] }];
}

/**
 * @param {ReadBlog} blog
 * @returns {Step[]}
 */
function countSteps(blog) {
  if (blog.calls.count.length > 0) return [];
  const place = placeIn(blog, LISTS);
  return [
    {
      title: `Show the counts: add this line to the template of your list, where a page is the context (${place})`,
      lines: [COUNT],
    },
  ];
}

/**
 * @param {ReadBlog} blog
 * @returns {Step[]}
 */
function commentsSteps(blog) {
  const { calls } = blog;
  if (calls.comments.length > 0) return [];
  const own = ['partials', '_partials'].map((folder) => join(blog.layoutFolder, folder, 'comments.html'));
  const before = own.find((file) => blog.templates.includes(file));
  if (before !== undefined) {
    return [{ title: `Show the comments: put this line into your ${before}`, lines: [COMMENTS] }];
  }
  const caller = calls.forwarded[0];
  if (caller !== undefined) {
    return [
      {
        title: `Show the comments: ${caller} calls comments.html, which is ours now; switch comments on as your theme wants it`,
        lines: [],
      },
    ];
  }
  const title = `Show the comments: add this line to the template of your article (${placeIn(blog, ARTICLES)})`;
  return [{ title, lines: [COMMENTS] }];
}

/**
 * @param {ReadBlog} blog
 * @param {string[]} names of templates
 */
function placeIn({ templates, layoutFolder }, names) {
  const ranked = names.flatMap((name) => templates.filter((file) => basename(file) === name));
  const own = ranked.find((file) => file.startsWith(`${layoutFolder}/`));
  if (own !== undefined) return `perhaps ${own}`;
  const [file] = ranked;
  if (file === undefined) return `in ${layoutFolder}/`;
  const copy = join(layoutFolder, file.replace(/^.*?\/layouts\//, ''));
  return `perhaps ${file}, which you copy to ${copy} first`;
}
