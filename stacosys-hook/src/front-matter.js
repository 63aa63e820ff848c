import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

/** @type {[start: RegExp, matter: (text: string) => string | undefined, parse: (matter: string) => unknown][]} */
const FORMATS = [
  // Hugo 0.111 takes a key that stands there twice (0.168 does not)
  [/^---/, fenced(/^---[ \t]*\r?\n(.*?)^---/ms), (matter) => parseYaml(matter, { uniqueKeys: false })],
  [/^\+\+\+/, fenced(/^\+\+\+[ \t]*\r?\n(.*?)^\+\+\+/ms), (matter) => parseToml(matter)],
  [/^\{/, firstObject, (matter) => JSON.parse(matter)],
];

/**
 * The aliases in the front matter of a content file (YAML, TOML or JSON, as Hugo has it).
 *
 * @param {string} text of the content file
 * @returns {string[]} as they are written; empty where there are none
 * @throws {Error} front matter that cannot be parsed
 */
export function aliasesOf(text) {
  const content = text.trimStart(); // takes a byte order mark away, too
  const format = FORMATS.find(([start]) => start.test(content));
  const matter = format?.[1](content);
  return matter === undefined ? [] : aliasesIn(format?.[2](matter));
}

/** @param {RegExp} pattern */
function fenced(pattern) {
  return (/** @type {string} */ text) => pattern.exec(text)?.[1];
}

/**
 * @param {string} text that starts with a brace
 * @returns {string | undefined} up to the brace that closes it
 */
function firstObject(text) {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:\\.|[^"\\])*"|[{}]/gs)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (depth === 0) return text.slice(0, index + 1);
  }
  return undefined;
}

/** @param {unknown} matter */
function aliasesIn(matter) {
  if (matter === null || typeof matter !== 'object') return [];
  const name = Object.keys(matter).find((key) => key.toLowerCase() === 'aliases');
  const value = name === undefined ? [] : /** @type {Record<string, unknown>} */ (matter)[name];
  const aliases = typeof value === 'string' ? value.split(/\s+/) : [value].flat();
  return aliases
    .filter((alias) => ['string', 'number'].includes(typeof alias))
    .map(String)
    .filter(Boolean);
}
