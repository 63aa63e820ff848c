import { bake } from './bake.js';
import { download } from './download.js';
import { hugo } from './hugo.js';
import { pipelined } from './pipelined.js';
import { readers } from './readers.js';
import { rebuild } from './rebuild.js';

/** @type {import('./part.js').Part[]} what `npm run bench` measures, in this order */
export const PARTS = [readers, pipelined, bake, hugo, rebuild, download];
