/** Control tokens in a database, as two processes of one repository see them. */
import { describe, expect, it } from '@jest/globals';
import { createControlTokenRows } from '../../../src/team/postgres/control-token-rows.ts';
import type { Database } from '../../../src/team/postgres/database.ts';
import { controlTokenStoreSuite, token } from '../../storage/control-tokens/control-token-store.suite.ts';

const limits = { now: 5000, most: 100 };

/** `databases`: the same one, as each of two processes has opened it. */
export const describeControlTokens = (name: string, databases: () => readonly [Database, Database]): void => {
  controlTokenStoreSuite(`Control tokens in ${name}`, async () => {
    const [one, other] = databases();
    await one.query("delete from atoll_state where topic like 'control-token%'");
    return { store: createControlTokenRows(one), again: async () => createControlTokenRows(other) };
  });

  describe(`Control tokens of two processes over ${name}`, () => {
    it('are revoked for both at once: each load that begins afterwards has them no more', async () => {
      const [here, there] = databases().map(createControlTokenRows);
      if (here === undefined || there === undefined) throw new Error('there are two');
      for (const { name: left } of await here.load()) await here.remove(left);
      for (let round = 0; round < 20; round += 1) {
        await here.put(token('a'), limits);
        const open = there.load();
        expect(await there.load()).toHaveLength(1);
        await here.remove('a');
        expect(await Promise.all([there.load(), there.load(), here.load()])).toEqual([[], [], []]);
        await open;
      }
    });

    it('are asked for by one small statement as long as none changes, and once for all who wait', async () => {
      const [one, other] = databases();
      const asked: string[] = [];
      const counting: Database = {
        ...one,
        query: (statement, values) => {
          asked.push(typeof statement === 'string' ? statement : statement.name);
          return one.query(statement, values);
        },
      };
      const store = createControlTokenRows(counting);
      await createControlTokenRows(other).put(token('a'), limits);
      await store.load();
      asked.length = 0;
      for (let times = 0; times < 5; times += 1) expect(await store.load()).toHaveLength(1);
      expect(asked).toEqual(Array.from({ length: 5 }, () => 'control-tokens-revision'));
      asked.length = 0;
      await Promise.all(Array.from({ length: 50 }, () => store.load()));
      expect(asked.length).toBeLessThan(3);
    });
  });
};
