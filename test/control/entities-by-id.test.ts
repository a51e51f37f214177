/** The list of entities by their ids, as the console asks for the names of references. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { components } from '../../src/client/generated/control.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});

describe('GET /_atoll/entities?ids=', () => {
  it('answers 200 with those that exist, each once, as the whole list has them', async () => {
    const all = await atoll.send('GET', '/_atoll/entities?type=node&limit=200');
    const { entities } = all.body as components['schemas']['EntityPage'];
    const [first, second] = entities;
    const ids = [second?.id, 999999, first?.id, second?.id].join(',');
    const page = await atoll.send('GET', `/_atoll/entities?type=node&ids=${ids}&text=nothing+has+this&page=7`);
    expect([page.status, page.body]).toEqual([200, { total: 2, page: 0, pages: 1, entities: [second, first] }]);
  });

  it('answers 200 with an empty page when none exists', async () => {
    const page = await atoll.send('GET', '/_atoll/entities?type=media&ids=999999');
    expect([page.status, page.body]).toEqual([200, { total: 0, page: 0, pages: 0, entities: [] }]);
  });

  it.each(['x', '1,', ',', `${'1,'.repeat(200)}1`])('answers 400 to ids=%s', async (ids) => {
    const refused = await atoll.send('GET', `/_atoll/entities?ids=${ids}`);
    expect([refused.status, refused.body]).toEqual([400, { message: expect.stringMatching(/^\/query\/ids: /) }]);
  });
});
