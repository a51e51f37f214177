/** Asks an engine for an OpenAPI document that a test writes, without a server. */
import { generateSync } from 'json-schema-faker';
import {
  countFile,
  createEngine,
  type Engine,
  type EngineOptions,
  newNoticed,
  type Noticed,
} from '../../../src/openapi/openapi.ts';

type Node = Readonly<Record<string, unknown>>;

export type Asked = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sends the body in pieces of this size. */
  readonly pieces?: number;
};

export type Answered = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly bytes: Buffer;
  readonly text: string;
  /** Undefined for a body that is no JSON. */
  readonly json: unknown;
  readonly noticed: Noticed;
};

export type Ask = (address: string, asked?: Asked) => Promise<Answered>;

const rest = { info: { title: 'Test', version: '1' } };

/** A document with these paths; `more` has its other members. */
export const documentOf = (paths: Node, more: Node = {}): Node => ({ openapi: '3.1.0', ...rest, paths, ...more });

export const engineFor = (document: Node, options: Partial<EngineOptions<unknown>> = {}): Engine<unknown> =>
  createEngine({
    ...{ document, basePaths: [''], handlers: new Map(), checkReplies: 'log', keepFile: countFile },
    makeAny: (schema, seed) => generateSync(schema as never, { seed }),
    ...options,
  });

export const askOf = (document: Node, options: Partial<EngineOptions<unknown>> = {}): Ask => {
  const engine = engineFor(document, options);
  return async (address, { method = 'GET', headers = {}, body, pieces } = {}) => {
    const [path = '', ...query] = address.split('?');
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const noticed = newNoticed();
    const reply = await engine.handle(
      {
        ...{ method, path, query: query.join('?'), body: piecesOf(bytes, pieces) },
        headers: bytes === undefined ? lower : { 'content-length': String(bytes.length), ...lower },
      },
      undefined,
      noticed,
    );
    const received = await bytesOf(reply.body);
    return {
      status: reply.status,
      headers: reply.headers,
      bytes: received,
      text: received.toString(),
      json: jsonOf(received),
      noticed,
    };
  };
};

async function* piecesOf(bytes: Buffer | undefined, size = Infinity): AsyncGenerator<Uint8Array> {
  if (bytes === undefined) return;
  for (let at = 0; at < bytes.length; at += size)
    yield await Promise.resolve(bytes.subarray(at, Math.min(at + size, bytes.length)));
}

const bytesOf = async (body: Awaited<ReturnType<Engine<unknown>['handle']>>['body']): Promise<Buffer> => {
  if (body === undefined) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.stream as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const jsonOf = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
};

/** An operation that answers 200 without a body, and has these members. */
export const plain = (more: Node = {}): Node => ({ responses: { 200: { description: 'ok' } }, ...more });

/** An operation that answers 200 with JSON of this media object. */
export const jsonAnswer = (media: Node, type = 'application/json'): Node => ({
  responses: { 200: { description: 'ok', content: { [type]: media } } },
});
