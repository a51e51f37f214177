/** Reading the sources anew by way of the control interface. What they are is not known here. */
import type { Flaw } from '../site/read-yaml.ts';
import type { ControlHandlers } from './control-handlers.ts';
import type { components } from './generated.ts';
import type { Reload, Reloads } from './reloads.ts';

type Schemas = components['schemas'];

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
