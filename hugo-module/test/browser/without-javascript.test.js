import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, exampleSite, overflow, screenshot, serve, visit } from '../browser.js';
import { ARTICLE, ENGLISH, INLINE, emptyStacosys, partsOf, sent, siteWith, write } from './writing.js';

/** @typedef {import('node:test').TestContext} TestContext */

const NO_SCRIPTS = { javaScriptEnabled: false };
const FRENCH = '/fr/2024/le-seigle-ne-se-petrit-pas/';

for (const [language, path] of Object.entries({ English: ARTICLE, French: FRENCH })) {
  test(`a plain form reaches Stacosys, and its reader the page that thanks (${language})`, async (t) => {
    const { api, comments } = await emptyStacosys(t);
    const site = await serve(t, (await exampleSite()).output, api);
    const { page, problems } = await visit(t, site.address + path, NO_SCRIPTS);
    await write(page, { author: 'Ann', site: 'https://ann.example', message: 'One\nTwo' });
    await partsOf(page).button.click();
    await page.waitForURL(`${site.address}/thanks/`);
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Thank you');
    assert.deepEqual(sent(site), [
      [
        ['url', path],
        ['author', 'Ann'],
        ['site', 'https://ann.example'],
        ['message', 'One\r\nTwo'],
        ['remarque', ''],
      ],
    ]);
    assert.deepEqual(
      comments.pending().map(({ url, author, content }) => ({ url, author, content })),
      [{ url: path, author: 'Ann', content: 'One\r\nTwo' }],
    );
    assert.deepEqual(problems, []);
  });
}

test('the page that thanks is there in each language of the example site', async (t) => {
  const site = await serve(t, (await exampleSite()).output);
  for (const [path, title] of [
    ['/thanks/', 'Thank you'],
    ['/fr/thanks/', 'Merci'],
  ]) {
    const { page } = await visit(t, site.address + path, NO_SCRIPTS);
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), title);
    assert.equal(await page.locator('form').count(), 0);
  }
});

test('what needs a script is not there: no e-mail, no preview, nothing to remember', async (t) => {
  const { api, comments } = await emptyStacosys(t);
  const site = await serve(t, siteWith(t, 'avatars = "gravatar"'), api);
  const { page } = await visit(t, site.address + INLINE, NO_SCRIPTS);
  const { email, preview, remember, button } = partsOf(page);
  for (const part of [email, preview, remember]) assert.equal(await part.count(), 0);
  await write(page);
  const answered = page.waitForResponse(/\/thanks\/$/);
  await button.click();
  await answered; // no such page in this site
  assert.deepEqual(
    sent(site).map((fields) => fields.map(([name]) => name)),
    [['url', 'author', 'site', 'message', 'remarque']],
  );
  assert.equal(comments.pending().length, 1);
});

test('a reader without scripts is told why there are no comments, and can still write one', async (t) => {
  const site = await serve(t, (await exampleSite()).output);
  const { page } = await visit(t, site.address + ARTICLE, { ...NO_SCRIPTS, viewport: PHONE });
  const note = page.locator('noscript .stacosys-note');
  assert.equal(await note.textContent(), ENGLISH.stacosysNoScript);
  assert.ok(await note.isVisible());
  assert.ok(!(await partsOf(page).outcome.locator('..').locator('.stacosys-list').isVisible()));
  assert.equal(await overflow(page), 0);
  await screenshot(page, 'form-without-javascript');
  assert.deepEqual(
    site.requests.filter(({ url }) => url.startsWith('/api/')),
    [],
  );
});

test('each field has its label, in the order in which it is read', async (t) => {
  const site = await serve(t, (await exampleSite()).output);
  const { page } = await visit(t, site.address + ARTICLE, NO_SCRIPTS);
  const tree = await partsOf(page).form.ariaSnapshot();
  assert.match(tree, /^- form "Write a comment":/);
  assert.deepEqual(
    tree.match(/(?<=- )(?:heading|textbox|checkbox|button|group)\b.*"/g),
    [
      'heading "Write a comment"',
      'textbox "Name"',
      'textbox "Website (optional)"',
      'textbox "Comment"',
      'button "Send"',
    ],
    tree,
  );
});

test('the browser itself asks for a name and a text before it sends', async (t) => {
  const { api, comments } = await emptyStacosys(t);
  const site = await serve(t, (await exampleSite()).output, api);
  const { page } = await visit(t, site.address + ARTICLE, NO_SCRIPTS);
  const { author, message, button } = partsOf(page);
  await button.click();
  assert.equal(await page.locator(':invalid:focus').getAttribute('name'), 'author');
  await author.fill('Ann');
  await button.click();
  assert.equal(await page.locator(':invalid:focus').getAttribute('name'), 'message');
  await message.fill('Hello');
  await button.click();
  await page.waitForURL(`${site.address}/thanks/`);
  assert.equal(comments.pending().length, 1);
});
