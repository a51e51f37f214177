/** Defines a planted bug of a provider, and the words by which mutants alter requests and answers. */

/** Header names in lower case. */
export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  /** Undecoded, without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
};

/** Header names as the server writes them. A header may have several lines. */
export type SeenReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: Buffer;
};

/** Asks the healthy server. */
export type Ask = (request: SeenRequest) => Promise<SeenReply>;

/** Answers in place of the healthy server, which it may ask as often as it needs. */
export type Alteration = (request: SeenRequest, ask: Ask) => Promise<SeenReply>;

export type Sending = {
  /** A demo account, by Basic. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: Buffer | string;
};

export type Send = (method: string, path: string, sending?: Sending) => Promise<SeenReply>;

/** Requests whose outcome differs between the healthy server and the mutant. */
export type Witness = (send: Send) => Promise<unknown>;

export type Mutant = {
  readonly name: string;
  readonly topic: string;
  /** The sentence of the contract, the document or the a real site that it breaks. */
  readonly rule: string;
  /** Makes the alteration with fresh state. */
  readonly alter: () => Alteration;
  readonly witness: Witness;
};

type Row = readonly [name: string, rule: string, alter: () => Alteration, witness: Witness];

export const mutantsOf = (topic: string, rows: readonly Row[]): readonly Mutant[] =>
  rows.map(([name, rule, alter, witness]) => ({ name, topic, rule, alter, witness }));

export const one =
  (method: string, path: string, sending?: Sending): Witness =>
  (send) =>
    send(method, path, sending);

export const get = (path: string, as?: string): Witness => one('GET', path, as === undefined ? {} : { as });

/** The value of the `Authorization` header of a demo account. */
export const basicOf = (account: string, password = account === 'admin' ? 'islandora' : account): string =>
  `Basic ${Buffer.from(`${account}:${password}`).toString('base64')}`;

/** The same request by another account. Without one, by nobody. */
export const asAccount = (request: SeenRequest, account: string | undefined): SeenRequest => ({
  ...request,
  headers: {
    ...request.headers,
    cookie: undefined,
    authorization: account === undefined ? undefined : basicOf(account),
  },
});

export type Match = (request: SeenRequest, reply: SeenReply) => boolean;

/** A GET or HEAD of these paths that is answered with this status. */
export const reads =
  (path: RegExp, status = 200): Match =>
  (request, reply) =>
    isRead(request) && path.test(request.path) && reply.status === status;

export const isRead = ({ method }: SeenRequest): boolean => method === 'GET' || method === 'HEAD';

/** A request by one of these methods (in words, with spaces) to these paths, answered with one of these statuses. */
export const sent =
  (methods: string, path: RegExp, ...statuses: readonly number[]): Match =>
  (request, reply) =>
    methods.split(' ').includes(request.method) &&
    path.test(request.path) &&
    (statuses.length === 0 || statuses.includes(reply.status));

export const isAnonymous = ({ headers }: SeenRequest): boolean =>
  headers['authorization'] === undefined && headers['cookie'] === undefined;

export const formatOf = ({ query }: SeenRequest): string | null => new URLSearchParams(query).get('_format');

/** Changes the answers that match. */
export const onReply =
  (match: Match, change: (reply: SeenReply, request: SeenRequest) => SeenReply): (() => Alteration) =>
  () =>
  async (request, ask) => {
    const reply = await ask(request);
    return match(request, reply) ? change(reply, request) : reply;
  };

/** When the healthy server's answer matches, asks it again with a changed request, and answers with that. */
export const onRefusal =
  (match: Match, change: (request: SeenRequest) => SeenRequest): (() => Alteration) =>
  () =>
  async (request, ask) => {
    const reply = await ask(request);
    return match(request, reply) ? ask(change(request)) : reply;
  };

/** Changes the requests that match before the healthy server sees them. */
export const onRequest =
  (match: (request: SeenRequest) => boolean, change: (request: SeenRequest) => SeenRequest): (() => Alteration) =>
  () =>
  (request, ask) =>
    ask(match(request) ? change(request) : request);

export const isRequest =
  (methods: string, path: RegExp): ((request: SeenRequest) => boolean) =>
  (request) =>
    methods.split(' ').includes(request.method) && path.test(request.path);

export const valuesOf = ({ headers }: SeenReply, name: string): readonly string[] =>
  Object.entries(headers)
    .filter(([own]) => own.toLowerCase() === name.toLowerCase())
    .flatMap(([, values]) => values);

/** Sets a header in place of what there was. No values remove it. */
export const withHeader = (reply: SeenReply, name: string, ...values: readonly string[]): SeenReply => {
  const others = Object.entries(reply.headers).filter(([own]) => own.toLowerCase() !== name.toLowerCase());
  return {
    ...reply,
    headers: Object.fromEntries([...others, ...(values.length === 0 ? [] : [[name, values] as const])]),
  };
};

export const withStatus = (reply: SeenReply, status: number): SeenReply => ({ ...reply, status });

/** Another body, with its length. */
export const withBody = (reply: SeenReply, body: Buffer | string): SeenReply => {
  const bytes = Buffer.from(body);
  return { ...withHeader(reply, 'Content-Length', String(bytes.length)), body: bytes };
};

export const withJson = (reply: SeenReply, body: unknown): SeenReply =>
  withHeader(withBody(reply, JSON.stringify(body)), 'Content-Type', 'application/json');

export type Item = Record<string, unknown>;
/** A record of the contract: a list of items for each field. */
export type Entity = Record<string, readonly Item[]>;

/** The body as a record. What is none has no fields. */
export const entityOf = (reply: SeenReply): Entity => {
  const text = reply.body.toString();
  return text.startsWith('{') ? (JSON.parse(text) as Entity) : {}; // the records of the healthy server
};

/** Changes a record; the media type stays. Answers without a body, such as those of HEAD in some servers, stay as they are. */
export const withEntity = (reply: SeenReply, change: (entity: Entity) => unknown): SeenReply =>
  reply.body.length === 0 ? reply : withBody(reply, JSON.stringify(change(entityOf(reply))));

/** Changes the items of one field of a record. */
export const withField = (reply: SeenReply, name: string, change: (items: readonly Item[]) => unknown): SeenReply =>
  withEntity(reply, (entity) => ({
    ...entity,
    ...(entity[name] === undefined ? {} : { [name]: change(entity[name]) }),
  }));

/** The request with another body of JSON. */
export const withSentJson = (request: SeenRequest, body: unknown): SeenRequest => ({
  ...request,
  body: Buffer.from(JSON.stringify(body)),
});

/** The JSON object that a request sent; undefined when it is none. */
export const sentEntity = ({ body }: SeenRequest): Entity | undefined => {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Entity) : undefined; // what a client sends for a record
  } catch {
    return undefined;
  }
};

export const node = /^\/node\/\d+$/;
export const nodes = /^\/node$/;
export const media = /^\/media\/\d+$/;
export const file = /^\/entity\/file\/\d+$/;
export const record = /^\/(node|media|entity\/file)\/\d+$/;
export const entityWithLinks = /^\/(node|media)\/\d+$/;
export const upload = /^\/node\/\d+\/media\/\w+\/\d+$/;
export const content = /^\/(sites\/default\/files|_flysystem\/fedora)\/./;

/** The body of a POST that makes a node. */
export const newNode = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'Witness' }],
  field_model: [{ target_id: 24 }],
};
/** The body of a PATCH that changes the title of a node. */
export const newTitle = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'Anew' }] };

/** The same request as a GET of a record by the admin. */
export const reading = (request: SeenRequest, path = request.path): SeenRequest => ({
  ...asAccount(request, 'admin'),
  ...{ method: 'GET', path, query: '_format=json', body: Buffer.alloc(0) },
});

/** An object without some of its members. */
export const omit = <T>(object: Readonly<Record<string, T>>, ...names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
