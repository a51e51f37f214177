/** Answers clients from one server, and has the other one follow: the requests queue up in their order. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { chunksAtHand } from '../../basics/byte-streams.ts';
import type { Side } from '../compare/difference.ts';
import type { PlainRequest } from '../../openapi/openapi-host.ts';
import { type Connection, keepBytes, wholeBody } from '../../exchange/exchange-target.ts';
import type { WireExchange } from '../../exchange/exchange.ts';
import { isLogin } from './credentials/own-logins.ts';
import { writeOwnReply } from '../../server/server-start.ts';
import { forward } from '../proxy/forward.ts';
import { requestLines } from '../proxy/header-lines.ts';
import { clientLines, passReply } from '../proxy/pass-reply.ts';
import { addressOf, beginExchange, type ProxiedExchange, targetExchange } from '../proxy/proxied-exchange.ts';
import { failureReply, upgradeRefusal } from '../proxy/refusals.ts';
import { changed, type Rewriting } from '../proxy/rewrite.ts';
import type { CredentialMap } from './credentials/credential-map.ts';
import type { TwinSession } from './session.ts';
import { createKeptRequestBody, type KeptRequestBody } from './kept-request-body.ts';

/** The lines with the other password, and with the length of another body where there is one. */
const withOwnPassword = (
  lines: readonly string[],
  credentialMap: CredentialMap,
  length: number | undefined,
): string[] =>
  changed(lines, (name, value) => {
    if (name === 'authorization') return credentialMap.ownBasic(value);
    return name === 'content-length' && length !== undefined ? String(length) : value;
  });

/** `sent` is what the client sent, `body` is what Atoll gets. */
type Login = { readonly sent: Uint8Array; readonly body: PlainRequest['body']; readonly length: number };

/** No login is longer. */
const longestLogin = 64 * 1024;

/** The body of a login with the other password, read whole. Undefined for other requests. */
const loginWithOwnPassword = async (
  { plain, sent }: ProxiedExchange,
  credentialMap: CredentialMap,
): Promise<Login | undefined> => {
  if (
    !isLogin(plain.method, plain.path) ||
    sent === undefined ||
    Number(plain.headers['content-length'] ?? longestLogin + 1) > longestLogin
  ) {
    return undefined;
  }
  const bytes = await buffer(Readable.from(plain.body, { objectMode: false })); // it only iterates
  const headers = Object.entries(plain.headers).map(([name, value = '']) => [name, value] as const);
  const request = { method: plain.method, path: plain.path, headers, body: wholeBody(bytes) };
  const own = credentialMap.loginBody(request, { from: 'target', status: undefined, account: undefined }) ?? bytes;
  return { sent: bytes, body: chunksAtHand(own), length: own.length };
};

type LiveOptions = {
  readonly session: TwinSession;
  /** Who answers the clients. */
  readonly first: Side;
  /** To the server that answers. */
  readonly connection: Connection;
  readonly rewriting: Rewriting | undefined;
  readonly keptBytes: number;
  /** Receives the exchanges with the server that answers. */
  readonly onExchange: ((exchange: WireExchange) => void) | undefined;
  /** Receives a line for each request that a server did not answer. */
  readonly onFailure: ((message: string) => void) | undefined;
};

/** The most requests that may wait for the other server: each may hold two bodies. Further clients wait. */
const mostWaiting = 32;

/** Answers never reject. `caughtUp` resolves when the other server has followed all requests so far. */
export const createLive = (options: LiveOptions) => {
  const queue = createQueue(options);
  return {
    caughtUp: queue.caughtUp,
    answer: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      if (queue.isLong()) await queue.caughtUp();
      const keptBody = createKeptRequestBody(options.keptBytes);
      try {
        const exchange = await answerFirst(
          options,
          beginExchange(request, response, () => keptBody),
          keptBody,
        );
        if (exchange === undefined) keptBody.remove();
        else queue.add(exchange, keptBody);
      } catch {
        keptBody.remove();
        response.destroy();
      }
    },
  };
};

/** Undefined when no whole answer came, or the client did not wait for it. */
const answerFirst = async (
  options: LiveOptions,
  proxied: ProxiedExchange,
  keptBody: KeptRequestBody,
): Promise<WireExchange | undefined> => {
  const { connection, session, rewriting, keptBytes } = options;
  const refused = upgradeRefusal(proxied.plain);
  if (refused !== undefined) {
    await writeOwnReply(proxied, refused);
    return undefined;
  }
  try {
    const head = await headFor(options, proxied);
    const body = head.login?.body ?? rewriting?.requestBody(proxied.plain);
    await connection.turn();
    const message = await forward(connection, proxied, head, body);
    // The target gets the client's own password.
    if (head.login !== undefined) keptBody.replace(head.login.sent);
    const lines = clientLines(proxied, message);
    const outgoing = rewriting?.reply(lines, message, proxied.request) ?? { lines, changed: undefined };
    const kept = keepBytes(keptBytes, true);
    const isWhole = await passReply(proxied, { message, kept, ...outgoing });
    if (!isWhole) {
      session.tally.fail('an answer was not passed on to its end');
      return undefined;
    }
    return targetExchange(proxied, message, kept.body(true));
  } catch (error) {
    const reply = failureReply(error);
    noteFailure(options, error);
    if (!proxied.hasClientLeft) await writeOwnReply(proxied, reply);
    return undefined;
  }
};

const noteFailure = ({ session, onFailure }: LiveOptions, error: unknown): void => {
  const line = error instanceof Error ? error.message : String(error);
  session.tally.fail(line);
  onFailure?.(line);
};

/** Where Atoll answers first, it gets the password of its own account. */
const headFor = async ({ first, connection, session, rewriting }: LiveOptions, proxied: ProxiedExchange) => {
  const { request, sent, plain } = proxied;
  const { method = 'GET', rawHeaders } = request;
  const raw = requestLines(rawHeaders, { method, host: connection.host, hasBody: sent !== undefined, own: noNames });
  const lines = rewriting?.requestLines(raw) ?? raw;
  const head = { method, path: addressOf(plain), lines, login: undefined };
  if (first === 'target') return head;
  const login = await loginWithOwnPassword(proxied, session.credentialMap);
  return { ...head, lines: withOwnPassword(lines, session.credentialMap, login?.length), login };
};

const noNames: ReadonlySet<string> = new Set();

const createQueue = (options: LiveOptions) => {
  const { session, onExchange } = options;
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  const followOne = async (exchange: WireExchange, keptBody: KeptRequestBody): Promise<void> => {
    try {
      onExchange?.(exchange);
      session.judge(await session.follower.follow(exchange, keptBody.source()));
    } catch (error) {
      noteFailure(options, error);
    } finally {
      keptBody.remove();
      waiting -= 1;
    }
  };
  return {
    add: (exchange: WireExchange, keptBody: KeptRequestBody): void => {
      waiting += 1;
      last = last.then(() => followOne(exchange, keptBody));
    },
    isLong: () => waiting >= mostWaiting,
    caughtUp: (): Promise<void> => last,
  };
};
