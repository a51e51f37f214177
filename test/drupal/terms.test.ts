/** Where terms come from, and that they keep their ids between imports. */
import { describe, expect, it } from '@jest/globals';
import { textOf } from '../../src/basics/exported/lenient-values.ts';
import { fieldObjects, imported, smallSite, type Importing } from './imported.ts';
import type { Objects } from './exported-site.ts';

const authority = fieldObjects('taxonomy_term', 'harbours', 'field_authority_link', 'authority_link', {
  storage: { cardinality: -1 },
  instance: { settings: { authority_sources: { gnd: 'GND' } } },
});
const harbours: Objects = {
  ...smallSite,
  ...authority,
  ...fieldObjects('taxonomy_term', 'harbours', 'field_code', 'string'),
  ...fieldObjects('taxonomy_term', 'harbours', 'field_near', 'entity_reference', {
    storage: { settings: { target_type: 'taxonomy_term' } },
    instance: {
      settings: { handler: 'default:taxonomy_term', handler_settings: { target_bundles: { harbours: 'harbours' } } },
    },
  }),
};

const migration = (source: object, process: object): Objects => ({
  ...harbours,
  'migrate_plus.migration.ports': {
    source: { plugin: 'csv', path: '../data/ports.csv', header_row_count: 1, ids: ['id'], ...source },
    process: { name: 'title', vid: { plugin: 'default_value', default_value: 'harbours' }, ...process },
    destination: { plugin: 'entity:taxonomy_term' },
  },
});

const withTable = (text: string): Importing => ({
  files: { tables: new Map([['../data/ports.csv', { file: 'data/ports.csv', text }]]) },
});

const named = (terms: readonly { readonly tid: number; readonly fields: object }[]) =>
  terms.map(({ tid, fields }) => ({ tid, ...fields }));

describe('Terms of structure_sync', () => {
  it('keep ids, parents, weights, languages, formats and every field', async () => {
    const { site, report } = await imported({
      ...harbours,
      'structure_sync.data': {
        taxonomies: {
          harbours: [
            {
              ...{ vid: 'harbours', tid: '41', uuid: '77777777-2222-4333-8444-555555555501', name: 'North pier' },
              ...{ langcode: 'en', weight: '3', parent: '0', description__value: 'Windy', description__format: null },
              field_authority_link: [{ uri: 'https://example.org/n', title: 'N', options: [], source: 'gnd' }],
              field_code: [{ value: 'NP' }],
            },
            {
              ...{
                vid: 'harbours',
                tid: '42',
                uuid: '77777777-2222-4333-8444-555555555502',
                name: 'Slip',
                parent: '41',
              },
              field_near: [{ name: 'North pier', vid: 'harbours' }],
            },
          ],
          gone: [{ tid: '50', name: 'Nowhere', parent: '0' }],
        },
      },
    });
    expect(named(site.terms)).toEqual([
      {
        ...{ tid: 41, langcode: [{ value: 'en' }], name: [{ value: 'North pier' }], weight: [{ value: 3 }] },
        description: [{ value: 'Windy', format: null }],
        field_authority_link: [{ uri: 'https://example.org/n', title: 'N', options: [], source: 'gnd' }],
        field_code: [{ value: 'NP' }],
      },
      {
        ...{ tid: 42, name: [{ value: 'Slip' }], parent: [{ target_id: 41 }] },
        field_near: [{ target_id: 41 }],
      },
    ]);
    expect(report.partly.find(({ lost }) => lost)).toEqual({
      ...{ why: 'terms of a vocabulary that does not exist', lost: true, where: ['structure_sync.data: gone'] },
    });
  });
});

