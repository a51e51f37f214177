/** The parts of the rim that the program has, each in one line. A part can be deleted together with its line. */
import type { Databases } from '../server/start/databases.ts';

/** Loaded late: most commands need none of them. */
type Rim = {
  readonly databases?: () => Promise<{ readonly databases: Databases }>;
};

export const rim: Rim = {
  databases: () => import('../team/team.ts'),
};
