/** Which refusal wins when a request has several flaws: every pair of them, and each one with all that come later. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import {
  anonymous,
  basic,
  bearer,
  cookie,
  messageOf,
  visit,
  type Visitor,
  withoutToken,
} from '../../support/requests.ts';
import type { MethodConfiguration } from '../../support/site-resources.ts';
import type { Site } from '../../../src/repository/repository.ts';

const maxJsonBytes = 400;

/** A site whose PATCH of nodes takes these providers, and whose JSON bodies have at most 400 bytes. */
const patchableBy =
  (...providers: MethodConfiguration['providers']) =>
  (site: Site): Site => {
    const resource = site.resources.get('node');
    if (resource === undefined) throw new Error('the default site offers nodes');
    const methods = new Map(resource.methods).set('PATCH', { formats: ['json'], providers });
    return { ...site, maxJsonBytes, resources: new Map(site.resources).set('node', { ...resource, methods }) };
  };

let atoll: TestAtoll;
const visitors = new Map<string, Visitor>();
beforeAll(async () => {
  atoll = await createTestAtoll({ site: patchableBy('basic_auth', 'cookie') });
  for (const account of ['admin', 'plain']) {
    const session = await cookie(atoll, account);
    visitors.set(`${account} basic`, basic(account));
    visitors.set(`${account} token`, await bearer(atoll, account));
    visitors.set(`${account} session`, withoutToken(session));
    visitors.set(`${account} forged session`, { ...session, token: 'x'.repeat(43) });
  }
});

/** A PATCH of a node, as far as a flaw changes it. */
type Changes = {
  readonly method?: string;
  readonly path?: string;
  readonly contentType?: string;
  readonly query?: string;
  readonly account?: 'admin' | 'plain' | 'nobody';
  readonly by?: 'basic' | 'token' | 'session' | 'forged session';
  readonly body?: string;
};
type Flaw = readonly [name: string, status: number, message: RegExp, changes: Changes];

const type = [{ target_id: 'islandora_object' }];
const tooLong = JSON.stringify({ type, title: [{ value: 'x'.repeat(maxJsonBytes) }] });
const isMissing = 'X-CSRF-Token request header is missing';
const isInvalid = 'X-CSRF-Token request header is invalid';

/** In the order in which they win. */
const flaws: readonly Flaw[] = [
  ['no such path', 404, /^No route found for "(PATCH|POST) [^"]*"$/, { path: '/nodes/13' }],
  ['no such method', 405, /Method Not Allowed/, { method: 'POST' }],
  ['media type', 415, /matches "Content-Type: text\/xml/, { contentType: 'text/xml' }],
  ['format', 406, /jsonld/, { query: '?_format=jsonld' }],
  ['no such node', 404, /was not converted/, { path: '/node/999' }],
  ['no credentials', 401, /^No authentication/, { account: 'nobody' }],
  ['provider', 403, /^The used authentication method is not allowed on this route\.$/, { by: 'token' }],
  ['no CSRF token', 403, new RegExp(`^${isMissing}$`), { by: 'session' }],
  ['another CSRF token', 403, new RegExp(`^${isInvalid}$`), { by: 'forged session' }],
  ['no right', 403, /'edit any islandora_object content' permission is required/, { account: 'plain' }],
  ['size', 413, /larger than 400 bytes/, { body: tooLong }],
  ['syntax', 400, /^Syntax error$/, { body: '{"nid":[{"value":9}]' }],
  ['no body', 400, /^No entity content received\.$/, { body: '' }],
  ['shape', 422, /bundle|type/, { body: JSON.stringify({ nid: [{ value: 9 }], title: [] }) }],
  ['field', 403, /nid/, { body: JSON.stringify({ type, nid: [{ value: 9 }], title: [] }) }],
  [
    'validation',
    422,
    /^Unprocessable Entity: validation failed\.\ntitle/,
    { body: JSON.stringify({ type, title: [] }) },
  ],
];

const send = (changes: Changes) => {
  const { method = 'PATCH', path = '/node/13', contentType = 'application/json', query = '' } = changes;
  const { account = 'admin', by = 'basic', body = '{}' } = changes;
  const visitor = account === 'nobody' ? anonymous : (visitors.get(`${account} ${by}`) ?? anonymous);
  return visit(atoll, visitor, method, path + query)
    .set('Content-Type', contentType)
    .send(body);
};

describe('the order of refusals', () => {
  it.each(
    flaws.flatMap(([first, status, message, changes], index) =>
      flaws
        .slice(index)
        .map(([second, , , others]) => ({ first, second, status, message, both: { ...others, ...changes } })),
    ),
  )('$first before $second: $status', async ({ status, message, both }) => {
    const response = await send(both);
    expect([response.status, messageOf(response)]).toEqual([status, expect.stringMatching(message)]);
  });

  it.each(
    flaws.map(([name, status, message], index) => ({
      ...{ name, status, message },
      // The earlier flaw of two that change the same thing stays.
      all: Object.assign(
        {},
        ...flaws
          .slice(index)
          .reverse()
          .map(([, , , changes]) => changes),
      ) as Changes,
    })),
  )('$name before all that come later: $status', async ({ status, message, all }) => {
    const response = await send(all);
    expect([response.status, messageOf(response)]).toEqual([status, expect.stringMatching(message)]);
  });

  it('has 403 in the place of 401 where Basic is not accepted', async () => {
    const byToken = await createTestAtoll({ site: patchableBy('jwt_auth') });
    const response = await visit(byToken, anonymous, 'PATCH', '/node/13')
      .set('Content-Type', 'application/json')
      .send('{');
    expect([response.status, messageOf(response)]).toEqual([403, expect.stringMatching(/permission is required/)]);
  });

  it('lets a session with its CSRF token through to the check of the body', async () => {
    const response = await visit(atoll, await cookie(atoll, 'admin'), 'PATCH', '/node/13')
      .set('Content-Type', 'application/json')
      .send(tooLong);
    expect(response.status).toBe(413);
  });
});
