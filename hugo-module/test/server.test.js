import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { write } from '../../stacosys-hook/src/write.js';
import { HUGO_VERSIONS } from '../../scripts/tools.js';
import { shows, startServer } from './hugo-server.js';
import { makeSite } from './hugo-site.js';

for (const version of HUGO_VERSIONS) {
  test(
    `hugo server shows a changed count or alias at once (Hugo ${version})`,
    { timeout: 60_000 },
    async (t) => {
      const site = makeSite(t, {
        'content/one.md': '---\ntitle: One\n---\n',
        'layouts/_default/single.html':
          '{{ partial "stacosys/count.html" . }}{{ partial "stacosys/comments.html" . }}',
        'data/stacosys/counts.json': '{"/one/": 3}',
      });
      const server = await startServer(t, site, version);
      const address = `${server.address}/one/`;
      await shows(address, '3 comments', t.signal);
      await shows(address, '<span class="stacosys-number">3<', t.signal);
      write(join(site, 'data', 'stacosys', 'counts.json'), '{"/one/": 4, "/old/": 5}');
      await shows(address, '4 comments', t.signal);
      await shows(address, '<span class="stacosys-number">4<', t.signal);
      write(join(site, 'content', 'one.md'), '---\ntitle: One\naliases: [/old/]\n---\n');
      await shows(address, '9 comments', t.signal);
      const page = await shows(address, '%2Fone%2F /api/comments?url=%2Fold%2F"', t.signal);
      const [, script = ''] = /<script [^>]*src="([^"]*)"/.exec(page) ?? [];
      assert.equal((await fetch(new URL(script, address))).status, 200);
      assert.ok(server.isRunning());
    },
  );
}
