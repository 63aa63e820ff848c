import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'smol-toml';
import { ROOT } from '../../scripts/tools.js';

const FOLDER = join(ROOT, 'hugo-module', 'i18n');
const LANGUAGES = readdirSync(FOLDER).map((file) => file.replace('.toml', ''));

/** The two texts of list pages: the only ones with numbers in them. */
const COUNTED = ['stacosysNoComments', 'stacosysComments'];

/**
 * @param {string} language
 * @returns {Record<string, Record<string, string>>} id → plural form → text
 */
function textsOf(language) {
  return Object(parse(readFileSync(join(FOLDER, `${language}.toml`), 'utf8')));
}

for (const language of LANGUAGES) {
  const texts = textsOf(language);

  test(`${language} has a text for each id of en, in the same order`, () => {
    assert.deepEqual(Object.keys(texts), Object.keys(textsOf('en')));
  });

  test(`${language} has a number in its counts, in every plural form of the language`, () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const { stacosysComments = {} } = texts;
    const forms = Object.keys(stacosysComments);
    assert.deepEqual(forms.toSorted(), pluralCategories.toSorted());
    for (const form of ['few', 'many', 'other'].filter((name) => forms.includes(name))) {
      assert.match(stacosysComments[form] ?? '', /\{\{ \.Number \}\}/, form);
    }
  });

  test(`${language} has one form of every other text, none empty, none with a template or a tag`, () => {
    for (const [id, forms] of Object.entries(texts)) {
      if (!COUNTED.includes(id)) assert.deepEqual(Object.keys(forms), ['other'], id);
      for (const text of Object.values(forms)) {
        assert.equal(text, text.trim(), id);
        assert.notEqual(text, '', id);
        if (id !== 'stacosysComments') assert.doesNotMatch(text, /\{\{|<|\.\.\.|'/, id);
      }
    }
  });

  test(`${language} shows the Markdown that the module understands`, () => {
    assert.match(
      texts.stacosysMarkdown?.other ?? '',
      /\*\*[^*]+\*\*.*\*[^*]+\*.*`[^`]+`.*> .*\[[^\]]+\]\(\S*https:\/\/…\S*\)/,
    );
  });

  if (language !== 'en') {
    test(`${language} is translated`, () => {
      const english = textsOf('en');
      const same = Object.keys(texts).filter((id) => texts[id]?.other === english[id]?.other);
      // Some words are the same in both
      const allowed = ['stacosysName', 'stacosysSite'];
      assert.deepEqual(
        same.filter((id) => !allowed.includes(id)),
        [],
      );
    });
  }
}
