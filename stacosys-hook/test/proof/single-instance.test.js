/* Proof: one service looks after a site, and the next one may as soon as it is gone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { age, blog, moderateAnew } from './blog.js';
import { startService } from './service.js';

test('a second service is refused, and accepted as soon as the first was killed', async (t) => {
  const ours = blog(t);
  const first = startService(t, ours);
  await first.says('published');
  const second = startService(t, ours);
  assert.equal(await second.ended, 1);
  assert.match(second.text(), /Another stacosys-hook watch or serve looks after/);
  assert.match(second.text(), /Stop that one first/);
  age(ours);
  await first.shows(moderateAnew(ours));
  await first.kill();
  age(ours);
  const third = startService(t, ours);
  await third.says('published');
  age(ours);
  await third.shows(moderateAnew(ours));
  assert.equal(await third.stop(), 0);
  age(ours);
  await startService(t, ours).says('published');
});
