import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { ROOT } from './tools.js';

/**
 * The scripts of an article page, and what each may cost its readers: bytes, brotli.
 *
 * @type {Script[]}
 */
export const SCRIPTS = [
  { name: 'live', what: 'comments that the browser fetches', entry: inAssets('comments.ts'), budget: 2400 },
  { name: 'baked', what: 'comments that are baked', entry: inAssets('baked.ts'), budget: 1500 },
];

/**
 * @typedef {object} Script
 * @property {'live' | 'baked'} name
 * @property {string} what it is for
 * @property {string} entry its file
 * @property {number} budget
 *
 * @typedef {object} Bundle
 * @property {Uint8Array} code
 * @property {{name: string, bytes: number}[]} modules what each takes of the code, largest first
 *
 * @typedef {object} Sizes
 * @property {number} minified
 * @property {number} gzip
 * @property {number} brotli
 */

/** @param {string} file */
function inAssets(file) {
  return join(ROOT, 'assets', 'stacosys', file);
}

/**
 * Bundles as Hugo's js.Build does, which is esbuild as well, with the options of our layouts.
 *
 * @param {string} entry
 * @returns {Promise<Bundle>}
 */
export async function bundle(entry) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    target: 'es2020',
    format: 'esm',
    tsconfigRaw: {}, // Hugo sees none of our tsconfig files
    write: false,
    metafile: true,
    logLevel: 'silent', // the error that is thrown says it all
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const inputs = Object.values(metafile.outputs)[0]?.inputs ?? {};
  const modules = Object.entries(inputs)
    .map(([file, { bytesInOutput }]) => ({ name: basename(file), bytes: bytesInOutput }))
    .sort((a, b) => b.bytes - a.bytes);
  return { code, modules };
}

/**
 * @param {Uint8Array} code
 * @returns {Sizes} as a server sends it that compresses its files once
 */
export function sizesOf(code) {
  const best = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: code.length };
  return {
    minified: code.length,
    gzip: gzipSync(code, { level: 9 }).length,
    brotli: brotliCompressSync(code, { params: best }).length,
  };
}
