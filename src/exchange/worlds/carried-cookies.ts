/**
 * Carries cookies along with a request and its reply. In a browser a `Request` drops the header `Cookie`, and a `Response` drops
 * `Set-Cookie` (Fetch §2.2.2), so that a session would be lost where the engine runs in a page or a worker.
 */

/** Registered, since the bundles of the package do not share their modules. */
const sent = Symbol.for('atoll-server.cookie');
const received = Symbol.for('atoll-server.set-cookie');

type WithCookie = { [sent]?: string };
type WithSetCookie = { [received]?: readonly string[] };

/** Says which cookies a request has: the value of its header `Cookie`, empty without any. Returns the same request, for `fetch` of the engine. */
export const withCookie = (request: Request, cookie: string): Request =>
  Object.assign(request, { [sent]: cookie } satisfies WithCookie);

/** The cookies that were said of a request. Undefined when nobody did. */
export const carriedCookie = (input: unknown): string | undefined =>
  input instanceof Request ? (input as WithCookie)[sent] : undefined;

/** Puts the values of `Set-Cookie` to a reply. */
export const withSetCookies = (response: Response, setCookies: readonly string[]): Response =>
  setCookies.length === 0 ? response : Object.defineProperty(response, received, { value: setCookies });

/** The values of `Set-Cookie` of a reply of the engine, in a browser too. */
export const setCookiesOf = (response: Response): readonly string[] =>
  (response as WithSetCookie)[received] ?? response.headers.getSetCookie();
