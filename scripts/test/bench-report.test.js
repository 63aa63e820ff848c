import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { PARTS } from '../bench/parts.js';
import { readRecords, writeRecord } from '../bench/records.js';
import { report } from '../bench/report.js';
import { spread } from '../bench/table.js';
import { writeReport } from '../bench/write-report.js';
import { ROOT } from '../tools.js';

/** @typedef {import('../bench/records.js').PartRecord} PartRecord */

const MACHINE = {
  processor: 'Abacus, 2 cores',
  memory: '4 GiB',
  system: 'Linux 6',
  load: '0.10',
  software: { Node: '24.0.0', Hugo: '0.168.0' },
};

/** @type {PartRecord} */
const RECORD = {
  name: 'readers',
  title: 'Readers',
  measured: {
    run: '2026-11-21T10:20:30.000Z',
    options: [],
    seconds: 61,
    machine: MACHINE,
    result: {
      about: 'In turns.\n',
      versions: { Flask: '3.1' },
      tables: [{ caption: 'Views', columns: ['of', 'per s'], rows: [['Flask | SQLite', '73']] }],
      charts: [
        {
          name: 'views',
          title: 'Views per second, of "all"',
          shape: 'bars',
          scale: 'log',
          better: 'more',
          points: [
            { label: 'Flask', values: [70, 73, 90] },
            { label: 'Baked <page>', values: [31_234, 30_000, 32_000], ours: true },
          ],
        },
      ],
      targets: [
        { what: 'baked ÷ Flask', values: [25, 24, 26.04], unit: '×', least: 25, why: 'it is met' },
        { what: 'errors', values: [1], unit: '', most: 0, why: 'one was made on purpose.' },
      ],
      skipped: ['Rust: no compiler'],
    },
  },
};

test('a report says the machine, the targets, and of each part what it measured and how', () => {
  const text = report([RECORD]);
  assert.equal(
    text.slice(text.indexOf('|  |  |')),
    `|  |  |
|---|---|
| run | 2026-11-21, 10:20 UTC |
| processor | Abacus, 2 cores |
| memory | 4 GiB |
| system | Linux 6 |
| load before | 0.10 (processes that wanted to run in the minute before) |
| software | Node 24.0.0, Hugo 0.168.0 |

## Targets

| part | what | measured | target |  |
|---|---|---|---|---|
| Readers | baked ÷ Flask | 25 × (24 to 26) | ≥ 25 × | met |
| Readers | errors | 1 | ≤ 0 | **missed** |

Why a target is missed, and what was tried:

- **errors**: one was made on purpose.

## Readers

<picture>
<source media="(prefers-color-scheme: dark)" srcset="scripts/bench/charts/readers-views-dark.svg">
<img src="scripts/bench/charts/readers-views-light.svg" width="480" alt="Views per second, of &quot;all&quot;. Baked &lt;page&gt; 31,200; Flask 73 (more is better · logarithmic).">
</picture>

**Views**

| of | per s |
|---|---|
| Flask \\| SQLite | 73 |

In turns.

Skipped:

- Rust: no compiler

<sub>\`npm run bench -- readers\`, about 60 seconds. Flask 3.1.</sub>
`,
  );
  assert.match(text, /The numbers of all tables are of one run on one machine/);
});

test('where the parts are of several runs, each section says its own', () => {
  const { measured } = RECORD;
  assert.ok(measured);
  const later = { ...measured, run: '2026-11-22T00:00:00.000Z', options: ['--quick'] };
  const text = report([RECORD, { name: 'bake', title: 'Bake', measured: later }]);
  assert.doesNotMatch(text, /of all tables are of one run|\| processor/);
  assert.match(
    text,
    /-- readers`, about 60 seconds\. 2026-11-21, 10:20 UTC: Abacus, 2 cores, 4 GiB, Linux 6\. Node 24\.0\.0, Hugo 0\.168\.0\. Flask 3\.1\./,
  );
  assert.match(text, /-- bake --quick`, about 60 seconds\. 2026-11-22, 00:00 UTC: Abacus/);
});

test('a part that was skipped, or never ran, has a section that says so', () => {
  const skipped = 'wrk could not be installed';
  const text = report([
    { ...RECORD, skipped },
    { name: 'bake', title: 'Bake', measured: null, skipped },
    { name: 'hugo', title: 'Hugo build', measured: null },
  ]);
  assert.match(
    text,
    /## Readers\n\n\*\*Skipped\*\* in the last run: wrk could not be installed\.\n\n<picture>/,
  );
  assert.match(
    text,
    /## Bake\n\n\*\*Skipped\*\* in the last run: wrk could not be installed\.\n\n## Hugo build\n\nNot measured yet\.\n$/,
  );
});

test('a record is read as it was written; the charts of parts that are gone go, too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-report-'));
  try {
    writeRecord(join(folder, 'results'), RECORD);
    const parts = ['hugo', 'readers'].map((name) => ({ ...PARTS[0], name, title: name }));
    const records = readRecords(join(folder, 'results'), /** @type {typeof PARTS} */ (parts));
    assert.deepEqual(records, [{ name: 'hugo', title: 'hugo', measured: null }, RECORD]);
    await writeReport(folder, records);
    const charts = join(folder, 'scripts', 'bench', 'charts');
    assert.deepEqual(readdirSync(charts), ['readers-views-dark.svg', 'readers-views-light.svg']);
    assert.equal(readFileSync(join(folder, 'BENCHMARKS.md'), 'utf8'), report(records));
    await writeReport(folder, records.slice(0, 1));
    assert.deepEqual(readdirSync(charts), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test(
  'BENCHMARKS.md is what the committed results say',
  { skip: !existsSync(join(ROOT, 'BENCHMARKS.md')) },
  () => {
    const records = readRecords(join(ROOT, 'scripts', 'bench', 'results'), PARTS);
    const found = readFileSync(join(ROOT, 'BENCHMARKS.md'), 'utf8');
    assert.equal(found, report(records), 'run: npm run bench -- --report');
  },
);

test('a number has three digits that count, and the least and the most of its rounds', () => {
  assert.equal(spread([22_164, 13_972, 24_842], '/s', 0), '22,200 /s (14,000 to 24,800)');
  assert.equal(spread([1.3, 1.26, 1.304], 's', 2), '1.30 s (1.26 to 1.30)');
  assert.equal(spread([12.513, 9.854], 's', 3), '11.2 s (9.85 to 12.5)');
  assert.equal(spread([0.0372], 's', 3), '0.037 s');
  assert.equal(spread([0], '%', 2), '0.00 %');
  assert.equal(spread([-1.774, -271.4, 79.7], 'ms', 0), '-2 ms (-271 to 80)');
});
