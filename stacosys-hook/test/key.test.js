import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalKey, otherSpellings } from '../src/key.js';

/** @type {[url: string, key: string | null][]} */
const CASES = [
  // the intended form
  ['/2024/slug/', '/2024/slug/'],
  ['/', '/'],
  ['/a-b_c.d~e/', '/a-b_c.d~e/'],

  // slashes
  ['2024/slug/', '/2024/slug/'],
  ['/2024/slug', '/2024/slug/'],
  ['2024/slug', '/2024/slug/'],
  ['slug', '/slug/'],
  ['/2021/slug//', '/2021/slug/'],
  ['//2021///slug////', '/2021/slug/'],
  ['2021/slug//', '/2021/slug/'],
  ['//', '/'],
  ['/a%2Fb/', '/a/b/'],
  ['/a%2F%2fb', '/a/b/'],

  // file names
  ['slug.html', '/slug.html'],
  ['/migration-du-blog-sous-pelican.html', '/migration-du-blog-sous-pelican.html'],
  ['/2017//old.htm', '/2017/old.htm'],
  ['/feed.xml', '/feed.xml'],
  ['/page.php', '/page.php'],
  ['/Old.HTML', '/Old.HTML'],
  ['/été.html', '/%C3%A9t%C3%A9.html'],
  ['/html', '/html/'],
  ['/release-1.0', '/release-1.0/'],
  ['/v2.0/', '/v2.0/'],
  ['/node.js', '/node.js/'],
  ['/a.html/b', '/a.html/b/'],

  // index.html
  ['/2024/slug/index.html', '/2024/slug/'],
  ['index.html', '/'],
  ['/2024/slug/index.html?a=1#top', '/2024/slug/'],
  ['/2024/slug/%69ndex.html', '/2024/slug/'],
  ['/2024/my-index.html', '/2024/my-index.html'],
  ['/index.html/comments/', '/index.html/comments/'],

  // absolute, with query and fragment
  ['https://blog.example/2024/slug/', '/2024/slug/'],
  ['HTTP://blog.example:8080/2024/slug', '/2024/slug/'],
  ['https://user@blog.example/2024/slug/?q=1#frag', '/2024/slug/'],
  ['https://blog.example', '/'],
  ['https://blog.example/', '/'],
  ['https://blog.example?utm_source=feed', '/'],
  ['https://blog.example//2024/slug//', '/2024/slug/'],
  ['/2024/slug/?utm_source=feed', '/2024/slug/'],
  ['/2024/slug/#comments', '/2024/slug/'],
  ['/2024/slug?a=/b/#/c/', '/2024/slug/'],
  ['/2024/slug/#multi\nline', '/2024/slug/'],
  ['/go/https://other.example/x/', '/go/https:/other.example/x/'],

  // percent-encoding and Unicode
  ['/h%C3%A9bergement/', '/h%C3%A9bergement/'],
  ['/h%c3%a9bergement/', '/h%C3%A9bergement/'],
  ['/hébergement/', '/h%C3%A9bergement/'],
  ['/he\u0301bergement/', '/h%C3%A9bergement/'],
  ['/he%CC%81bergement/', '/h%C3%A9bergement/'],
  ['/日本語/', '/%E6%97%A5%E6%9C%AC%E8%AA%9E/'],
  ['/مدونة/', '/%D9%85%D8%AF%D9%88%D9%86%D8%A9/'],
  ['/🎉/', '/%F0%9F%8E%89/'],
  ['/%F0%9F%8E%89', '/%F0%9F%8E%89/'],
  ['/%61%62c/', '/abc/'],
  ['/a b/', '/a%20b/'],
  ['/a%20b/', '/a%20b/'],
  ['/a+b/', '/a+b/'],
  ['/a%2Bb/', '/a+b/'],
  ['/a&b/', '/a&b/'],
  ['/a%26b/', '/a&b/'],
  ["/it's/", "/it's/"],
  ['/it%27s/', "/it's/"],
  ['/a=b;c,d:e@f$g!h*i/', '/a=b;c,d:e@f$g!h*i/'],
  ['/a"b<c>d/', '/a%22b%3Cc%3Ed/'],
  ['/why%3F/', '/why%3F/'],
  ['/c%23/', '/c%23/'],
  ['/a\tb\0c/', '/a%09b%00c/'],

  // Go escapes these only where something else in the path needs an escape
  ['/foo(bar)/', '/foo(bar)/'],
  ['/foo%28bar%29/', '/foo(bar)/'],
  ['/foo(é)/', '/foo%28%C3%A9%29/'],
  ['/foo%28%C3%A9%29/', '/foo%28%C3%A9%29/'],
  ["/it's été/", '/it%27s%20%C3%A9t%C3%A9/'],
  ['/a[1]/', '/a[1]/'],
  ['/a[1]é/', '/a%5B1%5D%C3%A9/'],
  ['/a+b&cé/', '/a+b&c%C3%A9/'],

  // escapes that are none
  ['/100%/', '/100%25/'],
  ['/100%25/', '/100%25/'],
  ['/%zz/', '/%25zz/'],
  ['/%FF/', '/%25FF/'],
  ['/%25FF/', '/%25FF/'],
  ['/%C3/', '/%25C3/'],
  ['/%2541/', '/%2541/'],
  ['%', '/%25/'],
  ['/\ud800/', '/%EF%BF%BD/'],

  // kept as they are
  ['/2024/Slug/', '/2024/Slug/'],
  ['/a/./b/', '/a/./b/'],
  ['/a/../b/', '/a/../b/'],
  ['/a/..', '/a/../'],
  ['/.', '/./'],
  ['constructor', '/constructor/'],
  ['__proto__', '/__proto__/'],

  // white space around a url
  [' /2024/slug/ ', '/2024/slug/'],
  ['/2024/slug/\r\n', '/2024/slug/'],

  // no path at all
  ['', null],
  [' ', null],
  ['\t\r\n', null],
  ['\u00a0', null],
  ['%20', null],
  ['?a=1', null],
  ['#comments', null],
  [' ?a=1', null],
];

