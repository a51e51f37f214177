/** What a stored world does when the database fails, what a read costs, and how the schema is made. */
import { describe, expect, it } from '@jest/globals';
import { DatabaseProblem, type Database, type Queries } from '../../../src/team/postgres/database.ts';
import { problemOf } from '../../../src/team/postgres/reachability.ts';
import { migrate, schemaVersion } from '../../../src/team/postgres/schema.ts';
import { hangMs } from '../../support/hang.ts';
import { until } from '../../support/until.ts';
import { article } from '../../storage/records.ts';
import { makeWorld, openWorld } from './worlds.ts';
import type { Entity, Decision, StoreView } from '../../../src/openapi/openapi-records.ts';

const idOf = (entity: Entity | undefined): number | undefined => entity?.id;
const create = (view: StoreView, title: string): Decision<Entity> => {
  const entity = article(view.nextId('node'), title);
  return { changes: [{ put: entity }], result: entity };
};

type Query = Queries['query'];

/** A database whose statements pass through a function. */
const altered = (database: Database, alter: (query: Query) => Query): Database => ({
  ...database,
  query: alter(database.query),
  transaction: (work) => database.transaction((queries) => work({ query: alter(queries.query) })),
});

const isWrite = (statement: Parameters<Query>[0]): boolean =>
  typeof statement !== 'string' && statement.name === 'atoll_write';

/** Fails a write before or after the engine has done it. */
const failing = (database: Database, when: 'before' | 'after', failure: () => unknown) => {
  let isOn = true;
  const alter = (query: Query): Query => {
    return async <Row>(statement: Parameters<Query>[0], values?: readonly unknown[]) => {
      if (!isOn || !isWrite(statement)) return query<Row>(statement, values);
      if (when === 'after') await query(statement, values);
      throw failure();
    };
  };
  return {
    database: altered(database, alter),
    heal: () => {
      isOn = false;
    },
  };
};

