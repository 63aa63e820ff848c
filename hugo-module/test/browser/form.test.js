import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { DESKTOP, PHONE, exampleSite, overflow, screenshot, serve, violations, visit } from '../browser.js';
import { throughProxy } from './insecure-origin.js';
import {
  ACCEPTED,
  ARTICLE,
  ENGLISH,
  INLINE,
  emptyStacosys,
  heard,
  kept,
  listed,
  ofScripts,
  partsOf,
  reload,
  send,
  sent,
  sentences,
  siteWith,
  told,
  write,
} from './writing.js';

/**
 * @typedef {import('node:test').TestContext} TestContext
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('../browser.js').Api} Api
 */

const OTHER_ARTICLE = '/2024/rye-does-not-want-to-be-kneaded/';
const BICYCLE = '/2022/%E8%87%AA%E8%BB%A2%E8%BB%8A/';

/** @type {('light' | 'dark')[]} */
const SCHEMES = ['dark', 'light'];

/** Each kind of block and of words that a comment can have. */
const MARKDOWN = `**Bold** and *soft*, \`code\`
on two lines, [a link](https://example.org/) and https://example.com/bare.

# A heading

> A quote
> of two lines

- one
- two

Then:

1. first
2. second

\`\`\`
const code = '<b>';
\`\`\`

<script>alert(1)</script> ![image](https://example.org/a.png)`;

test('what is sent is url, author, site, message and the empty honeypot, and Stacosys takes it', async (t) => {
  const { api, comments } = await emptyStacosys(t);
  const { page, problems, site } = await article(t, api, BICYCLE);
  await write(page, { author: 'Ann', site: 'https://ann.example/', message: 'Hello & =+%\nworld ✿' });
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  assert.deepEqual(sent(site), [
    [
      ['url', BICYCLE],
      ['author', 'Ann'],
      ['site', 'https://ann.example/'],
      ['message', 'Hello & =+%\nworld ✿'],
      ['remarque', ''],
    ],
  ]);
  assert.deepEqual(
    comments.pending().map(({ url, author, site, content }) => [url, author, site, content]),
    [[BICYCLE, 'Ann', 'https://ann.example/', 'Hello & =+%\nworld ✿']],
  );
  assert.deepEqual(problems, []);
});

test('the reader stays in the article: the redirect is not followed', async (t) => {
  const { page, site } = await article(t, ACCEPTED);
  await write(page);
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  assert.equal(page.url(), site.address + ARTICLE);
  assert.ok(!site.requests.some(({ url }) => url === '/thanks/'));
});

test('a Stacosys before 2019 gets its own honeypot', async (t) => {
  const { page, site } = await inline(t, 'honeypot = "captcha"');
  await write(page);
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  assert.deepEqual(
    sent(site).map((fields) => fields.map(([name]) => name)),
    [['url', 'author', 'site', 'message', 'captcha']],
  );
});

test('the honeypot is neither seen, nor reached by keyboard, nor read out', async (t) => {
  const { page } = await article(t);
  const { form, button } = partsOf(page);
  const honeypot = form.locator('[name="remarque"]');
  assert.equal(await honeypot.count(), 1);
  assert.ok(!(await honeypot.isVisible()));
  assert.ok(!(await form.ariaSnapshot()).includes(String(ENGLISH.stacosysHoneypot)));
  await form.locator('[name="author"]').focus();
  const visited = new Set();
  while (!(await button.evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press('Tab');
    visited.add(await page.evaluate(() => document.activeElement?.getAttribute('name')));
  }
  assert.ok(!visited.has('remarque'));
});

test('of an e-mail address only the hash that Gravatar knows leaves the form', async (t) => {
  const addresses = [
    'reader@example.org',
    '  Reader@Example.ORG ',
    "o'hara+blog@mail.example.co.uk",
    `${'long'.repeat(15)}@${'host.'.repeat(20)}example`,
  ];
  const { page, problems, site } = await inline(t, 'avatars = "gravatar"');
  for (const [index, address] of addresses.entries()) {
    await write(page, { email: address, message: `Comment ${index}` });
    await send(page);
    await listed(page, index + 1);
    const expected = createHash('sha256').update(address.trim().toLowerCase()).digest('hex');
    assert.deepEqual(sent(site).at(-1), [
      ['url', INLINE],
      ['author', 'Ann'],
      ['site', ''],
      ['email', expected],
      ['message', `Comment ${index}`],
      ['remarque', ''],
    ]);
    const everything = [await kept(page), await page.content(), ...site.requests.map(({ body }) => body)];
    for (const place of everything) assert.ok(!place.toLowerCase().includes(address.trim().toLowerCase()));
    const avatar = partsOf(page).pending.nth(index).locator('.stacosys-avatar');
    assert.equal(await avatar.getAttribute('src'), `https://www.gravatar.com/avatar/${expected}?d=mp`);
  }
  // Nothing from elsewhere is allowed in these tests
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('gravatar.com')),
    [],
  );
});

