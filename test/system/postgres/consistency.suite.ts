/** Three processes behind a round-robin balancer that answer as one: what is read, in which order, and what races. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, changeNode, createNode, deleteNode, idIn, shown, upload, valueIn } from './support/ask.ts';
import { count, countHistory, longOrShort } from './support/counts.ts';
import { createHistory, type History } from './support/history.ts';
import { inspect, mediaOf } from './support/inspect.ts';
import { findViolation, type Operation } from './support/linearizability.ts';
import { compare, sha256, startLoad } from './support/load.ts';
import { killAll } from './support/processes.ts';
import { openStand, whenAcknowledged, type Stand } from './support/stand.ts';
import { startStaleProxy } from './support/stale-proxy.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand({ processes: [{}, {}, {}] });
});
afterAll(async () => {
  await stand.close();
  await killAll();
});

const urls = (): readonly string[] => stand.team.processes.map(({ url }) => url);
const at = (index: number): string => urls()[index % 3] ?? '';

describe('Every read', () => {
  it('sees every acknowledged write, whichever process took it', async () => {
    const rounds = longOrShort(300, 40);
    const stale: string[] = [];
    let reads = 0;
    const see = async (
      round: number,
      what: string,
      expected: unknown,
      look: (base: string) => Promise<unknown>,
    ): Promise<void> => {
      const seen = await Promise.all(urls().map(look));
      reads += seen.length;
      for (const [index, each] of seen.entries()) {
        if (JSON.stringify(each) !== JSON.stringify(expected)) {
          stale.push(
            `round ${round}: ${what} of process ${index} is ${JSON.stringify(each)}, not ${JSON.stringify(expected)}`,
          );
        }
      }
    };
    const titleAt =
      (id: number) =>
      async (base: string): Promise<unknown> => {
        const answer = await ask(base, 'GET', `/node/${id}?_format=json`);
        return answer.status === 200 ? valueIn(shown(answer), 'title') : answer.status;
      };
    const pageAt =
      (id: number, title: string) =>
      async (base: string): Promise<unknown> => {
        const answer = await ask(base, 'GET', `/node/${id}`, { headers: { accept: 'text/html' } });
        return answer.status === 200 ? answer.bytes.toString().includes(title) : answer.status;
      };
    const membersAt =
      (id: number) =>
      async (base: string): Promise<unknown> => {
        const answer = await ask(base, 'GET', `/_atoll/entities?type=node&collection=${id}`);
        return (JSON.parse(answer.bytes.toString()) as { total: number }).total; // the control contract
      };
    for (let round = 0; round < rounds; round += 1) {
      const [first, second] = [`round ${round}`, `round ${round} changed`];
      const id = idIn(await createNode(at(round), { title: first }));
      await see(round, 'a new node', first, titleAt(id));
      await see(round, 'the page of a new node', true, pageAt(id, first));
      await changeNode(at(round + 1), id, { title: second });
      await see(round, 'a changed node', second, titleAt(id));
      await see(round, 'the page of a changed node', true, pageAt(id, second));
      const child = idIn(
        await createNode(at(round + 2), { title: 'a child' }, { field_member_of: [{ target_id: id }] }),
      );
      await see(round, 'the members', 1, membersAt(id));
      const bytes = `bytes ${round}`;
      await upload(at(round), id, bytes, `round-${round}`);
      await see(round, 'the bytes', [sha256(bytes)], async (base) =>
        (await mediaOf(base, id)).map((each) => each.sha256),
      );
      await deleteNode(at(round + 1), child);
      await see(round, 'a deleted node', 404, titleAt(child));
      await see(round, 'the members', 0, membersAt(id));
    }
    await count({
      ...{ fault: 'read after write, 3 processes', rounds, acknowledged: rounds * 5, unknown: 0, reads },
      violations: stale.length,
    });
    expect(stale).toEqual([]);
  });
});

describe('Racing uploads', () => {
  it('of 3 processes to one node and term make one medium', async () => {
    const rounds = longOrShort(40, 8);
    const wrong: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const id = idIn(await createNode(at(round), { title: `race ${round}` }));
      const texts = Array.from({ length: 9 }, (_, number) => `bytes ${round} ${number}`);
      const answers = await Promise.all(texts.map((text, index) => upload(at(index), id, text, `race-${round}`)));
      const statuses = answers.map(({ status }) => status).sort();
      if (
        statuses.filter((each) => each === 201).length !== 1 ||
        statuses.some((each) => each !== 201 && each !== 204)
      ) {
        wrong.push(`round ${round} was answered ${statuses.join(' ')}`);
      }
      for (const base of urls()) {
        const media = await mediaOf(base, id);
        const isOne = media.length === 1 && texts.map(sha256).includes(media[0]?.sha256 ?? '');
        if (!isOne) wrong.push(`round ${round}: ${base} has the media ${JSON.stringify(media)}`);
      }
    }
    const { faults } = await inspect(at(0));
    await count({
      ...{
        fault: 'racing uploads to one node and term',
        rounds,
        acknowledged: rounds * 9,
        unknown: 0,
        reads: rounds * 3,
      },
      ...{ violations: wrong.length + faults.length, note: '9 uploads in each round' },
    });
    expect([wrong, faults]).toEqual([[], []]);
  });
});

/** A history of many clients through any of the three processes. */
const runHistory = async (acknowledged: number): Promise<readonly [History, readonly string[]]> => {
  const history = createHistory();
  const { team } = stand;
  const load = startLoad({ base: () => team.url, history, clients: 96, records: 50, uploadEvery: 20 });
  await whenAcknowledged(history, acknowledged);
  await load.stop();
  return [history, (await compare(team.url, history, [load])).violations];
};

