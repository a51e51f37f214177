/** A site that is written as Drupal exports it, and imported again, is the same site. */
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { importSource } from '../../src/sites/sites.ts';
import { losesSomething } from '../../src/sites/drupal/report.ts';
import { loadSiteFolder } from '../../src/repository/repository-sites.ts';
import { loadSite } from '../support/site-sources.ts';
import { type Bundle, type FieldDefinition, memoryFolder, type Site } from '../../src/repository/repository.ts';
import { listFile, bundleFile, siteFile, vocabularyFile } from '../support/site-files.ts';
import { diskFolder } from '../../src/application/application-disk.ts';
import { builtInSite, describedSite, siteFolder, starterSiteFolder } from './built-in-site.ts';
import { exportedSite, type DescribedSite, type Objects } from './exported-site.ts';
import { imported } from './imported.ts';
import { inFolder, writeObjects } from './written-folder.ts';
import { hangMs } from '../support/hang.ts';

const builtIn = await builtInSite();

/** The default site takes any relator and shows some; a configuration can only say both together. */
const saidBundle = (bundle: Bundle): Bundle => {
  const saidField = (field: FieldDefinition): FieldDefinition =>
    field.type === 'typed_relation' && field.relations === undefined ? { ...field, shown: undefined } : field;
  return { ...bundle, fields: new Map([...bundle.fields].map(([name, field]) => [name, saidField(field)])) };
};

/** What a configuration says of a site. */
const said = ({ model, roles, resources, terms, beyond, ...site }: Site) => ({
  bundles: (['node', 'media', 'taxonomy_term'] as const).flatMap((type) => model.bundles(type).map(saidBundle)),
  roles: [...roles.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
  resources: [...resources].sort(([a], [b]) => (a < b ? -1 : 1)),
  terms: [...terms].sort((a, b) => a.tid - b.tid),
  // No installation has linksets, so no configuration says that they are on.
  ...{
    beyond: { ...beyond, linkset: undefined },
    name: site.name,
    langcode: site.langcode,
    languages: [...site.languages].sort(),
  },
  ...{ flood: site.flood, defaultScheme: site.defaultScheme, tokenSeconds: site.tokenSeconds, modules: site.modules },
  paths: site.lists.map(({ path }) => path).sort(),
  ...{ linkHeaders: site.linkHeaders, suffix: site.jsonldFormatSuffix, textFormats: site.textFormats },
  htmlFormats: [...site.htmlFormats].sort(),
});

const byPath = ({ lists }: Site) =>
  [...lists]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    // A view has no list without the value of an argument, so none says that such a list is empty.
    .map((list) => ({
      ...list,
      parameters: list.parameters.map((one) => ({ ...one, isPartOfAddress: one.isRequired })),
    }));

/** What the name of a scheme says of a storage. */
const placeOf = ({ scheme, prefix, access }: Site['storages'][number]) => ({ scheme, prefix, access });

describe('The export-shaped folder of the built-in site', () => {
  it('imports to the built-in site, and nothing is lost', async () => {
    const { site, report } = await imported(exportedSite(builtIn));
    const original = await loadSite(siteFolder);
    expect(said(site)).toEqual(said(original));
    expect(site.storages.map(placeOf)).toEqual(original.storages.map(placeOf));
    expect(report.partly).toEqual([]);
    expect(losesSomething(report)).toBe(false);
  });
});

describe('The export-shaped folder of the starter site', () => {
  /** Files beside those that make the site, to the number of the real one. Every second is of a kind that is read. */
  const besides = (count: number): Objects =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `core.entity_${index % 2 === 0 ? 'form' : 'view'}_display.paragraph.page.mode_${index}`,
        {
          ...{ targetEntityType: 'paragraph', bundle: 'page', mode: `mode_${index}` },
          content: Object.fromEntries(
            ['title', 'status', 'created', 'uid', 'promote', 'sticky'].map((name, weight) => [
              name,
              { type: 'textfield', region: 'content', weight, settings: { size: 60 }, third_party_settings: {} },
            ]),
          ),
        },
      ]),
    );

  it('imports to the starter site, all 845 files', async () => {
    const { siteFiles, report, seconds } = await inFolder(async (folder) => {
      const objects = exportedSite(await describedSite(starterSiteFolder));
      await writeObjects(folder, { ...objects, ...besides(845 - Object.keys(objects).length) });
      const before = process.cpuUsage();
      const made = await importSource({ folders: [folder], terms: [] });
      const { user, system } = process.cpuUsage(before);
      return { ...made, seconds: (user + system) / 1_000_000 };
    });
    const site = await loadSiteFolder(memoryFolder('starter', siteFiles, diskFolder(siteFolder)));
    // What the site does by itself, and its import, is in `living.test.ts`.
    const folder = { ...diskFolder(starterSiteFolder), has: () => Promise.resolve(false) };
    const original = await loadSiteFolder(folder);
    expect(said(site)).toEqual(said(original));
    expect(byPath(site)).toEqual(byPath(original));
    expect(report).toMatchObject({ taken: { fields: 140, terms: 910 }, notJudged: [] });
    expect(losesSomething(report)).toBe(false);
    // The time of the processor, because other tests run beside this one.
    expect(seconds * 1000).toBeLessThan(hangMs);
  });
});

