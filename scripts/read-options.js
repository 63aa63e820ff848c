import { parseArgs } from 'node:util';

/**
 * The options of a script. Prints what there is and ends the process where that is asked for, or where
 * the command line is wrong: a stack trace would help nobody.
 *
 * @template {import('node:util').ParseArgsOptionsConfig} Options
 * @param {string} usage what the script does, and its options
 * @param {Options} options without `help`
 */
export function readOptions(usage, options) {
  return orUsage(usage, options, false, () => parseArgs({ options }).values);
}

/**
 * Like readOptions(), for a script that also takes names.
 *
 * @template {import('node:util').ParseArgsOptionsConfig} Options
 * @param {string} usage
 * @param {Options} options without `help`
 */
export function readCommandLine(usage, options) {
  return orUsage(usage, options, true, () => parseArgs({ options, allowPositionals: true }));
}

/**
 * @template Read
 * @param {string} usage
 * @param {import('node:util').ParseArgsOptionsConfig} options
 * @param {boolean} allowPositionals
 * @param {() => Read} read
 * @returns {Read}
 */
function orUsage(usage, options, allowPositionals, read) {
  try {
    const withHelp = { ...options, help: { type: /** @type {const} */ ('boolean'), short: 'h' } };
    const { values } = parseArgs({ options: withHelp, allowPositionals });
    if (!values.help) return read();
  } catch (error) {
    return refuse(error instanceof TypeError ? error.message : String(error), usage);
  }
  console.log(usage);
  process.exit(0);
}

/**
 * Ends the process: the command line is wrong.
 *
 * @param {string} reason
 * @param {string} usage
 * @returns {never}
 */
export function refuse(reason, usage) {
  console.error(`${reason.split(/\. |\n/)[0]}\n\n${usage}`);
  process.exit(2);
}
