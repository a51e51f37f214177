/** What is said of two sites by their documents and besides them, for each kind of change, and whom it breaks. */
import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { createModel, type Bundle, type FieldDefinition } from '../../src/core/model/bundle.ts';
import { loadSite } from '../../src/server/site-folders/disk-site.ts';
import type { ListColumn, RecordList } from '../../src/core/site/record-list.ts';
import type { Role, Site } from '../../src/core/site/site.ts';
import { withDocuments } from '../../src/checks/target/compared-source.ts';
import { compareSources, type DiffReport } from '../../src/sites/document-diff/diff-report.ts';
import { compareSites } from '../../src/sites/site-diff/compare-sites.ts';
import { root } from '../support/atoll.ts';

const site = await loadSite(join(root, 'data/site'));
const everyBundle = (['node', 'media', 'taxonomy_term', 'file', 'user'] as const).flatMap((type) =>
  site.model.bundles(type),
);

const withBundle = (id: string, change: (bundle: Bundle) => Bundle | undefined): Site => ({
  ...site,
  model: createModel(everyBundle.flatMap((bundle) => (bundle.id === id ? (change(bundle) ?? []) : bundle))),
});
const plain: FieldDefinition = {
  ...{
    name: 'field_x',
    label: 'X',
    type: 'string',
    cardinality: 1,
    required: false,
    configured: true,
    translatable: false,
  },
};
/** The default site whose content type has `field_x` in this form, or lacks it. */
const withField = (traits: Partial<FieldDefinition> | undefined): Site =>
  withBundle('islandora_object', (bundle) => ({
    ...bundle,
    fields: new Map([
      ...bundle.fields,
      ...(traits === undefined ? [] : [['field_x', { ...plain, ...traits }] as const]),
    ]),
  }));
const said = (before: Site, after: Site): string[] =>
  compareSites(before, after).map(({ subject, change, breaks }) => `${subject} ${change} [${breaks.join(' ')}]`);

/** What the documents say, then what is said besides them. Changes of HEAD, which are those of GET, are left out. */
const compared = async (before: Site, after: Site): Promise<string[]> => {
  const [old, now] = await withDocuments({ root, site: undefined }, [before, after]);
  const { document, site: others = [] }: DiffReport = compareSources(
    { ...old, name: 'before' },
    { ...now, name: 'after' },
    'client',
  );
  return [...document, ...others]
    .filter(({ subject }) => !subject.startsWith('head'))
    .map(({ kind, subject, place, change }) => [kind, subject, place, change].filter((part) => part !== '').join(' '));
};

type Traits = Partial<FieldDefinition> | undefined;
const terms = (...bundles: string[]): Traits => ({
  type: 'entity_reference',
  target: { type: 'taxonomy_term', bundles },
});

