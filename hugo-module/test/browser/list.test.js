import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CommentTable } from '../../../scripts/comment-table.js';
import { devStacosys } from '../../../scripts/dev-stacosys.js';
import { DESKTOP, PHONE, answeredBy, exampleSite, serve, visit } from '../browser.js';
import {
  ARTICLES,
  TALL,
  always,
  askedFor,
  comment,
  framesPassed,
  looksRight,
  readingSite,
  requestsElsewhere,
  scrollToComments,
  shown,
  told,
} from './reading-site.js';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('./reading-site.js').Comment} Comment
 */

const MORNING = comment({ author: 'Mia', content: 'First!', date: '2024-01-02 09:00:00' });
const NOON = comment({ author: 'Karim', content: 'Second.', date: '2024-01-02 12:00:00' });
const EVENING = comment({ author: 'Zoé', content: 'Third.', date: '2024-01-02 19:30:00' });

test('the list is fetched when the section is 300 px from the window, once, and not before', async (t) => {
  const site = await serve(t, readingSite(t), always(MORNING));
  const { page, problems } = await visit(t, site.address + TALL);
  await framesPassed(page);
  await scrollTo(page, 320);
  await framesPassed(page);
  assert.deepEqual(askedFor(site), []);
  await scrollTo(page, 280);
  await told(page, 'load');
  for (const distance of [2000, 0, 2000, 100]) {
    await scrollTo(page, distance);
    await framesPassed(page);
  }
  assert.deepEqual(askedFor(site), [TALL]);
  assert.equal((await shown(page)).length, 1);
  assert.deepEqual(problems, []);
});

/** What Web Vitals call good. @see https://web.dev/articles/cls */
const GOOD_SHIFT = 0.1;

for (const count of [0, 1, 3, 12]) {
  test(`the form does not jump under the eyes of a reader when ${count} comments come`, async (t) => {
    const folder = readingSite(t, { files: { 'data/stacosys/counts.json': `{"/article/": ${count}}` } });
    const comments = Array.from({ length: count }, (_, minute) =>
      comment({ content: 'Well said. '.repeat(20), date: `2024-01-02 10:${10 + minute}:00` }),
    );
    const site = await serve(t, folder);
    for (const size of [PHONE, DESKTOP]) {
      const { promise: answered, resolve: answer } = Promise.withResolvers();
      site.api = async () => {
        await answered;
        return always(...comments)();
      };
      const { page } = await visit(t, 'about:blank');
      await page.setViewportSize(size);
      await page.addInitScript(noteShifts);
      await page.goto(`${site.address}/article/`);
      await told(page, 'busy');
      await framesPassed(page);
      answer(null);
      await told(page, 'load');
      await framesPassed(page);
      assert.equal((await shown(page)).length, count);
      const shift = await page.evaluate(() => Reflect.get(globalThis, 'shift'));
      assert.ok(shift < GOOD_SHIFT, `a shift of ${shift} in a window ${size.width} px wide`);
    }
  });
}

test('the room for the list is for a window, and goes where its script does not come', async (t) => {
  const folder = readingSite(t, { files: { 'data/stacosys/counts.json': '{"/article/": 12}' } });
  const site = await serve(t, folder, always(MORNING));
  const { page } = await visit(t, 'about:blank');
  await page.route('**/*.js', (route) => route.abort());
  await page.goto(`${site.address}/article/`);
  const height = () => page.locator('.stacosys-room').evaluate((room) => room.getBoundingClientRect().height);
  assert.equal(await height(), 1120);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await height(), 0);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  assert.equal(await height(), 0);
});

/** In the page: the sum of its layout shifts. */
function noteShifts() {
  Reflect.set(globalThis, 'shift', 0);
  const note = (/** @type {PerformanceObserverEntryList} */ list) => {
    for (const entry of list.getEntries()) {
      Reflect.set(globalThis, 'shift', Reflect.get(globalThis, 'shift') + Reflect.get(entry, 'value'));
    }
  };
  new PerformanceObserver(note).observe({ type: 'layout-shift', buffered: true });
}

