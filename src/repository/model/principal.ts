/** Defines the types that say who sent a request. The providers in `access/` make them from credentials. */
import type { HostedIdentity } from '../../openapi/openapi-host.ts';

export const providerNames = ['basic_auth', 'jwt_auth', 'cookie'] as const;
export type ProviderName = (typeof providerNames)[number];

/** An account, as access rules use it. `uid` 0 is the anonymous visitor. */
export type Principal = {
  readonly uid: number;
  readonly name: string;
  /** Without the implied `anonymous` and `authenticated`. */
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<string>;
  /** True for uid 1 and for roles marked `is_admin`: they pass every check. */
  readonly mayEverything: boolean;
};

/** Whether the principal has the permission or passes every check. */
export const may = (principal: Principal, permission: string): boolean =>
  principal.mayEverything || principal.permissions.has(permission);

/**
 * The result of authentication. With `refused` credentials the visitor is anonymous, but where access is needed the
 * reply is 403, not 401.
 */
export type Identity = HostedIdentity & {
  readonly principal: Principal;
  /** The provider that recognised the credentials, even when it refused them. */
  readonly provider: ProviderName | undefined;
};
