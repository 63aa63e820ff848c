import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HUGO_VERSIONS } from '../../scripts/tools.js';
import { run } from '../../stacosys-hook/test/command-line.js';
import { edit, fixture } from '../../stacosys-hook/test/database.js';
import { CONFIG, STRICT, build, makeSite } from './hugo-site.js';

/** What somebody entrusted to Stacosys alone: it must be in no byte of what is published. */
const PLANTED = {
  author_email: 'planted-mail@secret.example',
  author_gravatar: 'planted-avatar@secret.example',
  ip: '203.0.113.77',
};
const PENDING = 'planted-pending-text';
const TOKEN = 'planted-site-token';

/** Everything that the module can put into a site. */
const FILES = {
  'hugo.toml': `${CONFIG.replace(/^disableKinds.*$/m, 'disableKinds = ["taxonomy", "term", "404"]')}
[outputs]
  home = ["HTML", "stacosysRSS", "stacosysAtom", "stacosysJSON", "stacosysComments"]
  page = ["HTML", "stacosysComments"]
[params.stacosys]
  comments = "baked"
  avatars = "gravatar"
  newSince = true
`,
  'layouts/_default/single.html':
    '{{ partial "stacosys/json-ld.html" . }}{{ partial "stacosys/count.html" . }}{{ partial "stacosys/comments.html" . }}',
  'layouts/index.html': `{{ partial "stacosys/recent-comments.html" (dict "page" .) }}{{ partial "stacosys/most-discussed.html" (dict "page" .) }}
{{ range site.RegularPages }}{{ partial "stacosys/count.html" . }}{{ end }}`,
};

for (const [name, url, site] of [
  ['gen-a-2015', '/2017/hello/', true],
  ['gen-b-2017', '/2017/hello/', true],
  ['gen-c-1.1', '/2019/hello/', true],
  ['gen-d-2.0', '/2021/hello/', false],
  ['gen-d-migrated', '/2019/hello/', false],
  ['gen-f-3.4', '/2024/hello/', false],
]) {
  test(`no address, no IP, no token and nothing pending is in any byte of the site: ${name}`, (t) => {
    const db = fixture(t, String(name));
    const chosen = plant(db, String(url));
    const page = `---\ntitle: Hello\nurl: ${url}\n---\n`;
    const folder = makeSite(t, { ...FILES, 'content/hello.md': page });
    const { status, stderr } = run(folder, ['bake', '--db', db, ...(site ? ['--site', chosen] : [])]);
    assert.equal(status, 0, stderr);
    for (const version of HUGO_VERSIONS) {
      const output = build(folder, version, [...STRICT, '--minify']);
      assert.equal(output.status, 0, output.log);
      assert.match(output.read(`.${url}index.html`), /published-and-shown/, 'else there is nothing to see');
      for (const file of output.files()) {
        const bytes = output.read(file);
        for (const secret of [...Object.values(PLANTED), PENDING, TOKEN]) {
          assert.ok(!bytes.includes(secret), `${secret} in ${file}`);
        }
      }
    }
  });
}

/**
 * @param {string} db
 * @param {string} url
 * @returns {string} the name of its first site; '' where there is one site only
 */
function plant(db, url) {
  let chosen = '';
  edit(db, (database) => {
    const columns = database.prepare(`SELECT name FROM pragma_table_info('comment')`).pluck().all();
    for (const [column, secret] of Object.entries(PLANTED)) {
      if (columns.includes(column)) database.prepare(`UPDATE comment SET ${column} = ?`).run(secret);
    }
    database.prepare('UPDATE comment SET content = ? WHERE published IS NULL').run(PENDING);
    database
      .prepare('UPDATE comment SET content = ? WHERE published IS NOT NULL AND url = ?')
      .run('published-and-shown', url);
    if (!columns.includes('site_id')) return;
    database.prepare('UPDATE site SET token = ?').run(TOKEN);
    const find =
      'SELECT name FROM site WHERE id = (SELECT site_id FROM comment WHERE url = ? AND published IS NOT NULL)';
    chosen = String(database.prepare(find).pluck().get(url));
  });
  return chosen;
}
