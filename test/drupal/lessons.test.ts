/** What real exports contain, one lesson each: the import forgives it, or says what it could not take. */
import { describe, expect, it } from '@jest/globals';
import { losesSomething } from '../../src/sites/drupal/report.ts';
import { resourceNames } from '../../src/repository/repository.ts';
import { fieldObjects, imported, ledgerField, smallSite } from './imported.ts';

/** The map without one of its members. */
const without = <T>(map: Readonly<Record<string, T>>, name: string): Record<string, T> =>
  Object.fromEntries(Object.entries(map).filter(([each]) => each !== name));

describe('Numbers and booleans', () => {
  it('may be text', async () => {
    const { field } = await imported(
      ledgerField('field_shelf', 'string', { storage: { settings: { max_length: '128' }, cardinality: '4' } }),
    );
    expect(field('node', 'ledger', 'field_shelf')).toMatchObject({ maxLength: 128, cardinality: 4 });
  });

  it('unlimited is -1', async () => {
    const { field } = await imported(ledgerField('field_shelf', 'string', { storage: { cardinality: -1 } }));
    expect(field('node', 'ledger', 'field_shelf')?.cardinality).toBe(Infinity);
  });

  it.each([
    [1, true],
    ['0', false],
    [true, true],
  ])('the default %j of a boolean is %j', async (written, value) => {
    const { field } = await imported(
      ledgerField('field_bound', 'boolean', { instance: { default_value: [{ value: written }] } }),
    );
    expect(field('node', 'ledger', 'field_bound')?.default).toEqual([{ value }]);
  });

  it('bounds that no number keeps are left out, and named', async () => {
    const { field, places } = await imported(
      ledgerField('field_pages', 'integer', { instance: { settings: { min: '9', max: 3, prefix: '' } } }),
    );
    expect(field('node', 'ledger', 'field_pages')).toMatchObject({ min: undefined, max: undefined });
    expect(places('min is above')).toEqual(['field.field.node.ledger.field_pages']);
  });
});

describe('Targets of references', () => {
  const reference = (handlerSettings: unknown) =>
    ledgerField('field_port', 'entity_reference', {
      storage: { settings: { target_type: 'taxonomy_term' } },
      instance: { settings: { handler: 'default:taxonomy_term', handler_settings: handlerSettings } },
    });

  it.each([
    ['null: any', { target_bundles: null }, undefined],
    ['missing: any', {}, undefined],
    ['an empty map: none', { target_bundles: {} }, []],
    ['a map', { target_bundles: { harbours: 'harbours' } }, ['harbours']],
    ['a list', { target_bundles: ['harbours'] }, ['harbours']],
  ])('%s', async (_, settings, bundles) => {
    const { field } = await imported(reference(settings));
    expect(field('node', 'ledger', 'field_port')?.target).toEqual({ type: 'taxonomy_term', bundles });
  });

  it('that do not exist are left out, and named', async () => {
    const { field, report } = await imported(reference({ target_bundles: { harbours: 'harbours', quays: 'quays' } }));
    expect(field('node', 'ledger', 'field_port')?.target?.bundles).toEqual(['harbours']);
    expect(report.partly).toContainEqual({
      why: 'target_bundles names taxonomy_term quays, which does not exist',
      lost: false,
      where: ['field.field.node.ledger.field_port'],
    });
  });

  it('of a handler that chooses by itself are any, and named', async () => {
    const { field, places } = await imported(
      ledgerField('field_port', 'entity_reference', {
        storage: { settings: { target_type: 'taxonomy_term' } },
        instance: { settings: { handler: 'views', handler_settings: { view: { view_name: 'secret' } } } },
      }),
    );
    expect(field('node', 'ledger', 'field_port')?.target?.bundles).toBeUndefined();
    expect(places('the handler views')).toEqual(['field.field.node.ledger.field_port']);
  });

  it('of a type that is not served make a fallback field, or the field is named as left out', async () => {
    const { field, report } = await imported(
      ledgerField('field_part', 'entity_reference', { storage: { settings: { target_type: 'paragraph' } } }),
    );
    expect(field('node', 'ledger', 'field_part')?.type).toBe('other');
    expect(report.notJudged.map(({ where }) => where)).toEqual([['field.field.node.ledger.field_part']]);
  });
});

