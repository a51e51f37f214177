/** What holds for the links of every repository and every visitor: each leads somewhere, and none tells of what is hidden. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Response } from 'supertest';
import { canonicalPath, type World } from '../../src/repository/repository.ts';
import { baseUrl, createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { tries } from '../support/long-run.ts';
import { inOneWorld } from '../support/one-world.ts';
import { accountNames, anonymous, basic, linksOf, visit, type Visitor } from '../support/requests.ts';
import { anyRepository } from './random-repository.ts';
import { fileRecord, imageOf, mediaRecord, nodeRecord, refer, storePicture, withRecords } from './records.ts';
import { keyOf, type BlobReference, type Entity } from '../../src/openapi/openapi-records.ts';

let atoll: TestAtoll;
let picture: BlobReference;
let world: World;

beforeAll(async () => {
  atoll = await createTestAtoll({ fixture: 'empty', app: { locate: inOneWorld(() => world) } });
  world = atoll.world();
  picture = await storePicture(world);
});

const bounded = { numRuns: tries(25) };
const patience = 20_000;

const visitors: readonly Visitor[] = [anonymous, ...accountNames.map((name) => basic(name))];
const anyVisitor = fc.constantFrom(...visitors);
/** An array of records is not shown when a run fails, the records that differ are: seeds are printed by fast-check. */
const repositories = (): fc.Arbitrary<readonly Entity[]> => anyRepository(picture);

/** A page with a picture and a subject: with it a run meets every relation, whatever else chance brings. */
const illustrated = (): readonly Entity[] => [
  nodeRecord(1, { field_subject: refer([11]) }),
  mediaRecord(1, 1, imageOf(1)),
  fileRecord(1, 'public://1/page.png', picture),
];

const page = (entity: Entity, format = 'json'): string => `${canonicalPath(entity.type, entity.id)}?_format=${format}`;

/** The address of an entity is followed with `_format`, since without one it is refused. */
const followed = (uri: string): string => (/\/(node|media|term|file)\/\d+$/.test(uri) ? `${uri}?_format=json` : uri);
const isLocal = (uri: string): boolean => uri.startsWith(`${baseUrl}/`);
const followedRelations = ['canonical', 'related', 'tag', 'alternate', 'describes', 'linkset'];

type Targets = Record<string, readonly { href: string; title?: string; type?: string }[]>;
/** The complete set: relation and target, in one text a link. Undefined for those who may not see it. */
const linksetOf = async (entity: Entity, visitor: Visitor): Promise<string[] | undefined> => {
  const response = await visit(atoll, visitor, 'GET', `${canonicalPath(entity.type, entity.id)}/linkset`);
  if (response.status !== 200) return undefined;
  const [context = {}] = (response.body as { linkset: Targets[] }).linkset; // held to the schema by the engine
  return Object.entries(context).flatMap(([rel, targets]) =>
    rel === 'anchor' ? [] : targets.map((target) => `${rel} ${JSON.stringify(target)}`),
  );
};

const headersOf = async (entities: readonly Entity[], visitor: Visitor): Promise<Map<string, unknown>> => {
  const found = new Map<string, unknown>();
  for (const entity of entities) {
    const response = await visit(atoll, visitor, 'GET', page(entity));
    // A 500 would say that the answer breaks the document.
    if (response.status === 500) throw new Error(response.text);
    if (response.status === 200) found.set(keyOf(entity), response.headers['link']);
  }
  return found;
};

describe('whatever is stored and whoever asks', () => {
  it(
    'every link to something here answers 200 with the type it announces, and edit-media takes a PUT',
    async () => {
      const met = new Set<string>();
      const followOne = async (link: { uri: string; rel: string; type?: string }, visitor: Visitor): Promise<void> => {
        if (link.rel === 'edit-media') {
          const options = await visit(atoll, visitor, 'OPTIONS', link.uri);
          expect([link, options.status, options.headers['allow']]).toEqual([link, 200, 'PUT']);
        } else if (followedRelations.includes(link.rel) && isLocal(link.uri)) {
          const { status, headers } = await visit(atoll, visitor, 'GET', followed(link.uri));
          expect([link, status]).toEqual([link, 200]);
          if (link.type !== undefined) expect([link, headers['content-type']]).toEqual([link, link.type]);
        } else return;
        met.add(link.rel);
      };
      await fc.assert(
        fc.asyncProperty(repositories(), anyVisitor, async (entities, visitor) => {
          world = withRecords(atoll.world(), entities);
          const known = new Set<string>();
          for (const entity of entities) {
            for (const link of linksOf(await visit(atoll, visitor, 'GET', page(entity)))) {
              if (!known.has(`${link.rel} ${link.uri}`)) await followOne(link, visitor);
              known.add(`${link.rel} ${link.uri}`);
            }
          }
        }),
        { ...bounded, examples: [[illustrated(), basic('admin')]] },
      );
      expect([...met].sort()).toEqual(['alternate', 'canonical', 'describes', 'edit-media', 'related', 'tag']);
    },
    patience,
  );

  it(
    'HEAD and the other format have the same links, but for the alternate',
    async () => {
      const others = (response: Response): unknown[] => linksOf(response).filter(({ rel }) => rel !== 'alternate');
      await fc.assert(
        fc.asyncProperty(repositories(), anyVisitor, async (entities, visitor) => {
          world = withRecords(atoll.world(), entities);
          for (const entity of entities) {
            const json = await visit(atoll, visitor, 'GET', page(entity));
            const head = await visit(atoll, visitor, 'HEAD', page(entity));
            const jsonld = await visit(atoll, visitor, 'GET', page(entity, 'jsonld'));
            expect([head.status, head.headers['link']]).toEqual([json.status, json.headers['link']]);
            expect(others(jsonld)).toEqual(others(json));
          }
        }),
        bounded,
      );
    },
    patience,
  );

  // Monotone are the complete sets, not the headers: an editor's longer list may be the one that is cut. And only along
  // permissions: the editor has every permission of anonymous visitors, but `owner` sees own things that editors do not.
  it(
    'what anonymous visitors see linked, the editor and the admin see linked',
    async () => {
      let compared = 0;
      await fc.assert(
        fc.asyncProperty(repositories(), fc.constantFrom('editor', 'admin'), async (entities, name) => {
          world = withRecords(atoll.world(), entities);
          for (const entity of entities.filter(({ type }) => type === 'node' || type === 'media')) {
            const few = await linksetOf(entity, anonymous);
            if (few === undefined) continue;
            const many = await linksetOf(entity, basic(name));
            expect(many).toEqual(expect.arrayContaining(few));
            compared += 1;
          }
        }),
        bounded,
      );
      expect(compared).toBeGreaterThan(0);
    },
    patience,
  );

  it(
    'hidden entities leave no trace: without them every Link header is the same',
    async () => {
      let removed = 0;
      await fc.assert(
        fc.asyncProperty(repositories(), anyVisitor, async (entities, visitor) => {
          world = withRecords(atoll.world(), entities);
          const before = await headersOf(entities, visitor);
          const seen = entities.filter((entity) => before.has(keyOf(entity)));
          world = withRecords(atoll.world(), seen);
          expect(await headersOf(seen, visitor)).toEqual(before);
          removed += entities.length - seen.length;
        }),
        bounded,
      );
      expect(removed).toBeGreaterThan(0);
    },
    patience,
  );
});
