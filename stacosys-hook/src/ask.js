import { createInterface } from 'node:readline/promises';
import { Failure } from './errors.js';

/**
 * Asks on the terminal. Whatever is not a yes is a no, the end of the input, too.
 *
 * @param {string} occasion what it is about, printed before
 * @param {string} question a line
 * @param {NodeJS.ReadableStream} input
 * @param {NodeJS.WritableStream} output
 * @returns {Promise<boolean>}
 * @throws {Failure} Ctrl+C
 */
export async function ask(occasion, question, input, output) {
  output.write(`${occasion}\n\n`); // no part of the prompt, which is printed again at each key
  const terminal = createInterface({ input, output });
  try {
    return await new Promise((resolve, reject) => {
      terminal.on('SIGINT', () => {
        output.write('\n');
        reject(new Failure('Nothing was written', 'Run this again when you like.'));
      });
      terminal.on('close', () => resolve(false));
      terminal.on('line', (answer) => resolve(/^\s*y(es)?\s*$/i.test(answer)));
      terminal.setPrompt(question);
      terminal.prompt();
    });
  } finally {
    terminal.close();
  }
}
