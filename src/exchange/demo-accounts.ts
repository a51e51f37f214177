/** The demo accounts of a site, whose passwords everybody may read. */
import { ConfigurationError } from '../basics/configuration-error.ts';
import type { HostedSite } from '../openapi/openapi-host.ts';

/** `roles` are ids of the site's roles. An account that is not `active` is blocked and gets no token. */
export type DemoAccount = {
  readonly name: string;
  readonly password: string;
  readonly roles: readonly string[];
  readonly active: boolean;
};

/** The accounts of a site whose passwords are published, blocked ones too. */
export const demoAccountsOf = (site: Pick<HostedSite, 'accounts'>): readonly DemoAccount[] =>
  site.accounts.flatMap(({ name, demoPassword, roles, active }) =>
    demoPassword === undefined ? [] : [{ name, password: demoPassword, roles, active }],
  );

/** The published password of an account. Throws `ConfigurationError` when no demo account has this name. */
export const demoPasswordOf = (accounts: readonly DemoAccount[], name: string): string => {
  const account = accounts.find((candidate) => candidate.name === name);
  if (account !== undefined) return account.password;
  const names = accounts.map((known) => known.name).join(', ');
  throw new ConfigurationError(`"${name}" is not a demo account (${names}). Give its password.`);
};

/** The names of the variables with the password and the token of an account: `ATOLL_PASSWORD_EDITOR`. `atoll exec` and `atoll env` set them. */
export const accountVariables = (account: string): { readonly password: string; readonly token: string } => {
  const suffix = account.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  return { password: `ATOLL_PASSWORD_${suffix}`, token: `ATOLL_TOKEN_${suffix}` };
};
