/** The published key, and tokens as sites of today make them, over HTTP. */
import { createPublicKey, createVerify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createTestAtoll } from '../support/atoll.ts';
import { basic, bearer, bodyOf, messageOf, visit } from '../support/requests.ts';

const path = '/oauth/discovery/keys';
type Key = { readonly kid: string; readonly kty: string; readonly n: string; readonly e: string };

describe('GET /oauth/discovery/keys', () => {
  it('answers whoever asks, by the providers of a route without a list of them', async () => {
    const atoll = await createTestAtoll();
    const { keys } = (await bodyOf(atoll.send('GET', path))) as { keys: Key[] }; // checked against the document by the engine
    expect(keys).toHaveLength(1);
    expect((await atoll.send('HEAD', path)).status).toBe(200);
    expect((await visit(atoll, await bearer(atoll, 'editor'), 'GET', path)).status).toBe(200);
    for (const method of ['GET', 'HEAD']) {
      const refused = await visit(atoll, basic('editor'), method, path);
      expect(refused.status).toBe(403);
      if (method === 'GET') expect(messageOf(refused)).toMatch(/not allowed/);
    }
    expect((await atoll.send('POST', path)).status).toBe(405);
  });

  it('has the key of a token of today, and is 404 where the site does not publish it', async () => {
    const atoll = await createTestAtoll({ site: (site) => ({ ...site, tokensOfToday: true, tokenAtLogin: true }) });
    const json = JSON.stringify({ name: 'editor', pass: 'editor' });
    const login = await atoll
      .send('POST', '/user/login?_format=json')
      .set('Content-Type', 'application/json')
      .send(json);
    const { access_token: token } = login.body as { access_token: string }; // checked against the document by the engine
    const [head = '', payload = '', signature = ''] = token.split('.');
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as Key; // our own token
    const { keys } = (await bodyOf(atoll.send('GET', path))) as { keys: Key[] };
    const publicKey = createPublicKey({ key: { ...keys.find((key) => key.kid === kid) }, format: 'jwk' });
    const verify = createVerify('RSA-SHA256').update(`${head}.${payload}`);
    expect(verify.verify(publicKey, signature, 'base64url')).toBe(true);
    const asked = await atoll.send('GET', '/media/1?_format=json').set('JWT-Authorization', `Bearer ${token}`);
    expect(asked.status).toBe(200);
    const silent = await createTestAtoll({
      site: (site) => ({ ...site, beyond: { ...site.beyond, token_keys: false } }),
    });
    expect((await silent.send('GET', path)).status).toBe(404);
  });
});