/** A change of a field as the schemas of its bundle show it, and the same change backwards. */
const [sent, shown] = ['NodeIslandoraObjectCreate .field_x', 'NodeIslandoraObjectRecord .field_x'];
const shownChanges: readonly (readonly [Traits, Traits, readonly string[], readonly string[]])[] = [
  [
    undefined,
    {},
    [`harmless ${sent} is new`, `harmless ${shown} is new and promised`],
    [`breaking ${sent} is gone`, `breaking ${shown} is gone`],
  ],
  [
    undefined,
    { required: true },
    [`breaking ${sent} is demanded now`, `harmless ${shown} is new and promised`],
    [`breaking ${sent} is gone`, `breaking ${shown} is gone`],
  ],
  [
    undefined,
    { required: true, default: [{ value: 'a' }] },
    [`harmless ${sent} is new`, `harmless ${shown} is new and promised`],
    [`breaking ${sent} is gone`, `breaking ${shown} is gone`],
  ],
  [
    {},
    { required: true },
    [`breaking ${sent} is demanded now`, `breaking ${sent} takes fewer items than 1 no longer`],
    [`harmless ${sent} may be left out now`, `harmless ${sent} takes fewer items than 1 now`],
  ],
  [
    {},
    { cardinality: 3 },
    [`breaking ${shown} may give more items than 1`, `harmless ${sent} takes more items than 1 now`],
    [`breaking ${sent} takes more items than 1 no longer`, `harmless ${shown} gives more items than 1 no longer`],
  ],
  [
    { maxLength: 20 },
    { maxLength: 10 },
    [
      `breaking ${sent}[].value takes texts longer than 10 no longer`,
      `harmless ${shown}[].value gives texts longer than 10 no longer`,
    ],
    [
      `breaking ${shown}[].value may give texts longer than 10`,
      `harmless ${sent}[].value takes texts longer than 10 now`,
    ],
  ],
  [
    { type: 'integer', min: 1 },
    { type: 'integer', min: 2 },
    [
      `breaking ${sent}[].value takes numbers below 2 no longer`,
      `harmless ${shown}[].value gives numbers below 2 no longer`,
    ],
    [`breaking ${shown}[].value may give numbers below 2`, `harmless ${sent}[].value takes numbers below 2 now`],
  ],
  [
    {},
    { type: 'edtf' },
    [
      `breaking ${sent}[].value takes texts longer than 128 no longer`,
      `harmless ${shown}[].value gives texts longer than 128 no longer`,
    ],
    [
      `breaking ${shown}[].value may give texts longer than 128`,
      `harmless ${sent}[].value takes texts longer than 128 now`,
    ],
  ],
  [{}, { access: 'private' }, [`breaking ${shown} is not promised any more`], [`harmless ${shown} is promised now`]],
  [
    terms('subject', 'person'),
    terms('subject'),
    [`breaking ${sent} leads to taxonomy_term person no longer`],
    [`harmless ${sent} leads to taxonomy_term person now`],
  ],
];

describe('A change of a field that its schemas show', () => {
  it.each(shownChanges)('from %j to %j', async (before, after, forwards, backwards) => {
    expect(await compared(withField(before), withField(after))).toEqual(forwards);
    expect(await compared(withField(after), withField(before))).toEqual(backwards);
  });

  it('is said of its bundle, also where another bundle has the field', async () => {
    const page = (field: FieldDefinition): Bundle | undefined => {
      const [bundle] = site.model.bundles('node');
      return (
        bundle && { ...bundle, id: 'page', label: 'Page', fields: new Map([...bundle.fields, ['field_x', field]]) }
      );
    };
    const both = (field: FieldDefinition): Site => {
      const { model } = withField({});
      const bundles = (['node', 'media', 'taxonomy_term', 'file', 'user'] as const).flatMap((type) =>
        model.bundles(type),
      );
      return { ...site, model: createModel([...bundles, page(field)].flatMap((bundle) => bundle ?? [])) };
    };
    expect(await compared(both(plain), both({ ...plain, maxLength: 5 }))).toEqual([
      'breaking NodePageCreate .field_x[].value takes texts longer than 5 no longer',
      'harmless NodePageRecord .field_x[].value gives texts longer than 5 no longer',
    ]);
  });

  it('of its type names the place, and what each form has', async () => {
    const changes = await compared(withField({}), withField({ type: 'link' }));
    expect(changes).toEqual(
      expect.arrayContaining([
        `breaking ${sent}[].uri is demanded now`,
        `breaking ${sent}[].value is gone`,
        `breaking ${shown}[].value is gone`,
      ]),
    );
    expect(changes.filter((change) => !change.includes('.field_x'))).toEqual([]);
  });
});