describe('Terms of a table that a migration names', () => {
  const table =
    'id,title,uri,note,parent,near\n1,Old quay,https://example.org/ä b,Deep,,\n2,"Quay, new",,,1,1;Old quay\n';

  it('have the columns that the process maps', async () => {
    const process = {
      'field_authority_link/uri': { plugin: 'urlencode', source: 'uri' },
      'field_authority_link/source': { plugin: 'default_value', default_value: 'gnd' },
      description: 'note',
      field_code: [
        { plugin: 'skip_on_empty', source: 'note' },
        { plugin: 'static_map', map: { Deep: 'D' } },
      ],
      parent: [
        { plugin: 'skip_on_empty', method: 'process', source: 'parent' },
        { plugin: 'migration_lookup', migration: 'ports' },
      ],
      field_near: [{ plugin: 'explode', source: 'near', delimiter: ';' }, { plugin: 'entity_lookup' }],
    };
    const { site, places } = await imported(migration({}, process), withTable(table));
    const [first, second] = site.terms;
    expect(first?.fields).toEqual({
      name: [{ value: 'Old quay' }],
      description: [{ value: 'Deep', format: null }],
      field_authority_link: [{ uri: 'https://example.org/%C3%A4%20b', title: null, options: [], source: 'gnd' }],
      field_code: [{ value: 'D' }],
    });
    expect(second?.fields).toEqual({
      ...{ name: [{ value: 'Quay, new' }], parent: [{ target_id: first?.tid }] },
      field_near: [{ target_id: first?.tid }],
    });
    expect(places('more values than its field holds')).toEqual(['migrate_plus.migration.ports: harbours: field_near']);
  });

  it('is read with the keys of the newer plugin, too: header_offset, delimiter, fields', async () => {
    const source = {
      header_row_count: undefined,
      header_offset: null,
      delimiter: ';',
      fields: [{ name: 'id' }, { name: 'title' }],
    };
    const { site } = await imported(migration(source, {}), withTable('1;Old quay\n2;New quay\n2;Again\n'));
    expect(site.terms.map(({ fields }) => fields['name'])).toEqual([[{ value: 'Old quay' }], [{ value: 'New quay' }]]);
  });

  it('that is not there is named, and a plugin that is passed over', async () => {
    const process = { field_code: { plugin: 'substr', source: 'id' } };
    expect((await imported(migration({}, process), withTable(table))).places('plugin substr')).toEqual([
      'migrate_plus.migration.ports: field_code',
    ]);
    expect((await imported(migration({}, {}))).places('was not found')).toEqual(['migrate_plus.migration.ports']);
  });

  it('loses nothing where a module brings the table of the standard terms', async () => {
    const process = { vid: { plugin: 'default_value', default_value: 'islandora_models' } };
    const lostFor = async (path: string, vid: object) =>
      (await imported(migration({ path }, vid))).report.partly
        .filter(({ where }) => where.includes('migrate_plus.migration.ports'))
        .map(({ lost }) => lost);
    const path = 'modules/contrib/islandora_defaults/migrate/tags.csv';
    expect(await lostFor(path, { vid: 'vid' })).toEqual([false]);
    expect(await lostFor(path, process)).toEqual([false]);
    expect(await lostFor(path, {})).toEqual([true]);
    expect(await lostFor('modules/contrib/harbour/migrate/tags.csv', process)).toEqual([true]);
  });

  it('names rows without a name and weights that are no numbers, and passes over blank rows', async () => {
    const text = 'id,title,order\n1,Old quay,first\n,,\n2,,3\n';
    const { site, places } = await imported(migration({}, { weight: 'order' }), withTable(text));
    expect(site.terms).toHaveLength(1);
    expect(places('not a whole number')).toEqual(['migrate_plus.migration.ports: Old quay']);
    expect(places('without a name')).toEqual(['migrate_plus.migration.ports: the row of "2"']);
    const name = { plugin: 'skip_on_empty', method: 'row', source: 'title' };
    const skipped = await imported(migration({}, { name }), withTable(text));
    expect(skipped.report.partly.find(({ why }) => why.includes('without a name'))?.lost).toBe(false);
  });

  it('with a broken quotation is refused by file and line', async () => {
    await expect(imported(migration({}, {}), withTable('id,title\n1,"Old\n'))).rejects.toThrow(
      /^data\/ports\.csv.*not a table/,
    );
  });
});

describe('Terms of a table that the user names', () => {
  it('have columns with the names of fields', async () => {
    const text =
      '\uFEFFvid,tid,name,parent,weight,field_code,field_authority_link/uri,field_authority_link/source\n' +
      'harbours,7,Old quay,,2,OQ,https://example.org/o,gnd\nharbours,,Slip,Old quay,,,,\n';
    const { site } = await imported(harbours, { terms: [{ file: 'ports.csv', text }] });
    expect(named(site.terms)).toEqual([
      {
        ...{ tid: 7, name: [{ value: 'Old quay' }], weight: [{ value: 2 }], field_code: [{ value: 'OQ' }] },
        field_authority_link: [{ uri: 'https://example.org/o', title: null, options: [], source: 'gnd' }],
      },
      { tid: expect.any(Number), name: [{ value: 'Slip' }], parent: [{ target_id: 7 }] },
    ]);
  });

  it('give the terms of a migration their ids and uuids: by name, and by address where the row has one', async () => {
    const [a, b] = ['https://example.org/a', 'https://example.org/b'];
    const table = withTable(`id,title,link\n1,Quay,${a}\n2,Slip,${a}\n3,Quay,${b}\n`);
    const uuid = '77777777-2222-4333-8444-555555555503';
    const rows = `harbours,8,,Slip,\nharbours,9,${uuid},Quay,${b}\nharbours,7,,Quay,\nharbours,6,,Pier,\n`;
    const text = `vid,tid,uuid,name,uri\n${rows}`;
    const { site } = await imported(migration({}, { 'field_authority_link/uri': 'link' }), {
      ...table,
      terms: [{ file: 'ports.csv', text }],
    });
    const [quay, slip, other, pier, ...further] = site.terms;
    expect([quay?.tid, slip?.tid, other?.tid, pier?.tid, further]).toEqual([7, 8, 9, 6, []]);
    expect(other?.uuid).toBe(uuid);
  });

  it('keep an id that two of them have only once, and the other is named', async () => {
    const text = 'vid,tid,name\nharbours,7,Old quay\nharbours,7,Slip\n';
    const { site, places } = await imported(harbours, { terms: [{ file: 'ports.csv', text }] });
    expect(site.terms.map(({ tid }) => tid === 7)).toEqual([true, false]);
    expect(places('is that of another')).toEqual(['ports.csv: harbours']);
  });

  it('without a name are named, and weights that are no numbers', async () => {
    const text = 'vid,name,weight\nharbours,Slip,heavy\n,,\nharbours,,2\n';
    const { site, places } = await imported(harbours, { terms: [{ file: 'ports.csv', text }] });
    expect(site.terms).toHaveLength(1);
    expect(places('not a whole number')).toEqual(['ports.csv: Slip']);
    expect(places('without a name')).toEqual(['ports.csv: the row of "harbours"']);
  });

  it('have the vocabulary of its name when no column says one', async () => {
    const { site } = await imported(harbours, { terms: [{ file: 'x/harbours.csv', text: 'name\nSlip\n' }] });
    expect(site.terms.map(({ vocabulary }) => vocabulary)).toEqual(['harbours']);
  });

  it('without a column for the name are refused', async () => {
    const terms = [{ file: 'ports.csv', text: 'vid,title\nharbours,Slip\n' }];
    await expect(imported(harbours, { terms })).rejects.toThrow(
      'ports.csv:1: has no column "name". Add it to the header.',
    );
  });
});

