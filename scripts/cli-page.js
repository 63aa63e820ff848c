import { variableOf } from '../stacosys-hook/src/config.js';

/**
 * @typedef {import('../stacosys-hook/src/cli.js').Command} Command
 * @typedef {import('../stacosys-hook/src/config.js').Option} Option
 */

const FRONT_MATTER = `+++
title = "The command"
description = "stacosys-hook: what each command does, all options, where settings come from, exit codes."
weight = 6
+++
`;

const SETTINGS = `## Where a setting comes from

A flag wins over the environment, that over \`stacosys.toml\` beside your Hugo configuration, that over the default.

\`\`\`sh
npx stacosys-hook bake --db /srv/stacosys/db.sqlite
STACOSYS_DB=/srv/stacosys/db.sqlite npx stacosys-hook bake
\`\`\`

\`\`\`toml
db = "/srv/stacosys/db.sqlite"
\`\`\`

A relative path starts in the folder where you run the command; in \`stacosys.toml\` and \`config.ini\`, in the folder of that file. What
has no name for \`stacosys.toml\` in the table below is for the command line only. In the environment, the names are in capital letters,
with an underscore for each hyphen: \`publish-to\` is \`${variableOf('publish-to')}\`. Secrets come from the environment or files: see
[security](security.md#webhooks) and [deployment](deployment.md#built-on-another-machine).
`;

const EXIT_CODES = `## Exit codes

| code | what it means |
|---|---|
| 0 | done, or nothing to do |
| 1 | it failed: one line says what, the next what to do. The last good data and the live site stay |
| 2 | wrong usage |

Results go to standard output, the log and errors to standard error.
`;

/**
 * The page of the documentation about the command line, as the tables of the program tell it.
 *
 * @param {Record<string, Command>} commands
 * @param {Record<string, Option>} options
 * @returns {string} Markdown
 */
export function cliPage(commands, options) {
  const overview = Object.entries(commands).map(([name, command]) => [
    `[\`${name}\`](#${name})`,
    command.help,
  ]);
  return [
    FRONT_MATTER,
    `${table(['command', 'what it does'], overview)}\n\`npx stacosys-hook COMMAND --help\` shows the options of a command, \`--version\` the version.\n`,
    SETTINGS,
    `## All options\n\n${table(['option', 'in stacosys.toml', 'what it does'], optionRows(options))}`,
    ...Object.entries(commands).map(([name, command]) => section(name, command)),
    EXIT_CODES,
  ].join('\n');
}

/**
 * @param {string} name
 * @param {Command} command
 */
function section(name, command) {
  const options = command.options.map((option) => `\`--${option}\``).join(', ');
  const help = command.help.charAt(0).toUpperCase() + command.help.slice(1);
  return `## ${name}\n\n\`\`\`text\nnpx ${usage(name, command)}\n\`\`\`\n\n${help}.\n\nOptions: ${options}.\n`;
}

/**
 * @param {string} name
 * @param {Command} command
 */
function usage(name, { operand, takesHugoArgs }) {
  const words = [name, operand && `[${operand}]`, '[options]', takesHugoArgs && '[-- OPTIONS OF HUGO]'];
  return `stacosys-hook ${words.filter(Boolean).join(' ')}`;
}

/** @param {Record<string, Option>} options */
function optionRows(options) {
  return Object.entries(options).map(([name, { short, value, help, isSetting }]) => [
    `\`${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}\``,
    isSetting ? `\`${name}\`` : '',
    help,
  ]);
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows];
  return `${lines.map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')}\n`;
}

/** @param {string} text */
function cell(text) {
  return text.replaceAll('|', '\\|');
}