/** A change of a field that no schema shows, and the same change backwards. */
const otherChanges: readonly (readonly [Traits, Traits, string, string])[] = [
  [{}, { label: 'Y' }, 'has the label "Y" instead of "X" []', 'has the label "X" instead of "Y" []'],
  [
    { type: 'image', extensions: ['png', 'jpg'] },
    { type: 'image', extensions: ['jpg'] },
    'has the extensions jpg instead of png, jpg [requests]',
    'has the extensions png, jpg instead of jpg []',
  ],
  [
    { type: 'typed_relation', relations: ['a'] },
    { type: 'typed_relation', relations: ['a', 'b'] },
    'has other relations []',
    'has other relations []',
  ],
  [
    { type: 'link', link: 'external' },
    { type: 'link', link: 'external', forms: { linkTitle: 'required' } },
    'has other link title []',
    'has other link title []',
  ],
  [
    { type: 'link' },
    { type: 'link', link: 'external' },
    'has the kind of links external [requests]',
    'has no kind of links any more []',
  ],
  [
    { type: 'decimal', precision: 10 },
    { type: 'decimal', precision: 5 },
    'has the number of digits 5 instead of 10 [requests]',
    'has the number of digits 10 instead of 5 []',
  ],
  [{}, { default: [{ value: 'a' }] }, 'has another default []', 'has another default []'],
  [
    { type: 'file', scheme: 'public' },
    { type: 'file', scheme: 'fedora' },
    'has other scheme []',
    'has other scheme []',
  ],
];

describe('A change of a field that no schema shows', () => {
  it.each(otherChanges)('from %j to %j', (before, after, forwards, backwards) => {
    const subject = 'node.islandora_object.field_x';
    expect(said(withField(before), withField(after))).toEqual([`${subject} ${forwards}`]);
    expect(said(withField(after), withField(before))).toEqual([`${subject} ${backwards}`]);
  });
});

const withRole = (id: string, change: (role: Role) => Role | undefined): Site => ({
  ...site,
  roles: new Map(
    [...site.roles].flatMap(([name, role]) => {
      const changed = name === id ? change(role) : role;
      return changed === undefined ? [] : [[name, changed] as const];
    }),
  ),
});
const node = site.resources.get('node');
const nodeMethods = (
  change: (methods: Map<string, { formats: readonly string[]; providers: readonly string[] }>) => void,
): Site => {
  const methods = new Map(node?.methods);
  change(methods);
  return { ...site, resources: new Map([...site.resources, ['node', { name: 'node', methods }]]) };
};

const withList = (path: string, change: (list: RecordList) => RecordList | undefined): Site => ({
  ...site,
  lists: site.lists.flatMap((list) => (list.path === path ? (change(list) ?? []) : [list])),
});
const nameColumn: ListColumn = { name: 'name', field: { name: 'filename', property: undefined }, form: 'text' };

