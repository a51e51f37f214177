/** What a stored world does when one of its statements takes longer than others that came after it. */
import { describe, expect, it } from '@jest/globals';
import { DatabaseProblem, type Database, type Queries } from '../../../src/team/postgres/database.ts';
import { article } from '../../storage/records.ts';
import { makeWorld, openWorld } from './worlds.ts';
import type { Entity, Decision, StoreView } from '../../../src/openapi/openapi-records.ts';

const put = (entity: Entity): Decision<Entity> => ({ changes: [{ put: entity }], result: entity });
const create = (view: StoreView, title: string): Decision<Entity> => put(article(view.nextId('node'), title));

type Query = Queries['query'];

const signal = () => {
  let give: () => void = () => undefined;
  let refuse: (error: unknown) => void = () => undefined;
  const given = new Promise<void>((resolve, reject) => {
    give = resolve;
    refuse = reject;
  });
  return { given, give: () => give(), refuse: (error: unknown) => refuse(error) };
};

/** A database that sends the next statement of a name only when it is told to. */
const holding = (database: Database, name: string) => {
  let held: { readonly come: () => void; readonly go: Promise<void> } | undefined;
  const query: Query = async <Row>(statement: Parameters<Query>[0], values?: readonly unknown[]) => {
    const mine = typeof statement !== 'string' && statement.name === name ? held : undefined;
    if (mine !== undefined) {
      held = undefined;
      mine.come();
      await mine.go;
    }
    return database.query<Row>(statement, values);
  };
  return {
    database: { ...database, query },
    /** `reached`: the statement has come, and waits until `release`, or fails by `fail`. */
    hold: () => {
      const [came, go] = [signal(), signal()];
      held = { come: came.give, go: go.given };
      return { reached: came.given, release: go.give, fail: go.refuse };
    },
  };
};

const someTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export const describeRaces = (name: string, database: () => Database): void => {
  describe(`A stored world in ${name} with a slow statement`, () => {
    it('keeps nothing of a read that was sent before the first write to a new top layer and answered after it', async () => {
      const slow = holding(database(), 'atoll_load');
      const id = await makeWorld(database());
      const [a, b] = [await openWorld(slow.database, id), await openWorld(database(), id, { process: 'p2' })];
      const load = slow.hold();
      const reading = a.store.getMany(['node:1']);
      await load.reached;
      const node = await b.store.transact([], (view) => create(view, 'one'));
      await a.refresh();
      load.release();
      await reading;
      expect(await a.store.getMany(['node:1'])).toEqual([node]);
    });

    const beginWrite = async () => {
      const slow = holding(database(), 'atoll_write');
      const id = await makeWorld(database());
      const [a, b] = [await openWorld(slow.database, id), await openWorld(database(), id, { process: 'p2' })];
      const held = slow.hold();
      a.state.map<number>('sessions', 2).set('s', 1);
      const write = a.store.transact([], (view) => create(view, 'of another request'));
      await held.reached;
      let isFlushed = false;
      const flush = a.flush().finally(() => {
        isFlushed = true;
      });
      flush.catch(() => undefined);
      await someTurns();
      expect(isFlushed).toBe(false);
      return { a, b, held, write, flush };
    };

    it('lets a flush wait for the batch of another request that writes the state', async () => {
      const { a, b, held, write, flush } = await beginWrite();
      held.release();
      await Promise.all([write, flush]);
      const { seq } = a.row;
      await a.flush();
      expect(a.row.seq).toBe(seq);
      await b.refresh();
      expect(b.state.map<number>('sessions', 2).get('s')).toBe(1);
    });

    it('writes the state by the flush when the batch that had taken it fails', async () => {
      const { b, held, write, flush } = await beginWrite();
      held.fail(new DatabaseProblem('The connection ended.'));
      await expect(write).rejects.toMatchObject({ status: 503 });
      await flush;
      await b.refresh();
      expect(b.state.map<number>('sessions', 2).get('s')).toBe(1);
    });
  });
};
