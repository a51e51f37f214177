/** How accounts are found and made principals of. Whether somebody is who they say is not asked here. */
import type { Entity } from '../model/entity.ts';
import { entityKey, isPublished } from '../model/entity.ts';
import { userNamed } from '../content/index-keys.ts';
import type { EntityStore } from '../model/entity-store.ts';
import type { Roles } from './permissions.ts';
import { anonymousPrincipal, principalOf } from './permissions.ts';
import type { Identity, Principal, ProviderName } from '../model/principal.ts';

export type Accounts = {
  readonly anonymous: Principal;
  /** Whatever the case of the letters; blocked accounts too. */
  named(name: string): Promise<Entity | undefined>;
  /** Blocked accounts too. */
  numbered(uid: number): Promise<Entity | undefined>;
  principal(account: Entity): Principal;
  /** The identity of a request whose credentials the provider accepted. */
  accepted(account: Entity, provider: ProviderName): Identity;
  /** The identity of a request whose credentials the provider refused: an anonymous visitor, and known to be one. */
  refused(provider: ProviderName): Identity;
};

/** The accounts of a store under the roles of a site. */
export const createAccounts = (store: EntityStore, roles: Roles): Accounts => {
  const anonymous = anonymousPrincipal(roles);
  // Records are immutable, so what was made of one holds as long as the record itself.
  const principals = new WeakMap<Entity, Principal>();
  const principal = (account: Entity): Principal => {
    const made = principals.get(account) ?? principalOf(account, roles);
    principals.set(account, made);
    return made;
  };
  return {
    anonymous,
    named: async (name) => (await store.lookupMany([userNamed(name)]))[0]?.[0],
    numbered: async (uid) => (await store.getMany([entityKey('user', uid)]))[0],
    principal,
    accepted: (account, provider) => ({ principal: principal(account), credentials: 'accepted', provider }),
    refused: (provider) => ({ principal: anonymous, credentials: 'refused', provider }),
  };
};

/** Whether the account exists and is not blocked. */
export const isActive = (account: Entity | undefined): account is Entity =>
  account !== undefined && isPublished(account);