describe('Standard terms', () => {
  const uses: Objects = {
    ...smallSite,
    'taxonomy.vocabulary.islandora_media_use': { vid: 'islandora_media_use', name: 'Use' },
    'taxonomy.vocabulary.islandora_models': { vid: 'islandora_models', name: 'Models' },
    ...fieldObjects('taxonomy_term', 'islandora_media_use', 'field_external_uri', 'link'),
    ...fieldObjects('taxonomy_term', 'islandora_models', 'field_authority_link', 'authority_link'),
  };

  it('fill the vocabularies that have no other source, with the field that the vocabulary has', async () => {
    const { site, report } = await imported(uses);
    const uris = (vocabulary: string, field: string) =>
      site.terms.filter((term) => term.vocabulary === vocabulary).map(({ fields }) => fields[field]?.[0]?.['uri']);
    expect(uris('islandora_media_use', 'field_external_uri')).toContain('http://pcdm.org/use#OriginalFile');
    expect(uris('islandora_media_use', 'field_external_uri')).toHaveLength(7);
    expect(uris('islandora_models', 'field_authority_link')).toContain('http://purl.org/dc/dcmitype/Collection');
    expect(uris('islandora_models', 'field_authority_link')).toHaveLength(11);
    expect(report.partly.filter(({ lost }) => lost)).toEqual([]);
  });

  it('are added to a table only where it does not have them', async () => {
    const text = 'vid,name,uri\nislandora_media_use,The original,http://pcdm.org/use#OriginalFile\n';
    const { site } = await imported(uses, { terms: [{ file: 't.csv', text }] });
    const names = site.terms.map(({ fields }) => fields['name']?.[0]?.['value']);
    expect(names.filter((name) => /original/i.test(textOf(name) ?? ''))).toEqual(['The original']);
    expect(names).toContain('Thumbnail Image');
  });
});

describe('The id of a term', () => {
  const terms = (text: string) => [{ file: 'harbours.csv', text: `name\n${text}` }];
  const idsOf = async (text: string, options: Importing = {}) => {
    const { site } = await imported(harbours, { ...options, terms: terms(text) });
    return new Map(
      site.terms.map(({ tid, uuid, fields }) => [textOf(fields['name']?.[0]?.['value']) ?? '', { tid, uuid }]),
    );
  };

  it('is the same when other terms come before it, go, or change their order', async () => {
    const before = await idsOf('Slip\nQuay\nPier\n');
    const after = await idsOf('Jetty\nPier\nMole\nSlip\n');
    expect(after.get('Slip')).toEqual(before.get('Slip'));
    expect(after.get('Pier')).toEqual(before.get('Pier'));
    expect(new Set([...after.values()].map(({ tid }) => tid)).size).toBe(4);
  });

  it('is that of an earlier import, if a site has one', async () => {
    const known = [{ vocabulary: 'harbours', name: 'Slip', tid: 12, uuid: '77777777-2222-4333-8444-555555555512' }];
    const { tid, uuid } = (await idsOf('Slip\nSlip\nPier\n', { known })).get('Slip') ?? {};
    expect([tid, uuid]).toEqual([12, known[0]?.uuid]);
  });

  it('is free, whatever ids other sources bring', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `Berth ${index}`).join('\n');
    expect(new Set([...(await idsOf(many)).values()].map(({ tid }) => tid)).size).toBe(3000);
  });
});
