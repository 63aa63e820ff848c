/*
 * npm run bench [-- PART …] [-- --quick]: measures the parts, and prints what came out.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { usableHugo } from '../tools.js';
import { PARTS } from './parts.js';

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean' }, full: { type: 'boolean' } },
  allowPositionals: true,
});
const wanted = PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
for (const part of wanted) {
  const folder = mkdtempSync(join(tmpdir(), 'hugo-stacosys-bench-'));
  try {
    const context = {
      quick: values.quick ?? false,
      full: values.full ?? false,
      folder,
      hugo: usableHugo() ?? 'hugo',
      progress: (/** @type {string} */ step) => console.error(`${part.name}: ${step}`),
    };
    console.log(JSON.stringify(await part.run(context), null, 1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
