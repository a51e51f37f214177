/** The commands for the state of a running server: `atoll world`, `reset`, `snapshot` and `clock`. */
import { InvalidArgumentError, Option } from 'commander';
import type { ControlSchemas as Schemas } from '../../client/control/control-types.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { worldNamePattern } from '../../core/model/world-name.ts';
import { clockModes } from '../../server/worlds/world-clock.ts';
import { addOptions } from '../start-options.ts';
import { numberParser, readSeconds, textParser } from '../option-parsers.ts';
import { group, row } from './remote-command.ts';
import { refuseOnDisk } from './server-connection.ts';

const worldName = textParser(
  worldNamePattern,
  'The name of a world has 1 to 63 lower-case letters, digits and hyphens, with no hyphen at its ends, such as w7.',
);

/** A record of a collection is named by its id there. */
const changed = ({ type, id, bundle, title, change, fields = [] }: Schemas['Difference']): string =>
  [
    change.padEnd(7),
    ...(type === 'collection_record' ? [bundle.padEnd(18), title] : [`${type} ${id}`.padEnd(18), title]),
    ...(fields.length === 0 ? [] : [`(${fields.map(({ name }) => name).join(', ')})`]),
  ].join('  ');

export const addWorld = group('world', 'Copies of a repository, for tests that run side by side.', [
  row('fork', 'Make a world and print its base URL.', 'forkWorld', {
    usage: (command) =>
      addOptions(command, ['caches'])
        .argument('[name]', 'its name; leave it out for w1, w2, …', worldName)
        .option('--from <name>', 'a world, a snapshot or a fixture (default: the fixture of the server)')
        .option('--ttl <seconds>', 'it expires after so many seconds', readSeconds),
    input: ({ from, ttl, caches }: Schemas['WorldFork'], name?: string) => ({ body: { name, from, ttl, caches } }),
    line: ({ url }) => url,
    json: 'print name, url and expiry as JSON',
  }),
  row('ls', 'List the worlds.', 'listWorlds', {
    items: ({ worlds }) => worlds,
    line: ({ name, url, expires }) =>
      [name.padEnd(12), url, ...(expires === null ? [] : [`until ${expires}`])].join('  '),
    json: 'print JSON lines',
  }),
  row('diff', 'List what differs between a world and what it was made from.', 'listDifferences', {
    usage: (command) => command.option('--from <name>', 'compare with this world, snapshot or fixture instead'),
    input: ({ from }: { readonly from?: string }) => ({ query: { from } }),
    next: ({ next }, { query }) => (next === undefined ? undefined : { query: { ...query, cursor: next } }),
    items: ({ entries }) => entries,
    line: changed,
    json: 'print JSON lines',
  }),
  row('drop', 'Drop worlds.', 'dropWorld', {
    usage: (command) => command.argument('<name...>', 'their names'),
    input: (_options: object, names: readonly string[]) => names.map((name) => ({ path: { world_name: name } })),
  }),
]);

export const addReset = row('reset', 'Put a world back to what it was made from, or to a snapshot.', 'resetWorld', {
  usage: (command) =>
    command
      .option('--to <snapshot>', 'a snapshot of the world, or of the main world')
      .option('--yes', 'also where the repository is on disk, whose content is then lost'),
  input: ({ to }: { readonly to?: string; readonly yes?: boolean }) => ({ body: { to } }),
  before: async ({ yes, ...server }) => (yes === true ? undefined : refuseOnDisk(server)),
});

const snapshotName = textParser(
  /^[A-Za-z0-9][\w.-]{0,99}$/,
  'The name of a snapshot has 1 to 100 letters, digits, dots, hyphens and underscores, and begins with a letter or digit.',
);

const withSnapshot = (
  name: string,
  description: string,
  operation: 'saveSnapshot' | 'loadSnapshot' | 'deleteSnapshot',
) =>
  row(name, description, operation, {
    usage: (command) => command.argument('<name>', 'the name of the snapshot', snapshotName),
    input: (_options: object, snapshot: string) => ({ path: { snapshot_name: snapshot } }),
  });

export const addSnapshot = group('snapshot', 'States of a world, kept by the server while it runs.', [
  withSnapshot('save', 'Keep the state of the world under a name.', 'saveSnapshot'),
  withSnapshot('load', 'Put the world into a state that was kept.', 'loadSnapshot'),
  withSnapshot('rm', 'Delete a snapshot.', 'deleteSnapshot'),
  row('ls', 'List the snapshots.', 'listSnapshots', {
    items: ({ snapshots }) => snapshots,
    line: ({ name, saved }) => `${saved}  ${name}`,
  }),
]);

const scaleOf = numberParser(
  (scale) => scale > 0 && scale < Infinity,
  'A scale is a number above 0, such as 60. For a clock that does not move, use --mode frozen.',
);

/** A time without a zone would be another one on each machine. */
const timeOf = (text: string): string => {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError(`"${text}" is not a time. Write it as 2026-01-02T03:04:05Z.`);
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) && text.includes(':')) return new Date(time).toISOString();
  const asUtc = new Date(/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : time);
  throw new InvalidArgumentError(
    `"${text}" names no time zone. Write ${asUtc.toISOString().replace('.000Z', 'Z')} for UTC, or end with one such as +02:00.`,
  );
};

const clockLine = ({ now, mode, scale }: Schemas['Clock']): string =>
  `${now}  ${mode}${scale === undefined ? '' : ` ×${scale}`}`;

export const addClock = group('clock', 'The time by which a world dates records and ends tokens.', [
  row('get', 'Print the time and how it passes.', 'getClock', {
    line: clockLine,
  }),
  row('set', 'Set the time, or how it passes.', 'setClock', {
    usage: (command) =>
      command
        .argument('[time]', 'ISO 8601, such as 2026-01-02T03:04:05Z', timeOf)
        .addOption(new Option('--mode <mode>', 'how it passes').choices(clockModes))
        .option('--scale <factor>', 'seconds of the world in one real second', scaleOf),
    input: ({ mode, scale }: Schemas['ClockSetting'], now?: string) => {
      if ((now ?? mode ?? scale) === undefined) throw new ConfigurationError('Name a time, a --mode or a --scale.');
      return { body: { now, mode, scale } };
    },
    line: clockLine,
  }),
  row('advance', 'Move the time on.', 'advanceClock', {
    usage: (command) => command.argument('<seconds>', 'the number of seconds', readSeconds),
    input: (_options: object, seconds: number) => ({ body: { seconds } }),
    line: clockLine,
  }),
]);
