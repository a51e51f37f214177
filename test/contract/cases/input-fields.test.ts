/** Group I about single fields: text, references, uuids, many values. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import LinkHeader from 'http-link-header';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import {
  bearer,
  linksOf,
  messageOf,
  read,
  type RecordBody,
  recordOf,
  seen,
  sendJson,
  targetsOf,
  visit,
  type Visitor,
} from '../../support/requests.ts';
import { hangMs } from '../../support/hang.ts';
import { entityKey } from '../../../src/openapi/openapi-records.ts';

const type = [{ target_id: 'islandora_object' }];
const node = { type, title: [{ value: 'A title' }], field_model: [{ target_id: 24 }] };

let atoll: TestAtoll;
let admin: Visitor;
let editor: Visitor;
beforeAll(async () => {
  atoll = await createTestAtoll();
});
beforeEach(async () => {
  await atoll.reset();
  admin = await bearer(atoll, 'admin');
  editor = await bearer(atoll, 'editor');
});

const post = (fields: object, by = admin) => sendJson(atoll, by, 'POST', '/node', { ...node, ...fields });
const patch = (fields: object, id = 13, by = admin) => sendJson(atoll, by, 'PATCH', `/node/${id}`, { type, ...fields });
const created = async (fields: object): Promise<RecordBody> => {
  const response = await post(fields);
  expect(response.status).toBe(201);
  return response.body as RecordBody; // checked against the document
};
const expect422 = async (fields: object, line: string): Promise<void> => {
  for (const response of [await post(fields), await patch(fields)]) {
    expect([response.status, messageOf(response)]).toEqual([422, expect.stringContaining(line) as unknown]); // a matcher
  }
};

describe('I14: a title', () => {
  it.each([
    ['of 255 characters', 'x'.repeat(255)],
    ['of 255 emoji', '🎵'.repeat(255)],
    ['with a new line', 'one\ntwo'],
    ['with markup', '<script>alert(1)</script>'],
    ['from right to left', 'منارة رأس الأطيش \u202e'],
    ['of blanks', '   '],
  ])('%s is 201 and comes back exactly', async (_what, value) => {
    const { nid, title } = await created({ title: [{ value }] });
    expect(title).toEqual([{ value }]);
    expect(recordOf(await read(atoll, admin, `/node/${String(nid?.[0]?.['value'])}`))['title']).toEqual([{ value }]);
  });

  it.each([
    ['of 256 characters', 'x'.repeat(256), 'title.0.value: Title: may not be longer than 255 characters.'],
    ['of 256 emoji', '🎵'.repeat(256), 'title.0.value: Title: may not be longer than 255 characters.'],
    ['without a character', '', 'title: This value should not be null.'],
    ['with U+0000', 'a\u0000b', 'U+0000'],
  ])('%s is 422', async (_what, value, line) => {
    await expect422({ title: [{ value }] }, line);
  });

  it('with control characters but U+0000 comes back exactly', async () => {
    const value = 'bell \u0007, tab \t, delete \u007f';
    expect((await created({ title: [{ value }] }))['title']).toEqual([{ value }]);
  });
});

describe('I15: a label in a Link header', () => {
  it.each([
    ...['"', '\\', ',', ';', '<', '>', 'a"; rel="preload', 'a\r\nSet-Cookie: x=y', 'a\tb', 'é', '✓', '🎵', 'a\u007fb'],
    'x'.repeat(4096),
  ])('%j parses, gives itself back and adds no header', async (label) => {
    const key = entityKey('taxonomy_term', 16);
    await atoll.world().store.transact([key], (view) => {
      const term = view.get(key);
      const put = term && { ...term, fields: { ...term.fields, name: [{ value: label }] } };
      return { changes: put === undefined ? [] : [{ put }], result: undefined };
    });
    const response = await visit(atoll, editor, 'GET', '/node/13?_format=json');
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('set-cookie');
    const links = linksOf(response);
    const media = links.filter(({ rel, uri }) => rel === 'related' && uri.endsWith('/media/23'));
    expect(media).toHaveLength(1);
    expect(media[0]?.title).toBe(label.replace(/\p{Cc}/gu, ''));
    expect(links.filter(({ rel }) => rel === 'preload')).toEqual([]);
    expect(LinkHeader.parse(String(response.headers['link'])).refs.length).toBe(links.length);
  });
});

describe('I16: field_external_uri of a term', () => {
  it.each([
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['http://x/>; rel="preload"', false],
    ['https://example.org/a b', false],
    ['https://example.org/é', false],
    ['https://example.org/subjects/1', true],
  ])('%s stands in Link as an address that cannot do harm', async (uri, isOwn) => {
    const key = entityKey('taxonomy_term', 16);
    await atoll.world().store.transact([key], (view) => {
      const term = view.get(key);
      const put = term && {
        ...term,
        fields: { ...term.fields, field_external_uri: [{ uri, title: null, options: [] }] },
      };
      return { changes: put === undefined ? [] : [{ put }], result: undefined };
    });
    const response = await visit(atoll, editor, 'GET', '/media/60?_format=json');
    const [tag = ''] = targetsOf(response, 'tag');
    expect(tag).toMatch(/^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x7e]+$/);
    if (isOwn) expect(tag).toBe(uri);
    expect(linksOf(response).filter(({ rel }) => rel === 'preload')).toEqual([]);
  });
});

describe('I17: very many media', () => {
  it.each([10, 60, 200, 1000])(
    '%i media leave the header block under 16,000 bytes, for GET and HEAD alike',
    async (count) => {
      const key = entityKey('media', 60);
      await atoll.world().store.transact([key], (view) => {
        const media = view.get(key);
        const copies = media === undefined ? [] : Array.from({ length: count }, () => view.nextId('media'));
        return {
          changes: copies.map((id) => ({
            put: { ...(media ?? never()), id, uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}` },
          })),
          result: undefined,
        };
      });
      const response = await visit(atoll, editor, 'GET', '/node/29?_format=json');
      const head = await visit(atoll, editor, 'HEAD', '/node/29?_format=json');
      expect(head.headers['link']).toBe(response.headers['link']);
      const block = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      expect(Buffer.byteLength(block.join(''))).toBeLessThan(16_000);
      const isOver = targetsOf(response, 'linkset').length > 0;
      expect(isOver).toBe(count >= 60);
      const media = linksOf(response).filter(({ rel, uri }) => rel === 'related' && uri.includes('/media/'));
      if (!isOver) expect(media).toHaveLength(count + 1);
    },
  );
});

const never = (): never => {
  throw new Error('The fixture has no media 60.');
};

describe('I19, I41: a reference', () => {
  it.each([1.5, -1, 2 ** 53 - 2, true, '1e1', '0x18', ' 24', '24 ', 'x', { $ne: 1 }])(
    'to target_id %j is 422',
    async (target_id) => {
      for (const response of [
        await post({ field_model: [{ target_id }] }),
        await patch({ field_model: [{ target_id }] }),
      ]) {
        expect(response.status).toBe(422);
        expect(messageOf(response)).toContain('field_model');
      }
    },
  );

  it('to digits in a string is 201, to a number or a list for the type is 422', async () => {
    expect((await created({ field_model: [{ target_id: '24' }] }))['field_model']).toMatchObject([{ target_id: 24 }]);
    for (const target_id of [1, true, ['islandora_object'], { $ne: 1 }]) {
      expect((await post({ type: [{ target_id }] })).status).toBe(422);
    }
  });

  it('whose id and uuid disagree goes to the uuid', async () => {
    const [uuid] = recordOf(await read(atoll, admin, '/taxonomy/term/21'))['uuid'] ?? [];
    const { field_model } = await created({ field_model: [{ target_id: 24, target_uuid: uuid?.['value'] }] });
    expect(field_model).toMatchObject([{ target_id: 21 }]);
  });

  it('to an unknown uuid is 422', async () => {
    const target_uuid = '11111111-2222-4333-8444-555555555555';
    const fields = { field_member_of: [{ target_uuid, target_type: 'node' }] };
    await expect422(fields, `No "node" entity found with UUID "${target_uuid}" for field "0".`);
  });
});

describe('I33: strings made to stall a pattern', () => {
  it.each([
    ['field_edtf_date_created', `${'1'.repeat(65_000)}x`],
    ['field_edtf_date_created', '2000-'.repeat(13_000)],
    ['uuid', `${'a-'.repeat(32_000)}!`],
    ['langcode', `${'en-'.repeat(21_000)}!`],
    ['created', `${'2000-01-01T00:00:00+'.repeat(3000)}!`],
  ])('for %s are 422 in little time', async (field, value) => {
    const started = performance.now();
    expect((await post({ [field]: [{ value }] })).status).toBe(422);
    expect(performance.now() - started).toBeLessThan(hangMs);
  });
});

describe('I35: dates', () => {
  it.each([
    '0000-00-00T00:00:00+00:00',
    '2024-13-01T00:00:00+00:00',
    '2024-02-30T00:00:00+00:00',
    'yesterday',
    '2024-01-01',
  ])('created %s is 422, or is shown in the pattern of the contract', async (value) => {
    const response = await post({ created: [{ value }] });
    if (response.status === 422) expect(messageOf(response)).toContain(`The specified date "${value}"`);
    else
      expect(JSON.stringify((response.body as RecordBody)['created'])).toMatch(
        /"value":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"/,
      ); // a node
  });

  it.each([
    ['9999-12-31T23:59:59+00:00', '9999-12-31T23:59:59+00:00'],
    ['2016-12-31T23:59:59+14:00', '2016-12-31T09:59:59+00:00'],
  ])('created %s is shown as %s', async (value, shown) => {
    expect((await created({ created: [{ value }] }))['created']).toMatchObject([{ value: shown }]);
  });

  it('EDTF is kept verbatim or refused', async () => {
    for (const value of ['1984?', '19XX', '2004-06/2006-08', '1985-04-12T23:20:30']) {
      expect((await created({ field_edtf_date_created: [{ value }] }))['field_edtf_date_created']).toEqual([{ value }]);
    }
    await expect422(
      { field_edtf_date_created: [{ value: '1984-13' }] },
      'field_edtf_date_created.0: 1984-13 is not valid EDTF',
    );
  });
});

describe('A reference with a role', () => {
  const good = { target_id: 36, rel_type: 'relators:aut' };
  it.each([{}, { rel_type: '' }, { rel_type: null }, { rel_type: '0' }])(
    'is dropped when the role is %j',
    async (role) => {
      const sent = [{ target_id: 35, ...role }];
      expect((await created({ field_linked_agent: sent }))['field_linked_agent']).toEqual([]);
      expect((await created({ field_linked_agent: [...sent, good] }))['field_linked_agent']).toMatchObject([good]);
    },
  );

  it.each([[[]], [[good]]])('is checked before it is dropped, beside %j', async (others) => {
    await expect422(
      { field_linked_agent: [{ target_id: 9999 }, ...others] },
      'field_linked_agent.0.target_id: The referenced entity (taxonomy_term: 9999) does not exist.',
    );
  });
});

describe('I36: langcode', () => {
  it.each(['xx', '../', 'x'.repeat(1000), 'EN'])('%s is 422', async (value) => {
    await expect422({ langcode: [{ value }] }, 'langcode.0: The value you selected is not a valid choice.');
  });
});

describe('I37: a field that the node does not have', () => {
  it.each(['field_nope', 'Title', 'field_media_image', 'mid', 'path'])('%s is 422 and named', async (name) => {
    await expect422({ [name]: [{ value: 'x' }] }, `${name}: This field does not exist`);
  });
});

describe('I38: a PATCH that changes nothing', () => {
  it('with the type only, or with everything as it is, is 200 and leaves vid and changed', async () => {
    const before = recordOf(await read(atoll, admin, '/node/13'));
    atoll.clock.advance(60);
    for (const fields of [{}, before]) {
      const { status, body } = seen(await patch(fields));
      expect([status, body]).toEqual([200, before]);
    }
  });

  it('with another title is 200, keeps vid and moves changed', async () => {
    const before = recordOf(await read(atoll, admin, '/node/13'));
    atoll.clock.advance(60);
    const { body } = seen(await patch({ title: [{ value: 'Other' }] }));
    expect(body).toMatchObject({ vid: before['vid'], title: [{ value: 'Other' }] });
    expect((body as RecordBody)['changed']).not.toEqual(before['changed']); // a node
  });
});

describe('I39: circles', () => {
  it('of members are shown like any reference, in json, jsonld and Link', async () => {
    expect((await patch({ field_member_of: [{ target_id: 13 }] })).status).toBe(200);
    expect((await patch({ field_member_of: [{ target_id: 20 }] }, 19)).status).toBe(200);
    expect((await patch({ field_member_of: [{ target_id: 19 }] }, 20)).status).toBe(200);
    for (const id of [13, 19, 20]) {
      for (const format of ['json', 'jsonld']) {
        const response = await visit(atoll, editor, 'GET', `/node/${id}?_format=${format}`);
        expect(response.status).toBe(200);
        expect(targetsOf(response, 'related', 'Member of')).toHaveLength(1);
      }
    }
  });
});

describe('I40: PATCH field_member_of with target_type node_type', () => {
  it('is 200 and shown as node (contract, rule 5)', async () => {
    const { status, body } = seen(
      await patch({
        field_member_of: [{ target_id: 4, target_type: 'node_type' }],
      }),
    );
    expect([status, (body as RecordBody)['field_member_of']]).toMatchObject([
      200,
      [{ target_id: 4, target_type: 'node' }],
    ]); // a node
  });
});

describe('I42: booleans', () => {
  it.each([
    [0, false],
    [1, true],
    ['0', false],
    ['1', true],
  ])('%j is %s', async (value, meant) => {
    expect((await created({ sticky: [{ value }] }))['sticky']).toEqual([{ value: meant }]);
  });

  it.each(['false', 'true', 'no', 2, -1])('%j is 422', async (value) => {
    await expect422({ sticky: [{ value }] }, 'sticky.0.value: This value should be of the correct primitive type.');
  });
});

describe('I44: a uuid on POST', () => {
  const uuid = '11111111-2222-4333-8444-55555555abcd';
  it('is kept, and is 409 the second time, in any case', async () => {
    expect((await created({ uuid: [{ value: uuid }] }))['uuid']).toEqual([{ value: uuid }]);
    for (const value of [uuid, uuid.toUpperCase()]) {
      const response = await post({ uuid: [{ value }] });
      expect([response.status, messageOf(response)]).toEqual([409, `The UUID "${uuid}" is already in use.`]);
    }
  });

  it.each([
    ['not-a-uuid', 'uuid.0.value'],
    ['x'.repeat(129), 'uuid.0.value: UUID: may not be longer than 128 characters.'],
  ])('%s is 422', async (value, line) => {
    const response = await post({ uuid: [{ value }] });
    expect([response.status, messageOf(response)]).toEqual([422, expect.stringContaining(line) as unknown]); // a matcher
  });
});

describe('I48: random sequences of requests', () => {
  /** What the nodes should be: titles by id. */
  type Model = { readonly titles: Map<number, string>; next: number };
  const step = fc.record({
    kind: fc.constantFrom('post', 'patch', 'delete', 'get'),
    target: fc.integer({ min: 29, max: 36 }),
    title: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  });

  it('answer as a model of ten lines does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        await atoll.reset();
        admin = await bearer(atoll, 'admin');
        const titleOf = async (id: number) =>
          String(recordOf(await read(atoll, admin, `/node/${id}`))['title']?.[0]?.['value']);
        const model: Model = { titles: new Map([[29, await titleOf(29)], [30, await titleOf(30)]]), next: 31 }; // prettier-ignore
        for (const { kind, target, title } of steps) {
          const path = `/node/${target}`;
          const isThere = model.titles.has(target);
          const value = [{ value: title }];
          if (kind === 'post') {
            const { status, body } = seen(await post({ title: value }));
            expect([status, (body as RecordBody)['nid']]).toEqual([201, [{ value: model.next }]]); // a node
            model.titles.set(model.next, title);
            model.next += 1;
          } else if (kind === 'patch') {
            expect((await patch({ title: value }, target)).status).toBe(isThere ? 200 : 404);
            if (isThere) model.titles.set(target, title);
          } else if (kind === 'delete') {
            expect((await visit(atoll, admin, 'DELETE', path)).status).toBe(isThere ? 204 : 404);
            model.titles.delete(target);
          } else {
            const { status, body } = seen(await visit(atoll, admin, 'GET', `${path}?_format=json`));
            const shown = (body as RecordBody)['title']?.[0]?.['value']; // a node, or a refusal without this member
            expect([status, shown]).toEqual(isThere ? [200, model.titles.get(target)] : [404, undefined]);
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});
