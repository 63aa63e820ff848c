/*
 * comment.url → canonical key.
 *
 * Stacosys stores the url of a comment as an opaque string, and real databases hold many
 * forms of one article. The key is the article's path as Hugo prints it:
 * `(urls.Parse .Permalink).EscapedPath`, compared with Hugo 0.111.3 and 0.168.0.
 */

/** Already canonical, for nearly every url: plain segments, each closed by one slash. */
const PLAIN = /^\/(?:[A-Za-z0-9_.~-]+\/)*$/;

/** Web servers refuse a longer address (nginx: 8 KB), so no page has one. */
const LONGEST = 8192;

const ASCII = /^[\x00-\x7f]*$/;

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i;

/** The last segment names a file: Hugo puts no slash behind a page such as /old.html. */
const FILE = /\.(?:s?html?|xhtml|php\d?|aspx?|jsp|cgi|xml|txt|json)$/i;

/** What Go's url.EscapedPath lets pass when nothing else in the path needs an escape. */
const VALID_PATH = /^[A-Za-z0-9_.~!$&'()*+,;=:@/[\]-]*$/;

/**
 * The canonical key of a url: root-relative, percent-encoded as Hugo does, NFC, with a
 * trailing slash unless the last segment is a file. Its case is kept.
 *
 * @param {string} url as Stacosys stores it
 * @returns {string | null} the key, or null where the url names no page (blank, `?a=1`, too long)
 */
export function canonicalKey(url) {
  if (url.length > LONGEST) return null;
  if (PLAIN.test(url)) return url;
  const path = pathOf(url);
  if (path === null) return null;
  const key = encodePath(closePath(normalize(decodePath(path), 'NFC')));
  return key.length > LONGEST ? null : key;
}

/**
 * Other spellings under which Hugo may print the path of the page that this url means. A
 * template cannot normalise Unicode, and Hugo prints a file name in NFD as it is; it escapes
 * the folder of a baseURL apart from the path of the page (`/my%20blog/foo(bar)/`); and it does
 * not touch an escape that stands in front matter (`url: /foo%28bar%29/`).
 *
 * @param {string} url as Stacosys stores it
 * @param {string} key the canonical key of that url
 * @returns {string[]} spellings other than the key; empty for nearly every url
 */
export function otherSpellings(url, key) {
  if (!/[%!'()*[\]]/.test(key) && !url.includes('%')) return [];
  const decomposed = encodePath(normalize(decodePath(key), 'NFD'));
  const escaped = encodeMarks(key);
  const apart = key.replace(/%(?:2[1789A]|5[BD])/g, decodeURIComponent);
  const asStored = encodeURI(closePath(pathOf(url) ?? key).toWellFormed()).replaceAll('%25', '%');
  return [...new Set([decomposed, escaped, apart, asStored])].filter(
    (spelling) => spelling !== key && canonicalKey(spelling) === key,
  );
}

/**
 * @param {string} url
 * @returns {string | null} the path as it is spelled in the url; null where there is none
 */
function pathOf(url) {
  const trimmed = url.trim().replace(/[?#].*$/s, '');
  const path = trimmed.replace(ORIGIN, '');
  const isBlank = path === trimmed && decodePath(path).trim() === '';
  return isBlank ? null : path;
}

/**
 * @param {string} path decoded
 * @param {'NFC' | 'NFD'} form
 */
function normalize(path, form) {
  return ASCII.test(path) ? path : path.normalize(form); // which loads 8 MB of Unicode tables
}

/** @param {string} path with one leading slash, none doubled, closed as Hugo closes it */
function closePath(path) {
  const rooted = `/${path}`.replace(/\/{2,}/g, '/').replace(/\/index\.html$/, '/');
  return rooted.endsWith('/') || FILE.test(rooted) ? rooted : `${rooted}/`;
}

/**
 * Decodes percent-escapes once. A run that is no UTF-8 stays as it is.
 *
 * @param {string} path
 */
function decodePath(path) {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

/**
 * Encodes as Go's url.EscapedPath: a path of valid characters stays as it is; if one needs
 * an escape, all are escaped that Go's path encoding does not list, so `(` too.
 *
 * @param {string} path decoded
 */
function encodePath(path) {
  if (VALID_PATH.test(path)) return path;
  return encodeMarks(encodeURI(path.toWellFormed()));
}

/**
 * Escapes what encodeURI lets pass and Go's path encoding does not.
 *
 * @param {string} path
 */
function encodeMarks(path) {
  return path.replace(
    /[?#!'()*[\]]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
