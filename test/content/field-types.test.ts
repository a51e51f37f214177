/** What each field type accepts, refuses and keeps, one table a type. */
import { describe, expect, it } from '@jest/globals';
import { fieldTypeOf, extensionOf, type FieldDefinition } from '../../src/repository/repository.ts';
import { readFields, violationsOf } from '../../src/repository/repository-content.ts';
import { bundleOf, context, fieldOf, valued } from './judging.ts';
import { acceptedDates, refusedDates } from './recorded-edtf.ts';
import type { FieldItem } from '../../src/openapi/openapi-records.ts';
import type { Json } from '../../src/basics/json.ts';

const node = (name: string): FieldDefinition => fieldOf('node', 'islandora_object', name);
const image = (name: string): FieldDefinition => fieldOf('media', 'image', name);
const primitive = 'This value should be of the correct primitive type.';

/** What is wrong with the only item of a field, by property. */
const judge = (field: FieldDefinition, item: FieldItem): string[] => {
  const bundle = { ...bundleOf('node', 'islandora_object'), fields: new Map([[field.name, field]]) };
  return violationsOf(bundle, new Set([field.name]), () => [item], context).map(({ path, message }) => {
    const [, , property] = path.split('.');
    return `${property === undefined ? '' : `${property}: `}${message}`;
  });
};
const store = (field: FieldDefinition, item: FieldItem): FieldItem => fieldTypeOf(field).store(item);

type Case = readonly [what: string, field: FieldDefinition, sent: FieldItem, kept: FieldItem];
const keep = (cases: readonly Case[]) => {
  it.each(cases)('%s is kept', (_what, field, sent, kept) => {
    expect(judge(field, sent)).toEqual([]);
    expect(store(field, sent)).toEqual(kept);
  });
};
type Refusal = readonly [what: string, field: FieldDefinition, sent: FieldItem, faults: readonly string[]];
const refuse = (cases: readonly Refusal[]) => {
  it.each(cases)('%s is refused', (_what, field, sent, faults) => {
    expect(judge(field, sent)).toEqual(faults);
  });
};
/** Values that are nothing but wrong for a scalar. */
const wrongFor = (field: FieldDefinition, values: readonly Json[], fault = `value: ${primitive}`): Refusal[] =>
  values.map((value) => [JSON.stringify(value), field, valued(value), [fault]]);

describe('string', () => {
  const title = node('title');
  keep([
    ['a text', title, valued('T'), valued('T')],
    ['a number, as text', title, valued(7), valued('7')],
    ['a fraction, with 14 digits', title, valued(0.1 + 0.2), valued('0.3')],
    ['a small number, as PHP writes it', title, valued(-0.000025), valued('-2.5E-5')],
    ['a smaller one', title, valued(1e-9), valued('1.0E-9')],
    ['true, as text', title, valued(true), valued('1')],
    ['false, as no text', title, valued(false), valued('')],
    ['255 characters', title, valued('x'.repeat(255)), valued('x'.repeat(255))],
    ['255 characters of two units each', title, valued('😀'.repeat(255)), valued('😀'.repeat(255))],
    ['a long text without limit', node('field_description'), valued('x'.repeat(9000)), valued('x'.repeat(9000))],
  ]);
  refuse([
    ['256 characters', title, valued('x'.repeat(256)), ['value: Title: may not be longer than 255 characters.']],
    ...wrongFor(title, [[], {}, ['a'], { $ne: 1 }]),
  ]);
});

describe('integer', () => {
  const width = image('field_width');
  keep([
    ['a whole number', width, valued(40), valued(40)],
    ['digits', width, valued('40'), valued(40)],
    ['digits with a sign and spaces', width, valued(' +40\n'), valued(40)],
    ['a negative one', width, valued(-1), valued(-1)],
    ['true, as one', width, valued(true), valued(1)],
  ]);
  refuse(wrongFor(width, ['abc', '040', '1.5', '1e3', 1.5, 2 ** 53, [], {}]));
  const revision = node('vid');
  refuse([
    ['a fraction of a revision', revision, valued('1.5'), [`value: ${primitive}`]],
    ['a revision below 0', revision, valued(-7), ['value: Revision ID: The integer must be larger or equal to 0.']],
    [
      'a revision in letters',
      revision,
      valued('x'),
      ['value: This value should be a valid number.', `value: ${primitive}`],
    ],
  ]);
});

