import { basename, dirname } from 'node:path';
import { watch } from 'chokidar';

/**
 * Milliseconds after a file event at which to look. The event comes before the commit can be seen,
 * or while the writer still has its lock; all of these were needed in 300 commits at random moments.
 */
const LOOKS = [0, 50, 250, 1000];

const POLL = 1000; // milliseconds: where no event comes, as from a file that is bind-mounted alone

/**
 * Says when to look at a database; a wake-up is no change. Wakes on events of the file and of its
 * journals, and once a second.
 *
 * @param {string} file which may be missing, with its folder
 * @param {() => void} look
 * @param {(error: unknown) => void} onError of the events, such as too few inotify watches: the poll goes on
 * @returns {() => Promise<void>} ends it
 */
export function watchDatabase(file, look, onError) {
  const names = ['', '-wal', '-journal', '-shm'].map((suffix) => basename(file) + suffix);
  /** @type {NodeJS.Timeout[]} */
  let timers = [];
  const wake = () => {
    for (const timer of timers) clearTimeout(timer);
    timers = LOOKS.map((delay) => setTimeout(look, delay));
  };
  const poll = setInterval(look, POLL);
  const folder = dirname(file);
  const watcher = watch(folder, {
    depth: 0,
    ignored: (path) => path !== folder && !names.includes(basename(path)),
    ignoreInitial: true,
    atomic: false, // it would hold back the removal of the journal, which is the commit
  });
  watcher.on('all', wake).on('error', onError);
  return async () => {
    clearInterval(poll);
    for (const timer of timers) clearTimeout(timer);
    await watcher.close();
  };
}
