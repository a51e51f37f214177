/** Two processes over one database, behind a client that asks them in turn: sessions, failed logins, accounts, faults and clock. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from './postgres/pglite.ts';
import { baseUrl } from '../support/atoll.ts';
import { basic } from '../support/requests.ts';
import { startTestProcess, type TestProcess } from './team-process.ts';

const json = { 'Content-Type': 'application/json' };
const node = '/node/5?_format=json';

export const describeSharedState = (database: () => Database): void => {
  let directory: string;
  let first: TestProcess;
  let second: TestProcess;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'atoll-team-'));
    first = await startTestProcess(database(), directory);
    second = await startTestProcess(database(), directory);
  }, 120_000);
  beforeEach(() => first.worlds.reset('main'));
  afterAll(async () => {
    await first.stop();
    await second.stop();
    await rm(directory, { recursive: true });
  });

  const ask = ({ fetch }: TestProcess, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${baseUrl}${path}`, init);
  const send = (process: TestProcess, method: string, path: string, body?: unknown): Promise<Response> =>
    ask(process, path, { method, headers: json, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const read = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T; // checked by the engine
  const logIn = (process: TestProcess, pass: string): Promise<Response> =>
    send(process, 'POST', '/user/login?_format=json', { name: 'editor', pass });

  describe('two processes of a team', () => {
    it('share a session: opened at one, good at both, ended at one, refused at both', async () => {
      const loggedIn = await logIn(first, 'editor');
      const { logout_token: token } = (await loggedIn.json()) as { logout_token: string }; // as above
      const cookie = (loggedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      const status = async (process: TestProcess): Promise<number> =>
        (await ask(process, '/media/1?_format=json', { headers: { cookie } })).status;
      expect([loggedIn.status, await status(second), await status(first)]).toEqual([200, 200, 200]);
      const logout = `/user/logout?_format=json&token=${token}`;
      expect((await ask(second, logout, { method: 'POST', headers: { ...json, cookie } })).status).toBe(204);
      expect([await status(first), await status(second)]).toEqual([403, 403]);
    });

    it('count wrong passwords together: five over both flood both', async () => {
      for (const process of [first, second, first, second, first]) {
        expect((await logIn(process, 'wrong')).status).toBe(400);
      }
      const refused = [await logIn(first, 'editor'), await logIn(second, 'editor')];
      expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    });

    it('accept the tokens of each other, signed with one key', async () => {
      const { token } = await read<{ token: string }>(ask(first, '/jwt/token', { headers: basic('editor').headers }));
      const headers = { Authorization: `Bearer ${token}` };
      expect((await ask(second, '/media/1?_format=json', { headers })).status).toBe(200);
    });

    it('serve no account from memory that the other has blocked', async () => {
      const { headers } = basic('editor');
      const media = '/media/1?_format=json';
      for (const process of [first, second]) expect((await ask(process, media, { headers })).status).toBe(200);
      const { store } = first.worlds.main.world;
      await store.transact(['user:2'], (view) => {
        const account = view.get('user:2');
        if (account === undefined) throw new Error('The fixture has an editor.');
        const blocked = { ...account, fields: { ...account.fields, status: [{ value: false }] } };
        return { changes: [{ put: blocked }], result: undefined };
      });
      expect((await ask(second, media, { headers })).status).toBe(403);
    });

    it('strike with a fault that the other has added, as often as it was told, until it is removed or the world reset', async () => {
      const fault = { fault: 'status', parameters: { status: 503 }, after: 1, count: 2 };
      expect((await send(first, 'POST', '/_atoll/faults', fault)).status).toBe(201);
      const met: number[] = [];
      for (const process of [second, first, second, first, second]) met.push((await ask(process, node)).status);
      expect(met).toEqual([200, 503, 503, 200, 200]);
      const listed = await read<{ faults: { struck: number }[] }>(ask(second, '/_atoll/faults'));
      expect(listed.faults.map(({ struck }) => struck)).toEqual([2]);
      expect((await send(second, 'DELETE', '/_atoll/faults')).status).toBe(204);
      expect(await read(ask(first, '/_atoll/faults'))).toEqual({ faults: [] });
      await send(second, 'POST', '/_atoll/faults', { ...fault, after: 0 });
      expect((await ask(first, node)).status).toBe(503);
      await first.worlds.reset('main');
      expect((await ask(second, node)).status).toBe(200);
      await send(first, 'POST', '/_atoll/faults', { ...fault, after: 0 });
      // This process has not seen a request since the reset: it must not take the new fault for one from before.
      expect((await ask(second, node)).status).toBe(503);
    });

    it('show one clock: frozen at both, moved by either, copied by a fork, kept by a reset', async () => {
      const clockOf = (process: TestProcess, prefix = ''): Promise<{ now: string; mode: string }> =>
        read(ask(process, `${prefix}/_atoll/clock`));
      await send(first, 'PUT', '/_atoll/clock', { mode: 'frozen', now: '2031-05-04T03:02:01.000Z' });
      expect(await clockOf(second)).toEqual({ now: '2031-05-04T03:02:01.000Z', mode: 'frozen' });
      await send(second, 'POST', '/_atoll/clock/advance', { seconds: 60 });
      await send(first, 'POST', '/_atoll/clock/advance', { seconds: 9 });
      expect((await clockOf(second)).now).toBe('2031-05-04T03:03:10.000Z');
      const dated = await ask(second, node);
      expect(dated.headers.get('date')).toBe('Sun, 04 May 2031 03:03:10 GMT');
      const { name } = await second.worlds.fork({ from: 'main' });
      expect(await clockOf(first, `/~${name}`)).toEqual(await clockOf(second));
      await second.worlds.drop(name);
      await first.worlds.reset('main');
      expect((await clockOf(second)).now).toBe('2031-05-04T03:03:10.000Z');
      await send(second, 'PUT', '/_atoll/clock', { mode: 'real' });
      expect((await clockOf(first)).mode).toBe('real');
    });
  });
};
