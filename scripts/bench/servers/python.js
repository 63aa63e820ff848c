import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { benchPython } from '../../tools.js';

const FOLDER = fileURLToPath(new URL('python', import.meta.url));

const VERSIONS = `import importlib.metadata, json, platform, sys
versions = {name: importlib.metadata.version(name) for name in sys.argv[1:]}
print(json.dumps({"Python": platform.python_version(), **versions}))`;

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
  const { stdout, stderr } = spawnSync(benchPython() ?? 'python3', ['-c', VERSIONS, ...names], {
    encoding: 'utf8',
  });
  if (!stdout) throw new Error(`the versions of ${names.join(', ')} are not known: ${stderr}`);
  return JSON.parse(stdout);
}
