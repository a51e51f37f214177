/** What the repository says of the records in its worlds. */
import { checkRecords } from '../../repository/content/check-records.ts';
import { labelOf } from '../../repository/model/entity.ts';
import { recordModel } from '../../repository/model/record-model.ts';
import { repositorySite } from '../../repository/site/site.ts';
import { initialRecords } from '../../repository/site-files/initial-records.ts';
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
