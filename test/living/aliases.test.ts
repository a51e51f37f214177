/** Aliases by pattern: how titles are cleaned, as recorded, and what becomes of a path that a client sends. */
import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { starterSite } from './starter-site.ts';

const recordings = new URL('../contract/recordings/living/', import.meta.url);
const cleaning = JSON.parse(readFileSync(new URL('pathauto-cleaning.json', recordings), 'utf8')) as {
  readonly exchanges: readonly { readonly title: string; readonly Location: string }[];
};

let atoll: TestAtoll;
beforeAll(async () => {
  const site = await starterSite();
  atoll = await createTestAtoll({ site: () => site, fixture: 'empty' });
});
beforeEach(() => atoll.reset());

const model = (): number => {
  const term = atoll.site.terms.find(
    ({ vocabulary, fields }) => vocabulary === 'islandora_models' && fields['name']?.[0]?.['value'] === 'Image',
  );
  return term?.tid ?? 0;
};

const post = (title: string, others: object = {}): Promise<Response> =>
  atoll
    .send('post', '/node?_format=json', 'admin')
    .send({
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: title }],
      field_model: [{ target_id: model() }],
      ...others,
    })
    .expect(201);

const locationOf = ({ headers }: Response): string => String(headers['location']).replace('http://localhost:8000', '');

describe('A title', () => {
  it.each(cleaning.exchanges)('$title becomes $Location', async ({ title, Location }) => {
    const made = locationOf(await post(title));
    expect(made).toBe(Location.startsWith('/node/') ? '/node/1' : Location);
  });
});
