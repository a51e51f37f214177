/** `atoll world fork|ls|drop`: the worlds of a running server. */
import { InvalidArgumentError, type Command } from 'commander';
import type { components } from '../../generated/control.ts';
import { askControl, withServer, type ServerOptions } from './ask-control.ts';
import type { CommandContext } from '../serve.ts';

type Schemas = components['schemas'];
type ForkOptions = ServerOptions & { readonly from?: string; readonly ttl?: number; readonly json?: boolean };

/** Adds the commands to the program. */
export const addWorld = (program: Command, context: CommandContext): void => {
  const world = program.command('world').description('Copies of a repository, for tests beside each other.');
  withServer(world.command('fork'), context)
    .description('Make a world and print its base URL.')
    .argument('[name]', 'its name (default: w1, w2, …)')
    .option('--from <name>', 'a world, a snapshot or a fixture (default: the fixture of the server)')
    .option('--ttl <seconds>', 'drop it by itself after so long', readSeconds)
    .option('--json', 'print name, url and expiry as JSON')
    .action(async (name: string | undefined, { from, ttl, json, ...server }: ForkOptions) => {
      const wanted = { ...optional('name', name), ...optional('from', from), ...optional('ttl', ttl) };
      const made = await askControl<Schemas['World']>(server, 'POST', '/worlds', wanted);
      context.print(json === true ? JSON.stringify(made) : made.url);
    });
  withServer(world.command('ls'), context)
    .description('List the worlds.')
    .option('--json', 'print JSON lines')
    .action(async ({ json, ...server }: ForkOptions) => {
      const { worlds } = await askControl<Schemas['WorldList']>(server, 'GET', '/worlds');
      for (const each of worlds) context.print(json === true ? JSON.stringify(each) : line(each));
    });
  withServer(world.command('drop'), context)
    .description('Drop worlds.')
    .argument('<name...>', 'their names')
    .action(async (names: string[], server: ServerOptions) => {
      for (const name of names) await askControl(server, 'DELETE', `/worlds/${encodeURIComponent(name)}`);
    });
};

const line = ({ name, url, expires }: Schemas['World']): string =>
  [name.padEnd(12), url, ...(expires === null ? [] : [`until ${expires}`])].join('  ');

const optional = <Name extends string, T>(name: Name, value: T | undefined): { readonly [N in Name]?: T } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [N in Name]: T }); // one member, of this name

/** More than nothing; shared with `clock`. */
export const readSeconds = (text: string): number => {
  const seconds = Number(text);
  if (text.trim() !== '' && Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError('Seconds are a number above 0.');
};
