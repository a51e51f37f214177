/** A request that an agent tries: its form, where it may go, and how it is sent. */
import { isRecord } from '../../basics/json.ts';
import { decodedUri } from '../../repository/repository.ts';
import type { WorldCommands } from '../../exchange/exchange-worlds.ts';
import { anonymousName, credentialsOf, type SignIn } from '../session/accounts.ts';
import type { Call } from '../session/session.ts';
import { anyObject, choice, list, optional, structure, table, text, whole } from '../shape.ts';
import { ToolRefusal } from '../tool-refusal.ts';

export const requestMethods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const;

export const worldName = text('main when left out.', { maxLength: 63 });
export const accountName = text('Such as editor; anonymous when left out.', { maxLength: 100 });

export const requestMembers = {
  world: optional(worldName),
  account: optional(accountName),
  authentication: optional(
    choice(
      ['basic', 'token', 'session'],
      'basic when left out. With session, writes need the header X-CSRF-Token: {{csrf_token}}; the tool puts the token in.',
    ),
  ),
  method: choice(requestMethods, 'Of HTTP.'),
  path: text('Within the world, with its query: /node/5?_format=json.', { pattern: '^/', maxLength: 4000 }),
  headers: optional(table(text('The value.'), 'Headers, such as Content-Type.')),
  json: optional(anyObject('The body as JSON, sent as application/json unless headers name another type.')),
  body: optional(text('The body as text.')),
  base64: optional(text('The body as bytes, in Base64.', { pattern: '^[A-Za-z0-9+/]*={0,2}$' })),
};

/** A request that an answer proposes. */
export const requestShape = structure(requestMembers, 'Arguments for try_request.');

export const correctionShape = structure(
  {
    arguments: optional(
      structure(requestMembers, 'Call try_request with these. Absent when they are too long to show.'),
    ),
    changes: list(text('A change.'), 'What differs from the request that was sent, and why.'),
    expected: whole('The status that the corrected request got in a copy of the world.'),
    message: optional(text('What a refusal of the corrected request said.')),
  },
  'The request that should have been sent.',
);

export type Correction = NonNullable<typeof correctionShape.sample>;

export const permissionShape = structure({
  account: text('The name of the account.'),
  status: whole('What it was answered.'),
});

export type Permission = NonNullable<typeof permissionShape.sample>;

export const violationShape = structure({
  rule: text('The keyword of the schema, or what else of the document was not kept.'),
  pointer: text('JSON pointer into the request.'),
  message: text('What is wrong.'),
  arrived: optional(text('What stood there, as JSON.')),
  line: optional(whole('The line of the rule in openapi.yaml.')),
});

/** The arguments of `try_request`. The body is one of `json`, `body` and `base64`. */
export type SandboxRequest = NonNullable<typeof requestShape.sample>;

/** The request with this body in place of its own. A value that is not an object is sent as text. */
export const withJson = (request: SandboxRequest, value: unknown): SandboxRequest => {
  const bare: SandboxRequest = without(request, 'json', 'body', 'base64');
  return isRecord(value) ? { ...bare, json: { ...value } } : { ...bare, body: JSON.stringify(value) };
};

/** The request without these members. */
export const without = <N extends 'account' | 'json' | 'body' | 'base64'>(
  request: SandboxRequest,
  ...names: readonly N[]
): Omit<SandboxRequest, N> =>
  Object.fromEntries(Object.entries(request).filter(([name]) => !names.some((each) => each === name))) as Omit<
    SandboxRequest,
    N
  >; // those alone are left out

export type SandboxAnswer = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer };

/** A header can have this in place of the CSRF token of the session. */
export const csrfPlaceholder = '{{csrf_token}}';

/** These say where a request goes or who commands; a tool says that itself. */
const refusedHeaders = /^(host|content-length|connection|transfer-encoding|atoll-world|atoll-control|atoll-page)$/i;

/** The longest answer that is read, in bytes. */
const maxReadBytes = 1024 * 1024;

