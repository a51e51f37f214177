/** What the repository says of the records in its worlds. */
import { checkRecords } from '../../repository/repository-content.ts';
import { labelOf, recordModel, repositorySite } from '../../repository/repository.ts';
import { initialRecords } from '../../repository/repository-sites.ts';
import type { ContentRules } from '../../server/server-application.ts';
import { restoration } from './restoration.ts';

/** That of a host without files: there are no short fixtures, and no directory to judge. */
export const contentRules: ContentRules = {
  model: recordModel,
  initialRecords: (site) => initialRecords(repositorySite(site)),
  faultsOf: (records, site, options) => checkRecords(records, repositorySite(site), options).faults,
  labelOf,
  fieldLabelOf: ({ type, bundle }, field, site) =>
    repositorySite(site).model.bundle(type, bundle)?.fields.get(field)?.label,
  restoration,
};
