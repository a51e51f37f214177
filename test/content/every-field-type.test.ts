/** Every field type, from a request to the record: a site with a field of each type, whose answers are checked against its document. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fieldTypeOf, type Bundle } from '../../src/repository/repository.ts';
import { silentChanges } from '../../src/repository/repository-content.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { hangMs } from '../support/hang.ts';
import { basic, sendJson } from '../support/requests.ts';
import { otherFields, otherSite } from './other-sites.ts';
import { bodyOf, drawnBody, expectedLines } from './refusal-model.ts';
import type { Json, JsonObject } from '../../src/basics/json.ts';

const admin = basic('admin');
let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll({ site: otherSite });
});
beforeEach(() => atoll.reset());

const objects = (): Bundle => {
  const bundle = atoll.site.model.bundle('node', 'islandora_object');
  if (bundle === undefined) throw new Error('no objects');
  return bundle;
};

const patch = async (fields: JsonObject) => {
  const body = { type: [{ target_id: 'islandora_object' }], ...fields };
  const { status, text } = await sendJson(atoll, admin, 'PATCH', '/node/2?_format=json', body);
  return { status, record: JSON.parse(text) as Record<string, Json> & { message?: string } };
};
const read = async (path: string) => {
  const response = await atoll.send('GET', path, 'admin');
  return { status: response.status, record: response.body as Record<string, Json> };
};

/** What is sent, and what the record then shows. */
const kept: readonly (readonly [name: string, sent: Json, shown: Json])[] = [
  ['text', [{ value: 'a <b>' }], [{ value: 'a <b>', format: null, processed: '<p>a &lt;b&gt;</p>\n' }]],
  [
    'summary',
    [
      { value: '', summary: 'short' },
      { value: 'long', format: 'plain_text' },
    ],
    [
      { value: '', format: null, processed: '', summary: 'short' },
      { value: 'long', format: 'plain_text', processed: '<p>long</p>\n', summary: null },
    ],
  ],
  ['or_rights', ['open'], [{ value: 'open' }]],
  ['level', [{ value: '2' }, { value: 1 }], [{ value: 2 }, { value: 1 }]],
  ['email', ['a@example.org'], [{ value: 'a@example.org' }]],
  [
    'authority',
    [{ uri: 'http://viaf.org/1', source: 'viaf' }, { uri: 'http://viaf.org/2' }],
    [
      { uri: 'http://viaf.org/1', title: null, options: [], source: 'viaf' },
      { uri: 'http://viaf.org/2', title: null, options: [], source: null },
    ],
  ],
  [
    'place',
    [{ lat: '48.2', lng: 16.37, data: [], lat_sin: 4 }],
    [{ lat: 48.2, lng: 16.37, data: [], value: '48.2, 16.37' }],
  ],
  [
    'comment',
    [{ status: 2 }],
    [
      {
        ...{ status: 2, cid: 0, last_comment_timestamp: Date.parse('2024-05-01T12:00:00Z') / 1000 },
        ...{ last_comment_name: null, last_comment_uid: 0, comment_count: 0 },
      },
    ],
  ],
  [
    'name',
    [{ given: 'Ada', family: 'Lovelace' }],
    [{ title: null, given: 'Ada', middle: null, family: 'Lovelace', generational: null, credentials: null }],
  ],
  ['date', [{ value: '2020-02-03T04:05:06+01:00' }], [{ value: '2020-02-03T03:05:06+00:00' }]],
  ['day', [{ value: '1843-7-5' }], [{ value: '1843-07-05' }]],
  ['decimal', [{ value: 1.005 }, '-.5', { value: '7' }], [{ value: '1.00' }, { value: '-0.50' }, { value: '7.00' }]],
  ['float', ['1e0', { value: 0.25 }], [{ value: 1 }, { value: 0.25 }]],
  ['count', ['3'], [{ value: 3 }]],
  ['telephone', [{ value: 5 }, '+44 20 7946 0018'], [{ value: '5' }, { value: '+44 20 7946 0018' }]],
  ['weight', ['-3', { value: 0 }], [{ value: -3 }, { value: 0 }]],
  [
    'span',
    [{ value: '2020-02-03T04:05:06+01:00', end_value: '2020-02-03T04:05:06Z' }],
    [{ value: '2020-02-03T03:05:06+00:00', end_value: '2020-02-03T04:05:06+00:00' }],
  ],
  [
    'span_of_days',
    [{ value: '1843-7-5', end_value: '1843-07-06' }],
    [{ value: '1843-07-05', end_value: '1843-07-06' }],
  ],
  [
    'paragraph',
    [
      { target_id: 5, target_revision_id: '7', target_type: 'paragraph', target_uuid: 'a-b' },
      { target_id: 6, target_revision_id: 8 },
    ],
    [
      { target_id: 5, target_revision_id: 7, target_type: 'paragraph', target_uuid: 'a-b' },
      { target_id: 6, target_revision_id: 8, target_type: 'paragraph' },
    ],
  ],
  ['unknown', [{ a: 'x', 'b c': 1, d: [1], e: null, f: 2 }, 'bare'], [{ a: 'x', e: null, f: 2 }, { value: 'bare' }]],
];

