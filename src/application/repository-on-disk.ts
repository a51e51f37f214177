/** The repository as an application of a host that has files. */
import type { Application } from '../server/application.ts';
import { openEventTarget } from './events/event-target.ts';
import { createSiteRequests } from './events/site-requests.ts';
import { repositoryApplication } from './application.ts';

export const repositoryOnDisk: Application = {
  ...repositoryApplication,
  openOwnWork: async ({ events, reactionsDelay }) => createSiteRequests(reactionsDelay, await openEventTarget(events)),
  // Loaded late: most servers have another fixture.
  makeSample: async (...request) => (await import('./sample-content/make-sample.ts')).makeSample(...request),
};
