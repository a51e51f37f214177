/** What the console's form sends: the body made from its inputs, and only what has changed. */
import { describe, expect, it } from '@jest/globals';
import { changedFields, withBundle } from '../../console/src/edit/body.ts';
import {
  changeDraft,
  draftOfNew,
  draftOfRecord,
  emptyItem,
  prefilled,
  type Draft,
} from '../../console/src/edit/draft.ts';
import { bundleOfRecord, fieldsOfForm, type ModelBundle, type ModelField } from '../../console/src/edit/model.ts';
import { partsOf } from '../../console/src/edit/parts.ts';
import { field } from './model-field.ts';

const reference: Partial<ModelField> = { main: 'target_id', properties: ['target_id'], target: { type: 'node' } };
const title = field('title', 'string', { required: true });
const members = field('field_member_of', 'entity_reference', { ...reference, cardinality: null });
const agents = field('field_agent', 'typed_relation', {
  ...{ ...reference, properties: ['target_id', 'rel_type'], cardinality: null },
  relations: [{ value: 'relators:aut', label: 'Author' }],
});
const links = field('field_links', 'link', { main: 'uri', properties: ['uri', 'title', 'options'], cardinality: null });
const image = field('field_image', 'image', {
  ...{ main: 'target_id', properties: ['target_id', 'alt', 'title', 'width', 'height'], target: { type: 'file' } },
});
const story = field('field_story', 'text_long', { properties: ['value', 'format'], formats: ['basic_html', 'plain'] });

/** Sets an input of the first item, or of the item at a position. */
const typed = (draft: Draft, of: ModelField, text: string, property = of.main, at = 0): Draft => {
  const key = draft[of.name]?.[at]?.key ?? 0;
  return changeDraft(draft, of, { kind: 'text', key, property, text });
};
const added = (draft: Draft, of: ModelField): Draft => changeDraft(draft, of, { kind: 'add', item: emptyItem(of) });

/** What is sent after the inputs of one field were filled. */
const sentOf = (of: ModelField, texts: Readonly<Record<string, string>>): unknown => {
  const before = draftOfNew([of]);
  const begun = before[of.name]?.length === 0 ? added(before, of) : before;
  const after = Object.entries(texts).reduce((draft, [property, text]) => typed(draft, of, text, property), begun);
  return changedFields([of], before, after).members[of.name];
};

