/** `faults`: turns on failures of a world by their names, and off again. */
import type { Fault, FaultKind } from '../../exchange/exchange-worlds.ts';
import { defineControlTool } from '../control-tool.ts';
import { anyObject, list, optional, structure, text } from '../shape.ts';
import { ToolRefusal } from '../tool-refusal.ts';

export const faults = defineControlTool({
  name: 'faults',
  title: 'Faults',
  description:
    'Turns on failures in a world of your own: a status, a slow answer, a cut connection, a full disk and more.',
  hints: { readOnly: false },
  input: structure({
    fault: optional(text('Of catalogue: only this one, with its parameters.', { maxLength: 64 })),
  }),
  output: structure({
    world: text('The world.'),
    id: optional(text('Of the fault that was added.')),
    faults: list(
      anyObject('A fault of the catalogue, or one of the world with how often it has struck.'),
      'The presets, or the faults of the world now.',
    ),
  }),
  long: 'faults',
  actions: {
    catalogue: {
      summary: 'which there are.',
      run: async ({ world: name, fault }, call) => {
        const world = await call.world(name);
        return { world: world.name, faults: catalogue(await world.faults.kinds(), fault) };
      },
    },
  },
  show: async (_operation, answer, world) => {
    const { id, faults: current } = (answer ?? {}) as Shown; // of `addFault` and `listFaults`; the others answer nothing
    return { world: world.name, id, faults: current ?? (await world.faults.list()) };
  },
});

type Shown = { readonly id?: string; readonly faults?: readonly Fault[] };

const catalogue = (
  kinds: readonly FaultKind[],
  name: string | undefined,
): readonly Readonly<Record<string, unknown>>[] => {
  if (name === undefined) {
    return kinds.map(({ name: fault, summary, parameters }) => ({
      fault,
      summary,
      parameters: Object.keys(parameters),
    }));
  }
  const matching = kinds.filter((kind) => kind.name === name);
  if (matching.length > 0) return matching;
  throw new ToolRefusal(`There is no fault "${name}".`, `There are: ${kinds.map((kind) => kind.name).join(', ')}.`);
};
