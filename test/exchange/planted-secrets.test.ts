/** A secret that is planted in an exchange reaches nobody: no recording, no report, no traffic, no agent. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { HeaderLine, WireExchange } from '../../src/exchange/exchange.ts';
import { headersOf, textOf } from '../mcp/sandbox/shown-to-agents.ts';
import { exchange, type Parts } from '../recording/exchanges.ts';
import { recordOf, showing, shownBy, users } from './shown-exchanges.ts';

const secret = 's3cret-Planted-9';
const basic = Buffer.from(`editor:${secret}`).toString('base64');
const json: HeaderLine = ['Content-Type', 'application/json'];
/** The answer says the secret again, where nothing names it. */
const echo = {
  headers: [json, ['X-Note', `got ${secret}`] as const],
  body: JSON.stringify({ message: `"${secret}"?` }),
};

/** Where it is planted. `ofReply`: the reply alone tells that it is secret. */
const places: readonly (readonly [place: string, parts: Parts, ofReply?: true])[] = [
  ['Basic credentials', { request: { headers: [['Authorization', `Basic ${basic}`]] }, reply: echo }],
  ['a bearer token', { request: { headers: [['Authorization', `Bearer ${secret}`]] }, reply: echo }],
  ['a cookie', { request: { headers: [['Cookie', `a=b; SESSabc=${secret}; atoll_world=w1`]] }, reply: echo }],
  ['a CSRF token', { request: { headers: [['X-CSRF-Token', secret]] }, reply: echo }],
  ['a key of another server', { request: { headers: [['X-Api-Key', secret]] }, reply: echo }],
  ['a parameter', { path: `/node/1?_format=json&token=${secret}`, reply: echo }],
  ['a parameter with an encoded name', { path: `/node/1?%74oken=${secret}`, reply: echo }],
  [
    'a login',
    {
      ...{ method: 'POST', path: '/user/login?_format=json', reply: echo },
      request: { headers: [json], body: JSON.stringify({ name: 'editor', pass: secret }) },
    },
  ],
  [
    'a new password',
    {
      ...{ method: 'PATCH', path: '/user/2?_format=json', reply: echo },
      request: { headers: [json], body: JSON.stringify({ pass: [{ existing: `old-${secret}`, value: secret }] }) },
    },
  ],
  ['a new cookie', { reply: { ...echo, headers: [...echo.headers, ['Set-Cookie', `S=${secret}; path=/`]] } }, true],
  [
    'the answer to a login',
    { reply: { ...echo, body: JSON.stringify({ csrf_token: secret, note: [`again ${secret}`] }) } },
    true,
  ],
  [
    'a token as text',
    {
      path: '/session/token',
      reply: {
        headers: [
          ['Content-Type', 'text/plain'],
          ['X-Note', secret],
        ],
        body: secret,
      },
    },
  ],
  ['an address with a password', { reply: { headers: [['Location', `https://jo:${secret}@host.test/a`]] } }, true],
];

/** What other servers and clients call their secrets. */
const memberNames =
  'pass newPass new_pass pass1 pass_2 userPass user_pass pwd passwd passphrase password new-password secret clientSecret client_secret token id_token refreshToken access_token csrf xsrfToken api_key apiKey APIKEY private_key accessKey jwt authorization credentials assertion client_assertion code_verifier authorization_code signature sig otp pin session_id sessionId sid'.split(
    ' ',
  );
const parameterNames =
  'X-Amz-Signature X-Amz-Credential X-Amz-Security-Token sig code code_verifier client_assertion assertion key hash signature edit[pass] pass[pass1] session auth state nonce'.split(
    ' ',
  );
const headerNames =
  'X-Session Authentication X-Auth X-Auth-Key X-Signature X-Amz-Security-Token Proxy-Authorization X-Access-Token'.split(
    ' ',
  );
