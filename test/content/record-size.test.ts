/** How many values a field and a record may have. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createTestAtoll } from '../support/atoll.ts';
import { messageOf } from '../support/requests.ts';

const atoll = await createTestAtoll();
beforeEach(() => atoll.reset());

const type = [{ target_id: 'islandora_object' }];
const references = (count: number): object[] => Array.from({ length: count }, () => ({ target_id: 1 }));

/** Fields that may hold any number of values, each with one that the fixture allows. */
const openFields = {
  field_extent: { value: 'One page' },
  field_identifier: { value: 'A 1' },
  field_rights: { value: 'All' },
  field_edtf_date: { value: '2001' },
  field_edtf_date_issued: { value: '2002' },
  field_member_of: { target_id: 1 },
};

const post = (fields: object) =>
  atoll.send('POST', '/node?_format=json', 'admin').send({
    type,
    title: [{ value: 'Large' }],
    field_model: [{ target_id: 24 }],
    ...fields,
  });
const failed = 'Unprocessable Entity: validation failed.\n';

describe('A field', () => {
  it('takes 1,000 references, and answers 422 to more', async () => {
    await post({ field_member_of: references(1000) }).expect(201);
    const refused = await post({ field_member_of: references(1001) }).expect(422);
    expect(messageOf(refused)).toBe(
      `${failed}field_member_of: Member of: this field cannot hold more than 1000 values.\n`,
    );
  });

  it('of an existing record answers 422 to more than 1,000 as well', async () => {
    await atoll
      .send('PATCH', '/node/5?_format=json', 'admin')
      .send({ type, field_member_of: references(1001) })
      .expect(422);
  });
});

describe('A record', () => {
  it('takes less than 5,000 values, and answers 422 to more, on POST and on PATCH', async () => {
    const names = Object.keys(openFields);
    const full = Object.fromEntries(
      Object.entries(openFields).map(([name, value], at) => [name, Array<object>(at < 4 ? 1000 : 480).fill(value)]),
    );
    const [first = ''] = names;
    const message = `${failed}${first}: A record cannot hold more than 5000 values in all its fields.\n`;
    const created = await post(full).expect(201);
    const id = (created.body as { nid: { value: number }[] }).nid[0]?.value ?? 0;
    const more = names[5] ?? '';
    expect(messageOf(await post({ ...full, [more]: references(600) }).expect(422))).toBe(message);
    const patched = await atoll
      .send('PATCH', `/node/${id}?_format=json`, 'admin')
      .send({ type, [more]: references(600) })
      .expect(422);
    expect(messageOf(patched)).toContain(`${more}: A record cannot hold more than 5000 values in all its fields.`);
    await atoll
      .send('PATCH', `/node/${id}?_format=json`, 'admin')
      .send({ type, [more]: references(10) })
      .expect(200);
  });
});
