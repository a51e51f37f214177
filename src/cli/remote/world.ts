/** `atoll world fork|ls|drop`: creates, lists and drops worlds of a running server. */
import type { Command } from 'commander';
import { sendCommand, withServer, type Schemas, type ServerOptions } from './server-connection.ts';
import type { CommandContext } from '../command-context.ts';
import { worldNamePattern } from '../../model/world-name.ts';
import { cachesOption, readSeconds, textParser } from '../option-parsers.ts';

type ForkOptions = ServerOptions & Omit<Schemas['WorldFork'], 'name'> & { readonly json?: boolean };

export const addWorld = (program: Command, context: CommandContext): void => {
  const world = program.command('world').description('Copies of a repository, for tests beside each other.');
  withServer(world.command('fork'))
    .description('Make a world and print its base URL.')
    .argument('[name]', 'its name (default: w1, w2, …)', readName)
    .option('--from <name>', 'a world, a snapshot or a fixture (default: the fixture of the server)')
    .option('--ttl <seconds>', 'drop it by itself after so long', readSeconds)
    .addOption(cachesOption())
    .option('--json', 'print name, url and expiry as JSON')
    .action(async (name: string | undefined, { from, ttl, caches, json, ...server }: ForkOptions) => {
      // JSON omits what is undefined.
      const created = await sendCommand<Schemas['World']>(server, 'POST', '/worlds', { name, from, ttl, caches });
      context.print(json === true ? JSON.stringify(created) : created.url);
    });
  withServer(world.command('ls'))
    .description('List the worlds.')
    .option('--json', 'print JSON lines')
    .action(async ({ json, ...server }: ForkOptions) => {
      const { worlds } = await sendCommand<Schemas['WorldList']>(server, 'GET', '/worlds');
      for (const each of worlds) context.print(json === true ? JSON.stringify(each) : line(each));
    });
  withServer(world.command('diff'))
    .description('List what differs between a world and what it was made from.')
    .option('--from <name>', 'compare with this world, snapshot or fixture instead')
    .option('--json', 'print JSON lines')
    .action(async ({ from, json, ...server }: ForkOptions) => {
      for await (const entry of allDifferences(server, from)) {
        context.print(json === true ? JSON.stringify(entry) : differenceLine(entry));
      }
    });
  withServer(world.command('drop'))
    .description('Drop worlds.')
    .argument('<name...>', 'their names')
    .action(async (names: string[], server: ServerOptions) => {
      for (const name of names) await sendCommand(server, 'DELETE', `/worlds/${encodeURIComponent(name)}`);
    });
};

/** Every entry, page by page. */
async function* allDifferences(server: ServerOptions, from: string | undefined): AsyncGenerator<Schemas['Difference']> {
  let cursor: string | undefined;
  do {
    const query = Object.entries({ from, cursor }).filter((each): each is [string, string] => each[1] !== undefined);
    const path = `/differences?${new URLSearchParams(query).toString()}`;
    const page = await sendCommand<Schemas['Differences']>(server, 'GET', path);
    yield* page.entries;
    cursor = page.next;
  } while (cursor !== undefined);
}

const differenceLine = ({ type, id, title, change, fields = [] }: Schemas['Difference']): string =>
  [change.padEnd(7), `${type} ${id}`.padEnd(18), title, ...(fields.length === 0 ? [] : [namesOf(fields)])].join('  ');

const namesOf = (fields: readonly Schemas['FieldDifference'][]): string =>
  `(${fields.map(({ name }) => name).join(', ')})`;

const readName = textParser(
  worldNamePattern,
  'The name of a world has 1 to 63 lower-case letters, digits and hyphens, with no hyphen at its ends, such as w7.',
);

const line = ({ name, url, expires }: Schemas['World']): string =>
  [name.padEnd(12), url, ...(expires === null ? [] : [`until ${expires}`])].join('  ');
