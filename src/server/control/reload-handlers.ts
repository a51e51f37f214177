/** Reloads the document, overlays, handlers and site. `server/start/reloads.ts` does the work. */
import type { Flaw } from '../../basics/configuration-error.ts';
import { jsonReply } from '../../openapi/openapi-host.ts';
import type { ControlHandlers } from './control-handlers.ts';
import type { components } from '../../client/generated/control.ts';

type Schemas = components['schemas'];

/** The result of an attempt to reload. `at` is in milliseconds since 1970. */
export type Reload = {
  readonly at: number;
  /** False when the server continues with the last valid sources. `flaws` says why. */
  readonly isServed: boolean;
  /** The files whose change caused the attempt. Empty for a command and for the start. */
  readonly changed: readonly string[];
  readonly flaws: readonly Flaw[];
  readonly warnings: readonly Flaw[];
};

export type Reloads = {
  /** The result of the last attempt. The start is the first one. */
  last(): Reload;
  /** Reloads after any attempt in progress. Never rejects. */
  now(changed?: readonly string[]): Promise<Reload>;
};

export const reloadHandlers = (reloads: Reloads): Pick<ControlHandlers, 'getReload' | 'reload'> => ({
  getReload: async () => async () => jsonReply(reloadBody(reloads.last())),
  reload: async () => async () => jsonReply(reloadBody(await reloads.now())),
});

const reloadBody = ({ at, isServed, changed, flaws, warnings }: Reload): Schemas['Reload'] => ({
  at: new Date(at).toISOString(),
  served: isServed,
  changed: [...changed],
  flaws: flaws.map(flawBody),
  warnings: warnings.map(flawBody),
});

const flawBody = ({ line, ...flaw }: Flaw): Schemas['Flaw'] => ({ ...flaw, line: line ?? null });
