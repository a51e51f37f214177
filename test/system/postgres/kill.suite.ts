/** Processes that are killed while 32 clients write, and processes that are told to end. */
import { afterAll, afterEach, expect, it } from '@jest/globals';
import { ask, begin, bodyOfNode, createNode, idIn, originalPath } from './support/ask.ts';
import { count, countHistory, longOrShort } from './support/counts.ts';
import { createHistory } from './support/history.ts';
import { compare, startLoad } from './support/load.ts';
import { killAll } from './support/processes.ts';
import { openStand, whenAcknowledged, type Stand } from './support/stand.ts';

let stand: Stand | undefined;
afterEach(() => stand?.close());
afterAll(killAll);

it('loses no acknowledged write when processes are killed under 32 writers', async () => {
  stand = await openStand({ processes: [{}, {}, {}] });
  const { team } = stand;
  const history = createHistory();
  const load = startLoad({ base: () => team.url, history, clients: 32, records: 50, uploadEvery: 12 });
  const rounds = longOrShort(20, 3);
  for (let round = 0; round < rounds; round += 1) {
    await whenAcknowledged(history, 150);
    await team.processes[round % 3]?.kill();
    await whenAcknowledged(history, 50); // by the others
    await team.restart(round % 3);
  }
  await Promise.all(team.processes.map((each) => each.kill()));
  for (const index of team.processes.keys()) await team.restart(index);
  await whenAcknowledged(history, 50);
  await load.stop();
  const { violations } = await compare(team.url, history, [load]);
  await countHistory('kill -9 of a process under 32 writers', rounds + 1, history, violations);
  expect([violations, history.refusals]).toEqual([[], []]);
  expect(history.counts.acknowledged).toBeGreaterThan(rounds * 200);
});

it('answers everything that was begun when a process is told to end', async () => {
  stand = await openStand({ processes: [{}, {}, {}] });
  const { team } = stand;
  const rounds = longOrShort(6, 3);
  let answered = 0;
  const bad: unknown[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const index = round % 3;
    const leaving = team.processes[index];
    if (leaving === undefined) throw new Error(`There is no process ${index}.`);
    const node = idIn(await createNode(leaving.url, { title: 'with bytes' }));
    const json = { 'content-type': 'application/json' };
    const bytes = { 'content-type': 'text/plain', 'content-location': `public://late/${round}.txt` };
    const begun = await Promise.all([
      ...Array.from({ length: 20 }, (_, at) => {
        const body = bodyOfNode({ title: `late ${round} ${at}` }, { field_model: [{ target_id: 23 }] });
        return begin(leaving.url, 'POST', '/node?_format=json', Buffer.from(body), json);
      }),
      begin(leaving.url, 'PUT', originalPath(node), Buffer.alloc(3_000_000, 'x'), bytes),
    ]);
    const code = leaving.stop();
    const answers = await Promise.all(begun.map((each) => each.finish()));
    bad.push(...answers.filter(({ status }) => status !== 201).map(({ status, bytes }) => [status, bytes.toString()]));
    answered += answers.length;
    expect(await code).toBe(0);
    await team.restart(index);
  }
  const listed = await ask(team.url, 'GET', '/_atoll/entities?type=node&limit=1');
  const { total } = JSON.parse(listed.bytes.toString()) as { total: number }; // the control contract
  await count({
    ...{ fault: 'SIGTERM with 21 requests under way', rounds, acknowledged: answered + rounds },
    ...{ unknown: bad.length, reads: 1, violations: rounds * 21 - total },
  });
  expect([bad, total]).toEqual([[], rounds * 21]);
});
