/** How many requests a control token may send in a minute. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createRateLimit } from '../../../src/server/control/tokens/rate-limit.ts';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { controlOperations } from './control-operations.ts';

describe('The window of a token', () => {
  it('ends a minute after its first request, for each token by itself', () => {
    let time = 1_000_000;
    const count = createRateLimit(2, () => time);
    const status = (name: string): number | undefined => count(name).refusal?.status;
    expect([status('a'), status('a'), status('a'), status('b')]).toEqual([undefined, undefined, 429, undefined]);
    time += 59_999;
    expect(count('a').refusal?.headers['Retry-After']).toBe('1');
    time += 1;
    expect([status('a'), status('b')]).toEqual([undefined, undefined]);
  });

  it('begins anew when the clock of the machine was set back', () => {
    let time = 1_000_000;
    const count = createRateLimit(1, () => time);
    count('a');
    time -= 500_000;
    expect(count('a').refusal).toBeUndefined();
  });
});

let atoll: TestAtoll;
let secret = '';
let time = Date.parse('2026-03-01T00:00:00Z');
beforeAll(async () => {
  atoll = await createTestAtoll({ app: { controlRate: 2, controlTime: () => time } });
  const made = await atoll.send('POST', '/_atoll/tokens').send({ name: 'ci', right: 'everything' });
  ({ secret } = made.body as { secret: string });
});

beforeEach(() => {
  time += 60_000;
});

const ask = (method: string, path: string) => atoll.send(method, path).set('Atoll-Control', secret);

describe('The control interface', () => {
  it('says how many requests are left, and answers 429 when none is', async () => {
    const first = await ask('GET', '/_atoll/worlds').expect(200);
    expect(first.headers).toMatchObject({ 'ratelimit-policy': '"control";q=2;w=60', ratelimit: '"control";r=1;t=60' });
    time += 48_000;
    await ask('GET', '/_atoll/clock').expect('RateLimit', '"control";r=0;t=12');
    const over = await ask('GET', '/_atoll/worlds').expect(429);
    expect(over.body).toEqual({
      message: 'The control token "ci" has sent 2 requests in this minute. Ask again in 12 seconds.',
    });
    expect(over.headers).toMatchObject({ 'retry-after': '12', ratelimit: '"control";r=0;t=12' });
    time += 12_000;
    await ask('GET', '/_atoll/worlds').expect(200);
  });

  it('limits neither callers without a token, nor the endpoints of the repository, nor the health', async () => {
    for (let times = 0; times < 3; times += 1) await ask('GET', '/_atoll/worlds');
    await ask('GET', '/_atoll/worlds').expect(429);
    await atoll.send('GET', '/_atoll/worlds').expect(200);
    await ask('GET', '/node/1?_format=json').expect(200);
    await ask('GET', '/_atoll/health').expect(200);
  });

  it('limits nothing without --control-rate', async () => {
    const free = await createTestAtoll({ app: { controlToken: 'let-me-in-here' } });
    const answer = await free.send('GET', '/_atoll/worlds').set('Atoll-Control', 'let-me-in-here').expect(200);
    expect(answer.headers['ratelimit']).toBeUndefined();
  });

  it.each(controlOperations.filter(({ right }) => right !== 'none'))(
    '$id says that it may be 429, and is',
    async (one) => {
      expect(one.statuses).toContain('429');
      for (let times = 0; times < 2; times += 1) await ask('GET', '/_atoll/worlds').expect(200);
      await ask(one.method, one.path).expect(429);
    },
  );
});
