/** Checks what has passed against the document, and shows it in the traffic and the coverage of the main world. */
import {
  emptyBody,
  type PlainReply,
  type PlainRequest,
  type TransmissionFault,
  textReply,
  mainName,
  type HostedOperation,
} from '../../openapi/openapi-host.ts';
import { mockPreference } from '../../repository/repository-engine.ts';
import { createPathRouter, readSourceLines } from '../../openapi/openapi-parts.ts';
import { type Inside, keptTextBytes } from '../../server/server-start.ts';
import { recordedBy, explainReply, type ContractJudge, type ExplainedViolation } from '../../contract/contract.ts';
import { createContractCheck } from '../target/contract-check.ts';
import { createOnPurpose, deviationIn } from '../differences/on-purpose.ts';
import type { DeliberateDifference } from '../differences/read-differences.ts';
import { decodedMessage } from '../../exchange/exchange-target.ts';
import { type WireExchange, type RecordedExchange, headerValue } from '../../exchange/exchange.ts';

/** A reply of the target that breaks the document. */
export type BrokenReply = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly operation: string;
  readonly status: number;
  readonly rules: readonly ExplainedViolation[];
};

type WatchOptions = {
  readonly inside: Inside;
  /** The base URL that traffic shows. */
  readonly baseUrl: string;
  /** How many bytes of a body are kept, and so checked. */
  readonly keptBytes: number;
  readonly onBroken: (broken: BrokenReply) => void;
  /** What a real site does otherwise on purpose. */
  readonly differences: readonly DeliberateDifference[];
};

export type Watch = ReturnType<typeof createWatch>;

export type Special = {
  /** The reply is the proxy's own, or that of a fault on demand: nobody checks it. */
  readonly isOwn?: boolean;
  /** The reply was not passed on to its end. */
  readonly isCut?: boolean;
  readonly fault?: TransmissionFault | undefined;
};

export const createWatch = ({ inside, baseUrl, keptBytes, onBroken, differences }: WatchOptions) => {
  const repository = inside.documentText === undefined ? undefined : watchRepository(inside, baseUrl, differences);
  const explain: Explain = async (judged) => {
    const judge = judgeOf(inside, judged.operation);
    return judge === undefined ? ((await repository?.explain(judged)) ?? []) : judge.explainReply(judged);
  };
  const report = async (judged: RecordedExchange): Promise<void> => {
    const { method, path, status, operation } = judged;
    onBroken({ method, path, status, operation: operation?.id ?? '', rules: await explain(judged) });
  };
  const judgedBy = async (exchange: WireExchange): Promise<RecordedExchange> => {
    const { method, path } = exchange.request;
    const operation = ownOperation(inside, method, path.split('?', 1)[0] ?? '');
    if (operation === undefined && repository !== undefined) return repository.judge(exchange);
    return recordedBy(exchange, { baseUrl, operation, judge: judgeOf(inside, operation) });
  };
  return {
    operationOf: (method: string, path: string): HostedOperation | undefined =>
      ownOperation(inside, method, path) ?? repository?.operationOf(method, path),
    /** The answer that the document shows, as `Prefer` asks for it. */
    mock: async (request: PlainRequest): Promise<PlainReply | undefined> => {
      const own = judgeOf(inside, ownOperation(inside, request.method, request.path));
      return own === undefined ? repository?.mock(request) : own.mock(request);
    },
    explain,
    /** Checks an exchange with the target. */
    judge: async (exchange: WireExchange): Promise<RecordedExchange> => {
      const read = readable(exchange, keptBytes);
      const judged = await judgedBy(withBegunBody(read));
      const replyBody = { ...judged.replyBody, bytes: exchange.reply.body.bytes };
      return { ...judged, replyBody, isUnchecked: isTooLong(read) };
    },
    show: (judged: RecordedExchange, { isOwn = false, isCut = false, fault }: Special = {}): void => {
      const { traffic, coverage } = inside.observer.of(mainName);
      const { observations } = judged;
      const shown: RecordedExchange = {
        ...judged,
        id: traffic.nextId(),
        requestBody: shortText(judged.requestBody),
        replyBody: shortText(judged.replyBody),
        observations: isOwn ? { ...observations, replyViolations: [], isOrdered: true } : observations,
        transmissionFault: fault,
        isUnchecked: isOwn || isCut || judged.isUnchecked === true,
      };
      traffic.add(shown);
      coverage.add(shown);
      if (shown.observations.replyViolations.length > 0) void report(shown);
    },
  };
};

