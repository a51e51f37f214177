/** `atoll clock get|set|advance`: reads and sets the time of a world of a running server. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { clockModes } from '../../worlds/world-clock.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { sendCommand, withServer, type Schemas, type ServerOptions } from './server-connection.ts';
import type { CommandContext } from '../command-context.ts';
import { numberParser, readSeconds } from '../option-parsers.ts';

type Clock = Schemas['Clock'];
type SetOptions = ServerOptions & { readonly mode?: Clock['mode']; readonly scale?: number };

export const addClock = (program: Command, context: CommandContext): void => {
  const clock = program.command('clock').description('The time by which a world dates records and ends tokens.');
  withServer(clock.command('get'))
    .description('Print the time and how it passes.')
    .action(async (server: ServerOptions) => context.print(line(await sendCommand<Clock>(server, 'GET', '/clock'))));
  withServer(clock.command('set'))
    .description('Set the time, or how it passes.')
    .argument('[time]', 'ISO 8601, such as 2026-01-02T03:04:05Z', readTime)
    .addOption(new Option('--mode <mode>', 'how it passes').choices(clockModes))
    .option('--scale <factor>', 'seconds of the world in one real second', readScale)
    .action(async (time: string | undefined, { mode, scale, ...server }: SetOptions) => {
      if ((time ?? mode ?? scale) === undefined) throw new ConfigurationError('Name a time, a --mode or a --scale.');
      // JSON omits what is undefined.
      context.print(line(await sendCommand<Clock>(server, 'PUT', '/clock', { now: time, mode, scale })));
    });
  withServer(clock.command('advance'))
    .description('Move the time on.')
    .argument('<seconds>', 'by so many seconds', readSeconds)
    .action(async (seconds: number, server: ServerOptions) =>
      context.print(line(await sendCommand<Clock>(server, 'POST', '/clock/advance', { seconds }))),
    );
};

const line = ({ now, mode, scale }: Clock): string => `${now}  ${mode}${scale === undefined ? '' : ` ×${scale}`}`;

const readScale = numberParser(
  (scale) => scale > 0 && scale < Infinity,
  'A scale is a number above 0, such as 60. For a clock that stands still, use --mode frozen.',
);

/** A time without a zone would be another one on each machine. */
const readTime = (text: string): string => {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError(`"${text}" is no time. Write it as 2026-01-02T03:04:05Z.`);
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) && text.includes(':')) return new Date(time).toISOString();
  const asUtc = new Date(/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : time);
  throw new InvalidArgumentError(
    `"${text}" names no time zone. Write ${asUtc.toISOString().replace('.000Z', 'Z')} for UTC, or end with one such as +02:00.`,
  );
};
