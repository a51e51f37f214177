/** A small site with accounts, a clock to turn and ids to foresee, for the tests of this room. */
import { recordModel, type Identity, type Role, type Site } from '../../src/repository/repository.ts';
import { generateKeyPairSync } from 'node:crypto';
import type { Access, CredentialSource } from '../../src/repository/access/access.ts';
import { createAccess, hashPassword } from '../../src/repository/repository-engine.ts';
import type { SigningKey } from '../../src/basics/secrets/signing-key.ts';
import { createMemoryEntityStore } from '../../src/storage/storage.ts';
import type { Clock, Identifiers, Entity, EntityStore } from '../../src/openapi/openapi-records.ts';

export type TestClock = Clock & { advance(seconds: number): void };

/** Begins at the `iat` of the recorded token. */
export const createClock = (): TestClock => {
  let now = 1_551_737_317_000;
  return { now: () => now, advance: (seconds) => void (now += seconds * 1000) };
};

/** Secrets that have the right shape and can be told apart: 43 characters. */
export const createIds = (): Identifiers => {
  let drawn = 0;
  const next = (): string => String((drawn += 1));
  return {
    uuid: () => `00000000-0000-4000-8000-${next().padStart(12, '0')}`,
    secret: () => `secret${next().padStart(37, '0')}`,
  };
};

const role = (id: string, permissions: readonly string[], isAdmin = false): [string, Role] => [
  id,
  { id, uuid: '00000000-0000-4000-a000-000000000000', label: id, isAdmin, permissions },
];

export const roles: ReadonlyMap<string, Role> = new Map([
  role('anonymous', ['access content']),
  role('authenticated', ['access content']),
  role('editor', ['view media', 'create media']),
  role('administrator', [], true),
  role('fedoraadmin', []),
]);

type AccountTraits = { readonly active?: boolean; readonly roles?: readonly string[]; readonly password?: string };

export const account = (id: number, name: string, traits: AccountTraits = {}): Entity => ({
  type: 'user',
  id,
  uuid: `00000000-0000-4000-9000-${String(id).padStart(12, '0')}`,
  bundle: 'user',
  fields: {
    name: [{ value: name }],
    status: [{ value: traits.active ?? true }],
    roles: (traits.roles ?? []).map((value) => ({ value })),
  },
  ...(traits.password === undefined ? {} : { password: traits.password }),
});

const salt = Buffer.alloc(16, 7);
export const editorHash = await hashPassword('edi:tör', salt);
export const adminHash = await hashPassword('islandora', salt);

export const editor = account(2, 'editor', { roles: ['editor'], password: editorHash });
export const admin = account(1, 'admin', { roles: ['administrator', 'fedoraadmin'], password: adminHash });
const blocked = account(5, 'blocked', { active: false, password: editorHash });

type FloodLimits = NonNullable<Site['flood']>;

export const limits: FloodLimits = {
  userLimit: 5,
  userWindowSeconds: 21_600,
  addressLimit: 50,
  addressWindowSeconds: 3600,
};

export const signingKey: SigningKey = generateKeyPairSync('rsa', { modulusLength: 2048 });

export type TestAccess = {
  readonly access: Access;
  readonly site: { readonly name: string; readonly tokenAtLogin: boolean };
  readonly clock: TestClock;
  readonly store: EntityStore;
  /** Who a request with these headers comes from. */
  readonly identify: (headers: CredentialSource['headers'], address?: string, connection?: object) => Promise<Identity>;
  readonly put: (entity: Entity) => Promise<void>;
};

export const createTestAccess = (
  options: {
    readonly flood?: FloodLimits | undefined;
    readonly baseUrl?: string;
    readonly basePath?: string;
    readonly tokensOfToday?: boolean;
    readonly publishesKeys?: boolean;
    readonly world?: string;
  } = {},
): TestAccess => {
  const clock = createClock();
  const store = createMemoryEntityStore({
    model: recordModel,
    initialRecords: { entities: [admin, editor, blocked], counters: {} },
  });
  const access = createAccess({
    site: {
      ...{ roles, tokenSeconds: 7200, sessionSeconds: 2_000_000, tokensOfToday: options.tokensOfToday ?? false },
      beyond: { token_keys: options.publishesKeys ?? true },
      flood: 'flood' in options ? options.flood : limits,
    },
    store,
    clock,
    ids: createIds(),
    signingKey: () => Promise.resolve(signingKey),
    world: options.world ?? 'main',
  })({ baseUrl: options.baseUrl ?? 'http://localhost:8000', cookiePath: options.basePath ?? '/' });
  return {
    access,
    site: { name: 'Site', tokenAtLogin: options.tokensOfToday ?? false },
    clock,
    store,
    identify: (headers, address = '127.0.0.1', connection) => identify(access, { headers, address, connection }),
    put: (entity) => store.transact([], () => ({ changes: [{ put: entity }], result: undefined })),
  };
};

/** As the engine does it: the first provider that recognises credentials decides. */
const identify = async ({ providers, anonymous }: Access, source: CredentialSource): Promise<Identity> => {
  for (const provider of providers) {
    const identity = await provider.recognise(source);
    if (identity !== undefined) return identity;
  }
  return { principal: anonymous, credentials: 'none', provider: undefined };
};

export const basic = (name: string, password: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});
