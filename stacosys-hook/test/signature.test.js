import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { test } from 'node:test';
import { sign, verify, verifyWithFallback } from '@octokit/webhooks-methods';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { checkSecret, createReplayMemory, signWebhook, verifyWebhook } from '../src/signature.js';
import { failureOf } from './database.js';

const NOW = Date.UTC(2024, 0, 2, 12);
const SECONDS = NOW / 1000;
const MINUTE = 60_000;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'another secret of sufficient length';
const BODY = Buffer.from('{"type":"comments.changed"}');
const STANDARD = { scheme: 'standard', id: 'msg_1' };
const GITHUB = { scheme: 'github', id: null };

const runs = { numRuns: 200 };
const anySecret = fc.oneof(
  fc
    .uint8Array({ minLength: 16, maxLength: 80 })
    .map((key) => `whsec_${Buffer.from(key).toString('base64')}`),
  fc
    .string({ unit: 'grapheme', minLength: 16, maxLength: 80 })
    .filter((text) => !text.startsWith('whsec_') && !text.includes('\0')),
);
const anyBody = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes));
const anyText = fc.string({ unit: 'binary', minLength: 1 }).map((text) => text.toWellFormed());
const anyId = fc.stringMatching(/^[\w:+/=-]{1,256}$/);

/** @param {Partial<Parameters<typeof signWebhook>[0]>} [message] */
function signed(message = {}) {
  return signWebhook({ id: 'msg_1', timestamp: SECONDS, body: BODY, secret: SECRET, ...message });
}

/**
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {{body?: Buffer, secrets?: string[], now?: number}} [options]
 */
function verified(headers, { body = BODY, secrets = [SECRET], now = NOW } = {}) {
  return verifyWebhook({ headers, body, secrets, now });
}

/**
 * @param {Buffer} body
 * @param {string} secret
 */
function signedAsGitHub(body, secret) {
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  return { 'x-hub-signature-256': `sha256=${digest}` };
}

/** @param {string} secret the library takes a text without prefix for base64 */
function standardLibrary(secret) {
  return secret.startsWith('whsec_')
    ? new Webhook(secret)
    : new Webhook(new TextEncoder().encode(secret), { format: 'raw' });
}

test('what the library standardwebhooks signs is verified, whatever the text and the secret', () => {
  fc.assert(
    fc.property(anyText, anySecret, anyId, (text, secret, id) => {
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(SECONDS),
        'webhook-signature': standardLibrary(secret).sign(id, new Date(NOW), text),
      };
      const found = verified(headers, { body: Buffer.from(text), secrets: [secret] });
      assert.deepEqual(found, { scheme: 'standard', id });
    }),
    runs,
  );
});

test('what is signed here is verified by the library standardwebhooks', () => {
  fc.assert(
    fc.property(anyText, anySecret, anyId, (text, secret, id) => {
      const timestamp = Math.floor(Date.now() / 1000); // the library looks at the clock
      const headers = signed({ id, timestamp, body: text, secret });
      standardLibrary(secret).verify(text, headers, { jsonParse: false });
      const forged = { ...headers, 'webhook-id': `${id}x` };
      assert.throws(() => standardLibrary(secret).verify(text, forged, { jsonParse: false }));
    }),
    runs,
  );
});

test('what the library of GitHub signs is verified, and the other way round', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, anySecret, async (text, secret) => {
      const body = Buffer.from(text);
      const headers = { 'x-hub-signature-256': await sign(secret, text) };
      assert.deepEqual(headers, signedAsGitHub(body, secret));
      assert.deepEqual(verified(headers, { body, secrets: [secret] }), GITHUB);
      assert.equal(verified(headers, { body, secrets: [OTHER] }), null);
      assert.equal(await verify(OTHER, text, headers['x-hub-signature-256']), false);
    }),
    runs,
  );
});

test('the example of the GitHub documentation is verified', () => {
  const secrets = ["It's a Secret to Everybody"];
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  const found = verified(
    { 'x-hub-signature-256': signature },
    { body: Buffer.from('Hello, World!'), secrets },
  );
  assert.deepEqual(found, GITHUB);
});

test('any bytes are signed as they are, and any other bytes are refused', () => {
  fc.assert(
    fc.property(anyBody, anyBody, anySecret, (body, other, secret) => {
      for (const headers of [signed({ body, secret }), signedAsGitHub(body, secret)]) {
        assert.notEqual(verified(headers, { body, secrets: [secret] }), null);
        const isVerified = verified(headers, { body: other, secrets: [secret] }) !== null;
        assert.equal(isVerified, body.equals(other));
      }
    }),
    runs,
  );
});

