/** How often a read of a record asks the database: once or twice, by construction. */
import { recordModel, readFrom } from '../../../src/repository/repository.ts';
import { describe, expect, it } from '@jest/globals';
import { createReadWithRecord, readWithKey } from '../../../src/team/read-ahead.ts';
import { linksOf, renderJson } from '../../../src/repository/repository-content.ts';
import type { Database } from '../../../src/team/postgres/database.ts';
import type { StoredWorld } from '../../../src/team/postgres/stored-world.ts';
import { mediaRecord, nodeRecord, refer } from '../../links/records.ts';
import { seededTerm, site } from '../../representations/recorded.ts';
import { makeWorld, openWorld } from './worlds.ts';
import type { Entity, EntityKey } from '../../../src/openapi/openapi-records.ts';

const baseUrl = 'http://localhost:8000';
const key: EntityKey = 'node:2';

/** What a GET reads of a node: the record, what it shows and what it links to. */
const get = ({ store }: StoredWorld): Promise<string> =>
  readFrom(store, (records) => {
    const node = records.get(key);
    if (node === undefined) throw new Error('There is no such node.');
    const context = { site, baseUrl, basePath: '', records };
    const links = linksOf(node, {
      ...{ ...context, canView: () => true, mayEditSource: () => false },
      ...{ format: 'json', formats: ['json'], mediaLimit: 61 },
    });
    return JSON.stringify([renderJson(node, context, 'read'), links]);
  });

export const describeReads = (name: string, database: () => Database): void => {
  describe(`A GET of a node with members, terms and media in ${name}`, () => {
    it('asks at most twice, also with the question for changes when it is made again', async () => {
      let asked = 0;
      const counted: Database = {
        ...database(),
        query: (statement, values) => {
          asked += 1;
          return database().query(statement, values);
        },
      };
      const id = await makeWorld(database());
      const options = {
        model: recordModel,
        readAhead: { withKey: readWithKey, withRecord: createReadWithRecord(site.model) },
      };
      const writer = await openWorld(database(), id, options);
      const put = (...entities: readonly Entity[]) =>
        writer.store.transact([], () => ({ changes: entities.map((entity) => ({ put: entity })), result: undefined }));
      const fields = { field_member_of: refer([1]), field_model: refer([24]), field_subject: refer([101]) };
      const media = [1, 2, 3].map((each) => mediaRecord(each, 2, { field_media_use: refer([16]) }));
      await put(nodeRecord(1), nodeRecord(2, fields), ...media, seededTerm(24), seededTerm(16));
      const reader = await openWorld(counted, id, { ...options, process: 'p2' });
      asked = 0;
      const first = await get(reader);
      expect(asked).toBe(2);
      expect(first).toContain('/media/3');
      await put(nodeRecord(2, { ...fields, title: [{ value: 'Another title' }] }));
      asked = 0;
      await reader.refresh();
      expect(await get(reader)).toBe(first.replaceAll('"Node 2"', '"Another title"'));
      expect(asked).toBe(2);
      asked = 0;
      await get(reader);
      expect(asked).toBe(0);
    });
  });
};