test('an address with #comments loads the list at once, however far below it is', async (t) => {
  const folder = readingSite(t, { params: 'load = "click"' });
  const site = await serve(t, folder, always(MORNING));
  const { page } = await visit(t, `${site.address}${TALL}#comments`);
  await told(page, 'load');
  await comesIntoWindow(page, '#comments');
  assert.deepEqual(askedFor(site), [TALL]);
});

test('an address of a comment leads to that comment', async (t) => {
  const many = Array.from({ length: 40 }, (_, index) =>
    comment({ author: `Reader ${index}`, date: `2024-01-02 10:${String(index).padStart(2, '0')}:00` }),
  );
  const site = await serve(t, readingSite(t), always(...many));
  const { page, problems } = await visit(t, `${site.address}${TALL}#comment-20240102103000`);
  await told(page, 'load');
  await comesIntoWindow(page, ':target');
  assert.equal(await page.locator(':target .stacosys-author').textContent(), 'Reader 30');
  await page.goBack(); // the jump added nothing to the history
  assert.equal(page.url(), 'about:blank');
  assert.deepEqual(askedFor(site), [TALL]);
  assert.deepEqual(problems, []);
});

test('an address of a comment that is gone shows the list all the same', async (t) => {
  const site = await serve(t, readingSite(t), always(MORNING));
  const { page, problems } = await visit(t, `${site.address}/article/#comment-19990101000000`);
  await told(page, 'load');
  assert.equal((await shown(page)).length, 1);
  assert.deepEqual(problems, []);
});

test('with load = "click" the list comes at the press of a button', async (t) => {
  const folder = readingSite(t, { params: 'load = "click"' });
  const site = await serve(t, folder, always(MORNING));
  for (const [language, path] of Object.entries(ARTICLES)) {
    const { page, problems } = await visit(t, site.address + path);
    await scrollToComments(page);
    await framesPassed(page);
    assert.deepEqual(askedFor(site), []);
    await looksRight(page, `click-${language}`);
    await page.locator('.stacosys-load').focus();
    await page.keyboard.press('Enter');
    await told(page, 'load');
    assert.equal((await shown(page)).length, 1);
    assert.deepEqual(askedFor(site), [path]);
    assert.deepEqual(problems, []);
    site.requests.length = 0;
  }
});

test('a click beside the button asks for nothing, nor does one while the list is on its way', async (t) => {
  const folder = readingSite(t, { params: 'load = "click"' });
  const site = await serve(t, folder, always(MORNING));
  const { page } = await visit(t, site.address + ARTICLES.en);
  await page.locator('.stacosys-status').click({ position: { x: 500, y: 10 } });
  await framesPassed(page);
  assert.deepEqual(askedFor(site), []);
  const { promise: answered, resolve: answer } = Promise.withResolvers();
  site.api = async () => {
    await answered;
    return always(MORNING)();
  };
  await page.locator('.stacosys-load').click();
  await page.locator('.stacosys-status .on-busy').click();
  await framesPassed(page);
  answer(null);
  await told(page, 'load');
  assert.deepEqual(askedFor(site), [ARTICLES.en]);
});

test('a page of the example site shows as many comments as it was baked with', async (t) => {
  const { output, database } = await exampleSite();
  const stacosys = devStacosys({ comments: new CommentTable(database) });
  const site = await serve(t, output, await answeredBy(t, stacosys));
  const articles = articlesOf(output);
  const withForms = articles.filter(({ requests }) => requests.length > 1);
  const withOne = articles.filter(({ requests }) => requests.length === 1);
  assert.ok(withForms.length > 3, 'the demo has comments under odd urls');
  for (const { path, requests } of [...withForms.slice(0, 4), ...withOne.slice(0, 2)]) {
    site.requests.length = 0;
    const { page, problems } = await visit(t, site.address + path);
    const baked = Number(await page.locator('.stacosys-number').textContent());
    await scrollToComments(page);
    await told(page, 'load');
    const dates = (await shown(page)).map(({ datetime }) => datetime);
    assert.equal(dates.length, baked, path);
    assert.deepEqual(dates, dates.toSorted(), path);
    assert.equal(Number(await page.locator('.stacosys-number').textContent()), baked);
    const sent = site.requests.map(({ url }) => url).filter((url) => url.startsWith('/api/'));
    assert.deepEqual(sent.sort(), requests.sort());
    assert.deepEqual(problems, []);
  }
});

