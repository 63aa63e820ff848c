import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

/** @type {[RegExp, (text: string) => unknown][]} */
const FORMATS = [
  [/^---[ \t]*\r?\n(.*?)^---[ \t]*$/ms, (text) => parseYaml(text)],
  [/^\+\+\+[ \t]*\r?\n(.*?)^\+\+\+[ \t]*$/ms, (text) => parseToml(text)],
  [/^(\{.*?^\})/ms, (text) => JSON.parse(text)],
];

/**
 * The aliases in the front matter of a content file (YAML, TOML or JSON, as Hugo has it).
 *
 * @param {string} text of the content file
 * @returns {string[]} as they are written; empty where there are none
 * @throws {Error} front matter that cannot be parsed
 */
export function aliasesOf(text) {
  const content = text.replace(/^\uFEFF/, '');
  for (const [pattern, parse] of FORMATS) {
    const matter = pattern.exec(content);
    if (matter?.index === 0) return aliasesIn(parse(matter[1] ?? ''));
  }
  return [];
}

/** @param {unknown} matter */
function aliasesIn(matter) {
  if (matter === null || typeof matter !== 'object') return [];
  const name = Object.keys(matter).find((key) => key.toLowerCase() === 'aliases');
  const value = name === undefined ? [] : /** @type {Record<string, unknown>} */ (matter)[name];
  return (Array.isArray(value) ? value : [value]).filter((alias) => typeof alias === 'string');
}
