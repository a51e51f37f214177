/** The repository as an application: what a server needs of it. */
import type { Application } from '../server/application.ts';
import { addressed, followAddress } from './engine/follow-address.ts';
import { loadBundleSchemas, loadRepository } from './engine/load-repository.ts';
import { serviceFaults } from './faults/service-faults.ts';
import { siteFaults } from './faults/site-faults.ts';
import { worldsOfRepository } from './worlds/world-view.ts';

export const repositoryApplication: Application = {
  hasRepository: true,
  ...worldsOfRepository,
  load: loadRepository,
  ...{ addressed, followAddress },
  loads: [loadBundleSchemas],
  faults: [...serviceFaults, ...siteFaults],
};