describe('boolean', () => {
  const status = node('status');
  keep([
    ...[true, 1, '1', '01', ' 1.0'].map((value): Case => [JSON.stringify(value), status, valued(value), valued(true)]),
    ...[false, 0, '0'].map((value): Case => [JSON.stringify(value), status, valued(value), valued(false)]),
  ]);
  refuse(wrongFor(status, ['true', 'false', 'yes', '', 2, [], {}]));
});

describe('uuid', () => {
  const uuid = node('uuid');
  const text = '0587D589-8e61-4a18-821f-0eb423ad1f91';
  keep([['a uuid, in lower case', uuid, valued(text), valued(text.toLowerCase())]]);
  refuse([
    ['129 characters', uuid, valued('a'.repeat(129)), ['value: UUID: may not be longer than 128 characters.']],
    ['another text', uuid, valued('abc'), ['value: This value is not a valid UUID.']],
    ...wrongFor(uuid, [1, true], 'value: This value is not a valid UUID.'),
    ...wrongFor(uuid, [[], {}]),
  ]);
});

describe('language', () => {
  keep([['a language of the site', node('langcode'), valued('fr'), valued('fr')]]);
  const noChoice = 'The value you selected is not a valid choice.';
  refuse(wrongFor(node('langcode'), ['xx', 'EN', '', 1, false], noChoice));
  refuse([
    [
      'a long one',
      node('langcode'),
      valued('x'.repeat(13)),
      ['value: This value is too long. It should have 12 characters or less.', noChoice],
    ],
    ['a list', node('langcode'), valued([]), [noChoice, `value: ${primitive}`]],
  ]);
});

describe('timestamp', () => {
  const read = (sent: Json) =>
    readFields({ created: [sent] }, bundleOf('node', 'islandora_object'), { idOf: () => 1, now: 1_600_000_000 }).get(
      'created',
    )?.[0];
  it('is read before anything is judged, as seconds', () => {
    expect(read(valued('2019-01-01T00:00:00+00:00'))).toEqual(valued(1_546_300_800));
  });
  // The time is 2020-09-13 12:26:40.
  it.each([
    ['24.12.2021', 'd.m.Y', '2021-12-24T12:26:40Z'],
    ['7:05', 'G:i', '2020-09-13T07:05:00Z'],
    ['99/2/3 00:00:01', 'y/n/j H:i:s', '1999-02-03T00:00:01Z'],
    ['am 03.04.1850 -0730', '\\a\\m d.m.Y O', '1850-04-03T19:56:40Z'],
    ['-86400', 'U', '1969-12-31T00:00:00Z'],
    ['2019-01-01T00:00:00+00:00', '', '2019-01-01T00:00:00Z'],
  ])('is read from %p by the pattern %p beside it', (value, format, time) => {
    expect(read({ value, format })).toEqual(valued(Date.parse(time) / 1000));
  });
  it.each([
    ['31.04.2021', 'd.m.Y'],
    ['24.12.2021 ', 'd.m.Y'],
    ['24:00', 'H:i'],
    ['May', 'F'],
  ])('%p is no time by the pattern %p', (value, format) => {
    expect(() => read({ value, format })).toThrow(
      `The specified date "${value}" is not in an accepted format: "${format}" (0).`,
    );
  });
  it.each(['yesterday', 1.5, ''])('%p is no time, and the answer says what would be', (value: Json) => {
    expect(() => read(valued(value))).toThrow(
      expect.objectContaining({ status: 422, message: expect.stringContaining('"U" (UNIX timestamp)') }),
    );
  });
  it.each([1_546_300_800, '2019-01-01T00:00:00Z', null, [], {}, valued(true), valued(null), valued([])])(
    '%p is no object with a time',
    (sent: Json) => {
      const message = 'A value of "created" must be an object with a time in "value".';
      expect(() => read(sent)).toThrow(expect.objectContaining({ status: 422, message }));
    },
  );
});

