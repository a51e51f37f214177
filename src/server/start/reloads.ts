/** Runs reloads of the document, overlays, handlers and site one after another, and keeps the last result. */
import type { Reload, Reloads } from '../control/reload-handlers.ts';
import { ConfigurationError, type Flaw } from '../../basics/configuration-error.ts';
import { createSemaphore } from '../../basics/semaphore.ts';

type ReloadOptions = {
  /** Loads and serves the sources. Resolves with the warnings. Rejects and changes nothing when they cannot be served. */
  readonly load: () => Promise<readonly Flaw[]>;
  /** Real time. */
  readonly now: () => number;
  /** Called after every attempt except the start. */
  readonly report: (reload: Reload) => void;
};

/** `started` records the successful start and its warnings. */
export const createReloads = ({
  load,
  now,
  report,
}: ReloadOptions): Reloads & { started(warnings: readonly Flaw[]): void } => {
  const success = (warnings: readonly Flaw[], changed: readonly string[]): Reload => ({
    ...{ at: now(), isServed: true, changed, flaws: [], warnings },
  });
  let last = success([], []);
  const inTurn = createSemaphore(1);
  const attempt = async (changed: readonly string[]): Promise<Reload> => {
    try {
      last = success(await load(), changed);
    } catch (error) {
      last = { at: now(), isServed: false, changed, flaws: [flawOf(error)], warnings: [] };
    }
    report(last);
    return last;
  };
  return {
    started: (warnings) => {
      last = success(warnings, []);
    },
    last: () => last,
    now: (changed = []) => inTurn(() => attempt(changed)),
  };
};

/** An error about contradictory parts of a site has only a message, which begins with the file. */
const flawOf = (error: unknown): Flaw => {
  if (error instanceof ConfigurationError && error.flaw !== undefined) return error.flaw;
  const text = error instanceof Error ? error.message : String(error);
  const [, file = '', line, message = text] = /^(\S+\.ya?ml)(?::(\d+))?: ([\s\S]*)$/.exec(text) ?? [];
  const rule = error instanceof ConfigurationError ? 'site' : 'unexpected';
  return { file, line: line === undefined ? undefined : Number(line), rule, message, remedy: '' };
};