test('comments of several url forms are shown by their dates', async (t) => {
  const files = {
    'data/stacosys/counts.json': '{"/article/": 3}',
    'data/stacosys/forms.json': '{"/article/": ["/article/", "article", "/Article é/?a=1&b=2#c"]}',
  };
  const site = await serve(t, readingSite(t, { files }), ({ url }) => {
    const form = new URL(url).searchParams.get('url');
    const data = { '/article/': [NOON], article: [EVENING], '/Article é/?a=1&b=2#c': [MORNING] };
    return Response.json({ data: Object(data)[String(form)] });
  });
  const { page } = await visit(t, site.address + ARTICLES.en);
  await told(page, 'load');
  assert.deepEqual(
    (await shown(page)).map(({ author }) => author),
    ['Mia', 'Karim', 'Zoé'],
  );
  assert.equal(askedFor(site).length, 3);
});

test('a name leads to its site only where that is a web address, and passes nothing on', async (t) => {
  const sites = {
    'https://wren.example/notes?a=1': 'https://wren.example/notes?a=1',
    'http://zoe.example': 'http://zoe.example',
    'HTTPS://LOUD.EXAMPLE/': 'HTTPS://LOUD.EXAMPLE/',
    '': null,
    'wren.example': null,
    '//wren.example': null,
    '/newcomment': null,
    'ftp://wren.example/': null,
    'mailto:wren@wren.example': null,
    'javascript:alert(1)//https://': null,
  };
  const comments = Object.keys(sites).map((address) => comment({ site: address }));
  const site = await serve(t, readingSite(t), always(...comments, comment(), comment({ site: null })));
  const { page, problems } = await visit(t, site.address + ARTICLES.en);
  await told(page, 'load');
  const names = await shown(page);
  assert.deepEqual(
    names.map((name) => name.site),
    [...Object.values(sites), null, null],
  );
  const linked = names.filter((name) => name.site !== null);
  assert.ok(linked.every(({ rel }) => rel === 'nofollow ugc noopener'));
  assert.deepEqual(problems, []);
});

/** Days on which the clocks of some places skip or repeat the hour, and midnights. */
const DATES = {
  '2024-03-10 02:30:00': ['March 10, 2024 at 2:30 AM', '10 mars 2024 à 02:30', '10 مارس 2024 في 2:30 ص'],
  '2024-04-07 02:30:00': ['April 7, 2024 at 2:30 AM', '7 avril 2024 à 02:30', '7 أبريل 2024 في 2:30 ص'],
  '2024-09-29 02:30:00': [
    'September 29, 2024 at 2:30 AM',
    '29 septembre 2024 à 02:30',
    '29 سبتمبر 2024 في 2:30 ص',
  ],
  '2024-12-31 23:59:59': [
    'December 31, 2024 at 11:59 PM',
    '31 décembre 2024 à 23:59',
    '31 ديسمبر 2024 في 11:59 م',
  ],
};

