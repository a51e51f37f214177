/** What the comparison of two sites says of each kind of change, and whom it breaks. */
import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { createModel, type Bundle, type FieldDefinition } from '../../src/core/model/bundle.ts';
import { loadSite } from '../../src/server/site-folders/disk-site.ts';
import type { ListColumn, RecordList } from '../../src/core/site/record-list.ts';
import type { Role, Site } from '../../src/core/site/site.ts';
import { compareSites } from '../../src/sites/site-diff/compare-sites.ts';
import { differenceJson, differencePage, isBreaking } from '../../src/sites/site-diff/difference.ts';
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

type Traits = Partial<FieldDefinition> | undefined;
const terms = (...bundles: string[]): Traits => ({
  type: 'entity_reference',
  target: { type: 'taxonomy_term', bundles },
});

/** A change of a field, and the same change backwards. */
const fieldChanges: readonly (readonly [Traits, Traits, string, string])[] = [
  [undefined, {}, 'is new (string) []', 'is gone [requests answers]'],
  [undefined, { required: true }, 'is new and required (string) [requests]', 'is gone [requests answers]'],
  [undefined, { required: true, default: [{ value: 'a' }] }, 'is new (string) []', 'is gone [requests answers]'],
  [{}, { required: true }, 'is required now [requests]', 'is not required any more, so a record may lack it [answers]'],
  [
    {},
    { cardinality: 3 },
    'takes 3 values instead of 1 value [answers]',
    'takes 1 value instead of 3 values [requests]',
  ],
  [
    { cardinality: 3 },
    { cardinality: Infinity },
    'takes any number of values instead of 3 values []',
    'takes 3 values instead of any number of values [requests]',
  ],
  [{}, { label: 'Y' }, 'has the label "Y" instead of "X" []', 'has the label "X" instead of "Y" []'],
  [
    {},
    { type: 'link' },
    'is of type link instead of string [requests answers]',
    'is of type string instead of link [requests answers]',
  ],
  [{}, { type: 'edtf' }, 'is of type edtf instead of string [requests]', 'is of type string instead of edtf [answers]'],
  [
    { maxLength: 20 },
    { maxLength: 10 },
    'has the greatest length 10 instead of 20 [requests]',
    'has the greatest length 20 instead of 10 []',
  ],
  [{}, { maxLength: 10 }, 'has the greatest length 10 [requests]', 'has no greatest length any more []'],
  [
    { min: 1 },
    { min: 2 },
    'has the smallest value 2 instead of 1 [requests]',
    'has the smallest value 1 instead of 2 []',
  ],
  [{}, { unsigned: true }, 'has the smallest value 0 [requests]', 'has no smallest value any more []'],
  [
    { allowedValues: { a: 'A', b: 'B' } },
    { allowedValues: { a: 'A' } },
    'does not take values b any more [requests]',
    'takes values b now [answers]',
  ],
  [{}, { allowedValues: { a: 'A' } }, 'takes only values a now [requests]', 'takes any values now [answers]'],
  [
    { extensions: ['png', 'jpg'] },
    { extensions: ['jpg'] },
    'does not take extensions png any more [requests]',
    'takes extensions png now []',
  ],
  [
    { relations: ['a'] },
    { relations: ['a', 'b'] },
    'offers b in forms now []',
    'does not offer b in forms any more []',
  ],
  [
    {},
    { access: 'private' },
    'has private access instead of public [requests answers]',
    'has public access instead of private []',
  ],
  [
    { type: 'link', link: 'external' },
    { type: 'link', link: 'external', forms: { linkTitle: 'required' } },
    'has other link title in forms []',
    'has other link title in forms []',
  ],
  [{}, { link: 'external' }, 'takes only links external now [requests]', 'takes any links now []'],
  [{}, { default: [{ value: 'a' }] }, 'has another default []', 'has another default []'],
  [
    { scheme: 'public' },
    { scheme: 'fedora' },
    'keeps its files in fedora instead of public []',
    'keeps its files in public instead of fedora []',
  ],
  [
    terms('subject', 'person'),
    terms('subject'),
    'does not lead to person any more [requests]',
    'leads to person too []',
  ],
  [
    terms('subject'),
    { type: 'entity_reference', target: { type: 'node' } },
    'leads to node instead of taxonomy_term [requests answers]',
    'leads to taxonomy_term instead of node [requests answers]',
  ],
];