describe('edtf', () => {
  const date = node('field_edtf_date');
  const said = (text: string, faults: readonly string[]) =>
    faults.map((fault) => `${text} is not valid EDTF: ${fault}`);

  it('accepts and refuses what a real site did, in its words', () => {
    const refused = refusedDates.flatMap(([faults, dates]) =>
      dates.map((text) => {
        const filled = faults.map((fault) => fault.replace('{value}', text));
        return [text, said(text, filled)] as const;
      }),
    );
    const expected = new Map<string, readonly string[]>([
      ...acceptedDates.map((text) => [text, []] as const),
      ...refused,
    ]);
    expect(expected.size).toBe(214);
    expect(new Map([...expected.keys()].map((text) => [text, judge(date, valued(text))]))).toEqual(expected);
    expect(store(date, valued('2015?~'))).toEqual(valued('2015?~'));
  });

  const wrong: readonly (readonly [text: string, faults: readonly string[]])[] = [
    ['1984-42-51', ["Provided month value '42' is not valid.", "Provided day value '51' is not valid."]],
    ['19-X2', ['Years must be at least 4 characters long.', "Provided month value 'X2' is not valid."]],
    ['1984-22-05', ["Provided month value '22' is not valid."]],
    ['1984-33-??', ["Provided month value '33' is not valid."]],
    ['1984-2X', ["Provided month value '2X' is not valid."]],
    ['1984-05-06T0', ['Time not provided with time seperator (T).']],
    ['1984-05-06T', ['Time not provided with time seperator (T).']],
    ['1984-05-06T1T2', ["The date/time '1984-05-06T1T2' is invalid."]],
    [
      '1984T10:00:00Z/nope',
      [
        'Date intervals cannot include times.',
        "The date/time '1984T10:00:00Z' is invalid.",
        "Could not parse the date 'nope'.",
      ],
    ],
    ['[1984,7]', ['Years must be at least 4 characters long.']],
    ['{.}', ["Could not parse the date '.'."]],
    ['[1984]/1985', ['The set is improperly encoded.']],
  ];
  refuse(wrong.map(([text, faults]): Refusal => [text, date, valued(text), said(text, faults)]));
  keep(
    ['1984/0', '{1984]', '[0]', '1984-0X-X9', 'Y7-12', '1984-05-06T07:08:09Z\n', '1066-30', '%1984~-%12%-%31?'].map(
      (text): Case => [text, date, valued(text), valued(text)],
    ),
  );

  it('is too long after it is wrong', () => {
    const text = `${'1984/'.repeat(30)}x`;
    expect(judge(date, valued(text))).toEqual([
      ...said(text, ["Could not parse the date 'x'."]),
      'value: Date: may not be longer than 128 characters.',
    ]);
    expect(judge(date, valued('1/'.repeat(5000)))).toHaveLength(50);
  });
  refuse(wrongFor(date, [[], {}, { $ne: 1 }]));
});

describe('link', () => {
  const uri = fieldOf('taxonomy_term', 'islandora_models', 'field_external_uri');
  keep([
    ['an address', uri, { uri: 'http://x/y' }, { uri: 'http://x/y', title: null, options: [] }],
    [
      'with a title',
      uri,
      { uri: 'mailto:a@example.org', title: 'T', options: { a: 1 } },
      { uri: 'mailto:a@example.org', title: 'T', options: { a: 1 } },
    ],
  ]);
  keep(
    [
      'tel:+49301234',
      'sftp://x',
      'http://a b',
      'internal:/node/1',
      'entity:node/1',
      'route:<front>',
      'base:robots.txt',
    ].map((address): Case => [address, uri, { uri: address }, { uri: address, title: null, options: [] }]),
  );
  const invalid = (address: string | number) => `The path '${address}' is invalid.`;
  refuse([
    // A scheme that links may not have.
    ...['urn:x', 'data:,x', 'HTTP://x', 'ws://x', 'entity:node', 'entity:nope/1', 'internal:node'].map(
      (address): Refusal => [address, uri, { uri: address }, [invalid(address)]],
    ),
    // No scheme at all, or nothing that PHP can take apart.
    ...['x/y', '/x', '//x/y', 'tel:123', 'x:80/y', 'http:///x', 'http://x:99999', 5].map((address): Refusal => [
      String(address),
      uri,
      { uri: address },
      [invalid(address), `uri: ${primitive}`],
    ]),
    // Recorded where no link may lead into the site: a text that is not an address has one message.
    ...(
      [
        ['internal:node', 1],
        ['internal:/node/1', 1],
        ['entity:nope/1', 2],
      ] as const
    ).map(([address, times]): Refusal => [
      `${address} where links lead outside`,
      { ...uri, link: 'external' },
      { uri: address },
      Array.from({ length: times }, () => invalid(address)),
    ]),
    ['a path that PHP takes for a port', uri, { uri: 'base:1/2' }, [`uri: ${primitive}`]],
    ['a title that is no text', uri, { uri: 'http://x', title: [] }, [`title: ${primitive}`]],
  ]);
});

describe('formatted text', () => {
  const description = fieldOf('taxonomy_term', 'islandora_models', 'description');
  keep([['a text', description, valued('D'), { value: 'D', format: null }]]);
  keep([['with its format', description, { value: 'D', format: 'plain_text' }, { value: 'D', format: 'plain_text' }]]);
  refuse([
    ['a format that is no text', description, { value: 'D', format: [] }, [`format: ${primitive}`]],
    [
      'a format that the site does not have',
      description,
      { value: 'D', format: 'wiki' },
      ['format: The value you selected is not a valid choice.'],
    ],
  ]);
});

