/** What is said of two sites by their documents and besides them, for each kind of change, and whom it breaks. */
import { describe, expect, it } from '@jest/globals';
import type { Bundle, Role, Site } from '../../src/repository/repository.ts';
import type { RecordList } from '../../src/repository/repository-sites.ts';
import { compared, pageWith, said, site, withBundle, withMore } from './two-sites.ts';

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
const nameColumn: NonNullable<RecordList['columns']>[number] = {
  name: 'name',
  field: { name: 'filename', property: undefined },
  form: 'text',
};

const otherUuid = '00000000-0000-4000-8000-000000000001';

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
  [
    'a term that has another uuid and id',
    { ...site, terms: site.terms.map((term) => (term.tid === 16 ? { ...term, tid: 99, uuid: otherUuid } : term)) },
    ['taxonomy_term.islandora_media_use.terms has another uuid and id for Original File [requests answers]'],
  ],
  [
    'a term that has another uuid',
    { ...site, terms: site.terms.map((term) => (term.tid === 16 ? { ...term, uuid: otherUuid } : term)) },
    ['taxonomy_term.islandora_media_use.terms has another uuid for Original File [requests answers]'],
  ],
  [
    'a term that is gone, and one with its name in another vocabulary',
    {
      ...site,
      terms: site.terms.map((term) => (term.tid === 16 ? { ...term, uuid: otherUuid, vocabulary: 'subject' } : term)),
    },
    [
      'taxonomy_term.islandora_media_use.terms has lost Original File [requests answers]',
      'taxonomy_term.subject.terms has gained Original File []',
    ],
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

describe('A bundle that is new', () => {
  const [terms] = site.model.bundles('taxonomy_term');
  const [media] = site.model.bundles('media');
  it.each<[string, Bundle | undefined, readonly string[]]>([
    ['content type', pageWith(), ['NodePageCreate is new', 'NodePageRecord is new']],
    [
      'vocabulary',
      terms && { ...terms, id: 'tags', fields: new Map() },
      ['TermTagsCreate is new', 'TermTagsRecord is new'],
    ],
    [
      'type of media',
      media && { ...media, id: 'film' },
      [
        'MediaFilmCreate is new',
        'MediaFilmRecord is new',
        'putNodeMedia path parameter media_type takes the value film now',
      ],
    ],
  ])('of a %s harms no client', async (_what, bundle, changes) => {
    if (bundle === undefined) throw new Error('The default site has no such bundle');
    const changed = withMore(site, bundle);
    expect(await compared(site, changed)).toEqual(changes.map((change) => `harmless ${change}`));
  });
});

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
