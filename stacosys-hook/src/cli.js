import { OPTIONS, resolveConfig, unknownVariables } from './config.js';
import { Failure, UsageError } from './errors.js';
import { writeSync } from './fs.js';
import { printable, printableJson } from './printable.js';

// As for node:fs, see fs.js: 2 ms
const { parseArgs } = process.getBuiltinModule('node:util');

/**
 * @typedef {import('./config.js').Config} Config
 * @typedef {import('./config.js').Flags} Flags
 *
 * @typedef {object} Result what a command hands back
 * @property {object} data for --json
 * @property {string} text for people; '' for none
 * @property {string[]} [warnings] a line each
 * @property {number} [exitCode] 0 unless given
 *
 * @typedef {object} Command
 * @property {string} help
 * @property {string[]} options names in OPTIONS
 * @property {string} [operand] what may follow the name of the command
 * @property {boolean} [takesHugoArgs] after `--`
 * @property {boolean} [isService] runs until it is told to stop
 * @property {boolean} [asks] a question or two, and looks for what it is not told
 * @property {() => Promise<(config: Config, context: Context) => Result | Promise<Result>>} load
 *
 * @typedef {object} Context
 * @property {import('./log.js').Log} log
 * @property {AbortSignal} signal to stop
 * @property {(occasion: string, question: string) => Promise<boolean>} [ask] missing where nobody is there to answer
 */

const STDOUT = 1;
const STDERR = 2;

const COMMON = ['db', 'stacosys', 'site', 'source', 'config', 'busy-timeout'];
const BUILD = ['from', 'comments', 'hugo', 'hugo-timeout', 'publish-to', 'keep', 'no-publish'];
const SERVICE = [...BUILD, 'no-build', 'content', 'stop-timeout'];
const OUTPUT = ['json', 'quiet', 'help'];

/** What there is. The documentation is made of it, too. @type {Record<string, Command>} */
export const COMMANDS = {
  init: {
    help: 'set up an existing blog: find its parts, write stacosys.toml, say what is left to do',
    options: ['db', 'stacosys', 'from', 'site', 'source', 'busy-timeout', 'yes', ...OUTPUT],
    asks: true,
    load: async () => (await import('./commands/init.js')).initCommand,
  },
  bake: {
    help: 'write the comment counts into data/stacosys/ of the Hugo site',
    options: [...COMMON, 'from', 'comments', ...OUTPUT],
    load: async () => (await import('./commands/bake.js')).bakeCommand,
  },
  build: {
    help: 'bake, build a release with Hugo, and make it live in one step',
    options: [...COMMON, ...BUILD, 'force', ...OUTPUT],
    takesHugoArgs: true,
    load: async () => (await import('./commands/build.js')).buildCommand,
  },
  watch: {
    help: 'build now, and whenever the comments change',
    options: [...COMMON, ...SERVICE, ...OUTPUT],
    takesHugoArgs: true,
    isService: true,
    load: async () => (await import('./commands/watch.js')).watchCommand,
  },
  serve: {
    help: 'watch, and answer webhooks, health checks and your questions over HTTP',
    options: [...COMMON, ...SERVICE, 'host', 'port', ...OUTPUT],
    takesHugoArgs: true,
    isService: true,
    load: async () => (await import('./commands/serve.js')).serveCommand,
  },
  releases: {
    help: 'list the releases',
    options: ['source', 'config', 'publish-to', ...OUTPUT],
    load: async () => (await import('./commands/releases.js')).releasesCommand,
  },
  rollback: {
    help: 'make the release before the live one live again, or the one that is named',
    options: ['source', 'config', 'publish-to', ...OUTPUT],
    operand: 'RELEASE',
    load: async () => (await import('./commands/rollback.js')).rollbackCommand,
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
    const { name, flags, words } = parse(args);
    if (flags.version) return print((await import('./version.js')).packageVersion());
    if (flags.help || args.length === 0) return print(help(name));
    const command = commandOf(name);
    const run = await command.load();
    const { isService, asks } = command;
    const needs = { comments: command.options.includes('db'), seeks: asks, secrets: isService };
    const context = await contextOf(command, flags);
    await warnOfStrays(process.env, command, flags, context);
    const config = await resolveConfig(flags, process.env, process.cwd(), needs, words);
    return report(await run(config, context), flags);
  } catch (error) {
    return fail(error, args.includes('--json'));
  }
}

/**
 * Says it beforehand, because a misspelt setting is often why a command fails.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {Command} command
 * @param {Flags} flags
 * @param {Context} context
 */
async function warnOfStrays(env, { isService }, { json, quiet }, { log }) {
  const unknown = unknownVariables(env);
  if (unknown.length === 0 || quiet) return;
  const { strayVariables } = await import('./stray-variables.js');
  const warning = strayVariables(unknown);
  if (warning === '') return;
  if (isService) log('warn', warning);
  else if (!json) console.error(printable(warning)); // a failure is to be the only JSON there
}

