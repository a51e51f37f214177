/** The repository as an application: what a host needs of it that has no files, as a page. */
import type { Application } from '../server/server-application.ts';
import { contentRules } from './content/content-rules.ts';
import { repositoryWorld } from '../repository/repository.ts';
import { entryPoints } from './control/entry-points.ts';
import { entityHandlers } from './control/entity-handlers.ts';
import { modelHandlers } from './control/model-handlers.ts';
import { repositoryHandlers } from './control/repository-handlers.ts';
import { addressed, followAddress, loadBundleSchemas } from '../repository/repository-engine.ts';
import { repositoryFaults } from './faults/repository-faults.ts';
import { worldsOfRepository } from './worlds/world-view.ts';

/** A host adds `load`, with how it makes the document of a site. */
export const repositoryApplication: Application = {
  hasRepository: true,
  ...worldsOfRepository,
  content: contentRules,
  ...{ addressed, followAddress },
  control: (host) => ({ ...entityHandlers, ...modelHandlers, ...repositoryHandlers(host) }),
  loads: [loadBundleSchemas],
  entryPoints: (world) => entryPoints(repositoryWorld(world)),
  faults: repositoryFaults,
};