test('a body that is changed by one bit is refused', () => {
  fc.assert(
    fc.property(fc.nat({ max: BODY.length * 8 - 1 }), (bit) => {
      const body = Buffer.from(BODY);
      body[bit >> 3] = Number(body[bit >> 3]) ^ (1 << (bit & 7));
      for (const headers of [signed(), signedAsGitHub(BODY, SECRET)]) {
        assert.equal(verified(headers, { body }), null);
        assert.notEqual(verified(headers), null);
      }
    }),
    runs,
  );
});

test('while one secret replaces the other, both are valid, and no third', async () => {
  const secrets = [SECRET, OTHER];
  for (const secret of secrets) {
    assert.deepEqual(verified(signed({ secret }), { secrets }), STANDARD);
    assert.deepEqual(verified(signedAsGitHub(BODY, secret), { secrets }), GITHUB);
    const signature = signedAsGitHub(BODY, secret)['x-hub-signature-256'];
    assert.equal(await verifyWithFallback(SECRET, BODY.toString(), signature, [OTHER]), true);
  }
  const third = 'a third secret of sufficient length';
  assert.equal(verified(signed({ secret: third }), { secrets }), null);
  assert.equal(verified(signedAsGitHub(BODY, third), { secrets }), null);
});

test('without a secret nothing is verified', () => {
  assert.equal(verified(signed(), { secrets: [] }), null);
  assert.equal(verified(signedAsGitHub(BODY, SECRET), { secrets: [] }), null);
});

test('a sender that changes its secret sends two signatures, and one that is known suffices', () => {
  const [mine, theirs] = [SECRET, OTHER].map((secret) => signed({ secret })['webhook-signature']);
  for (const list of [`${mine} ${theirs}`, `${theirs} ${mine}`, `v1a,abc= v2, ${mine}  nonsense`]) {
    assert.deepEqual(verified({ ...signed(), 'webhook-signature': list }), STANDARD, list);
  }
});

test('the bytes of a secret that is not ASCII are those of its UTF-8', () => {
  const secret = 'pässwörd-日本語-🔑';
  assert.deepEqual(verified(signed({ secret }), { secrets: [secret] }), STANDARD);
  const { 'webhook-signature': signature } = signed({ secret });
  const content = `msg_1.${SECONDS}.${BODY}`;
  assert.equal(signature, `v1,${createHmac('sha256', Buffer.from(secret)).update(content).digest('base64')}`);
});

for (const [difference, isInTime] of /** @type {[number, boolean][]} */ ([
  [0, true],
  [5 * MINUTE, true],
  [-5 * MINUTE, true],
  [5 * MINUTE + 1, false],
  [-5 * MINUTE - 1, false],
  [60 * MINUTE, false],
])) {
  test(`a message that is ${difference} ms old is ${isInTime ? 'verified' : 'refused'}`, () => {
    assert.deepEqual(verified(signed(), { now: NOW + difference }), isInTime ? STANDARD : null);
  });
}

const GOOD = signed();
const V1 = GOOD['webhook-signature'];

/** @type {[what: string, headers: import('node:http').IncomingHttpHeaders][]} */
const MALFORMED = [
  ['no header at all', {}],
  ...Object.keys(GOOD).flatMap(
    (name) =>
      /** @type {[string, import('node:http').IncomingHttpHeaders][]} */ ([
        [`no ${name}`, { ...GOOD, [name]: undefined }],
        [`an empty ${name}`, { ...GOOD, [name]: '' }],
        [`${name} twice, as an array`, { ...GOOD, [name]: [GOOD[/** @type {keyof GOOD} */ (name)], 'x'] }],
        [`${name} in an array`, { ...GOOD, [name]: [GOOD[/** @type {keyof GOOD} */ (name)]] }],
        [`a very long ${name}`, { ...GOOD, [name]: 'a'.repeat(100_000) }],
        [`a line break in ${name}`, { ...GOOD, [name]: `${GOOD[/** @type {keyof GOOD} */ (name)]}\n` }],
        [`a NUL in ${name}`, { ...GOOD, [name]: `\0${GOOD[/** @type {keyof GOOD} */ (name)]}` }],
        [`letters that are not ASCII in ${name}`, { ...GOOD, [name]: 'é'.repeat(47) }],
      ]),
  ),
  ['webhook-id twice, joined', { ...GOOD, 'webhook-id': 'msg_1, msg_1' }],
  ['webhook-timestamp twice, joined', { ...GOOD, 'webhook-timestamp': `${SECONDS}, ${SECONDS}` }],
  ['a dot in the id', signed({ id: 'msg.1' })],
  ['an id of 257 characters', signed({ id: 'a'.repeat(257) })],
  ['a space in the id', signed({ id: 'msg 1' })],
  ['a time stamp in milliseconds', signed({ timestamp: NOW })],
  ['a time stamp with a fraction', signed({ timestamp: SECONDS + 0.5 })],
  ['a negative time stamp', signed({ timestamp: -SECONDS })],
  ['a time stamp that is no number', signed({ timestamp: NaN })],
  ['a time stamp with a sign', { ...GOOD, 'webhook-timestamp': `+${SECONDS}` }],
  ['a hexadecimal time stamp', { ...GOOD, 'webhook-timestamp': `0x${SECONDS.toString(16)}` }],
  ['another time stamp', { ...GOOD, 'webhook-timestamp': String(SECONDS + 1) }],
  ['another id', { ...GOOD, 'webhook-id': 'msg_2' }],
  ['a signature without its version', { ...GOOD, 'webhook-signature': V1.slice(3) }],
  ['another version of the same signature', { ...GOOD, 'webhook-signature': V1.replace('v1', 'v2') }],
  ['a version in upper case', { ...GOOD, 'webhook-signature': V1.replace('v1', 'V1') }],
  ['a signature that is cut off', { ...GOOD, 'webhook-signature': V1.slice(0, -1) }],
  ['a signature with a character too many', { ...GOOD, 'webhook-signature': `${V1}=` }],
  ['a list of commas', { ...GOOD, 'webhook-signature': ',,,,' }],
  ['a list too long', { ...GOOD, 'webhook-signature': `${'v1, '.repeat(1100)}${V1}` }],
  ['the version alone', { ...GOOD, 'webhook-signature': 'v1,' }],
  ['another secret', signed({ secret: OTHER })],
];

