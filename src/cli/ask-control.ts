/** Commands to the control interface of a running server, and the options that name it. */
import type { Command } from 'commander';
import { ConfigurationError } from '../site/read-yaml.ts';
import { reach } from './ask-server.ts';
import type { Surroundings } from './serve.ts';

/** Which server, and which of its worlds. */
export type ServerOptions = { readonly url: string; readonly controlToken?: string };

/** Adds `--url` and `--control-token`. */
export const withServer = (command: Command, { environment }: Surroundings): Command =>
  command
    .option('--url <url>', 'the server, or a world of it: http://localhost:8000/~w7', 'http://localhost:8000')
    .option(
      '--control-token <token>',
      'the token of its control interface (or set ATOLL_CONTROL_TOKEN)',
      environment['ATOLL_CONTROL_TOKEN'],
    );

/**
 * Sends a command; `path` begins below `/_atoll`. The result is the parsed answer, undefined where there is none. Throws
 * `ConfigurationError` with the server's own words, or when nobody answers.
 */
export const askControl = async <Answer = undefined>(
  { url, controlToken }: ServerOptions,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> => {
  const address = `${url.replace(/\/$/, '')}/_atoll${path}`;
  const response = await reach(address, {
    method,
    headers: {
      ...(controlToken === undefined ? {} : { 'Atoll-Control': controlToken }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as Answer; // what `src/control/openapi.yaml` says
  throw new ConfigurationError(messageOf(text) ?? `${method} ${address} answered ${response.status}.`);
};

const messageOf = (text: string): string | undefined => {
  try {
    return (JSON.parse(text) as { readonly message?: string } | null)?.message; // every refusal of the server has this form
  } catch {
    return undefined;
  }
};
