import { readFileSync, writeSync } from './fs.js';

import { OPTIONS, resolveConfig } from './config.js';
import { Failure, UsageError } from './errors.js';
import { printable, printableJson } from './printable.js';

// As for node:fs, see fs.js: 2 ms
const { parseArgs } = process.getBuiltinModule('node:util');

/**
 * @typedef {import('./config.js').Config} Config
 * @typedef {import('./config.js').Flags} Flags
 *
 * @typedef {object} Result what a command hands back
 * @property {object} data for --json
 * @property {string} text for people
 * @property {string[]} [warnings] a line each
 * @property {number} [exitCode] 0 unless given
 *
 * @typedef {object} Command
 * @property {string} help
 * @property {string[]} options names in OPTIONS
 * @property {() => Promise<(config: Config) => Result | Promise<Result>>} load
 */

const STDOUT = 1;

const COMMON = ['db', 'stacosys', 'site', 'source', 'config', 'busy-timeout'];
const OUTPUT = ['json', 'quiet', 'help'];

/** @type {Record<string, Command>} */
const COMMANDS = {
  bake: {
    help: 'write the comment counts into data/stacosys/ of the Hugo site',
    options: [...COMMON, ...OUTPUT],
    load: async () => (await import('./commands/bake.js')).bakeCommand,
  },
  check: {
    help: 'explain the set-up and find comments that belong to no page',
    options: [...COMMON, 'hugo', ...OUTPUT],
    load: async () => (await import('./commands/check.js')).checkCommand,
  },
};

/**
 * Runs the command line. The only place that prints and that sets the exit code.
 *
 * @param {string[]} args without node and the script
 * @returns {Promise<number>} 0 done or nothing to do, 1 it failed, 2 wrong usage
 */
export async function main(args) {
  try {
    const { command, flags } = parse(args);
    if (flags.version) return print(version());
    if (flags.help || args.length === 0) return print(help(command));
    const run = await commandOf(command).load();
    return report(await run(await resolveConfig(flags, process.env, process.cwd())), flags);
  } catch (error) {
    return fail(error, args.includes('--json'));
  }
}

/** @param {string[]} args */
function parse(args) {
  const options = Object.fromEntries(
    Object.entries(/** @type {Record<string, import('./config.js').Option>} */ (OPTIONS)).map(
      ([name, { type, short }]) => [name, short ? { type, short } : { type }],
    ),
  );
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [command, extra] = positionals;
    if (extra !== undefined) throw new UsageError(`"${printable(extra)}" is one word too many`);
    if (command !== undefined) refuseForeign(command, Object.keys(values));
    return { command, flags: /** @type {Flags} */ (values) };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(printable(error.message.split('. ')[0] ?? ''));
    throw error;
  }
}

/**
 * @param {string} command
 * @param {string[]} given
 */
function refuseForeign(command, given) {
  const { options } = commandOf(command);
  const foreign = given.find((name) => !options.includes(name) && name !== 'version');
  if (foreign !== undefined) throw new UsageError(`${command} has no option --${foreign}`);
}

/** @param {string | undefined} name */
function commandOf(name) {
  if (name === undefined) throw new UsageError('No command is given');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`There is no command "${printable(name)}"`);
  return command;
}

/** @param {string} [name] */
function help(name) {
  if (name === undefined) {
    const commands = Object.entries(COMMANDS).map(([command, { help }]) => `  ${command.padEnd(8)}${help}`);
    return `Usage: stacosys-hook ${Object.keys(COMMANDS).join('|')} [options]\n\n${commands.join('\n')}\n
  stacosys-hook COMMAND --help   the options of a command
  stacosys-hook --version\n
Settings: flags, then the environment (STACOSYS_DB, …), then stacosys.toml in the site.`;
  }
  const { help, options } = commandOf(name);
  const rows = options.map((option) => optionRow(option));
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const table = rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
  return `Usage: stacosys-hook ${name} [options]\n\n${help}\n\n${table.join('\n')}`;
}

/**
 * @param {string} name
 * @returns {[string, string]}
 */
function optionRow(name) {
  const option = /** @type {Record<string, import('./config.js').Option>} */ (OPTIONS)[name];
  const short = option?.short ? `-${option.short}, ` : '    ';
  return [`${short}--${name}${option?.value ? ` ${option.value}` : ''}`, option?.help ?? ''];
}

function version() {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}

/**
 * @param {Result} result
 * @param {Flags} flags
 */
function report({ data, text, warnings = [], exitCode = 0 }, flags) {
  if (!flags.quiet) for (const warning of warnings) console.error(printable(warning));
  if (flags.json) print(printableJson(data, 2));
  else if (!flags.quiet) print(text);
  return exitCode;
}

/** @param {string} text */
function print(text) {
  if (!printAtOnce(`${text}\n`)) console.log(text);
  return 0;
}

/**
 * console.log loads the streams, 2 ms of a small bake. So short is a write that a pipe takes it
 * whole or not at all (PIPE_BUF), and console.log may begin anew where the reader is slow or gone.
 *
 * @param {string} text
 * @returns {boolean} whether it was printed
 */
function printAtOnce(text) {
  const bytes = Buffer.from(text);
  if (bytes.length > 4096) return false;
  try {
    return writeSync(STDOUT, bytes) === bytes.length;
  } catch {
    return false;
  }
}

/**
 * @param {unknown} error
 * @param {boolean} isJson asked for, perhaps on a command line that cannot be parsed
 * @returns {number}
 */
function fail(error, isJson) {
  if (!(error instanceof Failure)) throw error; // a bug: let Node print its stack
  const { message, advice, exitCode } = error;
  console.error(
    isJson ? printableJson({ error: message, advice }) : `${printable(message)}\n${printable(advice)}`,
  );
  return exitCode;
}