describe('A change of a field', () => {
  it.each(fieldChanges)('from %j to %j', (before, after, forwards, backwards) => {
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
  ['a bundle that is gone', withBundle('video', () => undefined), ['media.video is gone [requests answers]']],
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
    'a method',
    nodeMethods((methods) => methods.delete('PATCH')),
    ['resource.node.PATCH is not offered any more (405) [requests]'],
  ],
  [
    'a format',
    nodeMethods((methods) =>
      methods.set('GET', { formats: ['json'], providers: [...(node?.methods.get('GET')?.providers ?? [])] }),
    ),
    ['resource.node.GET does not have the format jsonld any more (406) [requests]'],
  ],
  [
    'a provider',
    nodeMethods((methods) =>
      methods.set('GET', { formats: [...(node?.methods.get('GET')?.formats ?? [])], providers: ['cookie'] }),
    ),
    ['resource.node.GET does not take basic_auth, jwt_auth any more (403) [requests]'],
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
    ['resource.file_upload.POST does not take jwt_auth, cookie any more (403) [requests]'],
  ],
  [
    'aliases that cannot be made any more',
    { ...site, resources: new Map([...site.resources].filter(([name]) => name !== 'path_alias')) },
    [
      'resource.path_alias.GET is not offered any more (405) [requests]',
      'resource.path_alias.POST is not offered any more (405) [requests]',
      'resource.path_alias.PATCH is not offered any more (405) [requests]',
      'resource.path_alias.DELETE is not offered any more (405) [requests]',
    ],
  ],
  [
    'a path',
    { ...site, beyond: { ...site.beyond, session_token_alias: false } },
    ['site.beyond.session_token_alias is off: GET /rest/session/token cannot be asked any more (404) [requests]'],
  ],
  ['a list that is gone', withList('/vocabulary', () => undefined), ['list./vocabulary is gone (404) [requests]']],
  [
    'the guards of a list',
    withList('/vocabulary', (list) => ({ ...list, permissions: ['administer taxonomy'], providers: ['basic_auth'] })),
    [
      'list./vocabulary is for those with administer taxonomy now [requests]',
      'list./vocabulary does not take jwt_auth, cookie any more (403) [requests]',
    ],
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
      'list./term_from_term_name has the format jsonld now []',
      'list./term_from_term_name has smaller pages to choose [requests]',
      'list./term_from_term_name has other conditions [answers]',
      'list./term_from_term_name has another order [answers]',
      'list./term_from_term_name has pages of 10 instead of 50 [answers]',
    ],
  ],
  [
    'the parameters of a list',
    withList('/term_from_term_name', (list) => ({ ...list, parameters: list.parameters.slice(0, 1) })),
    ['list./term_from_term_name does not look at vocab any more [requests answers]'],
  ],
  [
    'the columns of a list',
    withList('/checksum/{file}', (list) => ({
      ...list,
      columns: [{ name: 'sha1', field: { name: 'sha1', property: undefined }, form: 'raw' }, nameColumn],
    })),
    ['list./checksum/{file} has gained name []', 'list./checksum/{file} shows sha1 otherwise [answers]'],
  ],
  [
    'the records of a list',
    withList('/checksum/{file}', (list) => ({ ...list, columns: undefined })),
    ['list./checksum/{file} has whole records of type file instead of rows of chosen fields of type file [answers]'],
  ],
  [
    'the address of media',
    { ...site, standaloneMedia: false },
    ['site.media.standalone_url is off: a media is at /media/{media_id}/edit only [requests answers]'],
  ],
  ['links', { ...site, linkHeaders: false }, ['site.links.headers is off now [answers]']],
  [
    'a guarded storage',
    { ...site, storages: site.storages.map((mount) => ({ ...mount, access: 'guarded' as const })) },
    ['site.storages.public is guarded: not everybody reads its files any more [requests]'],
  ],
  ['a smaller limit', { ...site, maxJsonBytes: 10 }, ['site.limits.json_bytes is 10 instead of 1048576 [requests]']],
  ['a shorter lifetime', { ...site, tokenSeconds: 60 }, ['site.tokens.lifetime is 60 instead of 7200 []']],
  [
    'a language',
    { ...site, languages: site.languages.filter((each) => each !== 'fa') },
    ['site.languages does not have fa any more [requests]'],
  ],
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

describe('A change of a site', () => {
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

describe('The report', () => {
  it('has nothing to say of a site and itself', () => {
    expect(compareSites(site, site)).toEqual([]);
    expect(differencePage([])).toBe('Nothing changed for clients.');
  });

  it('puts what breaks clients first, and sums up', () => {
    const differences = compareSites(withField({ maxLength: 9 }), withField({ maxLength: 5, label: 'Y' }));
    expect(differencePage(differences)).toBe(
      [
        'Breaks clients:',
        '  node.islandora_object.field_x has the greatest length 5 instead of 9 [refused requests]',
        '',
        'Harms nobody:',
        '  node.islandora_object.field_x has the label "Y" instead of "X"',
        '',
        '2 changes, 1 of them breaking',
      ].join('\n'),
    );
    expect(JSON.parse(differenceJson(differences))).toEqual({ breaking: 1, differences });
    expect(differences.filter(isBreaking)).toHaveLength(1);
  });
});
