/** The repository as an application of a host that has files. */
import type { ApplicationOnDisk } from '../server/server-application.ts';
import { createBackend } from '../repository/repository-engine.ts';
import { contentRulesOnDisk } from './content/content-rules-on-disk.ts';
import { repositoryLoader } from './engine/load-repository.ts';
import { repositoryFixtures } from './sources/repository-fixtures.ts';
import { documentOfSite } from './sources/site-document.ts';
import { siteReader } from './sources/site-reader.ts';
import { openEventTarget } from './events/event-target.ts';
import { createSiteRequests } from './events/site-requests.ts';
import { repositoryApplication } from './repository-application.ts';

export const repositoryOnDisk: ApplicationOnDisk = {
  ...repositoryApplication,
  content: contentRulesOnDisk,
  load: repositoryLoader({ documentOfSite, createBackend }),
  siteReader,
  fixturesOf: repositoryFixtures,
  openOwnWork: async ({ events, reactionsDelay }) => createSiteRequests(reactionsDelay, await openEventTarget(events)),
  // Loaded late: most servers have another fixture.
  makeSample: async (...request) => (await import('./sample-content/make-sample.ts')).makeSample(...request),
};
