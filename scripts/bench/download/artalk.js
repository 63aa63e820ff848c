import MarkdownIt from 'markdown-it';
import { benchClient, benchClientVersion } from '../bench-tools.js';
import { articleAt } from './blog.js';
import { BLANK_PICTURE, answerer } from './contender.js';

const CLIENT = 'artalk';
const API = '/artalk/api/v2';
const SITE = 'The workshop';

const markdown = new MarkdownIt();

// As https://artalk.js.org/guide/deploy.html says, from this server. In its favour: no picture is fetched for the
// authors, no emoticons from elsewhere
const COMMENTS = `<link rel="stylesheet" href="/artalk/Artalk.css">
<div id="artalk"></div>
<script src="/artalk/Artalk.js"></script>
<script>
Artalk.init({
  el: '#artalk',
  pageKey: '{{ .RelPermalink }}',
  pageTitle: '{{ .Title }}',
  server: location.origin + '/artalk',
  site: '${SITE}',
  locale: 'en',
  emoticons: false,
  avatarURLBuilder: () => '${BLANK_PICTURE}',
});
</script>`;

// The smaller of its two bundles is enough here
const LIST = `<script src="/artalk/ArtalkLite.js"></script>
<script>
Artalk.loadCountWidget({
  server: location.origin + '/artalk',
  site: '${SITE}',
  pvEl: '.artalk-pv-count',
  countEl: '.artalk-comment-count',
  statPageKeyAttr: 'data-page-key',
});
</script>`;

/** @returns {import('./contender.js').Contender} */
export function artalk() {
  return {
    name: 'Artalk',
    pages: ['list', 'article'],
    version: benchClientVersion(CLIENT),
    slots: {
      count: '<span class="artalk-comment-count" data-page-key="{{ .RelPermalink }}"></span>',
      list: LIST,
      comments: COMMENTS,
    },
    files: {
      '/artalk/Artalk.js': benchClient(CLIENT, 'dist/Artalk.js'),
      '/artalk/Artalk.css': benchClient(CLIENT, 'dist/Artalk.css'),
      '/artalk/ArtalkLite.js': benchClient(CLIENT, 'dist/ArtalkLite.js'),
    },
    start: async () => answerer(answer),
  };
}

/**
 * The API of its server, as the types of the client have it.
 *
 * @param {Request} request
 */
function answer({ url }) {
  const { pathname, searchParams } = new URL(url);
  switch (pathname) {
    case `${API}/conf`:
      return Response.json({ frontend_conf: {}, version: { app: 'artalk', version: '', commit_hash: '' } });
    case `${API}/comments`:
      return Response.json(list(searchParams.get('page_key') ?? ''));
    case `${API}/pages/pv`:
      return Response.json({ pv: 1 });
    case `${API}/stats/page_comment`:
      return Response.json({ data: counts(searchParams.get('page_keys')?.split(',') ?? []) });
    default:
      return null;
  }
}

/** @param {string[]} paths */
function counts(paths) {
  return Object.fromEntries(paths.map((path) => [path, articleAt(path)?.notes.length ?? 0]));
}

/** @param {string} path */
function list(path) {
  const { notes = [], title = '' } = articleAt(path) ?? {};
  const page = { id: 1, key: path, title, url: path, site_name: SITE, admin_only: false, date: '' };
  return {
    comments: notes.map((note, index) => comment(note, index + 1, path)).toReversed(),
    count: notes.length,
    roots_count: notes.length,
    page: { ...page, pv: 1, vote_up: 0, vote_down: 0 },
  };
}

/**
 * @param {import('./blog.js').Note} note
 * @param {number} id
 * @param {string} path
 */
function comment({ author, text, date }, id, path) {
  const flags = { is_collapsed: false, is_pending: false, is_pinned: false, is_verified: false };
  return {
    id,
    content: text,
    content_marked: markdown.render(text),
    user_id: id,
    nick: author,
    email_encrypted: '',
    link: '',
    ua: '',
    date: `${date}+00:00`,
    ...flags,
    is_allow_reply: true,
    rid: 0,
    badge_name: '',
    badge_color: '',
    ip_region: '',
    visible: true,
    vote_up: 0,
    vote_down: 0,
    page_key: path,
    page_url: path,
    site_name: SITE,
  };
}