for (const [what, headers] of MALFORMED) {
  test(`a Standard message is refused: ${what}`, () => {
    assert.equal(verified(headers), null);
    assert.deepEqual(verified(GOOD), STANDARD);
  });
}

const GITHUB_SIGNATURE = signedAsGitHub(BODY, SECRET)['x-hub-signature-256'];

/** @type {[what: string, value: string | string[]][]} */
const MALFORMED_GITHUB = [
  ['empty', ''],
  ['twice, as an array', [GITHUB_SIGNATURE, GITHUB_SIGNATURE]],
  ['twice, joined', `${GITHUB_SIGNATURE}, ${GITHUB_SIGNATURE}`],
  ['without its algorithm', GITHUB_SIGNATURE.slice('sha256='.length)],
  ['of another algorithm', GITHUB_SIGNATURE.replace('sha256', 'sha1')],
  ['in upper case', GITHUB_SIGNATURE.toUpperCase()],
  ['cut off', GITHUB_SIGNATURE.slice(0, -1)],
  ['too long', `${GITHUB_SIGNATURE}0`],
  ['very long', `sha256=${'0'.repeat(100_000)}`],
  ['with a line break', `${GITHUB_SIGNATURE}\n`],
  ['no hexadecimal', `sha256=${'é'.repeat(64)}`],
  ['of zeros', `sha256=${'0'.repeat(64)}`],
  ['of another secret', signedAsGitHub(BODY, OTHER)['x-hub-signature-256']],
];

for (const [what, value] of MALFORMED_GITHUB) {
  test(`a GitHub message is refused whose signature is ${what}`, () => {
    assert.equal(verified({ 'x-hub-signature-256': value }), null);
    assert.deepEqual(verified({ 'x-hub-signature-256': GITHUB_SIGNATURE }), GITHUB);
  });
}

test('the older SHA-1 signature of GitHub does not count', () => {
  const digest = createHmac('sha1', SECRET).update(BODY).digest('hex');
  assert.equal(verified({ 'x-hub-signature': `sha1=${digest}` }), null);
});

test('with headers of both schemes the Standard ones must be right', () => {
  const github = signedAsGitHub(BODY, SECRET);
  assert.deepEqual(verified({ ...GOOD, ...github }), STANDARD);
  for (const name of Object.keys(GOOD)) {
    assert.equal(verified({ ...GOOD, ...github, [name]: undefined }), null, `without ${name}`);
    assert.equal(verified({ ...github, [name]: 'x' }), null, `with ${name} alone`);
  }
  assert.equal(verified({ ...GOOD, ...github }, { now: NOW + 6 * MINUTE }), null);
});

test('a Standard message whose time is over does not pass for one of GitHub', () => {
  const headers = signed({ secret: OTHER });
  const signature = Buffer.from(headers['webhook-signature'].slice(3), 'base64').toString('hex');
  const body = Buffer.from(`msg_1.${SECONDS}.${BODY}`);
  const asGitHub = { 'x-hub-signature-256': `sha256=${signature}` };
  assert.deepEqual(asGitHub, signedAsGitHub(body, OTHER), 'the HMAC itself is right');
  assert.equal(verified(asGitHub, { body, secrets: [OTHER] }), null);
});