test('no e-mail address, no hash', async (t) => {
  const { page, site } = await inline(t, 'avatars = "gravatar"');
  await write(page);
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  assert.equal(new Map(sent(site)[0]).get('email'), '');
});

test('a page that shows no pictures asks for no e-mail address', async (t) => {
  const { page } = await inline(t, 'avatars = "initials"');
  assert.equal(await partsOf(page).email.count(), 0);
});

test('an own comment waits in the list, on its page only, until it is published', async (t) => {
  const { api, comments } = await emptyStacosys(t);
  const { page, problems, site } = await article(t, api);
  const { pending, comments: list } = partsOf(page);
  await write(page, { author: 'Ann', site: 'https://ann.example/', message: 'One\ntwo **three**' });
  await send(page);
  await listed(page, 1);
  assert.equal(await pending.locator('.stacosys-pending').innerText(), ENGLISH.stacosysPending);
  assert.equal(await pending.locator('.stacosys-author').innerText(), 'Ann');
  assert.equal(await pending.locator('.stacosys-author a').getAttribute('href'), 'https://ann.example/');
  assert.equal(await pending.locator('.stacosys-content').innerText(), 'One\ntwo three');
  assert.equal(await pending.locator('time, a[href^="#"]').count(), 0);
  await reload(page);
  assert.equal(await pending.count(), 1, 'after a reload');
  await page.goto(site.address + OTHER_ARTICLE);
  await reload(page);
  assert.equal(await pending.count(), 0, 'on another page');
  await page.goto(site.address + ARTICLE);
  await reload(page);
  assert.equal(await pending.count(), 1, 'back on its page');
  comments.publish(Number(comments.pending()[0]?.id));
  await reload(page);
  assert.equal(await list.count(), 1);
  assert.equal(await pending.count(), 0, 'once it is published');
  assert.deepEqual(problems, []);
});

test('an own comment waits in the list also while Stacosys is down', async (t) => {
  const { page, site } = await article(t);
  await write(page);
  await send(page);
  await listed(page, 1);
  site.api = () => Response.error();
  await reload(page, 'error');
  assert.equal(await partsOf(page).pending.count(), 1);
});

test('a published comment is known again whatever became of its line ends and the space around it', async (t) => {
  const { page, site } = await article(t);
  await write(page, { author: ' Ann ', message: 'One\n\nTwo  \nThree\n' });
  await send(page);
  await listed(page, 1);
  const content = 'One\r\n\r\nTwo  \r\nThree\r\n';
  const published = { author: 'Ann', avatar: '', content, date: '2026-01-01 12:00:00' };
  site.api = () => Response.json({ data: [published] });
  await reload(page);
  assert.equal(await partsOf(page).comments.count(), 1);
  assert.equal(await partsOf(page).pending.count(), 0);
});

test('two comments wait side by side, the second under the first', async (t) => {
  const { page } = await article(t);
  for (const message of ['First', 'Second']) {
    await write(page, { message });
    await send(page);
    await page.locator('.stacosys-content', { hasText: message }).first().waitFor();
  }
  await reload(page);
  assert.deepEqual(await page.locator('.stacosys-list .stacosys-content').allInnerTexts(), [
    'First',
    'Second',
  ]);
});

test('a draft survives a reload, and is gone once it was sent', async (t) => {
  const { page } = await article(t);
  const { message } = partsOf(page);
  await message.pressSequentially('Half a ');
  await page.reload();
  assert.equal(await message.inputValue(), 'Half a ');
  await write(page, { message: 'Half a\nthought' });
  await page.reload();
  assert.equal(await message.inputValue(), 'Half a\nthought');
  await write(page, { message: 'Half a thought' });
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  assert.equal(await message.inputValue(), '');
  await page.reload();
  assert.equal(await message.inputValue(), '');
});

test('the draft of one article is not put under another', async (t) => {
  const { page, site } = await article(t);
  await write(page, { message: 'About slugs' });
  await page.goto(site.address + OTHER_ARTICLE);
  assert.equal(await partsOf(page).message.inputValue(), '');
  await page.goto(site.address + ARTICLE);
  assert.equal(await partsOf(page).message.inputValue(), 'About slugs');
});

