/** Connections to PostgreSQL that break in the middle of a commit. */
import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { changeNode, createNode, deleteNode, idIn, upload, ask, valueIn, shown, type Answer } from './support/ask.ts';
import { count, countHistory, longOrShort } from './support/counts.ts';
import { startDatabaseProxy, type Cut, type DatabaseProxy } from './support/database-proxy.ts';
import { createHistory } from './support/history.ts';
import { inspect, mediaOf } from './support/inspect.ts';
import { compare, sha256, startLoad } from './support/load.ts';
import { killAll } from './support/processes.ts';
import { openStand, whenAcknowledged, type Stand } from './support/stand.ts';

let stand: Stand;
let proxy: DatabaseProxy | undefined;
beforeEach(async () => {
  stand = await openStand({
    processes: [{}, {}],
    storeOf: async (store, index) => (index > 0 ? store : (proxy = await startDatabaseProxy(store)).url),
  });
});
afterEach(async () => {
  await stand.close();
  await proxy?.close();
});
afterAll(killAll);

/** The process behind the proxy, the one beside it, and the proxy. */
const parts = () => {
  const [hurt, whole] = stand.team.processes;
  if (hurt === undefined || whole === undefined || proxy === undefined) throw new Error('Not started.');
  return { hurt: hurt.url, whole: whole.url, proxy };
};

/** Sends a write whose commit is cut, and answers the refusal. */
const cutWrite = async (cut: Cut, send: () => Promise<Answer>): Promise<Answer> => {
  let isCut = false;
  void parts()
    .proxy.cutCommit(cut)
    .then(() => (isCut = true));
  const answer = await send();
  expect([isCut, answer.status]).toEqual([true, 503]);
  return answer;
};

/**
 * An upload may commit more than once: the first ones make icons too. Cuts each commit of one in turn, and answers the refusals. After each of them, both processes show the whole medium or none; the next upload goes well.
 */
const cutUploads = async (cut: Cut, name: string): Promise<readonly Answer[]> => {
  const { hurt, whole, proxy: between } = parts();
  const refused: Answer[] = [];
  let whole503 = 0;
  for (let skipped = 0; skipped < 10; skipped += 1) {
    const id = idIn(await createNode(hurt, { title: name }));
    const text = `${name} ${skipped}`;
    void between.cutCommit(cut, skipped);
    const answer = await upload(hurt, id, text, text);
    if (answer.status === 201) {
      between.spare();
      expect([refused.length > 0, whole503 > 0]).toEqual([true, cut === 'after']);
      return refused;
    }
    refused.push(answer);
    const seen = await Promise.all([hurt, whole].map((base) => mediaOf(base, id)));
    const hashes = seen.map((media) => media.map((each) => each.sha256));
    const isThere = hashes[0]?.length === 1;
    expect(hashes).toEqual(isThere ? [[sha256(text)], [sha256(text)]] : [[], []]);
    if (isThere) whole503 += 1;
    expect((await upload(whole, id, `again ${text}`, text)).status).toBe(isThere ? 204 : 201);
    expect((await mediaOf(hurt, id)).map((each) => each.sha256)).toEqual([sha256(`again ${text}`)]);
  }
  throw new Error('An upload does not have ten commits.');
};

const titleOf = async (base: string, id: number): Promise<string> => {
  const answer = await ask(base, 'GET', `/node/${id}?_format=json`);
  return answer.status === 200 ? valueIn(shown(answer), 'title') : String(answer.status);
};

/** The ids of all nodes with this title. */
const withTitle = async (base: string, title: string): Promise<readonly number[]> => {
  const answer = await ask(base, 'GET', `/_atoll/entities?type=node&text=${encodeURIComponent(title)}`);
  if (answer.status !== 200) throw new Error(`The list is ${answer.status} ${answer.bytes.toString()}`);
  const { entities } = JSON.parse(answer.bytes.toString()) as { entities: { id: number }[] }; // the control contract
  return entities.map(({ id }) => id);
};

it.each(['before', 'after'] as const)(
  'answers 503 when the connection is cut %s the commit, and all or nothing is there',
  async (cut) => {
    const { hurt, whole } = parts();
    const rounds = longOrShort(10, 2);
    const isDone = cut === 'after';
    const refused: Answer[] = [];
    let highest = idIn(await createNode(hurt, { title: 'first' }));
    await upload(hurt, highest, 'makes the icons', `first-${cut}`);
    for (let round = 0; round < rounds; round += 1) {
      const title = `cut ${cut} ${round}`;
      refused.push(await cutWrite(cut, () => createNode(hurt, { title })));
      for (const base of [hurt, whole]) {
        const found = await withTitle(base, title);
        expect(found.length).toBe(isDone ? 1 : 0);
        highest = Math.max(highest, ...found);
      }
      const id = idIn(await createNode(hurt, { title: 'kept' }));
      // No id is given twice, whether or not the commit that drew it happened.
      expect(id).toBeGreaterThan(highest);
      highest = id;

      refused.push(await cutWrite(cut, () => changeNode(hurt, id, { title })));
      const expected = isDone ? title : 'kept';
      expect([await titleOf(hurt, id), await titleOf(whole, id)]).toEqual([expected, expected]);

      refused.push(...(await cutUploads(cut, `cut-${cut}-${round}`)));

      const spare = idIn(await createNode(whole, { title: 'spare' }));
      refused.push(await cutWrite(cut, () => deleteNode(hurt, spare)));
      const left = isDone ? '404' : 'spare';
      expect([await titleOf(hurt, spare), await titleOf(whole, spare)]).toEqual([left, left]);
      highest = spare;
    }
    expect(refused.map(({ status, headers }) => [status, Number(headers['retry-after']) > 0])).toEqual(
      refused.map(() => [503, true]),
    );
    const { faults } = await inspect(whole);
    await count({
      ...{ fault: `connection cut ${cut} the commit`, rounds, acknowledged: rounds * 3, unknown: refused.length },
      ...{ reads: rounds * 8, violations: faults.length, note: 'POST, PATCH, PUT, DELETE in each round' },
    });
    expect(faults).toEqual([]);
  },
);

it('loses nothing when commits are cut under 32 writers', async () => {
  const { proxy: between } = parts();
  const { team } = stand;
  const history = createHistory();
  const load = startLoad({ base: () => team.url, history, clients: 32, records: 50, uploadEvery: 10 });
  const rounds = longOrShort(60, 10);
  for (let round = 0; round < rounds; round += 1) {
    await whenAcknowledged(history, 20);
    await between.cutCommit(round % 2 === 0 ? 'before' : 'after');
  }
  await whenAcknowledged(history, 50);
  await load.stop();
  const { violations } = await compare(team.url, history, [load]);
  await countHistory('commits cut under 32 writers', rounds, history, violations);
  expect([violations, history.refusals]).toEqual([[], []]);
});
