import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BENCH_PYTHON, benchPython } from '../bench-tools.js';

const FOLDER = fileURLToPath(new URL('python', import.meta.url));

const VERSIONS = `import importlib.metadata, json, platform, sys
versions = {name: importlib.metadata.version(name) for name in sys.argv[1:]}
print(json.dumps({"Python": platform.python_version(), **versions}))`;

const FOLDER_OF = `import importlib.util, sys
print(importlib.util.find_spec(sys.argv[1]).submodule_search_locations[0])`;

/**
 * @param {import('./with-processes.js').Start} start
 * @param {number} port
 * @param {string} module to run
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} process id
 */
export function startPython(start, port, module, args, env) {
  const quiet = { PYTHONDONTWRITEBYTECODE: '1' };
  const python = benchPython() ?? 'python3';
  return start({
    binary: python,
    args: ['-m', module, ...args],
    port,
    cwd: FOLDER,
    env: { ...quiet, ...env },
  });
}

/**
 * @param {string[]} names of packages
 * @returns {Record<string, string>} their versions, and that of Python
 */
export function pythonVersions(names) {
  return JSON.parse(pythonSays(VERSIONS, names));
}

/**
 * @param {string} name of a package
 * @returns {string} its folder
 */
export function pythonPackage(name) {
  return pythonSays(FOLDER_OF, [name]).trim();
}

/** @param {string} name of one that a package brings */
export function pythonProgram(name) {
  return join(BENCH_PYTHON, 'bin', name);
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function pythonSays(program, args) {
  const { stdout, stderr } = spawnSync(benchPython() ?? 'python3', ['-c', program, ...args], {
    encoding: 'utf8',
  });
  if (!stdout) throw new Error(`Python says nothing of ${args.join(', ')}: ${stderr}`);
  return stdout;
}

/** @param {number} workers */
export function workersText(workers) {
  return `${workers} ${workers === 1 ? 'worker' : 'workers'}`;
}
