/** Any sequence of requests leaves collections as a model of the rules has them: in one world, and in two with resets and snapshots. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { OwnServer } from '../documents/support/own-document.ts';
import { tries } from '../support/long-run.ts';
import { kindsOf } from './support/kinds.ts';
import { beginning, copyOf, type State, type Step, stepsOf } from './support/model.ts';
import { type DocumentName, newWorld, startRemembering } from './support/remembering.ts';
import { carryOut } from './support/run-model.ts';

const names: readonly DocumentName[] = ['library', 'orders', 'weblog'];

describe.each(names)('%s', (name) => {
  const kinds = kindsOf[name];
  let server: OwnServer;
  beforeAll(async () => {
    server = await startRemembering(name);
  });
  afterAll(() => server.close());

  it('answers any sequence of requests as the model does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepsOf(kinds), { maxLength: 30 }), async (steps) => {
        const world = await newWorld(server);
        const state = beginning(kinds);
        for (const step of steps) await carryOut(world, state, kinds, step);
        await world.drop();
      }),
      { numRuns: tries(400) },
    );
  }, 60_000);

  type Command = 'reset' | 'save' | 'load' | 'fork';
  const commands = fc.constantFrom<Command>('reset', 'save', 'load', 'fork');
  const place = fc.constantFrom<0 | 1>(0, 1);
  const turns = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ at: place, step: stepsOf(kinds) }) },
      { weight: 1, arbitrary: fc.record({ at: place, command: commands }) },
    ),
    { maxLength: 40 },
  );

  it('answers in two worlds as two models do, with resets, snapshots and forks in between', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (all) => {
        const begin = async () => ({ world: await newWorld(server), state: beginning(kinds), made: beginning(kinds) });
        const worlds: { world: Awaited<ReturnType<typeof newWorld>>; state: State; made: State; saved?: State }[] = [
          await begin(),
          await begin(),
        ];
        for (const turn of all) {
          const one = worlds[turn.at];
          if (one === undefined) throw new Error('There are two worlds.');
          if ('step' in turn) await carryOut(one.world, one.state, kinds, turn.step satisfies Step);
          else if (turn.command === 'reset') {
            await one.world.reset();
            one.state = copyOf(one.made);
          } else if (turn.command === 'save') {
            await one.world.snapshots.save('s');
            one.saved = copyOf(one.state);
          } else if (turn.command === 'load' && one.saved !== undefined) {
            await one.world.snapshots.load('s');
            one.state = copyOf(one.saved);
          } else if (turn.command === 'fork') {
            await worlds[1 - turn.at]?.world.drop();
            const world = await server.world({ from: one.world.name });
            worlds[1 - turn.at] = { world, state: copyOf(one.state), made: copyOf(one.state) };
          }
        }
        for (const { world, state } of worlds)
          for (const kind of kinds.filter(({ parent }) => parent === undefined)) {
            const drawn = { text: '', number: 0, id: '', flag: false };
            await carryOut(world, state, kinds, { kind: kind.name, does: 'list', which: 0, parent: 0, drawn });
          }
        for (const { world } of worlds) await world.drop();
      }),
      { numRuns: tries(240) },
    );
    expect(server.errors.filter((error) => error instanceof Error)).toEqual([]);
  }, 60_000);
});
