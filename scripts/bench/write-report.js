import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { THEMES } from './chart/theme.js';
import { drawChart } from './chart/draw-chart.js';
import { CHARTS, chartFile, report } from './report.js';

/**
 * Writes BENCHMARKS.md and all its charts anew.
 *
 * @param {string} root of the repository
 * @param {import('./records.js').PartRecord[]} records
 */
export async function writeReport(root, records) {
  const folder = join(root, CHARTS);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, measured } of records) {
    for (const chart of measured?.result.charts ?? []) {
      for (const theme of /** @type {(keyof typeof THEMES)[]} */ (Object.keys(THEMES))) {
        writeFileSync(join(folder, chartFile(name, chart, theme)), await drawChart(chart, theme));
      }
    }
  }
  writeFileSync(join(root, 'BENCHMARKS.md'), report(records));
}
