/** Who somebody is in one world says nothing in another: session, CSRF token and failed logins, forks included. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { basic, type Send, sendTo, titleBody } from '../support/requests.ts';

const admin = basic('admin').headers;
let atoll: TestAtoll;
let send: Send;
beforeAll(async () => {
  atoll = await createTestAtoll();
  send = sendTo(atoll);
});
beforeEach(async () => {
  await atoll.reset();
  for (const name of ['a', 'b']) atoll.worlds.drop(name);
  await send('POST', '/_atoll/worlds', { name: 'a' });
});

/** Logs in, and forks the world afterwards, so that the fork has all that the world had. */
const loggedIn = async () => {
  const login = await send('POST', '/~a/user/login?_format=json', { name: 'editor', pass: 'editor' });
  const { csrf_token: token } = login.body as { csrf_token: string }; // the contract: a login has one
  await send('POST', '/~a/_atoll/worlds', { name: 'b', from: 'a' });
  return { Cookie: login.cookies[0]?.split(';')[0] ?? '', 'X-CSRF-Token': token };
};

const statusIn = async (prefix: string, headers: Record<string, string>): Promise<string> =>
  (await send('GET', `${prefix}/user/login_status?_format=json`, undefined, headers)).text;

describe.each([
  ['the main world', ''],
  ['a fork of the world', '/~b'],
])('What is of one world, in %s:', (_which, prefix) => {
  it('a session cookie is nobody, and its CSRF token opens nothing', async () => {
    const headers = await loggedIn();
    expect([await statusIn('/~a', headers), await statusIn(prefix, headers)]).toEqual(['1', '0']);
    const changed = await send('PATCH', `${prefix}/node/2?_format=json`, titleBody('x'), headers);
    expect(changed.status).toBe(401);
    expect((await send('PATCH', '/~a/node/2?_format=json', titleBody('x'), headers)).status).toBe(200);
  });

  it('the CSRF token of a world with the session of this one: 403', async () => {
    const { 'X-CSRF-Token': foreign } = await loggedIn();
    const login = await send('POST', `${prefix}/user/login?_format=json`, { name: 'editor', pass: 'editor' });
    const headers = { Cookie: login.cookies[0]?.split(';')[0] ?? '', 'X-CSRF-Token': foreign };
    const changed = await send('PATCH', `${prefix}/node/2?_format=json`, titleBody('x'), headers);
    expect(changed.status).toBe(403);
  });

  it('failed logins lock the account out of that world alone', async () => {
    const wrong = { name: 'editor', pass: 'wrong' };
    for (let time = 0; time < 6; time++) await send('POST', '/~a/user/login?_format=json', wrong);
    await send('POST', '/~a/_atoll/worlds', { name: 'b', from: 'a' });
    const login = (where: string) =>
      send('POST', `${where}/user/login?_format=json`, { name: 'editor', pass: 'editor' });
    expect([(await login('/~a')).status, (await login(prefix)).status]).toEqual([403, 200]);
  });

  it('its administrator has no right here by a cookie of there', async () => {
    const login = await send('POST', '/~a/user/login?_format=json', { name: 'admin', pass: 'islandora' });
    await send('POST', '/~a/_atoll/worlds', { name: 'b', from: 'a' });
    const Cookie = login.cookies[0]?.split(';')[0] ?? '';
    expect((await send('GET', `${prefix}/user/2?_format=json`, undefined, { Cookie })).status).toBe(401);
    expect((await send('GET', `${prefix}/user/2?_format=json`, undefined, admin)).status).toBe(200);
  });
});
