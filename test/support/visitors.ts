/** Who visits in tests, by which provider, and the links a visitor finds. What a visit must show is the tests' own business. */
import LinkHeader from 'http-link-header';
import type { Response, Test } from 'supertest';
import { baseUrl, type TestAtoll } from './atoll.ts';

/** `token` is the CSRF token of a cookie's session. */
export type Visitor = {
  readonly label: string;
  readonly name: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly token?: string;
};

export const anonymous: Visitor = { label: 'anonymous', name: undefined, headers: {} };

/** The demo accounts that may log in. */
export const accountNames = ['admin', 'editor', 'viewer', 'plain', 'owner'] as const;

/** A visitor with an `Authorization: Basic` header; every demo account's password is its name, but for the admin's. */
export const basic = (name: string, password = name === 'admin' ? 'islandora' : name): Visitor => ({
  label: `${name} by Basic`,
  name,
  headers: { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
});

/** A visitor with a token of `/jwt/token`. */
export const bearer = async (atoll: TestAtoll, name: string): Promise<Visitor> => {
  const body = await bodyOf(visit(atoll, basic(name), 'GET', '/jwt/token?_format=json'));
  const { token } = body as { token: string }; // checked against the document by the engine
  return { label: `${name} by Bearer`, name, headers: { Authorization: `Bearer ${token}` } };
};

/** A visitor with the cookie of a login. */
export const cookie = async (atoll: TestAtoll, name: string): Promise<Visitor> => {
  const pass = name === 'admin' ? 'islandora' : name;
  const response = await visit(atoll, anonymous, 'POST', '/user/login?_format=json').send(
    JSON.stringify({ name, pass }),
  );
  const [set = ''] = response.get('Set-Cookie') ?? [];
  const { csrf_token: token } = response.body as { csrf_token: string }; // checked against the document by the engine
  return { label: `${name} by cookie`, name, headers: { Cookie: set.split(';')[0] ?? '' }, token };
};

/** Nobody, wrong credentials, and every demo account by every provider; made anew after each reset. Flood control must be off. */
export const everybody = async (atoll: TestAtoll): Promise<Visitor[]> => {
  const known = await Promise.all(
    accountNames.map(async (name) => [basic(name), await bearer(atoll, name), await cookie(atoll, name)]),
  );
  const refused = { ...basic('editor', 'wrong'), label: 'a wrong password' };
  return [anonymous, basic('blocked'), refused, ...known.flat()];
};

/** A request by a visitor; a session sends its CSRF token along. Absolute addresses of the test's own base URL are followed. */
export const visit = (atoll: TestAtoll, visitor: Visitor, method: string, url: string): Test => {
  const test = atoll.send(method, url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url).set(visitor.headers);
  return visitor.token === undefined ? test : test.set('X-CSRF-Token', visitor.token);
};

/** The visitor with the session alone, as a page of another site would send it. */
export const withoutToken = ({ label, name, headers }: Visitor): Visitor => ({ label, name, headers });

/** The body of an answer. */
export const bodyOf = async (test: Test): Promise<unknown> => (await test).body;

/** A PATCH or POST of JSON. */
export const sendJson = (atoll: TestAtoll, visitor: Visitor, method: string, url: string, body: unknown): Test =>
  visit(atoll, visitor, method, url)
    .set('Content-Type', 'application/json')
    .send(typeof body === 'string' ? body : JSON.stringify(body));

export type FoundLink = { readonly uri: string; readonly rel: string; readonly title?: string; readonly type?: string };

/** The links of an answer, read by a parser that is not ours; titles that are not ASCII come from `title*`. */
export const linksOf = (response: Response): FoundLink[] => {
  const header: unknown = response.headers['link'];
  if (typeof header !== 'string') return [];
  const found = LinkHeader.parse(header).refs as (FoundLink & { 'title*'?: { value: string } })[]; // the parser's own shape
  return found.map(({ 'title*': wide, ...link }) => ({
    ...link,
    ...(wide === undefined ? {} : { title: wide.value }),
  }));
};

/** The targets of a relation, of one title where one is given. */
export const targetsOf = (response: Response, rel: string, title?: string): string[] =>
  linksOf(response)
    .filter((link) => link.rel === rel && (title === undefined || link.title === title))
    .map(({ uri }) => uri);

/** The path of an absolute address of the test's base URL. */
export const pathOf = (url: string | undefined): string => (url ?? '').replace(baseUrl, '');

/** Headers that two equal answers share; the date is the machine's. */
export const headersOf = (response: Response): Record<string, unknown> => {
  const headers: Record<string, unknown> = { ...(response.headers as Record<string, unknown>) }; // superagent's is `any`
  delete headers['date'];
  return headers;
};
