/** Sends the requests of one check: adds credentials, keeps the exchanges, and judges each answer by the document. */
import { once } from '../../basics/once.ts';
import { type ContractCheck, createContractCheck } from '../target/contract-check.ts';
import { anonymousAccount, type Sender, type SignIns } from '../../exchange/exchange-target.ts';
import type { Redaction, HeaderLine, WireExchange } from '../../exchange/exchange.ts';
import type { OpenedTarget } from '../target/open-target.ts';
import { type Answer, answerOf, CheckSkip } from './answer.ts';
import type { BrokenDocument } from './check-result.ts';
import type { AskedRequest } from './check.ts';
import { createCredentials } from './credentials.ts';
import { deviationIn, type OnPurpose } from '../differences/on-purpose.ts';
import { createSeenReads, isRead, type SeenReads } from './seen-reads.ts';

/** Learns of each request before it is sent, and of the answers to those that may make something. */
export type MakingWatch = {
  /** Undefined for a request that makes nothing. */
  before(request: AskedRequest): Promise<{ made(answer: Answer): Promise<void> } | undefined>;
};

/** An answer, and what it breaks of the document. */
export type JudgedAnswer = { readonly answer: Answer; readonly broken: () => readonly BrokenDocument[] };

export type AskingParts = {
  readonly sender: Sender;
  readonly judge: ContractCheck;
  readonly credentials: SignIns;
  readonly redaction: Redaction;
  /** Undefined for a target that is not a real site. */
  readonly onPurpose?: OnPurpose | undefined;
  /** Undefined in a run that only reads. */
  readonly watch?: MakingWatch | undefined;
  readonly seen: SeenReads<JudgedAnswer>;
};

/** What it takes to ask a target as its accounts. */
export const askingPartsFor = (
  { contract, redaction }: Pick<OpenedTarget, 'contract' | 'redaction'>,
  sender: Sender,
): AskingParts => {
  const { document, slowPatterns, lines } = contract;
  const judge = createContractCheck({ document, slowPatterns, lines, baseUrl: sender.baseUrl });
  return { sender, judge, redaction, credentials: createCredentials(sender, redaction), seen: createSeenReads() };
};

export type Asking = {
  readonly ask: (request: AskedRequest) => Promise<Answer>;
  /** The last ones of very many, in the order in which they were answered. */
  readonly exchanges: readonly WireExchange[];
  readonly broken: readonly BrokenDocument[];
  /** Asks for what others share, with a record of its own. */
  readonly apart: () => Asking;
  /** Adds the record of another one. */
  readonly include: (other: Asking) => void;
  /** Resolves when no request is under way. */
  readonly settled: () => Promise<void>;
};

/** A check that asks for hundreds of things shows the last of them. */
const keptExchanges = 20;

export const createAsking = (parts: AskingParts, signal?: AbortSignal): Asking => {
  const exchanges: WireExchange[] = [];
  const broken: BrokenDocument[] = [];
  const waiting = new Set<Promise<unknown>>();
  const apart: Asking[] = [];
  const read = parts.seen.reader();
  const keep = (more: readonly WireExchange[]): void => {
    exchanges.push(...more.filter((exchange) => !exchanges.includes(exchange)));
    exchanges.splice(0, exchanges.length - keptExchanges);
  };
  const answerFor = async (request: AskedRequest): Promise<JudgedAnswer> => {
    if (isRead(request)) return read(request, () => sendRequest(request, parts, signal));
    parts.seen.forget();
    try {
      return await sendRequest(request, parts, signal);
    } finally {
      parts.seen.forget();
    }
  };
  const ask = async (request: AskedRequest): Promise<Answer> => {
    const sent = answerFor(request);
    waiting.add(sent);
    try {
      const { answer, broken: brokenHere } = await sent;
      keep([answer.exchange]);
      if (request.isJudged !== false) broken.push(...brokenHere());
      return answer;
    } finally {
      waiting.delete(sent);
    }
  };
  return {
    ...{ ask, exchanges, broken },
    apart: () => {
      const own = createAsking(parts, signal);
      apart.push(own);
      return own;
    },
    include: (other) => {
      keep(other.exchanges);
      broken.push(...other.broken);
    },
    settled: async () => {
      await Promise.allSettled([...waiting, ...apart.map((own) => own.settled())]);
    },
  };
};

const sendRequest = async (
  request: AskedRequest,
  parts: AskingParts,
  signal: AbortSignal | undefined,
): Promise<JudgedAnswer> => {
  const { method = 'GET', path, as = anonymousAccount, by } = request;
  const credentials = await parts.credentials.linesFor(as, by, method);
  // A check that was given up asks nothing more.
  if (signal?.aborted === true) throw new CheckSkip('The run was ended.');
  const making = await parts.watch?.before(request);
  const exchange = await parts.sender.send({
    ...{ method, path, body: bodyOf(request) },
    // What is being made is waited for: only its answer tells what to remove.
    signal: making === undefined ? signal : undefined,
    headers: [...credentials, ...headersOf(request)],
    account: credentials.length === 0 ? undefined : as.name,
  });
  parts.redaction.learn(exchange);
  const answer = answerOf(exchange, parts.sender.baseUrl);
  await making?.made(answer);
  return { answer, broken: once(() => brokenBy(exchange, parts)) };
};

const brokenBy = (exchange: WireExchange, { judge, onPurpose }: AskingParts): BrokenDocument[] => {
  const { operation, reply } = judge.check(exchange);
  const { method, path } = exchange.request;
  const broken = reply.map((violation) => ({
    ...violation,
    operation: operation?.id ?? '',
    status: exchange.reply.status,
    request: `${method} ${path}`,
  }));
  return broken.filter((one) => onPurpose?.explains(deviationIn(one, exchange)) === undefined);
};

const bodyOf = ({ json, body }: AskedRequest): string | Uint8Array | undefined =>
  json === undefined ? body : JSON.stringify(json);

const headersOf = ({ json, headers = [] }: AskedRequest): readonly HeaderLine[] =>
  json === undefined || headers.some(([name]) => name.toLowerCase() === 'content-type')
    ? headers
    : [['Content-Type', 'application/json'], ...headers];
