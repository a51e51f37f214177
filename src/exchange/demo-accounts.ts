/** The demo accounts of a site (published passwords), and the credentials and tokens with which a client uses them. */
import { ConfigurationError } from '../basics/configuration-error.ts';
import type { Site } from '../core/site/site.ts';

/** `roles` are ids of the site's roles. An account that is not `active` is blocked and gets no token. */
export type DemoAccount = {
  readonly name: string;
  readonly password: string;
  readonly roles: readonly string[];
  readonly active: boolean;
};

export const demoAccountsOf = (site: Site): readonly DemoAccount[] =>
  site.accounts.flatMap(({ name, demoPassword, roles, active }) =>
    demoPassword === undefined ? [] : [{ name, password: demoPassword, roles, active }],
  );

/** Throws `ConfigurationError` when no account has this name. */
export const demoPasswordOf = (accounts: readonly DemoAccount[], name: string): string => {
  const account = accounts.find((candidate) => candidate.name === name);
  if (account !== undefined) return account.password;
  const names = accounts.map((known) => known.name).join(', ');
  throw new ConfigurationError(`"${name}" is no demo account (${names}). Give its password.`);
};

/** The end of the variables `ATOLL_PASSWORD_…` and `ATOLL_TOKEN_…` of an account, which `atoll exec` and `atoll env` set. */
export const variableSuffix = (account: string): string => account.toUpperCase().replace(/[^A-Z0-9]+/g, '_');

/** Requests a token for `Authorization: Bearer`. Throws `ConfigurationError` with the message of a refusal. */
export const fetchToken = async (
  fetch: (address: string, init: RequestInit) => Promise<Response>,
  url: string,
  authorization: string,
): Promise<string> => {
  const response = await fetch(`${url}/jwt/token?_format=json`, { headers: { authorization } });
  // `Token` or `Error` of `openapi.yaml`; something else answers with no JSON.
  const answer = (await response.json().catch(() => ({ message: 'This is no Atoll.' }))) as {
    readonly token?: string;
    readonly message?: string;
  };
  if (answer.token !== undefined) return answer.token;
  throw new ConfigurationError(`${url} gave no token: ${response.status} ${answer.message ?? ''}`);
};