export const describeDatabaseFaults = (name: string, database: () => Database): void => {
  describe(`A stored world in ${name} whose database fails`, () => {
    it('answers 503 when nobody knows whether a write was done, and shows all of it later', async () => {
      const failure = (): Error => new DatabaseProblem('The connection ended.', { isUnknown: true });
      const faulty = failing(database(), 'after', failure);
      const world = await openWorld(faulty.database, await makeWorld(database()));
      const calls = [1, 2].map((at) => world.store.transact([], (view) => create(view, `n${at}`)));
      for (const call of await Promise.allSettled(calls)) {
        expect(call).toMatchObject({ status: 'rejected', reason: { status: 503, isUnknown: true } });
      }
      faulty.heal();
      await world.refresh();
      expect((await world.store.list('node', { offset: 0, limit: 9 })).total).toBe(2);
      expect((await world.store.getMany(['node:1', 'node:2'])).map((entity) => entity?.id)).toEqual([1, 2]);
      expect((await world.store.transact([], (view) => create(view, 'next'))).id).toBe(3);
    });

    it.each([
      ['53100', 507],
      ['57P01', 503],
      ['ECONNRESET', 503],
    ])('answers error %s with %i, changes nothing, and goes on', async (code, status) => {
      const failure = (): unknown => problemOf(Object.assign(new Error('no'), { code }));
      const faulty = failing(database(), 'before', failure);
      const world = await openWorld(faulty.database, await makeWorld(database()));
      const call = world.store.transact([], (view) => create(view, 'lost'));
      await expect(call).rejects.toMatchObject({ status });
      expect((await world.store.list('node', { offset: 0, limit: 9 })).total).toBe(0);
      faulty.heal();
      // The id of the lost record is not given again.
      expect((await world.store.transact([], (view) => create(view, 'next'))).id).toBe(2);
    });

    it('keeps the shared state for the next flush', async () => {
      const faulty = failing(database(), 'before', () => new DatabaseProblem('no'));
      const world = await openWorld(faulty.database, await makeWorld(database()));
      world.state.map<number>('sessions', 5).set('s', 1);
      await expect(world.flush()).rejects.toMatchObject({ status: 503 });
      faulty.heal();
      await world.flush();
      const other = await openWorld(database(), world.id);
      expect(other.state.map<number>('sessions', 5).get('s')).toBe(1);
    });
  });

  describe(`A stored world in ${name}`, () => {
    it('reads a record with what it refers to in three round trips', async () => {
      let statements = 0;
      const counted = altered(database(), (query) => (statement, values) => {
        statements += 1;
        return query(statement, values);
      });
      const id = await makeWorld(database());
      const writer = await openWorld(database(), id);
      for (const [at, parent] of [2, 3, undefined].entries()) {
        const entity = article(at + 1, 'x', parent === undefined ? {} : { parent });
        await writer.store.transact([], () => ({ changes: [{ put: entity }], result: 0 }));
      }
      const reader = await openWorld(counted, id, {
        readAhead: {
          withKey: (key) => [`members-of:${key.slice(5)}`],
          withRecord: () => ({ keys: ['node:2', 'node:3'], indexes: ['members-of:3'] }),
        },
      });
      statements = 0;
      await reader.refresh();
      await reader.store.getMany(['node:1']);
      await reader.store.lookupMany(['members-of:1', 'members-of:3']);
      await reader.store.getMany(['node:2', 'node:3']);
      expect(statements).toBe(3);
    });

    it('loads by one statement what others ask for beside the first one, and refuses only what the database cannot look for', async () => {
      let statements = 0;
      const counted = altered(database(), (query) => (statement, values) => {
        statements += 1;
        return query(statement, values);
      });
      const id = await makeWorld(database());
      const writer = await openWorld(database(), id);
      for (const node of [1, 2, 3]) {
        const entity = article(node, 'x', { parent: 2 });
        await writer.store.transact([], () => ({ changes: [{ put: entity }], result: 0 }));
      }
      const { store } = await openWorld(counted, id);
      statements = 0;
      const [first, both, [members]] = await Promise.all([
        store.getMany(['node:1']),
        store.getMany(['node:3', 'node:4']),
        store.lookupMany(['members-of:2']),
      ]);
      expect(statements).toBe(2);
      expect([idOf(first[0]), both.map(idOf), members?.map(idOf)]).toEqual([1, [3, undefined], [1, 2, 3]]);
      const reads = await Promise.allSettled([
        store.getMany(['node:6']),
        store.getMany([`node:${10 ** 20}`]),
        store.getMany(['node:5', 'node:2']),
      ]);
      expect(reads).toMatchObject([
        { status: 'fulfilled', value: [undefined] },
        { status: 'rejected' },
        { status: 'fulfilled', value: [undefined, { id: 2 }] },
      ]);
    });

    it('learns of changes by a hint, or soon by itself, where a refresh does not ask each time', async () => {
      const id = await makeWorld(database());
      const writer = await openWorld(database(), id);
      const local = await openWorld(database(), id, { consistency: 'local' });
      expect(await local.store.getMany(['node:1'])).toEqual([undefined]);
      await writer.store.transact([], (view) => create(view, 'one'));
      local.hinted();
      await until(async () => (await local.store.getMany(['node:1']))[0] !== undefined, 'the hint', hangMs);
      await writer.store.transact([], (view) => create(view, 'two'));
      await until(
        async () => {
          await local.refresh();
          return (await local.store.getMany(['node:2']))[0] !== undefined;
        },
        'the change',
        hangMs,
      );
    });
  });

  describe(`The schema in ${name}`, () => {
    it('stays as it is when several processes start', async () => {
      const [one, two] = await Promise.all([migrate(database()), migrate(database())]);
      expect(one).toEqual(two);
      expect(one.version).toBe(schemaVersion);
    });

    it('is refused when a newer program has made it, but not by its neighbour', async () => {
      const set = (version: number, oldest: number) =>
        database().query('update atoll_schema set version = $1, oldest = $2', [version, oldest]);
      await set(schemaVersion + 1, schemaVersion);
      expect((await migrate(database())).version).toBe(schemaVersion + 1);
      await set(schemaVersion + 2, schemaVersion + 1);
      await expect(migrate(database())).rejects.toThrow(/^The database has the schema \d+ of a newer Atoll; .+\.$/);
      await set(schemaVersion, 1);
    });
  });
};
