/** What every operation beyond the contract answers to a large body, a store in trouble, on a site without it. The rest: `test/expected/default/beyond-the-contract.yml`. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Repository } from '../../src/repository/repository-content.ts';
import type { World } from '../../src/repository/repository.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { messageOf } from '../support/requests.ts';
import { outOfSpace, Problem, unavailable } from '../../src/openapi/openapi-terms.ts';
import type { EntityStore } from '../../src/openapi/openapi-records.ts';

const atoll = await createTestAtoll();
beforeEach(() => atoll.reset());

type Sample = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly json?: object;
  readonly bytes?: string;
};

const media = { bundle: [{ target_id: 'image' }], name: [{ value: 'n' }] };
const term = { vid: [{ target_id: 'subject' }], name: [{ value: 'n' }] };

const writing: readonly Sample[] = [
  {
    id: 'createMedia',
    method: 'POST',
    path: '/entity/media',
    json: { ...media, field_media_image: [{ target_id: 1 }] },
  },
  { id: 'updateMediaByEditPath', method: 'PATCH', path: '/media/1/edit', json: media },
  { id: 'deleteMediaByEditPath', method: 'DELETE', path: '/media/1/edit' },
  { id: 'createTerm', method: 'POST', path: '/taxonomy/term', json: term },
  { id: 'updateTerm', method: 'PATCH', path: '/taxonomy/term/27?_format=json', json: term },
  { id: 'deleteTerm', method: 'DELETE', path: '/taxonomy/term/27?_format=json' },
  {
    id: 'createPathAlias',
    method: 'POST',
    path: '/entity/path_alias',
    json: { path: [{ value: '/node/5' }], alias: [{ value: '/a' }] },
  },
  {
    id: 'createRedirect',
    method: 'POST',
    path: '/entity/redirect',
    json: {
      type: [{ value: 'redirect' }],
      redirect_source: [{ path: 'a' }],
      redirect_redirect: [{ uri: 'internal:/' }],
    },
  },
  { id: 'uploadFile', method: 'POST', path: '/file/upload/media/image/field_media_image', bytes: 'abc' },
];
/** Written by JSON. */
const sending = writing.filter(({ json }) => json !== undefined);

const both = (id: string, path: string): Sample[] =>
  ['GET', 'HEAD'].map((method) => ({ id: method === 'GET' ? id : id.replace(/^(get|list)/, 'head'), method, path }));
const reading: readonly Sample[] = [
  ...both('getMediaByEditPath', '/media/1/edit'),
  ...both('listNodeMedia', '/node/5/media'),
  ...both('listNodeMembers', '/node/1/members'),
  ...both('getTermFromUri', '/term_from_uri?uri=http%3A%2F%2Fpcdm.org%2Fuse%23OriginalFile'),
  ...both('getTermFromTermName', '/term_from_term_name?name=image'),
  ...both('getTermFromAuthorityLink', '/term_from_authority_link?authority_link=urn:a'),
  ...both('listTermsOfVocabulary', '/vocabulary?vid=subject'),
  ...both('getChecksum', '/checksum/3'),
];
const token = both('getRestSessionToken', '/rest/session/token');

