/** Requests of the suite's clients to a server that may die at any moment. */
import { Agent, request, type ClientRequest } from 'node:http';

export type Headers = Readonly<Record<string, string>>;
export type Answer = {
  /** 0 when no whole answer came. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
};

/** The demo account that may do everything. */
export const admin: Headers = { authorization: `Basic ${Buffer.from('admin:islandora').toString('base64')}` };
const json: Headers = { 'content-type': 'application/json' };

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Resolves with the answer, and with status 0 when the connection breaks before its end. */
const answerOf = (sent: ClientRequest): Promise<Answer> =>
  new Promise((resolve) => {
    const none = (): void => resolve({ status: 0, headers: {}, bytes: Buffer.alloc(0) });
    sent.on('error', none);
    sent.on('response', (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', none);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(pieces) }),
      );
      answer.on('close', none); // after "end" it changes nothing
    });
  });

/** One request; it never rejects. `base` is the address of a process or of the balancer. */
export const ask = (
  base: string,
  method: string,
  path: string,
  { body, headers = {} }: { readonly body?: string | Buffer; readonly headers?: Headers } = {},
): Promise<Answer> => {
  const sent = request(new URL(path, base), { method, agent, headers: { ...admin, ...headers } });
  const answered = answerOf(sent);
  sent.end(body);
  return answered;
};

/** A database that was cut off is found again within seconds. A machine that has much to do may need longer. */
const patienceMs = 60_000;

/** A GET that is sent again while the answer is 503, as a client is told to. */
export const askPatiently = async (base: string, path: string): Promise<Answer> => {
  for (const until = Date.now() + patienceMs; ;) {
    const answer = await ask(base, 'GET', path);
    if (answer.status !== 503 || Date.now() > until) return answer;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};

/** A request that the server has begun: it has read the head and waits for the body. */
export type Begun = { finish(): Promise<Answer> };

/** Sends the head of a request, and resolves when the server has asked for the body. Rejects when it refuses instead. */
export const begin = (base: string, method: string, path: string, body: Buffer, headers: Headers): Promise<Begun> =>
  new Promise((resolve, reject) => {
    const sent = request(new URL(path, base), {
      method,
      headers: { ...admin, ...headers, 'content-length': String(body.length), expect: '100-continue' },
    });
    const answered = answerOf(sent);
    void answered.then(({ status, bytes }) => reject(new Error(`${method} ${path}: ${status} ${bytes.toString()}`)));
    sent.on('continue', () =>
      resolve({
        finish: () => {
          sent.end(body);
          return answered;
        },
      }),
    );
    sent.flushHeaders();
  });

/** Text fields of a node by name: `title`, `field_pid` and the like. */
export type Fields = Readonly<Record<string, string>>;

export const bodyOfNode = (fields: Fields, more: object = {}): string =>
  JSON.stringify({
    type: [{ target_id: 'islandora_object' }],
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [{ value }]])),
    ...more,
  });

/** Makes a node; `more` are further members of the body. */
export const createNode = (base: string, fields: Fields, more: object = {}): Promise<Answer> =>
  ask(base, 'POST', '/node?_format=json', {
    body: bodyOfNode(fields, { field_model: [{ target_id: 23 }], ...more }),
    headers: json,
  });

export const changeNode = (base: string, id: number, fields: Fields): Promise<Answer> =>
  ask(base, 'PATCH', `/node/${id}?_format=json`, { body: bodyOfNode(fields), headers: json });

export const deleteNode = (base: string, id: number): Promise<Answer> =>
  ask(base, 'DELETE', `/node/${id}?_format=json`);

/** The term "Original File" of the default site. */
const originalFile = 16;

/** The path of the original file of a node: where its bytes are uploaded. */
export const originalPath = (node: number): string => `/node/${node}/media/file/${originalFile}`;

/** Uploads a text as the original file of a node: makes the medium, or replaces its bytes. */
export const upload = (base: string, node: number, bytes: string | Buffer, name: string): Promise<Answer> =>
  ask(base, 'PUT', originalPath(node), {
    body: bytes,
    headers: { 'content-type': 'text/plain', 'content-location': `public://team/${name}.txt` },
  });

/** A record as the contract shows it. */
export type Shown = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** The record in an answer of 200. */
export const shown = ({ bytes }: Answer): Shown => JSON.parse(bytes.toString()) as Shown; // the contract of these answers

/** The first value of a field, as text; empty where there is none. */
export const valueIn = (record: Shown, field: string, member = 'value'): string => {
  const value = record[field]?.[0]?.[member];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** The id of the record that an answer of 201 made. */
export const idIn = ({ headers }: Answer): number => Number(/\/(\d+)(?:\?.*)?$/.exec(String(headers['location']))?.[1]);

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