const siteChanges: readonly (readonly [string, Site, readonly string[]])[] = [
  [
    'a language that nobody chooses',
    withBundle('islandora_object', (bundle) => ({ ...bundle, languageAlterable: false })),
    ['node.islandora_object lets nobody choose a language any more [requests]'],
  ],
  [
    'a type in JSON-LD',
    withBundle('image', (bundle) => ({
      ...bundle,
      rdf: { types: [], asWritten: new Set<string>(), fields: bundle.rdf?.fields ?? new Map() },
    })),
    ['media.image has no type http://pcdm.org/models#File in JSON-LD any more [answers]'],
  ],
  [
    'what JSON-LD has beside the mapping',
    withBundle('image', (bundle) => ({ ...bundle, graph: { typeFields: ['field_tags'], selfPredicates: [] } })),
    [
      'media.image takes no types in JSON-LD from field_media_use any more [answers]',
      'media.image takes types in JSON-LD from field_tags now []',
      'media.image names itself otherwise in JSON-LD [answers]',
    ],
  ],
  [
    'a lost permission',
    withRole('anonymous', (role) => ({
      ...role,
      permissions: role.permissions.filter((each) => each !== 'access content'),
    })),
    ['role.anonymous has lost the permission access content [requests]'],
  ],
  [
    'a new permission',
    withRole('anonymous', (role) => ({ ...role, permissions: [...role.permissions, 'fly'] })),
    ['role.anonymous has gained the permission fly []'],
  ],
  ['a role that is gone', withRole('editor', () => undefined), ['role.editor is gone [requests]']],
  [
    'the guards of a list',
    withList('/vocabulary', (list) => ({ ...list, permissions: ['administer taxonomy'], providers: ['basic_auth'] })),
    ['list./vocabulary is for those with administer taxonomy now [requests]'],
  ],
  [
    'the conditions and pages of a list',
    withList('/term_from_term_name', (list) => ({
      ...{ ...list, pageSize: 10, largestPage: undefined, limit: 5, formats: ['json', 'jsonld'] },
      parameters: list.parameters.map((parameter) => ({ ...parameter, isRequired: true })),
      order: [{ field: { name: 'name', property: undefined }, isDescending: false }],
    })),
    [
      'list./term_from_term_name is empty without vocab now [answers]',
      'list./term_from_term_name has smaller pages to choose [requests]',
      'list./term_from_term_name has other conditions [answers]',
      'list./term_from_term_name has another order [answers]',
      'list./term_from_term_name has pages of 10 instead of 50 [answers]',
    ],
  ],
  [
    'the columns of a list',
    withList('/checksum/{file}', (list) => ({
      ...list,
      columns: [{ name: 'sha1', field: { name: 'sha1', property: undefined }, form: 'raw' }, nameColumn],
    })),
    ['list./checksum/{file} shows sha1 otherwise [answers]'],
  ],
  [
    'a guarded storage',
    { ...site, storages: site.storages.map((mount) => ({ ...mount, access: 'guarded' as const })) },
    ['site.storages.public is guarded: not everybody reads its files any more [requests]'],
  ],
  ['a smaller limit', { ...site, maxJsonBytes: 10 }, ['site.limits.json_bytes is 10 instead of 1048576 [requests]']],
  ['a shorter lifetime', { ...site, tokenSeconds: 60 }, ['site.tokens.lifetime is 60 instead of 7200 []']],
  [
    'terms',
    { ...site, terms: site.terms.filter(({ tid }) => tid !== 16) },
    ['taxonomy_term.islandora_media_use.terms has lost Original File [requests answers]'],
  ],
  [
    'an id of a term',
    { ...site, terms: site.terms.map((term) => (term.tid === 16 ? { ...term, tid: 99 } : term)) },
    ['taxonomy_term.islandora_media_use.terms has other ids for Original File (99 instead of 16) [requests answers]'],
  ],
];

/** What the documents show of a site, as far as the first changes say. */
const documentChanges: readonly (readonly [string, Site, readonly string[]])[] = [
  [
    'a bundle that is gone',
    withBundle('video', () => undefined),
    [
      'breaking MediaVideoCreate is gone',
      'breaking MediaVideoRecord is gone',
      'breaking putNodeMedia path parameter media_type takes the value video no longer',
    ],
  ],
  [
    'a method',
    nodeMethods((methods) => methods.delete('PATCH')),
    ['breaking createNode 201 link change is gone', 'breaking updateNode is gone'],
  ],
  [
    'a format',
    nodeMethods((methods) =>
      methods.set('GET', { formats: ['json'], providers: [...(node?.methods.get('GET')?.providers ?? [])] }),
    ),
    [
      'breaking getNode query parameter _format has the format jsonld no longer',
      'breaking getNode 200 application/ld+json is gone',
    ],
  ],
  [
    'a provider',
    nodeMethods((methods) =>
      methods.set('GET', { formats: [...(node?.methods.get('GET')?.formats ?? [])], providers: ['cookie'] }),
    ),
    [
      'breaking getNode answer 401 is gone',
      'breaking getNode does not take basic_auth any more',
      'breaking getNode does not take jwt_auth any more',
    ],
  ],
  [
    'a provider of the upload for a field, which had no resource of its own before',
    {
      ...site,
      resources: new Map([
        ...site.resources,
        [
          'file_upload',
          { name: 'file_upload', methods: new Map([['POST', { formats: ['json'], providers: ['basic_auth'] }]]) },
        ],
      ]),
    },
    [
      'breaking uploadFile does not take jwt_auth any more',
      'breaking uploadFile does not take cookie and csrf any more',
    ],
  ],
  [
    'aliases that cannot be made any more',
    { ...site, resources: new Map([...site.resources].filter(([name]) => name !== 'path_alias')) },
    [
      'breaking createPathAlias is gone',
      'breaking getPathAlias is gone',
      'breaking updatePathAlias is gone',
      'breaking deletePathAlias is gone',
    ],
  ],
  [
    'a path',
    { ...site, beyond: { ...site.beyond, session_token_alias: false } },
    ['breaking getRestSessionToken is gone', 'breaking postRestSessionToken is gone'],
  ],
  ['a list that is gone', withList('/vocabulary', () => undefined), ['breaking listTermsOfVocabulary is gone']],
  [
    'the providers of a list',
    withList('/vocabulary', (list) => ({ ...list, providers: ['basic_auth'] })),
    ['breaking listTermsOfVocabulary does not take jwt_auth any more'],
  ],
  [
    'the parameters of a list',
    withList('/term_from_term_name', (list) => ({ ...list, parameters: list.parameters.slice(0, 1) })),
    ['breaking getTermFromTermName query parameter vocab is gone'],
  ],
  [
    'the records of a list',
    withList('/checksum/{file}', (list) => ({ ...list, columns: undefined })),
    ['breaking getChecksum 200 application/json[].sha1 is gone'],
  ],
  ['the address of media', { ...site, standaloneMedia: false }, ['breaking getMedia is gone']],
  ['links', { ...site, linkHeaders: false }, ['breaking getNode 200 header Link is not promised any more']],
  [
    'a language',
    { ...site, languages: site.languages.filter((each) => each !== 'fa') },
    ['breaking LanguageItem .value takes the value fa no longer'],
  ],
];