const xml: HeaderLine = ['Content-Type', 'application/xml'];
const form: HeaderLine = ['Content-Type', 'application/x-www-form-urlencoded'];
const multipart = 'multipart/form-data; boundary=B';
/** Texts that no reader takes apart as a whole: cut off, in one another, or in a form of their own. */
const texts: readonly (readonly [place: string, type: string, body: string])[] = [
  ['a password of a record that is cut off', json[1], `{"pass":[{"existing":"old","value":"${secret}"`],
  ['a password of a record behind a byte order mark', json[1], `\ufeff{"pass":[{"value":"${secret}"}]}`],
  ['JSON in JSON', json[1], JSON.stringify({ a: JSON.stringify({ pass: [{ value: secret }] }) })],
  ['JSON in JSON in JSON', json[1], JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ pass: secret }) }) })],
  ['a script', 'text/javascript', `const password = "${secret}";`],
  ['a line of YAML', 'application/yaml', `user:\n  pass: ${secret}\n`],
  ['a variable of a shell', 'text/plain', `DB_PASS=${secret}`],
  ['CDATA', 'application/xml', `<a><password><![CDATA[${secret}]]></password></a>`],
  ['a field whose name comes last', 'text/html', `<input value="${secret}" type="hidden" name="form_token">`],
  ['a token in the head of a page', 'text/html', `<meta name="csrf-token" content="${secret}">`],
  [
    'a part without quotes',
    multipart,
    `--B\r\nContent-Disposition: form-data; name=pass\r\n\r\n${secret}\r\n--B--\r\n`,
  ],
  ['a part with plain line ends', multipart, `--B\nContent-Disposition: form-data; name="pass"\n\n${secret}\n--B--\n`],
  [
    'the second line of a part',
    multipart,
    `--B\r\nContent-Disposition: form-data; name="pass"\r\n\r\nfirst line\r\n${secret}\r\n--B--\r\n`,
  ],
];
const planted: readonly (readonly [place: string, parts: Parts])[] = [
  ...memberNames.flatMap((name): [string, Parts][] => [
    [`the member ${name}`, { reply: { headers: [json], body: JSON.stringify({ a: [{ [name]: secret }] }) } }],
    [`the element ${name}`, { reply: { headers: [xml], body: `<a><${name}>${secret}</${name}></a>` } }],
    [`the attribute ${name}`, { reply: { headers: [xml], body: `<a b="1" ${name}="${secret}"/>` } }],
  ]),
  ...[...memberNames, ...parameterNames].flatMap((name): [string, Parts][] => [
    [`the parameter ${name}`, { path: `/node/1?_format=json&${encodeURIComponent(name)}=${secret}` }],
    [`the field ${name}`, { method: 'POST', request: { headers: [form], body: `a=b&${name}=${secret}` } }],
  ]),
  ...headerNames.map((name): [string, Parts] => [`the header ${name}`, { request: { headers: [[name, secret]] } }]),
  ...texts.map(([place, type, body]): [string, Parts] => [
    place,
    { reply: { headers: [['Content-Type', type]], body } },
  ]),
  ['a challenge', { reply: { headers: [['WWW-Authenticate', `Digest realm="a", nonce="${secret}"`]] } }],
];
/** What is secret by itself, in a text. */
const shapes = [
  'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJlZGl0b3IiLCJ1aWQiOiIyIn0.c2lnbmF0dXJl-_X',
  'AKIAIOSFODNN7EXAMPLE',
  `ghp_${'a1B2c3D4e5'.repeat(4)}`,
  '$S$E5sSxYz0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ',
  '-----BEGIN RSA PRIVATE KEY-----MIIEow-----END RSA PRIVATE KEY-----',
];

const answerFor = ({ reply }: WireExchange, operation: string | undefined) => {
  const headers = new Headers(recordOf(reply.headers));
  const answer = { status: reply.status, headers, bytes: Buffer.from(reply.body.kept) };
  return [headersOf(answer), textOf(answer, operation)];
};

describe.each(Object.entries(users))('In %s', (_user, show) => {
  it.each(places)('%s is hidden, also where the answer says it again', async (_place, parts) => {
    const shown = await shownBy(show, exchange(parts));
    expect(shown).toContain('[redacted');
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(basic);
  });

  it('a word stays, though it is the password of a demo account, too', async () => {
    const word = 'islandora';
    const headers = [['Authorization', `Basic ${Buffer.from(`${word}:${word}`).toString('base64')}`]] as const;
    const reply = { headers: [json], body: JSON.stringify({ message: `An ${word}_object.` }) };
    const shown = await shownBy(show, exchange({ request: { headers }, reply }), [word]);
    expect(shown).toContain(`${word}_object`);
  });
});