test('name and site are remembered only on request, and forgotten on request', async (t) => {
  const { page, site } = await article(t);
  const { author, site: home, remember } = partsOf(page);
  const local = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await write(page, { author: 'Ann Other', site: 'https://ann.example' });
  assert.doesNotMatch(await local(), /Ann|ann\.example/);
  await page.reload();
  assert.deepEqual([await author.inputValue(), await home.inputValue()], ['', '']);
  await write(page, { author: 'Ann Other', site: 'https://ann.example' });
  await remember.check();
  await page.goto(site.address + OTHER_ARTICLE);
  assert.deepEqual(
    [await author.inputValue(), await home.inputValue()],
    ['Ann Other', 'https://ann.example'],
  );
  assert.ok(await remember.isChecked());
  await author.fill('Ann');
  await page.reload();
  assert.equal(await author.inputValue(), 'Ann', 'a change is remembered, too');
  await remember.uncheck();
  assert.doesNotMatch(await local(), /Ann|ann\.example/);
  await page.reload();
  assert.deepEqual([await author.inputValue(), await home.inputValue()], ['', '']);
});

test('two tabs keep their drafts and their waiting comments apart', async (t) => {
  const { page, site } = await article(t);
  const other = await page.context().newPage();
  await other.goto(site.address + ARTICLE);
  await write(page, { message: 'From one tab' });
  await write(other, { message: 'From the other' });
  await send(page);
  await listed(page, 1);
  await send(other);
  await listed(other, 1);
  await reload(page);
  assert.deepEqual(await page.locator('.stacosys-list .stacosys-content').allInnerTexts(), ['From one tab']);
  assert.equal(sent(site).length, 2);
});

/** @type {Record<string, (page: Page) => Promise<unknown>>} */
const IMPATIENCE = {
  'a double click': (page) => partsOf(page).button.dblclick(),
  'the key Enter, three times': async (page) => {
    for (let times = 0; times < 3; times++) await partsOf(page).author.press('Enter');
  },
  'Enter and a click': async (page) => {
    await partsOf(page).site.press('Enter');
    await send(page);
  },
};

for (const [name, act] of Object.entries(IMPATIENCE)) {
  test(`${name} at a slow server sends once`, async (t) => {
    const { promise, resolve } = Promise.withResolvers();
    const { page, site } = await article(t, async (request) => {
      if (request.method === 'POST') await promise;
      return ACCEPTED(request);
    });
    await write(page);
    await act(page);
    assert.equal(await partsOf(page).outcome.innerText(), ENGLISH.stacosysSending);
    resolve(null);
    assert.equal(await told(page), ENGLISH.stacosysSent);
    assert.equal(sent(site).length, 1);
    await write(page, { message: 'Another one' });
    await send(page);
    await listed(page, 2);
    assert.equal(sent(site).length, 2);
  });
}

test('what waits in the list is what was sent, also where the reader wrote on meanwhile', async (t) => {
  const { promise, resolve } = Promise.withResolvers();
  const { page, site } = await article(t, async (request) => {
    if (request.method === 'POST') await promise;
    return ACCEPTED(request);
  });
  const { author, message, pending } = partsOf(page);
  await write(page, { author: 'Ann', message: 'As it was sent' });
  await send(page);
  for (const field of [message, author]) {
    await field.focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' and more');
  }
  resolve(null);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  const fields = new Map(sent(site)[0]);
  assert.equal(await pending.locator('.stacosys-content').innerText(), fields.get('message'));
  assert.equal(await pending.locator('.stacosys-author').innerText(), fields.get('author'));
});

test('the preview follows the typing, and is what the published comment will be', async (t) => {
  const { page, problems, site } = await article(t);
  const { message, preview, summary } = partsOf(page);
  assert.ok(!(await preview.isVisible()));
  await summary.click();
  await message.pressSequentially('Hello *you');
  assert.equal(await preview.innerText(), 'Hello *you');
  await message.pressSequentially('*');
  assert.equal(await preview.innerText(), 'Hello you');
  await message.fill(MARKDOWN);
  const previewed = await preview.evaluate((element) => element.innerHTML);
  assert.match(previewed, /<blockquote>.*<ol.*<pre>/s);
  const published = { author: 'Ann', avatar: '', content: MARKDOWN, date: '2026-01-01 12:00:00' };
  site.api = () => Response.json({ data: [{ ...published, content: MARKDOWN.replaceAll('\n', '\r\n') }] });
  await reload(page);
  const content = page.locator('.stacosys-list .stacosys-content');
  assert.equal(await content.evaluate((element) => element.innerHTML), previewed);
  assert.equal(
    await preview.evaluate((element) => element.innerHTML),
    previewed,
    'of the draft, after a reload',
  );
  await message.fill('');
  assert.equal(await preview.evaluate((element) => element.innerHTML), '');
  assert.deepEqual(problems, []);
});

