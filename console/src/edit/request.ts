/** Makes the requests that create and change a record. */
import type { PlainAsk } from '../api/exchange.ts';
import { withBundle, type Body } from './body.ts';
import type { ModelBundle } from './model.ts';

const withJson = (method: string, path: string, bundle: ModelBundle, body: Body): PlainAsk => ({
  ...{ method, path, headers: { 'Content-Type': 'application/json' } },
  body: JSON.stringify(withBundle(bundle, body), undefined, 2),
});

/** Undefined where the site lets no client create such records. */
export const createRequest = (bundle: ModelBundle, body: Body): PlainAsk | undefined =>
  bundle.createPath === undefined ? undefined : withJson('POST', bundle.createPath, bundle, body);

/** `path` is that of the record as JSON, with its query. */
export const changeRequest = (path: string, bundle: ModelBundle, body: Body): PlainAsk =>
  withJson('PATCH', path, bundle, body);
