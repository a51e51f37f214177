/** What an exported configuration says of a field is what the reads of the content model show of it. */
import { describe, expect, it } from '@jest/globals';
import { showMediaType, showNodeType, showVocabulary } from '../../handlers/content-model/bundle-config.ts';
import { fieldAt, formDisplayAt, storageAt } from '../../src/repository/repository-sites.ts';
import { showFieldConfig, showFieldStorageConfig } from '../../handlers/content-model/field-config.ts';
import { formWidgets } from '../../handlers/handlers.ts';
import { showFormDisplay } from '../../handlers/content-model/form-display.ts';
import type { Site } from '../../src/repository/repository.ts';
import { fieldObjects, imported, smallSite, type FieldParts } from '../drupal/imported.ts';
import type { Objects } from '../drupal/exported-site.ts';

const name = 'field_shelf';

/** The field and its storage, shown. */
const shown = (site: Site) => {
  const found = fieldAt(site.model, `node.ledger.${name}`);
  const stored = storageAt(site.model, `node.${name}`);
  if (found === undefined || stored === undefined) throw new Error('The field was not imported.');
  return {
    field: showFieldConfig(site, found.bundle, found.field),
    storage: showFieldStorageConfig(site, stored.entityType, stored.field),
  };
};

const importedField = async (type: string, parts: FieldParts, others: Objects = {}) => {
  const { site } = await imported({ ...smallSite, ...others, ...fieldObjects('node', 'ledger', name, type, parts) });
  return shown(site);
};

const sort = { field: 'name', direction: 'asc' };

describe('The settings of a field', () => {
  it.each([
    [
      'entity_reference',
      { target_type: 'taxonomy_term' },
      {
        handler: 'default:taxonomy_term',
        handler_settings: {
          ...{ target_bundles: { harbours: 'harbours' }, sort: { field: 'tid', direction: 'desc' } },
          ...{ auto_create: true, auto_create_bundle: 'harbours' },
        },
      },
    ],
    [
      'entity_reference',
      { target_type: 'node' },
      {
        handler: 'views',
        handler_settings: { view: { view_name: 'berths', display_name: 'entity_reference_1', arguments: [] } },
      },
    ],
    [
      'typed_relation',
      { target_type: 'taxonomy_term' },
      {
        handler: 'default:taxonomy_term',
        handler_settings: {
          target_bundles: { harbours: 'harbours' },
          sort,
          auto_create: false,
          auto_create_bundle: '',
        },
        rel_types: { 'relators:pil': 'Pilot', 'relators:mas': 'Master' },
      },
    ],
    [
      'file',
      { target_type: 'file', display_field: true, display_default: false, uri_scheme: 'public' },
      {
        ...{ handler: 'default:file', handler_settings: [], file_directory: 'charts', file_extensions: 'pdf txt' },
        ...{ max_filesize: '5 MB', description_field: true },
      },
    ],
    ['boolean', [], { on_label: 'Moored', off_label: 'At sea' }],
    ['integer', { unsigned: true, size: 'big' }, { min: 0, max: null, prefix: 'No. ', suffix: '' }],
    ['string', { max_length: 40, case_sensitive: true, is_ascii: false }, []],
    ['list_string', { allowed_values: { n: 'North', s: 'South' }, allowed_values_function: '' }, []],
    ['link', [], { title: 0, link_type: 16 }],
    ['authority_link', [], { authority_sources: { hb: 'Harbour book' }, title: 1, link_type: 17 }],
    ['wax_seal', { depth: 3 }, { colours: ['red'], stamp: { side: 'left' } }],
  ])('of type %s are as the configuration has them', async (type, storage, settings) => {
    const { field, storage: stored } = await importedField(type, {
      storage: { settings: storage, cardinality: -1, module: type === 'wax_seal' ? 'wax' : undefined },
      instance: { settings },
    });
    expect([field.settings, stored.settings, stored.cardinality]).toEqual([settings, storage, -1]);
    expect([field.field_type, stored.type]).toEqual([type, type]);
    if (type === 'wax_seal') expect([stored.module, stored.dependencies.module]).toEqual(['wax', ['node', 'wax']]);
  });

  it('may be text in the configuration, and are what they mean here', async () => {
    const { field, storage } = await importedField('list_string', {
      storage: { settings: { allowed_values: [{ value: 'n', label: 'North' }] } },
      instance: { required: '1', description: 'Where it lies.', label: 'Lie' },
    });
    expect(storage.settings).toMatchObject({ allowed_values: { n: 'North' } });
    expect(field).toMatchObject({ required: true, description: 'Where it lies.', label: 'Lie' });
  });

  it('need the bundles that they lead to, and the term of a default', async () => {
    const uuid = '11111111-2222-4333-8444-555555555599';
    const { field } = await importedField(
      'entity_reference',
      {
        storage: { settings: { target_type: 'taxonomy_term' } },
        instance: {
          settings: {
            handler: 'default:taxonomy_term',
            handler_settings: { target_bundles: { harbours: 'harbours' } },
          },
          default_value: [{ target_uuid: uuid }],
        },
      },
      {
        'structure_sync.data': {
          taxonomies: {
            harbours: [{ vid: 'harbours', tid: '7', uuid, name: 'Gull Harbour', weight: '0', parent: '0' }],
          },
        },
      },
    );
    expect(field.default_value).toEqual([{ target_uuid: uuid }]);
    expect(field.dependencies).toEqual({
      config: [`field.storage.node.${name}`, 'node.type.ledger', 'taxonomy.vocabulary.harbours'],
      content: [`taxonomy_term:harbours:${uuid}`],
    });
  });

  it('name the module that guards a field with an access of its own', async () => {
    const third_party_settings = { field_permissions: { permission_type: 'private' } };
    const { storage } = await importedField('string', { storage: { third_party_settings } });
    expect(storage).toMatchObject({ dependencies: { module: ['field_permissions', 'node'] } });
  });
});

