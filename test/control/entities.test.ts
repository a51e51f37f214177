/** The listing of what is stored, over the control interface. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});

describe('GET /_atoll/entities', () => {
  it('answers 200 with a page of a type and bundle', async () => {
    const response = await atoll.send('GET', '/_atoll/entities?type=taxonomy_term&bundle=islandora_models');
    const page = response.body as { total: number; entities: { type: string; bundle: string }[] }; // held to the document
    expect([response.status, page.total]).toEqual([200, page.entities.length]);
    const kinds = new Set(page.entities.map(({ type, bundle }) => `${type} ${bundle}`));
    expect(kinds).toEqual(new Set(['taxonomy_term islandora_models']));
  });

  it.each(['node', 'media', 'file', 'taxonomy_term', 'user'])(
    'answers 200 to type=%s, as the document says',
    async (type) => {
      const response = await atoll.send('GET', `/_atoll/entities?type=${type}`);
      const page = response.body as { total: number; entities: { id: number }[] }; // held to the document
      expect([response.status, page.entities.length > 0]).toEqual([200, true]);
      if (type === 'user') expect(page.entities[0]?.id).toBe(0);
    },
  );

  it.each(['type=nodes', 'page=-1', 'page=x'])('answers 400 to %s, naming the parameter', async (query) => {
    const response = await atoll.send('GET', `/_atoll/entities?${query}`);
    const { message } = response.body as { message: string }; // every refusal has one
    expect(response.status).toBe(400);
    expect(message).toContain(`/query/${query.split('=')[0] ?? ''}`);
  });
});
