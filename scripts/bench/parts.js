import { pipelined } from './pipelined.js';
import { readers } from './readers.js';

/** @type {import('./part.js').Part[]} what `npm run bench` measures, in this order */
export const PARTS = [readers, pipelined];