describe('entity_reference', () => {
  const field = node('field_model');
  const missing = (id: string) => `target_id: The referenced entity (taxonomy_term: ${id}) does not exist.`;
  keep([
    ['an id', field, { target_id: 24 }, { target_id: 24 }],
    ['its digits', field, { target_id: '24' }, { target_id: 24 }],
    ['0, which is nothing', field, { target_id: 0 }, { target_id: 0 }],
    ['a node', node('field_member_of'), { target_id: 1 }, { target_id: 1 }],
  ]);
  refuse([
    ['an id that nobody has', field, { target_id: 9999 }, [missing('9999')]],
    [
      'a term of another vocabulary',
      field,
      { target_id: 16 },
      ['target_id: This entity (taxonomy_term: 16) cannot be referenced.'],
    ],
    [
      'a node that may not be seen',
      node('field_member_of'),
      { target_id: 2 },
      ['target_id: This entity (node: 2) cannot be referenced.'],
    ],
    ['the empty text', field, { target_id: '' }, [`target_id: ${primitive}`]],
    ['false', field, { target_id: false }, [`target_id: ${primitive}`]],
    ['an id with a space', field, { target_id: ' 24' }, [missing(' 24')]],
    ['true, which is 1', field, { target_id: true }, [missing('1')]],
    ...(['abc', 1.5, [1], { $ne: 1 }] as Json[]).map((id): Refusal => [
      JSON.stringify(id),
      field,
      { target_id: id },
      [missing(typeof id === 'string' ? id : JSON.stringify(id)), `target_id: ${primitive}`],
    ]),
  ]);

  /** Read as the second item. */
  const read = (sent: Readonly<Record<string, Json>>) =>
    readFields({ field_member_of: [{ target_id: 1 }, sent] }, bundleOf('node', 'islandora_object'), {
      idOf: (type, uuid) => (type === 'node' && uuid === 'a-b' ? 1 : undefined),
      now: 0,
    }).get('field_member_of')?.[1];
  it('is found by uuid, in any case, with or without its type; the uuid decides', () => {
    expect(read({ target_uuid: 'A-B' })).toEqual({ target_id: 1 });
    expect(read({ target_uuid: 'a-b', target_type: 'node', target_id: 99 })).toEqual({ target_id: 1 });
    expect(read({ target_id: 5, target_type: 'node_type' })).toEqual({ target_id: 5 });
  });
  it.each([
    [{ target_uuid: '' }, 'If provided "target_uuid" cannot be empty for field "1".'],
    [{ target_uuid: 'x' }, 'No "" entity found with UUID "x" for field "1".'],
    [{ target_uuid: 'x', target_type: 'node' }, 'No "node" entity found with UUID "x" for field "1".'],
    [
      { target_uuid: 'a-b', target_type: 'node_type' },
      'The field "field_member_of" property "target_type" must be set to "node" or omitted.',
    ],
  ])('%p is refused', (sent: Readonly<Record<string, Json>>, message) => {
    expect(() => read(sent)).toThrow(expect.objectContaining({ status: 422, message }));
  });
});

describe('typed_relation', () => {
  const agent = node('field_linked_agent');
  keep([
    [
      'with a relation',
      agent,
      { target_id: 40, rel_type: 'relators:aut' },
      { target_id: 40, rel_type: 'relators:aut' },
    ],
    ['true as a relation', agent, { target_id: 40, rel_type: true }, { target_id: 40, rel_type: '1' }],
  ]);
  it.each([undefined, null, '', '0', false])('is empty with the relation %p, and judged all the same', (relation) => {
    const item = { target_id: 40, ...(relation === undefined ? {} : { rel_type: relation }) };
    expect(fieldTypeOf({ type: 'typed_relation' }).isEmpty(item)).toBe(true);
    expect(judge(agent, item)).toEqual([]);
    expect(judge(agent, { ...item, target_id: 99 })).toHaveLength(1);
  });
  refuse([['a relation that is not a text', agent, { target_id: 40, rel_type: ['a'] }, [`rel_type: ${primitive}`]]]);
  it('may be any, also outside the list that forms offer', () => {
    expect(judge({ ...agent, relations: ['relators:aut'] }, { target_id: 40, rel_type: 'nope' })).toEqual([]);
  });
});

