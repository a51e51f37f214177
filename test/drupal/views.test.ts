/** Views with REST displays become lists of the site. What is not understood is named. */
import { describe, expect, it } from '@jest/globals';
import type { Data } from '../../src/basics/exported/lenient-values.ts';
import type { RecordList } from '../../src/repository/repository-sites.ts';
import { losesSomething } from '../../src/sites/drupal/report.ts';
import { fieldObjects, imported, smallSite, type ImportedSite } from './imported.ts';
import type { Objects } from './exported-site.ts';

const site: Objects = {
  ...smallSite,
  ...fieldObjects('node', 'ledger', 'field_place', 'string'),
  ...fieldObjects('node', 'ledger', 'field_harbour', 'entity_reference', {
    storage: { cardinality: -1, settings: { target_type: 'taxonomy_term' } },
  }),
  ...fieldObjects('media', 'scan', 'field_media_of', 'entity_reference', {
    storage: { settings: { target_type: 'node' } },
  }),
  ...fieldObjects('media', 'scan', 'field_media_use', 'entity_reference', {
    storage: { cardinality: -1, settings: { target_type: 'taxonomy_term' } },
  }),
  'user.role.clerk': { id: 'clerk', label: 'Clerk', permissions: [] },
};

/** A view of nodes with one REST display over what every display inherits. */
const view = (path: string, inherited: Data, own: Data = {}, baseTable = 'node_field_data'): Data => ({
  base_table: baseTable,
  display: {
    default: {
      display_plugin: 'default',
      display_options: { row: { type: 'fields' }, style: { type: 'table' }, ...inherited },
    },
    one: { display_plugin: 'rest_export', display_options: { path, ...own } },
  },
});

const inViews = (...views: readonly Data[]): Promise<ImportedSite> =>
  imported({ ...site, ...Object.fromEntries(views.map((each, index) => [`views.view.v${index}`, each])) });

const listOf = async (...parameters: Parameters<typeof view>): Promise<RecordList & { readonly named: unknown }> => {
  const made = await inViews(view(...parameters));
  const [list] = made.site.lists;
  if (list === undefined) throw new Error(JSON.stringify(made.report.partly));
  const named = made.report.partly.flatMap(({ why, where }) =>
    where.some((each) => each.startsWith('views.view')) ? [why] : [],
  );
  return { ...list, named };
};

const onField = (name: string, property: string, more: Data = {}): Data => ({
  ...{ table: `node__${name}`, field: `${name}_${property}`, relationship: 'none', plugin_id: 'string', ...more },
});
const onBase = (name: string, more: Data = {}): Data => ({
  ...{ table: 'node_field_data', field: name, entity_field: name, plugin_id: 'string', ...more },
});

