/** The answers of OAI-PMH that were recorded from a real site, asked for here over the same records. */
import { describe, expect, it } from '@jest/globals';
import { createStarter, nodeOf, put, recordingsOf, target, termOf } from '../recorded-site.ts';
import type { Entity } from '../../../src/openapi/openapi-records.ts';

const atoll = await createStarter();

type Header = { readonly id: number; readonly changed: string; readonly isChild: boolean };

/** The records that the recordings list, at the times that they say. */
const listed = (name: string): readonly Header[] =>
  recordingsOf(name).flatMap(({ answer: { body } }) =>
    [
      ...String(body).matchAll(
        /<header><identifier>oai:localhost:node-(\d+)<\/identifier><datestamp>([^<]*)<\/datestamp>(.*?)<\/header>/g,
      ),
    ].map(([, id, changed = '', sets = '']) => ({
      id: Number(id),
      changed,
      isChild: !sets.includes('collectionless'),
    })),
  );

const model = target(13);
const collection = (id: number, title: string) => nodeOf(id, title, { field_model: target(10) });
const itemOne = nodeOf(
  112,
  'OAI item & one <first>',
  {
    ...{ field_model: model, field_member_of: target(111) },
    field_description: [{ value: 'A description.\nSecond line.' }],
    ...{ field_edtf_date_issued: [{ value: '1999-05' }], field_identifier: [{ value: 'ID-1' }] },
    field_rights: [{ value: 'CC BY' }],
  },
  { created: '2026-11-23T16:01:05Z' },
);

/** 100 records in all, of which the recordings show the first twenty and the last. */
const records = (): readonly Entity[] => {
  const known = new Map(
    [...listed('oai-pmh-changes'), ...listed('oai-pmh')].filter(({ id }) => id < 100).map((each) => [each.id, each]),
  );
  const shown = [...known.values()].map(({ id, changed, isChild }) =>
    nodeOf(id, `Record ${id}`, { field_model: model, ...(isChild ? { field_member_of: target(1) } : {}) }, { changed }),
  );
  const rest = Array.from({ length: 110 }, (_, at) => at + 24)
    .filter((id) => ![99, 104, 111, 112].includes(id) && !known.has(id) && id < 112)
    .slice(0, 99 - shown.length - 2)
    .map((id) => nodeOf(id, `Record ${id}`, { field_model: model, field_member_of: target(id % 2 === 0 ? 99 : 104) }));
  // The books are records themselves.
  const books = [99, 104].map((id) => nodeOf(id, 'The Book', { field_model: model }));
  return [...shown, ...rest, ...books, collection(111, 'OAI Collection'), itemOne];
};

/** Times, and tokens: the real site counts its tokens, here each says all itself. */
const comparable = (xml: unknown): string =>
  String(xml)
    .replace(/<responseDate>[^<]*</, '<responseDate><')
    .replace(/ expirationDate="[^"]*">[^<]*<\/resumptionToken>/, '>token</resumptionToken>');

const tokenIn = (xml: string): string => /<resumptionToken [^>]*>([^<]*)</.exec(xml)?.[1] ?? '';

const ask = (path: string, as?: string) => atoll.send('GET', path, as);

describe('The recorded answers to harvesters', () => {
  it('are given alike: verbs, formats, sets, dates and errors', async () => {
    await atoll.reset();
    await put(atoll, records());
    for (const { note, request, answer } of recordingsOf('oai-pmh')) {
      if (!request.path.startsWith('/oai/')) continue;
      const response = await atoll
        .send(request.method, request.path, request.as === 'anonymous' ? undefined : request.as)
        .set(request.headers ?? {});
      expect([request.path, note, response.status]).toEqual([request.path, note, answer.status]);
      // A refusal is JSON here, whatever format was asked for.
      if (response.status !== 200) continue;
      expect([note, response.get('Content-Type')]).toEqual([note, answer.headers['Content-Type']]);
      if (request.method === 'GET') expect([note, comparable(response.text)]).toEqual([note, comparable(answer.body)]);
    }
  });

  it('are given alike while records change', async () => {
    await atoll.reset();
    await put(atoll, records());
    const renamed = {
      ...itemOne,
      fields: {
        ...itemOne.fields,
        title: [{ value: 'OAI item renamed' }],
        changed: [{ value: Date.parse('2026-11-23T16:01:55Z') / 1000 }],
      },
    };
    const created = '2026-11-23T16:01:56Z';
    const added = nodeOf(113, 'OAI new', { field_model: model, field_member_of: target(111) }, { created });
    const unpublished = { ...added, fields: { ...added.fields, status: [{ value: false }] } };
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      'title changed, before cron': () => put(atoll, [renamed]),
      'new node before cron': () => put(atoll, [added]),
      'unpublished before cron, anonymous': () => put(atoll, [unpublished]),
      'deleted, before cron': () =>
        atoll.world().store.transact([], () => ({ changes: [{ remove: 'node:112' }], result: undefined })),
    };
    let token = '';
    for (const { note, request, answer } of recordingsOf('oai-pmh-changes')) {
      await changes[note]?.();
      const response = await ask(request.path.replace('resumptionToken=3', `resumptionToken=${token}`)).expect(200);
      if (note === 'first page') token = tokenIn(response.text);
      expect([note, comparable(response.text)]).toEqual([note, comparable(answer.body)]);
    }
  });

  it('have Dublin Core by the RDF mapping', async () => {
    await atoll.reset();
    const [, { answer } = { answer: { body: '' } }] = recordingsOf('oai-pmh-record');
    const created = '2026-11-23T16:06:41Z';
    await put(atoll, [
      termOf(921, 'person', 'Doe, Jane'),
      ...[termOf(922, 'subject', 'Whales'), termOf(923, 'subject', 'Ice'), termOf(924, 'genre', 'Photographs')],
      termOf(925, 'geo_location', 'Ross Sea'),
      nodeOf(
        134,
        'Rich record',
        {
          ...{ field_model: model, field_alt_title: [{ value: 'Other title' }] },
          field_linked_agent: [{ target_id: 921, rel_type: 'relators:pht' }],
          ...{ field_subject: target(922, 923), field_genre: target(924), field_geographic_subject: target(925) },
          ...{
            field_extent: [{ value: '1 item' }, { value: '3 cm' }],
            field_edtf_date_issued: [{ value: '1999-05-XX' }],
          },
          ...{ field_edtf_date_created: [{ value: '1998~' }], field_rights: [{ value: 'CC BY' }] },
          ...{ field_description: [{ value: 'D & d' }], field_abstract: [{ value: 'An abstract' }] },
          ...{ field_publisher: [{ value: 'Pub' }], field_identifier: [{ value: 'ID-1' }, { value: 'ID-2' }] },
          ...{ field_local_identifier: [{ value: 'L-1' }], field_note: [{ value: 'not mapped' }] },
          ...{ field_table_of_contents: [{ value: 'toc' }], field_coordinates: [{ lat: 1.5, lng: 2.5 }] },
        },
        { created },
      ),
    ]);
    const { text } = await ask('/oai/request?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:localhost:node-134');
    expect(comparable(text)).toBe(comparable(answer.body));
  });
});
