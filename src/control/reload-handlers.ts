/** Reading the sources anew by way of the control interface. What they are is not known here. */
import type { Flaw } from '../site/read-yaml.ts';
import type { ControlHandlers } from './control-handlers.ts';
import type { components } from '../generated/control.ts';

type Schemas = components['schemas'];

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

/** What came of the last attempt, and another attempt. */
export const reloadHandlers = (reloads: Reloads): Pick<ControlHandlers, 'getReload' | 'reload'> => ({
  getReload: async () => async () => ({ status: 200, mediaType: 'application/json', body: shown(reloads.last()) }),
  reload: async () => async () => ({ status: 200, mediaType: 'application/json', body: shown(await reloads.now()) }),
});

const shown = ({ at, isServed, changed, flaws, warnings }: Reload): Schemas['Reload'] => ({
  at: new Date(at).toISOString(),
  served: isServed,
  changed: [...changed],
  flaws: flaws.map(shownFlaw),
  warnings: warnings.map(shownFlaw),
});

const shownFlaw = ({ line, ...flaw }: Flaw): Schemas['Flaw'] => ({ ...flaw, line: line ?? null });