type Living = Site['living'];
const aliases = { patterns: [{ id: 'a', pattern: '/a' }] };
/** What a site does by itself, before and after. */
const livingChanges: readonly (readonly [string, Living, Living, string])[] = [
  [
    'a new pattern of aliases',
    {},
    { aliasPatterns: aliases },
    'aliasPatterns is new: the site has patterns of aliases now [answers]',
  ],
  [
    'another pattern of aliases',
    { aliasPatterns: aliases },
    { aliasPatterns: {} },
    'aliasPatterns has other patterns of aliases [answers]',
  ],
  [
    'OAI-PMH that is gone',
    { harvest: {} },
    {},
    'harvest is gone: the site has no settings of OAI-PMH any more [requests answers]',
  ],
  [
    'a new action after a write',
    { derivatives: {} },
    { derivatives: { target: 'x' } },
    'derivatives has other actions after a write []',
  ],
];

/** A role of the default site with one more permission, which the other site takes away. */
const losing = (permission: string, lists = site.lists): string[] => {
  const more = withRole('viewer', (role) => ({ ...role, permissions: [...role.permissions, permission] }));
  return said({ ...more, lists }, { ...site, lists });
};

describe('A change of a site that the documents show', () => {
  it.each(documentChanges)('%s', async (_what, changed, expected) => {
    expect((await compared(site, changed)).slice(0, expected.length)).toEqual(expected);
    expect(said(site, changed)).toEqual([]);
  });
});

describe('A change of a site that no document shows', () => {
  it.each(siteChanges)('%s', (_what, changed, expected) => expect(said(site, changed)).toEqual(expected));

  it.each(livingChanges)('%s', (_what, before, after, expected) =>
    expect(said({ ...site, living: before }, { ...site, living: after })).toEqual([`living.${expected}`]),
  );

  it('a lost permission breaks clients only where it decides something, be it in a list', () => {
    const guarded = site.lists.map((list) => ({ ...list, permissions: ['view reports'] }));
    expect([losing('edit any page content'), losing('view reports', guarded), losing('view reports')]).toEqual([
      ['role.viewer has lost the permission edit any page content [requests]'],
      ['role.viewer has lost the permission view reports [requests]'],
      ['role.viewer has lost, without an effect here, the permission view reports []'],
    ]);
  });
});

it('of a site and itself nothing is said', async () => expect(await compared(site, site)).toEqual([]));
