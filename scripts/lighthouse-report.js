import { execFile } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { LIGHTHOUSE } from './bench/bench-tools.js';

/**
 * @typedef {object} Audit
 * @property {string} id
 * @property {string} title
 * @property {number | null} score
 *
 * @typedef {object} Report
 * @property {Record<string, {score: number, auditRefs: {id: string, weight: number}[]}>} categories
 * @property {Record<string, Audit>} audits
 * @property {{message: string}} [runtimeError]
 */

/**
 * What Lighthouse says of a page, as it looks at one by default: as a phone.
 *
 * @param {string} url
 * @param {object} options
 * @param {string} options.chromium
 * @param {string[]} options.categories
 * @param {string[]} [options.flags] more of Chromium's
 * @returns {Promise<Report>}
 */
export async function lighthouseReport(url, { chromium, categories, flags = [] }) {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []; // Chromium has none for root
  const options = [
    '--quiet',
    '--output=json',
    `--only-categories=${categories.join(',')}`,
    `--chrome-flags=${['--headless=new', ...sandbox, ...flags].join(' ')}`,
  ];
  // Lighthouse wants the Node that runs this script, not an older one of the system
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const { stdout } = await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, url, ...options], {
    env: { ...process.env, PATH: path, CHROME_PATH: chromium },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 180_000,
  });
  const report = JSON.parse(stdout);
  if (report.runtimeError) throw new Error(report.runtimeError.message);
  return report;
}
