/** The repository as an application: what a server needs of it. */
import type { Application } from '../server/application.ts';
import { entityHandlers } from './control/entity-handlers.ts';
import { modelHandlers } from './control/model-handlers.ts';
import { repositoryHandlers } from './control/repository-handlers.ts';
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
  control: (host) => ({ ...entityHandlers, ...modelHandlers, ...repositoryHandlers(host) }),
  // Loaded late: most servers have another fixture.
  makeSample: async (...request) => (await import('./sample-content/make-sample.ts')).makeSample(...request),
  loads: [loadBundleSchemas],
  faults: [...serviceFaults, ...siteFaults],
};
