/** Makes the environment variables that `atoll exec` sets and `atoll env` prints. */
import { accountVariables, type DemoAccount } from '../exchange/exchange.ts';
import { tokenIfIssued } from '../exchange/exchange-target.ts';

/**
 * Returns `ATOLL_URL`, and for each active account `ATOLL_PASSWORD_<NAME>` and `ATOLL_TOKEN_<NAME>`, a new bearer token
 * where the site issues tokens.
 * Rejects when the server refuses an account.
 */
export const clientEnvironment = async (
  url: string,
  accounts: readonly DemoAccount[],
  fetch: (request: Request) => Promise<Response>,
): Promise<Readonly<Record<string, string>>> => {
  const variables: Record<string, string> = { ATOLL_URL: url };
  for (const { name, password } of accounts.filter(({ active }) => active)) {
    const names = accountVariables(name);
    variables[names.password] = password;
    const token = await tokenIfIssued(fetch, url, { name, password });
    if (token !== undefined) variables[names.token] = token;
  }
  return variables;
};