describe('A REST display', () => {
  it('inherits everything but rows, style and pager, unless it says otherwise', async () => {
    const inherited = {
      access: { type: 'perm', options: { perm: 'manage members' } },
      sorts: { title: onBase('title') },
    };
    const own = {
      ...{ sorts: { nid: onBase('nid', { order: 'DESC' }) }, defaults: { sorts: false }, auth: ['basic_auth'] },
      pager: { type: 'some', options: { items_per_page: 3 } },
    };
    const pager = { type: 'full', options: { items_per_page: 7 } };
    expect(await listOf('api/ledgers', { ...inherited, pager }, own)).toMatchObject({
      ...{ path: '/api/ledgers', entityType: 'node', permissions: ['manage members'], providers: ['basic_auth'] },
      ...{ pageSize: undefined, limit: 3, columns: undefined, formats: ['jsonld', 'json'], named: [] },
      order: [{ field: { name: 'nid' }, isDescending: true }],
    });
    expect(await listOf('api/ledgers', { ...inherited, pager })).toMatchObject({ pageSize: undefined, limit: 10 });
    expect(await listOf('api/ledgers', inherited, { pager })).toMatchObject({ pageSize: 7, limit: undefined });
  });

  it('is left out when it is switched off, and a view without one is not even parsed', async () => {
    const off = view('api/off', {}, { enabled: false });
    const page = { display: { one: { display_plugin: 'page', display_options: { path: 'harbours' } } } };
    const { site: made, report } = await inViews(off, page);
    expect(made.lists).toEqual([]);
    expect(report.partly.filter(({ why }) => why.includes('view'))).toEqual([]);
  });

  it('without providers takes those of every route; with roles, no rule or an unknown one it is guarded so', async () => {
    const guarded = (access: Data) => listOf('api/x', { access });
    expect(await guarded({ type: 'role', options: { role: { clerk: 'clerk', ghost: 'ghost' } } })).toMatchObject({
      ...{ roles: ['clerk'], permissions: [], providers: ['jwt_auth', 'cookie'] },
    });
    expect(await guarded({ type: 'none' })).toMatchObject({ roles: [], permissions: [] });
    expect(await guarded({ type: 'moonlight' })).toMatchObject({
      ...{ roles: ['administrator'], named: ['a list is without its access rule: only administrators may ask'] },
    });
  });

  it.each([
    ['an unknown table', view('api/s', {}, {}, 'ghosts'), 'it lists records of ghosts'],
    ['another style', view('api/m', {}, { style: { type: 'telegram' } }), 'its style is telegram'],
    [
      'no format that is known',
      view('api/c', {}, { style: { type: 'serializer', options: { formats: { csv: 'csv' } } } }),
      'its formats are csv',
    ],
    [
      'an argument that reckons with dates',
      view('api/%', { arguments: { created: onBase('created', { plugin_id: 'date_year' }) } }),
      'an argument of it is none of a list',
    ],
    ['the path of a record', view('node/%', { arguments: { nid: onBase('nid') } }), 'something else is there already'],
  ])('is named when it has %s', async (_what, given, why) => {
    const { site: made, report, places } = await inViews(given);
    expect(made.lists).toEqual([]);
    expect(places('a view serves this path')).toHaveLength(1);
    expect(report.partly.map((note) => note.why)).toContain(`a view serves this path, the program does not: ${why}`);
  });
});

describe('A view that speaks another protocol', () => {
  it.each([
    ['a search index', view('api/s', {}, {}, 'search_api_index_books'), 'it lists records of search_api_index_books'],
  ])('%s is named, and no loss', async (_what, given, why) => {
    const { report } = await inViews(given);
    expect(report.outside.map((note) => note.why)).toEqual([`a view serves this path: ${why}`]);
    expect(losesSomething(report)).toBe(false);
  });
});

