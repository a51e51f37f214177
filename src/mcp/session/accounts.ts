/** Knows the accounts of a world, and makes the headers with which a request is sent as one of them. */
import type { WorldCommands } from '../../exchange/exchange-worlds.ts';
import { type TargetAccount, createSignIns, SignInRefusal } from '../../exchange/exchange-target.ts';
import { accountVariables, ownRequestHeader } from '../../exchange/exchange.ts';
import { onceIn } from '../../basics/once.ts';
import { basicCredentials } from '../../basics/formats/basic-credentials.ts';
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
    password: password ?? call.options.environment[accountVariables(name).password],
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
    `${remedy} Set ${accountVariables(name).password} before atoll mcp starts.`,
  );
};

export type SignIn = {
  readonly account: string;
  readonly authentication: Authentication;
  /** Where sessions are kept. */
  readonly sessions: KeptSessions;
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
      return onceIn(sessions, key, () => sessionOf(world, { name: account, password }));
    }
  }
};

const sessionOf = async (world: WorldCommands, account: TargetAccount): Promise<Readonly<Record<string, string>>> => {
  const fetch = (request: Request): Promise<Response> => {
    request.headers.set(ownRequestHeader, 'mcp');
    return world.fetch(request);
  };
  try {
    const { cookie, csrf } = await createSignIns({ baseUrl: world.url, fetch }).logIn(account);
    return { Cookie: cookie, 'X-CSRF-Token': csrf };
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error;
    throw new ToolRefusal(error.message, 'Use authentication "basic", or another account.');
  }
};

/** Forgets the sessions of a world whose records went back. */
export const forgetSessions = ({ sessions }: Call, worldUrl: string): void => {
  for (const key of sessions.keys()) if (key.startsWith(`${worldUrl} `)) sessions.delete(key);
};