describe('Relations', () => {
  it.each([
    ['a map of labels', { 'relators:aut': 'Author', 'relators:bnd': 'Binder' }],
    ['a list of maps', [{ 'relators:aut': 'Author' }, { 'relators:bnd': 'Binder' }]],
    ['a list of keys', ['relators:aut', 'relators:bnd']],
    ['a list of texts with labels', ['relators:aut|Author', 'relators:bnd|Binder | of books']],
    [
      'a list of keys with labels',
      [
        { key: 'relators:aut', value: 'Author' },
        { key: 'relators:bnd', value: 'Binder' },
      ],
    ],
  ])('are %s', async (_, relations) => {
    const { field } = await imported(
      ledgerField('field_hand', 'typed_relation', {
        storage: { settings: { target_type: 'taxonomy_term' } },
        instance: { settings: { rel_types: relations } },
      }),
    );
    expect(field('node', 'ledger', 'field_hand')?.relations).toEqual(['relators:aut', 'relators:bnd']);
  });
});

describe('Files', () => {
  it('have their extensions in one text, with blanks, commas and capitals', async () => {
    const { field } = await imported(
      ledgerField('field_plan', 'file', {
        storage: { settings: { target_type: 'file', uri_scheme: 'private' } },
        instance: { settings: { file_extensions: ' TIFF tif, .JP2  jp2' } },
      }),
    );
    expect(field('node', 'ledger', 'field_plan')).toMatchObject({
      extensions: ['tiff', 'tif', 'jp2'],
      scheme: 'private',
    });
  });

  it('lie in schemes that no configuration explains: each is served at a guessed address, and named', async () => {
    const { site, places } = await imported(
      ledgerField('field_plan', 'file', { storage: { settings: { target_type: 'file', uri_scheme: 'gs-harbour' } } }),
    );
    expect(site.storages.find(({ scheme }) => scheme === 'gs-harbour')?.prefix).toBe('/_flysystem/gs-harbour');
    expect(places('guessed')).toEqual(['scheme gs-harbour']);
  });

  it('of a media type have its limit', async () => {
    const { site } = await imported({
      ...smallSite,
      ...fieldObjects('media', 'scan', 'field_scan', 'image', {
        storage: { settings: { target_type: 'file', uri_scheme: 'public' } },
        instance: { settings: { max_filesize: '2 MB' } },
      }),
    });
    expect(site.model.bundle('media', 'scan')?.source).toMatchObject({ kind: 'image', maxBytes: 2_097_152 });
  });
});

describe('A field', () => {
  it('of a type that nobody knows is named, with its place', async () => {
    const { report } = await imported(ledgerField('field_odd', 'glosses'));
    expect(report.notJudged).toHaveLength(1);
    expect(report.notJudged[0]?.why).toContain('a field of type glosses');
  });

  it('without a storage has the type of its instance', async () => {
    const objects = without(ledgerField('field_note', 'string_long'), 'field.storage.node.field_note');
    const { field, places } = await imported(objects);
    expect(field('node', 'ledger', 'field_note')?.type).toBe('string_long');
    expect(places('storage of the field is missing')).toEqual(['field.field.node.ledger.field_note']);
  });

  it('with the default of a function, or of now, has none, and is named', async () => {
    const { places } = await imported({
      ...ledgerField('field_day', 'datetime', {
        instance: { default_value: [{ default_date_type: 'now', default_date: 'now' }] },
      }),
      ...fieldObjects('node', 'ledger', 'field_who', 'string', { instance: { default_value_callback: 'a_function' } }),
    });
    expect(places('relative to now')).toEqual(['field.field.node.ledger.field_day']);
    expect(places('a function makes')).toEqual(['field.field.node.ledger.field_who']);
  });

  it('names the term of its default by uuid', async () => {
    const uuid = '99999999-2222-4333-8444-555555555599';
    const objects = ledgerField('field_port', 'entity_reference', {
      storage: { settings: { target_type: 'taxonomy_term' } },
      instance: { default_value: [{ target_uuid: uuid }, { target_uuid: uuid.replace('9', '8') }] },
    });
    const { field, places } = await imported({
      ...objects,
      'structure_sync.data': { taxonomies: { harbours: [{ tid: '31', uuid, name: 'North pier', parent: '0' }] } },
    });
    expect(field('node', 'ledger', 'field_port')?.default).toEqual([{ target_id: 31 }]);
    expect(places('names a record that does not exist')).toEqual(['field.field.node.ledger.field_port']);
  });
});

