import MarkdownIt from 'markdown-it';
import { benchClient, benchClientVersion } from '../bench-tools.js';
import { ARTICLES, articleAt } from './blog.js';
import { answerer } from './contender.js';

const CLIENT = '@waline/client';

const markdown = new MarkdownIt();

// As https://waline.js.org/en/guide/get-started/ says, from this server. In its favour: no emoji set, which would
// be fetched from elsewhere, and all comments on one page
const COMMENTS = `<link rel="stylesheet" href="/waline/waline.css">
<div id="waline"></div>
<script type="module">
import { init } from '/waline/waline.js';
init({ el: '#waline', serverURL: location.origin + '/waline', lang: 'en', emoji: false, pageSize: 20 });
</script>`;

const LIST = `<script type="module">
import { commentCount } from '/waline/comment.js';
commentCount({ serverURL: location.origin + '/waline' });
</script>`;

/** @returns {import('./contender.js').Contender} */
export function waline() {
  return {
    name: 'Waline',
    pages: ['list', 'article'],
    version: benchClientVersion(CLIENT),
    slots: {
      count: '<span class="waline-comment-count" data-path="{{ .RelPermalink }}"></span>',
      list: LIST,
      comments: COMMENTS,
    },
    files: {
      '/waline/waline.js': benchClient(CLIENT, 'dist/waline.js'),
      '/waline/waline.css': benchClient(CLIENT, 'dist/waline.css'),
      '/waline/comment.js': benchClient(CLIENT, 'dist/comment.js'),
    },
    start: async () => answerer(answer),
  };
}

/**
 * The API of @waline/vercel, as the types of the client have it.
 *
 * @param {Request} request
 */
function answer({ url }) {
  const { pathname, searchParams } = new URL(url);
  if (pathname !== '/waline/api/comment') return null;
  if (searchParams.get('type') === 'count') {
    const paths = searchParams.get('url')?.split(',') ?? [];
    return success(paths.map((path) => articleAt(path)?.notes.length ?? 0));
  }
  return success(list(searchParams.get('path') ?? '', Number(searchParams.get('pageSize'))));
}

/** @param {unknown} data */
function success(data) {
  return Response.json({ errno: 0, errmsg: '', data });
}

/**
 * @param {string} path
 * @param {number} pageSize
 */
function list(path, pageSize) {
  const article = articleAt(path) ?? ARTICLES[1];
  const notes = article?.notes ?? [];
  const data = notes.toReversed().map(({ author, text, date }, index) => ({
    objectId: notes.length - index,
    nick: author,
    link: '',
    avatar: '',
    comment: markdown.render(text),
    orig: text,
    time: Date.parse(`${date.replace(' ', 'T')}Z`),
    like: 0,
    addr: '',
    browser: '',
    os: '',
    status: 'approved',
    type: '',
    user_id: null,
    children: [],
  }));
  return { page: 1, totalPages: 1, pageSize, count: notes.length, data: data.slice(0, pageSize) };
}
