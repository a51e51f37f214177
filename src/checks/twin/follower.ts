/** Sends what one server has answered to the other one, compares both answers, and keeps the two in step. */
import type { Readable } from 'node:stream';
import { sessionCookieNames } from '../../core/access/cookie-auth.ts';
import { valuesOf, type WireExchange, type WireReply, type WireRequest } from '../../exchange/wire-exchange.ts';
import type { Sender, SentRequest } from '../../exchange/send.ts';
import { compareReplies, readable } from '../../contract/compare/compare.ts';
import type { JsonComparison } from '../../contract/compare/compare-json.ts';
import type { Difference, Side } from '../../contract/compare/difference.ts';
import type { OwnSide } from './local-server.ts';
import { learnMade, missMade, missingIn } from './made-records.ts';
import { noteTimes } from '../../contract/compare/equal-values.ts';
import { pairValidators, translateBody, translateHeaders, translatePath } from './translate-request.ts';
import type { Wallet } from './credentials/credential-map.ts';

/** A cookie that is taken back. */
const endedSession = new RegExp(String.raw`\b${sessionCookieNames}=deleted`);

/** The body of a request, to be sent once more. */
export type BodySource = { readonly content: Uint8Array | Readable; readonly bytes: number } | undefined;

export type FollowerOptions = {
  readonly comparison: JsonComparison;
  readonly wallet: Wallet;
  /** Who has answered the exchanges that are followed. */
  readonly first: Side;
  /** The sender to the other server. */
  readonly second: Sender;
  readonly own: Pick<OwnSide, 'operationOf' | 'started'>;
  /** Receives the exchanges with the second server. */
  readonly onSecond?: ((exchange: WireExchange) => void) | undefined;
};

export type Followed =
  | {
      readonly request: WireRequest;
      readonly operation: string;
      readonly replies: Readonly<Record<Side, WireReply>>;
      readonly differences: readonly Difference[];
    }
  | { readonly request: WireRequest; readonly operation: string; readonly skipped: string };

export type Follower = {
  /** One at a time and in order: later requests name what earlier ones have made. */
  follow(exchange: WireExchange, body: BodySource): Promise<Followed>;
};

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export const createFollower = (options: FollowerOptions): Follower => {
  const { comparison, wallet, first, second, own } = options;
  const follow: Follower['follow'] = async (exchange, body) => {
    const { request } = exchange;
    const [path = ''] = request.path.split('?');
    const operation = own.operationOf(request.method, path)?.id ?? request.method;
    const missing = first === 'target' ? missingIn(request.path, comparison) : undefined;
    if (missing !== undefined) return { request, operation, skipped: `Atoll has no ${missing}` };
    noteTimes(Buffer.from(request.body.kept).toString(), comparison);
    const { sent, unknown } = await requestFor(options, exchange, body);
    const answered = await second.send(sent);
    options.onSecond?.(answered);
    const replies = repliesOf(first, readable(exchange.reply), readable(answered.reply));
    if (unknown !== undefined) return { request, operation, skipped: unknown };
    learnMade(replies, comparison);
    const differences = compareReplies(request.method, replies, comparison);
    pairValidators({ target: replies.target.headers, atoll: replies.atoll.headers }, comparison);
    missMade(replies, comparison);
    wallet.noteAccepted(request, { status: replies.target.status, account: exchange.account });
    wallet.note(request, replies);
    return { request, operation, replies, differences };
  };
  return {
    follow: (exchange, body) =>
      first === 'target' ? inStep(options, exchange, () => follow(exchange, body)) : follow(exchange, body),
  };
};

const repliesOf = (first: Side, one: WireReply, other: WireReply): Record<Side, WireReply> =>
  first === 'target' ? { target: one, atoll: other } : { target: other, atoll: one };

const requestFor = async (
  { comparison, wallet, first }: FollowerOptions,
  { request, reply, account }: WireExchange,
  body: BodySource,
): Promise<{ readonly sent: SentRequest; readonly unknown: string | undefined }> => {
  const hasNoMessage = /^\{"message":\s*""\}\s*$/.test(Buffer.from(reply.body.kept).toString());
  const hasEnded = valuesOf(reply.headers, 'set-cookie').some((line) => endedSession.test(line));
  const context = { from: first, status: reply.status, account, hasEnded, hasNoMessage };
  const { lines, unknown } = await wallet.credentials(request, context);
  const login = first === 'target' ? wallet.loginBody(request, context) : undefined;
  const content = login ?? translateBody(request, first, comparison) ?? body?.content;
  const headers = [...translateHeaders(request.headers, first, comparison), ...lines];
  // Node does not count a stream.
  if (content === body?.content && body !== undefined) headers.push(['Content-Length', String(body.bytes)]);
  const path = translatePath(request.path, first, comparison);
  return { sent: { method: request.method, path, headers, body: content }, unknown };
};

/** What the target refuses and Atoll does is taken back: the requests that follow presume that it did not happen. */
const inStep = async (
  { own, wallet }: FollowerOptions,
  { request, reply }: WireExchange,
  follow: () => Promise<Followed>,
): Promise<Followed> => {
  if (reads.has(request.method) || reply.status < 400) return follow();
  const main = own.started.localWorlds?.main;
  if (main === undefined) return follow();
  const state = main.saveState();
  const release = state.hold();
  try {
    const followed = await follow();
    if ('replies' in followed && followed.replies.atoll.status < 300) {
      await main.reset(state);
      wallet.dropSessions();
    }
    return followed;
  } finally {
    release();
  }
};