describe('An RDF mapping', () => {
  it('may name fields and prefixes that do not exist: both are named, neither stops the site', async () => {
    const { site, report, places } = await imported({
      ...smallSite,
      'rdf.mapping.node.ledger': {
        types: ['schema:Book', 'odd:Thing'],
        fieldMappings: {
          title: { properties: ['dc:title'] },
          field_gone: { properties: ['dc:rights'] },
          created: { properties: [], datatype_callback: { callable: 'X' } },
        },
      },
    });
    const mapping = site.model.bundle('node', 'ledger')?.rdf;
    expect(mapping?.types).toEqual(['http://schema.org/Book', 'odd:Thing']);
    expect([...(mapping?.fields.keys() ?? [])]).toEqual(['title']);
    expect(places('no module declares')).toEqual(['rdf.mapping: odd:']);
    expect(places('no such field to map')).toEqual(['rdf.mapping.node.ledger: field_gone']);
    expect(report.partly.filter(({ lost }) => lost)).toEqual([]);
  });

  it('uses prefixes of modules that older sites do not write down, and whole IRIs', async () => {
    const { site } = await imported({
      ...smallSite,
      'rdf.mapping.media.scan': { types: ['pcdm:File', 'relators:pht', 'http://example.org/Scan'] },
    });
    expect(site.model.bundle('media', 'scan')?.rdf?.types).toEqual([
      'http://pcdm.org/models#File',
      'http://id.loc.gov/vocabulary/relators/pht',
      'http://example.org/Scan',
    ]);
  });
});