const label = fc.stringMatching(/^[A-Z][a-z]{2,9}( [a-z]{2,7})?$/);
const names = (pattern: RegExp) => fc.uniqueArray(fc.stringMatching(pattern), { minLength: 1, maxLength: 3 });

/** A field with settings that fit its type. */
const field = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'edtf'), max_length: fc.integer({ min: 1, max: 900 }) }),
  fc.record({ type: fc.constant('integer'), min: fc.integer({ min: -9, max: 0 }), unsigned: fc.constant(true) }),
  fc.record({ type: fc.constant('boolean'), default: fc.constantFrom([{ value: true }], [{ value: false }]) }),
  fc.record({
    type: fc.constant('list_string'),
    allowed_values: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), label, { minKeys: 1, maxKeys: 4 }),
  }),
  fc.record({ type: fc.constant('list_integer'), allowed_values: fc.constant({ 1: 'one', 2: 'two' }) }),
  fc.record({
    type: fc.constant('decimal'),
    precision: fc.integer({ min: 5, max: 12 }),
    scale: fc.integer({ min: 0, max: 5 }),
  }),
  fc.record({
    type: fc.constant('typed_relation'),
    target: fc.constant('taxonomy_term'),
    bundles: fc.constantFrom(['harbours'], []),
    relations: names(/^relators:[a-z]{3}$/),
  }),
  fc.record({
    type: fc.constant('entity_reference'),
    target: fc.constantFrom('node', 'media', 'taxonomy_term', 'user'),
  }),
  fc.record({ type: fc.constantFrom('text', 'text_long', 'text_with_summary'), formats: fc.constant(['plain_text']) }),
  fc.record({
    type: fc.constantFrom('file', 'media_track'),
    extensions: names(/^[a-z0-9]{2,4}$/),
    scheme: fc.constantFrom('public', 'fedora'),
  }),
  fc.record({ type: fc.constant('image'), alt_required: fc.constant(true), scheme: fc.constant('fedora') }),
  fc.record({
    type: fc.constant('link'),
    link: fc.constantFrom('internal', 'external'),
    link_title: fc.constantFrom('disabled', 'required'),
  }),
  fc.record({ type: fc.constant('authority_link'), sources: fc.constant({ gnd: 'GND', other: 'Other' }) }),
  fc.record({ type: fc.constant('datetime'), date_only: fc.constant(true) }),
  fc.record({ type: fc.constantFrom('email', 'geolocation', 'name', 'comment', 'float', 'timestamp', 'string_long') }),
);

const fields = fc.dictionary(
  fc.stringMatching(/^field_[a-z]{3,8}$/),
  fc
    .tuple(
      field,
      fc.record({
        label,
        cardinality: fc.constantFrom(1, 4, 'unlimited' as const),
        required: fc.boolean(),
        translatable: fc.boolean(),
        access: fc.constantFrom('public', 'private', 'custom'),
      }),
    )
    .map(([special, shared]) => ({ ...shared, ...special })),
  { maxKeys: 6 },
);

