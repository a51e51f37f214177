/** The types of fields that an import takes, each with what its configuration says of it. */
import { describe, expect, it } from '@jest/globals';
import { imported, ledgerField } from './imported.ts';

describe('Fields', () => {
  it('of revisions keep their type, whatever they lead to', async () => {
    const { field, report } = await imported(
      ledgerField('field_part', 'entity_reference_revisions', { storage: { settings: { target_type: 'paragraph' } } }),
    );
    expect(field('node', 'ledger', 'field_part')).toMatchObject({
      type: 'entity_reference_revisions',
      target: undefined,
      shown: { storageSettings: { target_type: 'paragraph' } },
    });
    expect(report.notJudged).toEqual([]);
  });

  it.each([
    ['telephone', {}, {}],
    ['weight', { unsigned: false }, {}],
    ['daterange', { datetime_type: 'date' }, { dateOnly: true }],
    ['daterange', { datetime_type: 'datetime' }, { dateOnly: undefined }],
  ])('of the type %s with %j are judged', async (type, settings, traits) => {
    const { field, report } = await imported(ledgerField('field_part', type, { storage: { settings } }));
    expect(field('node', 'ledger', 'field_part')).toMatchObject({ type, ...traits });
    expect(report.notJudged).toEqual([]);
  });
});
