/** `--frozen-at`: a server whose clock stands still from its start, so that two runs have the same dates. */
import { describe, expect, it } from '@jest/globals';
import { startAtoll, type Atoll, type AtollOptions, type AtollWorld } from '../../src/cli/entries/atoll.ts';
import { runHere } from '../support/command.ts';
import { basic } from '../support/requests.ts';
import { testSigningKey } from '../support/signing-key.ts';

const frozenAt = '2030-01-01T12:00:00Z';
const frozenDates = ['2030-01-01T12:00:00+00:00', 'Tue, 01 Jan 2030 12:00:00 GMT'];

const withAtoll = async (options: AtollOptions, use: (atoll: Atoll) => Promise<void>): Promise<void> => {
  const atoll = await startAtoll({ port: false, jwtKey: testSigningKey, ...options });
  await use(atoll).finally(() => atoll.close());
};

/** Status and uuid of a new object, its time, and the date of the answer. */
const added = async ({ fetch }: Pick<AtollWorld, 'fetch'>): Promise<readonly unknown[]> => {
  const response = await fetch('/node?_format=json', {
    method: 'POST',
    headers: { ...basic('admin').headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'Tide tables' }],
      field_model: [{ target_id: 23 }],
    }),
  });
  const { uuid, created } = (await response.json()) as Record<'uuid' | 'created', { value: string }[]>; // contract: Node
  return [response.status, uuid[0]?.value, created[0]?.value, response.headers.get('date')];
};

describe('A server that is frozen at its start', () => {
  it('answers 201 with the same uuid and dates in two runs', async () => {
    const runs: (readonly unknown[])[] = [];
    for (const seed of ['winter', 'winter'])
      await withAtoll({ frozenAt, seed }, async (atoll) => void runs.push(await added(atoll)));
    expect(runs[0]).toEqual([201, expect.any(String), ...frozenDates]);
    expect(runs[1]).toEqual(runs[0]);
  });

  it('has worlds that begin at that time, whatever they are made from, and keeps it over a reset', () =>
    withAtoll({ frozenAt }, async (atoll) => {
      await atoll.snapshots.save('before');
      for (const from of [undefined, 'main', 'empty', 'before']) {
        const world = await atoll.world(from === undefined ? {} : { from });
        expect([from, await world.clock.get()]).toEqual([from, { now: '2030-01-01T12:00:00.000Z', mode: 'frozen' }]);
      }
      await atoll.reset();
      expect((await added(atoll)).slice(2)).toEqual(frozenDates);
    }));

  it('gives tokens that are valid at its time, and goes on when its clock is set', () =>
    withAtoll({ frozenAt }, async (atoll) => {
      const headers = { authorization: `Bearer ${await atoll.token('admin')}` };
      expect((await atoll.fetch('/node/1?_format=json', { headers })).status).toBe(200);
      await atoll.clock.advance(3600);
      expect((await added(atoll))[2]).toBe('2030-01-01T13:00:00+00:00');
      await atoll.clock.set({ mode: 'real' });
      expect((await atoll.clock.get()).mode).toBe('real');
    }));

  it.each(['2030-01-01', '2030-13-01T12:00:00Z', '2030-02-30T12:00:00Z', '1969-12-31T23:59:59Z', 'noon'])(
    'refuses %s',
    async (time) => {
      await expect(startAtoll({ frozenAt: time })).rejects.toThrow(
        `frozenAt "${time}": A time is written as 2030-01-01T12:00:00Z, from 1970 to 9999.`,
      );
    },
  );

  it('is in memory: exit 2 on disk, where a restart would go back in time', async () => {
    const { code, error } = await runHere(['serve', '--frozen-at', frozenAt]);
    const reason = '--frozen-at goes with --memory: on disk a restart would go back in time.';
    expect([code, error]).toEqual([2, `atoll: ${reason}\n`]);
    await expect(startAtoll({ frozenAt, data: 'unused' })).rejects.toThrow(
      'frozenAt is for a repository in memory, so data has no use. Leave out one of them.',
    );
  });
});
