/** Sessions, failed logins and accounts where two processes serve one world. */
import { recordModel, type Identity } from '../../src/repository/repository.ts';
import { describe, expect, it } from '@jest/globals';
import type { Access, CredentialSource } from '../../src/repository/access/access.ts';
import { createAccess, createAccessState } from '../../src/repository/repository-engine.ts';
import { createFlood } from '../../src/repository/access/flood.ts';
import type { WorldState } from '../../src/openapi/openapi-host.ts';
import { createMemoryEntityStore } from '../../src/storage/storage.ts';
import { createSharingProcesses } from '../team/postgres/sharing-processes.ts';
import {
  admin,
  basic,
  createClock,
  createIds,
  editor,
  editorHash,
  limits,
  roles,
  signingKey,
  account,
} from './access-fixture.ts';
import type { EntityStore } from '../../src/openapi/openapi-records.ts';

const address = { baseUrl: 'http://localhost:8000', cookiePath: '/' };
type TestProcess = {
  readonly access: Access;
  readonly identify: (source: Partial<CredentialSource>) => Promise<Identity>;
};

const createTeam = () => {
  const { states, exchange, start } = createSharingProcesses('p1', 'p2');
  const clock = createClock();
  const store = createMemoryEntityStore({
    model: recordModel,
    initialRecords: { entities: [admin, editor], counters: {} },
  });
  let drawn = 0;
  const serve = (state: WorldState, served: EntityStore = store): TestProcess => {
    drawn += 1;
    const ids = createIds();
    const own = { ...ids, secret: () => ids.secret().replace('secret', `process-${state.uniqueName('')}-${drawn}`) };
    const site = {
      ...{ roles, tokenSeconds: 7200, sessionSeconds: 2_000_000, tokensOfToday: false, flood: limits },
      beyond: { token_keys: true },
    };
    const parts = { site, store: served, clock, ids: own };
    const accessState = createAccessState({ ...parts, state });
    const access = createAccess({ ...parts, signingKey: async () => signingKey, world: 'main', state: accessState })(
      address,
    );
    return { access, identify: (source) => identify(access, { headers: {}, address: '10.0.0.1', ...source }) };
  };
  return { serve, states, exchange, start, clock, store, processes: [serve(states[0]), serve(states[1])] as const };
};

const identify = async ({ providers, anonymous }: Access, source: CredentialSource): Promise<Identity> => {
  for (const provider of providers) {
    const identity = await provider.recognise(source);
    if (identity !== undefined) return identity;
  }
  return { principal: anonymous, credentials: 'none', provider: undefined };
};

const login = async ({ access }: TestProcess): Promise<{ id: string; cookie: string }> => {
  const outcome = await access.login('editor', 'edi:tör', '10.0.0.1');
  if (outcome.kind !== 'accepted') throw new Error(`login: ${outcome.kind}`);
  return { id: outcome.session.id, cookie: `${access.cookieName}=${outcome.session.id}` };
};

describe('a session that one process has opened', () => {
  it('is good at the other with its CSRF token, and gone there when it ends', async () => {
    const { processes, exchange } = createTeam();
    const [first, second] = processes;
    const { id, cookie } = await login(first);
    expect(await second.identify({ headers: { cookie } })).toMatchObject({ credentials: 'refused' });
    exchange();
    expect(await second.identify({ headers: { cookie } })).toMatchObject({ credentials: 'accepted' });
    expect(second.access.csrfToken(id)).toBe(first.access.csrfToken(id));
    second.access.logout(id);
    exchange();
    expect(await first.identify({ headers: { cookie } })).toMatchObject({ credentials: 'refused' });
    expect(first.access.session(id)).toBeUndefined();
  });

  it('is good after its process has ended, and at a process that starts later', async () => {
    const { processes, exchange, serve, start } = createTeam();
    const { cookie } = await login(processes[0]);
    exchange();
    const later = serve(start('p3'));
    expect(await later.identify({ headers: { cookie } })).toMatchObject({ credentials: 'accepted' });
  });

  it('does not come back at either when it has expired and the clock is set back', async () => {
    const { processes, exchange, clock } = createTeam();
    const [first, second] = processes;
    const { id } = await login(first);
    exchange();
    clock.advance(2_000_000);
    expect(second.access.session(id)).toBeUndefined();
    exchange();
    clock.advance(-10);
    expect(first.access.session(id)).toBeUndefined();
  });
});

