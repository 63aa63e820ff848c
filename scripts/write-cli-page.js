// npm run docs:cli: renews the page of the documentation about the command line.
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { COMMANDS } from '../stacosys-hook/src/cli.js';
import { OPTIONS } from '../stacosys-hook/src/config.js';
import { cliPage } from './cli-page.js';
import { ROOT } from './tools.js';

const PAGE = join(ROOT, 'hugo-module', 'exampleSite', 'content', 'en', 'docs', 'cli.md');

writeFileSync(PAGE, cliPage(COMMANDS, OPTIONS));
console.log(`Written: ${relative(process.cwd(), PAGE)}`);
