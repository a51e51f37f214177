/** Bundles and fields as configuration, and the integration module of Workbench, as the examples of the document. Who reads them: `test/expected/default/access.yml`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Role } from '../../src/repository/repository.ts';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';
import { anonymous, basic, bodyOf, get, seen, visit } from '../support/requests.ts';

type Examples = Readonly<Record<string, { readonly value: unknown }>>;
const { examples } = (parse(readFileSync(join(root, 'openapi.yaml'), 'utf8')) as { components: { examples: Examples } })
  .components; // the document's own tests check its shape
const example = (name: string): unknown => examples[name]?.value;

const admin = basic('admin');
let atoll: TestAtoll;

beforeAll(async () => {
  atoll = await createTestAtoll();
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
});

describe('The integration module', () => {
  it('says the versions of the site', async () => {
    const versions = { integrationModuleVersion: '1.3.0', coreVersion: '11.2.4' };
    const other = await createTestAtoll({ site: (site) => ({ ...site, workbench: versions }) });
    expect(await bodyOf(get(other, admin, `${module}/version`))).toEqual({ integration_module_version: '1.3.0' });
    expect(await bodyOf(get(other, admin, `${module}/core_version`))).toEqual({ core_version: '11.2.4' });
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

it('A content type is refused to who may not see content, with the example of the document', async () => {
  const closed = await createTestAtoll({
    site: (site) => ({
      ...site,
      roles: new Map([...site.roles].map(([id, role]): [string, Role] => [id, { ...role, permissions: [] }])),
    }),
  });
  const path = '/entity/node_type/islandora_object';
  const refused = seen(await get(closed, basic('viewer'), path));
  expect([refused.status, refused.body]).toEqual([403, example('NodeTypeConfigDenied')]);
  const heads = [visit(closed, basic('viewer'), 'HEAD', path), visit(closed, anonymous, 'HEAD', path)];
  expect((await Promise.all(heads)).map(({ status }) => status)).toEqual([403, 401]);
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
