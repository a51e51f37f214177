/** Processes on machines whose clocks differ by 10 minutes or jump, and the state beside the records that all processes share. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from '@jest/globals';
import { ask, changeNode, createNode, idIn, shown, valueIn } from './support/ask.ts';
import { count, countHistory, longOrShort } from './support/counts.ts';
import { createHistory } from './support/history.ts';
import { compare, startLoad } from './support/load.ts';
import { killAll, type AtollProcess } from './support/processes.ts';
import { openStand, whenAcknowledged, type Stand } from './support/stand.ts';

let stand: Stand | undefined;
afterEach(() => stand?.close());
afterAll(killAll);

const tenMinutes = 600_000;
const json = { 'content-type': 'application/json' };
/** Without the account of the administrator. */
const nobody = { authorization: '' };

const bodyOf = (answer: { readonly bytes: Buffer }): unknown => JSON.parse(answer.bytes.toString());

/** A token and a session of a demo account, made by one process. */
const enter = async (base: string) => {
  const { token } = bodyOf(await ask(base, 'GET', '/jwt/token?_format=json')) as { token: string }; // the contract
  const login = await ask(base, 'POST', '/user/login?_format=json', {
    ...{ body: JSON.stringify({ name: 'editor', pass: 'editor' }), headers: { ...json, ...nobody } },
  });
  const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
  return { bearer: { authorization: `Bearer ${token}` }, session: { ...nobody, cookie } };
};

it('agrees on sessions, tokens, worlds and times where clocks differ by 10 minutes', async () => {
  stand = await openStand({ processes: [{}, { skewMs: tenMinutes }, { skewMs: -tenMinutes }] });
  const { team } = stand;
  const urls = team.processes.map(({ url }) => url);
  const wrong: string[] = [];
  const rounds = longOrShort(5, 2);
  let reads = 0;
  const see = async (what: string, expected: unknown, look: (base: string) => Promise<unknown>): Promise<void> => {
    for (const [index, base] of urls.entries()) {
      const seen = await look(base);
      reads += 1;
      if (seen !== expected) wrong.push(`${what} at process ${index}: ${String(seen)}, not ${String(expected)}`);
    }
  };
  const statusOf =
    (path: string, headers = {}) =>
    async (base: string): Promise<number> =>
      (await ask(base, 'GET', path, { headers })).status;
  const node = idIn(await createNode(team.url, { title: 'first' }));
  let last = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, base] of urls.entries()) {
      const { bearer, session } = await enter(base);
      await see(`a token of process ${index}`, 200, statusOf('/jwt/token?_format=json', bearer));
      await see(`a session of process ${index}`, '1', async (other) =>
        (await ask(other, 'GET', '/user/login_status?_format=json', { headers: session })).bytes.toString(),
      );
      const name = `short-${round}-${index}`;
      const forked = await ask(base, 'POST', '/_atoll/worlds', {
        ...{ body: JSON.stringify({ name, ttl: 300 }), headers: json },
      });
      if (forked.status !== 201) wrong.push(`a fork at process ${index}: ${forked.status} ${forked.bytes.toString()}`);
      // A world that has five minutes to live, seen from a clock that is ten minutes ahead.
      await see(`a world of process ${index}`, 200, statusOf(`/~${name}/_atoll/clock`));
      await changeNode(base, node, { title: `${round} ${index}` });
      const changed = Date.parse(valueIn(shown(await ask(base, 'GET', `/node/${node}?_format=json`)), 'changed'));
      if (changed < last) wrong.push(`the change at process ${index} is ${last - changed} ms before the one before it`);
      last = changed;
    }
  }
  await count({
    ...{ fault: 'clocks differ by 10 minutes', rounds, acknowledged: rounds * 9, unknown: 0, reads },
    violations: wrong.length,
  });
  expect(wrong).toEqual([]);
});

it('loses nothing and orders everything where clocks differ by 10 minutes', async () => {
  stand = await openStand({ processes: [{}, { skewMs: tenMinutes }, { skewMs: -tenMinutes }] });
  const { team } = stand;
  const history = createHistory();
  const load = startLoad({ base: () => team.url, history, clients: 32, records: 50, uploadEvery: 12 });
  await whenAcknowledged(history, longOrShort(4000, 400));
  await load.stop();
  const { violations } = await compare(team.url, history, [load]);
  await countHistory('clocks differ by 10 minutes, 32 writers', 1, history, violations);
  expect([violations, history.refusals, history.counts.unknown]).toEqual([[], [], 0]);
});

/** Sets the clock of a process. */
const setClock = async ({ pid }: AtollProcess, file: string, aheadMs: number): Promise<void> => {
  await writeFile(file, String(aheadMs));
  process.kill(pid, 'SIGUSR2');
};

it('loses nothing, ends no session, token or world, and orders everything while clocks jump by an hour and a day', async () => {
  const place = await mkdtemp(join(tmpdir(), 'atoll-jump-'));
  const files = [0, 1, 2].map((index) => join(place, String(index)));
  stand = await openStand({ processes: files.map((jumpFile) => ({ jumpFile })) });
  const { team } = stand;
  const history = createHistory();
  const { bearer, session } = await enter(team.url);
  const forked = await ask(team.url, 'POST', '/_atoll/worlds', {
    ...{ body: JSON.stringify({ name: 'while-they-jump', ttl: 3000 }), headers: json },
  });
  const wrong: string[] = forked.status === 201 ? [] : [`the fork was answered ${forked.status}`];
  const load = startLoad({ base: () => team.url, history, clients: 24, records: 50, uploadEvery: 12 });
  const [hour, day] = [3_600_000, 86_400_000];
  const rounds = longOrShort(4, 1);
  const node = idIn(await createNode(team.url, { title: 'first' }));
  let last = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const jump of [day, -hour, 0, hour]) {
      for (const [index, each] of team.processes.entries()) {
        await setClock(each, files[index] ?? '', jump);
        await whenAcknowledged(history, longOrShort(60, 15));
        const { url } = each;
        const seen = [
          (await ask(url, 'GET', '/jwt/token?_format=json', { headers: bearer })).status,
          (await ask(url, 'GET', '/user/login_status?_format=json', { headers: session })).bytes.toString(),
          (await ask(url, 'GET', '/~while-they-jump/_atoll/clock')).status,
        ].join(' ');
        if (seen !== '200 1 200') wrong.push(`process ${index}, set to ${jump}: token, session, world are ${seen}`);
        await changeNode(url, node, { title: `${round} ${jump} ${index}` });
        const changed = Date.parse(valueIn(shown(await ask(url, 'GET', `/node/${node}?_format=json`)), 'changed'));
        if (changed < last) wrong.push(`process ${index}, set to ${jump}: a change is ${last - changed} ms too early`);
        last = changed;
      }
    }
  }
  await load.stop();
  const { violations } = await compare(team.url, history, [load]);
  await countHistory('the clocks jump by an hour and a day', rounds * 12, history, [...wrong, ...violations]);
  expect([wrong, violations, history.refusals]).toEqual([[], [], []]);
  await rm(place, { recursive: true });
});