describe('the body of a new record', () => {
  it('has the bundle and the fields that were filled, and no others', () => {
    const bundle: ModelBundle = {
      ...{ type: 'node', bundle: 'artwork', label: 'Artwork', count: 0, methods: ['POST'] },
      ...{ idField: 'nid', bundleField: 'type', labelField: 'title', fields: [title, members, links] },
    };
    const before = draftOfNew(bundle.fields);
    const body = changedFields(bundle.fields, before, typed(before, title, 'A boat'));
    expect(withBundle(bundle, body)).toEqual({ type: [{ target_id: 'artwork' }], title: [{ value: 'A boat' }] });
  });

  it('leaves out defaults that were not changed, and has those that were', () => {
    const status = field('status', 'boolean', { default: [{ value: true }] });
    const before = draftOfNew([status]);
    expect(changedFields([status], before, before).members).toEqual({});
    expect(changedFields([status], before, typed(before, status, 'false')).members).toEqual({
      status: [{ value: false }],
    });
    expect(changedFields([status], before, typed(before, status, '')).members).toEqual({ status: [] });
  });

  it.each<[string, ModelField, Record<string, string>, unknown]>([
    ['a text', title, { value: ' A ' }, [{ value: ' A ' }]],
    ['a whole number', field('n', 'integer'), { value: ' -12 ' }, [{ value: -12 }]],
    ['what is no number, for the server to refuse', field('n', 'integer'), { value: 'twelve' }, [{ value: 'twelve' }]],
    [
      'digits that a number would change',
      field('n', 'integer'),
      { value: '1'.repeat(20) },
      [{ value: '1'.repeat(20) }],
    ],
    ['a decimal as text', field('n', 'decimal'), { value: '3.50' }, [{ value: '3.50' }]],
    ['a float', field('n', 'float'), { value: '.5' }, [{ value: 0.5 }]],
    ['a number of a list', field('n', 'list_integer'), { value: '5' }, [{ value: 5 }]],
    ['no', field('b', 'boolean'), { value: 'false' }, [{ value: false }]],
    ['an EDTF date', field('d', 'edtf'), { value: '198X' }, [{ value: '198X' }]],
    ['a day', field('d', 'datetime', { dateOnly: true }), { value: '2020-02-03' }, [{ value: '2020-02-03' }]],
    ['a reference', members, { target_id: '7' }, [{ target_id: 7 }]],
    [
      'a typed relation',
      agents,
      { target_id: '7', rel_type: 'relators:aut' },
      [{ rel_type: 'relators:aut', target_id: 7 }],
    ],
    ['a link without a title', links, { uri: 'https://a.example' }, [{ uri: 'https://a.example' }]],
    ['a formatted text', story, { value: '<b>A</b>' }, [{ value: '<b>A</b>', format: 'basic_html' }]],
    ['a format without a text as nothing', story, { format: 'plain' }, undefined],
    [
      'a place',
      field('g', 'geolocation', { main: 'lat', properties: ['lat', 'lng', 'data'] }),
      { lat: '47.5', lng: '-8' },
      [{ lat: 47.5, lng: -8 }],
    ],
    ['an unknown type as JSON', field('o', 'colours'), { '': '{"value": "a", "n": 1}' }, [{ value: 'a', n: 1 }]],
  ])('has %s', (_what, of, texts, sent) => {
    expect(sentOf(of, texts)).toEqual(sent);
  });

  it('is not made of text that is not JSON: the place of the fault is told', () => {
    const other = field('field_other', 'other');
    const before = draftOfNew([other]);
    const after = typed(before, other, '{"value": ', '');
    const { members: sent, unreadable } = changedFields([other], before, after);
    expect(sent).toEqual({ field_other: [] });
    expect(unreadable).toEqual([
      {
        field: 'field_other',
        key: after['field_other']?.[0]?.key,
        message: expect.stringContaining('This is not JSON.'),
      },
    ]);
  });
});

describe('the body of a change', () => {
  const fields = [title, members, links, image, story];
  const record = {
    title: [{ value: 'A boat' }],
    field_member_of: [
      { target_id: 1, target_type: 'node', target_uuid: 'u', url: '/node/1' },
      { target_id: 2, target_type: 'node', target_uuid: 'v', url: '/node/2' },
    ],
    field_links: [{ uri: 'https://a.example', title: null, options: { attributes: { rel: 'me' } } }],
    field_image: [{ target_id: 9, alt: 'A', title: null, width: 10, height: 20, url: '/a.png' }],
    field_story: [{ value: 'Once', format: 'plain', processed: '<p>Once</p>' }],
  };
  const before = draftOfRecord(fields, record);
  const sent = (after: Draft): unknown => changedFields(fields, before, after).members;

  it('has nothing when nothing was changed, or was changed back', () => {
    expect(sent(before)).toEqual({});
    expect(sent(typed(typed(before, title, 'B'), title, 'A boat'))).toEqual({});
  });

  it('has all items of a changed field, without what the server computes', () => {
    expect(sent(typed(added(before, members), members, '3', 'target_id', 2))).toEqual({
      field_member_of: [{ target_id: 1 }, { target_id: 2 }, { target_id: 3 }],
    });
  });

  it('has items in their new order, and none after the last was removed', () => {
    const [first, second] = before['field_member_of'] ?? [];
    const moved = changeDraft(before, members, { kind: 'move', key: second?.key ?? 0, by: -1 });
    expect(sent(moved)).toEqual({ field_member_of: [{ target_id: 2 }, { target_id: 1 }] });
    const outside = changeDraft(moved, members, { kind: 'move', key: second?.key ?? 0, by: -1 });
    expect(outside).toEqual(moved);
    const removed = [first, second].reduce(
      (draft, item) => changeDraft(draft, members, { kind: 'remove', key: item?.key ?? 0 }),
      before,
    );
    expect(sent(removed)).toEqual({ field_member_of: [] });
    expect(sent(typed(before, title, ''))).toEqual({ title: [] });
  });

  it('keeps members that the form does not show, unless they belong to another target', () => {
    expect(sent(typed(before, links, 'A', 'title'))).toEqual({
      field_links: [{ uri: 'https://a.example', title: 'A', options: { attributes: { rel: 'me' } } }],
    });
    expect(sent(typed(before, image, 'B', 'alt'))).toEqual({
      field_image: [{ target_id: 9, alt: 'B', width: 10, height: 20 }],
    });
    expect(sent(typed(before, image, '8'))).toEqual({ field_image: [{ target_id: 8, alt: 'A' }] });
  });

  it('names the items that were sent by their keys, without the empty ones', () => {
    const after = typed(added(added(before, members), members), members, '3', 'target_id', 3);
    const keys = (after['field_member_of'] ?? []).map(({ key }) => key);
    expect(changedFields(fields, before, after).keys['field_member_of']).toEqual([keys[0], keys[1], keys[3]]);
  });
});

