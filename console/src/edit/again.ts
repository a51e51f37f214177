/** Makes a deleted record again. */
import { changedFields } from './body.ts';
import { draftOfNew, draftOfRecord, type Draft } from './draft.ts';
import { fieldsOfForm, type JsonObject, type ModelBundle } from './model.ts';
import { createRequest } from './request.ts';
import type { PlainAsk } from '../api/exchange.ts';

/** The fields of the real forms. The others, such as times and revisions, are those of the old record. */
export const draftAgain = (bundle: ModelBundle, record: JsonObject): Draft => {
  const fields = fieldsOfForm(bundle, true);
  const shown = fields.filter(({ inForm, configured, name }) => inForm && (configured || name === bundle.labelField));
  return { ...draftOfNew(fields), ...draftOfRecord(shown, record) };
};

/** Undefined where the site lets no client create such records. */
export const requestAgain = (bundle: ModelBundle, record: JsonObject): PlainAsk | undefined => {
  const fields = fieldsOfForm(bundle, true);
  return createRequest(bundle, changedFields(fields, draftOfNew(fields), draftAgain(bundle, record)));
};