test('stacosys:sent tells a theme about the comment', async (t) => {
  const { page } = await article(t);
  const events = await heard(page);
  await write(page);
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  const about = (await events()).filter((event) => !event.startsWith('stacosys:load'));
  assert.deepEqual(about, ['stacosys:sent on #comments']);
});

test('the whole form works by keyboard, and shows where the focus is', async (t) => {
  const { page, site } = await article(t);
  const { author, preview, remember } = partsOf(page);
  await author.focus();
  /** @type {string[]} */
  const order = [];
  const type = async (/** @type {string} */ text) => {
    const { name, outline } = await page.evaluate(() => {
      const { tagName, type = '' } = /** @type {HTMLInputElement} */ (document.activeElement);
      const { outlineStyle, outlineWidth } = getComputedStyle(
        /** @type {Element} */ (document.activeElement),
      );
      return { name: `${tagName} ${type}`.trim(), outline: `${outlineStyle} ${outlineWidth}` };
    });
    order.push(name);
    assert.match(outline, /^(?:solid|auto) [1-9]/, name);
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  };
  for (const text of ['Ann', 'https://ann.example', 'Hello', ' ', ' ']) await type(text);
  assert.ok(await preview.isVisible());
  assert.ok(await remember.isChecked());
  await type('');
  assert.deepEqual(order, [
    'INPUT text',
    'INPUT url',
    'TEXTAREA textarea',
    'SUMMARY',
    'INPUT checkbox',
    'BUTTON submit',
  ]);
  await author.focus();
  await page.keyboard.press('Enter');
  assert.equal(await told(page), ENGLISH.stacosysSent);
  assert.equal(sent(site).length, 1);
});

test('Enter in the text begins a new line', async (t) => {
  const { page, site } = await article(t);
  const { message } = partsOf(page);
  await write(page, { message: '' });
  await message.press('a');
  await message.press('Enter');
  await message.press('b');
  assert.equal(await message.inputValue(), 'a\nb');
  assert.deepEqual(sent(site), []);
});

test('each field has its label, and what becomes of the comment is said in a live region', async (t) => {
  const { page } = await article(t);
  const tree = await partsOf(page).form.ariaSnapshot();
  const { stacosysName, stacosysSite, stacosysMessage, stacosysRemember, stacosysSend } = ENGLISH;
  assert.deepEqual(tree.match(/(?<=- )(?:textbox|checkbox|button)\b.*"/g), [
    `textbox "${stacosysName}"`,
    `textbox "${stacosysSite}"`,
    `textbox "${stacosysMessage}"`,
    `checkbox "${stacosysRemember}"`,
    `button "${stacosysSend}"`,
  ]);
  // A live region must be there before it says something
  const region = await page.locator('.stacosys-outcome[role=status]').elementHandle();
  await write(page);
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  assert.equal(await region?.innerText(), ENGLISH.stacosysSent);
});

/** What may lie in the storage, of another version of this script or of another script. */
const JUNK = ['{', '', 'null', 'true', '5', '"text"', '[]', '[null]', '[{}]', '[1]', '{}', '{"a":1}'];

test('junk in the storage does no harm', async (t) => {
  const { page, problems } = await article(t);
  for (const junk of JUNK) {
    await page.evaluate(
      ([value, path]) => {
        for (const name of ['draft', 'waiting']) sessionStorage[`stacosys-${name} ${path}`] = value;
        localStorage['stacosys-reader'] = value;
      },
      [junk, ARTICLE],
    );
    await page.reload();
    assert.deepEqual(problems.splice(0), [], `with ${junk || 'an empty text'}`);
    await write(page);
    await send(page);
    assert.equal(await told(page), ENGLISH.stacosysSent, `with ${junk}`);
    assert.equal(await partsOf(page).message.inputValue(), '');
  }
});

