/** Defines the types of authentication, which the engine and the handlers use. `create-access.ts` implements them. Finds out who sent a request. */
import type { PublishedKey } from '../../basics/secrets/signing-key.ts';
import { acceptsProvider, type Operation } from '../document/operation.ts';
import type { Identity, Principal, ProviderName } from '../model/principal.ts';
import type { FloodRefusal } from './flood.ts';
import type { Entity } from '../../openapi/openapi-records.ts';
import { forbidden, type Problem } from '../../openapi/openapi-terms.ts';

/** The parts of a request that can carry credentials. Header names in lower case. */
export type CredentialSource = {
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The caller's address, for flood control. */
  readonly address: string;
  /** The same object for all requests of a connection; undefined for a request without a connection. */
  readonly connection?: object | undefined;
};

/** A kind of authentication, such as `basic_auth`. */
export type Provider = {
  readonly name: ProviderName;
  /**
   * Returns undefined when the request carries no credentials of this kind. Refused credentials are an `Identity` with
   * `credentials: 'refused'`. Returns no promise when it has nothing to wait for, because every request calls this.
   */
  recognise(source: CredentialSource): Promise<Identity | undefined> | Identity | undefined;
};

/** An open session of the `cookie` provider. `expires` in milliseconds since 1970. */
export type Session = {
  readonly id: string;
  readonly uid: number;
  readonly csrfToken: string;
  readonly logoutToken: string;
  readonly expires: number;
};

/** How a login ended. Each kind has a status and a message of its own in `handlers/session.ts`. */
export type LoginOutcome =
  | { readonly kind: 'accepted'; readonly account: Entity; readonly session: Session }
  | { readonly kind: 'unrecognised' | 'blocked' | FloodRefusal };

/** An address that serves a world. `cookiePath` is the path of its session cookie: `/` or the world's prefix. */
export type AccessAddress = { readonly baseUrl: string; readonly cookiePath: string };

export type Access = {
  readonly anonymous: Principal;
  /** In the order in which the engine tries them: the Authorization header before the cookie. */
  readonly providers: readonly Provider[];
  /** Undefined when the account does not exist or is blocked. */
  principal(uid: number): Promise<Principal | undefined>;
  /** `SESS` and 32 hex digits; `SSESS` over https. */
  readonly cookieName: string;
  /** The whole `Set-Cookie` value. Without a session it removes the cookie. */
  setCookie(session: Session | undefined): string;
  login(name: string, password: string, address: string): Promise<LoginOutcome>;
  session(id: string | undefined): Session | undefined;
  logout(id: string): void;
  /** The CSRF token of a session. Without a session it is a token that no session accepts. */
  csrfToken(sessionId: string | undefined): string;
  /** Signs a JSON Web Token for the principal, valid from now. */
  issueToken(principal: Principal): Promise<string>;
  /** The public keys by which others verify the tokens. */
  publishedKeys(): Promise<readonly PublishedKey[]>;
};

/** The identity of the request. Without credentials it is the anonymous visitor. */
export const authenticate = async (source: CredentialSource, access: Access): Promise<Identity> => {
  for (const provider of access.providers) {
    const recognised = provider.recognise(source);
    // A provider without its credentials answers synchronously. Awaiting its answer would cost more than the call.
    const identity = recognised instanceof Promise ? await recognised : recognised;
    if (identity !== undefined) return identity;
  }
  return anonymousIdentity(access);
};

export const anonymousIdentity = ({ anonymous }: Pick<Access, 'anonymous'>): Identity => ({
  principal: anonymous,
  credentials: 'none',
  provider: undefined,
});

/** Throws 403 when the credentials, right or wrong, belong to a provider that the operation does not accept. */
export const requireProvider = (operation: Operation, { provider }: Identity): void => {
  if (!acceptsProvider(operation, provider)) throw wrongProvider();
};

/** The refusal of a provider. A page that a write meets in place of a resource takes none. */
export const wrongProvider = (): Problem => forbidden('The used authentication method is not allowed on this route.');
