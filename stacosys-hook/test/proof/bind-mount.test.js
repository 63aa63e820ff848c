/* Proof: where no file event comes, the poll suffices. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../database.js';
import { blog, moderateAnew } from './blog.js';
import { startService } from './service.js';

const ASIDE = ['unshare', ...(process.getuid?.() === 0 ? [] : ['--map-root-user']), '--mount'];
const { status } = spawnSync('unshare', [...ASIDE.slice(1), 'mount', '-t', 'tmpfs', 'none', '/mnt']);
const NO_MOUNT = status === 0 ? false : 'needs the right to mount (CAP_SYS_ADMIN)';

test('a database of which the file alone is bind-mounted is followed', { skip: NO_MOUNT }, async (t) => {
  const ours = blog(t);
  const mounted = join(temporaryFolder(t), 'db.sqlite');
  writeFileSync(mounted, '');
  const within = [...ASIDE, 'sh', '-c', 'mount --bind "$1" "$2" && shift 2 && exec "$@"', 'sh'];
  const service = startService(
    t,
    { ...ours, database: mounted },
    { within: [...within, ours.database, mounted] },
  );
  await service.says('published');
  for (let turn = 0; turn < 3; turn += 1) await service.shows(moderateAnew(ours));
});
