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
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } } });
    if (!('help' in values)) return parseArgs({ options }).values;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    return refuse(error instanceof TypeError ? error.message : String(error), usage);
  }
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
