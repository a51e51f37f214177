/** The gate on coverage: what a small suite of client tests meets, and what is missed when one of them is removed. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  coverageCells,
  coverageMetrics,
  coverageFigures,
  missedGoals,
  type CoverageRecord,
} from '../../src/contract/contract-coverage.ts';
import { missedGoalsText } from '../../src/server/server.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

let atoll: TestAtoll;

beforeAll(async () => {
  atoll = await createTestAtoll();
});

const node = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'A box' }],
  field_model: [{ target_id: 23 }],
};

/** A client's own tests, each in the world that it is given, as a front end would have them. */
const clientTests: Readonly<Record<string, (base: string) => Promise<void>>> = {
  'shows an object': async (base) => {
    await atoll.send('get', `${base}/node/2?_format=json`).expect(200);
  },
  'shows that an object is gone': async (base) => {
    await atoll.send('get', `${base}/node/999?_format=json`).expect(404);
  },
  'follows an object to its linked data': async (base) => {
    const { headers } = await atoll.send('get', `${base}/node/2?_format=json`).expect(200);
    const target = /<([^>]+)>; rel="alternate"; type="application\/ld\+json"/.exec(String(headers['link']))?.[1] ?? '';
    await atoll.send('get', new URL(target).pathname + new URL(target).search).expect(200);
  },
  'lets an editor add an object': async (base) => {
    await atoll.send('post', `${base}/node?_format=json`, 'editor').send(node).expect(201);
  },
  'shows a visitor that he may not': async (base) => {
    await atoll.send('post', `${base}/node?_format=json`).send(node).expect(401);
  },
  'lets an administrator delete an object': async (base) => {
    await atoll.send('delete', `${base}/node/2?_format=json`, 'admin').expect(204);
  },
};

let runs = 0;

/** Runs tests in a world of their own, and says what they have met. */
const coverageOf = async (names: readonly string[]): Promise<CoverageRecord> => {
  const world = `gate${(runs += 1)}`;
  await atoll.send('post', '/_atoll/worlds').send({ name: world }).expect(201);
  for (const name of names) {
    await clientTests[name]?.(`/~${world}`);
    await atoll.send('post', `/~${world}/_atoll/reset`).expect(204);
  }
  const body: unknown = (await atoll.send('get', `/~${world}/_atoll/coverage`).expect(200)).body;
  await atoll.send('delete', `/_atoll/worlds/${world}`).expect(204);
  return body as CoverageRecord;
};

const metCells = (record: CoverageRecord): string[] =>
  coverageMetrics.flatMap((metric) =>
    coverageCells(record, metric).flatMap(({ operation, name, count }) =>
      count > 0 ? [`${metric} ${operation} ${name}`] : [],
    ),
  );

describe('The gate', () => {
  const all = Object.keys(clientTests);

  it('passes when the goals are what the tests meet', async () => {
    const record = await coverageOf(all);
    const goals = Object.fromEntries(coverageFigures(record).map(({ metric, met, of }) => [metric, (100 * met) / of]));
    expect(missedGoals(record, goals)).toEqual([]);
  });

  it.each(all.filter((name) => name !== 'shows an object'))('fails when the test "%s" is removed', async (removed) => {
    const whole = await coverageOf(all);
    const goals = Object.fromEntries(coverageFigures(whole).map(({ metric, met, of }) => [metric, (100 * met) / of]));
    const rest = await coverageOf(all.filter((name) => name !== removed));
    const missed = missedGoals(rest, goals);
    expect(missed.length).toBeGreaterThan(0);
    // Exactly the cells that no other test meets are lost, and each is named.
    const lost = metCells(whole).filter((cell) => !metCells(rest).includes(cell));
    const own = metCells(await coverageOf([removed])).filter((cell) => !metCells(rest).includes(cell));
    expect(lost).toEqual(own);
    for (const cell of lost) {
      const [metric, operation, ...name] = cell.split(' ');
      const text = missedGoalsText(missed.filter((goal) => goal.metric === metric));
      expect(text).toContain(`  ${operation}  ${name.join(' ')}`);
    }
  });

  it('does not fail for a test that meets nothing of its own', async () => {
    const whole = await coverageOf(all);
    const rest = await coverageOf(all.filter((name) => name !== 'shows an object'));
    expect(metCells(rest)).toEqual(metCells(whole));
  });
});
