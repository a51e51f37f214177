/** What the repository says of the records in its worlds, and of files that records are made from. */
import { repositorySite } from '../../repository/repository.ts';
import type { ContentRules } from '../../server/server-application.ts';
import { contentRules } from './content-rules.ts';
import { createFitJudge, unservedRecords } from './unfit-records.ts';

export const contentRulesOnDisk: ContentRules = {
  ...contentRules,
  // Loaded late: most servers have another fixture.
  expand: async (fixture, site) =>
    (await import('../short-fixture/expand-fixture.ts')).expandFixture(fixture, repositorySite(site)),
  unserved: (store, site) => unservedRecords(store, repositorySite(site)),
  createFitJudge,
};
