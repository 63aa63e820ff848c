import { bake } from './bake.js';
import { download } from './download.js';
import { hugo } from './hugo.js';
import { rebuild } from './rebuild.js';

/** @type {import('./part.js').Part[]} what `npm run bench` measures, in this order */
export const PARTS = [bake, hugo, rebuild, download];