const withFormat = (path: string, format: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}_format=${format}`;

type Change = { readonly format?: string; readonly as?: string | undefined; readonly headers?: Record<string, string> };

/** Sends a sample as the administrator, or changed. */
const send = (on: TestAtoll, sample: Sample, { format = 'json', as, headers = {} }: Change = { as: 'admin' }) => {
  const request = on.send(
    sample.method,
    sample.id.includes('Token') ? sample.path : withFormat(sample.path, format),
    as,
  );
  if (sample.bytes !== undefined) {
    return request
      .set('Content-Type', 'application/octet-stream')
      .set('Content-Disposition', 'file; filename="a.png"')
      .set(headers)
      .send(sample.bytes);
  }
  if (sample.json === undefined) return request.set(headers);
  return request.set({ 'Content-Type': 'application/json', ...headers }).send(JSON.stringify(sample.json));
};
const isHead = ({ method }: Sample): boolean => method === 'HEAD';

describe('Everything beyond the contract', () => {
  it('answers 413 to bodies that are larger than the site allows', async () => {
    const small = await createTestAtoll({ site: (site) => ({ ...site, maxJsonBytes: 10, maxUploadBytes: 2 }) });
    for (const sample of [...sending, ...writing.filter(({ bytes }) => bytes !== undefined)]) {
      expect([sample.id, (await send(small, sample)).status]).toEqual([sample.id, 413]);
    }
  });
});

/** A world whose store does something else, the repository with it. */
const withStore = (world: World, change: (store: EntityStore) => Partial<EntityStore>): World => {
  const store = { ...world.store, ...change(world.store) };
  return { ...world, store, repository: new Repository({ ...world.repository.parts, store }) };
};

describe('A store in trouble', () => {
  it.each([
    [507, () => outOfSpace()],
    [503, () => unavailable('Writing is not possible at the moment.')],
  ] as const)('makes every write a %d and changes nothing', async (status, problem) => {
    const full = await createTestAtoll({
      around: (world) => withStore(world, () => ({ transact: () => Promise.reject(problem()) })),
    });
    for (const sample of writing) {
      const changing =
        sample.json === undefined || sample.method === 'POST'
          ? sample
          : { ...sample, json: { ...sample.json, name: [{ value: 'other' }] } };
      expect([sample.id, (await send(full, changing)).status]).toEqual([sample.id, status]);
    }
    await full.send('GET', '/media/1?_format=json', 'admin').expect(200);
    await full.send('GET', '/taxonomy/term/27?_format=json', 'admin').expect(200);
  });

  it('makes every read and every write a 500 that tells nothing when it breaks', async () => {
    const broken = (): Promise<never> => Promise.reject(new Error('the disk is on fire'));
    const failing = await createTestAtoll({
      around: (world) => ({
        ...withStore(world, () => ({
          ...{ getMany: broken, lookupMany: broken, transact: broken },
          // A store far away.
          present: undefined,
        })),
        access: {
          ...world.access,
          csrfToken: () => {
            throw new Error('no chance');
          },
        },
      }),
    });
    for (const sample of [...writing, ...reading, ...token]) {
      const response = await send(failing, sample, { as: token.includes(sample) ? undefined : 'admin' });
      expect([sample.id, response.status]).toEqual([sample.id, 500]);
      if (!isHead(sample))
        expect(messageOf(response)).toBe('The website encountered an unexpected error. Try again later.');
    }
  });
});

describe('Too many passwords to check', () => {
  it('make every request that carries one a 503', async () => {
    const busy = await createTestAtoll({
      around: (world) => {
        const recognise = () => Promise.reject(new Problem(503, 'There are too many logins at the moment.'));
        return {
          ...world,
          access: {
            ...world.access,
            providers: world.access.providers.map((provider) => ({ ...provider, recognise })),
          },
        };
      },
    });
    for (const sample of [...writing, ...reading]) {
      expect([sample.id, (await send(busy, sample)).status]).toEqual([sample.id, 503]);
    }
  });
});

describe('A site that has switched it off', () => {
  it('answers 404, or 405 where the path is left', async () => {
    const off = {
      file_upload: false,
      term_lookup: false,
      node_lists: false,
      media_edit_alias: false,
      session_token_alias: false,
      workbench_integration: false,
      token_keys: false,
      linkset: false,
    };
    const contract = await createTestAtoll({ site: (site) => ({ ...site, lists: [], beyond: off }) });
    for (const sample of [...writing, ...reading, ...token]) {
      const isResource = [
        'createMedia',
        'createTerm',
        'updateTerm',
        'deleteTerm',
        'createPathAlias',
        'createRedirect',
      ].includes(sample.id);
      const { status } = await send(contract, sample);
      expect([sample.id, status === 404]).toEqual([sample.id, !isResource]);
    }
    const readOnly = await createTestAtoll({
      site: (site) => {
        const resources = new Map(site.resources);
        for (const name of ['media', 'taxonomy_term'] as const) {
          const get = site.resources.get(name)?.methods.get('GET');
          if (get !== undefined) resources.set(name, { name, methods: new Map([['GET', get]]) });
        }
        return { ...site, resources };
      },
    });
    const statuses: [string, number][] = [];
    for (const sample of writing) statuses.push([sample.id, (await send(readOnly, sample)).status]);
    expect(Object.fromEntries(statuses)).toEqual({
      ...{ createMedia: 404, createTerm: 404, updateTerm: 405, deleteTerm: 405 },
      ...{ updateMediaByEditPath: 405, deleteMediaByEditPath: 405, uploadFile: 201 },
      ...{ createPathAlias: 201, createRedirect: 201 },
    });
  });
});
