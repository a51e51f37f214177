/** Security of every kind is asked for by the form of what a client sends (OpenAPI 3.1 §4.8.27, §4.8.30). */
import { describe, expect, it } from '@jest/globals';
import { askOf, documentOf, plain } from './support/ask.ts';

const schemes = {
  keyInHeader: { type: 'apiKey', in: 'header', name: 'X-Key' },
  keyInQuery: { type: 'apiKey', in: 'query', name: 'key' },
  keyInCookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  basic: { type: 'http', scheme: 'Basic' },
  bearer: { type: 'http', scheme: 'bearer' },
  digest: { type: 'http', scheme: 'digest' },
  oauth: { type: 'oauth2', flows: {} },
  oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://example.org' },
  certificate: { type: 'mutualTLS' },
};

const secured = (security: readonly object[], more = {}) =>
  askOf(documentOf({ '/x': { get: plain({ security }) } }, { components: { securitySchemes: schemes }, ...more }));

const digest = 'Digest username="a", realm="r", nonce="n", uri="/x", response="0"';

describe('A scheme', () => {
  it.each([
    ['keyInHeader', { 'X-Key': 'a' }, '', undefined],
    ['keyInQuery', {}, '?key=a', undefined],
    ['keyInCookie', { Cookie: 'other=1; sid=a' }, '', undefined],
    ['basic', { Authorization: 'Basic YTpi' }, '', ['Basic realm="Atoll", charset="UTF-8"']],
    ['basic', { Authorization: 'basic YTpi' }, '', ['Basic realm="Atoll", charset="UTF-8"']],
    ['bearer', { Authorization: 'Bearer abc.def' }, '', ['Bearer realm="Atoll"']],
    ['digest', { Authorization: digest }, '', [expect.stringMatching(/^Digest realm="Atoll", .*nonce=/)]],
    ['oauth', { Authorization: 'Bearer abc' }, '', ['Bearer realm="Atoll"']],
    ['oidc', { Authorization: 'Bearer abc' }, '', ['Bearer realm="Atoll"']],
  ])('%s is met by %j %s; without: 401 with the challenge %j', async (name, headers, query, challenge) => {
    const ask = secured([{ [name]: [] }]);
    expect((await ask(`/x${query}`, { headers: headers })).status).toBe(200);
    const refused = await ask('/x');
    expect(refused.status).toBe(401);
    expect(refused.headers['WWW-Authenticate']).toEqual(challenge);
  });

  it.each([
    ['basic', 'Basic'],
    ['basic', 'Basic %%%'],
    ['basic', 'Basic YQ=='],
    ['basic', 'Bearer YTpi'],
    ['bearer', 'Bearer'],
    ['bearer', 'Bearer a b'],
    ['bearer', 'Basic YTpi'],
    ['digest', 'Digest username="a"'],
    ['oauth', 'Token abc'],
  ])('%s is not met by "%s": 401', async (name, authorization) => {
    expect((await secured([{ [name]: [] }])('/x', { headers: { Authorization: authorization } })).status).toBe(401);
  });

  it.each([
    ['keyInHeader', { headers: { 'X-Key': '' } }, '/x'],
    ['keyInQuery', {}, '/x?key='],
    ['keyInCookie', { headers: { Cookie: 'sidx=a' } }, '/x'],
  ])('%s is not met by an empty key: 401', async (name, asked, address) => {
    expect((await secured([{ [name]: [] }])(address, asked)).status).toBe(401);
  });

  it('mutualTLS is not asked for', async () => {
    expect((await secured([{ certificate: [] }])('/x')).status).toBe(200);
  });

  it('names the scopes of OAuth in the challenge (RFC 6750 §3)', async () => {
    const { headers } = await secured([{ oauth: ['read', 'write'] }])('/x');
    expect(headers['WWW-Authenticate']).toEqual(['Bearer realm="Atoll", scope="read write"']);
  });
});

describe('Requirements', () => {
  const key = { 'X-Key': 'a' };
  const token = { Authorization: 'Bearer a' };
  it.each([
    ['either of two', [{ keyInHeader: [] }, { bearer: [] }], key, 200],
    ['either of two', [{ keyInHeader: [] }, { bearer: [] }], token, 200],
    ['either of two', [{ keyInHeader: [] }, { bearer: [] }], {}, 401],
    ['both of two', [{ keyInHeader: [], bearer: [] }], { ...key, ...token }, 200],
    ['both of two', [{ keyInHeader: [], bearer: [] }], key, 401],
    ['one or none', [{ keyInHeader: [] }, {}], {}, 200],
    ['none at all', [], {}, 200],
  ])('%s: %j with %j is %s', async (_name, security, headers, status) => {
    expect((await secured(security)('/x', { headers: headers })).status).toBe(status);
  });

  it('of the whole document hold where an operation has none of its own', async () => {
    const ask = askOf(
      documentOf(
        { '/x': { get: plain() }, '/open': { get: plain({ security: [] }) } },
        { security: [{ bearer: [] }], components: { securitySchemes: schemes } },
      ),
    );
    expect((await ask('/x')).status).toBe(401);
    expect((await ask('/open')).status).toBe(200);
  });

  it('have a challenge for each alternative', async () => {
    const { headers } = await secured([{ basic: [] }, { bearer: [] }, { keyInHeader: [] }])('/x');
    expect(headers['WWW-Authenticate']).toHaveLength(2);
  });
});

it('A handler gets the credentials that were asked for', async () => {
  const ask = askOf(
    documentOf(
      { '/x': { get: plain({ operationId: 'x', security: [{ basic: [] }] }) } },
      { components: { securitySchemes: schemes } },
    ),
    { handlers: new Map([['x', ({ credentials }) => ({ body: credentials })]]), checkReplies: 'off' },
  );
  expect((await ask('/x', { headers: { Authorization: 'Basic YWRhOnBhc3M=' } })).json).toEqual([
    { scheme: 'basic', value: 'YWRhOnBhc3M=', who: 'ada' },
  ]);
});