for (const area of ['localStorage', 'sessionStorage']) {
  test(`all but keeping works where ${area} is switched off`, async (t) => {
    const { page, problems, site } = await article(t);
    await page.addInitScript((name) => {
      const forbid = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      };
      Object.defineProperty(window, name, { get: forbid });
    }, area);
    await reload(page);
    await write(page);
    await partsOf(page).remember.check();
    await send(page);
    assert.equal(await told(page), ENGLISH.stacosysSent);
    await listed(page, 1);
    assert.equal(sent(site).length, 1);
    assert.deepEqual(problems, []);
  });
}

test('a full storage does no harm', async (t) => {
  const { page, problems, site } = await article(t);
  await page.evaluate(() => {
    for (const area of [localStorage, sessionStorage]) {
      let size = 2 ** 22;
      while (size >= 1) {
        try {
          area[`filler ${size} ${area.length}`] = 'x'.repeat(size);
        } catch {
          size /= 2;
        }
      }
    }
  });
  await page.reload();
  await write(page, { message: 'A text for which there is no room' });
  await partsOf(page).remember.check();
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  await listed(page, 1);
  assert.equal(sent(site).length, 1);
  assert.deepEqual(problems, []);
});

test('over http there is no e-mail field, for there is nothing to hash with; all else works', async (t) => {
  const site = await serve(t, siteWith(t, 'avatars = "gravatar"'), ACCEPTED);
  const { page, problems } = await visit(t, `http://blog.example${INLINE}`, await throughProxy(t, site));
  assert.deepEqual(await page.evaluate(() => [isSecureContext, crypto.subtle]), [false, undefined]);
  assert.equal(await partsOf(page).email.count(), 0);
  assert.ok(!(await page.locator('.stacosys').innerText()).includes('mail'));
  await write(page, { message: 'Hello *you*' });
  await partsOf(page).summary.click();
  assert.equal(await partsOf(page).preview.innerText(), 'Hello you');
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  await reload(page);
  assert.equal(await partsOf(page).pending.count(), 1);
  assert.deepEqual(
    sent(site).map((fields) => fields.map(([name]) => name)),
    [['url', 'author', 'site', 'message', 'remarque']],
  );
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('gravatar.com')),
    [],
  );
});

test('the longest comment is what the parameter says', async (t) => {
  const { page, site } = await inline(t, 'maxLength = 20');
  const { message } = partsOf(page);
  await message.pressSequentially('12345678901234567890 and more');
  assert.equal(await message.inputValue(), '12345678901234567890');
  await write(page, { message: await message.inputValue() });
  await send(page);
  assert.equal(await told(page), ENGLISH.stacosysSent);
  assert.equal(new Map(sent(site)[0]).get('message'), '12345678901234567890');
});

test('a theme may leave the form out: the list still works', async (t) => {
  const { page, problems } = await inline(t, '', { 'layouts/partials/stacosys/form.html': '' });
  await page.locator('.stacosys-status .on-load').waitFor({ state: 'attached' });
  assert.equal(await partsOf(page).form.count(), 0);
  assert.deepEqual(problems, []);
});

test('a theme may write the form anew, in its own order and with its own classes', async (t) => {
  const { page, problems, site } = await inline(t, '', {
    'layouts/partials/stacosys/form.html': `
<form class="card p-4 stacosys-form" action="{{ .params.action }}" method="post">
  <template><label><input class="switch stacosys-remember" type="checkbox"> Keep my name</label></template>
  <p class="row"><label for="c-text">Text</label> <textarea id="c-text" name="message" required></textarea></p>
  <p class="row"><label for="c-name">Your name</label> <input id="c-name" name="author" required></p>
  <p class="row"><label for="c-site">Your site</label> <input id="c-site" name="site"></p>
  <input type="hidden" name="url" value="{{ .url }}">
  <div hidden><input name="{{ .params.honeypot }}" aria-label="Empty"></div>
  <template><div class="well stacosys-preview"></div></template>
  <button class="btn btn-primary">Go</button>
</form>
<div class="alert stacosys-outcome" role="status"></div>
<template><b class="on-busy">…</b><b class="on-sent">Done</b><b class="on-error">Sorry</b></template>`,
  });
  await write(page, { message: 'Hello *you*' });
  assert.equal(await partsOf(page).preview.innerText(), 'Hello you');
  await send(page);
  assert.equal(await told(page), 'Done');
  assert.equal(sent(site).length, 1);
  assert.deepEqual(problems, []);
});