for (const timezoneId of ['Pacific/Auckland', 'America/Los_Angeles']) {
  test(`a date is shown as Stacosys wrote it, in the page's language (${timezoneId})`, async (t) => {
    const dates = Object.keys(DATES);
    const site = await serve(t, readingSite(t), always(...dates.map((date) => comment({ date }))));
    for (const [place, path] of Object.values(ARTICLES).entries()) {
      const { page } = await visit(t, site.address + path, { timezoneId, locale: 'de-DE' });
      await told(page, 'load');
      const times = await shown(page);
      assert.deepEqual(
        times.map(({ date }) => date),
        Object.values(DATES).map((texts) => texts[place]),
      );
      assert.deepEqual(
        times.map(({ datetime }) => datetime),
        dates,
      );
    }
  });
}

test('every comment has an address of its own, which stays when another comes', async (t) => {
  const twins = [NOON, comment({ author: 'Twin', date: NOON.date }), comment({ date: NOON.date })];
  const site = await serve(t, readingSite(t), always(MORNING, ...twins));
  const { page } = await visit(t, site.address + ARTICLES.en);
  await told(page, 'load');
  const before = await shown(page);
  const ids = before.map(({ id }) => id);
  assert.equal(new Set(ids).size, 4);
  for (const { id, permalink } of before) {
    assert.match(id, /^comment-\d+/);
    assert.equal(permalink, `#${id}`);
  }
  site.api = always(MORNING, ...twins, comment({ author: 'Late', date: NOON.date }), EVENING);
  await page.reload();
  await told(page, 'load');
  const after = (await shown(page)).map(({ id }) => id);
  assert.deepEqual(after.slice(0, 4), ids);
  assert.equal(new Set(after).size, 6);
});

test('a permalink leads to its comment', async (t) => {
  const site = await serve(t, readingSite(t), always(MORNING, NOON, NOON));
  const { page } = await visit(t, site.address + ARTICLES.en);
  await told(page, 'load');
  for (const { id } of await shown(page)) {
    await page.locator(`[href="#${id}"]`).click();
    assert.equal(await page.locator(':target').getAttribute('id'), id);
  }
});

test('without avatars no picture is asked for', async (t) => {
  const site = await serve(t, readingSite(t), always(comment({ avatar: HASH })));
  const { page } = await visit(t, site.address + ARTICLES.en);
  const elsewhere = requestsElsewhere(page, site.address);
  await told(page, 'load');
  await page.waitForLoadState('networkidle');
  assert.equal(await page.locator('.stacosys-list .stacosys-avatar').isVisible(), false);
  assert.deepEqual(elsewhere, []);
});

test('pictures come from Gravatar by their hash, and from nowhere else', async (t) => {
  const avatars = [
    HASH,
    null,
    undefined,
    '',
    '../../evil',
    '//evil.example/a.png',
    '"><script>',
    'javascript:1',
  ];
  const comments = avatars.map((avatar) => comment({ avatar, author: '<b>A</b>' }));
  const site = await serve(t, readingSite(t, { params: 'avatars = "gravatar"' }), always(...comments));
  const { page } = await visit(t, `${site.address}${TALL}`);
  /** @type {{url: string, referrer: string | undefined}[]} */
  const pictures = [];
  await page.route('https://www.gravatar.com/**', async (route) => {
    const request = route.request();
    pictures.push({ url: request.url(), referrer: (await request.allHeaders()).referer });
    await route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  });
  const elsewhere = requestsElsewhere(page, site.address);
  await allowPictures(page);
  await page.reload();
  await scrollToComments(page);
  await told(page, 'load');
  await page.waitForFunction(
    () => document.querySelectorAll('.stacosys-list img:not([src=""])').length === 8,
  );
  await page.waitForLoadState('networkidle');
  assert.ok(pictures.some(({ url }) => url === `https://www.gravatar.com/avatar/${HASH}?d=mp`));
  assert.ok(pictures.every(({ referrer }) => referrer === undefined));
  assert.deepEqual(
    elsewhere.filter((url) => !url.startsWith('https://www.gravatar.com/')),
    [],
  );
  const images = page.locator('.stacosys-list img');
  const attributes = await images.evaluateAll((all) => all.map((image) => image.getAttributeNames().join()));
  assert.deepEqual(new Set(attributes), new Set(['class,src,alt,width,height,loading,referrerpolicy']));
});

