/** Bundles and fields as configuration, and the integration module of Workbench: who reads them, and what is answered. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Role } from '../../src/repository/repository.ts';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';
import { anonymous, basic, bearer, bodyOf, cookie, get, seen, visit, type Visitor } from '../support/requests.ts';

type Examples = Readonly<Record<string, { readonly value: unknown }>>;
const { examples } = (parse(readFileSync(join(root, 'openapi.yaml'), 'utf8')) as { components: { examples: Examples } })
  .components; // the document's own tests check its shape
const example = (name: string): unknown => examples[name]?.value;

const admin = basic('admin');
let atoll: TestAtoll;

/** Lets the role `viewer` read everything here. */
const permissions = [
  ...['administer media form display', 'administer node fields', 'administer taxonomy_term fields'],
  ...['administer media types', 'access taxonomy overview'],
];
let granted: TestAtoll;

const withPermissions = () =>
  createTestAtoll({
    site: (site) => ({
      ...site,
      roles: new Map(
        [...site.roles].map(([id, role]): [string, Role] => [
          id,
          id === 'viewer' ? { ...role, permissions: [...role.permissions, ...permissions] } : role,
        ]),
      ),
    }),
  });

beforeAll(async () => {
  [atoll, granted] = await Promise.all([createTestAtoll(), withPermissions()]);
});
beforeEach(() => atoll.reset());

const module = '/islandora_workbench_integration';
const hashOf = (query: string): string => `${module}/file_hash${query}`;

describe('Each read', () => {
  it.each([
    ['/entity/entity_form_display/media.image.default', 'FormDisplay'],
    ['/entity/field_config/node.islandora_object.field_resource_type', 'FieldConfig'],
    ['/entity/field_storage_config/node.field_resource_type', 'FieldStorageConfig'],
    ['/entity/media_type/image', 'MediaTypeConfig'],
    ['/entity/node_type/islandora_object', 'NodeTypeConfig'],
    ['/entity/taxonomy_vocabulary/person', 'VocabularyConfig'],
    [`${module}/version`, 'WorkbenchVersion'],
    [`${module}/core_version`, 'CoreVersion'],
    [`${module}/node_actions/entity_display/node/islandora_object`, 'WorkbenchFormDisplay'],
    [`${module}/node_actions/field_config/node/islandora_object/field_model`, 'WorkbenchFieldConfig'],
    [`${module}/node_actions/field_storage_config/node/field_model`, 'WorkbenchFieldStorageConfig'],
  ])('of %s answers the example %s of the document, and HEAD its headers', async (path, name) => {
    const answer = await get(atoll, admin, `${path}?_format=json`);
    expect([answer.status, answer.type, answer.body]).toEqual([200, 'application/json', example(name)]);
    const head = await visit(atoll, admin, 'HEAD', path);
    expect([head.status, head.text]).toEqual([200, undefined]);
  });

  it('of an empty map is a list, as PHP writes it, but for the values to choose from', async () => {
    const edtf = await get(atoll, admin, '/entity/field_config/node.islandora_object.field_edtf_date');
    expect(edtf.body).toMatchObject({ settings: [], default_value: [] });
    const storage = await get(atoll, admin, '/entity/field_storage_config/node.field_edtf_date');
    expect(storage.body).toMatchObject({ settings: { max_length: 128 }, indexes: [], cardinality: -1 });
  });

  it('of what is no configuration is 404, for nobody, too: base fields, other types, other names, and parts of names', async () => {
    const missing = [
      ['entity_form_display', 'node.islandora_object.full'],
      ['entity_form_display', 'node.islandora_object'],
      ['field_config', 'node.islandora_object.title'],
      ['field_config', 'node.nothing.field_model'],
      ['field_config', 'paragraph.note.field_text'],
      ['field_storage_config', 'node.title'],
      ['field_storage_config', 'node.islandora_object.field_model'],
      ['media_type', 'islandora_object'],
      ['node_type', 'image'],
      ['taxonomy_vocabulary', 'nothing'],
    ];
    for (const [name, id] of missing) {
      for (const visitor of [admin, anonymous]) {
        const { status, body } = seen(await get(atoll, visitor, `/entity/${name}/${id}?_format=json`));
        const message = `The "${name}" parameter was not converted for the path "/entity/${name}/{${name}}" (route name: "rest.entity.${name}.GET")`;
        expect([id, status, body]).toEqual([id, 404, { message }]);
      }
    }
  });

  it('in another format is 406, and any other method 405', async () => {
    for (const path of ['/entity/node_type/islandora_object', '/entity/media_type/image']) {
      expect((await get(atoll, admin, `${path}?_format=jsonld`)).status).toBe(406);
      expect((await visit(atoll, admin, 'PATCH', path)).status).toBe(405);
    }
  });
});

