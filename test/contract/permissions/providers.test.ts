/** Which authentication providers each resource and method accepts. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  providerNames,
  type ProviderName,
  resourceNames,
  type HttpMethod,
  type Site,
} from '../../../src/repository/repository.ts';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { basic, bearer, cookie, seen, visit, type Visitor } from '../../support/requests.ts';
import type { Resource } from '../../support/site-resources.ts';
import { sendings } from './access-setting.ts';

const notAllowed = 'The used authentication method is not allowed on this route.';
const methods: readonly HttpMethod[] = ['GET', 'POST', 'PATCH', 'DELETE'];

/** Each method of each resource accepts one provider; over the three turns each accepts each, and neighbours differ. */
const acceptedAt = (turn: number, resource: string, method: HttpMethod): ProviderName => {
  const offset = resourceNames.findIndex((name) => name === resource) + methods.indexOf(method);
  return providerNames[(offset + turn) % providerNames.length] ?? 'basic_auth';
};

const turned =
  (turn: number) =>
  (site: Site): Site => ({
    ...site,
    resources: new Map(
      [...site.resources].map(([name, resource]): [typeof name, Resource] => [
        name,
        {
          ...resource,
          methods: new Map(
            [...resource.methods].map(([method, accepted]) => [
              method,
              { ...accepted, providers: [acceptedAt(turn, name, method)] },
            ]),
          ),
        },
      ]),
    ),
  });

const jsonOf = { 'Content-Type': 'application/json' };

/** Resource, method, path, success, and whether an anonymous visitor may. The admin asks, so that the provider alone decides. */
const requests = [
  ['node', 'GET', '/node/13?_format=json', 200, true],
  ['node', 'GET', '/node/11?_format=json', 200, false],
  ['node', 'POST', '/node', 201, false],
  ['node', 'PATCH', '/node/13', 200, false],
  ['node', 'DELETE', '/node/13', 204, false],
  ['media', 'GET', '/media/60?_format=json', 200, false],
  ['media', 'PATCH', '/media/60', 200, false],
  ['media', 'DELETE', '/media/60', 204, false],
  ['file', 'GET', '/entity/file/63?_format=json', 200, true],
  ['file', 'DELETE', '/entity/file/63', 204, false],
  ['taxonomy_term', 'GET', '/taxonomy/term/16?_format=json', 200, true],
  ['user', 'GET', '/user/4?_format=json', 200, false],
] as const;

describe.each([0, 1, 2])('A25: with one provider per resource and method, turn %i', (turn) => {
  let atoll: TestAtoll;
  let visitors: Readonly<Record<ProviderName, Visitor>>;
  const anew = async (): Promise<void> => {
    await atoll.reset();
    visitors = {
      basic_auth: basic('admin'),
      jwt_auth: await bearer(atoll, 'admin'),
      cookie: await cookie(atoll, 'admin'),
    };
  };
  const ask = (visitor: Visitor | undefined, method: string, path: string) => {
    const body = method === 'POST' ? sendings['nodes POST']?.body : sendings[`${path.split('/')[1]} ${method}`]?.body;
    const started = visitor === undefined ? atoll.send(method, path) : visit(atoll, visitor, method, path);
    return body === undefined ? started : started.set(jsonOf).send(body);
  };
  beforeAll(async () => {
    atoll = await createTestAtoll({ site: turned(turn) });
    await anew();
  });

  it.each(requests)('%s %s %s: the accepted provider passes, the others are 403', async (...row) => {
    const [resource, method, path, success] = row;
    const accepted = acceptedAt(turn, resource, method);
    for (const name of providerNames.filter((one) => one !== accepted)) {
      const { status, body } = seen(await ask(visitors[name], method, path));
      expect([name, status, body]).toEqual([name, 403, { message: notAllowed }]);
    }
    expect((await ask(visitors[accepted], method, path)).status).toBe(success);
    if (success !== 200) await anew();
  });

  it.each(requests)('%s %s %s: without credentials 401 where Basic is accepted, else 403', async (...row) => {
    const [resource, method, path, success, isPublic] = row;
    const challenges = acceptedAt(turn, resource, method) === 'basic_auth';
    const { status, headers } = await ask(undefined, method, path);
    expect(status).toBe(isPublic ? success : challenges ? 401 : 403);
    expect(headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="Contract Site"' : undefined);
  });
});

describe('a provider that is not accepted', () => {
  let atoll: TestAtoll;
  let admin: Visitor;
  const withoutTokens = (site: Site): Site => ({
    ...site,
    maxJsonBytes: 4096,
    resources: new Map(
      [...site.resources].map(([name, resource]): [typeof name, Resource] => [
        name,
        {
          ...resource,
          methods: new Map(
            [...resource.methods].map(([method, accepted]) => [
              method,
              { ...accepted, providers: accepted.providers.filter((provider) => provider !== 'jwt_auth') },
            ]),
          ),
        },
      ]),
    ),
  });
  beforeAll(async () => {
    atoll = await createTestAtoll({ site: withoutTokens });
    admin = await bearer(atoll, 'admin');
  });
  it('never gives a refused credential the sight of an accepted one', async () => {
    const stranger: Visitor = { label: 'stranger', name: undefined, headers: { Authorization: 'Bearer nonsense' } };
    for (const path of ['/node/13?_format=json', '/node/11?_format=json']) {
      const { status, body } = seen(await visit(atoll, stranger, 'GET', path));
      expect([status, body]).toEqual([403, { message: notAllowed }]);
    }
  });

  it('leaves the endpoints that no resource configures as they are', async () => {
    expect((await visit(atoll, admin, 'GET', '/jwt/token')).status).toBe(200);
    expect(
      (
        await visit(atoll, admin, 'PUT', '/media/60/source')
          .set('Content-Type', 'image/png')
          .send(sendings['source PUT']?.body)
      ).status,
    ).toBe(204);
  });
});

it('uploads are there on a site without any REST resource, by PUT (rule 1 of the endpoints)', async () => {
  const bare = await createTestAtoll({ site: (site) => ({ ...site, resources: new Map() }) });
  expect((await bare.send('GET', '/media/60?_format=json', 'admin')).status).toBe(404);
  const { headers = {}, body } = sendings['upload PUT'] ?? {};
  expect((await bare.send('PUT', '/node/13/media/image/17', 'admin').set(headers).send(body)).status).toBe(201);
});
