/*
 * Reads the transcript of Stacosys 3.4 (fixtures/api-3.4.transcript.txt): four kinds of entries,
 * as the shell script wrote them that made it. It holds no test itself.
 */

/**
 * @typedef {object} Exchange
 * @property {string} title the line of the transcript that begins it
 * @property {string} path
 * @property {RequestInit} request
 * @property {Recorded} recorded
 *
 * @typedef {object} Recorded
 * @property {number} status
 * @property {Record<string, string>} headers by their lower-case names, without those of the moment
 * @property {string | null} body null where none was recorded
 */

/**
 * Files that requests were made from; only their names were recorded.
 *
 * @type {Record<string, string>}
 */
const FILES = {
  'big400k.txt': 'a'.repeat(400_000),
  'big1m.txt': 'a'.repeat(1_000_000),
  a300: 'a'.repeat(300),
};

/** What these labels stand for was not recorded with them. */
const LABELS = new Map([
  ['GETnewcomment', { path: '/newcomment', request: {} }],
  ['OPTIONS', { path: '/api/comments', request: { method: 'OPTIONS' } }],
  ['CORS', { path: '/api/comments?url=/x/', request: { headers: { Origin: 'https://evil.example' } } }],
  ['POSTapi', { path: '/api/comments', request: { method: 'POST' } }],
  ['HEAD', { path: '/api/comments', request: { method: 'HEAD' } }],
]);

const CURL = /^\$ curl http:\/\/127\.0\.0\.1:8100(\/\S*)$/;
const POST = /^POST (\/newcomment) (-.*)$/s;
const LABEL = new RegExp(`^(?:${[...LABELS.keys()].join('|')})$`);
const ROUTE = /^(\/\S*) (\d{3}) (\S*)$/;
const START = new RegExp([CURL, POST, LABEL, ROUTE].map(({ source }) => source).join('|'), 's');

/** Headers that say when, by what and over which connection a server answered. */
const OF_THE_MOMENT = ['server', 'date', 'connection'];

/**
 * @param {string} text
 * @returns {Exchange[]}
 * @throws {Error} a line that it does not understand
 */
export function readTranscript(text) {
  return entries(text).map((lines) => {
    const [title = '', ...rest] = lines;
    const curl = CURL.exec(title);
    const route = ROUTE.exec(title);
    if (curl) return { title, path: String(curl[1]), request: {}, recorded: rawAnswer(rest) };
    if (route) return routeExchange(title, route, rest);
    if (POST.test(title)) return postExchange(lines);
    const labelled = LABELS.get(title);
    if (labelled) return { title, ...labelled, recorded: labelledAnswer(rest) };
    throw notUnderstood(title);
  });
}

/**
 * @param {string} text
 * @returns {string[][]} the lines of each entry; an answer has no line that looks like a start
 */
function entries(text) {
  /** @type {string[][]} */
  const found = [];
  for (const line of text.replace(/\n$/, '').split('\n')) {
    if (START.test(line)) found.push([line]);
    else if (found.length > 0) found.at(-1)?.push(line);
    else if (line !== '') throw notUnderstood(line);
  }
  return found;
}

/**
 * @param {string} title
 * @param {RegExpExecArray} match
 * @param {string[]} rest
 * @returns {Exchange}
 */
function routeExchange(title, [, path = '', status, location], rest) {
  nothing(rest);
  /** @type {Record<string, string>} */
  const headers = location ? { location: pathIn(location) } : {};
  return {
    title,
    path,
    request: {},
    recorded: { status: Number(status), headers, body: null },
  };
}

/**
 * @param {string[]} lines
 * @returns {Recorded}
 */
function labelledAnswer(lines) {
  const [first = '', ...rest] = lines;
  if (!/^\d{3}$/.test(first)) return rawAnswer(lines);
  nothing(rest);
  return { status: Number(first), headers: {}, body: null };
}

/**
 * @param {string[]} lines `curl -i`; of a HEAD request only the first lines were kept
 * @returns {Recorded}
 */
