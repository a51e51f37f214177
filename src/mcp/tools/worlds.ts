/** `worlds`: makes and drops worlds, puts them back, keeps their states, and sets their clocks. By hand is what an agent may have and change, and its sessions. */
import type { OperationId } from '../../client/client-control.ts';
import type { ClockState, WorldCommands } from '../../exchange/exchange-worlds.ts';
import { worldNamePattern } from '../../openapi/openapi-host.ts';
import { defineControlTool } from '../control-tool.ts';
import { accountsOf, forgetSessions } from '../session/accounts.ts';
import type { Call } from '../session/session.ts';
import { anyObject, flag, list, number, optional, structure, text, whole } from '../shape.ts';
import { ToolRefusal } from '../tool-refusal.ts';

/** After so many seconds a world goes by itself, when the agent says nothing else. */
const defaultSeconds = 3600;

const input = structure({
  name: optional(text('Of fork: the name of the new world.', { maxLength: 63 })),
  from: optional(
    text('Of fork: a world, a snapshot or a fixture; the fixture of the server when left out.', { maxLength: 100 }),
  ),
  seconds: optional(
    number('Of fork: when it goes by itself (3600 when left out). Of advance: how far.', {
      minimum: 1,
      maximum: 604800,
    }),
  ),
  now: optional(text('Of freeze: the time, such as 2026-01-02T03:04:05Z.', { maxLength: 40 })),
});

const output = structure({
  world: optional(text('The world that was acted on or made.')),
  url: optional(text('The base URL of its clients.')),
  now: optional(text('Its time.')),
  answer: optional(anyObject('The answer of an action that has one.')),
  accounts: optional(
    list(
      structure({
        name: text('The name.'),
        roles: list(text('A role.'), 'Its roles.'),
        blocked: flag('Whether it is blocked.'),
      }),
      'The accounts that can send requests.',
    ),
  ),
  snapshots: optional(list(text('A name.'), 'The snapshots of the world.')),
  worlds: list(
    structure({
      name: text('The name.'),
      url: text('The base URL of its clients.'),
      records: whole('How many records it holds.'),
      yours: flag('Whether you have made it, and so may change it.'),
    }),
    'All worlds, with action list.',
  ),
});

type Given = NonNullable<typeof input.sample> & { readonly world?: string };
type Output = NonNullable<typeof output.sample>;

const listWorlds = async ({ world: name }: Given, call: Call): Promise<Output> => {
  const world = await call.world(name);
  const [all, accounts, snapshots] = await Promise.all([
    call.server.worlds(),
    accountsOf(call, world),
    world.snapshots.list(),
  ]);
  return {
    ...{ world: world.name, url: world.url },
    accounts: accounts.slice(0, 20).map(({ name: account, roles, blocked }) => ({ name: account, roles, blocked })),
    snapshots: snapshots.slice(0, 20).map((each) => each.name),
    worlds: all.map(({ name: each, url, records, created }) => ({
      ...{ name: each, url, records, yours: call.own.get(each) === created },
    })),
  };
};

const forkWorld = async ({ name, from, seconds = defaultSeconds }: Given, call: Call): Promise<Output> => {
  if (name !== undefined && !worldNamePattern.test(name)) {
    throw new ToolRefusal(
      `"${name}" is not a name of a world.`,
      'Use lower-case letters, digits and hyphens, or leave it out.',
    );
  }
  const world = await call.control(call.server).ask('forkWorld', { body: { name, from, ttl: seconds } });
  call.own.set(world.name, world.created);
  // A world that is gone may have had the name.
  forgetSessions(call, world.url);
  return { world: world.name, url: world.url, worlds: [] };
};

const dropWorld = async ({ world: name }: Given, call: Call): Promise<Output> => {
  const world = await call.changeableWorld(name);
  await call.control(call.server).ask('dropWorld', { path: { world_name: world.name } });
  call.own.delete(world.name);
  return summaryOf(world);
};

/** An action that sets the clock of a world. */
const clockAction = (summary: string, set: (given: Given, clock: WorldCommands['clock']) => Promise<ClockState>) => ({
  summary,
  run: async (given: Given, call: Call): Promise<Output> => {
    const world = await call.changeableWorld(given.world);
    const { now } = await set(given, world.clock);
    return { ...summaryOf(world), now };
  },
});

const summaryOf = ({ name, url }: WorldCommands): Output => ({ world: name, url, worlds: [] });

/** After these the records are others, so that sessions are gone. */
const replacing: readonly OperationId[] = ['resetWorld', 'loadSnapshot'];

export const worlds = defineControlTool({
  name: 'worlds',
  title: 'Worlds',
  description:
    'Worlds are isolated copies of the repository. Fork one before you change anything: you may change only worlds that you forked. Its URL is the base URL for your client. Worlds that you made end with this session.',
  hints: { readOnly: false, destructive: true },
  input,
  output,
  long: 'worlds',
  actions: {
    list: { summary: 'worlds and accounts.', run: listWorlds },
    fork: { summary: 'a new world of your own.', run: forkWorld },
    drop: { summary: 'the end of it.', run: dropWorld },
    freeze: clockAction('its clock stops, at "now" if given.', ({ now }, clock) => clock.set({ mode: 'frozen', now })),
    run: clockAction('its clock shows the real time.', (_given, clock) => clock.set({ mode: 'real' })),
    advance: clockAction('its clock moves on.', ({ seconds = 1 }, clock) => clock.advance(seconds)),
  },
  show: async (operation, answer, world, call) => {
    if (replacing.includes(operation)) forgetSessions(call, world.url);
    return { ...summaryOf(world), answer: answer as Readonly<Record<string, unknown>> | undefined }; // any object
  },
});
