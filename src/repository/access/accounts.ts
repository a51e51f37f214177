/** Finds accounts in the store and turns them into principals. */
import { isPublished } from '../model/entity.ts';
import { userNamed } from '../model/index-keys.ts';
import { anonymousPrincipal, principalOf, type Roles } from '../site/permissions.ts';
import type { Identity, Principal, ProviderName } from '../model/principal.ts';
import { entityKey, type Entity, type EntityStore } from '../../openapi/openapi-records.ts';

export type Accounts = {
  readonly anonymous: Principal;
  /** Ignores the case of the letters. Finds blocked accounts too. */
  byName(name: string): Promise<Entity | undefined>;
  /** Finds blocked accounts too. */
  byId(uid: number): Promise<Entity | undefined>;
  principal(account: Entity): Principal;
  /** The identity of a request whose credentials the provider accepted. */
  accepted(account: Entity, provider: ProviderName): Identity;
  /** The identity of a request whose credentials the provider refused: an anonymous visitor, marked as refused. */
  refused(provider: ProviderName, advice?: string): Identity;
};

export const createAccounts = (store: EntityStore, roles: Roles): Accounts => {
  const anonymous = anonymousPrincipal(roles);
  // Records are immutable, so a principal is valid as long as its record.
  const principals = new WeakMap<Entity, Principal>();
  const principal = (account: Entity): Principal => {
    const cached = principals.get(account);
    if (cached !== undefined) return cached;
    const created = principalOf(account, roles);
    principals.set(account, created);
    return created;
  };
  return {
    anonymous,
    byName: async (name) => (await store.lookupMany([userNamed(name)]))[0]?.[0],
    byId: async (uid) => (await store.getMany([entityKey('user', uid)]))[0],
    principal,
    accepted: (account, provider) => ({ principal: principal(account), credentials: 'accepted', provider }),
    refused: (provider, advice) => ({
      ...{ principal: anonymous, credentials: 'refused', provider },
      ...(advice === undefined ? {} : { advice }),
    }),
  };
};

/** True when the account exists and is not blocked. */
export const isActive = (account: Entity | undefined): account is Entity =>
  account !== undefined && isPublished(account);
