/** `/` as programs ask for it that wait until a server answers: `wait-on`, the `webServer` of Playwright, probes of containers. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});

const at = (base: string) => ({
  name: 'Atoll',
  version: expect.any(String) as unknown,
  health: `${base}/_atoll/health`,
  document: `${base}/openapi.json`,
  control: `${base}/_atoll/openapi.json`,
  console: `${base}/_atoll/`,
});

describe('A program at the address of the server', () => {
  it.each([
    ['of wait-on', 'HEAD', { Accept: 'application/json, text/plain, */*' }],
    ['of wait-on that may not HEAD', 'GET', { Accept: 'application/json, text/plain, */*' }],
    ['of Playwright, and of curl -f', 'GET', { Accept: '*/*' }],
    ['of a container, from another host', 'GET', { 'X-Forwarded-For': '192.0.2.1', 'User-Agent': 'kube-probe/1.33' }],
  ])('%s gets 200 for %s', async (_who, method, headers) => {
    const answer = await atoll.send(method, '/').set(headers).expect(200);
    expect(answer.type).toBe('application/json');
    if (method === 'GET') expect(answer.body).toEqual(at('http://localhost:8000'));
    else expect(answer.text).toBeUndefined();
  });

  it('learns addresses that answer 200, also below the prefix of a world', async () => {
    await atoll.send('POST', '/_atoll/worlds').send({ name: 'front' }).expect(201);
    for (const path of ['/~front', '/~front/', '/~front/?from=there']) {
      expect((await atoll.send('GET', path).expect(200)).body).toEqual(at('http://localhost:8000/~front'));
    }
    const { health, document, control } = at('/~front');
    for (const path of [health, document, control]) await atoll.send('GET', path).expect(200);
  });

  it('is not remembered, and counts for no coverage', async () => {
    await atoll.send('DELETE', '/_atoll/traffic').expect(204);
    await atoll.send('GET', '/').expect(200);
    expect((await atoll.send('GET', '/_atoll/traffic').expect(200)).body).toMatchObject({ total: 0 });
  });

  it('needs no control token, and learns nothing of the repository', async () => {
    for (const app of [{ controlToken: 'let-me-in' }, { controlToken: 'drawn', isControlClosed: true }]) {
      const guarded = await createTestAtoll({ app });
      const { text } = await guarded.send('GET', '/').set('X-Forwarded-For', '192.0.2.1').expect(200);
      expect(text).not.toMatch(/Contract Site|editor|islandora/);
    }
  });

  it('gets 404 where it sends something', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) await atoll.send(method, '/').expect(404);
  });
});
