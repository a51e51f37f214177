/** The `jsonld` format against what was recorded. */
import { describe, expect, it } from '@jest/globals';
import { createModel, type Site } from '../../src/repository/repository.ts';
import { renderJsonLd } from '../../src/repository/repository-content.ts';
import { otherSite } from '../content/other-sites.ts';
import { exchange, recording } from '../contract/recordings/exchanges.ts';
import { asBody, asJson, entityOf, seededTerm, site, recordsOf, targetsOfBody } from './recorded.ts';
import type { Entity, Fields } from '../../src/openapi/openapi-records.ts';
import type { JsonObject } from '../../src/basics/json.ts';

const baseUrl = 'http://localhost:8000';
const context = { site, baseUrl };
const all = (['node', 'media', 'file', 'taxonomy_term', 'user'] as const).flatMap((type) => site.model.bundles(type));
/** In the observed set-up resource types had no mapping (reference 6). */
const observedSite: Site = {
  ...site,
  model: createModel(all.map((bundle) => (bundle.id === 'resource_types' ? { ...bundle, rdf: undefined } : bundle))),
};
const terms = 'observed-terms-login-cookie-fileupload';
const dangling = 'observed-deletes-dangling-unpublished';

const seconds = (time: string): number => Date.parse(time) / 1000;
const times = (created: string, changed: string): Fields => ({
  created: [{ value: seconds(created) }],
  changed: [{ value: seconds(changed) }],
});
const user = (id: number): Entity => ({ type: 'user', id, uuid: `user-${id}`, bundle: 'user', fields: {} });
const node = (id: number, title: string, fields: Fields = {}): Entity => ({
  type: 'node',
  id,
  uuid: `node-${id}`,
  bundle: 'islandora_object',
  fields: { langcode: [{ value: 'en' }], title: [{ value: title }], ...fields },
});

describe('jsonld equals the recordings', () => {
  it('node 65, with an unmapped resource type', async () => {
    const record = asBody(exchange('observed-link-headers', 'node links as anonymous').response.body);
    const records = recordsOf(targetsOfBody(record));
    const graph = renderJsonLd(entityOf(record), { site: observedSite, baseUrl, records });
    expect(graph).toEqual(exchange('observed-link-headers', 'node links jsonld').response.body);
  });

  it('term 24', async () => {
    const record = asBody(exchange(terms, 'term json anon').response.body);
    const graph = renderJsonLd(entityOf(record), { ...context, records: recordsOf([]) });
    expect(graph).toEqual(exchange(terms, 'term jsonld anon').response.body);
  });

  it('media 17, which speaks about its file', async () => {
    const file: Entity = {
      type: 'file',
      id: 14,
      uuid: 'file-14',
      bundle: 'file',
      fields: { uri: [{ value: 'public://2024-01/pic.png' }] },
    };
    const media: Entity = {
      type: 'media',
      id: 17,
      uuid: 'media-17',
      bundle: 'image',
      fields: {
        ...times('2026-11-20T22:12:57Z', '2026-11-20T22:12:57Z'),
        uid: [{ target_id: 2 }],
        name: [{ value: 'pic.png' }],
        field_height: [{ value: 48 }],
        field_width: [{ value: 64 }],
        field_mime_type: [{ value: 'image/png' }],
        field_media_of: [{ target_id: 56 }],
        field_media_use: [{ target_id: 19 }],
        field_media_image: [{ target_id: 14 }],
      },
    };
    const records = recordsOf([file, user(2), node(56, 'Upload target'), seededTerm(19)]);
    const recorded = asJson(exchange(terms, 'media jsonld').response.body);
    expect(renderJsonLd(media, { ...context, records })).toEqual(recorded);

    const alone = renderJsonLd(media, { ...context, records: recordsOf([seededTerm(19)]) });
    const itself = { '@id': 'http://localhost:8000/media/17' };
    expect(alone['@graph']).toMatchObject([
      { ...itself, 'http://www.iana.org/assignments/relation/describedby': [itself] },
    ]);
  });

  it('a node whose references are dead, and one that refers to a hidden node', async () => {
    const fields = { uid: [{ target_id: 1 }], field_extent: [{ value: '1 item' }], field_model: [{ target_id: 24 }] };
    const child = node(100, 'Child', {
      ...fields,
      ...times('2026-11-20T22:25:54Z', '2026-11-20T22:25:54Z'),
      field_member_of: [{ target_id: 99 }],
      field_resource_type: [{ target_id: 31 }],
    });
    const referring = node(103, 'refs unpub', {
      ...fields,
      ...times('2026-11-20T22:25:58Z', '2026-11-20T22:25:58Z'),
      field_member_of: [{ target_id: 102 }],
    });
    const records = recordsOf([user(1), seededTerm(24), node(102, 'hidden', { status: [{ value: false }] })]);
    expect(renderJsonLd(child, { ...context, records })).toEqual(
      exchange(dangling, 'jsonld w/ dangling').response.body,
    );
    expect(renderJsonLd(referring, { ...context, records })).toEqual(
      exchange(dangling, 'jsonld to unpub (anon)').response.body,
    );
  });

  it('the documented node with the format suffix, but for its older sameAs', async () => {
    const record = node(3, 'Custom item', {
      ...times('2019-03-01T19:42:54Z', '2019-03-01T19:43:12Z'),
      uid: [{ target_id: 1 }],
      field_extent: [{ value: '1 item' }],
    });
    const graph = renderJsonLd(record, {
      site: { ...site, jsonldFormatSuffix: true },
      baseUrl,
      records: recordsOf([user(1)]),
    });
    const sameAs = { 'http://schema.org/sameAs': [{ '@id': 'http://localhost:8000/node/3?_format=jsonld' }] };
    const [subject, ...rest] = asJson(recording('docs-node-jsonld-3'))['@graph'] as object[]; // the sample's known shape
    expect(graph).toEqual({ '@graph': [{ ...subject, ...sameAs }, ...rest] });
  });

  it('the documented node with an EDTF date, but for sameAs and the language prefix of users', async () => {
    const host = 'http://future.islandora.ca';
    const record = node(8, 'lasmomias de uninpahu', {
      ...times('2019-06-04T14:32:05Z', '2019-06-04T17:02:51Z'),
      langcode: [{ value: 'fa' }],
      uid: [{ target_id: 1 }],
      field_description: [{ value: 'mpermmbklmh' }],
      field_edtf_date_created: [{ value: '2015-10-15' }],
      field_extent: [{ value: '1 item' }],
      field_member_of: [{ target_id: 7 }],
      field_resource_type: [{ target_id: 3 }],
      field_subject: [{ target_id: 27 }],
    });
    const subjectTerm = { ...seededTerm(27), bundle: 'subject' };
    const records = recordsOf([user(1), node(7, 'Collection'), seededTerm(3), subjectTerm]);
    const graph = renderJsonLd(record, { site, baseUrl: host, records });
    const text = JSON.stringify(recording('docs-node-jsonld-linked-data')).replaceAll('/en/user/', '/user/');
    const [subject, ...rest] = asJson(JSON.parse(text))['@graph'] as object[]; // the sample's known shape
    const sameAs = { 'http://schema.org/sameAs': [{ '@id': `${host}/node/8` }] };
    expect(graph).toEqual({ '@graph': [{ ...subject, ...sameAs }, ...rest] });
  });
});