test('a theme may have a form of its own, with the parts that the README names', async (t) => {
  const { page, problems, site } = await inline(t, '', {
    'layouts/partials/stacosys/form.html': `
<form class="stacosys-form" action="{{ .params.action }}" method="post">
  <input type="hidden" name="url" value="{{ .url }}">
  <template><input class="stacosys-remember" type="checkbox" aria-label="Remember"> <p class="stacosys-preview"></p></template>
  <input name="author" aria-label="Name"> <input name="site" aria-label="Site">
  <textarea name="message" aria-label="Text"></textarea> <button>Go</button>
</form>
<div class="stacosys-outcome" role="status"></div>
<template><b class="on-busy">…</b><b class="on-sent">Done</b><b class="on-error">Sorry</b></template>`,
  });
  assert.deepEqual(problems, []);
  await write(page);
  await send(page);
  assert.equal(await told(page), 'Done');
  assert.equal(sent(site).length, 1);
});

test('the buttons can be seen in a theme that sets no colours for them', async (t) => {
  const { page } = await inline(t, '');
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const { text, ground, beside } = await partsOf(page).button.evaluate((button) => {
      const { color, backgroundColor, borderTopWidth } = getComputedStyle(button);
      return { text: color, ground: backgroundColor, beside: borderTopWidth };
    });
    assert.notEqual(text, ground, `${colorScheme}, with a border of ${beside}`);
  }
});

test('an address is written from left to right, also in a page that is not', async (t) => {
  const { page } = await visit(t, (await serve(t, arabicSite(t))).address + INLINE);
  const direction = await partsOf(page).site.evaluate((field) => getComputedStyle(field).direction);
  assert.equal(direction, 'ltr');
});

const LANGUAGES = {
  en: { path: ARTICLE, folder: exampleFolder, schemes: SCHEMES },
  fr: { path: '/fr/2024/le-seigle-ne-se-petrit-pas/', folder: exampleFolder, schemes: SCHEMES.toReversed() },
  ar: { path: INLINE, folder: arabicSite, schemes: SCHEMES },
};

for (const [language, { path, folder, schemes }] of Object.entries(LANGUAGES)) {
  test(`every state is accessible and fits, on a phone and a desk, light and dark (${language})`, async (t) => {
    const { stacosysFailed, stacosysSent } = sentences(language);
    const site = await serve(t, await folder(t), ACCEPTED);
    const { page, problems } = await visit(t, `${site.address}${path}#comments`);
    await page.locator('.stacosys-status .on-load').waitFor({ state: 'attached' });
    await inspect(page, schemes, `form-${language}-empty`);
    await write(page, { author: 'Ann', site: 'https://ann.example', message: MARKDOWN });
    await partsOf(page).summary.click();
    await inspect(page, schemes, `form-${language}-preview`);
    await partsOf(page).summary.click();
    site.api = () => new Response('<h1>Oops</h1>', { status: 500 });
    await send(page);
    assert.equal(await told(page), stacosysFailed);
    await inspect(page, schemes, `form-${language}-error`);
    site.api = ACCEPTED;
    await send(page);
    assert.equal(await told(page), stacosysSent);
    await inspect(page, schemes, `form-${language}-success`);
    assert.deepEqual(ofScripts(problems), []);
  });
}

/**
 * @param {Page} page in some state
 * @param {('light' | 'dark')[]} schemes on the phone, on the desk
 * @param {string} name of the state
 */
async function inspect(page, schemes, name) {
  for (const [index, viewport] of [PHONE, DESKTOP].entries()) {
    const colorScheme = schemes[index] ?? 'light';
    const look = `${name}-${viewport.width}-${colorScheme}`;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await screenshot(page, look);
    assert.deepEqual(await violations(page), [], look);
    assert.equal(await overflow(page), 0, look);
  }
}

async function exampleFolder() {
  return (await exampleSite()).output;
}

/** @param {TestContext} t */
function arabicSite(t) {
  const language = 'defaultContentLanguage = "ar"\n[languages.ar]\nweight = 1\n';
  return siteWith(t, 'avatars = "initials"', {}, 'lang="ar" dir="rtl"', language);
}

/**
 * @param {TestContext} t
 * @param {Api} [api]
 * @param {string} [path]
 */
async function article(t, api = ACCEPTED, path = ARTICLE) {
  const site = await serve(t, await exampleFolder(), api);
  return { ...(await visit(t, site.address + path)), site };
}

/**
 * @param {TestContext} t
 * @param {string} parameters as for siteWith
 * @param {Record<string, string>} [files]
 */
async function inline(t, parameters, files) {
  const site = await serve(t, siteWith(t, parameters, files), ACCEPTED);
  return { ...(await visit(t, site.address + INLINE)), site };
}