describe('Settings of the site', () => {
  it.each([
    ['+2 hour', 7200],
    ['+7 days', 604_800],
    ['1 week', 604_800],
    ['90 minutes', 5400],
    ['1 hour 30 minutes', 5400],
  ])('tokens last %s', async (written, seconds) => {
    const { site } = await imported({ ...smallSite, 'islandora.settings': { jwt_expiry: written } });
    expect(site.tokenSeconds).toBe(seconds);
  });

  it('an expiry that is no duration is named', async () => {
    const { site, places } = await imported({ ...smallSite, 'islandora.settings': { jwt_expiry: 'next tuesday' } });
    expect([site.tokenSeconds, places('not a duration')]).toEqual([7200, ['islandora.settings']]);
  });

  it('flood control spells the address ip', async () => {
    const flood = { ip_limit: '7', ip_window: 70, user_limit: 3, user_window: 30 };
    const { site } = await imported({ ...smallSite, 'user.flood': flood });
    expect(site.flood).toEqual({ addressLimit: 7, addressWindowSeconds: 70, userLimit: 3, userWindowSeconds: 30 });
  });

  it('a name that no header carries is changed, and named', async () => {
    const { site, places } = await imported({ ...smallSite, 'system.site': { name: 'Škola "Sever"' } });
    expect(site.name).toBe("Škola 'Sever'");
    expect(places('the name is changed')).toEqual(['system.site']);
  });

  it('languages are entities too, und and zxx among them', async () => {
    const { site } = await imported({ ...smallSite, 'language.entity.und': { id: 'und' }, 'language.entity.zxx': {} });
    expect(site.languages).toEqual(['en', 'und', 'zxx']);
  });

  it('a resource that is switched off does not exist; a foreign format or provider is named', async () => {
    const methods = { GET: { supported_formats: ['json', 'csv'], supported_auth: ['basic_auth', 'users_jwt_auth'] } };
    const { site, places } = await imported({
      ...smallSite,
      'rest.resource.entity.node': { id: 'entity.node', granularity: 'method', configuration: methods },
      'rest.resource.entity.user': { status: false, granularity: 'method', configuration: methods },
    });
    expect([...site.resources.keys()]).toEqual(['node']);
    expect(site.resources.get('node')?.methods.get('GET')).toEqual({ formats: ['json'], providers: ['basic_auth'] });
    expect(places('format csv')).toEqual(['rest.resource.entity.node']);
    expect(places('provider users_jwt_auth')).toEqual(['rest.resource.entity.node']);
  });

  it('aliases and redirects are read and written as far as their resources say; a method that the contract lacks is named', async () => {
    const basicOnly = { supported_formats: ['json'], supported_auth: ['basic_auth'] };
    const byMethod = (configuration: object) => ({ granularity: 'method', configuration });
    const { site, places } = await imported({
      ...smallSite,
      'rest.resource.entity.path_alias': byMethod({ GET: basicOnly, DELETE: basicOnly }),
      'rest.resource.entity.redirect': byMethod({ POST: basicOnly }),
      'rest.resource.entity.media_type': byMethod({ GET: basicOnly, DELETE: basicOnly }),
    });
    const methodsOf = (name: 'path_alias' | 'redirect' | 'media_type') => [
      ...(site.resources.get(name)?.methods.keys() ?? []),
    ];
    expect(methodsOf('path_alias')).toEqual(['GET', 'DELETE']);
    expect(methodsOf('redirect')).toEqual(['POST']);
    expect(methodsOf('media_type')).toEqual(['GET']);
    expect(places('the method DELETE is not served')).toEqual(['rest.resource.entity.media_type']);
  });

  it('a resource as a whole has all methods, whichever it lists: the real site looks at none of them', async () => {
    const whole = {
      granularity: 'resource',
      configuration: { methods: ['GET'], formats: ['json'], authentication: ['basic_auth'] },
    };
    const { site, places } = await imported({
      ...smallSite,
      'rest.resource.entity.node': whole,
      'rest.resource.entity.path_alias': whole,
      'rest.resource.entity.field_config': whole,
    });
    const methodsOf = (name: 'node' | 'path_alias' | 'field_config') => [
      ...(site.resources.get(name)?.methods.keys() ?? []),
    ];
    expect(methodsOf('node')).toEqual(['GET', 'POST', 'PATCH', 'DELETE']);
    expect(methodsOf('path_alias')).toEqual(['GET', 'POST', 'PATCH', 'DELETE']);
    expect(methodsOf('field_config')).toEqual(['GET']);
    expect(places('is not served')).toEqual([]);
  });

  it('an upload for a field takes the providers of its resource', async () => {
    const upload = (authentication: readonly string[]) => ({
      'rest.resource.file.upload': {
        ...{ id: 'file.upload', granularity: 'resource' },
        configuration: { methods: ['POST'], formats: ['json'], authentication },
      },
    });
    const { site } = await imported({ ...smallSite, ...upload(['basic_auth']) });
    expect(site.resources.get('file_upload')?.methods.get('POST')?.providers).toEqual(['basic_auth']);
    expect(site.beyond.file_upload).toBe(true);
    const other = await imported({ ...smallSite, ...upload(['basic_auth', 'oauth2']) });
    expect(other.places('provider oauth2')).toEqual(['rest.resource.file.upload']);
  });

  it('what tokens are like comes from the modules that are installed', async () => {
    const withModules = async (...modules: readonly string[]) => {
      const module = Object.fromEntries(['node', ...modules].map((name) => [name, 0]));
      return (await imported({ ...smallSite, 'core.extension': { module } })).site;
    };
    const bare = await withModules('jwt');
    expect([bare.tokensOfToday, bare.tokenAtLogin, bare.beyond.token_keys]).toEqual([true, false, false]);
    const full = await withModules('jwt', 'getjwtonlogin', 'islandora_jwks');
    expect([full.tokensOfToday, full.tokenAtLogin, full.beyond.token_keys]).toEqual([true, true, true]);
  });

  it('another algorithm of tokens is named, and that the key is another one', async () => {
    const { places } = await imported({ ...smallSite, 'jwt.config': { algorithm: 'HS256', key_id: 'between_us' } });
    expect(places('signed with RS256 here')).toEqual(['jwt.config']);
    expect(places('--jwt-key')).toEqual(['jwt.config']);
    const without = await imported({ ...smallSite, 'jwt.config': { algorithm: 'RS256' } });
    expect([without.places('RS256'), without.places('names no key')]).toEqual([[], ['jwt.config']]);
  });
});