describe('The conditions of a view', () => {
  it('are arguments of its path, in their order, and arguments that it takes behind the path', async () => {
    const validate = { type: 'entity:taxonomy_term' };
    const list = await listOf('harbour/%harbour/%', {
      arguments: {
        a: onField('field_harbour', 'target_id', { validate }),
        b: onBase('type'),
        place: onField('field_place', 'value', { default_action: 'not found' }),
        ignored: onBase('uid', { default_action: 'ignore' }),
      },
    });
    expect(list.path).toBe('/harbour/{harbour}/{arg_2}/{place}');
    expect(list.arguments).toEqual([
      { name: 'harbour', field: { name: 'field_harbour', property: undefined }, isChecked: true },
      { name: 'arg_2', field: { name: 'type', property: undefined }, isChecked: false },
      { name: 'place', field: { name: 'field_place', property: undefined }, isChecked: false },
    ]);
  });

  it('are parameters of the query: arguments with such a default, and exposed filters', async () => {
    const byQuery = (name: string, fallback = '') => ({
      ...{ default_action: 'default', default_argument_type: 'query_parameter', exception: { value: 'all' } },
      default_argument_options: { query_param: name, fallback },
    });
    const list = await listOf('api/find', {
      arguments: { a: onField('field_place', 'value', byQuery('place')), b: onBase('type', byQuery('kind', 'all')) },
      filters: {
        t: onBase('title', { exposed: true, operator: '!=', expose: { identifier: 'not_title' } }),
        h: onField('field_harbour', 'target_id', {
          ...{ plugin_id: 'taxonomy_index_tid', operator: 'or', exposed: true, value: {} },
          expose: { identifier: 'harbour', required: true },
        }),
        c: onBase('title', { exposed: true, operator: 'contains', expose: { identifier: 'like' } }),
      },
    });
    expect(list.parameters.map(({ name, isRequired, isNegated }) => [name, isRequired, isNegated])).toEqual([
      ['place', true, false],
      ['kind', false, false],
      ['not_title', false, true],
      ['harbour', true, false],
    ]);
    expect(list.named).toEqual(['a list is without the filter c']);
  });

  it('lose nothing with an exposed filter that names what the path names', async () => {
    const list = await listOf('api/%', {
      arguments: { type: onBase('type') },
      filters: {
        type: onBase('type', { exposed: true, operator: 'not in', value: {}, expose: { identifier: 'type' } }),
      },
    });
    expect(list.named).toEqual([]);
  });

  it('are fixed filters; the rights to view need none, and what is joined by "or" is named', async () => {
    const filters = {
      status: onBase('status', { plugin_id: 'boolean', value: '1', group: 1 }),
      type: onBase('type', { plugin_id: 'bundle', operator: 'in', value: { ledger: 'ledger', log: 'log' }, group: 1 }),
      uid: onBase('uid', { plugin_id: 'numeric', operator: '!=', value: { value: '3', min: '', max: '' }, group: 1 }),
      place: onField('field_place', 'value', { operator: 'not empty', group: 1 }),
      extra: onBase('status', { plugin_id: 'node_status', group: 1 }),
    };
    const list = await listOf('api/x', { filters });
    expect(list.tests.map(({ field, ...test }) => [field.name, test])).toEqual([
      ['status', { equals: ['1'] }],
      ['type', { equals: ['ledger', 'log'] }],
      ['uid', { differs: ['3'] }],
      ['field_place', { isSet: true }],
    ]);
    expect(list.named).toEqual([]);
    const either = await listOf('api/x', { filters, filter_groups: { operator: 'AND', groups: { 1: 'OR' } } });
    expect([either.tests, either.named]).toEqual([[], ['a list is without conditions that are joined by "or"']]);
  });

  it('of another record than the listed one are named', async () => {
    const elsewhere = { relationship: 'field_harbour' };
    const list = await listOf('api/x', {
      filters: { far: onBase('title', elsewhere) },
      sorts: { far: onBase('created', elsewhere) },
    });
    expect([list.tests, list.order]).toEqual([[], []]);
    expect(list.named).toEqual(['a list is without the filter far', 'a list is without the sort far']);
  });
});

describe('The fields of a view', () => {
  const column = (field: Data, type: string, settings: Data = {}) => ({ ...field, plugin_id: 'field', type, settings });

  it('are columns under their aliases, raw or as their formatter shows them; others are named', async () => {
    const list = await listOf(
      'api/rows',
      {
        fields: {
          nid: column(onBase('nid'), 'number_integer'),
          title: column(onBase('title'), 'string', { link_to_entity: true }),
          uid: column(onBase('uid'), 'entity_reference_label', { link: false }),
          created: column(onBase('created'), 'timestamp', { date_format: 'html_date' }),
          field_place: column(onField('field_place', 'value'), 'string'),
          hidden: column(onBase('uuid'), 'string'),
          moon: column(onBase('changed'), 'moon_phase'),
          rewritten: { ...column(onBase('title'), 'string'), alter: { alter_text: true } },
        },
      },
      {
        row: {
          type: 'data_field',
          options: { field_options: { uid: { alias: 'owner' }, field_place: { raw_output: true } } },
        },
      },
    );
    expect(list.columns?.map(({ name, form }) => [name, form])).toEqual([
      ...[
        ['nid', 'text'],
        ['title', 'link'],
        ['owner', 'label'],
        ['created', 'day'],
      ],
      ...[
        ['field_place', 'raw'],
        ['hidden', 'text'],
      ],
    ]);
    expect(list.formats).toEqual(['json']);
    expect(list.named).toEqual(['a list is without the field moon', 'a list is without the field rewritten']);
  });
});

