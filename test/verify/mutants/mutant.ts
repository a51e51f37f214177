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
  readonly as?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: Buffer | string;
};

export type Send = (method: string, path: string, sending?: Sending) => Promise<SeenReply>;

/** Requests whose outcome differs between the healthy server and the mutant. */
export type Witness = (send: Send) => Promise<unknown>;

/** Makes the alteration with fresh state. */
type Alter = () => Alteration;

export type Mutant = {
  readonly name: string;
  readonly topic: string;
  /** The sentence of the contract, the document or the a real site that it breaks. */
  readonly rule: string;
  readonly alter: Alter;
  readonly witness: Witness;
};

/** A bug of a table. Without a witness of its own, that of its topic sees it. */
export type Bug = {
  readonly alter: Alter;
  readonly witness: Witness | undefined;
  readonly seenBy: (witness: Witness) => Bug;
};

export const bug = (alter: Alter, witness?: Witness): Bug => ({ alter, witness, seenBy: (own) => bug(alter, own) });

/** The bugs of a topic: each rule with the bugs that break it, by name. */
export const planted = (
  topic: string,
  usual: Witness,
  rules: Readonly<Record<string, Readonly<Record<string, Bug>>>>,
): readonly Mutant[] =>
  Object.entries(rules).flatMap(([rule, bugs]) =>
    Object.entries(bugs).map(([name, { alter, witness = usual }]) => ({ name, topic, rule, alter, witness })),
  );

export const one =
  (method: string, path: string, sending?: Sending): Witness =>
  (send) =>
    send(method, path, sending);

export const get = (path: string, as?: string): Witness => one('GET', path, { as });
/** GET of a record as JSON. */
export const read = (path: string, as?: string): Witness => get(`${path}?_format=json`, as);
export const write = (method: string, path: string, as?: string, json?: unknown): Witness =>
  one(method, `${path}?_format=json`, { as, json });

/** The value of the `Authorization` header of a demo account. */
export const basicOf = (account: string, password = account === 'admin' ? 'islandora' : account): string =>
  `Basic ${Buffer.from(`${account}:${password}`).toString('base64')}`;

export type Match = (request: SeenRequest, reply: SeenReply) => boolean;

export const isRead = ({ method }: SeenRequest): boolean => method === 'GET' || method === 'HEAD';
export const isAnonymous = ({ headers }: SeenRequest): boolean =>
  headers['authorization'] === undefined && headers['cookie'] === undefined;
export const formatOf = ({ query }: SeenRequest): string | null => new URLSearchParams(query).get('_format');

export const isRequest =
  (methods: string, path: RegExp): ((request: SeenRequest) => boolean) =>
  (request) =>
    methods.split(' ').includes(request.method) && path.test(request.path);

/** A request by one of these methods (in words, with spaces) to these paths, answered with one of these statuses. */
export const sent =
  (methods: string, path: RegExp, ...statuses: readonly number[]): Match =>
  (request, reply) =>
    isRequest(methods, path)(request) && (statuses.length === 0 || statuses.includes(reply.status));

/** A GET or HEAD of these paths that is answered with this status. */
export const reads = (path: RegExp, status = 200): Match => sent('GET HEAD', path, status);

export const both =
  (...matches: readonly Match[]): Match =>
  (request, reply) =>
    matches.every((match) => match(request, reply));

export const not =
  (match: Match): Match =>
  (request, reply) =>
    !match(request, reply);

/** What is done to an answer. */
export type Change = (reply: SeenReply, request: SeenRequest) => SeenReply;
/** What is done to a request. */
export type Turn = (request: SeenRequest) => SeenRequest;

/** Changes the answers that match. */
export const onReply =
  (match: Match) =>
  (...changes: readonly Change[]): Bug =>
    bug(() => async (request, ask) => {
      const reply = await ask(request);
      return match(request, reply) ? changes.reduce((changed, change) => change(changed, request), reply) : reply;
    });

const turned = (request: SeenRequest, turns: readonly Turn[]): SeenRequest =>
  turns.reduce((changed, turn) => turn(changed), request);

/** When the healthy server's answer matches, asks it again with a changed request, and answers with that. */
export const onRefusal =
  (match: Match) =>
  (...turns: readonly Turn[]): Bug =>
    bug(() => async (request, ask) => {
      const reply = await ask(request);
      return match(request, reply) ? ask(turned(request, turns)) : reply;
    });

/** Changes the requests that match before the healthy server sees them. */
export const onRequest =
  (match: (request: SeenRequest) => boolean) =>
  (...turns: readonly Turn[]): Bug =>
    bug(() => (request, ask) => ask(match(request) ? turned(request, turns) : request));

export const set =
  (more: Partial<SeenRequest>): Turn =>
  (request) => ({ ...request, ...more });
/** With these headers. Undefined removes one. */
export const sending =
  (headers: SeenRequest['headers']): Turn =>
  (request) => ({ ...request, headers: { ...request.headers, ...headers } });
/** By another account. Without one, by nobody. */
export const by = (account: string | undefined): Turn =>
  sending({ cookie: undefined, authorization: account === undefined ? undefined : basicOf(account) });
/** A GET of a record by the admin. */
export const reading = (request: SeenRequest, path = request.path): SeenRequest => ({
  ...by('admin')(request),
  ...{ method: 'GET', path, query: '_format=json', body: Buffer.alloc(0) },
});
/** With another body of JSON. */
export const sendingJson =
  (body: unknown): Turn =>
  (request) => ({ ...request, body: Buffer.from(JSON.stringify(body)) });

