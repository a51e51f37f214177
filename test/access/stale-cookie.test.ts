/** A session cookie that opens nothing is removed by every answer, whatever its status, as the real site does. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});

const cookies = async (): Promise<{ readonly good: string; readonly stale: string; readonly logoutToken: string }> => {
  const response = await atoll
    .send('POST', '/user/login?_format=json')
    .set('Content-Type', 'application/json')
    .send({ name: 'editor', pass: 'editor' });
  const good = response.get('Set-Cookie')?.[0]?.split(';')[0] ?? '';
  const { logout_token: logoutToken } = response.body as { logout_token: string }; // the contract's LoginResult
  return { good, stale: `${good.split('=')[0] ?? ''}=stale`, logoutToken };
};

const requests: readonly (readonly [method: string, path: string, status: number])[] = [
  ['GET', '/node/1?_format=json', 200],
  ['HEAD', '/node/1?_format=json', 200],
  ['GET', '/user/login_status?_format=json', 200],
  ['GET', '/session/token', 200],
  ['GET', '/media/1?_format=json', 403],
  ['DELETE', '/node/1?_format=json', 403],
  ['GET', '/node/99999?_format=json', 404],
  ['GET', '/nothing/here', 404],
  ['PUT', '/node/1', 405],
  ['OPTIONS', '/node/1', 200],
  ['GET', '/node/1?_format=foo', 406],
  ['POST', '/node?_format=json', 415],
  ['POST', '/user/logout?_format=json&token=x', 403],
];

describe('the answer to a stale cookie', () => {
  it.each(requests)('to %s %s is %i and takes it back', async (method, path, status) => {
    const { stale } = await cookies();
    const response = await atoll.send(method, path).set('Cookie', stale);
    expect([response.status, response.get('Set-Cookie')]).toEqual([
      status,
      [`${stale.split('=')[0] ?? ''}=deleted; expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=0; path=/; HttpOnly`],
    ]);
  });

  it('is the same once the session has been ended by logout', async () => {
    const { good, logoutToken } = await cookies();
    const logout = await atoll.send('POST', `/user/logout?_format=json&token=${logoutToken}`).set('Cookie', good);
    expect([logout.status, logout.get('Set-Cookie')?.length]).toEqual([204, 1]);
    const status = await atoll.send('GET', '/user/login_status?_format=json').set('Cookie', good);
    expect([status.text, status.get('Set-Cookie')?.[0]]).toEqual(['0', expect.stringContaining('Max-Age=0')]);
  });
});

describe('the answer to a good cookie, or to none', () => {
  it.each(requests.filter(([, , status]) => status !== 405))('to %s %s leaves it alone', async (method, path) => {
    const { good } = await cookies();
    expect((await atoll.send(method, path).set('Cookie', good)).get('Set-Cookie')).toBeUndefined();
    expect((await atoll.send(method, path)).get('Set-Cookie')).toBeUndefined();
  });
});
