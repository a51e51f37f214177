/** The links of a record that is read at once: what would take long is left to the other way, and nothing of it is begun. */
import { describe, expect, it } from '@jest/globals';
import { mediaOf } from '../../src/core/content/index-keys.ts';
import { platformLines, presentLinkLines } from '../../src/core/links/present-links.ts';
import { platformLinks } from '../../src/core/links/platform-links.ts';
import { linkHeader } from '../../src/core/links/typed-link.ts';
import { keyOf, type Entity, type Fields } from '../../src/core/model/entity.ts';
import type { PresentRecords } from '../../src/core/model/entity-store.ts';
import { site } from '../representations/recorded.ts';
import { mediaRecord, nodeRecord, refer } from './records.ts';

/** The lines of a node with these media, and how many records were read for them. */
const linesOf = (fields: Fields, media: readonly Entity[]) => {
  const node = nodeRecord(1, fields);
  const others = Array.from({ length: 300 }, (_, at) => nodeRecord(at + 2));
  const records = new Map([node, ...media, ...others].map((entity) => [keyOf(entity), entity]));
  let read = 0;
  const present: PresentRecords = {
    get: (key) => {
      read += 1;
      return records.get(key);
    },
    lookup: (index) => {
      const found = index === mediaOf(1) ? media : [];
      read += found.length;
      return found;
    },
    count: (index) => (index === mediaOf(1) ? media.length : 0),
  };
  const context = { site, baseUrl: 'http://localhost:8000', canView: () => true, format: 'json', formats: [] } as const;
  const lines = presentLinkLines(node, { ...context, present });
  return { lines, read };
};

const someMedia = (count: number): Entity[] => Array.from({ length: count }, (_, at) => mediaRecord(at + 1, 1));

describe('The links of a node that is read at once', () => {
  it('has those of some media and references', () => {
    const { lines, read } = linesOf({ field_member_of: refer([2, 3]) }, someMedia(20));
    expect(lines?.filter((line) => line.includes('/node/2>') || line.includes('/node/3>'))).toHaveLength(2);
    expect(read).toBeGreaterThan(20);
  });

  it('reads no media where there are many', () => {
    expect(linesOf({ field_member_of: [], field_model: [] }, someMedia(21))).toEqual({ lines: undefined, read: 0 });
  });

  it('reads no targets of a field where there are many', () => {
    const ids = Array.from({ length: 300 }, (_, at) => at + 2);
    expect(linesOf({ field_model: [], field_member_of: refer(ids) }, [])).toEqual({ lines: undefined, read: 0 });
  });
});

it.each(['http://localhost:8000', 'http://localhost:8000/~w7', `http://localhost:8000/~${Number.MAX_SAFE_INTEGER}`])(
  'The lines of the platform are those of its links below %s',
  (baseUrl) => {
    for (const record of [nodeRecord(5), nodeRecord(6), mediaRecord(7, 5)]) {
      const context = { site, baseUrl };
      expect(platformLines(record, context)).toEqual(platformLinks(record, context).map(linkHeader));
    }
  },
);
