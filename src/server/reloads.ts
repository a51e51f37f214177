/** Reads the document, the overlays, the handlers and the site again: one attempt after another. */
import type { Reload, Reloads } from '../control/reload-handlers.ts';
import { ConfigurationError, type Flaw } from '../site/read-yaml.ts';

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

/** Of a site whose parts contradict each other only the sentence is known, which begins with the file. */
const flawOf = (error: unknown): Flaw => {
  if (error instanceof ConfigurationError && error.flaw !== undefined) return error.flaw;
  const text = error instanceof Error ? error.message : String(error);
  const [, file = '', line, message = text] = /^(\S+\.ya?ml)(?::(\d+))?: ([\s\S]*)$/.exec(text) ?? [];
  const rule = error instanceof ConfigurationError ? 'site' : 'unexpected';
  return { file, line: line === undefined ? undefined : Number(line), rule, message, remedy: '' };
};
