/** Worlds against a model: any history of forks, writes, snapshots, resets and drops leaves each world with what is its own. */
import { repositoryOnDisk } from '../../src/application/application-disk.ts';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openWorlds } from '../../src/server/server-worlds.ts';
import { loadSite } from '../support/site-sources.ts';
import type { Site } from '../../src/repository/repository.ts';
import { nodeRecord } from '../links/records.ts';
import { createClock, createIds, root } from '../support/atoll.ts';
import { testSigningKey } from '../support/signing-key.ts';
import { Problem } from '../../src/openapi/openapi-terms.ts';

let site: Site;
beforeAll(async () => {
  site = await loadSite(join(root, 'data/site'));
});

/** Ids of the nodes of a world; whether they are there is all that is compared. */
type Nodes = ReadonlySet<number>;
type Modelled = { nodes: Nodes; readonly origin: Nodes; readonly snapshots: Map<string, Nodes> };

const name = fc.constantFrom('main', 'a', 'b', 'c');
const snapshot = fc.constantFrom('s', 't');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('put' as const), name, id: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('remove' as const), name, id: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('fork' as const), name, from: fc.option(name) }) },
  fc.record({ does: fc.constant('forkSnapshot' as const), name, asker: name, snapshot }),
  { weight: 2, arbitrary: fc.record({ does: fc.constant('save' as const), name, snapshot }) },
  fc.record({ does: fc.constant('forget' as const), name, snapshot }),
  fc.record({ does: fc.constant('reset' as const), name, to: fc.option(snapshot) }),
  fc.record({ does: fc.constant('drop' as const), name }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const openEmpty = () =>
  openWorlds({
    application: repositoryOnDisk,
    ...{ site, baseUrl: 'http://localhost:8000', data: undefined, fixture: join(root, 'data/fixtures/empty') },
    ...{ durability: 'os', clock: createClock(), ids: createIds(), signingKey: testSigningKey, warn: () => undefined },
  });

type Opened = Awaited<ReturnType<typeof openEmpty>>;

/** What the model says of a step: the worlds after it, or the status of the refusal. */
const model = (worlds: Map<string, Modelled>, each: Step): number | undefined => {
  const world = worlds.get(each.name);
  const kept = (asker: string, of: string): Nodes | undefined =>
    worlds.get(asker)?.snapshots.get(of) ?? worlds.get('main')?.snapshots.get(of);
  const begin = (nodes: Nodes | undefined, missing: number): number | undefined => {
    if (world !== undefined) return 409;
    if (nodes === undefined) return missing;
    worlds.set(each.name, { nodes, origin: nodes, snapshots: new Map() });
    return undefined;
  };
  if (each.does === 'fork') {
    const from = each.from ?? undefined;
    return begin(from === undefined ? new Set() : worlds.get(from)?.nodes, 422);
  }
  if (each.does === 'forkSnapshot') return begin(kept(each.asker, each.snapshot), 422);
  if (each.does === 'drop') {
    if (each.name === 'main') return 409;
    worlds.delete(each.name);
    return undefined;
  }
  if (world === undefined) return 404;
  if (each.does === 'put') world.nodes = new Set([...world.nodes, each.id]);
  else if (each.does === 'remove') world.nodes = new Set([...world.nodes].filter((id) => id !== each.id));
  else if (each.does === 'save') world.snapshots.set(each.snapshot, world.nodes);
  else if (each.does === 'forget') world.snapshots.delete(each.snapshot);
  else {
    const nodes = each.to === null ? world.origin : kept(each.name, each.to);
    if (nodes === undefined) return 404;
    world.nodes = nodes;
  }
  return undefined;
};

const carryOut = async ({ worlds }: Opened, each: Step): Promise<void> => {
  const change = async (changes: Parameters<typeof worlds.main.world.store.transact>[1]): Promise<void> => {
    const place = worlds.find(each.name);
    if (place === undefined) throw new Problem(404, 'There is no such world.');
    await place.world.store.transact([], changes);
  };
  switch (each.does) {
    case 'put':
      return change(() => ({ changes: [{ put: nodeRecord(each.id) }], result: undefined }));
    case 'remove':
      return change(() => ({ changes: [{ remove: `node:${each.id}` }], result: undefined }));
    case 'fork':
      await worlds.fork({ name: each.name, from: each.from ?? undefined });
      return;
    case 'forkSnapshot':
      await worlds.fork({ name: each.name, from: each.snapshot, snapshotsOf: each.asker });
      return;
    case 'save':
      worlds.saveSnapshot(each.name, each.snapshot);
      return;
    case 'forget':
      worlds.deleteSnapshot(each.name, each.snapshot);
      return;
    case 'reset':
      return worlds.reset(each.name, each.to ?? undefined);
    case 'drop':
      worlds.drop(each.name);
      return;
  }
};

const shown = async ({ worlds }: Opened): Promise<Record<string, number[]>> => {
  const found: Record<string, number[]> = {};
  for (const { name: each } of worlds.list()) {
    const nodes = await worlds.find(each)?.world.store.list('node', { offset: 0, limit: 99 });
    found[each] = nodes?.entities.map(({ id }) => id) ?? [];
  }
  return found;
};

it('any history of commands leaves every world with what the model says, or is refused as it says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const opened = await openEmpty();
      const worlds = new Map<string, Modelled>([
        ['main', { nodes: new Set(), origin: new Set(), snapshots: new Map() }],
      ]);
      for (const each of steps) {
        const refused = model(worlds, each);
        const met = await carryOut(opened, each).then(
          () => undefined,
          (error: unknown) => (error instanceof Problem ? error.status : error),
        );
        expect([each, met]).toEqual([each, refused]);
        const expected = [...worlds].map(([world, { nodes }]) => [world, [...nodes].sort()]);
        expect(await shown(opened)).toEqual(Object.fromEntries(expected));
      }
      await opened.close();
    }),
    { numRuns: 100 },
  );
}, 60_000);
