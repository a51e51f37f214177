/** Reads the settings of a worker from the address of its script. Pages do without it, and without the table of options. */
import { rowsOn } from '../../basics/options/option-rows.ts';
import { startOptions } from '../../server/server.ts';
import type { ServedOptions, WorkerSettings } from './settings.ts';

/** The settings in the address of the script. A script without settings serves `/repo` at the origin. */
export const settingsOf = (address: string): WorkerSettings => {
  const { searchParams: query } = new URL(address);
  const text = (name: string): string | undefined => query.get(name) ?? undefined;
  const served = rowsOn(startOptions, 'createAtoll')
    .filter(([name]) => name !== 'baseUrl' && query.has(name))
    .map(([name, { kind }]) => [name, kind.parse(query.get(name) ?? '')]);
  return {
    ...(Object.fromEntries(served) as ServedOptions), // `scriptWith` wrote them, and `createAtoll` checks them
    prefix: text('prefix') ?? '/repo',
    except: query.getAll('except'),
    console: text('console'),
  };
};
