import { extname } from 'node:path';
import { Failure } from './errors.js';
import { readFileSync } from './fs.js';
import { printable } from './printable.js';

/**
 * By the ending of a file's name. A parser is loaded when there is something to parse.
 *
 * @type {Record<string, () => Promise<(text: string) => unknown>>}
 */
const PARSERS = {
  '.toml': async () => (await import('smol-toml')).parse,
  '.yaml': parserOfYaml,
  '.yml': parserOfYaml,
  '.json': async () => JSON.parse,
};

/**
 * Reads a file of settings.
 *
 * @param {string} file
 * @param {string} advice for the owner where that fails
 * @param {string} [type] `.toml`, `.yaml`, `.yml` or `.json`; by default, as the file's name ends
 * @returns {Promise<Record<string, unknown>>} empty for an empty file
 * @throws {Failure} unreadable, or not of its type; with the line where the parser tells it
 */
export async function readConfigFile(file, advice, type = extname(file)) {
  try {
    const parse = await (PARSERS[type] ?? PARSERS['.toml'])?.();
    return settingsIn(parse?.(readFileSync(file, 'utf8').replace(/^\ufeff/, '')));
  } catch (cause) {
    const [reason = ''] = String(cause instanceof Error ? cause.message : cause).split('\n');
    const line = lineOf(cause);
    const place = line === undefined ? '' : `, line ${line}`;
    throw new Failure(`Cannot read ${printable(file)}${place}: ${printable(reason)}`, advice, { cause });
  }
}

async function parserOfYaml() {
  const { parse } = await import('yaml');
  // Hugo 0.111 takes a key that stands there twice (0.168 does not)
  return (/** @type {string} */ text) => parse(text, { uniqueKeys: false, logLevel: 'error' });
}

/** @param {unknown} values */
function settingsIn(values) {
  if (values === null || values === undefined) return {};
  if (typeof values === 'object' && !Array.isArray(values)) return { ...values };
  throw new TypeError('it holds a single value or a list, not settings');
}

/**
 * @param {unknown} error of the parser of TOML, or of YAML
 * @returns {number | undefined}
 */
function lineOf(error) {
  const { line, linePos } = /** @type {{line?: number, linePos?: {line: number}[]}} */ (error);
  return line ?? linePos?.[0]?.line;
}
