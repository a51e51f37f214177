/** The same requests give the same bytes: in worlds made alike, and in a world that was reset. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { pngBytes } from '../support/png.ts';
import { basic, nodeBody, type Send, sendTo, titleBody } from '../support/requests.ts';

const admin = basic('admin').headers;
let atoll: TestAtoll;
let send: Send;
beforeAll(async () => {
  atoll = await createTestAtoll();
  send = sendTo(atoll);
});
beforeEach(() => {
  for (const { name } of atoll.worlds.list()) if (name !== 'main') atoll.worlds.drop(name);
});

const noon = { now: '2026-01-01T12:00:00Z', mode: 'frozen' };

/** A fresh world of this name under a frozen clock. */
const fresh = async (name: string): Promise<void> => {
  atoll.worlds.drop(name);
  await send('POST', '/_atoll/worlds', { name });
  await send('PUT', `/~${name}/_atoll/clock`, noon);
};

/** Status, headers and body of an answer as they were sent. */
type Bytes = { readonly status: number; readonly headers: unknown; readonly body: string };

/** A working day: two logins, writes by three providers, uploads, reads of everything that was touched, mistakes. */
const scenario = async (prefix: string): Promise<Bytes[]> => {
  const answers: Bytes[] = [];
  const ask = async (...[method, path, body, headers]: Parameters<Send>) => {
    const response = await send(method, prefix + path, body, headers);
    const { status, headers: sent, cookies, text } = response;
    answers.push({ status, headers: { ...sent, cookies }, body: text });
    return response;
  };
  const login = await ask('POST', '/user/login?_format=json', { name: 'editor', pass: 'editor' });
  const { csrf_token: csrf } = login.body as { csrf_token: string };
  const [cookie = ''] = login.cookies;
  const session = { Cookie: cookie.split(';')[0] ?? '', 'X-CSRF-Token': csrf };
  await ask('POST', '/node?_format=json', nodeBody('by cookie'), session);
  const { token } = (await ask('GET', '/jwt/token?_format=json', undefined, admin)).body as { token: string };
  const bearer = { Authorization: `Bearer ${token}` };
  await ask('PUT', '/node/31/media/image/16', pngBytes(3, 2), {
    ...bearer,
    'Content-Type': 'image/png',
    'Content-Location': 'public://made/here.png',
  });
  await ask('PATCH', '/node/31?_format=json', titleBody('changed'), bearer);
  await ask('POST', '/node?_format=json', nodeBody('refused'));
  await ask('DELETE', '/node/3?_format=json', undefined, admin);
  for (const path of ['/node/31', '/node/31/linkset', '/node/3', '/node/2', '/media/64', '/entity/file/67']) {
    for (const format of ['json', 'jsonld']) await ask('GET', `${path}?_format=${format}`, undefined, admin);
  }
  return answers;
};

describe('the same requests', () => {
  it('give the same bytes twice, in a world that is made again under its name', async () => {
    await fresh('twice');
    const first = await scenario('/~twice');
    await fresh('twice');
    expect(await scenario('/~twice')).toEqual(first);
    expect(first.map(({ status }) => status).slice(0, 7)).toEqual([200, 201, 200, 201, 200, 401, 204]);
  });

  it('give the same bytes after a reset', async () => {
    await fresh('again');
    const first = await scenario('/~again');
    await send('POST', '/~again/_atoll/reset');
    expect(await scenario('/~again')).toEqual(first);
  });

  it('give two worlds of one fixture the same bytes but for their names', async () => {
    await fresh('wxa');
    await fresh('wxb');
    const withoutName = (answers: Bytes[], name: string) =>
      answers.map(({ status, headers, body }) => ({
        status,
        body: body.replaceAll(name, 'name'),
        headers: JSON.stringify(headers)
          .replaceAll(name, 'name')
          .replace(/SESS[0-9a-f]{32}/, 'SESS'),
      }));
    const [left, next] = [await scenario('/~wxa'), await scenario('/~wxb')];
    // The signature of a token is over its issuer, the world's address.
    const isToken = (_: unknown, at: number): boolean => at === 2;
    const rest = (answers: Bytes[], name: string) =>
      withoutName(answers, name).filter((each, at) => !isToken(each, at));
    expect(rest(next, 'wxb')).toEqual(rest(left, 'wxa'));
  });

  it('draw on after a fork of a world, as the world itself would have', async () => {
    await fresh('source');
    await send('POST', '/~source/node?_format=json', nodeBody('one'), admin);
    await send('POST', '/_atoll/worlds', { name: 'branch', from: 'source' });
    const made = async (name: string) => {
      await send('POST', `/~${name}/node?_format=json`, nodeBody('two'), admin);
      const { body } = await send('GET', `/~${name}/node/32?_format=json`);
      const { uuid, changed } = body as { uuid: unknown; changed: unknown };
      return { uuid, changed };
    };
    expect(await made('branch')).toEqual(await made('source'));
  });
});

