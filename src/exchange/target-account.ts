/** An account that requests to a server are sent as. */
import { basicCredentials } from '../basics/formats/basic-credentials.ts';
import type { HeaderLine } from './wire-exchange.ts';

/** `roles` are ids of the site's roles; `anonymous` and `authenticated` are implied. Undefined: as the site's account of this name. */
export type TargetAccount = {
  readonly name: string;
  readonly password?: string | undefined;
  /** A JSON Web Token, for an account without a known password. */
  readonly token?: string | undefined;
  readonly roles?: readonly string[] | undefined;
  /** Whether the password is the published one of a demo account, which the target may not have. */
  readonly isPublished?: boolean;
};

/** The visitor without credentials. */
export const anonymousAccount: TargetAccount = { name: 'anonymous', roles: [] };

/** The header line that authenticates an account: Basic (RFC 7617) with a password, Bearer (RFC 6750) with a token alone. */
export const authorizationOf = ({ name, password, token }: TargetAccount): readonly HeaderLine[] => {
  if (password !== undefined) return [['Authorization', basicCredentials(name, password)]];
  return token === undefined ? [] : [['Authorization', `Bearer ${token}`]];
};

/** Everything of an account that no report may show. */
export const secretsOf = ({ name, password, token }: TargetAccount): readonly string[] => [
  ...(password === undefined ? [] : [password, basicCredentials(name, password).slice('Basic '.length)]),
  ...(token === undefined ? [] : [token]),
];
