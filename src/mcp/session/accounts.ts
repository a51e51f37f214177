/** Knows the accounts of a world, and makes the headers with which a request is sent as one of them. */
import type { WorldCommands } from '../../exchange/worlds/controlled-world.ts';
import { variableSuffix } from '../../exchange/accounts.ts';
import { pageHeader } from '../../exchange/recorded-exchange.ts';
import { basicCredentials } from '../../core/access/basic-auth.ts';
import { ToolRefusal } from '../tool-refusal.ts';
import type { Call, KeptSessions } from './session.ts';

export type Authentication = 'basic' | 'token' | 'session';

/** `password` is undefined where nobody has given it. */
type KnownAccount = {
  readonly name: string;
  readonly roles: readonly string[];
  readonly password: string | undefined;
  readonly blocked: boolean;
};

export const anonymousName = 'anonymous';

/** In the order of their ids, without that of anonymous visitors. */
export const accountsOf = async (call: Call, world: WorldCommands): Promise<readonly KnownAccount[]> => {
  const { accounts } = await call.control(world).ask('getRepository');
  return accounts.map(({ name, roles, password, blocked }) => ({
    ...{ name, blocked, roles: roles.map(({ id }) => id) },
    password: password ?? call.options.environment[`ATOLL_PASSWORD_${variableSuffix(name)}`],
  }));
};

/** Throws `ToolRefusal` for an account that does not exist, or whose password is not known. */
export const passwordOf = (accounts: readonly KnownAccount[], name: string): string => {
  const found = accounts.find((each) => each.name === name);
  if (found?.password !== undefined) return found.password;
  const names = [anonymousName, ...accounts.filter(({ password }) => password !== undefined).map((each) => each.name)];
  const remedy = `Accounts that are known: ${names.join(', ')}.`;
  if (found === undefined) throw new ToolRefusal(`There is no account "${name}".`, remedy);
  throw new ToolRefusal(
    `The password of "${name}" is not known.`,
    `${remedy} Set ATOLL_PASSWORD_${variableSuffix(name)} before atoll mcp starts.`,
  );
};

export type SignIn = {
  readonly account: string;
  readonly authentication: Authentication;
  /** Where sessions are kept; a new one is made when undefined. */
  readonly sessions: KeptSessions | undefined;
};

/** The headers of an account. With a session, `X-CSRF-Token` is among them; a request sends it where it asks for it. */
export const credentialsOf = async (
  call: Call,
  world: WorldCommands,
  { account, authentication, sessions }: SignIn,
): Promise<Readonly<Record<string, string>>> => {
  if (account === anonymousName) return {};
  const password = passwordOf(await accountsOf(call, world), account);
  const Authorization = basicCredentials(account, password);
  switch (authentication) {
    case 'basic':
      return { Authorization };
    case 'token':
      return { Authorization: `Bearer ${await world.token(account, password)}` };
    case 'session': {
      const key = `${world.url} ${account}`;
      const kept = sessions?.get(key);
      if (kept !== undefined) return kept;
      const made = logIn(world, account, password);
      sessions?.set(key, made);
      made.catch(() => sessions?.delete(key));
      return made;
    }
  }
};

const logIn = async (world: WorldCommands, name: string, pass: string): Promise<Readonly<Record<string, string>>> => {
  const response = await world.fetch('/user/login?_format=json', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', [pageHeader]: 'mcp' },
    body: JSON.stringify({ name, pass }),
  });
  const answer = (await response.json()) as { readonly csrf_token?: string; readonly message?: string }; // the contract: login
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  if (response.ok && answer.csrf_token !== undefined) return { Cookie: cookie, 'X-CSRF-Token': answer.csrf_token };
  throw new ToolRefusal(
    `${name} cannot log in: ${response.status} ${answer.message ?? ''}`,
    'Use authentication "basic", or another account.',
  );
};

/** Forgets the sessions of a world whose records went back. */
export const forgetSessions = ({ sessions }: Call, worldUrl: string): void => {
  for (const key of sessions.keys()) if (key.startsWith(`${worldUrl} `)) sessions.delete(key);
};