const permissionOf = (permission: string) => ({ message: `The '${permission}' permission is required.` });
const workbench = "'administer site configuration' OR 'use islandora workbench'";

describe('The permission', () => {
  it.each([
    ['/entity/entity_form_display/media.image.default', 'administer media form display'],
    ['/entity/field_config/node.islandora_object.field_model', 'administer node fields'],
    ['/entity/field_storage_config/taxonomy_term.field_external_uri', 'administer taxonomy_term fields'],
    ['/entity/media_type/image', 'administer media types'],
  ])('for %s is "%s"', async (path, permission) => {
    const refused = seen(await get(atoll, basic('viewer'), `${path}?_format=json`));
    expect([refused.status, refused.body]).toEqual([403, permissionOf(permission)]);
    expect((await get(atoll, anonymous, path)).status).toBe(401);
    expect((await get(granted, basic('viewer'), path)).status).toBe(200);
  });

  it('for a vocabulary is one of two, and for a content type that to see content', async () => {
    const path = '/entity/taxonomy_vocabulary/person';
    expect(await bodyOf(get(atoll, basic('viewer'), path))).toEqual(example('VocabularyConfigDenied'));
    expect((await get(granted, basic('viewer'), path)).status).toBe(200);
    expect((await get(atoll, anonymous, '/entity/node_type/islandora_object')).status).toBe(200);
  });

  it('of Workbench opens the integration module by any provider, and not the resources', async () => {
    const visitors: Visitor[] = [basic('editor'), await bearer(atoll, 'editor'), await cookie(atoll, 'editor')];
    for (const visitor of visitors) expect((await get(atoll, visitor, `${module}/version`)).status).toBe(200);
    expect((await get(atoll, basic('editor'), '/entity/media_type/image')).status).toBe(403);
    const refused = seen(await get(atoll, basic('viewer'), `${module}/node_actions/field_config/a/b/c`));
    expect([refused.status, refused.body]).toEqual([
      403,
      { message: `The following permissions are required: ${workbench}.` },
    ]);
    expect((await get(atoll, anonymous, `${module}/version`)).status).toBe(401);
  });
});

describe('The integration module', () => {
  it('says the versions of the site', async () => {
    const versions = { integrationModuleVersion: '1.3.0', coreVersion: '11.2.4' };
    const other = await createTestAtoll({ site: (site) => ({ ...site, workbench: versions }) });
    expect(await bodyOf(get(other, admin, `${module}/version`))).toEqual({ integration_module_version: '1.3.0' });
    expect(await bodyOf(get(other, admin, `${module}/core_version`))).toEqual({ core_version: '11.2.4' });
  });

  it.each([
    ['entity_display/node/nothing', 'WorkbenchBundleMissing'],
    ['entity_display/file/file', 'WorkbenchBundleMissing'],
    ['field_config/node/nothing/field_model', 'WorkbenchBundleMissing'],
    ['field_config/node/islandora_object/title', 'WorkbenchFieldMissing'],
    ['field_storage_config/node/title', 'WorkbenchStorageMissing'],
  ])('has 404 with `error` for %s', async (path, name) => {
    const { status, body } = seen(await get(atoll, basic('editor'), `${module}/node_actions/${path}`));
    expect([status, body]).toEqual([404, example(name)]);
    expect((await visit(atoll, admin, 'HEAD', `${module}/node_actions/${path}`)).status).toBe(404);
  });

  it('has none for a bundle without a form', async () => {
    const formless = await createTestAtoll({
      site: (site) => {
        const bundles = (['node', 'media', 'taxonomy_term', 'file', 'user'] as const)
          .flatMap((type) => site.model.bundles(type))
          .map((bundle) =>
            bundle.shown === undefined ? bundle : { ...bundle, shown: { ...bundle.shown, formModes: [] } },
          );
        const find = (type: string, id: string) => bundles.find((each) => each.entityType === type && each.id === id);
        return {
          ...site,
          model: { bundle: find, bundles: (type) => bundles.filter((each) => each.entityType === type) },
        };
      },
    });
    const { status, body } = seen(await get(formless, admin, `${module}/node_actions/entity_display/media/image`));
    expect([status, body]).toEqual([404, example('WorkbenchFormDisplayMissing')]);
  });
});

