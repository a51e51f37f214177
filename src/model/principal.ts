/** Who asks. How somebody becomes a principal is the business of the providers. */

export const providerNames = ['basic_auth', 'jwt_auth', 'cookie'] as const;
export type ProviderName = (typeof providerNames)[number];

/** An account as the rules of access see it. `uid` 0 is the anonymous visitor. */
export type Principal = {
  readonly uid: number;
  readonly name: string;
  /** Without the implied `anonymous` and `authenticated`. */
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<string>;
  /** uid 1 and roles marked `is_admin` pass every check (reference 5.5). */
  readonly mayEverything: boolean;
};

/** The permission, or the right to do everything. */
export const may = (principal: Principal, permission: string): boolean =>
  principal.mayEverything || principal.permissions.has(permission);

/**
 * What the credentials of a request came to. `refused` credentials are credentials all the same: where access is
 * needed the answer is 403, not 401 (decisions: "401 or 403"); elsewhere the visitor is anonymous.
 */
export type Identity = {
  readonly principal: Principal;
  readonly credentials: 'none' | 'accepted' | 'refused';
  /** The provider that recognised the credentials, whether it accepted them or not. */
  readonly provider: ProviderName | undefined;
};