describe.each(showing)('By suspicion, in %s', (user) => {
  const shown = (parts: Parts): Promise<string> => shownBy(users[user] ?? (() => ''), exchange(parts));

  it.each(planted)('%s is hidden', async (_place, parts) => {
    const text = await shown(parts);
    expect(text).toContain('[redacted');
    expect(text).not.toContain(secret);
  });

  it.each(shapes)('%s is hidden in a text', async (shape) => {
    const text = await shown({
      reply: { headers: [json], body: JSON.stringify({ note: `It is ${shape}, says he.` }) },
    });
    expect(text).toContain('[redacted');
    expect(text).not.toContain(shape);
  });

  it('whatever name a secret has, it is hidden', async () => {
    const stems = [
      'pass',
      'password',
      'secret',
      'token',
      'credential',
      'assertion',
      'signature',
      'apiKey',
      'otp',
      'jwt',
    ];
    const word = fc.constantFrom('', 'new', 'user', 'old', 'my', 'client', 'field', 'x', 'api', 'edit');
    const style = fc.constantFrom<(words: readonly string[]) => string>(
      (words) => words.join('_'),
      (words) => words.join('-'),
      (words) => words.map((each) => each.charAt(0).toUpperCase() + each.slice(1)).join(''),
      (words) => words.join('_').toUpperCase(),
      ([first = '', ...rest]) => first + rest.map((each) => `[${each}]`).join(''),
    );
    const name = fc
      .tuple(word, fc.constantFrom(...stems), fc.constantFrom('', '1', '2', 'Value'), style)
      .map(([before, stem, after, join]) => join([before, stem, after].filter((each) => each !== '')));
    const value = fc.stringMatching(/^[A-Za-z0-9]{9,40}$/).map((text) => `Zq7${text}`);
    const place = fc.constantFrom<(named: string, hidden: string) => Parts>(
      (named, hidden) => ({ path: `/node/1?${encodeURIComponent(named)}=${hidden}` }),
      (named, hidden) => ({ reply: { headers: [json], body: JSON.stringify({ a: { [named]: hidden } }) } }),
      (named, hidden) => ({ reply: { headers: [json], body: `{"a":1,"${named}":"${hidden}` } }),
      (named, hidden) => ({ method: 'POST', request: { headers: [form], body: `${named}=${hidden}&a=b` } }),
    );
    await fc.assert(
      fc.asyncProperty(name, value, place, async (named, hidden, plant) => {
        expect(await shown(plant(named, hidden))).not.toContain(hidden);
      }),
      { numRuns: 100 },
    );
  });

  it('what is known to be harmless stays', async () => {
    const harmless = {
      ...{ token_type: 'Bearer-like', password_policy: 'long and unique', langcode: 'en', country_code: 'DE' },
      ...{
        status_code: 'E-1234-5678',
        sort_key: 'harbour-1912',
        passage: 'north-west-1845',
        compass: 'NNW-337-degrees',
      },
      ...{ uuid: 'd6aedc83-94eb-4a02-9540-771732717d05', sha1: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' },
      ...{ bundle: 'IslandoraObjectModelOfTheYear2023', uri: 'fedora://2019-03/fleet-at-anchor.png', key: 'title' },
    };
    const headers = [
      json,
      ['ETag', '"aB3dE5fG7hI9jK1lM3nO5pQ7"'],
      ['Digest', 'sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE='],
    ] as const;
    const text = await shown({
      path: '/node/1?_format=json&page=2',
      reply: { headers, body: JSON.stringify(harmless) },
    });
    expect(text).not.toContain('[redacted');
  });
});

describe('In the answer that an agent gets', () => {
  it.each(places.filter(([, , ofReply]) => ofReply === true))('%s is hidden', (_place, parts) => {
    expect(JSON.stringify(answerFor(exchange(parts), undefined))).not.toContain(secret);
  });
});
