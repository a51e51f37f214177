/** Sends what one server has answered to the other one, compares both answers, and keeps the two in step. */
import {
  keptText,
  headerValues,
  type WireExchange,
  type WireReply,
  type WireRequest,
} from '../../exchange/exchange.ts';
import type { Readable } from 'node:stream';
import { repositoryWorld } from '../../repository/repository.ts';
import { pathShape } from '../../repository/repository-sites.ts';
import { sessionCookieNames } from '../../repository/repository-engine.ts';
import type { Sender } from '../../exchange/exchange-target.ts';
import { isMade, learnAliases, learnMade, madeBy } from '../compare/learn.ts';
import { compareReplies, readable } from '../compare/compare.ts';
import type { JsonComparison } from '../compare/compare-json.ts';
import type { Difference, Side } from '../compare/difference.ts';
import { noteTimes } from '../compare/equal-values.ts';
import type { IdKind } from '../compare/id-map.ts';
import { splitText } from '../compare/tokens.ts';
import type { CredentialMap } from './credentials/credential-map.ts';
import type { LocalServer } from '../reference/local-server.ts';
import { pairValidators, translateBody, translateHeaders, translatePath } from './translate-request.ts';

type Replies = Readonly<Record<Side, WireReply>>;
/** Notes what only the target has made. */
const missMade = ({ target, atoll }: Replies, { pairs }: JsonComparison): void => {
  if (!isMade(target) || isMade(atoll) || atoll.status < 300) return;
  const made = madeBy(target);
  if (made !== undefined) pairs.miss(made.kind, made.id);
};

/** The first record in a path that only the target has, in words. */
const missingIn = (path: string, { pairs }: JsonComparison): string | undefined => {
  const found = splitText(path).tokens.find(({ kind, text }) => pairs.isMissing(kind as IdKind, text)); // others never are
  return found === undefined ? undefined : `${found.kind.replace('_', ' ')} ${found.text}, which the target has made`;
};

/** A cookie that is taken back. */
const endedSession = new RegExp(String.raw`\b${sessionCookieNames}=deleted`);

const hasEnded = ({ headers }: WireReply): boolean =>
  headerValues(headers, 'set-cookie').some((line) => endedSession.test(line));

/** Whether the target has let somebody log out, and Atoll has not. */
const isEnd = ({ path }: WireRequest, { target, atoll }: Replies): boolean =>
  path.startsWith('/user/logout') && target.status < 400 && hasEnded(target) && atoll.status >= 400;

/** The body of a request, to be sent once more. */
export type BodySource = { readonly content: Uint8Array | Readable; readonly bytes: number } | undefined;

export type FollowerOptions = {
  readonly comparison: JsonComparison;
  readonly credentialMap: CredentialMap;
  /** Who has answered the exchanges that are followed. */
  readonly first: Side;
  /** The sender to the other server. */
  readonly second: Sender;
  readonly own: Pick<LocalServer, 'operationOf' | 'started'>;
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

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export const createFollower = (options: FollowerOptions) => {
  const { comparison, credentialMap, first, second, own } = options;
  const follow = async (exchange: WireExchange, body: BodySource): Promise<Followed> => {
    const { request } = exchange;
    const [path = ''] = request.path.split('?');
    const found = own.operationOf(request.method, path);
    const operation = found?.id ?? request.method;
    const missing = first === 'target' ? missingIn(request.path, comparison) : undefined;
    if (missing !== undefined) return { request, operation, skipped: `Atoll has no ${missing}` };
    noteTimes(keptText(request.body), comparison);
    const { sent, unknown } = await requestFor(options, exchange, body);
    const answered = await second.send(sent);
    options.onSecond?.(answered);
    const replies = repliesOf(first, readable(exchange.reply), readable(answered.reply));
    if (unknown !== undefined) return { request, operation, skipped: unknown };
    learnMade(replies, comparison);
    learnAliases(request, replies.target, comparison);
    const differences = compareReplies(request.method, replies, {
      ...comparison,
      isUnordered: found !== undefined && isUnordered(own, found.path),
    });
    pairValidators({ target: replies.target.headers, atoll: replies.atoll.headers }, comparison);
    missMade(replies, comparison);
    credentialMap.passwords.note(request, { status: replies.target.status, account: exchange.account });
    credentialMap.note(request, replies);
    if (first === 'target' && isEnd(request, replies)) await credentialMap.end(request);
    return { request, operation, replies, differences };
  };
  return {
    /** One at a time and in order: later requests name what earlier ones have made. */
    follow: (exchange: WireExchange, body: BodySource): Promise<Followed> =>
      first === 'target' ? inStep(options, exchange, () => follow(exchange, body)) : follow(exchange, body),
  };
};

/** Whether a path is that of a list whose view sorts by nothing. */
const isUnordered = ({ started }: FollowerOptions['own'], path: string): boolean =>
  repositoryWorld(started.world).site.lists.some(
    (list) => list.order.length === 0 && pathShape(list.path) === pathShape(path),
  );

const repliesOf = (first: Side, one: WireReply, other: WireReply): Record<Side, WireReply> =>
  first === 'target' ? { target: one, atoll: other } : { target: other, atoll: one };

const requestFor = async (
  { comparison, credentialMap, first }: FollowerOptions,
  { request, reply, account }: WireExchange,
  body: BodySource,
): Promise<{ readonly sent: Parameters<Sender['send']>[0]; readonly unknown: string | undefined }> => {
  const hasNoMessage = /^\{"message":\s*""\}\s*$/.test(keptText(reply.body));
  const context = { from: first, status: reply.status, account, hasEnded: hasEnded(reply), hasNoMessage };
  const { lines, unknown } = await credentialMap.credentials(request, context);
  const login = first === 'target' ? credentialMap.loginBody(request, context) : undefined;
  const content = login ?? translateBody(request, first, comparison) ?? body?.content;
  const headers = [...translateHeaders(request.headers, first, comparison), ...lines];
  // Node does not count a stream.
  if (content === body?.content && body !== undefined) headers.push(['Content-Length', String(body.bytes)]);
  const path = translatePath(request.path, first, comparison);
  return { sent: { method: request.method, path, headers, body: content }, unknown };
};

/** What the target refuses and Atoll does is taken back: the requests that follow presume that it did not happen. */
const inStep = async (
  { own, credentialMap }: FollowerOptions,
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
      credentialMap.dropSessions();
    }
    return followed;
  } finally {
    release();
  }
};
