/**
 * Errors that a handler of the user throws after its answer: in a timer, an event, a promise that nobody awaits. `atoll serve`
 * logs them and goes on. An error of Atoll's own code still ends the process.
 */
import { realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CommandContext } from './command-context.ts';
import { exitCodeOf } from './exit-codes.ts';

type StrayErrorLog = {
  /** A line about a handler. */
  readonly error: (line: string) => void;
  /** An error of Atoll's own. The process ends after it. */
  readonly fatal: (error: unknown) => void;
};

/** Logs the errors that come from handlers in `folder`. Without a folder Node's own rule stays: the process ends. */
export const surviveHandlers = (folder: string | undefined, context: CommandContext, log: StrayErrorLog): void => {
  if (folder === undefined) return;
  const ofHandlers = spellingsOf(folder);
  const ofAtoll = spellingsOf(dirname(context.prepared));
  context.onStrayError((error) => {
    const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
    const frames = lines.filter((line) => /^\s*at /.test(line));
    const place = frames.find((line) => ofHandlers.some((spelling) => line.includes(spelling)));
    // Errors of Node itself, such as those of a stream, have no frame of the handler that began it.
    if (place === undefined && frames.some((line) => ofAtoll.some((spelling) => line.includes(spelling)))) {
      log.fatal(error);
      context.exit(exitCodeOf(error));
      return;
    }
    log.error(`a handler in ${folder} failed after its answer: ${oneLine(error)}${placeOf(place)}`);
  });
};

/** A folder as stacks spell it: the path and the URL, with and without symbolic links. */
const spellingsOf = (folder: string): readonly string[] => {
  const absolute = resolve(folder);
  let real = absolute;
  try {
    real = realpathSync(absolute);
  } catch {
    // A folder that is gone has its first name only.
  }
  return [absolute, real].flatMap((path) => [`${path}${sep}`, `${pathToFileURL(path).href}/`]);
};

const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 500);

/** ` (file:line)` from a line of a stack. */
const placeOf = (line: string | undefined): string => {
  const [, file, number] = /([^/\\]+?)(?:\?[^:\s]*)?:(\d+):\d+\)?$/.exec(line ?? '') ?? [];
  return file === undefined ? '' : ` (${file}:${number ?? ''})`;
};
