/** What the rest of the program asks of authentication. The parts stand beside this file; `create-access.ts` joins them. */
import type { Entity } from '../model/entity.ts';
import type { Identity, Principal, ProviderName } from '../model/principal.ts';

/** The parts of a request that can carry credentials. Header names in lower case. */
export type CredentialSource = {
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The caller's address, for flood control. */
  readonly address: string;
  /** The same object for all requests of a connection; undefined for a request that came without one. */
  readonly connection?: object | undefined;
};

/**
 * One way to prove who one is. Undefined, at once where that can be, when the request carries no credentials of its kind; refused credentials are an
 * `Identity` with `credentials: 'refused'`, never an anonymous visitor in silence.
 */
export type Provider = {
  readonly name: ProviderName;
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

/** How a login ended (reference 5.2). */
export type LoginOutcome =
  | { readonly kind: 'accepted'; readonly account: Entity; readonly session: Session }
  | { readonly kind: 'unrecognised' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'flooded-user' }
  | { readonly kind: 'flooded-address' };

export type Access = {
  readonly anonymous: Principal;
  /** In the order in which they are asked: Authorization before cookie. */
  readonly providers: readonly Provider[];
  /** The account's principal; undefined when it does not exist or is blocked. */
  principal(uid: number): Promise<Principal | undefined>;
  /** `SESS` + 32 hex digits (decisions: Defaults). */
  readonly cookieName: string;
  /** The whole `Set-Cookie` value of a session, or the one that removes it. */
  setCookie(session: Session | undefined): string;
  login(name: string, password: string, address: string): Promise<LoginOutcome>;
  session(id: string | undefined): Session | undefined;
  logout(id: string): void;
  /** The CSRF token of a session, or one that fits no session, for an anonymous visitor. */
  csrfToken(sessionId: string | undefined): string;
  /** Signs a token for the principal, valid from now (reference 5.3). */
  issueToken(principal: Principal): Promise<string>;
};
