/** `atoll clock get|set|advance`: reads and sets the time of a world of a running server. */
import { Option, type Command } from 'commander';
import { clockModes } from '../../worlds/world-clock.ts';
import { ConfigurationError } from '../../site/read-yaml.ts';
import { sendCommand, withServer, type Schemas, type ServerOptions } from './server-connection.ts';
import type { CommandContext } from '../command-context.ts';
import { readSeconds } from '../option-parsers.ts';

type Clock = Schemas['Clock'];
type SetOptions = ServerOptions & { readonly mode?: Clock['mode']; readonly scale?: number };

export const addClock = (program: Command, context: CommandContext): void => {
  const clock = program.command('clock').description('The time by which a world dates records and ends tokens.');
  withServer(clock.command('get'), context)
    .description('Print the time and how it passes.')
    .action(async (server: ServerOptions) => context.print(line(await sendCommand<Clock>(server, 'GET', '/clock'))));
  withServer(clock.command('set'), context)
    .description('Set the time, or how it passes.')
    .argument('[time]', 'ISO 8601, such as 2026-01-02T03:04:05Z')
    .addOption(new Option('--mode <mode>', 'how it passes').choices(clockModes))
    .option('--scale <factor>', 'seconds of the world in one real second', readSeconds)
    .action(async (time: string | undefined, { mode, scale, ...server }: SetOptions) => {
      const now = time === undefined ? undefined : readTime(time);
      if ((now ?? mode ?? scale) === undefined) throw new ConfigurationError('Name a time, a --mode or a --scale.');
      // JSON omits what is undefined.
      context.print(line(await sendCommand<Clock>(server, 'PUT', '/clock', { now, mode, scale })));
    });
  withServer(clock.command('advance'), context)
    .description('Move the time on.')
    .argument('<seconds>', 'by so many seconds', readSeconds)
    .action(async (seconds: number, server: ServerOptions) =>
      context.print(line(await sendCommand<Clock>(server, 'POST', '/clock/advance', { seconds }))),
    );
};

const line = ({ now, mode, scale }: Clock): string => `${now}  ${mode}${scale === undefined ? '' : ` ×${scale}`}`;

const readTime = (text: string): string => {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new ConfigurationError(`"${text}" is no time. Write it as 2026-01-02T03:04:05Z.`);
  return new Date(time).toISOString();
};