describe('Roles and accounts', () => {
  it('the three roles that every site has are added, and is_admin null is false', async () => {
    const { site } = await imported({
      ...smallSite,
      'user.role.clerk': { id: 'clerk', label: 'Clerk', is_admin: null, permissions: ['access content', 'view media'] },
    });
    expect([...site.roles.values()].map(({ id, isAdmin }) => [id, isAdmin])).toEqual([
      ['administrator', true],
      ['anonymous', false],
      ['authenticated', false],
      ['clerk', false],
    ]);
    expect(site.accounts.map(({ uid, name, roles }) => [uid, name, roles])).toEqual([
      [1, 'admin', ['administrator']],
      [2, 'administrator', ['administrator']],
      [3, 'clerk', ['clerk']],
      [4, 'plain', []],
    ]);
  });
});

describe('A media type', () => {
  it('with a map of its own has it; one with the usual map has none', async () => {
    const { site } = await imported({
      ...smallSite,
      ...fieldObjects('media', 'scan', 'field_kind', 'string'),
      'media.type.scan': {
        ...smallSite['media.type.scan'],
        field_map: { name: 'name', mimetype: 'field_kind', width: 'field_gone' },
      },
    });
    expect(site.model.bundle('media', 'scan')?.source).toMatchObject({
      fieldMap: { name: 'name', mimetype: 'field_kind' },
    });
  });

  it('without its source field has no source, and is named', async () => {
    const { site, places } = await imported({
      ...smallSite,
      'media.type.wax': { id: 'wax', label: 'Wax', source: 'odd' },
    });
    expect(site.model.bundle('media', 'wax')?.source).toBeUndefined();
    expect(places('source field is missing')).toEqual(['media.type.wax']);
  });
});

describe('A folder of a module', () => {
  it('has no uuids and no core.extension: it gets derived uuids, and everything that a whole site may lack', async () => {
    const part = without(smallSite, 'core.extension');
    const bare = without({ ...part['node.type.ledger'] }, 'uuid');
    const [first, second] = await Promise.all([
      imported({ ...part, 'node.type.ledger': bare }),
      imported({ ...part, 'node.type.ledger': bare }),
    ]);
    expect(first.site.model.bundle('node', 'ledger')?.uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.site.model.bundle('node', 'ledger')?.uuid).toBe(second.site.model.bundle('node', 'ledger')?.uuid);
    expect([...first.site.resources.keys()].sort()).toEqual([...resourceNames].sort());
    expect(first.site.beyond).toMatchObject({ term_lookup: true, node_lists: true });
  });
});

describe('Whatever a configuration holds', () => {
  it('makes a site that loads: what the format does not take is left out and named', async () => {
    const { site, places } = await imported({
      ...smallSite,
      'node.type.Bad-Name': { name: 'Bad' },
      ...fieldObjects('node', 'ledger', 'Field-Odd', 'string'),
      'user.role.two words': { label: 'Two words', permissions: [] },
    });
    expect(site.model.bundles('node').map(({ id }) => id)).toEqual(['ledger']);
    expect(places('the site format does not take')).toEqual(expect.arrayContaining(['bundles/node.Bad-Name.yml']));
  });

  it.each(['null', '[]', '"text"', '7', '{}'])('an object that is %s is none', async (text) => {
    const files = { objects: new Map([['node.type.x', { file: 'x.yml', text }]]) };
    await expect(imported({}, { files })).resolves.toBeDefined();
  });
});