function rawAnswer(lines) {
  const [, status] = /^HTTP\/1\.1 (\d{3}) [A-Z ]+\r?$/.exec(lines[0] ?? '') ?? [];
  if (status === undefined) throw notUnderstood(String(lines[0]));
  const end = lines.findIndex((line) => line.trim() === '');
  const headers = lines.slice(1, end === -1 ? undefined : end).map(header);
  const kept = headers.filter(([name]) => !OF_THE_MOMENT.includes(name));
  const body = end === -1 ? null : lines.slice(end + 1).join('\n');
  return { status: Number(status), headers: Object.fromEntries(kept), body };
}

/**
 * @param {string} line
 * @returns {[name: string, value: string]}
 */
function header(line) {
  const [, name, value] = /^([A-Za-z-]+): (.*?)\r?$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw notUnderstood(line);
  return [name.toLowerCase(), value];
}

/**
 * @param {string[]} lines
 * @returns {Exchange}
 */
function postExchange(lines) {
  const end = lines.findIndex((line) => /^\d{3} loc=/.test(line));
  const title = lines.slice(0, end === -1 ? undefined : end).join('\n'); // a message may have lines
  const [, path = '', options = ''] = POST.exec(title) ?? [];
  const [, status, location, type = ''] = /^(\d{3}) loc=(\S*) ct=(.+)$/.exec(lines[end] ?? '') ?? [];
  if (status === undefined) throw notUnderstood(title);
  const headers = { 'content-type': type, ...(location ? { location: pathIn(location) } : {}) };
  const body = lines.slice(end + 1).join('\n');
  return { title, path, request: curlRequest(options), recorded: { status: Number(status), headers, body } };
}

/**
 * What curl makes of these options. They were recorded without their quotes, but each value lies
 * between the space behind its option and the space before the next.
 *
 * @param {string} options
 * @returns {RequestInit}
 */
function curlRequest(options) {
  const parts = options.split(/ (?=(?:-[dFH]|--data-urlencode) )/);
  /** @type {Record<string, string>} */
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const data = [];
  const form = new FormData();
  let isMultipart = false;
  for (const part of parts) {
    const [, option, value = ''] = /^(-[dFH]|--data-urlencode) (.*)$/s.exec(part) ?? [];
    if (option === '-d') data.push(value);
    else if (option === '--data-urlencode') data.push(urlencoded(value));
    else if (option === '-H') Object.assign(headers, Object.fromEntries([value.split(': ')]));
    else if (option === '-F') {
      form.append(...formField(value));
      isMultipart = true;
    } else throw notUnderstood(part);
  }
  return isMultipart ? { method: 'POST', body: form } : { method: 'POST', headers, body: data.join('&') };
}

/** @param {string} value `name=text` or `name@file` */
function urlencoded(value) {
  const [, name, sign, rest = ''] = /^(\w+)([=@])(.*)$/s.exec(value) ?? [];
  if (name === undefined) throw notUnderstood(value);
  return `${name}=${encodeURIComponent(sign === '@' ? fileNamed(rest) : rest)}`;
}

/**
 * @param {string} value `name=text` or `name=<file`
 * @returns {[name: string, value: string]}
 */
function formField(value) {
  const [, name, sign, rest = ''] = /^(\w+)=(<?)(.*)$/s.exec(value) ?? [];
  if (name === undefined) throw notUnderstood(value);
  return [name, sign === '<' ? fileNamed(rest) : rest];
}

/** @param {string} name */
function fileNamed(name) {
  const content = FILES[name];
  if (content === undefined) throw notUnderstood(name);
  return content;
}

/** @param {string} location on whichever host and port it was recorded */
function pathIn(location) {
  return new URL(location).pathname;
}

/** @param {string[]} lines */
function nothing(lines) {
  const line = lines.find((text) => text !== '');
  if (line !== undefined) throw notUnderstood(line);
}

/** @param {string} line */
function notUnderstood(line) {
  return new Error(`The transcript holds a line that is not understood: ${JSON.stringify(line)}`);
}
