/** Secrets and personal data never reach the files of a recording, wherever they stand. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, deflateRawSync, brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { readRecording, readRules, type RedactionRules } from '../../src/exchange/exchange-files.ts';
import { redacted, shownJson, type WireExchange } from '../../src/exchange/exchange.ts';
import { withDirectory } from '../support/program.ts';
import { answers, answersJson, asks, asksJson, json, record, textOf, type Parts } from './exchanges.ts';
import type { Json } from '../../src/basics/json.ts';

type Kept = { readonly text: string; readonly exchanges: readonly WireExchange[] };

/** What a recording of these exchanges holds: all of its files in one text, names included. */
const kept = (parts: readonly Parts[], rules?: RedactionRules): Promise<Kept> =>
  withDirectory(async (directory) => {
    await record(directory, parts, { rules });
    const names = await readdir(directory, { recursive: true });
    const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'latin1').catch(() => '')));
    return { text: [...names, ...texts].join('\n'), exchanges: (await readRecording(directory)).exchanges };
  });

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const plain = { 'Content-Type': 'text/plain' };

const secret = 's3cret-Planted-9';
const jwt = 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJlZGl0b3IiLCJ1aWQiOiIyIn0.c2lnbmF0dXJl-_X';
const mail = 'jo.doe+x@library.example.org';
const basic = Buffer.from(`editor:${secret}`).toString('base64');

