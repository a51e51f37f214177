/** Requests to the application of a test: as whom, by which provider, with which body, and what is read of the answers. */
import LinkHeader from 'http-link-header';
import request, { type Response, type Test } from 'supertest';
import { baseUrl, methodName, type TestAtoll } from './atoll.ts';
import { keptConnections } from './kept-server.ts';
import { pngBytes } from './png.ts';

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
export const basic = (name: string, password = passwordOf(name)): Visitor => ({
  label: `${name} by Basic`,
  name,
  headers: { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
});

/** The password of a demo account. */
const passwordOf = (name: string): string => (name === 'admin' ? 'islandora' : name);

/** A demo account as an audit of links takes it, or the visitor called `anonymous`. */
export const accountOf = (name: string): { readonly name: string; readonly password: string | undefined } => ({
  name,
  password: name === 'anonymous' ? undefined : passwordOf(name),
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

/** A GET of an address. */
export const get = (atoll: TestAtoll, visitor: Visitor, url: string): Test => visit(atoll, visitor, 'GET', url);

/** A GET in one of the formats. */
export const read = (atoll: TestAtoll, visitor: Visitor, path: string, format = 'json'): Test =>
  visit(atoll, visitor, 'GET', `${path}?_format=${format}`);

/** A PATCH or POST of JSON. */
export const sendJson = (atoll: TestAtoll, visitor: Visitor, method: string, url: string, body: unknown): Test =>
  visit(atoll, visitor, method, url)
    .set('Content-Type', 'application/json')
    .send(typeof body === 'string' ? body : JSON.stringify(body));

/** An upload by PUT: the bytes of an image when nothing else is said. */
export const putContent = (
  atoll: TestAtoll,
  visitor: Visitor,
  path: string,
  location: string,
  body: Buffer = pngBytes(),
  mediaType = 'image/png',
): Test =>
  visit(atoll, visitor, 'PUT', path).set({ 'Content-Type': mediaType, 'Content-Location': location }).send(body);

/** The message of a refusal. */
export const messageOf = ({ body }: { readonly body: unknown }): string => (body as { message: string }).message; // every refusal has one

/** A record as the contract shows it: a list of items for each field. */
export type RecordBody = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
/** The body of an answer that shows a record. */
export const recordOf = ({ body }: { readonly body: unknown }): RecordBody => body as RecordBody; // checked against the document by the engine

/** An answer whose body has no type yet. */
export type Seen = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

/** What tests compare of a supertest response, with a body of unknown type. */
export const seen = ({ status, headers, body }: Seen): Seen => ({ status, headers, body });

type FoundLink = { readonly uri: string; readonly rel: string; readonly title?: string; readonly type?: string };

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

export type Headers = Readonly<Record<string, string>>;
/** `cookies` are the values of `Set-Cookie`. */
type ReadAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly cookies: readonly string[];
  readonly text: string;
  /** The parsed JSON; an empty object where there is none. */
  readonly body: unknown;
};
export type Send = (
  method: string,
  path: string,
  body?: object | string | Buffer,
  headers?: Headers,
) => Promise<ReadAnswer>;

/** Requests to the whole application with headers of any kind. An object is sent as JSON, text as it is. */
export const sendTo =
  ({ server }: Pick<TestAtoll, 'server'>, always: Headers = {}): Send =>
  async (method, path, body, headers = {}) => {
    const started = request(server)
      [methodName(method)](path)
      .agent(keptConnections)
      .set({ ...always, ...headers });
    const response = await (body === undefined ? started : started.send(body));
    const { 'set-cookie': cookies = [], ...rest } = response.headers as Headers & { 'set-cookie'?: string[] }; // as Node gives them
    return { status: response.status, text: response.text, body: response.body as unknown, headers: rest, cookies };
  };

/** The body of a POST that makes a node. */
export const nodeBody = (title: string) => ({
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: title }],
  field_model: [{ target_id: 24 }],
});

/** The body of a PATCH that changes the title of a node. */
export const titleBody = (title: string) => ({ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] });

/** The title of a node, or the status of the answer when it is not 200. */
export const titleOf = async (send: Send, path: string, headers?: Headers): Promise<string | number | undefined> => {
  const { status, body } = await send('GET', `${path}?_format=json`, undefined, headers);
  return status === 200 ? (body as { title: { value: string }[] }).title[0]?.value : status; // a node
};
