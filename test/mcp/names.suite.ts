/** What names mean to agents: one may stand for another world later, or for nothing. `tools.test.ts` runs it at its server. */
import { describe, expect, it } from '@jest/globals';
import { startAtoll, type Atoll } from '../../src/cli/entries/atoll.ts';
import { connectAgent, type Answer } from './agent.ts';

/** The server starts before the first test. */
export const describeNames = (atollNow: () => Atoll): void => {
  describe('A name', () => {
    it('of a world that is gone gives no right to the world that another agent calls so', async () => {
      const atoll = atollNow();
      const [before, after] = await Promise.all([connectAgent(atoll), connectAgent(atoll)]);
      await before.ask('worlds', { action: 'fork', name: 'reused' });
      expect((await atoll.fetch('/_atoll/worlds/reused', { method: 'DELETE' })).status).toBe(204);
      expect(await before.refused('worlds', { action: 'reset', world: 'reused' })).toContain('There is no world');
      await after.ask('worlds', { action: 'fork', name: 'reused' });
      const remove = { world: 'reused', account: 'admin', method: 'DELETE', path: '/node/5?_format=json' };
      expect(await before.refused('try_request', remove)).toContain('not made by this agent');
      expect(await before.refused('worlds', { action: 'drop', world: 'reused' })).toContain('not made by this agent');
      expect(await before.ask('worlds', { action: 'list' })).toMatchObject({
        worlds: expect.arrayContaining([expect.objectContaining({ name: 'reused', yours: false })]),
      });
      await before.leave();
      expect(await after.ask('try_request', remove)).toMatchObject({ status: 204 });
      await after.leave();
    });

    it('of a world that was dropped and made again has a new session', async () => {
      const agent = await connectAgent(atollNow());
      const create: Answer = {
        ...{ world: 'again', account: 'editor', authentication: 'session', method: 'POST', path: '/node?_format=json' },
        headers: { 'X-CSRF-Token': '{{csrf_token}}' },
        json: {
          type: [{ target_id: 'islandora_object' }],
          title: [{ value: 'Fog' }],
          field_model: [{ target_id: 23 }],
        },
      };
      for (let turn = 0; turn < 2; turn += 1) {
        await agent.ask('worlds', { action: 'fork', name: 'again' });
        expect(await agent.ask('try_request', create)).toMatchObject({ status: 201 });
        await agent.ask('worlds', { action: 'drop', world: 'again' });
      }
      await agent.leave();
    });

    it('of a media type or content type has an example that is accepted', async () => {
      const starter = await startAtoll({ site: 'starter-site' });
      for (const atoll of [atollNow(), starter]) {
        const agent = await connectAgent(atoll);
        const { items } = await agent.ask('describe_bundle');
        const bundles = (items as Answer[]).filter(({ type }) => type === 'media' || type === 'node'); // the schema of the tool
        for (const { type, bundle } of bundles) {
          const said = await agent.ask('describe_bundle', { type, bundle });
          expect(said).toMatchObject({ bundle: { bundle, expected: 201 } });
        }
        await agent.leave();
      }
      await starter.close();
    });

    it('that is malformed is that of no resource', async () => {
      const agent = await connectAgent(atollNow());
      await expect(agent.client.readResource({ uri: 'atoll://guides/%zz' })).rejects.toThrow('There is no resource');
      await agent.leave();
    });
  });
};