/** The address of a path in a world. Throws `ToolRefusal` for what is not of this world, such as a command. */
export const addressIn = (world: WorldCommands, path: string): string => {
  const base = new URL(world.url);
  const remedy = 'Write the path within the world, such as /node/5?_format=json.';
  if (!path.startsWith('/') || !URL.canParse(world.url + path))
    throw new ToolRefusal(`"${path}" is not a path.`, remedy);
  const url = new URL(world.url + path);
  const prefix = base.pathname.replace(/\/$/, '');
  if (url.origin !== base.origin || !url.pathname.startsWith(`${prefix}/`)) {
    throw new ToolRefusal(`"${path}" leads out of the world "${world.name}".`, remedy);
  }
  const first = decodedUri(
    url.pathname
      .slice(prefix.length)
      .replace(/^(\/|%2f)+/i, '')
      .split(/\/|%2f/i, 1)[0] ?? '',
  );
  if (first.startsWith('~')) throw new ToolRefusal('The path names a world.', 'Name it in "world" instead.');
  if (first === '_atoll') {
    throw new ToolRefusal('A request cannot command the server.', 'Use the other tools, such as worlds and faults.');
  }
  return url.href;
};

/** Throws `ToolRefusal` for headers that would lead the request elsewhere. */
const checkedHeaders = (headers: Readonly<Record<string, string>> = {}): Headers => {
  const odd = Object.entries(headers).find(
    ([name, value]) => refusedHeaders.test(name) || (/^cookie$/i.test(name) && value.includes('atoll_world')),
  );
  if (odd !== undefined)
    throw new ToolRefusal(`The header ${odd[0]} is set by the tool.`, 'Leave it out; name the world in "world".');
  try {
    return new Headers({ ...headers });
  } catch (cause) {
    throw new ToolRefusal('A header cannot be sent.', 'Names are tokens, and values have no line breaks.', { cause });
  }
};

/** Whether a request of this method changes nothing. */
export const isSafe = (method: SandboxRequest['method']): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);

/** `marks` are headers of the tool itself. */
type SendOptions = Pick<SignIn, 'sessions'> & { readonly marks: Readonly<Record<string, string>> };

/** Sends a request to a world. It follows no redirect. */
export const sendRequest = async (
  call: Call,
  world: WorldCommands,
  request: SandboxRequest,
  { sessions, marks }: SendOptions,
): Promise<SandboxAnswer> => {
  const address = addressIn(world, request.path);
  const headers = checkedHeaders(request.headers);
  const { account = anonymousName, authentication = 'basic', method } = request;
  const credentials = await credentialsOf(call, world, { account, authentication, sessions });
  for (const [name, value] of Object.entries(credentials)) if (name !== 'X-CSRF-Token') headers.set(name, value);
  const token = credentials['X-CSRF-Token'];
  if (token !== undefined && headers.get('X-CSRF-Token') === csrfPlaceholder) headers.set('X-CSRF-Token', token);
  for (const [name, value] of Object.entries(marks)) headers.set(name, value);
  const body = bodyOf(request);
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) {
    throw new ToolRefusal(`A ${method} has no body.`, 'Leave out json, body and base64, or name another method.');
  }
  if (request.json !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
  // A text of `fetch` would get a content type that the agent has not named.
  const init: RequestInit = { method, headers, redirect: 'manual', body: body ?? null };
  const response = await world.fetch(address, init);
  return { status: response.status, headers: response.headers, bytes: await readStart(response) };
};

const bodyOf = ({ json, body, base64 }: SandboxRequest): Uint8Array<ArrayBuffer> | undefined => {
  const given = [json, body, base64].filter((each) => each !== undefined);
  if (given.length > 1) throw new ToolRefusal('A request has one body.', 'Send one of json, body and base64.');
  if (json !== undefined) return Uint8Array.from(Buffer.from(JSON.stringify(json)));
  if (body !== undefined) return Uint8Array.from(Buffer.from(body));
  return base64 === undefined ? undefined : Uint8Array.from(Buffer.from(base64, 'base64'));
};

const readStart = async ({ body }: Response): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  if (body === null) return Buffer.alloc(0);
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > maxReadBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, maxReadBytes);
};