describe('jsonld beyond the recordings', () => {
  it.each([
    ['person', 'Person'],
    ['corporate_body', 'Organization'],
    ['family', 'Organization'],
    ['subject', 'Thing'],
    ['resource_types', 'Thing'],
  ])('a term of %s is a %s of schema.org, with its name and description only', async (bundle, type) => {
    const fields = { name: [{ value: 'N' }], description: [{ value: 'D', format: null }], changed: [{ value: 0 }] };
    expect(renderJsonLd({ ...seededTerm(34), bundle, fields }, { ...context, records: recordsOf([]) })).toEqual({
      '@graph': [
        {
          '@id': 'http://localhost:8000/taxonomy/term/34',
          '@type': [`http://schema.org/${type}`],
          'http://schema.org/name': [{ '@value': 'N', '@language': 'en' }],
          'http://schema.org/description': [{ '@value': 'D', '@language': 'en' }],
        },
      ],
    });
  });

  it('a file is its content URL, with the odd second member', async () => {
    const file = entityOf(asBody(recording('docs-file-get-2-fedora')));
    const url = 'http://localhost:8000/_flysystem/fedora/2019-03/Louis_Riel.jpg';
    expect(renderJsonLd(file, { ...context, records: recordsOf([]) })).toEqual({
      '@graph': [{ '@id': url, '@type': 'http://localhost:8000/rest/type/file/file' }],
      uri: [{ value: url }],
    });
  });

  it('an agent stands under its relation, though its field is not mapped', async () => {
    const agents = [
      { target_id: 34, rel_type: 'relators:aut' },
      { target_id: 35, rel_type: 'relators:aut' },
      { target_id: 36, rel_type: 'unknown:aut' },
      { target_id: 999, rel_type: 'relators:pht' },
    ];
    const records = recordsOf([34, 35, 36].map((tid) => seededTerm(tid)));
    const graph = renderJsonLd(node(1, 'T', { field_linked_agent: agents }), { ...context, records });
    const [subject, ...rest] = graph['@graph'] as object[]; // a graph is a list of objects
    const [first, second] = [34, 35].map((tid) => ({ '@id': `http://localhost:8000/taxonomy/term/${tid}` }));
    expect(subject).toMatchObject({ 'http://id.loc.gov/vocabulary/relators/aut': [first, second] });
    expect(rest).toEqual([]);
    // A prefix that the site does not know stays, as does a name without one.
    expect(subject).toMatchObject({ 'unknown:aut': [{ '@id': 'http://localhost:8000/taxonomy/term/36' }] });
    expect(JSON.stringify(subject)).not.toMatch(/pht/);
  });

  it('a relation named like a keyword of JSON-LD is left out', () => {
    const agents = ['@id', '@type', 'nope'].map((relation) => ({ target_id: 34, rel_type: relation }));
    const records = recordsOf([seededTerm(34)]);
    const graph = renderJsonLd(node(1, 'T', { field_linked_agent: agents }), { ...context, records });
    expect((graph['@graph'] as object[])[0]).toMatchObject({
      '@id': 'http://localhost:8000/node/1',
      '@type': ['http://pcdm.org/models#Object'],
      nope: [{ '@id': 'http://localhost:8000/taxonomy/term/34' }],
    });
  });

  it('what is referred to twice stands once under a predicate of the mapping, as often as it is said under a relation', () => {
    const terms = [10, 10, 11, 10].map((id) => ({ target_id: id }));
    const agents = [34, 34].map((id) => ({ target_id: id, rel_type: 'relators:aut' }));
    const record = node(1, 'T', { field_resource_type: terms, field_subject: terms, field_linked_agent: agents });
    const records = recordsOf([10, 11, 34].map((tid) => seededTerm(tid)));
    const graph = renderJsonLd(record, { ...context, records });
    const [subject] = graph['@graph'] as Record<string, { '@id': string }[]>[]; // predicates with references
    const idsUnder = (predicate: string) => subject?.[predicate]?.map(({ '@id': id }) => Number(id.split('/').at(-1)));
    expect(idsUnder('http://purl.org/dc/terms/type')).toEqual([10, 11]);
    expect(idsUnder('http://purl.org/dc/terms/subject')).toEqual([10, 11]);
    expect(idsUnder('http://id.loc.gov/vocabulary/relators/aut')).toEqual([34, 34]);
  });

  const xsd = 'http://www.w3.org/2001/XMLSchema#';
  const datesOf = async (...values: string[]) => {
    const record = node(1, 'T', { field_edtf_date: values.map((value) => ({ value })) });
    const graph = renderJsonLd(record, { ...context, records: recordsOf([]) });
    const [subject] = graph['@graph'] as Record<string, { '@value': string; '@type': string }[]>[]; // the mapped predicate
    return subject?.['http://purl.org/dc/terms/date']?.map((date) => [date['@value'], date['@type'].replace(xsd, '')]);
  };

  it.each([
    ['2015-10-15', '2015-10-15', 'date'],
    ['2015-10', '2015-10', 'gYearMonth'],
    ['2015', '2015', 'gYear'],
    ['1984?', '1984', 'gYear'],
    ['2001-21', '2001-03', 'gYearMonth'],
    ['2001-29', '2001-09', 'gYearMonth'],
    ['1964/2008', '1964', 'gYear'],
    ['1964-~06-1X/2008', '1964-06-10', 'date'],
    ['[..1667,1668]', '', 'gYear'],
    ['{1667-0X..1668}', '1667-00', 'gYearMonth'],
    ['/2008', '', 'gYear'],
    ['198X-XX-XX', '1980-01-01', 'date'],
    ['1985-04-12T23:20:30Z', '1985-04-12', 'date'],
    ['-0044', '-0044', 'gYearMonth'],
    ['Y1984-40', '1984-01', 'gYearMonth'],
    ['not a date', '', 'gYear'],
  ])('the date %s is written as %s, a text and a %s', async (value, date, type) => {
    expect(await datesOf(value)).toEqual([
      [date, 'string'],
      [date, type],
    ]);
  });

  it('a date whose mapping makes no date of it keeps its text, and is typed after that', () => {
    const bundle = site.model.bundle('node', 'islandora_object');
    if (bundle?.rdf === undefined) throw new Error('no mapping');
    const rdf = { ...bundle.rdf, asWritten: new Set(['field_edtf_date']) };
    const asWritten = { ...site, model: createModel([{ ...bundle, rdf }]) };
    const record = node(1, 'T', { field_edtf_date: [{ value: '194X' }] });
    const graph = renderJsonLd(record, { ...context, site: asWritten, records: recordsOf([]) });
    expect((graph['@graph'] as Record<string, unknown>[])[0]?.['http://purl.org/dc/terms/date']).toEqual([
      { '@value': '194X', '@type': `${xsd}string` },
      { '@value': '1940', '@type': `${xsd}gYear` },
    ]);
  });

  it('a value under a name whose prefix no module declares has no type', () => {
    const bundle = site.model.bundle('node', 'islandora_object');
    if (bundle?.rdf === undefined) throw new Error('no mapping');
    const rdf = { ...bundle.rdf, fields: new Map([['field_extent', ['dbpedia:isbn']]]) };
    const namespaces = new Map([...site.namespaces, ['dbpedia', 'dbpedia:']]);
    const undeclared = { ...site, namespaces, model: createModel([{ ...bundle, rdf }]) };
    const record = node(1, 'T', { field_extent: [{ value: '978-3' }] });
    const graph = renderJsonLd(record, { ...context, site: undeclared, records: recordsOf([]) });
    expect((graph['@graph'] as Record<string, unknown>[])[0]?.['dbpedia:isbn']).toEqual([{ '@value': '978-3' }]);
  });

  it('fields of other sites have the types of their values, and compound ones none', async () => {
    const kept: Readonly<Record<string, JsonObject>> = {
      authority: { uri: 'http://viaf.org/1', title: null, options: [], source: 'viaf' },
      comment: { status: 2 },
      date: { value: '2020-02-03T04:05:06' },
      decimal: { value: '1.50' },
      email: { value: 'a@example.org' },
      float: { value: 0.5 },
      level: { value: 2 },
      name: { given: 'Ada' },
      or_rights: { value: 'open' },
      place: { lat: 1, lng: 2 },
      summary: { value: null, summary: 'S' },
      text: { value: 'T', format: null },
      unknown: { a: 1 },
    };
    const changed = otherSite(site);
    const bundle = changed.model.bundle('node', 'islandora_object');
    if (bundle === undefined) throw new Error('no objects');
    const names = Object.keys(kept);
    const rdf = {
      types: ['x:T'],
      asWritten: new Set<string>(),
      fields: new Map(names.map((name) => [`field_other_${name}`, [`x:${name}`]])),
    };
    const mapped: Site = { ...changed, model: createModel([{ ...bundle, rdf }]) };
    const fields = Object.fromEntries(names.map((name) => [`field_other_${name}`, [kept[name] ?? {}]]));
    const { '@graph': graph } = renderJsonLd(node(1, 'T', fields), { site: mapped, baseUrl, records: recordsOf([]) });
    const typed = (value: string, type: string) => [
      { '@value': value, '@type': `http://www.w3.org/2001/XMLSchema#${type}` },
    ];
    expect(graph).toEqual([
      {
        '@id': 'http://localhost:8000/node/1',
        '@type': ['x:T'],
        'x:authority': [{ '@id': 'http://viaf.org/1' }],
        'x:date': typed('2020-02-03T04:05:06', 'dateTime'),
        'x:decimal': typed('1.50', 'decimal'),
        'x:email': typed('a@example.org', 'string'),
        'x:float': typed('0.5', 'float'),
        'x:level': typed('2', 'int'),
        'x:or_rights': typed('open', 'string'),
        'x:text': typed('T', 'string'),
        'http://schema.org/sameAs': [{ '@id': 'http://localhost:8000/node/1' }],
      },
    ]);
  });

  it('years that are too long have no typed form; all texts come before all typed dates', async () => {
    expect(await datesOf('Y19840', 'Y2E5', '1984~')).toEqual([
      ...['19840', '200000', '1984'].map((date) => [date, 'string']),
      ...['', '', '1984'].map((date) => [date, 'gYear']),
    ]);
  });

  it('a node that is a member of itself is in its graph once', async () => {
    const record = node(5, 'T', { field_member_of: [{ target_id: 5 }] });
    const graph = renderJsonLd(record, { ...context, records: recordsOf([record]) });
    expect(graph['@graph']).toHaveLength(1);
    expect(JSON.stringify(graph)).toContain(
      '"http://pcdm.org/models#memberOf":[{"@id":"http://localhost:8000/node/5"}]',
    );
  });

  it.each(['javascript:alert(1)', '/relative', 'ftp://example.org/x', 'http://'])(
    'a model with the external URI %s adds no type',
    async (uri) => {
      const model = { ...seededTerm(24), fields: { name: [{ value: 'M' }], field_external_uri: [{ uri }] } };
      const record = node(5, 'T', { field_model: [{ target_id: 24 }] });
      const graph = renderJsonLd(record, { ...context, records: recordsOf([model]) });
      expect(graph['@graph']).toMatchObject([{ '@type': ['http://pcdm.org/models#Object'] }]);
    },
  );
});