describe('A bundle', () => {
  it('shows what people are told of it, and its own forms', async () => {
    const { site } = await imported({
      ...smallSite,
      'node.type.ledger': {
        ...{ type: 'ledger', name: 'Ledger', description: 'A book.', help: 'Write neatly.', new_revision: true },
      },
      'taxonomy.vocabulary.harbours': { vid: 'harbours', name: 'Harbours', weight: 3, new_revision: true },
      'media.type.scan': { ...smallSite['media.type.scan'], source: 'map_scan', description: 'A scanned chart.' },
      'core.entity_form_display.node.ledger.default': {},
      'core.entity_form_display.node.ledger.quick': {},
      ...fieldObjects('node', 'ledger', name, 'text_long'),
    });
    const { model } = site;
    const [ledger, scan] = [model.bundle('node', 'ledger'), model.bundle('media', 'scan')];
    const harbours = model.bundle('taxonomy_term', 'harbours');
    if (ledger === undefined || scan === undefined || harbours === undefined) throw new Error('A bundle is missing.');
    expect(showNodeType(site, ledger)).toMatchObject({
      description: 'A book.',
      help: 'Write neatly.',
      new_revision: true,
    });
    expect(showVocabulary(site, harbours)).toMatchObject({ name: 'Harbours', weight: 3, new_revision: true });
    expect(showMediaType(site, scan)).toMatchObject({
      ...{ source: 'map_scan', source_configuration: { source_field: 'field_scan' }, field_map: { name: 'name' } },
      description: 'A scanned chart.',
    });
    expect(showFormDisplay(site, ledger, 'quick')).toMatchObject({
      dependencies: {
        config: ['core.entity_form_mode.node.quick', `field.field.node.ledger.${name}`, 'node.type.ledger'],
        module: ['path', 'text'],
      },
      id: 'node.ledger.quick',
    });
    expect(formWidgets(site, ledger)).toMatchObject({ [name]: { type: 'text_textarea', region: 'content' } });
    expect(formDisplayAt(model, 'node.ledger.quick.more')).toBeUndefined();
    expect(showFormDisplay(site, ledger, 'full')).toBeUndefined();
    expect(showFormDisplay(site, scan, 'default')).toBeUndefined();
  });
});

describe('The resources and the module of a configuration', () => {
  const resource = (id: string) => ({
    [`rest.resource.entity.${id}`]: {
      ...{ id: `entity.${id}`, plugin_id: `entity:${id}`, granularity: 'resource' },
      configuration: { methods: ['GET'], formats: ['json', 'xml'], authentication: ['basic_auth'] },
    },
  });

  it('are those of the site, and nothing is lost', async () => {
    const { site, places } = await imported({
      ...smallSite,
      ...resource('field_config'),
      ...resource('media_type'),
      'core.extension': { module: { node: 0, islandora_workbench_integration: 0 } },
    });
    expect([...site.resources.keys()].sort()).toEqual(['field_config', 'media_type']);
    expect(site.resources.get('field_config')?.methods.get('GET')).toEqual({
      ...{ formats: ['json'], providers: ['basic_auth'] },
    });
    expect(places('does not serve this resource')).toEqual([]);
    expect(site.beyond.workbench_integration).toBe(true);
    expect((await imported(smallSite)).site.beyond.workbench_integration).toBe(false);
  });
});
