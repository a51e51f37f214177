/** `faults`: turns on failures of a world by their names, and off again. */
import type { FaultKind } from '../../exchange/worlds/controlled-world.ts';
import { anyObject, choice, json, list, number, optional, structure, table, text, whole } from '../shape.ts';
import { defineTool } from '../tool.ts';
import { ToolRefusal } from '../tool-refusal.ts';
import { worldName } from '../sandbox/sandbox-request.ts';

const input = structure({
  action: choice(
    ['catalogue', 'list', 'add', 'remove', 'clear'],
    'catalogue: which there are. list: those of the world. add, remove, clear: change those of a world of your own.',
  ),
  world: optional(worldName),
  fault: optional(
    text(
      'Of add: a name of the catalogue, such as status or latency. Of catalogue: only this one, with its parameters.',
      { maxLength: 64 },
    ),
  ),
  parameters: optional(table(json(['string', 'number'], 'A text or a number.'), 'Of add: such as {"status": 503}.')),
  operations: optional(
    list(text('An id.'), 'Of add: ids of operations; all that the fault is for when left out.', { minItems: 1 }),
  ),
  path: optional(text('Of add: only this path; /node/* for one segment, /** for the rest.', { pattern: '^/' })),
  rate: optional(number('Of add: the share of requests that it strikes.', { minimum: 0, maximum: 1 })),
  after: optional(whole('Of add: so many requests are spared first.', { minimum: 0 })),
  count: optional(whole('Of add: so many requests are struck, then no more.', { minimum: 1 })),
  id: optional(text('Of remove: the id, as list says it.', { maxLength: 64 })),
});

type Given = NonNullable<typeof input.sample>;

export const faults = defineTool({
  name: 'faults',
  title: 'Faults',
  description:
    'Turns on a failure in a world of your own, for your client to meet: a status, a slow answer, a cut connection, a full disk and more.',
  hints: { readOnly: false },
  input,
  output: structure({
    world: text('The world.'),
    id: optional(text('Of the fault that was added.')),
    faults: list(
      anyObject('A fault of the catalogue, or one of the world with how often it has struck.'),
      'The presets, or the faults of the world now.',
    ),
  }),
  long: 'faults',
  run: async (given, call) => {
    if (given.action === 'catalogue') {
      const world = await call.world(given.world);
      return { world: world.name, faults: catalogue(await world.faults.kinds(), given.fault) };
    }
    const world = given.action === 'list' ? await call.world(given.world) : await call.changeableWorld(given.world);
    const id = given.action === 'add' ? await world.faults.add(addedFault(given)) : undefined;
    if (given.action === 'clear') await world.faults.clear();
    if (given.action === 'remove') await world.faults.remove(needed(given.id, 'id', 'remove'));
    return { world: world.name, id, faults: await world.faults.list() };
  },
});

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
  const found = kinds.filter((kind) => kind.name === name);
  if (found.length > 0) return found;
  throw new ToolRefusal(`There is no fault "${name}".`, `There are: ${kinds.map((kind) => kind.name).join(', ')}.`);
};

const needed = (value: string | undefined, name: string, action: string): string => {
  if (value !== undefined) return value;
  throw new ToolRefusal(
    `Action "${action}" needs "${name}".`,
    `Add "${name}". Action "list" or "catalogue" shows what there is.`,
  );
};

const addedFault = ({ fault, parameters = {}, operations, path, rate, after, count }: Given) => ({
  fault: needed(fault, 'fault', 'add'),
  parameters: Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, typeof value === 'number' ? value : String(value)]),
  ),
  operations: operations && [...operations],
  ...{ path, rate, after, count },
});