export const valuesOf = ({ headers }: SeenReply, name: string): readonly string[] =>
  Object.entries(headers)
    .filter(([own]) => own.toLowerCase() === name.toLowerCase())
    .flatMap(([, values]) => values);

/** The path of what was made. */
export const madePath = (reply: SeenReply): string | undefined => {
  const [location] = valuesOf(reply, 'Location');
  return location === undefined ? undefined : new URL(location).pathname;
};

export type Plain = (reply: SeenReply) => SeenReply;

/** Another status, without some headers. */
export const status =
  (number: number, ...dropped: readonly string[]): Plain =>
  (reply) =>
    dropped.reduce((less, name) => header(name)(less), { ...reply, status: number });
/** Sets a header in place of what there was. No values remove it. */
export const header =
  (name: string, ...values: readonly string[]): Plain =>
  (reply) => {
    const others = Object.entries(reply.headers).filter(([own]) => own.toLowerCase() !== name.toLowerCase());
    const lines = values.length === 0 ? [] : [[name, values] as const];
    return { ...reply, headers: Object.fromEntries([...others, ...lines]) };
  };
/** Changes each value of a header. Undefined leaves it out. */
export const eachLine =
  (name: string, change: (value: string, request: SeenRequest) => string | undefined): Change =>
  (reply, request) =>
    header(name, ...valuesOf(reply, name).flatMap((value) => change(value, request) ?? []))(reply);
export const rewritten = (name: string, from: RegExp, to: string): Change =>
  eachLine(name, (value) => value.replace(from, to));
export const called = (type: string): Plain => header('Content-Type', type);
/** Another body, with its length. */
export const body =
  (content: Buffer | string, type?: string, number?: number): Plain =>
  (reply) => {
    const bytes = Buffer.from(content);
    const changed = header('Content-Length', String(bytes.length))({ ...reply, body: bytes });
    const typed = type === undefined ? changed : called(type)(changed);
    return number === undefined ? typed : status(number)(typed);
  };
export const json = (value: unknown, number?: number): Plain => body(JSON.stringify(value), 'application/json', number);
export const refusal = (number: number, message: string): Plain => json({ message }, number);
/** No body, and no media type. */
export const empty =
  (number: number): Plain =>
  (reply) =>
    status(number, 'Content-Type')(body('')(reply));

export type Item = Record<string, unknown>;
/** A record of the contract: a list of items for each field. */
export type Entity = Record<string, readonly Item[]>;

/** The body as a record. What is none has no fields. */
export const entityOf = (reply: SeenReply): Entity => {
  const text = reply.body.toString();
  return text.startsWith('{') ? (JSON.parse(text) as Entity) : {}; // the records of the healthy server
};

/** Changes a record; the media type stays. Answers without a body, such as those of HEAD in some servers, stay as they are. */
export const entity =
  (change: (entity: Entity) => unknown): Plain =>
  (reply) =>
    reply.body.length === 0 ? reply : body(JSON.stringify(change(entityOf(reply))))(reply);
export const everyField = (change: (items: readonly Item[]) => unknown): Plain =>
  entity((all) => Object.fromEntries(Object.entries(all).map(([name, items]) => [name, change(items)])));
/** Changes the items of one field of a record that has it. */
export const field = (name: string, change: (items: readonly Item[]) => unknown): Plain =>
  entity((all) => ({ ...all, ...(all[name] === undefined ? {} : { [name]: change(all[name]) }) }));
export const eachItem = (name: string, change: (item: Item) => unknown): Plain =>
  field(name, (items) => items.map(change));
export const value = (name: string, change: (value: unknown) => unknown): Plain =>
  eachItem(name, (item) => ({ ...item, value: change(item['value']) }));
/** Removes a member of each item of a field. */
export const without = (name: string, member: string): Plain => eachItem(name, (item) => omit(item, member));

/** The JSON object that a request sent; undefined when it is none. */
export const sentEntity = ({ body: content }: SeenRequest): Entity | undefined => {
  try {
    const parsed: unknown = JSON.parse(content.toString());
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Entity) : undefined; // what a client sends for a record
  } catch {
    return undefined;
  }
};

/** Changes the body of a request that has a JSON object. */
export const sendingEntity =
  (change: (asked: Entity) => unknown): Turn =>
  (request) => {
    const asked = sentEntity(request);
    return asked === undefined ? request : sendingJson(change(asked))(request);
  };

export const any = /./;
export const node = /^\/node\/\d+$/;
export const nodes = /^\/node$/;
export const media = /^\/media\/\d+$/;
export const file = /^\/entity\/file\/\d+$/;
export const record = /^\/(node|media|entity\/file)\/\d+$/;
export const entityWithLinks = /^\/(node|media)\/\d+$/;
export const upload = /^\/node\/\d+\/media\/\w+\/\d+$/;
export const content = /^\/(sites\/default\/files|_flysystem\/fedora)\/./;

const type = [{ target_id: 'islandora_object' }];
/** The body of a POST that makes a node. */
export const newNode = { type, title: [{ value: 'Witness' }], field_model: [{ target_id: 24 }] };
/** The body of a PATCH that changes the title of a node. */
export const newTitle = { type, title: [{ value: 'Anew' }] };

/** An object without some of its members. */
export const omit = <T>(object: Readonly<Record<string, T>>, ...names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