describe('A planted secret', () => {
  const packed = (coding: string, body: string | Uint8Array): Parts =>
    answers({ ...json, 'Content-Encoding': coding }, body);
  const token = JSON.stringify({ token: secret });

  it.each<[string, Parts]>([
    ['Basic credentials', asks({ Authorization: `Basic ${basic}` })],
    ['a bearer token', asks({ authorization: `Bearer ${secret}` })],
    ['credentials of an unknown scheme', asks({ Authorization: secret })],
    ['credentials for a proxy', asks({ 'Proxy-Authorization': `Digest user="a", response="${secret}"` })],
    ['a cookie', asks({ Cookie: `a=b; SESSabc=${secret}; c=d` })],
    ['a new cookie', answers({ 'Set-Cookie': `SSESSabc=${secret}; path=/; HttpOnly` })],
    ['a CSRF token', asks({ 'X-CSRF-Token': secret })],
    ['a key', asks({ 'X-Api-Key': secret })],
    ['a trailer', { reply: { trailers: [['X-Auth-Token', secret]] } }],
    ['a parameter', { path: `/node/1?_format=json&token=${encodeURIComponent(secret)}` }],
    ['a parameter with an encoded name', { path: `/node/1?%74oken=${secret}` }],
    ['a parameter of a session', { path: `/node/1?PHPSESSID=${secret}` }],
    ['a session in a path', { path: `/node/1;jsessionid=${secret}?x=1` }],
    ['a link for a single login', answers({ Location: `/user/reset/2/1700000000/${secret}` })],
    ['user information in a header', answers({ Location: `https://jo:${secret}@host.test/a` })],
    ['a URL with a secret in a Link', answers({ Link: `<https://host.test/a?access_token=${secret}>; rel="x"` })],
    ['a login', { method: 'POST', path: '/user/login?_format=json', ...asksJson({ name: 'editor', pass: secret }) }],
    [
      'the answer to a login',
      answersJson({ csrf_token: secret, logout_token: `${secret}2`, access: { token: `${secret}3` } }),
    ],
    ['a password of an account', asksJson({ pass: [{ existing: secret, value: `new${secret}` }] })],
    ['a password as a pair', asksJson([{ name: 'password', value: secret }])],
    ['a text that is a token', { path: '/session/token', ...answers(plain, secret) }],
    ['a text that is a token below a path', { path: '/drupal/rest/session/token?x=1', reply: { body: secret } }],
    ['JSON without its end', answers(json, `{"name":"x","secret":"${secret}`)],
    ['JSON with a wrong type', answers(plain, JSON.stringify({ api_key: secret }))],
    ['JSON in JSON', answersJson({ inner: JSON.stringify({ password: secret }) })],
    ['a form', asks(form, `name=x&pass=${encodeURIComponent(secret)}&op=Log+in`)],
    [
      'a page',
      answers(
        { 'Content-Type': 'text/html' },
        `<input type="hidden" name="form_token" value="${secret}" /><script>{"csrf_token":"${secret}"}</script>`,
      ),
    ],
    [
      'a part of a form with files',
      asks(
        { 'Content-Type': 'multipart/form-data; boundary=xx' },
        `--xx\r\nContent-Disposition: form-data; name="pass"\r\n\r\n${secret}\r\n--xx\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n\u0000\u0001\r\n--xx--`,
      ),
    ],
    ['a compressed body', packed('gzip', gzipSync(token))],
    ['a body under brotli', packed('br', brotliCompressSync(token))],
    ['a body under bare deflate', packed('deflate', deflateRawSync(token))],
    ['a body in an unknown coding', packed('zstd', token)],
    ['a long body', answersJson({ fill: 'x '.repeat(60_000), token: secret })],
    ['a line in a text', answers(plain, `db_password = ${secret}\nother`)],
    ['an environment file', answers({ 'Content-Type': 'application/octet-stream' }, `API_KEY=${secret}\n`)],
    ['the words after the status', { reply: { reason: `token=${secret}` } }],
    [
      'another exchange, where no name tells',
      { ...asks({ Authorization: `Basic ${basic}` }), reply: { body: `Hello, your word is ${secret}!` } },
    ],
  ])('is not kept: %s', async (_name, parts) => {
    const { text, exchanges } = await kept([parts]);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(basic);
    expect(exchanges).toHaveLength(1);
  });

  it.each<[string, string]>([
    ['a token by its looks', jwt],
    ['a mail address', mail],
    ['a mail address in a URL', mail.replace('@', '%40')],
    ['a mail address with letters beyond ASCII', 'jörg.müller@bibliothek-köln.de'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----'],
  ])('is not kept anywhere: %s', async (_name, planted) => {
    const { text } = await kept([
      { path: `/node/${encodeURI(planted).replaceAll('%0A', '')}?q=${encodeURI(planted)}` },
      asksJson({ a: [{ b: `x ${planted} y` }] }),
      asksJson({ [planted]: 1 }),
      answers({ 'X-Note': `for ${planted.replaceAll('\n', ' ')}` }),
      answers({ 'Content-Type': 'text/html' }, `<p>${planted}</p>`),
    ]);
    for (const spelled of [planted, encodeURI(planted), JSON.stringify(planted).slice(1, -1)])
      expect(text).not.toContain(spelled);
    expect(Buffer.from(text, 'latin1').toString('utf8')).not.toContain(planted);
  });

  it('is not to be guessed by a hash: the kept body has the hash of what is left', async () => {
    const { exchanges, text } = await kept([
      { method: 'POST', ...asks({ ...json, 'Content-Length': '32' }, '{"name":"editor","pass":"editor"}') },
    ]);
    const body = exchanges[0]?.request.body;
    expect(textOf(body)).toBe('{"name":"editor","pass":"[redacted:pass:1]"}');
    expect(exchanges[0]?.request.headers).toContainEqual(['Content-Length', String(body?.bytes)]);
    expect(text).not.toContain('"editor","pass":"editor"');
  });
});

describe('A placeholder', () => {
  it('is the same for the same secret, wherever it stands, and another for another one', async () => {
    const { exchanges } = await kept([
      { path: '/session/token', reply: { body: 'abcDEF123456-token-one' } },
      asks({ 'X-CSRF-Token': 'abcDEF123456-token-one', Cookie: 'SESSx=cookie-value-1' }),
      asks({ 'X-CSRF-Token': 'abcDEF123456-token-two', Cookie: 'SESSx=cookie-value-1; y=other' }),
      asks({ Authorization: `Basic ${basic}`, 'X-Contact': mail }),
      { ...asks({ Authorization: `Basic ${basic}` }), reply: { body: `mailto:${mail.toUpperCase()}` } },
    ]);
    expect(textOf(exchanges[0]?.reply.body)).toBe('[redacted:token:1]');
    expect(exchanges.map(({ request }) => Object.fromEntries(request.headers))).toEqual([
      {},
      { 'X-CSRF-Token': '[redacted:token:1]', Cookie: 'SESSx=[redacted:cookie:1]' },
      { 'X-CSRF-Token': '[redacted:x-csrf-token:1]', Cookie: 'SESSx=[redacted:cookie:1]; y=[redacted:cookie:2]' },
      { Authorization: 'Basic [redacted:authorization:1]', 'X-Contact': 'mail-1@redacted.invalid' },
      { Authorization: 'Basic [redacted:authorization:1]' },
    ]);
    expect(textOf(exchanges[4]?.reply.body)).toBe('mailto:mail-1@redacted.invalid');
  });

  it('stays as it is when a recording is recorded again', async () => {
    const headers = { Authorization: `Bearer ${jwt}`, Cookie: 'SESSx=cookie-value-1' };
    const body = JSON.stringify({ mail: [{ value: mail }], token: jwt });
    const again = async (path: string, request: Parameters<typeof asks>[0], content: string | Uint8Array) =>
      (await kept([{ path, ...asks(request), ...answers(json, content) }])).exchanges[0];
    const once = await again('/node/1?token=abcdefgh-12345', headers, body);
    const twice = await again(once?.request.path ?? '', once?.request.headers ?? [], once?.reply.body.kept ?? '');
    expect(twice?.request).toEqual(once?.request);
    expect(twice?.reply.body).toEqual(once?.reply.body);
  });
});

describe('A text that is made to be slow', () => {
  // Some patterns would need minutes for one of these.
  it.each([
    'a',
    'a@',
    '@a.',
    '%40',
    '%2525',
    '?a=b',
    '"a":"',
    'name="a" ',
    'eyJaaaaaaaaa.',
    'token=',
    '//u',
    '-----BEGIN ',
    '%41',
    '%',
    'QUJD',
    'QUJD/',
    'aB1/',
    '&quot;',
    '\\u0070',
    'Cookie: 1',
    'x-a-key: ',
    'password: ',
    'password is ',
    '<key>a</key>',
    '<a name="b" ',
    '<Assertion SAML:',
    '-u a:',
    '/reset/',
    'pass=',
    'a: ',
    'a[b]',
  ])('is searched all the same: %j', async (piece) => {
    const body = `${piece.repeat(Math.ceil(200_000 / piece.length))} ${mail}`;
    const { exchanges } = await kept([answers(plain, body)]);
    expect(textOf(exchanges[0]?.reply.body)).not.toContain(mail);
  });
});

it('JSON that is nested too deeply to be read is kept, without its secrets', async () => {
  const body = `${'['.repeat(200_000)}"token=${secret}"${']'.repeat(200_000)}`;
  const { exchanges } = await kept([answers(json, body)]);
  expect(textOf(exchanges[0]?.reply.body)).toBe(body.replace(secret, '[redacted:token:1]'));
});

describe('What is no secret', () => {
  it('stays as it is', async () => {
    const body = JSON.stringify({
      title: [{ value: 'Password reset at the token office' }],
      message: 'X-CSRF-Token request header is missing',
      image: 'logo@2x.png',
      link: 'https://repository.test/node/1?_format=json&page=2#top',
      uuid: 'd6aedc83-94eb-4a02-9540-771732717d05',
      isbn: 9783161484100,
      note: 'Basic authentication and Bearer tokens are used.',
      password_policy: null,
      author: '@editor',
    });
    const headers = { ...json, 'WWW-Authenticate': 'Basic realm="Repository"', Vary: 'Cookie', ETag: '"abc"' };
    const { exchanges } = await kept([
      { ...asks({ Authorization: 'Basic YWRtaW46YWRtaW4=' }), ...answers(headers, body) },
    ]);
    expect(textOf(exchanges[0]?.reply.body)).toBe(body);
    expect(exchanges[0]?.reply.headers).toEqual(Object.entries(headers));
  });

  it.each<[string, BufferEncoding, string]>([
    ['UTF-8', 'utf8', 'é 海边的船'],
    ['Latin-1', 'latin1', 'é ÿ'],
    ['UTF-16LE', 'utf16le', 'é 海边的船'],
  ])('is the text beside a secret, in %s', async (charset, coding, letters) => {
    const body = `${letters}\npassword = ${secret}\n${letters}\n`;
    const { exchanges } = await kept([
      answers({ 'Content-Type': `text/plain; charset=${charset}` }, Buffer.from(body, coding)),
    ]);
    const left = Buffer.from(exchanges[0]?.reply.body.kept ?? []);
    expect(left.toString(coding)).toBe(body.replace(secret, '[redacted:password:1]'));
  });

  it('is the content of a picture, whatever its bytes look like', async () => {
    const body = Buffer.concat([Buffer.from([0x89, 0x50, 0, 0xff]), Buffer.from(`token=${secret} ${mail}`)]);
    const { exchanges } = await kept([answers({ 'Content-Type': 'image/png' }, body)]);
    expect(Buffer.from(exchanges[0]?.reply.body.kept ?? [])).toEqual(body);
  });
});

describe('Rules of one\u2019s own', () => {
  const withRules = (yaml: string, use: (rules: RedactionRules) => Promise<void>): Promise<void> =>
    withDirectory(async (directory) => {
      const file = join(directory, 'rules.yml');
      await writeFile(file, yaml);
      await use(await readRules(file));
    });

  it('name headers, members and patterns, and keep mail addresses', async () => {
    const yaml =
      'headers: [X-Card]\nmembers: [field_phone]\npatterns:\n  - { name: shelf, pattern: "shelf-[0-9]+", ignore_case: true }\nkeep: [mails]\n';
    await withRules(yaml, async (rules) => {
      const shown = { field_phone: [{ value: '+49 30 1234' }], a: `On SHELF-12, ask ${mail}` };
      const asked = { path: '/a?field_phone[0][value]=5678', ...asks({ 'x-card': '4711-4711' }) };
      const { text } = await kept([{ ...asked, ...answersJson(shown) }], rules);
      for (const gone of ['4711', '1234', '5678', 'SHELF']) expect(text).not.toContain(gone);
      expect(text).toContain('[redacted:shelf:1]');
      expect(text).toContain(mail);
    });
  });

  it('allow a name that holds no secret, of a header, a member and a parameter', async () => {
    await withRules('allow: [code, field_signature, X-Session]\n', async (rules) => {
      const body = JSON.stringify({ field_signature: 'MS 4711', signature: 'cut-me-1' });
      const headers = { ...json, 'X-Session': 'morning' };
      const { exchanges, text } = await kept([{ path: '/node/1?code=ab12', ...answers(headers, body) }], rules);
      expect(exchanges[0]?.request.path).toBe('/node/1?code=ab12');
      expect(exchanges[0]?.reply.headers).toEqual(Object.entries(headers));
      expect(text).toContain('MS 4711');
      expect(text).not.toContain('cut-me-1');
    });
  });

  it('replace a text as a whole when their pattern takes too long', async () => {
    await withRules('patterns:\n  - { name: slow, pattern: "(a+)+$" }\n', async (rules) => {
      const { exchanges } = await kept([{ reply: { body: `${'a'.repeat(60)}!` } }], rules);
      expect(textOf(exchanges[0]?.reply.body)).toBe('[redacted:slow:1]');
    });
  });

  it.each([
    ['headers: X-Card\n', 'rules.yml:1: headers: '],
    ['headers: []\ncolour: red\n', 'rules.yml:2: colour: '],
    ['patterns:\n  - { name: a, pattern: "(" }\n', 'rules.yml:2: patterns.0.pattern: ( is not a regular expression'],
    ['patterns:\n  - { name: A b, pattern: "x" }\n', 'patterns.0.name: must be a word of small letters'],
    ['a: [\n', 'rules.yml:2: is not valid YAML'],
  ])('that are wrong are refused with file and line: %j', async (yaml, message) => {
    await expect(withRules(yaml, async () => undefined)).rejects.toThrow(message);
  });
});

it('a JSON value that is nested too deeply to be looked through is shown as one mark', () => {
  let deep: Json = 'secret';
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  expect([shownJson(deep), shownJson(deep, 'createNode')]).toEqual([redacted, redacted]);
});
