/** Defines the schemas that several files of a site share: names, ids, values. */
import * as v from 'valibot';
import { isRecord, type JsonObject } from '../../basics/json.ts';

export const machineName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_]*$/, 'must be a machine name: lower case letters, digits, _'),
);

/** A scheme as in the uri of a file, such as `gs-production://2024-05/a.png`. */
export const schemeName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_-]*$/, 'must be the name of a scheme: lower case letters, digits, _, -'),
);

export const uuid = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a lower case UUID'),
);

export const positive = v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(1, 'must be at least 1'));

/** A walk of its own: a site can have thousands of terms, and a union of schemas would take ten times as long. */
const isJson = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value);
  }
  return Object.values(value).every(isJson);
};

const isItem = (value: unknown): boolean => isRecord(value) && isJson(value);

/** The items of a field as a record keeps them: `[{ value: 3 }]`. */
export const fieldItems = v.custom<readonly JsonObject[]>(
  (value) => Array.isArray(value) && value.every(isItem),
  'must be a list of items, such as [{ value: 3 }]',
);

/** Any object of JSON. */
export const jsonObject = v.custom<JsonObject>(isItem, 'must be a map of values');
