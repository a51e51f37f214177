/** The client of the control interface, made from its document. It runs in Node, in a browser, and in the process of the server. */
import { controlOperations } from '../generated/control-operations.ts';
import type { Answer, InputParameter, OperationId } from './control-types.ts';

/** The message is written for the reader of a failed test. */
export class CommandRefusal extends Error {
  override name = 'CommandRefusal';
  readonly status: number;
  /** The server's message, or the command and the status when it sent none. */
  readonly reason: string;
  /** Whether it was not a refusal, but an answer that the document of the control interface does not have. */
  readonly isUnexpected: boolean;

  constructor(
    command: string,
    status: number,
    message: string | undefined,
    { isUnexpected = false }: { readonly isUnexpected?: boolean } = {},
  ) {
    super(`${command}: ${status}${message === undefined ? '' : ` ${message}`}`);
    this.status = status;
    // A server that answers 404 without a message of ours is another one.
    this.reason = message ?? `${command} answered ${status}.${status === 404 ? ' This is no Atoll.' : ''}`;
    this.isUnexpected = isUnexpected;
  }
}

type ControlConnection = {
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>;
  /** Sent with every command; read before each. */
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Every function rejects with a `CommandRefusal` when the server refuses or redirects, or when the answer is not what the
 * document says; and as `fetch` does.
 */
export type ControlClient = {
  /** Sends a command, and resolves with the JSON of its answer. */
  readonly ask: <Id extends OperationId>(id: Id, ...input: InputParameter<Id>) => Promise<Answer<Id>>;
  /** Sends a command whose answer the caller reads: a stream, text or bytes. */
  readonly open: <Id extends OperationId>(id: Id, ...input: InputParameter<Id>) => Promise<Response>;
  /** Sends a request for a path within the world, such as `/_atoll/openapi.yaml`. Every answer with 2xx is a success. */
  readonly request: (path: string, init?: ControlRequest) => Promise<Response>;
};

/** TypeScript's types of the browser do not know `duplex`. */
type ControlRequest = Omit<RequestInit, 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>;
  readonly duplex?: 'half';
};

/** What the client knows of an operation when it runs. */
type Entry = {
  readonly method: string;
  readonly path: string;
  /** The media type of the body. */
  readonly sends?: string;
  /** Those of a success. */
  readonly statuses: readonly number[];
  /** The media types of a success. None where it has no body. */
  readonly types: readonly string[];
  /** What its JSON must have. */
  readonly members: readonly string[];
};

/** An input whose type only the operation knows. */
type AnyInput = Pick<ControlRequest, 'headers' | 'signal'> & {
  readonly path?: object;
  readonly query?: object | undefined;
  readonly body?: unknown;
};

/** The header for a control token. Empty without a token. */
export const controlHeader = (token: string | undefined): Readonly<Record<string, string>> =>
  token === undefined ? {} : { 'Atoll-Control': token };

/** The client for a world, or for the main world of a server, from its base URL. */
export const controlClient = (connection: ControlConnection, worldUrl: string): ControlClient => {
  const base = worldUrl.replace(/\/$/, '');
  // A browser's `fetch` is not a method of another object.
  const { fetch } = connection;
  const request: ControlClient['request'] = async (path, init = {}) => {
    const address = base + path;
    const headers = { ...connection.headers, ...init.headers };
    // If `fetch` followed a redirect, it would send the control token to the other server, and make a GET of a POST.
    const response = await fetch(address, { ...init, headers, redirect: 'manual' });
    if (response.ok) return response;
    const reason = redirectIn(address, response) ?? messageOf(jsonOf(await response.text()));
    throw new CommandRefusal(`${init.method ?? 'GET'} ${address}`, response.status, reason);
  };
  const failure = async (id: OperationId, response: Response, message: string, options?: { isUnexpected: true }) => {
    if (!response.bodyUsed) await response.body?.cancel();
    const { method, path } = controlOperations[id];
    return new CommandRefusal(`${method} ${base}${path}`, response.status, message, options);
  };
  const open = async (id: OperationId, input: AnyInput = {}): Promise<Response> => {
    const { method, path, statuses, types, sends }: Entry = controlOperations[id];
    const response = await request(filled(path, input), { method, ...initOf(sends, input) });
    if (types.length > 0 && !types.includes(mediaTypeOf(response))) throw await failure(id, response, foreign);
    if (!statuses.includes(response.status))
      throw await failure(id, response, undocumented(`status ${response.status}`), unexpected);
    return response;
  };
  const ask = async (id: OperationId, input: AnyInput = {}): Promise<unknown> => {
    const { types, members }: Entry = controlOperations[id];
    const response = await open(id, input);
    const text = await response.text();
    if (types.length === 0) return undefined;
    const answer = jsonOf(text);
    if (answer === undefined) throw await failure(id, response, foreign);
    const missing = members.find((member) => !(member in Object(answer)));
    if (missing === undefined) return answer;
    throw await failure(id, response, undocumented(`JSON without "${missing}"`), unexpected);
  };
  return {
    ask: (id, ...[input]) => ask(id, input) as Promise<never>, // it has the members that its type says
    open: (id, ...[input]) => open(id, input),
    request,
  };
};

const foreign = 'This is no Atoll.';
const unexpected = { isUnexpected: true } as const;
const undocumented = (what: string): string =>
  `The control interface does not answer this command with ${what}. This is another server, or another version of Atoll.`;

const filled = (path: string, { path: values = {}, query = {} }: AnyInput): string => {
  const named = new Map<string, unknown>(Object.entries(values));
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    parameters.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(named.get(name))));
  return text === '' ? place : `${place}?${text}`;
};

/** A stream is sent while it is made; the answer comes after it. */
const initOf = (sends: string | undefined, { headers = {}, signal, body }: AnyInput): ControlRequest => ({
  ...(signal && { signal }),
  headers: sends === undefined || body === undefined ? headers : { ...headers, 'Content-Type': sends },
  ...(body === undefined
    ? {}
    : sends === json
      ? { body: JSON.stringify(body) }
      : { body: body as Blob | ReadableStream<Uint8Array>, duplex: 'half' }), // the type of the input of such an operation
});

const json = 'application/json';

const mediaTypeOf = ({ headers }: Response): string =>
  (headers.get('Content-Type') ?? '').split(';', 1).join('').trim().toLowerCase();

/** Undefined for what is not JSON. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The message of a refusal. Undefined when Atoll has not written it. */
const messageOf = (answer: unknown): string | undefined => {
  const { message } = Object(answer) as { readonly message?: unknown }; // any JSON
  return typeof message === 'string' ? message : undefined;
};

/** What to say of a redirect. Undefined for another answer. A browser does not tell where a redirect leads. */
const redirectIn = (address: string, { status, type, headers }: Response): string | undefined => {
  if (type !== 'opaqueredirect' && (status < 300 || status > 399)) return undefined;
  const location = headers.get('Location') ?? '';
  // Its query may hold secrets.
  const target = URL.canParse(location, address) ? new URL(location, address).href.replace(/[?#].*$/, '') : 'elsewhere';
  return `${new URL(address).origin} redirects to ${target}. Commands do not follow redirects, so nothing was done. Name the address of the server itself.`;
};
