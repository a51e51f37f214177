/** What a field or a media type of an export has that a site cannot: the import leaves it out and names it. */
import { describe, expect, it } from '@jest/globals';
import { fieldObjects, imported, ledgerField, smallSite } from './imported.ts';

describe('A field', () => {
  it.each(['title', 'constructor', '__proto__'])('with the name %s is left out, and named', async (name) => {
    const { field, places, site } = await imported(ledgerField(name, 'string', { instance: { label: 'Ours' } }));
    expect(places('left out')).toEqual([`field.field.node.ledger.${name}`]);
    expect(field('node', 'ledger', name)?.label).not.toBe('Ours');
    expect(site.model.bundle('node', 'ledger')).toBeDefined();
  });

  it('has no key that every object has already: it is left out, and named', async () => {
    const allowed = { settings: { allowed_values: { constructor: 'Constructor', mason: 'Mason' } } };
    const { field, places } = await imported(ledgerField('field_trade', 'list_string', { storage: allowed }));
    expect(field('node', 'ledger', 'field_trade')?.allowedValues).toEqual({ mason: 'Mason' });
    expect(places('every object has')).toEqual([
      'bundles/node.ledger.yml: fields.field_trade.allowed_values.constructor',
    ]);
  });

  it('has no more default values than it holds, and the others are named', async () => {
    const values = ['a', 'b', 'c'].map((value) => ({ value }));
    const of = (cardinality: number) =>
      imported(ledgerField('field_mark', 'string', { storage: { cardinality }, instance: { default_value: values } }));
    const two = await of(2);
    expect(two.field('node', 'ledger', 'field_mark')?.default).toEqual(values.slice(0, 2));
    expect(two.places('more values than')).toEqual(['field.field.node.ledger.field_mark']);
    expect((await of(-1)).field('node', 'ledger', 'field_mark')?.default).toEqual(values);
  });

  it('that does not exist is left out of a field map, and named', async () => {
    const scan = { ...smallSite['media.type.scan'], field_map: { name: 'name', mimetype: 'field_none' } };
    const { site, report } = await imported({ ...smallSite, 'media.type.scan': scan });
    expect(site.model.bundle('media', 'scan')?.source?.fieldMap ?? {}).not.toHaveProperty('mimetype');
    expect(report.partly).toContainEqual({
      why: 'its field map names field_none, which does not exist',
      lost: false,
      where: ['media.type.scan'],
    });
  });

  it('of a part of a site leads anywhere when its bundles are elsewhere, and the report says how to bring them', async () => {
    const objects = ledgerField('field_port', 'entity_reference', {
      storage: { settings: { target_type: 'taxonomy_term' } },
      instance: {
        settings: { handler: 'default:taxonomy_term', handler_settings: { target_bundles: { quays: 'quays' } } },
      },
    });
    const { field, places } = await imported(
      Object.fromEntries(Object.entries(objects).filter(([name]) => name !== 'core.extension')),
    );
    expect(field('node', 'ledger', 'field_port')?.target?.bundles).toBeUndefined();
    expect(places('with --also')).toEqual(['field.field.node.ledger.field_port']);
  });
});

describe('What has no place in a site', () => {
  it('is named, whatever its kind', async () => {
    const { places, report } = await imported({
      ...smallSite,
      'core.entity_form_display.node.ledger.default': { content: {} },
      'core.entity_form_display.block_content.basic.default': { content: {} },
      'core.base_field_override.node.ledger.menu_link': { field_name: 'menu_link' },
      'rdf.mapping.user.user': { types: ['schema:Person'] },
      ...fieldObjects('node', 'ghost', 'field_shelf', 'string'),
      'context.context.indexing': { reactions: { index: { id: 'index' } } },
      'filter.format.full_html': {
        name: 'HTML',
        filters: { filter_url: { status: true }, filter_align: { status: 1 } },
      },
    });
    expect(places('records of type block_content')).toEqual(['core.entity_form_display.block_content.basic.default']);
    expect(places('no such base field')).toEqual(['core.base_field_override.node.ledger.menu_link']);
    expect(places('of accounts only')).toEqual(['rdf.mapping.user.user']);
    expect(places('no reaction of this context')).toEqual(['context.context.indexing']);
    expect(places('the filter filter_url')).toEqual(['filter.format.full_html']);
    expect(report.taken).toMatchObject({ forms: 1 });
    expect(report.partly.filter(({ lost }) => lost)).toEqual([
      { why: 'the bundle of this field is not there', lost: true, where: ['field.field.node.ghost.field_shelf'] },
    ]);
  });
});
