import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HUGO_VERSIONS } from '../../scripts/tools.js';
import { article } from '../../stacosys-hook/test/hugo-site.js';
import { build, makeSite } from './hugo-site.js';

const BASE = 'baseURL = "https://example.org/"\ndisableHugoGeneratorInject = true\n';

/** Formats that many a site has, with the media types and suffixes that ours could get in the way of. */
const OWN_FORMATS = `
[mediaTypes."application/atom+xml"]
suffixes = ["xml"]
[mediaTypes."application/feed+json"]
suffixes = ["json"]
[outputFormats.Atom]
mediaType = "application/atom+xml"
baseName = "atom"
[outputFormats.jsonfeed]
mediaType = "application/feed+json"
baseName = "feed"
isPlainText = true
[outputs]
home = ["html", "rss", "Atom", "jsonfeed", "json"]
section = ["html", "rss", "Atom"]
term = ["html", "rss", "json"]
`;

const FILES = {
  'content/post/a.md': article({ title: 'A', tags: ['x', 'y'], date: '2024-01-01' }),
  'content/page.md': article({ title: 'B & "b"' }),
  'assets/LICENSE': 'x',
  'assets/a.json': '{"a": 1}',
  'assets/a.xml': '<a/>',
  'layouts/_default/single.html': `{{ .Title }}{{ range .AlternativeOutputFormats }} {{ .MediaType.Type }}{{ end }}`,
  'layouts/_default/list.html': `{{ .Title }}{{ range .OutputFormats }} {{ .MediaType.Type }} {{ .Permalink }}{{ end }}
{{ range slice "LICENSE" "a.json" "a.xml" }}{{ (resources.Get .).MediaType }}{{ end }} {{ (resources.Get "a.json" | transform.Unmarshal).a }}`,
};

/** @type {Record<string, {config?: string, files?: Record<string, string>}>} */
const SITES = {
  'with the formats of Hugo': {},
  'with a feed of its own': { files: { 'layouts/_default/rss.xml': 'RSS {{ .Title }}' } },
  'with a template for all XML': { files: { 'layouts/_default/list.xml': 'XML {{ .Title }}' } },
  'with formats of its own': {
    config: OWN_FORMATS,
    files: {
      'layouts/_default/atom.xml': 'generic Atom {{ .Title }}',
      'layouts/_default/list.atom.xml': 'Atom {{ .Title }}',
      'layouts/_default/list.jsonfeed.json': '{"x": {{ .Title | jsonify }}}',
      'layouts/_default/list.json': '{"a": {{ "<b>" | jsonify }}, "b": "{{ "a<" }}"}',
    },
  },
  'that takes no formats of modules': {
    config: '[outputFormats]\n_merge = "none"\n[mediaTypes]\n_merge = "none"\n',
  },
};

for (const version of HUGO_VERSIONS) {
  for (const [what, { config = '', files = {} }] of Object.entries(SITES)) {
    test(`a site ${what}, which asks for nothing of the module, is the same without it (Hugo ${version})`, (t) => {
      const [without, using] = ['', 'theme = "hugo-stacosys"\n'].map((theme) => {
        const site = makeSite(t, { ...FILES, ...files, 'hugo.toml': BASE + theme + config });
        const { status, log, ...output } = build(site, version);
        assert.equal(status, 0, log);
        return Object.fromEntries(output.files().map((file) => [file, output.read(file)]));
      });
      assert.ok(using?.['index.html']);
      assert.deepEqual(using, without);
    });
  }
}