const write = fc.record({
  kind: fc.constantFrom('create', 'rename', 'remove', 'upload', 'login', 'save', 'advance'),
  id: fc.integer({ min: 1, max: 34 }),
});
type Write = { readonly kind: string; readonly id: number };

const carryOut = async (prefix: string, { kind, id }: Write): Promise<void> => {
  const path = `${prefix}/node/${id}`;
  if (kind === 'create') await send('POST', `${prefix}/node?_format=json`, nodeBody(`node ${id}`), admin);
  else if (kind === 'rename') await send('PATCH', `${path}?_format=json`, titleBody(`renamed ${id}`), admin);
  else if (kind === 'remove') await send('DELETE', `${path}?_format=json`, undefined, admin);
  else if (kind === 'login')
    await send('POST', `${prefix}/user/login?_format=json`, { name: 'editor', pass: String(id) });
  else if (kind === 'save') await send('PUT', `${prefix}/_atoll/snapshots/s${id % 3}`);
  else if (kind === 'advance') await send('POST', `${prefix}/_atoll/clock/advance`, { seconds: id });
  else {
    const headers = { ...admin, 'Content-Type': 'text/plain', 'Content-Location': `public://up/${id}.txt` };
    await send('PUT', `${path}/media/file/16`, `bytes ${id}`, headers);
  }
};

/** Everything that a visitor can be shown of a world. */
const everything = async (prefix: string): Promise<unknown[]> => {
  const shown: unknown[] = [];
  for (const type of ['node', 'media', 'file', 'taxonomy_term', 'user']) {
    for (let page = 0, pages = 1; page < pages; page += 1) {
      const { body } = await send('GET', `${prefix}/_atoll/entities?type=${type}&page=${page}`);
      shown.push(body);
      pages = (body as { pages: number }).pages;
    }
  }
  return shown;
};

describe('a world that was reset', () => {
  it('is the same as a fresh one, in what it shows and in what happens to it next', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 8 }), fc.array(write, { maxLength: 4 }), async (before, after) => {
        await fresh('world');
        const untouched = await everything('/~world');
        for (const each of after) await carryOut('/~world', each);
        const expected = await everything('/~world');
        await fresh('world');
        for (const each of before) await carryOut('/~world', each);
        await send('POST', '/~world/_atoll/reset');
        await send('PUT', '/~world/_atoll/clock', noon);
        expect(await everything('/~world')).toEqual(untouched);
        for (const each of after) await carryOut('/~world', each);
        expect(await everything('/~world')).toEqual(expected);
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  it('is the same as it was when its snapshot was saved', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 6 }), fc.array(write, { maxLength: 6 }), async (before, after) => {
        await fresh('world');
        for (const each of before) await carryOut('/~world', each);
        await send('PUT', '/~world/_atoll/snapshots/kept');
        const expected = await everything('/~world');
        for (const each of after) await carryOut('/~world', each);
        await send('POST', '/~world/_atoll/snapshots/kept');
        expect(await everything('/~world')).toEqual(expected);
      }),
      { numRuns: 12 },
    );
  }, 60_000);
});