/** Checks what passes against the repository's document. */
const watchRepository = (inside: Inside, baseUrl: string, differences: readonly DeliberateDifference[]) => {
  const check = createContractCheck({ document: inside.contract().document, baseUrl });
  const router = createPathRouter(check.operations);
  let lines: ReturnType<typeof readLines> | undefined;
  /** What broke the document in a reply, with the lines of the document. */
  const explain: Explain = async (judged) => {
    lines ??= readLines(inside);
    return explainReply(judged, { lines: await lines, router });
  };
  const withoutPurpose = purposeFilter(differences, explain);
  return {
    explain,
    operationOf: (method: string, path: string) => check.operationOf(method, path),
    judge: (exchange: WireExchange) => withoutPurpose(check.recorded(exchange, 0), exchange),
    mock: async ({ method, path, headers }: PlainRequest): Promise<PlainReply | undefined> => {
      const operation = check.operationOf(method, path);
      const preference = mockPreference(headers['prefer']);
      if (operation === undefined || preference === undefined) return undefined;
      const mock = await check.backend.mock(operation, preference);
      if (mock.mediaType === undefined) return { status: mock.status, headers: mock.headers, body: undefined };
      const text = textReply(mock.mediaType, typeof mock.body === 'string' ? mock.body : JSON.stringify(mock.body));
      return { ...text, status: mock.status, headers: { ...mock.headers, ...text.headers } };
    },
  };
};

/** The operation of a document of one's own. */
const ownOperation = (inside: Inside, method: string, path: string): HostedOperation | undefined => {
  if (inside.contract().judgeOf === undefined) return undefined;
  const operation = inside.operationOf({ method, path, query: '', headers: {}, body: emptyBody, address: '' });
  return judgeOf(inside, operation) === undefined ? undefined : operation;
};

const judgeOf = (inside: Inside, operation: HostedOperation | undefined): ContractJudge | undefined =>
  operation && inside.contract().judgeOf?.(operation);

type Explain = (judged: RecordedExchange) => Promise<readonly ExplainedViolation[]>;

/** Takes away what the real site does otherwise on purpose. */
const purposeFilter = (differences: readonly DeliberateDifference[], explain: Explain) => {
  const { explains } = createOnPurpose(differences);
  // Every answer of Drupal itself says so; its web server says nothing.
  let isDrupal = false;
  return async (judged: RecordedExchange, exchange: WireExchange): Promise<RecordedExchange> => {
    isDrupal ||= /^Drupal\b/.test(headerValue(exchange.reply.headers, 'x-generator') ?? '');
    const { observations } = judged;
    if (!isDrupal || observations.replyViolations.length === 0) return judged;
    const explained = await explain(judged);
    const replyViolations = observations.replyViolations.filter((_, at) => {
      const violation = explained[at];
      return violation === undefined || explains(deviationIn(violation, exchange)) === undefined;
    });
    return { ...judged, observations: { ...observations, replyViolations } };
  };
};

/** A body of which nothing has come yet is none that is missing. */
const withBegunBody = (exchange: WireExchange): WireExchange => {
  const { reply } = exchange;
  if (reply.body.isWhole || reply.body.bytes > 0) return exchange;
  return { ...exchange, reply: { ...reply, body: { ...reply.body, bytes: 1 } } };
};

/** Bytes have no schema, so a long file is checked as well as a short one. */
const isTooLong = ({ request, reply }: WireExchange): boolean =>
  request.method !== 'HEAD' &&
  !reply.body.isWhole &&
  reply.body.bytes > 0 &&
  /[/+]json\b/i.test(headerValue(reply.headers, 'content-type') ?? '');

/** The lines of the document, or nothing where it cannot be read. */
const readLines = async ({ documentText }: Inside) => {
  try {
    return documentText && (await readSourceLines(await documentText()));
  } catch {
    return undefined;
  }
};

const shortText = (body: RecordedExchange['replyBody']): RecordedExchange['replyBody'] =>
  (body.text?.length ?? 0) <= keptTextBytes ? body : { ...body, text: undefined };

/** The exchange with its reply's body as it was before it was compressed. A body that cannot be read is not judged. */
const readable = (exchange: WireExchange, most: number): WireExchange => {
  const { reply } = exchange;
  const { body } = decodedMessage(reply, most);
  return body === reply.body
    ? exchange
    : { ...exchange, reply: { ...reply, body: { ...body, bytes: reply.body.bytes } } };
};