/** @param {string[]} args */
function parse(args) {
  const options = Object.fromEntries(
    Object.entries(/** @type {Record<string, import('./config.js').Option>} */ (OPTIONS)).map(
      ([name, { type, short }]) => [name, short ? { type, short } : { type }],
    ),
  );
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const hugoArgs = args.slice(end + 1);
  try {
    const { values, positionals } = parseArgs({ args: args.slice(0, end), options, allowPositionals: true });
    const [name, ...operands] = positionals;
    if (name !== undefined) refuseForeign(name, Object.keys(values), operands, hugoArgs);
    return {
      name,
      flags: /** @type {Flags} */ (values),
      words: { hugoArgs, release: operands[0] },
    };
  } catch (error) {
    if (error instanceof TypeError) {
      const [reason = ''] = error.message.split(/\. |\n/);
      throw new UsageError(printable(reason), adviceFor(args[0]));
    }
    throw error;
  }
}

/** What we decide ourselves: a build that went elsewhere would be published empty. */
const OWN_HUGO_ARGS = /^(--(destination|source|watch|renderToMemory)\b|-[dsw])/;

/** @param {string} [name] of the command, perhaps */
function adviceFor(name = '') {
  if (!Object.hasOwn(COMMANDS, name)) return undefined;
  const forHugo = COMMANDS[name]?.takesHugoArgs ? ' Options of Hugo come after --.' : '';
  return `Run stacosys-hook ${name} --help for what there is.${forHugo}`;
}

/**
 * @param {string} name of the command
 * @param {string[]} given options
 * @param {string[]} operands
 * @param {string[]} hugoArgs
 */
function refuseForeign(name, given, operands, hugoArgs) {
  const { options, operand, takesHugoArgs } = commandOf(name);
  const tooMany = operands[operand ? 1 : 0];
  if (tooMany !== undefined) throw new UsageError(`"${printable(tooMany)}" is one word too many`);
  const foreign = given.find((option) => !options.includes(option) && option !== 'version');
  if (foreign !== undefined) throw new UsageError(`${name} has no option --${foreign}`, adviceFor(name));
  if (hugoArgs.length > 0 && !takesHugoArgs) throw new UsageError(`${name} takes nothing after --`);
  const own = hugoArgs.find((arg) => OWN_HUGO_ARGS.test(arg));
  if (own !== undefined) {
    throw new UsageError(
      `${printable(own)} is not for Hugo to be told`,
      'Give the site by --source DIR and the place of its releases by --publish-to DIR, before the --.',
    );
  }
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
    const commands = Object.entries(COMMANDS).map(([command, { help }]) => `  ${command.padEnd(10)}${help}`);
    return `Usage: stacosys-hook ${Object.keys(COMMANDS).join('|')} [options]\n\n${commands.join('\n')}\n
  stacosys-hook COMMAND --help   the options of a command
  stacosys-hook --version\n
Settings: flags, then the environment (STACOSYS_DB, …), then stacosys.toml in the site.`;
  }
  const { help, options, operand, takesHugoArgs } = commandOf(name);
  const usage = [name, operand && `[${operand}]`, '[options]', takesHugoArgs && '[-- OPTIONS OF HUGO]'];
  const rows = options.map((option) => optionRow(option));
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const table = rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
  return `Usage: stacosys-hook ${usage.filter(Boolean).join(' ')}\n\n${help}\n\n${table.join('\n')}`;
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

/**
 * @param {Command} command
 * @param {Flags} flags
 * @returns {Promise<Context>}
 */
async function contextOf({ isService, takesHugoArgs, asks }, flags) {
  const log = isService ? await logFor(flags) : () => {};
  const signal = takesHugoArgs ? untilTold(log) : new AbortController().signal;
  return { log, signal, ...(asks && (await questions(flags))) };
}

/**
 * @param {Flags} flags
 * @returns {Promise<Pick<Context, 'ask'>>}
 */
async function questions({ json, quiet }) {
  const { stdin, stderr } = process; // the result alone goes to stdout
  if (json || quiet || !stdin.isTTY || !stderr.isTTY) return {};
  const { ask } = await import('./ask.js');
  return { ask: (occasion, question) => ask(occasion, question, stdin, stderr) };
}

/** @param {Flags} flags */
async function logFor({ json, quiet }) {
  const { createLog, leadsToJournal } = await import('./log.js');
  process.stderr.on('error', () => {}); // whoever read the log is gone: no reason to go, too
  return createLog({
    write: (line) => console.error(line),
    isJson: json === true,
    isQuiet: quiet === true,
    isJournal: leadsToJournal(process.env, STDERR),
  });
}

/**
 * The first signal asks to end in good order, the second one ends at once.
 *
 * @param {import('./log.js').Log} log
 */
function untilTold(log) {
  const told = new AbortController();
  for (const name of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) {
    process.on(name, () => {
      if (told.signal.aborted) process.exit(1);
      log('info', 'stops', { signal: name });
      told.abort();
    });
  }
  return told.signal;
}

/**
 * @param {Result} result
 * @param {Flags} flags
 */
function report({ data, text, warnings = [], exitCode = 0 }, flags) {
  if (!flags.quiet) for (const warning of warnings) console.error(printable(warning));
  if (flags.json) print(printableJson(data, 2));
  else if (!flags.quiet && text !== '') print(text);
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
