/** An imported site with fields of every type, served with content made for it: every record answers, in every format. */
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { send, startServer } from '../support/server.ts';
import { fieldObjects, smallSite } from './imported.ts';
import { inFolder, writeObjects } from './written-folder.ts';
import type { Objects } from './exported-site.ts';

jest.setTimeout(60_000);

const reference = (target: string, settings: object = {}) => ({
  storage: { cardinality: -1, settings: { target_type: target } },
  instance: { settings },
});
const files = {
  storage: { settings: { target_type: 'file', uri_scheme: 'gs-harbour' } },
  instance: { settings: { file_extensions: 'txt' } },
};

/** A field of each type that the study of real sites met, and one that nobody knows. */
const fields: Readonly<Record<string, Parameters<typeof fieldObjects>[4]>> = {
  ...{
    boolean: {},
    integer: {},
    string: {},
    string_long: {},
    text: {},
    text_long: {},
    text_with_summary: {},
    edtf: {},
  },
  ...{
    email: {},
    geolocation: {},
    name: {},
    comment: {},
    decimal: {},
    float: {},
    datetime: {},
    timestamp: {},
    link: {},
  },
  authority_link: { instance: { settings: { authority_sources: { gnd: 'GND' } } } },
  list_string: { storage: { settings: { allowed_values: [{ value: 'low', label: 'Low' }] } } },
  list_integer: { storage: { settings: { allowed_values: [{ value: 3, label: 'Three' }] } } },
  ...{ file: files, entity_reference: reference('media') },
  typed_relation: reference('node', { rel_types: { 'relators:aut': 'Author' } }),
  wax_seal: {},
};

const accepted = { supported_formats: ['json', 'jsonld'], supported_auth: ['basic_auth', 'cookie'] };
const resource = (name: string): Objects => ({
  [`rest.resource.entity.${name}`]: { id: `entity.${name}`, granularity: 'method', configuration: { GET: accepted } },
});

const site: Objects = {
  ...smallSite,
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([type, parts]) =>
      ['node.ledger', 'taxonomy_term.harbours'].flatMap((place) => {
        const [entityType = '', bundle = ''] = place.split('.');
        return Object.entries(fieldObjects(entityType, bundle, `field_${type}`, type, parts));
      }),
    ),
  ),
  ...fieldObjects('node', 'ledger', 'field_port', 'entity_reference', reference('taxonomy_term')),
  'structure_sync.data': {
    taxonomies: { harbours: [{ tid: '8', name: 'Slip', field_text: [{ value: 'Steep', format: null }] }] },
  },
  ...resource('node'),
  ...resource('media'),
  ...resource('taxonomy_term'),
  'media.settings': { standalone_url: false },
};

const server = await inFolder(async (folder) => {
  await writeObjects(folder, site);
  return startServer({ drupalConfig: { folders: [folder], terms: [] }, fixture: 'sample:12', seed: 'imported' });
});
afterAll(() => server.stop());

describe('An imported site', () => {
  it('judges every field but the one that nobody knows', () => {
    expect(server.imported?.notJudged.map(({ why, where }) => [why, where.length])).toEqual([
      ['a field of type wax_seal: its values are kept as sent', 2],
    ]);
  });

  it.each(['json', 'jsonld'])('answers each record as %s, as its document says', async (format) => {
    const paths: readonly (readonly ['node' | 'media' | 'taxonomy_term', (id: number) => string])[] = [
      ['node', (id) => `/node/${id}`],
      ['media', (id) => `/media/${id}/edit`],
      ['taxonomy_term', (id) => `/taxonomy/term/${id}`],
    ];
    const statuses: string[] = [];
    for (const [type, pathOf] of paths) {
      const { entities } = await server.world.store.list(type, { offset: 0, limit: 50 });
      for (const { id } of entities) {
        const { status } = await send(server, 'GET', `${pathOf(id)}?_format=${format}`);
        statuses.push(`${type} ${status}`);
      }
    }
    expect(server.errors).toEqual([]);
    expect([...new Set(statuses)]).toEqual(['node 200', 'media 200', 'taxonomy_term 200']);
  });

  it('shows relations to nodes as such', async () => {
    const { entities } = await server.world.store.list('node', { offset: 0, limit: 50 });
    const related = entities.find(({ fields: { field_typed_relation: relations = [] } }) => relations.length > 0);
    const answer = await send(server, 'GET', `/node/${related?.id ?? 0}?_format=json`);
    expect(answer.json()['field_typed_relation']?.[0]).toMatchObject({ target_type: 'node', rel_type: 'relators:aut' });
  });
});
