/** The repository as an application of a host that has files. */
import type { Application } from '../server/application.ts';
import { openSiteRequests } from './events/open-site-requests.ts';
import { repositoryApplication } from './application.ts';

export const repositoryOnDisk: Application = {
  ...repositoryApplication,
  openOwnWork: openSiteRequests,
  // Loaded late: most servers have another fixture.
  makeSample: async (...request) => (await import('./sample-content/make-sample.ts')).makeSample(...request),
};
