/** The repository and the parts of the rim that the program has, each in one line. A part can be deleted together with its line and its room here. */
import type { Rim } from './command-context.ts';

export const rim: Rim = {
  repository: () => import('./repository/part.ts'),
  databases: () => import('../team/team.ts'),
  sites: () => import('./sites/part.ts'),
  checks: () => import('./checks/part.ts'),
  browser: () => import('./browser/part.ts'),
  mcp: () => import('./mcp/part.ts'),
};