describe('image and file', () => {
  const picture = image('field_media_image');
  const bare = { target_id: 7, alt: null, title: null, width: null, height: null };
  keep([
    ['a file alone', picture, { target_id: 7 }, bare],
    ['with what belongs to it', picture, { target_id: 7, alt: 'A', width: '5' }, { ...bare, alt: 'A', width: 5 }],
  ]);
  const audio = fieldOf('media', 'audio', 'field_media_audio_file');
  refuse([
    [
      'a file with another extension',
      audio,
      { target_id: 7 },
      ['Only files with the following extensions are allowed: mp3 wav aac.'],
    ],
    ['an alt that is no text', picture, { target_id: 7, alt: [] }, [`alt: ${primitive}`]],
    [
      'an alt of 513 characters',
      picture,
      { target_id: 7, alt: 'x'.repeat(513) },
      ['alt: Image: may not be longer than 512 characters.'],
    ],
    ['a width that is no number', picture, { target_id: 7, width: 'wide' }, [`width: ${primitive}`]],
    ['no file', picture, { target_id: 8 }, ['target_id: The referenced entity (file: 8) does not exist.']],
  ]);
  it('keeps display and description of other files', () => {
    expect(store(audio, { target_id: 7, display: true, description: 'D' })).toEqual({
      target_id: 7,
      display: true,
      description: 'D',
    });
  });
  it.each([
    ['a.png', 'png'],
    ['a.PNG', 'png'],
    ['a.b.c', 'c'],
    ['a', ''],
    ['a.', ''],
    ['.htaccess', 'htaccess'],
    ['a.b/c', ''],
  ])('%p has the extension %p', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });
});

describe('telephone', () => {
  const number = { ...node('title'), type: 'telephone', label: 'Telephone' };
  keep([
    ['a text', number, valued('+1 (202) 555-0123'), valued('+1 (202) 555-0123')],
    ['a number, as text', number, valued(5), valued('5')],
    ['256 characters', number, valued('1'.repeat(256)), valued('1'.repeat(256))],
  ]);
  const long = 'value: Telephone: the telephone number may not be longer than 256 characters.';
  refuse([['257 characters', number, valued('1'.repeat(257)), [long]], ...wrongFor(number, [[], {}])]);
});

describe('weight', () => {
  const weight = { ...image('field_width'), type: 'weight' };
  keep([
    ['a whole number', weight, valued(40), valued(40)],
    ['a negative one in digits, beyond what the widget offers', weight, valued('-400'), valued(-400)],
  ]);
  refuse(wrongFor(weight, ['heavy', 1.5, [], {}]));
});

describe('daterange', () => {
  const range = { ...node('title'), type: 'daterange', dateOnly: true };
  const both = { value: '2020-01-02', end_value: '2020-01-03' };
  keep([
    ['two days', range, both, both],
    ['an end before the start', range, { ...both, value: '2021-01-01' }, { ...both, value: '2021-01-01' }],
  ]);
  const absent = 'This value should not be null.';
  refuse([
    ['a start alone', range, { value: '2020-01-02' }, [`end_value: ${absent}`]],
    ['an end alone', range, { end_value: '2020-01-02' }, [`value: ${absent}`]],
    ['an end that is not a text', range, { ...both, end_value: [] }, [`end_value: ${primitive}`]],
  ]);
});

describe('entity_reference_revisions', () => {
  const paragraph = { ...node('title'), type: 'entity_reference_revisions' };
  const toNode: FieldDefinition = { ...paragraph, target: { type: 'node' } };
  const revision = { target_id: 5, target_revision_id: 7 };
  keep([
    ['a revision of what has no records here', paragraph, revision, revision],
    ['its UUID, too', paragraph, { ...revision, target_uuid: 'a-b' }, { ...revision, target_uuid: 'a-b' }],
  ]);
  refuse([
    ['a record alone', paragraph, { target_id: 5 }, ['target_revision_id: This value should not be null.']],
    [
      'a revision in letters',
      paragraph,
      { ...revision, target_revision_id: 'x' },
      [`target_revision_id: ${primitive}`],
    ],
    [
      'no node',
      toNode,
      { ...revision, target_id: 99 },
      ['target_id: The referenced entity (node: 99) does not exist.'],
    ],
  ]);
});

describe('an empty item', () => {
  it.each([{}, { value: null }, { value: '' }])('%p says nothing', (item: FieldItem) => {
    expect(fieldTypeOf({ type: 'string' }).isEmpty(item)).toBe(true);
  });
  it.each([{ value: 0 }, { value: false }, { value: ' ' }])('%p says something', (item: FieldItem) => {
    expect(fieldTypeOf({ type: 'string' }).isEmpty(item)).toBe(false);
  });
});
