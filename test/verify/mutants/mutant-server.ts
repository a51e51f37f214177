/** Starts Atoll in this process with a planted bug, on a port of its own. */
import { buffer } from 'node:stream/consumers';
import { chunksAtHand, discardStream, streamOf } from '../../../src/basics/byte-streams.ts';
import type { PlainReply, PlainRequest } from '../../../src/openapi/openapi-host.ts';
import { listen, type Answer, mountAnswer } from '../../../src/server/server-start.ts';
import { send, startServer, type Served, type ServerOptions } from '../../support/server.ts';
import type { Alteration, Mutant, SeenReply, SeenRequest, Send } from './mutant.ts';

/** Answers as the alteration does around `answer`. The control interface stays as it is. */
const alteredAnswer =
  (answer: Answer, alteration: Alteration): Answer =>
  async (plain) => {
    if (plain.path === '/_atoll' || plain.path.startsWith('/_atoll/')) return answer(plain);
    const { method, path, query, headers } = plain;
    const body = await buffer(plain.body);
    return plainReply(
      await alteration({ method, path, query, headers, body }, async (asked) =>
        seenReply(asked, await answer(plainRequest(plain, asked))),
      ),
      method,
    );
  };

const plainRequest = (plain: PlainRequest, { headers, body, ...asked }: SeenRequest): PlainRequest => ({
  ...plain,
  ...asked,
  headers: headers['content-length'] === undefined ? headers : { ...headers, 'content-length': String(body.length) },
  body: chunksAtHand(body),
});

const seenReply = async ({ method }: SeenRequest, { status, headers, body }: PlainReply): Promise<SeenReply> => ({
  status,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? [value] : value]),
  ),
  body: await bytesOf(body, method),
});

/** The stream of an answer to HEAD has no bytes to read. */
const bytesOf = async (body: PlainReply['body'], method: string): Promise<Buffer> => {
  if (typeof body !== 'object') return Buffer.from(body ?? '');
  if (method !== 'HEAD') return buffer(body.stream);
  discardStream(body.stream);
  return Buffer.alloc(0);
};

/** An answer to HEAD has the length of its header, whatever its bytes are. */
const plainReply = ({ status, headers, body }: SeenReply, method: string): PlainReply =>
  body.length === 0 && method !== 'HEAD'
    ? // Who writes the answer adds the length of nothing.
      { status, headers: omitLength(headers), body: undefined }
    : { status, headers, body: { stream: streamOf([body]), length: body.length } };

const omitLength = (headers: SeenReply['headers']): SeenReply['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length'));

type Alterable = Pick<Mutant, 'alter'> | undefined;

/** Starts a mutant of the default site, or the healthy server in the same manner when there is none. */
export const startMutant = async (mutant: Alterable, options: ServerOptions = {}): Promise<Served> => {
  const server = await startSwitchable(options);
  await server.become(mutant);
  return server;
};

/** `become` begins the world anew, with another planted bug or with none. */
export type Switchable = Served & { readonly become: (mutant: Alterable) => Promise<void> };

/** Starts a server that can become one mutant after another at the same address. */
export const startSwitchable = async (options: ServerOptions = {}): Promise<Switchable> => {
  const listener = await listen('localhost', 0);
  const url = `http://localhost:${listener.port}`;
  const server = await startServer({ ...options, port: undefined, baseUrl: url });
  const healthy: Alteration = (request, ask) => ask(request);
  let current = healthy;
  const answer = alteredAnswer(server.answer, (request, ask) => current(request, ask));
  listener.serve(mountAnswer(answer, { site: server.world.site, cors: 'loopback', onError: () => undefined }));
  return {
    url,
    port: listener.port,
    become: async (mutant) => {
      await server.worlds.reset('main');
      current = mutant?.alter() ?? healthy;
    },
    stop: async () => {
      await listener.stop(0);
      await server.stop();
    },
  };
};

/** Requests of a witness over HTTP. `onReply` gets each answer. */
export const sendOver =
  (url: string, onReply: (reply: SeenReply, method: string, path: string) => void = () => undefined): Send =>
  async (method, path, { as, headers, json, body } = {}) => {
    const answer = await send({ url }, method, path, {
      as: as ?? null,
      ...(headers === undefined ? {} : { headers }),
      ...(json === undefined ? {} : { json }),
      ...(body === undefined ? {} : { body }),
    });
    const lines = Object.entries(answer.headers).map(([name, value]) => [name, [value ?? []].flat()] as const);
    const reply = { status: answer.status, headers: Object.fromEntries(lines), body: answer.body };
    onReply(reply, method, path);
    return reply;
  };