describe('failed logins at two processes', () => {
  it('A27: five wrong passwords flood the user at both', async () => {
    const { processes, exchange } = createTeam();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const outcome = await processes[attempt % 2 === 0 ? 0 : 1].access.login('editor', 'wrong', '10.0.0.1');
      expect(outcome).toEqual({ kind: 'unrecognised' });
      exchange();
    }
    for (const { access } of processes) {
      expect(await access.login('editor', 'edi:tör', '10.0.0.1')).toEqual({ kind: 'flooded-user' });
      expect((await access.login('editor', 'edi:tör', '10.0.0.2')).kind).toBe('accepted');
    }
  });

  it('A27: a right password forgets the failures of the user at both, and not those of the address', async () => {
    const { states, exchange } = createSharingProcesses('p1', 'p2');
    const floods = states.map((state) => createFlood({ ...limits, addressLimit: 6 }, createClock(), state));
    const [first, second] = floods as [ReturnType<typeof createFlood>, ReturnType<typeof createFlood>]; // one for each state
    for (const flood of [first, second, first, second, first]) flood.register(2, '10.0.0.1');
    exchange();
    expect(floods.map((flood) => flood.refusal(2, '10.0.0.1'))).toEqual(['flooded-user', 'flooded-user']);
    second.clear(2, '10.0.0.1');
    exchange();
    expect(floods.map((flood) => flood.refusal(2, '10.0.0.1'))).toEqual([undefined, undefined]);
    first.register(3, '10.0.0.1');
    exchange();
    expect(floods.map((flood) => flood.refusal(2, '10.0.0.1'))).toEqual(['flooded-address', 'flooded-address']);
  });

  it('A27: an attempt that is taken back at one takes back none of the other', () => {
    const { states, exchange } = createSharingProcesses('p1', 'p2');
    const [first, second] = [
      createFlood(limits, createClock(), states[0]),
      createFlood(limits, createClock(), states[1]),
    ];
    for (let count = 0; count < 4; count += 1) first.register(2, '10.0.0.1');
    exchange();
    second.register(2, '10.0.0.1');
    second.withdraw(2, '10.0.0.1');
    second.withdraw(2, '10.0.0.1');
    exchange();
    first.register(2, '10.0.0.1');
    exchange();
    expect(second.refusal(2, '10.0.0.1')).toBe('flooded-user');
  });

  it('a right password writes nothing but the session, so that Basic costs no write', async () => {
    const { processes, exchange } = createTeam();
    const [first] = processes;
    exchange();
    const headers = basic('editor', 'edi:tör');
    expect(await first.identify({ headers })).toMatchObject({ credentials: 'accepted' });
    const names = exchange().map(([topic]) => topic);
    expect(names.filter((topic) => !topic.endsWith('-processes'))).toEqual([]);
    expect(await first.identify({ headers, address: '10.0.0.9' })).toMatchObject({ credentials: 'accepted' });
    expect(exchange()).toEqual([]);
    await login(first);
    expect(new Set(exchange().map(([topic]) => topic))).toContain('sessions');
  });

  it('A27: both are idle again when the window has passed, and count anew', () => {
    const { states, exchange } = createSharingProcesses('p1', 'p2');
    const clock = createClock();
    const [first, second] = [createFlood(limits, clock, states[0]), createFlood(limits, clock, states[1])];
    first.register(2, '10.0.0.1');
    clock.advance(100);
    second.register(2, '10.0.0.1');
    exchange();
    clock.advance(limits.userWindowSeconds - 100);
    expect([first.isIdle(), second.isIdle()]).toEqual([false, false]);
    clock.advance(100);
    expect([first.isIdle(), second.isIdle()]).toEqual([true, true]);
    exchange();
    for (let count = 0; count < 5; count += 1) second.register(2, '10.0.0.1');
    exchange();
    expect(first.refusal(2, '10.0.0.1')).toBe('flooded-user');
  });
});

describe('what a process remembers of accounts', () => {
  /** A store that tells of changes only when it is let: those of another process arrive later. */
  const createLateStore = (store: EntityStore): { late: EntityStore; deliver: () => void } => {
    const waiting: (() => void)[] = [];
    const watch: EntityStore['watch'] = (listener) =>
      store.watch((touched, changed) => void waiting.push(() => listener(touched, changed)));
    return { late: { ...store, watch }, deliver: () => waiting.splice(0).forEach((tell) => tell()) };
  };

  it.each([
    ['Basic', () => Promise.resolve(basic('editor', 'edi:tör'))],
    [
      'a token',
      async ({ access }: TestProcess) => {
        const principal = await access.principal(2);
        if (principal === undefined) throw new Error('There is an editor.');
        return { authorization: `Bearer ${await access.issueToken(principal)}` };
      },
    ],
  ])('is not served by %s once another process has blocked the account', async (_name, headersAt) => {
    const { serve, states, store } = createTeam();
    const { late, deliver } = createLateStore(store);
    const second = serve(states[1], late);
    const [connection, headers] = [{}, await headersAt(second)];
    const ask = (): Promise<Identity> => second.identify({ headers, connection });
    expect(await ask()).toMatchObject({ credentials: 'accepted', principal: { uid: 2 } });
    const blocked = account(2, 'editor', { active: false, roles: ['editor'], password: editorHash });
    await store.transact([], () => ({ changes: [{ put: blocked }], result: undefined }));
    // Without the change the remembered identity would still be served: the test shows that something was remembered.
    expect(await ask()).toMatchObject({ credentials: 'accepted' });
    deliver();
    expect(await ask()).toMatchObject({ credentials: 'refused', principal: { uid: 0 } });
  });
});

describe('the CSRF token of anonymous visitors', () => {
  it('is the same at all processes, also when two begin at the same moment', () => {
    const { processes, exchange, serve, start } = createTeam();
    exchange();
    const tokens = [...processes, serve(start('p3'))].map(({ access }) => access.csrfToken(undefined));
    expect(new Set(tokens).size).toBe(1);
  });
});

describe('a token that another process has issued', () => {
  it('is valid at once where the clock is some seconds behind, and not where it is a minute behind', async () => {
    const { processes, clock } = createTeam();
    const [first, second] = processes;
    const principal = await first.access.principal(2);
    if (principal === undefined) throw new Error('There is an editor.');
    const headers = { authorization: `Bearer ${await first.access.issueToken(principal)}` };
    clock.advance(-3);
    expect(await second.identify({ headers })).toMatchObject({ credentials: 'accepted' });
    clock.advance(-57);
    expect(await second.identify({ headers })).toMatchObject({ credentials: 'refused' });
  });
});