describe('Contexts', () => {
  const context = (condition: object, others: object = {}) => ({
    ...ledgerField('field_kind', 'entity_reference', { storage: { settings: { target_type: 'taxonomy_term' } } }),
    'context.context.content': {
      ...{ disabled: false, requireAllConditions: false, conditions: { one: { negate: false, ...condition } } },
      reactions: {
        alter_jsonld_type: { id: 'alter_jsonld_type', source_field: 'field_kind' },
        islandora_map_uri_predicate: { id: 'islandora_map_uri_predicate', drupal_uri_predicate: 'schema:url' },
        index: { id: 'index', actions: { secret: 'secret' } },
      },
      ...others,
    },
  });
  const held = { typeFields: ['field_kind'], selfPredicates: ['http://schema.org/url'] };
  const nothing = { typeFields: [], selfPredicates: [] };

  it.each([
    ['of the bundle', { id: 'islandora_entity_bundle', bundles: { ledger: 'ledger' } }, {}, held],
    ['of another bundle', { id: 'islandora_entity_bundle', bundles: { scan: 'scan' } }, {}, nothing],
    ['of media', { id: 'islandora_entity_bundle', bundles: {}, context_mapping: { media: '@media' } }, {}, nothing],
    ['of content types', { id: 'entity_bundle:node', bundles: { ledger: 'ledger' } }, {}, held],
    ['of other content types', { id: 'node_type', negate: '1', bundles: { ledger: 'ledger' } }, {}, nothing],
    ['of objects with parents', { id: 'node_is_islandora_object', negate: 0 }, {}, nothing],
    ['without a condition', {}, { conditions: {} }, held],
    ['that is off', { id: 'node_type', bundles: { ledger: 'ledger' } }, { disabled: true }, nothing],
  ])('%s say what the JSON-LD has beside the mapping', async (_, condition, others, graph) => {
    const { site, report } = await imported(context(condition, others));
    expect(site.model.bundle('node', 'ledger')?.graph).toEqual(graph);
    expect(report.partly.filter(({ lost }) => lost)).toEqual([]);
  });

  it('that ask for more than the bundle are named, and hold for nothing', async () => {
    const { site, places } = await imported(context({ id: 'node_has_term', uri: 'http://example.org' }));
    expect(site.model.bundle('node', 'ledger')?.graph).toEqual(nothing);
    expect(places('the condition node_has_term')).toEqual(['context.context.content']);
  });
});

describe('Languages', () => {
  it('begin paths, but for that of the site and those that nobody speaks', async () => {
    const languages = ['en', 'fr', 'und', 'zxx'].map((id) => [`language.entity.${id}`, { id }] as const);
    const { site } = await imported({ ...smallSite, ...Object.fromEntries(languages) });
    expect(site.prefixLanguages).toEqual(['fr']);
    expect((await imported(smallSite)).site.prefixLanguages).toEqual([]);
  });
});

describe('Another protocol', () => {
  it('is named, and no loss', async () => {
    const { report } = await imported({ ...smallSite, 'rest.resource.oai_pmh': { id: 'oai_pmh' } });
    expect(report.outside).toMatchObject([{ lost: false, where: ['rest.resource.oai_pmh'] }]);
    expect(losesSomething(report)).toBe(false);
  });
});

describe('Text formats', () => {
  it('are HTML unless they escape it', async () => {
    const { site } = await imported({
      ...smallSite,
      'filter.format.plain_text': { filters: { filter_html_escape: { status: true }, filter_autop: { status: true } } },
      'filter.format.wiki': { filters: { filter_html_escape: { status: '1' } } },
      'filter.format.full_html': { filters: { filter_html_escape: { status: false }, filter_align: { status: true } } },
    });
    expect(site.textFormats).toEqual(['plain_text', 'full_html', 'wiki']);
    expect([...site.htmlFormats]).toEqual(['full_html']);
  });
});

describe('Authority links', () => {
  it('lead out of the site where nothing else is said', async () => {
    const { field } = await imported(ledgerField('field_authority', 'authority_link'));
    expect(field('node', 'ledger', 'field_authority')?.link).toBe('external');
  });
});