test('any headers are refused, and never an error', () => {
  const anyValue = fc.option(fc.oneof(anyText, fc.array(anyText)), { nil: undefined });
  const names = [...Object.keys(GOOD), 'x-hub-signature-256'];
  const anyHeaders = fc.record(Object.fromEntries(names.map((name) => [name, anyValue])));
  fc.assert(
    fc.property(anyHeaders, anyBody, (headers, body) => {
      assert.equal(verified(headers, { body }), null);
    }),
    runs,
  );
});

test('a message that went through HTTP is verified, one with a header twice is not', async (t) => {
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray());
    response.end(JSON.stringify(verified(incoming.headers, { body })));
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  /** @param {Record<string, string | string[]>} headers */
  const send = async (headers) => {
    const outgoing = request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false });
    outgoing.end(BODY);
    const [response] = await once(outgoing, 'response');
    return JSON.parse(Buffer.concat(await response.toArray()).toString());
  };
  const github = signedAsGitHub(BODY, SECRET)['x-hub-signature-256'];
  assert.deepEqual(await send(signed()), STANDARD);
  assert.deepEqual(await send({ 'X-Hub-Signature-256': github }), GITHUB);
  assert.equal(await send({ ...signed(), 'webhook-id': ['msg_1', 'msg_1'] }), null);
  assert.equal(await send({ ...signed(), 'webhook-timestamp': [`${SECONDS}`, `${SECONDS}`] }), null);
  assert.equal(await send({ 'X-Hub-Signature-256': [github, github] }), null);
});

test('a message is taken once', () => {
  const memory = createReplayMemory();
  assert.equal(memory.remember('msg_1', NOW), true);
  assert.equal(memory.remember('msg_1', NOW), false);
  assert.equal(memory.remember('msg_1', NOW + MINUTE), false);
  assert.equal(memory.remember('msg_2', NOW + MINUTE), true);
});

test('an id stays refused as long as its message could be verified', () => {
  const memory = createReplayMemory();
  const headers = signed();
  const [first, last] = [NOW - 5 * MINUTE, NOW + 5 * MINUTE];
  assert.deepEqual(verified(headers, { now: first }), STANDARD);
  assert.equal(memory.remember('msg_1', first), true);
  for (const now of [first, NOW, last]) assert.equal(memory.remember('msg_1', now), false);
  assert.deepEqual(verified(headers, { now: last }), STANDARD);
  assert.equal(verified(headers, { now: last + 1 }), null);
  assert.equal(memory.remember('msg_1', last + 1), true);
});

test('a clock that is set back does not let an id in again', () => {
  const memory = createReplayMemory();
  memory.remember('msg_1', NOW);
  memory.remember('msg_2', NOW - 60 * MINUTE);
  assert.equal(memory.remember('msg_1', NOW - 60 * MINUTE), false);
  assert.equal(memory.remember('msg_2', NOW - 60 * MINUTE), false);
});

test('a full memory forgets the oldest id, and no other', () => {
  const memory = createReplayMemory({ capacity: 3, milliseconds: MINUTE });
  for (const id of ['a', 'b', 'c', 'd']) assert.equal(memory.remember(id, NOW), true);
  for (const id of ['b', 'c', 'd']) assert.equal(memory.remember(id, NOW), false, id);
  assert.equal(memory.remember('a', NOW), true);
});

for (const [what, secret] of [
  ['empty', ''],
  ['of 15 characters', 'a'.repeat(15)],
  ['of a prefix alone', 'whsec_'],
  ['of 15 bytes in base64', `whsec_${Buffer.alloc(15, 1).toString('base64')}`],
  ['of a prefix and no base64', 'whsec_this is not base64 at all!'],
  ['of base64 that is cut off', SECRET.slice(0, -1)],
  ['of base64 with spaces', 'whsec_MfKQ9r8G KYqrTwjUPD8I LPZIo2LaLaSw'],
]) {
  test(`a secret ${what} is refused, without showing it`, () => {
    const failure = failureOf(() => checkSecret(String(secret)));
    if (secret) assert.ok(!failure.message.includes(secret));
    assert.match(failure.advice, /openssl rand/);
    failureOf(() => signed({ secret }));
    failureOf(() => verified(GOOD, { secrets: [SECRET, String(secret)] }));
  });
}

test('a secret of 16 bytes is long enough, written as text or in base64', () => {
  checkSecret('a'.repeat(16));
  checkSecret('é'.repeat(8));
  checkSecret(`whsec_${randomBytes(16).toString('base64')}`);
  checkSecret(`whsec_${randomBytes(32).toString('base64')}`);
});
