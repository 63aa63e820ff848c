import { verdictOn } from './verdict.js';

/**
 * What a part measured, for a terminal.
 *
 * @param {import('./run-parts.js').Outcome} outcome
 * @returns {string[]} lines
 */
export function resultText({ part, result, skipped, error }) {
  const heading = ['', `${part.title}`, '='.repeat(part.title.length)];
  if (skipped !== undefined) return [...heading, `SKIPPED: ${skipped}`];
  if (!result) {
    return [
      ...heading,
      'FAILED, and measured nothing:',
      String((error instanceof Error && error.stack) || error),
    ];
  }
  const verdicts = result.targets.map((target) => {
    const { what, measured, target: wanted, isMet } = verdictOn(target);
    return [what, measured, `target ${wanted}`, isMet ? 'met' : 'MISSED'];
  });
  return [
    ...heading,
    ...result.tables.flatMap(({ caption, columns, rows }) => ['', caption, ...aligned([columns, ...rows])]),
    ...(verdicts.length > 0 ? ['', ...aligned(verdicts)] : []),
    ...result.skipped.map((reason) => `  skipped: ${reason}`),
  ];
}

/**
 * @param {string[][]} rows
 * @returns {string[]}
 */
function aligned(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return `  ${cells.join('   ')}`.trimEnd();
  });
}