/** The history with another answer of its last read: the first title, after another one had been acknowledged. */
const plantStaleRead = (operations: readonly Operation[]): readonly Operation[] | undefined => {
  const first = operations.find(({ action }) => action.kind === 'create')?.action;
  const last = operations.at(-1);
  const isChanged = operations.some(({ action }) => action.kind === 'change' && 'title' in action.fields);
  if (first?.kind !== 'create' || !isChanged || last?.action.kind !== 'read') return undefined;
  const { seen } = last.action;
  const { title } = first.fields;
  if (seen === undefined || title === undefined || seen['title'] === title) return undefined;
  return [...operations.slice(0, -1), { ...last, action: { kind: 'read', seen: { ...seen, title } } }];
};

describe('The history of 96 clients on 50 records', () => {
  it('is linearizable, and no longer when one answer in it is another one', async () => {
    const [history, violations] = await runHistory(longOrShort(15_000, 1500));
    await countHistory('history of 3 processes x 32 clients', 1, history, violations, '50 records at a time');
    expect([violations, history.refusals]).toEqual([[], []]);
    expect(history.counts.unknown).toBe(0);
    expect([...stand.team.balancer.answered().values()].every((each) => each > 100)).toBe(true);
    // A read gets the value of an earlier write, whose successor had been acknowledged before the read began.
    let planted = 0;
    let found = 0;
    for (const record of history.records()) {
      const operations = history.operations(record);
      const stale = plantStaleRead(operations);
      if (stale === undefined) continue;
      planted += 1;
      if (findViolation(stale) !== undefined) found += 1;
    }
    expect([planted > 20, found]).toEqual([true, planted]);
  });

  it('is found out behind a cache that serves old answers', async () => {
    const stale = await startStaleProxy(stand.team.url);
    const history = createHistory();
    const load = startLoad({ base: () => stale.url, history, clients: 32, records: 20 });
    await whenAcknowledged(history, 300);
    await load.stop();
    await stale.close();
    const violations = history.violations();
    await count({
      ...{
        fault: 'control: a cache with old answers',
        rounds: 1,
        acknowledged: history.counts.acknowledged,
        unknown: 0,
      },
      ...{ reads: history.counts.read, violations: 0, note: `${violations.length} violations found, as it has to be` },
    });
    expect(violations.length).toBeGreaterThan(0);
  });
});