/** The module of Drupal, or of its community, that brings the type. */
const modules: readonly (readonly [name: string, module: string])[] = [
  ['authority', 'controlled_access_terms'],
  ['comment', 'comment'],
  ['count', 'core'],
  ['date', 'datetime'],
  ['decimal', 'core'],
  ['email', 'core'],
  ['level', 'options'],
  ['name', 'name'],
  ['paragraph', 'entity_reference_revisions'],
  ['place', 'geolocation'],
  ['span', 'datetime_range'],
  ['summary', 'text'],
  ['telephone', 'telephone'],
  ['text', 'text'],
  ['track', 'islandora'],
  ['weight', 'weight'],
];

describe('A field of each type', () => {
  it.each(otherFields.map((field) => [field.name, field] as const))(
    '%s takes and refuses what `verify` tries of it',
    async (name, field) => {
      const { taken = [], refused = [] } = fieldTypeOf(field).trials?.(field) ?? {};
      for (const item of taken) expect([item, (await patch({ [name]: [item] })).status]).toEqual([item, 200]);
      for (const item of refused) expect([item, (await patch({ [name]: [item] })).status]).toEqual([item, 422]);
    },
  );

  it.each(modules)('%s has the module %s in its configuration', async (name, module) => {
    const path = `/entity/field_storage_config/node.field_other_${name}?_format=json`;
    expect(await read(path)).toMatchObject({ status: 200, record: { module } });
  });

  it.each(kept)(
    '%s keeps what is sent, shows it by the document, and takes back what it shows',
    async (name, sent, shown) => {
      const field = `field_other_${name}`;
      expect(await patch({ [field]: sent })).toMatchObject({ status: 200, record: { [field]: shown } });
      expect(await read('/node/2?_format=json')).toMatchObject({ status: 200, record: { [field]: shown } });
      expect((await read('/node/2?_format=jsonld')).status).toBe(200);
      const again = await patch({ [field]: shown });
      expect(again).toMatchObject({ status: 200, record: { [field]: shown } });
      expect(silentChanges({ [field]: shown }, again.record, objects())).toEqual([]);
    },
  );

  it.each([
    ['decimal', [{ value: '1.005' }], /^A decimal is stored as text, with the digits/],
    [
      'unknown',
      [{ a: 1, b: [2] }],
      /^The server does not know this type of field\. It keeps texts, numbers and booleans/,
    ],
    ['unknown', [{ a: '' }], /^An item without any value is dropped/],
    ['place', [{ lat: '1', lng: 2 }], /^The value is stored as a number/],
    ['place', [{ lat: 1, lng: 2, lat_sin: 3 }], /^The server computes this member/],
    ['comment', [{ status: 1, cid: 5 }], /^The server computes this member/],
    ['date', [{ value: '2020-02-03T04:05:06+01:00' }], /^A time is stored in whole seconds and shown in UTC/],
    ['level', ['2'], /^The value is stored as a number/],
  ])('%s that is not stored as it was sent says why', async (name, sent: Json, reason) => {
    const { status, record } = await patch({ [`field_other_${name}`]: sent });
    expect(status).toBe(200);
    const [change, ...others] = silentChanges({ [`field_other_${name}`]: sent }, record, objects());
    expect([change?.reason, others]).toEqual([expect.stringMatching(reason), []]);
  });

  it.each([
    ['field_subject', [0], 'The id 0 refers to nothing. It is shown as null.'],
    [
      'field_linked_agent',
      [{ target_id: 40, rel_type: '0' }],
      'A "rel_type" of 0 counts as empty, so the relation is dropped.',
    ],
    ['field_linked_agent', [{ target_id: 40 }], 'A relation without "rel_type" is dropped.'],
  ])('%s says of %j what PHP takes for empty', async (name, sent: Json, reason) => {
    const { status, record } = await patch({ [name]: sent });
    expect([status, record.message]).toEqual([200, undefined]);
    expect(silentChanges({ [name]: sent }, record, objects()).map((change) => change.reason)).toEqual([reason]);
  });

  it('that has lost nearly all of many items is told without comparing each with each', () => {
    const sent = Array.from({ length: 40_000 }, (_, index) => ({ target_id: index }));
    const started = performance.now();
    const changes = silentChanges({ field_subject: sent }, { field_subject: [{ target_id: 50_000 }] }, objects());
    expect(performance.now() - started).toBeLessThan(hangMs);
    expect(changes).toHaveLength(sent.length);
  });

  it.each([
    ['float', [{ value: '1e400' }]],
    ['place', [{ lat: 1, lng: '-1e400' }]],
  ])('%s is refused where no answer could show it', async (name, sent: Json) => {
    const { status } = await patch({ [`field_other_${name}`]: sent });
    expect(status).toBe(422);
  });

  it('is emptied by a list without items', async () => {
    const fields = kept.map(([name]) => `field_other_${name}`);
    await patch(Object.fromEntries(kept.map(([name, sent]) => [`field_other_${name}`, sent])));
    const { status, record } = await patch(Object.fromEntries(fields.map((name) => [name, []])));
    expect([status, ...fields.map((name) => record[name])]).toEqual([200, ...fields.map(() => [])]);
  });

  it('is refused in the words and the order of the real site', async () => {
    const names = otherFields.map(({ name }) => name);
    await fc.assert(
      fc.asyncProperty(drawnBody(objects(), names), async (drawn) => {
        // A day needs other texts, which are refused before anything is judged.
        const judged = drawn.filter(({ field }) => field.dateOnly !== true);
        const lines = expectedLines(judged, names);
        const { status, record } = await patch(bodyOf(judged));
        expect([status, record.message]).toEqual(
          lines.length === 0
            ? [200, undefined]
            : [
                422,
                `Unprocessable Entity: validation failed.\n${lines
                  .slice(0, 50)
                  .map((line) => `${line}\n`)
                  .join('')}`,
              ],
        );
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['date', '2020-02-03', '"Y-m-d\\TH:i:sP" (RFC 3339), "Y-m-d\\TH:i:sO" (ISO 8601)'],
    ['date', 'yesterday', '"Y-m-d\\TH:i:sP" (RFC 3339), "Y-m-d\\TH:i:sO" (ISO 8601)'],
    ['day', '2020-02-30', '"Y-m-d" (date-only)'],
    ['day', '2020-02-03T04:05:06Z', '"Y-m-d" (date-only)'],
  ])('%s is refused for %p', async (name, value, formats) => {
    const { status, record } = await patch({ [`field_other_${name}`]: [{ value }] });
    expect([status, record.message]).toEqual([
      422,
      `The specified date "${value}" is not in an accepted format: ${formats}.`,
    ]);
  });
});

describe('A reference to a media', () => {
  it('is shown with its address, and as a link', async () => {
    await patch({ field_other_media: [{ target_id: 1 }] });
    const { status, record } = await read('/node/2?_format=json');
    expect([status, record['field_other_media']]).toEqual([
      200,
      [{ target_id: 1, target_type: 'media', target_uuid: expect.any(String), url: '/media/1' }],
    ]);
    const { headers } = await atoll.send('GET', '/node/2?_format=json', 'admin');
    expect(headers['link']).toContain('<http://localhost:8000/media/1>; rel="related"; title="media"');
  });
});

describe('A file of subtitles', () => {
  const upload = async (place: string, name: string): Promise<number> => {
    const response = await atoll
      .send('POST', `/file/upload/${place}?_format=json`, 'admin')
      .set({ 'Content-Type': 'application/octet-stream', 'Content-Disposition': `file; filename="${name}"` })
      .send('WEBVTT');
    expect(response.status).toBe(201);
    return (response.body as { fid: [{ value: number }] }).fid[0].value;
  };

  it('is uploaded to its field, and has what a player needs', async () => {
    const id = await upload('node/islandora_object/field_other_track', 'a.vtt');
    const { status, record } = await patch({ field_other_track: [{ target_id: id, kind: 'captions', default: 1 }] });
    expect([status, record['field_other_track']]).toEqual([
      200,
      [
        {
          ...{ target_id: id, label: null, kind: 'captions', srclang: null, default: true },
          ...{ target_type: 'file', target_uuid: expect.any(String), url: expect.stringMatching(/a\.vtt$/) },
        },
      ],
    ]);
    expect(await patch({ field_other_track: record['field_other_track'] ?? [] })).toMatchObject({ status: 200 });
  });

  it('must have an extension of the field', async () => {
    const id = await upload('media/file/field_media_file', 'a.txt');
    expect(await patch({ field_other_track: [{ target_id: id }] })).toMatchObject({
      status: 422,
      record: { message: expect.stringContaining('Only files with the following extensions are allowed: vtt.') },
    });
  });
});

describe('A term with an authority link', () => {
  const uri = 'http://id.loc.gov/authorities/subjects/sh1';
  const create = async (vocabulary: string): Promise<number> => {
    const { status, text } = await sendJson(atoll, admin, 'POST', '/taxonomy/term?_format=json', {
      vid: [{ target_id: vocabulary }],
      name: [{ value: 'Tides' }],
      field_other_authority: [{ uri, source: 'lcsh' }],
    });
    expect(status).toBe(201);
    return (JSON.parse(text) as { tid: [{ value: number }] }).tid[0].value;
  };

  it('is found by its address, and links lead to the term, as on a real site', async () => {
    const tid = await create('subject');
    const found = await atoll.send('GET', `/term_from_uri?uri=${encodeURIComponent(uri)}&_format=json`, 'admin');
    expect(found.body).toMatchObject([{ tid: [{ value: tid }] }]);
    await patch({ field_subject: [{ target_id: tid }] });
    const { headers } = await atoll.send('GET', '/node/2?_format=json', 'admin');
    expect(headers['link']).toContain(`/taxonomy/term/${tid}>; rel="tag"; title="Tides"`);
    expect(headers['link']).not.toContain(uri);
  });

  it('gives no address as a type to the objects whose model it is: that is for field_external_uri', async () => {
    const tid = await create('islandora_models');
    await patch({ field_model: [{ target_id: tid }] });
    const { record } = await read('/node/2?_format=jsonld');
    const [object] = record['@graph'] as readonly JsonObject[]; // a graph
    expect(object?.['@type']).not.toContain(uri);
    const { record: plain } = await read(`/taxonomy/term/${tid}?_format=json`);
    expect(plain['field_other_authority']).toEqual([{ uri, title: null, options: [], source: 'lcsh' }]);
  });
});
