import MarkdownIt from 'markdown-it';
import { benchClient, benchClientVersion } from '../bench-tools.js';
import { articleAt } from './blog.js';
import { BLANK_PICTURE, answerer } from './contender.js';

const CLIENT = 'twikoo';
const API = '/twikoo';

const markdown = new MarkdownIt();

/**
 * @typedef {object} Question
 * @property {string} event
 * @property {string} url of an article
 * @property {string[]} [urls]
 */

// As https://twikoo.js.org/en/frontend.html says of a server of one's own, from this server
const COMMENTS = `<div id="tcomment"></div>
<script src="/twikoo.min.js"></script>
<script>twikoo.init({ envId: location.origin + '${API}', el: '#tcomment', lang: 'en' });</script>`;

// As https://twikoo.js.org/en/api says
const LIST = `<script src="/twikoo.min.js"></script>
<script>
const places = [...document.querySelectorAll('[data-twikoo]')];
twikoo.getCommentsCount({
  envId: location.origin + '${API}',
  urls: places.map((place) => place.dataset.twikoo),
  includeReply: true,
}).then((counts) => counts.forEach(({ count }, index) => { places[index].textContent = count; }));
</script>`;

/** @returns {import('./contender.js').Contender} */
export function twikoo() {
  return {
    name: 'Twikoo',
    pages: ['list', 'article'],
    version: benchClientVersion(CLIENT),
    slots: { count: '<span data-twikoo="{{ .RelPermalink }}"></span>', list: LIST, comments: COMMENTS },
    files: { '/twikoo.min.js': benchClient(CLIENT, 'dist/twikoo.min.js') },
    start: async () => answerer(answer),
  };
}

/**
 * The API of its server: one address, and the event says what is wanted.
 *
 * @param {Request} request
 */
async function answer(request) {
  if (new URL(request.url).pathname !== API || request.method !== 'POST') return null;
  const { event, url, urls = [] } = /** @type {Question} */ (await request.json());
  switch (event) {
    case 'GET_FUNC_VERSION':
      return Response.json({ code: 0, version: '' });
    case 'GET_CONFIG':
      return Response.json({ code: 0, config: CONFIG });
    case 'COMMENT_GET':
      return Response.json(list(url));
    case 'GET_COMMENTS_COUNT':
      return Response.json({ code: 0, data: urls.map(countOf) });
    default:
      return null;
  }
}

// In its favour: what it would fetch from elsewhere (emoticons, a highlighter of code) is switched off
const CONFIG = {
  VERSION: '',
  IS_ADMIN: false,
  SITE_NAME: 'The workshop',
  SHOW_IMAGE: 'false',
  SHOW_EMOTION: 'false',
  HIGHLIGHT: 'false',
  DISPLAYED_FIELDS: 'nick,mail,link',
  REQUIRED_FIELDS: 'nick,mail',
};

/** @param {string} url of an article */
function countOf(url) {
  return { url, count: articleAt(url)?.notes.length ?? 0 };
}

/** @param {string} url of an article */
function list(url) {
  const { notes = [] } = articleAt(url) ?? {};
  const data = notes.map(({ author, text, date }, index) => ({
    id: String(index + 1),
    nick: author,
    avatar: BLANK_PICTURE,
    mailMd5: '',
    link: '',
    comment: markdown.render(text),
    os: '',
    browser: '',
    ipRegion: '',
    master: false,
    like: 0,
    liked: false,
    replies: [],
    created: Date.parse(`${date.replace(' ', 'T')}Z`),
    updated: Date.parse(`${date.replace(' ', 'T')}Z`),
    isSpam: false,
    url,
  }));
  return { code: 0, data: data.toReversed(), more: false, count: notes.length };
}