/** A list of the content type, with conditions, an order, columns and pages. */
const list = fc
  .record({
    where: fc.constantFrom({}, { status: true }, { title: 'Harbour' }),
    sort: fc.subarray(['title', '-created']),
    parameters: fc.constantFrom({}, { kind: 'type' }, { title: { field: 'title', required: true } }),
    fields: fc.constantFrom(undefined, { nid: 'nid', name: 'title' }),
    largest: fc.constantFrom(undefined, 40),
    size: fc.constantFrom(7, 'all' as const),
    permissions: fc.constantFrom([], ['manage members']),
    providers: fc.subarray(['basic_auth', 'jwt_auth', 'cookie'] as const, { minLength: 1 }),
  })
  .map(({ fields, largest, size, ...rest }) =>
    v.parse(listFile, {
      ...{ path: '/api/ledgers/{uid}', label: 'Ledgers', entity_type: 'node', arguments: { uid: 'uid' }, ...rest },
      ...{ page_size: size, ...(size === 'all' || largest === undefined ? {} : { largest_page: largest }) },
      ...(fields === undefined ? { formats: ['jsonld', 'json'] } : { fields }),
    }),
  );

const described: fc.Arbitrary<DescribedSite> = fc
  .record({
    nodeFields: fields,
    termFields: fields,
    newRevision: fc.boolean(),
    formats: fc.constantFrom({}, { text_formats: { plain_text: { html: false }, rich: { html: true } } }),
    graph: fc.constantFrom({}, { jsonld: {} }, { jsonld: { self: ['dc:title', 'schema:sameAs'] } }),
    language: fc.boolean(),
    overrides: fc.constantFrom({}, { promote: { default: [{ value: false }] } }, { title: { label: 'Heading' } }),
    terms: fc.uniqueArray(label, { maxLength: 5 }),
    lists: fc.array(list, { maxLength: 1 }),
  })
  .map(({ nodeFields, termFields, formats, graph, newRevision, language, overrides, terms, lists }) => ({
    ...builtIn,
    lists,
    general: v.parse(siteFile, { ...builtIn.general, ...formats }),
    bundles: [
      v.parse(bundleFile, {
        ...{ entity_type: 'node', id: 'ledger', label: 'Ledger', uuid: '11111111-2222-4333-8444-555555555501' },
        ...{ fields: nodeFields, new_revision: newRevision, language_alterable: language, base_fields: overrides },
        ...graph,
        rdf: { types: ['schema:Book'], fields: { title: 'dc:title', changed: ['schema:dateModified', 'dc:modified'] } },
      }),
    ],
    vocabularies: [
      v.parse(vocabularyFile, {
        ...{ id: 'harbours', label: 'Harbours', uuid: '11111111-2222-4333-8444-555555555503', fields: termFields },
        terms: terms.map((name, index) => ({
          ...{ tid: 700 + index, uuid: `11111111-2222-4333-8444-55555555560${index}`, name, langcode: 'en' },
          ...(index === 0 ? {} : { parent: [700], weight: index }),
        })),
      }),
    ],
  }));

/** The described site itself, without an import. */
const loaded = (site: DescribedSite): Promise<Site> => {
  const files = new Map<string, unknown>([
    ['site.yml', site.general],
    ['accounts.yml', { accounts: [] }],
    ...site.bundles.map((bundle) => [`bundles/${bundle.entity_type}.${bundle.id}.yml`, bundle] as const),
    ...site.vocabularies.map((vocabulary) => [`vocabularies/${vocabulary.id}.yml`, vocabulary] as const),
    ...site.roles.map((role) => [`roles/${role.id}.yml`, role] as const),
    ...site.resources.map((resource) => [`resources/entity.${resource.resource}.yml`, resource] as const),
    ...site.lists.map((list, index) => [`lists/list_${index}.yml`, list] as const),
  ]);
  return loadSiteFolder(memoryFolder('described', files, diskFolder(siteFolder)));
};

describe('Any description', () => {
  it('becomes a folder that imports to the described site, and nothing is lost', async () => {
    const property = fc.asyncProperty(described, async (site) => {
      const { report, site: made } = await imported(exportedSite(site));
      expect(report).toMatchObject({ partly: [], notJudged: [] });
      const original = await loaded(site);
      expect(said(made)).toEqual(said(original));
      expect(byPath(made)).toEqual(byPath(original));
    });
    await fc.assert(property, { numRuns: 60 });
  });
});
