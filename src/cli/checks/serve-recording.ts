/** `atoll serve --replay`: answers from a recording, with the few options that have a use then. */
import type { Command } from 'commander';
import { counted } from '../../basics/counted.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { CommandContext, ReplayOptions } from '../command-context.ts';
import { givenOption } from '../options/option-parsers.ts';
import { exitCodes, exitInOrder } from '../exit-codes.ts';

const usable: ReadonlySet<string> = new Set(['replay', 'host', 'port', 'baseUrl', 'allowedHosts', 'logLevel', 'json']);

/** How long open requests may take after the first signal. */
const drainMs = 5000;

/** Serves until a signal. Throws `ConfigurationError` for an option that has no use together with `--replay`. */
export const serveRecording = async (
  directory: string,
  { json, logLevel, host, port, baseUrl, allowedHosts }: ReplayOptions,
  command: Command,
  context: CommandContext,
): Promise<void> => {
  const useless = givenOption(command, (name) => !usable.has(name));
  if (useless !== undefined) {
    throw new ConfigurationError(
      `--replay answers from the recording alone, so ${useless} has no use. Leave out one of them.`,
    );
  }
  // Loaded late: a server of its own needs none of it.
  const { serveReplay } = await import('../../checks/checks-recording.ts');
  const started = await serveReplay(directory, {
    ...{ host, port: port === false ? undefined : port, baseUrl, allowedHosts },
    onAnswer: ({ method, path, status, file }) => {
      const line = `${method} ${path.slice(0, 300)} ${status} ${file ?? 'not recorded'}`;
      if (shows(logLevel, file === undefined ? 'warn' : 'debug')) context.warn(line);
    },
  });
  exitInOrder(context, {
    end: async () => {
      await started.stop(drainMs);
      return exitCodes.ok;
    },
    codeNow: () => exitCodes.ok,
  });
  const { url, recording } = started;
  const exchanges = counted(recording.exchanges.length, 'exchange');
  const rows = [
    `Replay of ${recording.target}`,
    `    ${exchanges}, begun ${recording.begun}`,
    'Atoll',
    `    ${url}`,
    'Ready',
  ];
  context.print(json === true ? JSON.stringify({ ready: true, url, data: null, replay: directory }) : rows.join('\n'));
};

/** What was not recorded is a warning, each other answer is a line for `debug`. */
const shows = (logLevel: string, level: 'debug' | 'warn'): boolean => {
  const levels = ['debug', 'info', 'warn', 'error', 'silent'];
  return levels.indexOf(logLevel) <= levels.indexOf(level);
};