for (const [url, key] of CASES) {
  test(`${JSON.stringify(url)} gives ${key === null ? 'no key' : `the key ${key}`}`, () => {
    assert.equal(canonicalKey(url), key);
  });
}

const RUNS = { numRuns: 1000 };

const urlish = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'/%%%?#.:()[]\'"!*+&=~-_ \t\0abcXYZ0129'),
      fc.constantFrom('//', '/', '%2F', '%2f', '%25', '%', '%C3%A9', '%c3%a9', '%FF', '%CC%81', '%E2%84%AA'),
      fc.constantFrom('é', 'e\u0301', '\u0301', 'Å', '\u212b', '한', '\u1112\u1161\u11ab', '🎉', '\ud83c'),
      fc.constantFrom(
        'https://blog.example',
        'http://',
        'index.html',
        '.html',
        '%2Ehtml',
        '.',
        '..',
        '\u2028',
      ),
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));

/** @type {[what: string, arbitrary: fc.Arbitrary<string>][]} */
const ARBITRARIES = [
  ['any text', fc.string({ unit: 'binary', maxLength: 60 })],
  ['any web url', fc.webUrl({ withFragments: true, withQueryParameters: true })],
  ['anything that looks like a url', urlish],
];

for (const [what, arbitrary] of ARBITRARIES) {
  test(`${what} gives no key or one that is a rooted ASCII path`, () => {
    fc.assert(
      fc.property(arbitrary, (url) => {
        const key = canonicalKey(url);
        if (key === null) return;
        assert.match(key, /^\/(?!\/)[\x21-\x7e]*$/);
        assert.doesNotMatch(key, /\/\/|[?# ]/);
      }),
      RUNS,
    );
  });

  test(`the key of ${what} is its own key`, () => {
    fc.assert(
      fc.property(arbitrary, (url) => {
        const key = canonicalKey(url);
        if (key !== null) assert.equal(canonicalKey(key), key);
      }),
      RUNS,
    );
  });

  test(`every other spelling of ${what} leads back to its key and is not the key`, () => {
    fc.assert(
      fc.property(arbitrary, (url) => {
        const key = canonicalKey(url);
        if (key === null) return;
        for (const spelling of otherSpellings(url, key)) {
          assert.equal(canonicalKey(spelling), key);
          assert.notEqual(spelling, key);
        }
      }),
      RUNS,
    );
  });
}

const segment = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'abcXYZ0129-_~ +&\'()%?#"[]'),
      fc.constantFrom('é', 'ñ', 'Å', '한', '日', 'م', '🎉'),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((characters) => characters.join(''))
  .filter((text) => text.trim() === text);

test('all forms of one path give one key', () => {
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
      /** @param {(segment: string) => string} encode */
      const path = (encode) => `/${segments.map(encode).join('/')}/`;
      const encoded = path(encodeURIComponent);
      const key = canonicalKey(encoded);
      const forms = {
        'lower-case escapes': encoded.replace(/%../g, (escape) => escape.toLowerCase()),
        'everything escaped': path((text) =>
          Buffer.from(text).reduce((all, byte) => `${all}%${byte.toString(16).padStart(2, '0')}`, ''),
        ),
        'NFD, escaped': path((text) => encodeURIComponent(text.normalize('NFD'))),
        'not escaped': path((text) => text.replace(/[%?#]/g, encodeURIComponent)),
        'NFD, not escaped': path((text) => text.replace(/[%?#]/g, encodeURIComponent).normalize('NFD')),
        'no leading slash': encoded.slice(1),
        'no trailing slash': encoded.slice(0, -1),
        'neither slash': encoded.slice(1, -1),
        'doubled trailing slash': `${encoded}/`,
        'doubled slashes': encoded.replaceAll('/', '//'),
        absolute: `https://blog.example${encoded}`,
        'absolute, with query and fragment': `https://blog.example${encoded}?a=/b/#/c/`,
        'the file in it': `${encoded}index.html`,
        'white space around it': ` ${encoded}\n`,
      };
      for (const [what, form] of Object.entries(forms)) assert.equal(canonicalKey(form), key, what);
    }),
    { numRuns: 500 },
  );
});

test('two paths that differ after decoding never share a key', () => {
  const path = fc
    .array(segment, { minLength: 1, maxLength: 3 })
    .map((segments) => `/${segments.map(encodeURIComponent).join('/')}/`);
  fc.assert(
    fc.property(path, path, (one, other) => {
      const isSame = decodeURIComponent(one).normalize('NFC') === decodeURIComponent(other).normalize('NFC');
      assert.equal(canonicalKey(one) === canonicalKey(other), isSame);
    }),
    { numRuns: 500 },
  );
});

test('a plain path has no other spelling', () => {
  assert.deepEqual(otherSpellings('/2024/slug/', '/2024/slug/'), []);
  assert.deepEqual(otherSpellings('2024/slug', '/2024/slug/'), []);
});

test('a path with an accent has the spelling of a file name in NFD', () => {
  assert.deepEqual(otherSpellings('/été/', '/%C3%A9t%C3%A9/'), ['/e%CC%81te%CC%81/']);
});

test('a path stored with an escape that Hugo keeps in front matter has that spelling', () => {
  assert.deepEqual(otherSpellings('/foo%28bar%29/', '/foo(bar)/'), ['/foo%28bar%29/']);
});

test('a url longer than any address that a web server takes names no page', () => {
  assert.equal(canonicalKey(`/${'a'.repeat(8190)}/`), `/${'a'.repeat(8190)}/`);
  assert.equal(canonicalKey(`/${'a'.repeat(8191)}/`), null);
  assert.equal(canonicalKey(`/${'é'.repeat(2000)}/`), null, 'its escapes count');
  assert.equal(canonicalKey(`/${'é%C3%A9(//'.repeat(50_000)}`), null);
});
