/** What a reading by fresh eyes found of the control interface. */
import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createTestAtoll } from '../../support/atoll.ts';

const atoll = await createTestAtoll();

describe('The control interface', () => {
  it.each([{ Host: 'evil.example' }, { 'X-Forwarded-For': '192.0.2.1' }, { Forwarded: 'for=192.0.2.1' }])(
    'is 403 for %j: through a proxy, or under another name of this machine',
    async (headers) => {
      expect((await request(atoll.server).get('/_atoll/').set(headers)).status).toBe(403);
      expect((await request(atoll.server).get('/_atoll/entities?type=user').set(headers)).status).toBe(403);
    },
  );

  it('is 200 for this machine under its own names', async () => {
    expect((await request(atoll.server).get('/_atoll/').set('Host', 'localhost:8000')).status).toBe(200);
    expect((await request(atoll.server).get('/_atoll/').set('Host', '[::1]:8000')).status).toBe(200);
  });
});
