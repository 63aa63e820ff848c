/*
 * What `npm run bench` compares with, where scripts/setup.js installed it. Runs on Node 20 and without any package.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOOLS } from '../tools.js';

/** The virtual environment with the Python servers of the benchmark. */
export const BENCH_PYTHON = join(TOOLS, 'bench-python');

/** Where cargo builds the Rust server of the benchmark. */
export const BENCH_RUST = join(TOOLS, 'bench-rust');

/** The Go proxy of the benchmark. */
export const BENCH_GO = join(TOOLS, 'bench-go', 'go-proxy');

/** @returns {string | null} the Python that has the packages of the benchmark */
export function benchPython() {
  const python = join(BENCH_PYTHON, 'bin', 'python');
  return existsSync(join(BENCH_PYTHON, 'requirements.txt')) && existsSync(python) ? python : null;
}

/** @returns {string | null} the Go proxy of the benchmark, built */
export function benchGo() {
  return existsSync(BENCH_GO) ? BENCH_GO : null;
}

/** @returns {string | null} the Rust server of the benchmark, built */
export function benchRust() {
  const built = join(BENCH_RUST, 'release', 'count-server');
  return existsSync(built) ? built : null;
}

/** The clients of other comment systems, for the benchmarks alone: npm packages that are not among ours. */
export const BENCH_CLIENTS = join(TOOLS, 'bench-clients');

/**
 * @param {string} name of a package
 * @param {string} file in it
 */
export function benchClient(name, file) {
  return join(BENCH_CLIENTS, 'node_modules', name, file);
}

/** @param {string} name of a package */
export function benchClientVersion(name) {
  return String(JSON.parse(readFileSync(benchClient(name, 'package.json'), 'utf8')).version);
}

/** Not among our dependencies: only who asks it wants it, and the packages that it brings. */
export const LIGHTHOUSE = 'lighthouse@13.5.0';
