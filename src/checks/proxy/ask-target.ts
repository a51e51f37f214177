/** Gets the answer to a request: from the target, or a mock where a fault on demand wants one. */
import type { IncomingMessage } from 'node:http';
import { webStream } from '../../basics/disk/web-stream.ts';
import { type PlainReply, type PlainRequest, messageReply, faultHeaderKey } from '../../openapi/openapi-host.ts';
import { replyHeaders } from '../../contract/contract.ts';
import type { Connection } from '../../exchange/exchange-target.ts';
import { forward } from './forward.ts';
import { requestLines, type RawLines } from './header-lines.ts';
import { addressOf, type ProxiedExchange } from './proxied-exchange.ts';
import { hasReplyBody } from './pass-reply.ts';
import { failureReply, upgradeRefusal } from './refusals.ts';
import { withoutLength, type Rewriting } from './rewrite.ts';
import type { Watch } from './watch.ts';
import { pairsOf } from '../../basics/formats/pairs.ts';

/** An answer of the target as the faults on demand see it. What they make of it keeps `message`. */
export type TargetReply = PlainReply & { readonly message: IncomingMessage };

export const isTargetReply = (reply: PlainReply): reply is TargetReply => 'message' in reply;

/** Headers that are for the proxy itself. */
const ownHeaders: ReadonlySet<string> = new Set([faultHeaderKey]);

export type AskOptions = {
  readonly target: Connection;
  readonly watch: Pick<Watch, 'mock'>;
  /** Undefined when nothing is rewritten. */
  readonly rewriting: Rewriting | undefined;
  /** The proxy's own base URL, where the target learns of the client. */
  readonly forwardedFor: string | undefined;
};

/** Never rejects: what goes wrong is an answer of the proxy. */
export const askTarget = async (
  { target, watch, rewriting, forwardedFor }: AskOptions,
  proxied: ProxiedExchange,
  plain: PlainRequest,
): Promise<PlainReply> => {
  const upgrade = upgradeRefusal(plain);
  if (upgrade !== undefined) return upgrade;
  const first = proxied.plain;
  // The fault `status` asks so for an answer that the document shows.
  if (plain.headers['prefer'] !== first.headers['prefer'])
    return (await watch.mock(plain)) ?? messageReply(404, 'The document has no such answer.');
  const { rawHeaders } = proxied.request;
  const lines = requestLines(changedLines(rawHeaders, first.headers, plain.headers), {
    ...{ method: plain.method, host: target.host },
    ...{ hasBody: proxied.sent !== undefined, own: ownHeaders },
  });
  const body = proxied.sent === undefined ? undefined : rewriting?.requestBody(plain);
  if (forwardedFor !== undefined) lines.push(...forwardedLines(plain, forwardedFor));
  const framed = body === undefined ? lines : [...withoutLength(lines), 'Transfer-Encoding', 'chunked'];
  const head = {
    method: plain.method,
    path: addressOf(plain),
    lines: rewriting === undefined ? framed : rewriting.requestLines(framed),
  };
  await target.turn();
  try {
    const message = await forward(target, proxied, head, body ?? (plain.body === first.body ? undefined : plain.body));
    return targetReply(plain.method, message);
  } catch (error) {
    return failureReply(error);
  }
};

/** Without a getter: V8 would keep each object with one of its own until the next full collection. */
const targetReply = (method: string, message: IncomingMessage): TargetReply => {
  const length = Number(message.headers['content-length']);
  return {
    message,
    status: message.statusCode ?? 0,
    headers: replyHeaders(pairsOf(message.rawHeaders)),
    body: hasReplyBody(method, message)
      ? { stream: webStream(message), length: Number.isNaN(length) ? undefined : length }
      : undefined,
  };
};

/** Who asked, and how, in the headers that most servers read. */
const forwardedLines = ({ address, headers }: PlainRequest, url: string): string[] => [
  ...['X-Forwarded-For', address],
  ...['X-Forwarded-Host', headers['host'] ?? new URL(url).host],
  ...['X-Forwarded-Proto', new URL(url).protocol.replace(':', '')],
];

/** The lines with what a fault has changed in the headers, such as other credentials. */
const changedLines = (raw: RawLines, before: PlainRequest['headers'], after: PlainRequest['headers']): RawLines => {
  if (before === after) return raw;
  const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
  if (changed.length === 0) return raw;
  const kept = pairsOf(raw).filter(([name]) => !changed.includes(name.toLowerCase()));
  const added = changed.map((name): [string, string] => [name, after[name] ?? '']);
  return [...kept, ...added].flat();
};
