import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { EventEmitter, on, once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { createLog } from '../src/log.js';
import { checkTarget, createNotifier } from '../src/notifier.js';
import { openOutbox } from '../src/outbox.js';
import { createReplayMemory, verifyWebhook } from '../src/signature.js';
import { edit, failureOf, temporaryFolder } from './database.js';
import { until } from './until.js';

/**
 * @typedef {object} Received
 * @property {string | undefined} method
 * @property {string | undefined} url
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Buffer} body
 * @property {any} json
 *
 * @typedef {(request: Received, response: import('node:http').ServerResponse) => void} Answer
 *
 * @typedef {{level: string, event: string, fields: Record<string, any>}} Line of the log
 */

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const GITHUB = 'https://api.github.com/repos/someone/blog/dispatches';
const TOKEN = 'github_pat_0123456789';
const HOUR = 3_600_000;

const ok = answer(204);

const limit = { timeout: 20_000 };

/** The process that is killed below runs this file too. */
if (process.argv[2] === 'notify') notifyUntilKilled(process.argv.slice(3));
else tests();

/** @param {string[]} words */
function notifyUntilKilled([file = '', target = '', isSent = '']) {
  const outbox = openOutbox(file);
  const notifier = createNotifier({ outbox, targets: [target], secret: SECRET, log: () => {} });
  notifier.record(counts({}));
  notifier.record(counts({ '/a/': 1 }));
  if (isSent) notifier.start();
  process.send?.('recorded');
  process.on('disconnect', () => process.exit()); // which also keeps it alive until then
}

/** @param {Record<string, number>} pages */
function counts(pages) {
  return Buffer.from(`${JSON.stringify(pages, null, 2)}\n`);
}

/**
 * @param {number} status
 * @param {Record<string, string>} [headers]
 * @returns {Answer}
 */
function answer(status, headers = {}) {
  return (_, response) => response.writeHead(status, headers).end();
}

/**
 * A real server, which answers as it is told, one after the other, the last one for ever.
 *
 * @param {import('node:test').TestContext} t
 * @param {Answer[]} answers
 */
async function receiver(t, ...answers) {
  /** @type {Received[]} */
  const received = [];
  const events = new EventEmitter();
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const body = Buffer.concat(await request.toArray());
    const { method, url, headers } = request;
    const one = { method, url, headers, body, json: JSON.parse(body.toString()) };
    received.push(one);
    const next = answers[Math.min(received.length, answers.length) - 1];
    next?.(one, response);
    events.emit('request');
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const origin = `http://127.0.0.1:${port}`;
  /** @param {number} amount */
  const requests = async (amount) => {
    while (received.length < amount) await once(events, 'request', { signal: t.signal });
    return received;
  };
  return { received, requests, origin, target: `${origin}/hooks/rebuild?key=hidden`, server };
}

/**
 * A notifier whose log can be waited for, with the counts of one page recorded.
 *
 * @param {import('node:test').TestContext} t
 * @param {string[]} targets
 * @param {Partial<Parameters<typeof createNotifier>[0]>} [settings]
 */
function notifierFor(t, targets, settings = {}) {
  const file = join(temporaryFolder(t), 'outbox.sqlite');
  const outbox = settings.outbox ?? openOutbox(file);
  /** @type {Line[]} */
  const lines = [];
  const events = new EventEmitter();
  /** @type {import('../src/log.js').Log} */
  const log = (level, event, fields = {}) => {
    lines.push({ level, event, fields });
    events.emit('line');
  };
  const notifier = createNotifier({ outbox, targets, log, random: () => 0, ...settings });
  t.after(async () => {
    await notifier.stop();
    outbox.close();
    const written = JSON.stringify(lines);
    for (const secret of ['hidden', SECRET, TOKEN]) assert.ok(!written.includes(secret), written);
  });
  notifier.record(counts({ '/a/': 1 }));
  /**
   * @param {string} event
   * @param {number} [amount]
   */
  const logged = async (event, amount = 1) => {
    const found = () => lines.filter((line) => line.event === event);
    while (found().length < amount) await once(events, 'line', { signal: t.signal });
    return found();
  };
  return { notifier, outbox, file, lines, logged, change: (n = 2) => notifier.record(counts({ '/a/': n })) };
}

function tests() {
  test('what changed is sent to every target, signed', limit, async (t) => {
    const [one, two] = [await receiver(t, ok), await receiver(t, ok)];
    const { notifier, change, logged } = notifierFor(t, [one.target, two.target], { secret: SECRET });
    notifier.start();
    const before = Date.now();
    change();
    for (const { requests, target, received } of [one, two]) {
      const [request = assert.fail()] = await requests(1);
      assert.equal(request.method, 'POST');
      assert.equal(new URL(target).pathname + new URL(target).search, request.url);
      assert.equal(request.headers['content-type'], 'application/json');
      assert.equal(request.headers['user-agent'], 'stacosys-hook');
      assert.equal(request.headers.authorization, undefined);
      const { timestamp, ...rest } = request.json;
      assert.equal(new Date(timestamp).toISOString(), timestamp);
      assert.ok(Date.parse(timestamp) >= before && Date.parse(timestamp) <= Date.now());
      assert.deepEqual(rest, {
        type: 'comments.changed',
        data: { changes: { '/a/': { from: 1, to: 2 } }, changed: 1, truncated: false },
      });
      const { headers, body } = request;
      const plain = /** @type {Record<string, string>} */ (/** @type {unknown} */ (headers));
      new Webhook(SECRET).verify(body, plain);
      const found = verifyWebhook({ headers, body, secrets: [SECRET], now: Date.now() });
      assert.deepEqual(found, { scheme: 'standard', id: headers['webhook-id'] });
      assert.equal(received.length, 1);
    }
    const lines = await logged('notified', 2);
    assert.deepEqual(lines.map(({ fields }) => fields.to).sort(), [one.origin, two.origin].sort());
    assert.deepEqual(
      lines.map(({ level, fields }) => [level, fields.attempt]),
      [
        ['info', 1],
        ['info', 1],
      ],
    );
    assert.deepEqual(notifier.status(), { waiting: 0, oldest: null, givenUp: [], problem: null });
  });

  test('without a secret it is sent unsigned', limit, async (t) => {
    const { requests, target } = await receiver(t, ok);
    const { notifier, change } = notifierFor(t, [target]);
    notifier.start();
    change();
    const [{ headers } = assert.fail()] = await requests(1);
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('webhook-')),
      [],
    );
  });

  test('GitHub gets its own words and the token, and no signature', limit, async (t) => {
    const { requests, origin, target } = await receiver(t, ok);
    /** @type {typeof globalThis.fetch} */
    const redirected = (url, init) =>
      globalThis.fetch(String(url).replace('https://api.github.com', origin), init);
    const { notifier, change } = notifierFor(t, [GITHUB, target], {
      secret: SECRET,
      token: TOKEN,
      fetch: redirected,
    });
    notifier.start();
    change();
    const requestsOfBoth = await requests(2);
    const ours = requestsOfBoth.find(({ url }) => url === '/repos/someone/blog/dispatches') ?? assert.fail();
    assert.deepEqual(ours.json, {
      event_type: 'stacosys-comments',
      client_payload: { changes: { '/a/': { from: 1, to: 2 } }, changed: 1, truncated: false },
    });
    const { authorization, accept, 'x-github-api-version': version } = ours.headers;
    assert.deepEqual(
      [authorization, accept, version],
      [`Bearer ${TOKEN}`, 'application/vnd.github+json', '2022-11-28'],
    );
    assert.equal(ours.headers['webhook-signature'], undefined);
    const other = requestsOfBoth.find((request) => request !== ours) ?? assert.fail();
    assert.equal(other.headers.authorization, undefined);
    assert.notEqual(other.headers['webhook-signature'], undefined);
  });

  test('the token goes to no address that only looks like that of GitHub', limit, async (t) => {
    for (const target of [
      'http://api.github.com/repos/someone/blog/dispatches',
      'https://api.github.com.example/repos/someone/blog/dispatches',
      'https://api.github.com:8443/repos/someone/blog/dispatches',
      'https://example.org/https://api.github.com/repos/someone/blog/dispatches',
      'https://api.github.com/repos/someone/blog/dispatches/more',
      'https://api.github.com/repos/someone/blog/dispatches?x=1',
      'https://api.github.com/user',
    ]) {
      const sent = /** @type {any[]} */ ([]);
      const fetch = async (/** @type {any} */ ...request) => {
        sent.push(request);
        return new Response();
      };
      const { notifier, change, logged } = notifierFor(t, [target], { token: TOKEN, fetch });
      notifier.start();
      change();
      await logged('notified');
      assert.equal(sent.length, 1);
      assert.ok(!JSON.stringify(sent).includes(TOKEN), target);
    }
  });

  test('a failure is tried again: the same id and words, a new time stamp', limit, async (t) => {
    const { requests, target, origin } = await receiver(t, answer(500), answer(404), ok);
    let clock = Date.now();
    const { notifier, change, logged } = notifierFor(t, [target], {
      secret: SECRET,
      now: () => (clock += 1000),
    });
    notifier.start();
    change();
    const all = await requests(3);
    assert.equal(new Set(all.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.equal(new Set(all.map(({ body }) => body.toString())).size, 1);
    assert.equal(new Set(all.map(({ headers }) => headers['webhook-timestamp'])).size, 3);
    const [last] = await logged('notified');
    assert.deepEqual([last?.fields.to, last?.fields.attempt], [origin, 3]);
    const failures = await logged('notification failed', 2);
    assert.deepEqual(
      failures.map(({ level, fields }) => [level, fields.to, fields.attempt, fields.error]),
      [
        ['warn', origin, 1, 'answered 500'],
        ['warn', origin, 2, 'answered 404'],
      ],
    );
  });

  test(
    'a receiver that has the id already (409) is believed, but not at the first attempt',
    limit,
    async (t) => {
      const { requests, target } = await receiver(t, answer(409), answer(409), ok);
      const { notifier, change, logged } = notifierFor(t, [target], { secret: SECRET });
      notifier.start();
      change();
      await logged('notified');
      assert.equal((await requests(2)).length, 2);
      assert.equal((await logged('notification failed')).length, 1);
      assert.equal(notifier.status().waiting, 0);
    },
  );

  test('a receiver as ours is takes a message once, though its first answer was lost', limit, async (t) => {
    const memory = createReplayMemory();
    let builds = 0;
    const { received, target } = await receiver(t, ({ headers, body }, response) => {
      const found = verifyWebhook({ headers, body, secrets: [SECRET], now: Date.now() });
      const isNew = memory.remember(found?.id ?? assert.fail(), Date.now());
      if (!isNew) return response.writeHead(409).end();
      builds += 1;
      response.destroy(); // the sender cannot know that it arrived
    });
    const { notifier, change, logged } = notifierFor(t, [target], { secret: SECRET });
    notifier.start();
    change();
    await logged('notified');
    assert.deepEqual([builds, received.length], [1, 2]);
  });

  for (const [what, respond, error] of /** @type {[string, Answer, RegExp][]} */ ([
    ['redirects elsewhere', answer(302, { location: '/elsewhere' }), /^answered 302$/],
    ['redirects for good', answer(308, { location: '/elsewhere' }), /^answered 308$/],
    ['wants nothing any more', answer(410), /^answered 410$/],
    ['is no HTTP', (_, response) => response.socket?.end('hello\r\n\r\n'), /^no connection: \w+$/],
    ['hangs up', (_, response) => response.destroy(), /^no connection: \w+$/],
    ['never answers', () => {}, /^no answer within 0\.3 s$/],
    [
      'sends one header after the other',
      (_, { socket }) => {
        socket?.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket?.write('x-more: 1\r\n'), 20);
        socket?.on('close', () => clearInterval(timer));
      },
      /^no answer within 0\.3 s$/,
    ],
  ])) {
    test(`a receiver that ${what} has not got it`, limit, async (t) => {
      const { received, requests, target } = await receiver(t, respond, ok);
      const { notifier, change, logged } = notifierFor(t, [target], { timeout: 300 });
      notifier.start();
      change();
      const [failure] = await logged('notification failed');
      assert.match(failure?.fields.error, error);
      await logged('notified');
      await requests(2);
      const requested = received.map(({ url, method }) => `${method} ${url}`);
      assert.deepEqual([...new Set(requested)], ['POST /hooks/rebuild?key=hidden']);
    });
  }

  test('a receiver that is not there yet gets it when it is', limit, async (t) => {
    const gone = await receiver(t, ok);
    const { port } = /** @type {import('node:net').AddressInfo} */ (gone.server.address());
    gone.server.close();
    await once(gone.server, 'close');
    const { notifier, change, logged } = notifierFor(t, [gone.target]);
    notifier.start();
    change();
    const [failure] = await logged('notification failed');
    assert.equal(failure?.fields.error, 'no connection: ECONNREFUSED');
    gone.server.listen(port, '127.0.0.1');
    await logged('notified');
    assert.equal(gone.received.length, 1);
  });

  test('the body of an answer is not read, however long', limit, async (t) => {
    const closed = new EventEmitter();
    const { target } = await receiver(t, (_, response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more).on('close', () => closed.emit('closed'));
      more();
    });
    const ending = once(closed, 'closed', { signal: t.signal });
    const kept = /** @type {Response[]} */ ([]); // else the garbage collector may end it
    /** @type {typeof globalThis.fetch} */
    const fetch = async (url, init) => {
      const response = await globalThis.fetch(url, init);
      kept.push(response);
      return response;
    };
    const { notifier, change, logged } = notifierFor(t, [target], { fetch });
    notifier.start();
    change();
    await logged('notified');
    await ending;
    assert.equal(kept.length, 1);
  });

  test('one target at a time gets one request, and a slow one delays no other', limit, async (t) => {
    const open = /** @type {import('node:http').ServerResponse[]} */ ([]);
    const slow = await receiver(t, (_, response) => open.push(response));
    const quick = await receiver(t, ok);
    const { notifier, change, logged } = notifierFor(t, [slow.target, quick.target]);
    notifier.start();
    change(2);
    await slow.requests(1);
    await logged('notified', 1);
    change(3);
    await logged('notified', 2);
    change(4);
    await logged('notified', 3);
    assert.deepEqual([slow.received.length, quick.received.length], [1, 3]);
    assert.equal(notifier.status().waiting, 1);
    open[0]?.end();
    const [, second] = await slow.requests(2);
    assert.deepEqual(second?.json.data.changes, { '/a/': { from: 1, to: 4 } });
    open[1]?.end();
    await logged('notified', 5);
    assert.equal(slow.received.length, 2);
    assert.equal(notifier.status().waiting, 0);
  });

  test('a day later it is given up, which the status says until the target answers', limit, async (t) => {
    const { target, origin, received } = await receiver(t, answer(503), answer(503), ok);
    let clock = Date.now();
    const { notifier, change, logged } = notifierFor(t, [target], { now: () => clock });
    change();
    const recorded = clock;
    clock += 24 * HOUR;
    notifier.start();
    const [line] = await logged('notification given up');
    assert.deepEqual([line?.level, line?.fields.to, line?.fields.error], ['error', origin, 'answered 503']);
    const givenUp = [{ to: origin, since: recorded, error: 'answered 503' }];
    assert.deepEqual(notifier.status(), { waiting: 0, oldest: null, givenUp, problem: null });
    change(3);
    await logged('notification failed');
    assert.deepEqual(notifier.status().givenUp, givenUp);
    clock += 1000;
    await notifier.stop();
    notifier.start();
    await logged('notified');
    assert.deepEqual(received.at(-1)?.json.data.changes, { '/a/': { from: 1, to: 3 } });
    assert.deepEqual(notifier.status(), { waiting: 0, oldest: null, givenUp: [], problem: null });
  });

  test('more changes than a receiver takes are counted, not listed', limit, async (t) => {
    const { requests, target } = await receiver(t, ok);
    const { notifier } = notifierFor(t, [target, GITHUB], {
      secret: SECRET,
      token: TOKEN,
      fetch: toReceiver,
    });
    /** @type {typeof globalThis.fetch} */
    function toReceiver(url, init) {
      return globalThis.fetch(String(url) === GITHUB ? `${target}&github` : url, init);
    }
    const pages = Array.from({ length: 5000 }, (_, i) => [`/2024/article-${i}/`, i + 1]);
    notifier.record(counts(Object.fromEntries(pages)));
    notifier.start();
    for (const { body, json } of await requests(2)) {
      const { changes, changed, truncated } = json.data ?? json.client_payload;
      assert.deepEqual([changed, truncated], [5001, true]); // and the page that is gone
      const listed = Object.keys(changes).length;
      assert.ok(listed > 500 && listed < 5000, `${listed} are listed`);
      assert.ok(body.length < 33 * 1024, `${body.length} bytes`);
      assert.deepEqual(changes['/2024/article-7/'], { from: 0, to: 8 });
    }
  });

  test('a key of the worst length does not make the body too long', limit, async (t) => {
    const { requests, target } = await receiver(t, ok);
    const { notifier } = notifierFor(t, [target]);
    notifier.record(counts({ '/a/': 2, [`/${'%C3%A9'.repeat(8000)}/`]: 1 }));
    notifier.start();
    const [{ json } = assert.fail()] = await requests(1);
    assert.deepEqual(json.data, { changes: { '/a/': { from: 1, to: 2 } }, changed: 2, truncated: true });
  });

  test('stop() ends what is under way, and the next start sends it again', limit, async (t) => {
    const { requests, target } = await receiver(t, () => {}, ok);
    const { notifier, change, logged, lines } = notifierFor(t, [target], { secret: SECRET });
    notifier.start();
    change();
    await requests(1);
    await notifier.stop();
    change(3); // is kept
    assert.deepEqual(lines, []);
    assert.equal(notifier.status().waiting, 1);
    notifier.start();
    const [first, second] = await requests(2);
    assert.notEqual(second?.headers['webhook-id'], first?.headers['webhook-id']);
    assert.deepEqual(second?.json.data.changes, { '/a/': { from: 1, to: 3 } });
    await logged('notified');
  });

  for (const [moment, answers] of /** @type {[string, Answer[]][]} */ ([
    ['before it was sent', [ok]],
    ['after it was sent', [() => {}, ok]],
  ])) {
    test(`a process that is killed ${moment} loses nothing`, limit, async (t) => {
      const { requests, target } = await receiver(t, ...answers);
      const file = join(temporaryFolder(t), 'outbox.sqlite');
      const isSent = answers.length > 1;
      const child = fork(fileURLToPath(import.meta.url), ['notify', file, target, isSent ? 'sent' : '']);
      t.after(() => child.kill('SIGKILL'));
      const ended = once(child, 'exit');
      await once(child, 'message', { signal: t.signal });
      const before = isSent ? await requests(1) : [];
      child.kill('SIGKILL');
      await ended;
      const notifier = restarted(t, openOutbox(file), [target]);
      const all = await requests(answers.length);
      const last = all.at(-1) ?? assert.fail();
      assert.deepEqual(last.json.data.changes, { '/a/': { from: 0, to: 1 } });
      for (const { headers } of before) assert.equal(headers['webhook-id'], last.headers['webhook-id']);
      await notifier.stop();
      assert.equal(all.length, answers.length);
    });
  }

  test('what waits for a target that is configured no longer is not sent', limit, async (t) => {
    const [old, current] = [await receiver(t, ok), await receiver(t, ok)];
    const { outbox, change, notifier } = notifierFor(t, [old.target, current.target]);
    change();
    await notifier.stop();
    assert.equal(notifier.status().waiting, 2);
    const again = restarted(t, outbox, [current.target]);
    await until('the notification', () => again.status().waiting === 0);
    assert.deepEqual([old.received.length, current.received.length], [0, 1]);
  });

  test('an outbox that cannot be used is told, not swallowed, and works again later', limit, async (t) => {
    const { received, target } = await receiver(t, ok);
    const { notifier, file, change, logged } = notifierFor(t, [target]);
    change();
    edit(file, (database) =>
      database.exec(`CREATE TRIGGER broken BEFORE UPDATE ON notification BEGIN
        SELECT raise(ABORT, 'disk I/O error'); END`),
    );
    notifier.start();
    const [line] = await logged('outbox unusable');
    assert.equal(line?.level, 'error');
    assert.match(String(notifier.status().problem), /disk I\/O error$/);
    failureOf(() => change(3));
    assert.equal(received.length, 0);
    edit(file, (database) => database.exec('DROP TRIGGER broken'));
    change(3);
    await logged('notified');
    await until('the end of the problem', () => notifier.status().problem === null);
    assert.equal(received.length, 1);
    assert.deepEqual(notifier.status(), { waiting: 0, oldest: null, givenUp: [], problem: null });
  });

  test('nothing is sent before start(), and nothing where nobody is to be notified', limit, async (t) => {
    const { received, requests, target } = await receiver(t, ok);
    const { notifier, change } = notifierFor(t, [target]);
    const nobody = notifierFor(t, []);
    nobody.notifier.start();
    nobody.change();
    change();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(received.length, 0);
    notifier.start();
    await requests(1);
  });

  test('the log of a failure is one line that shows the origin alone', limit, async (t) => {
    const { target, origin } = await receiver(t, answer(500));
    const written = new EventEmitter();
    const log = createLog({ write: (line) => written.emit('line', line) });
    const lines = on(written, 'line', { signal: t.signal });
    const { notifier, change } = notifierFor(t, [target], { log });
    notifier.start();
    change();
    const [line] = /** @type {[string]} */ ((await lines.next()).value);
    assert.match(
      line,
      /^\S+ warn notification failed to=\S+ id=msg_\S+ attempt=1 error="answered 500" pause=\d+$/,
    );
    assert.ok(line.includes(origin) && !line.includes('hooks/rebuild') && !line.includes('hidden'), line);
  });

  for (const [what, target, token] of /** @type {[string, string, string?][]} */ ([
    ['no address', 'builder.example/hooks/hidden'],
    ['an empty one', ''],
    ['a file', 'file:///etc/hidden'],
    ['a script', 'javascript:hidden'],
    ['one with a name', 'https://hidden@builder.example/'],
    ['one with a password', 'https://me:hidden@builder.example/'],
    ['GitHub without a token', GITHUB],
    ['GitHub with a token that has a line break', GITHUB, 'hidden\n'],
    ['GitHub with an empty token', GITHUB, ''],
  ])) {
    test(`a target is refused that is ${what}, without showing it`, () => {
      const { message, advice } = failureOf(() => checkTarget(target, token));
      assert.ok(!`${message} ${advice}`.includes('hidden'), message);
    });
  }

  for (const target of [
    'https://builder.example/hooks/rebuild',
    'http://192.168.0.2:8101/hooks/rebuild?a=b',
  ]) {
    test(`${target} is a target`, () => checkTarget(target));
  }

  test('a secret that anybody could guess is refused at once', (t) => {
    const outbox = openOutbox(join(temporaryFolder(t), 'outbox.sqlite'));
    t.after(() => outbox.close());
    failureOf(() => createNotifier({ outbox, targets: [], secret: 'short', log: () => {} }));
  });
}

/**
 * @param {import('node:test').TestContext} t
 * @param {import('../src/outbox.js').Outbox} outbox
 * @param {string[]} targets
 */
function restarted(t, outbox, targets) {
  const notifier = createNotifier({ outbox, targets, secret: SECRET, log: () => {} });
  t.after(async () => {
    await notifier.stop();
    outbox.close();
  });
  notifier.start();
  return notifier;
}
