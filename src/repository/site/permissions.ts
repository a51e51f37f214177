/** Collects the permissions of an account from its roles. */
import { labelOf } from '../model/entity.ts';
import type { Role } from './site.ts';
import type { Principal } from '../model/principal.ts';
import { items, type Entity, type FieldItem } from '../../openapi/openapi-records.ts';

export type Roles = ReadonlyMap<string, Role>;

/** The stored roles of an account in their order, without the implied `authenticated`. */
export const rolesOf = (account: Entity): string[] => items(account, 'roles').flatMap((item) => roleOf(item) ?? []);

/** The role that an item of `roles` names. Older records name it in `value`. */
export const roleOf = (item: FieldItem): string | undefined => {
  const role = item['target_id'] ?? item['value'];
  return typeof role === 'string' ? role : undefined;
};

/** The visitor without an account: uid 0 and what the role `anonymous` grants. */
export const anonymousPrincipal = (roles: Roles): Principal => ({
  uid: 0,
  name: '',
  roles: [],
  permissions: permissionsOf(['anonymous'], roles),
  mayEverything: false,
});

/**
 * The principal of an account: it has the permissions of `authenticated` and of its own roles. uid 1 and roles marked
 * `is_admin` may do everything. A role that the site does not define grants nothing.
 */
export const principalOf = (account: Entity, roles: Roles): Principal => {
  const own = rolesOf(account);
  return {
    uid: account.id,
    name: labelOf(account),
    roles: own,
    permissions: permissionsOf(['authenticated', ...own], roles),
    mayEverything: account.id === 1 || own.some((role) => roles.get(role)?.isAdmin === true),
  };
};

const permissionsOf = (names: readonly string[], roles: Roles): ReadonlySet<string> =>
  new Set(names.flatMap((name) => roles.get(name)?.permissions ?? []));
