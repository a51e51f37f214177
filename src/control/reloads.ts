/** Reading the document, what is proposed beside it and the site anew: one attempt after another, and what came of the last. */
import { ConfigurationError, type Flaw } from '../site/read-yaml.ts';

/** What came of reading everything. `at` in milliseconds since 1970. */
export type Reload = {
  readonly at: number;
  /** False: the last good ones are served, and `flaws` says why. */
  readonly isServed: boolean;
  /** The files whose change was the reason; empty when it was asked for, or at the start. */
  readonly changed: readonly string[];
  readonly flaws: readonly Flaw[];
  readonly warnings: readonly Flaw[];
};

export type Reloads = {
  /** What came of the last attempt; the start is the first. */
  last(): Reload;
  /** Reads everything anew, when an attempt that is under way has ended. Never rejects. */
  now(changed?: readonly string[]): Promise<Reload>;
};

export type ReloadOptions = {
  /** Reads and serves. Resolves with what is allowed but seldom meant; rejects, changing nothing, when it cannot be served. */
  readonly load: () => Promise<readonly Flaw[]>;
  /** Real time. */
  readonly now: () => number;
  /** Told of every attempt but the start. */
  readonly tell: (reload: Reload) => void;
};

/** `warnings` are those of the start, which has gone well. */
export const createReloads = ({
  load,
  now,
  tell,
}: ReloadOptions): Reloads & { started(warnings: readonly Flaw[]): void } => {
  const success = (warnings: readonly Flaw[], changed: readonly string[]): Reload => ({
    ...{ at: now(), isServed: true, changed, flaws: [], warnings },
  });
  let last = success([], []);
  let turn: Promise<unknown> = Promise.resolve();
  const attempt = async (changed: readonly string[]): Promise<Reload> => {
    try {
      last = success(await load(), changed);
    } catch (error) {
      last = { at: now(), isServed: false, changed, flaws: [flawOf(error)], warnings: [] };
    }
    tell(last);
    return last;
  };
  return {
    started: (warnings) => {
      last = success(warnings, []);
    },
    last: () => last,
    now: (changed = []) => {
      const result = turn.then(() => attempt(changed));
      turn = result;
      return result;
    },
  };
};

/** Reads nothing anew: for a server whose sources were given to it ready made. */
export const nothingToReload = (): Reloads =>
  createReloads({ load: async () => [], now: () => 0, tell: () => undefined });

/** Of a site whose parts contradict each other only the sentence is known, which begins with the file. */
const flawOf = (error: unknown): Flaw => {
  if (error instanceof ConfigurationError && error.flaw !== undefined) return error.flaw;
  const text = error instanceof Error ? error.message : String(error);
  const [, file = '', line, message = text] = /^(\S+\.ya?ml)(?::(\d+))?: ([\s\S]*)$/.exec(text) ?? [];
  const rule = error instanceof ConfigurationError ? 'site' : 'unexpected';
  return { file, line: line === undefined ? undefined : Number(line), rule, message, remedy: '' };
};

/** `file:line: message remedy (rule)` */
export const flawText = ({ file, line, message, remedy, rule }: Flaw): string =>
  `${line === undefined ? file : `${file}:${line}`}: ${message} ${remedy} (${rule})`.replaceAll(/ {2,}/g, ' ');