describe('The checksum of a file', () => {
  const uuid = '5d50b800-af96-47f5-a08b-db576d87ce11';

  it.each(['md5', 'sha1', 'sha256'])('is computed by %s from its bytes', async (algorithm) => {
    const file = (await bodyOf(get(atoll, admin, '/entity/file/3?_format=json'))) as {
      uri: readonly [{ url: string }];
    }; // a record
    const bytes = await get(atoll, admin, file.uri[0].url).buffer(true);
    const content = Buffer.isBuffer(bytes.body) ? bytes.body : Buffer.from(bytes.text);
    const checksum = createHash(algorithm).update(content).digest('hex');
    const answer = await get(atoll, basic('editor'), hashOf(`?file_uuid=${uuid}&algorithm=${algorithm}`));
    expect([answer.status, answer.body]).toEqual([200, [{ checksum, file_uuid: uuid, algorithm }]]);
    if (algorithm === 'sha256') expect(answer.body).toEqual(example('FileHash'));
  });

  it.each([
    ['', 'FileHashWithoutParameters'],
    [`?file_uuid=${uuid}`, 'FileHashWithoutParameters'],
    [`?file_uuid=${uuid}&algorithm=crc`, 'FileHashOfUnknownAlgorithm'],
    ['?file_uuid=00000000-0000-4000-8000-000000000000&algorithm=md5', 'FileHashOfNoFile'],
  ])('tells with 200 what is wrong with "%s"', async (query, name) => {
    const answer = await get(atoll, admin, hashOf(query));
    expect([answer.status, answer.body]).toEqual([200, example(name)]);
  });

  it('is 403 with `error` for who may not view the file', async () => {
    const blind = await createTestAtoll({
      site: (site) => ({
        ...site,
        storages: site.storages.map((mount) => ({ ...mount, access: 'guarded' as const })),
        roles: new Map([
          ...site.roles,
          ['viewer', { id: 'viewer', uuid: '', label: '', isAdmin: false, permissions: ['use islandora workbench'] }],
        ]),
      }),
    });
    const { status, body } = seen(await get(blind, basic('viewer'), hashOf(`?file_uuid=${uuid}&algorithm=md5`)));
    expect([status, body]).toEqual([403, example('FileHashDenied')]);
  });
});

describe('Each of them, and its HEAD', () => {
  const resources = [
    ['entity_form_display', 'media.image.default'],
    ['field_config', 'node.islandora_object.field_model'],
    ['field_storage_config', 'node.field_model'],
    ['media_type', 'image'],
    ['node_type', 'islandora_object'],
    ['taxonomy_vocabulary', 'person'],
  ] as const;

  let closed: TestAtoll;
  beforeAll(async () => {
    closed = await createTestAtoll({
      site: (site) => ({
        ...site,
        roles: new Map([...site.roles].map(([id, role]): [string, Role] => [id, { ...role, permissions: [] }])),
      }),
    });
  });

  it.each(['GET', 'HEAD'])(
    'refuse %s alike: nobody, an account without rights, a missing one, another format',
    async (method) => {
      const ask = async (visitor: Visitor, path: string): Promise<number> =>
        (await visit(closed, visitor, method, path)).status;
      const refused = await get(closed, basic('viewer'), '/entity/node_type/islandora_object');
      expect(refused.body).toEqual(example('NodeTypeConfigDenied'));
      for (const [name, id] of resources) {
        const path = `/entity/${name}/${id}`;
        const asked = [
          ask(anonymous, path),
          ask(basic('viewer'), path),
          ask(admin, `/entity/${name}/nothing`),
          ask(admin, `${path}?_format=xml`),
          ask(admin, path),
        ];
        expect([name, ...(await Promise.all(asked))]).toEqual([name, 401, 403, 404, 406, 200]);
      }
      const actions = ['entity_display/node/nothing', 'field_config/node/a/b', 'field_storage_config/node/b'];
      for (const path of ['version', 'core_version', 'file_hash', ...actions.map((each) => `node_actions/${each}`)]) {
        const asked = [anonymous, basic('viewer'), admin].map((visitor) => ask(visitor, `${module}/${path}`));
        expect([path, ...(await Promise.all(asked))]).toEqual([path, 401, 403, path.includes('/') ? 404 : 200]);
      }
    },
  );
});

describe('A site that has switched them off', () => {
  it('answers 404', async () => {
    const without = await createTestAtoll({
      site: (site) => ({
        ...site,
        beyond: { ...site.beyond, workbench_integration: false },
        resources: new Map([...site.resources].filter(([name]) => name !== 'field_config')),
      }),
    });
    expect((await get(without, admin, `${module}/version`)).status).toBe(404);
    expect((await get(without, admin, '/entity/field_config/node.islandora_object.field_model')).status).toBe(404);
    expect((await get(without, admin, '/entity/media_type/image')).status).toBe(200);
  });
});
