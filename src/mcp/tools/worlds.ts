/** `worlds`: makes and drops worlds, puts them back, keeps their states, and sets their clocks. */
import type { ClockState, WorldCommands } from '../../exchange/worlds/controlled-world.ts';
import { accountsOf, forgetSessions } from '../session/accounts.ts';
import type { Call } from '../session/session.ts';
import { choice, flag, list, number, optional, structure, text, whole } from '../shape.ts';
import { defineTool } from '../tool.ts';
import { ToolRefusal } from '../tool-refusal.ts';
import { worldName } from '../sandbox/sandbox-request.ts';
import { worldNamePattern } from '../../core/model/world-name.ts';

/** After so many seconds a world goes by itself, when the agent says nothing else. */
const defaultSeconds = 3600;

const input = structure({
  action: choice(
    ['list', 'fork', 'reset', 'drop', 'snapshot', 'restore', 'freeze', 'run', 'advance'],
    'list: worlds and accounts. fork: a new world of your own. reset: back to what it was made from. drop: the end of it. snapshot and restore: keep a state by name, and go back to it. freeze, run, advance: its clock.',
  ),
  world: optional(worldName),
  name: optional(
    text('Of fork: the name of the new world. Of snapshot and restore: that of the snapshot.', { maxLength: 63 }),
  ),
  from: optional(
    text('Of fork: a world, a snapshot or a fixture; the fixture of the server when left out.', { maxLength: 100 }),
  ),
  seconds: optional(
    number('Of fork: when it goes by itself (3600 when left out). Of advance: how far.', {
      minimum: 1,
      maximum: 604800,
    }),
  ),
  now: optional(text('Of freeze: the instant, such as 2026-01-02T03:04:05Z.', { maxLength: 40 })),
});

const output = structure({
  world: optional(text('The world that was acted on or made.')),
  url: optional(text('The base URL of its clients.')),
  now: optional(text('Its time.')),
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

type Given = NonNullable<typeof input.sample>;
type Output = NonNullable<typeof output.sample>;

export const worlds = defineTool({
  name: 'worlds',
  title: 'Worlds',
  description:
    'Worlds are isolated copies of the repository. Fork one before you change anything: you may change only worlds that you forked. Its URL is the base URL for your client. Worlds that you made end with this session.',
  hints: { readOnly: false, destructive: true },
  input,
  output,
  long: 'worlds',
  run: async (given, call) =>
    given.action === 'list'
      ? listed(given, call)
      : given.action === 'fork'
        ? forked(given, call)
        : changed(given, call),
});

const listed = async ({ world: name }: Given, call: Call): Promise<Output> => {
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

const forked = async ({ name, from, seconds = defaultSeconds }: Given, call: Call): Promise<Output> => {
  if (name !== undefined && !worldNamePattern.test(name)) {
    throw new ToolRefusal(
      `"${name}" is not a name of a world.`,
      'Use lower-case letters, digits and hyphens, or leave it out.',
    );
  }
  const made = await call.control(call.server).ask('forkWorld', { body: { name, from, ttl: seconds } });
  call.own.set(made.name, made.created);
  // A world that is gone may have had the name.
  forgetSessions(call, made.url);
  return { world: made.name, url: made.url, worlds: [] };
};

/** Everything that changes a world which exists. */
const changed = async (given: Given, call: Call): Promise<Output> => {
  const world = await call.changeableWorld(given.world);
  const clock = await acted(given, world, call);
  return { world: world.name, url: world.url, now: clock?.now, worlds: [] };
};

const acted = async (given: Given, world: WorldCommands, call: Call): Promise<ClockState | undefined> => {
  const { action, now, seconds } = given;
  switch (action) {
    case 'reset':
      forgetSessions(call, world.url);
      await world.reset();
      return undefined;
    case 'drop':
      await call.control(call.server).ask('dropWorld', { path: { world_name: world.name } });
      call.own.delete(world.name);
      return undefined;
    case 'snapshot':
      await world.snapshots.save(snapshotName(given));
      return undefined;
    case 'restore':
      forgetSessions(call, world.url);
      await world.snapshots.load(snapshotName(given));
      return undefined;
    case 'freeze':
      return world.clock.set({ mode: 'frozen', now });
    case 'run':
      return world.clock.set({ mode: 'real' });
    case 'advance':
      return world.clock.advance(seconds ?? 1);
    default:
      return undefined;
  }
};

const snapshotName = ({ name }: Given): string => {
  if (name !== undefined && worldNamePattern.test(name)) return name;
  throw new ToolRefusal('A snapshot needs a name.', 'Add "name": lower-case letters, digits and hyphens.');
};