test('initials are whole characters of a name', async (t) => {
  const names = { Mia: 'M', '👩‍🌾 Anna': '👩', ليلى: 'ل', '𝒜da': '𝒜', 老张: '老', '<b>': '<', '': '' };
  const comments = Object.keys(names).map((author) => comment({ author }));
  const folder = readingSite(t, { params: 'avatars = "initials"' });
  const site = await serve(t, folder, always(...comments));
  const { page, problems } = await visit(t, site.address + ARTICLES.en);
  const elsewhere = requestsElsewhere(page, site.address);
  await told(page, 'load');
  const avatars = page.locator('.stacosys-list .stacosys-avatar');
  assert.deepEqual(await avatars.allTextContents(), Object.values(names));
  assert.ok(await avatars.first().isVisible());
  await looksRight(page, 'initials', TWO_VIEWS);
  assert.deepEqual(elsewhere, []);
  assert.deepEqual(problems, []);
});

test('the heading is corrected where the page was baked before the last comment', async (t) => {
  const files = { 'data/stacosys/counts.json': '{"/article/": 7}' };
  const site = await serve(t, readingSite(t, { params: 'load = "click"', files }), always(MORNING, NOON));
  const { page } = await visit(t, site.address + ARTICLES.en);
  const number = page.locator('.stacosys-number');
  assert.equal(await number.textContent(), '7');
  await page.locator('.stacosys-load').click();
  await told(page, 'load');
  assert.equal(await number.textContent(), '2');
});

test('a list page has neither script nor request', async (t) => {
  const site = await serve(t, readingSite(t), always(MORNING));
  const { page } = await visit(t, `${site.address}/`);
  await page.waitForLoadState('networkidle');
  assert.equal(await page.locator('script').count(), 0);
  assert.ok((await page.locator('.stacosys-count').count()) > 0);
  const asked = site.requests.map(({ url }) => url).filter((url) => url !== '/favicon.ico');
  assert.deepEqual(asked, ['/']);
});

test('a theme that calls the partial twice loads and runs the script once', async (t) => {
  const twice = `<!doctype html><html lang="en"><title>Twice</title>
{{ partial "comments.html" . }}{{ partial "stacosys/comments.html" . }}</html>`;
  const files = { 'layouts/_default/single.html': twice };
  const site = await serve(t, readingSite(t, { files }), always(MORNING));
  const { page, problems } = await visit(t, site.address + ARTICLES.en);
  await told(page, 'load');
  await page.waitForLoadState('networkidle');
  assert.equal(site.requests.filter(({ url }) => url.endsWith('.js')).length, 1);
  assert.deepEqual(askedFor(site), [ARTICLES.en]);
  assert.equal((await shown(page)).length, 1);
  assert.deepEqual(problems, []);
});

test('stacosys:load bubbles to the document with the comments', async (t) => {
  const folder = readingSite(t, { params: 'load = "click"' });
  const site = await serve(t, folder, always(MORNING, NOON));
  const { page } = await visit(t, site.address + ARTICLES.en);
  const event = page.evaluate(
    () =>
      new Promise((done) => {
        document.addEventListener('stacosys:load', (event) => {
          const { detail, target } = /** @type {CustomEvent} */ (event);
          done({ detail, target: /** @type {Element} */ (target).id });
        });
      }),
  );
  await page.locator('.stacosys-load').click();
  assert.deepEqual(await event, { detail: [MORNING, NOON], target: 'comments' });
});

for (const [language, path] of Object.entries(ARTICLES)) {
  test(`a list is accessible and fits (${language})`, async (t) => {
    const site = await serve(t, readingSite(t), always(...CONVERSATION));
    const { page, problems } = await visit(t, site.address + path);
    const elsewhere = requestsElsewhere(page, site.address);
    await told(page, 'load');
    assert.equal((await shown(page)).length, CONVERSATION.length);
    await looksRight(page, `list-${language}`);
    assert.deepEqual(elsewhere, []);
    assert.deepEqual(problems, []);
  });
}

