/** `atoll world fork|ls|drop`: creates, lists and drops worlds of a running server. */
import type { Command } from 'commander';
import { sendCommand, withServer, type Schemas, type ServerOptions } from './server-connection.ts';
import type { CommandContext } from '../command-context.ts';
import { worldNamePattern } from '../../worlds/world-address.ts';
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
  withServer(world.command('drop'))
    .description('Drop worlds.')
    .argument('<name...>', 'their names')
    .action(async (names: string[], server: ServerOptions) => {
      for (const name of names) await sendCommand(server, 'DELETE', `/worlds/${encodeURIComponent(name)}`);
    });
};

const readName = textParser(
  worldNamePattern,
  'The name of a world has 1 to 63 lower-case letters, digits and hyphens, with no hyphen at its ends, such as w7.',
);

const line = ({ name, url, expires }: Schemas['World']): string =>
  [name.padEnd(12), url, ...(expires === null ? [] : [`until ${expires}`])].join('  ');