describe('The fields of a view behind a relationship', () => {
  const relationships = {
    of: { id: 'of', table: 'media__field_media_of', field: 'field_media_of', plugin_id: 'standard' },
    reverse: { id: 'reverse', table: 'node', field: 'reverse__media__field_media_of', plugin_id: 'entity_reverse' },
  };
  const image = { table: 'media__field_scan', field: 'field_scan_target_id', plugin_id: 'field' };
  const title = { table: 'node_field_data', field: 'title', entity_field: 'title', plugin_id: 'field', type: 'string' };
  const uri = { table: 'file_managed', field: 'uri', entity_field: 'uri', plugin_id: 'field', type: 'file_uri' };

  it('are columns through the reference, with addresses of files, and some of many values; others are named', async () => {
    const { site: made, report } = await inViews(
      view(
        'api/pictures',
        {
          relationships,
          fields: {
            address: { ...image, type: 'file_url_plain' },
            thumbnail: { ...image, type: 'image_url', settings: { image_style: 'large' } },
            item: { ...title, relationship: 'of' },
            back: { ...title, relationship: 'reverse' },
            alt: { ...image, field: 'field_scan_alt', type: 'string' },
            shade: { ...image, field: 'field_scan_shade', type: 'string' },
            use: {
              ...{ table: 'media__field_media_use', field: 'field_media_use', plugin_id: 'field' },
              ...{ type: 'entity_reference_label', settings: { link: false }, delta_limit: 1, delta_offset: 1 },
            },
            last: { ...image, type: 'file_url_plain', delta_limit: 1, delta_reversed: true },
          },
        },
        { row: { type: 'data_field' } },
        'media_field_data',
      ),
      view(
        'api/files',
        { fields: { uri: { ...uri, settings: { file_download_path: true } } } },
        { row: { type: 'data_field' } },
        'file_managed',
      ),
    );
    const columnsAt = (path: string) => made.lists.find((each) => each.path === path)?.columns;
    const named = { property: undefined };
    expect(columnsAt('/api/pictures')).toEqual([
      { name: 'address', field: { name: 'field_scan', ...named }, form: 'path' },
      { name: 'item', field: { name: 'title', ...named }, form: 'text', through: 'field_media_of' },
      { name: 'alt', field: { name: 'field_scan', property: 'alt' }, form: 'text' },
      { name: 'use', field: { name: 'field_media_use', ...named }, form: 'label', limit: 1, offset: 1 },
    ]);
    expect(columnsAt('/api/files')).toEqual([{ name: 'uri', field: { name: 'uri', ...named }, form: 'path' }]);
    const lost = report.partly.filter(({ where }) => where.some((each) => each.startsWith('views.view')));
    expect(lost.map(({ why }) => why)).toEqual(
      ['back', 'last', 'shade', 'thumbnail'].map((field) => `a list is without the field ${field}`),
    );
  });
});

describe('The terms of a vocabulary', () => {
  it('are where the view has them', async () => {
    const vid = {
      table: 'taxonomy_term_field_data',
      field: 'vid',
      plugin_id: 'vocabulary_vid',
      default_action: 'not found',
    };
    const given = view('vocabulary', { arguments: { vid } }, {}, 'taxonomy_term_field_data');
    const { site: made, report } = await inViews(given);
    expect(made.lists.map(({ path }) => path)).toEqual(['/vocabulary/{vid}']);
    expect(report.partly.filter(({ lost }) => lost)).toEqual([]);
  });
});

describe('A folder of a module', () => {
  it('has the usual lists beside those of its views', async () => {
    const part = Object.fromEntries(Object.entries(smallSite).filter(([name]) => name !== 'core.extension'));
    const { site: made } = await imported({ ...part, 'views.view.v': view('api/ledgers', {}) });
    expect(made.lists.map(({ path }) => path)).toEqual([
      ...['/api/ledgers', '/node/{node}/media', '/node/{node}/members', '/term_from_uri', '/term_from_term_name'],
    ]);
  });
});