test('the list of a real article looks as the theme does', async (t) => {
  const { output, database } = await exampleSite();
  const stacosys = devStacosys({ comments: new CommentTable(database) });
  const site = await serve(t, output, await answeredBy(t, stacosys));
  for (const language of ['en', 'fr']) {
    const path = articlesOf(output).find(
      (article) => article.path.startsWith('/fr/') === (language === 'fr'),
    );
    const { page } = await visit(t, `${site.address}${path?.path}#comments`);
    await told(page, 'load');
    await looksRight(page, `example-${language}`, TWO_VIEWS);
  }
});

const TWO_VIEWS = ['phone-light', 'desktop-dark'];

const HASH = '0bc83cb571cd1c50ba6f3e8a78ef1346';

/** What people write: every kind of block and mark, in two directions. */
const CONVERSATION = [
  comment({ author: 'Mia', site: 'https://mia.example/', content: 'Thank you!\r\nIt **held**, *so far*.' }),
  comment({ author: 'ليلى', content: 'شكرًا على هذا المقال، وعلى `الصور` أيضًا.' }),
  comment({
    author: 'Karim',
    content: '> less is easier to mend\n\nMine:\n\n1. Unpick\n2. Press\n   - cold\n   - **damp**\n\nDone.',
  }),
  comment({
    author: '老张',
    site: 'http://zhang.example',
    content: '```\nfor seam in seams:\n    press(seam, twice=True, ',
  }),
  comment({
    author: 'Zoé',
    content:
      '# Not that loud\nSee https://example.org/a_b and [this](https://example.org) ![me](https://example.org/i.png)\n\n---\n\nEnd.',
  }),
].map((one, index) => ({ ...one, date: `2024-05-0${index + 1} 10:00:00` }));

/**
 * @param {string} output of the example site
 * @returns {{path: string, requests: string[]}[]} articles with comments, those under most urls first
 */
function articlesOf(output) {
  return readdirSync(output, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('index.html'))
    .map((file) => ({
      path: `/${file.slice(0, -'index.html'.length)}`,
      html: readFileSync(join(output, file), 'utf8'),
    }))
    .filter(({ html }) => /stacosys-number>?[^<]*[1-9]/.test(html))
    .map(({ path, html }) => ({ path, requests: requestsOf(html) }))
    .sort((one, other) => other.requests.length - one.requests.length);
}

/** @param {string} html minified */
function requestsOf(html) {
  const [, quoted, bare] = /data-requests=(?:"([^"]*)"|(\S+?)[\s>])/.exec(html) ?? [];
  return (quoted ?? bare ?? '').replaceAll('&amp;', '&').replaceAll('&#43;', '+').split(' ');
}

/**
 * Scrolls so that the section begins so many pixels below the window.
 *
 * @param {Page} page
 * @param {number} distance
 */
async function scrollTo(page, distance) {
  await page.locator('#comments').evaluate((section, below) => {
    window.scrollBy(0, section.getBoundingClientRect().top - window.innerHeight - below);
  }, distance);
}

/**
 * @param {Page} page
 * @param {string} selector
 */
async function comesIntoWindow(page, selector) {
  await page.waitForFunction((wanted) => {
    const top = document.querySelector(wanted)?.getBoundingClientRect().top;
    return top !== undefined && top >= -1 && top < window.innerHeight; // it scrolls by whole pixels
  }, selector);
}

/**
 * A blog with pictures from Gravatar says so in its policy.
 *
 * @param {Page} page
 */
async function allowPictures(page) {
  await page.route(`**${TALL}`, async (route) => {
    const response = await route.fetch();
    const headers = {
      ...response.headers(),
      'content-security-policy': "default-src 'self'; img-src 'self' https://www.gravatar.com",
    };
    await route.fulfill({ response, headers });
  });
}