describe('an address that fills a form in', () => {
  it('fills main inputs, named inputs and several references, and nothing else', () => {
    const fields = [title, members, agents];
    const before = draftOfNew(fields);
    const values = {
      ...{ title: 'One, two', field_member_of: '1, 2', unknown: 'x', focus: undefined },
      ...{ field_agent: '5', 'field_agent.rel_type': 'relators:aut' },
    };
    expect(changedFields(fields, before, prefilled(before, fields, values)).members).toEqual({
      title: [{ value: 'One, two' }],
      field_member_of: [{ target_id: 1 }, { target_id: 2 }],
      field_agent: [{ target_id: 5, rel_type: 'relators:aut' }],
    });
    expect(prefilled(before, fields, {})).toEqual(before);
  });
});

describe('the fields of a form', () => {
  const fields = [
    title,
    field('type', 'entity_reference', reference),
    field('changed', 'changed', { readOnly: true }),
    field('uuid', 'uuid', { createOnly: true }),
  ];
  const artwork: ModelBundle = {
    ...{ type: 'node', bundle: 'artwork', label: 'Artwork', count: 0, methods: ['POST'] },
    ...{ idField: 'nid', bundleField: 'type', labelField: 'title', fields },
  };

  it('are those that can be set, without the bundle', () => {
    const names = (isNew: boolean): string[] => fieldsOfForm(artwork, isNew).map(({ name }) => name);
    expect([names(true), names(false)]).toEqual([['title', 'uuid'], ['title']]);
  });

  it('belong to the bundle that a record names', () => {
    const model = { bundles: [{ ...artwork, bundle: 'exhibit' }, artwork] };
    expect(bundleOfRecord(model, 'node', { type: [{ target_id: 'artwork' }] })).toBe(artwork);
    expect(bundleOfRecord(model, 'node', { type: [{ target_id: 'gone' }] })).toBeUndefined();
    expect(bundleOfRecord(model, 'redirect', {})).toBeUndefined();
  });

  it('have choices where the model names some, with the words of the site for yes and no', () => {
    const choices = [
      { value: 'oil', label: 'Oil' },
      { value: 'ink', label: 'Ink' },
    ];
    const [list] = partsOf(field('l', 'list_string', { allowedValues: choices }));
    expect([list?.input, list?.choices]).toEqual(['choice', choices]);
    const [yes] = partsOf(field('b', 'boolean', { allowedValues: [{ value: '1', label: 'On loan' }] }));
    expect(yes?.choices?.map(({ label }) => label)).toEqual(['On loan', 'No']);
    expect(partsOf(links).map(({ property }) => property)).toEqual(['uri', 'title']);
    expect(partsOf(field('l', 'link', { linkTitle: 'disabled' })).map(({ property }) => property)).toEqual(['uri']);
  });
});
