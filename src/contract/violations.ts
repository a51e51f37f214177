/** Explains the violations of a request or a reply: the rule, its line in the document, the pointer, and the received value. */
import { bareMediaType } from '../openapi/openapi-terms.ts';
import { parsedJson, type Json } from '../basics/json.ts';
import type { PathRouter, SourceLines, SourceLocation, Violation } from '../openapi/openapi-parts.ts';
import { readPointer, valueAt } from '../basics/json-pointer.ts';
import type { ExplainedViolation, RequestFaults } from './contract-judge.ts';
import type { ServedContract } from './corrected-body.ts';
import {
  type RecordedExchange,
  shownAddress,
  shownHeaders,
  shownJson,
  shownPath,
  shownText,
} from '../exchange/exchange.ts';

/** `lines` is undefined when the document's text cannot be read. The explanations then name no line. */
export type ExplanationContext = {
  readonly lines: SourceLines | undefined;
  /** Finds the operations of a path. */
  readonly router: PathRouter;
} & Pick<ServedContract, 'judgeOf' | 'judgeByItself'>;

/** The violations of the schemas, or else the reason of the refusal. Empty when the request keeps the contract. */
export const explainRequest = (
  exchange: RecordedExchange,
  context: ExplanationContext,
  { violations, headRefusals }: RequestFaults = {
    violations: exchange.observations.requestViolations,
    headRefusals: [],
  },
): ExplainedViolation[] => {
  const { operation, status } = exchange;
  const judge = operation && context.judgeOf?.(operation);
  if (judge !== undefined) return judge.explainRequest(exchange, violations);
  if (isOrdered(exchange)) return explainByItself(exchange, context, violations);
  const bySchema = explainSchema(exchange, context, violations);
  if (bySchema.length > 0) return bySchema;
  const refused = explainRefusal(exchange, context);
  const isOfHead = refused.length > 0 && (status === 406 || status === 415) && operation !== undefined;
  const others = isOfHead ? headRefusals.filter((each) => each !== status) : [];
  return [
    ...refused,
    ...others.flatMap((each) => {
      const refusal = refusals[each]?.(exchange, context.lines, operation?.id ?? '');
      return refusal === undefined ? [] : [violation(refusal.pointer, headMessages[each], refusal)];
    }),
  ];
};

/** Whether the status of the answer says nothing of the request. */
export const isOrdered = ({ observations, transmissionFault }: RecordedExchange): boolean =>
  observations.isOrdered || transmissionFault !== undefined;

const explainSchema = (
  exchange: RecordedExchange,
  { lines }: ExplanationContext,
  violations: readonly Violation[],
): ExplainedViolation[] => {
  const { operation } = exchange;
  return violations.map(({ pointer, message, rule }) =>
    violation(pointer, message, {
      rule: rule?.keyword ?? 'type',
      arrived: arrivedAt(exchange, pointer),
      document:
        operation === undefined
          ? undefined
          : rule === undefined
            ? lines?.operation(operation.id, ['requestBody', 'content', 'application/json', 'schema'])
            : lines?.request(operation.id, { pointer, rule }),
    }),
  );
};

/** What the document says against a request whose answer was ordered. `corrected` names more of the body, where it is known. */
const explainByItself = (
  exchange: RecordedExchange,
  context: ExplanationContext,
  corrected: readonly Violation[],
): ExplainedViolation[] => {
  const { refused, violations } = context.judgeByItself?.(exchange) ?? { refused: [], violations: [] };
  if (refused.length === 0 && violations.length === 0) return [];
  if (refused.length === 0) return explainSchema(exchange, context, corrected.length > 0 ? corrected : violations);
  return refused.flatMap((status) => explainStatus(exchange, context, { status, message: headMessages[status] }));
};

/** For what the server has not come to, because it answers one refusal. */
const headMessages = {
  400: 'is not JSON',
  404: 'is not a path of the document',
  405: 'is not a method of this path',
  406: 'is not a format of this operation',
  415: 'is not a media type of this operation',
};

/** The violations of a reply. */
export const explainReply = (
  exchange: RecordedExchange,
  { lines, judgeOf }: ExplanationContext,
): ExplainedViolation[] => {
  const { operation, status, replyHeaders, observations } = exchange;
  const judge = operation && judgeOf?.(operation);
  if (judge !== undefined) return judge.explainReply(exchange);
  const contentType = replyHeaders['Content-Type'];
  const mediaType = typeof contentType === 'string' ? bareMediaType(contentType) : '';
  return observations.replyViolations.map(({ pointer, message, rule }) => {
    if (operation === undefined) return violation(pointer, message, { rule: rule?.keyword ?? 'responses' });
    if (rule !== undefined) {
      const document = lines?.reply(operation.id, { status, mediaType }, { pointer, rule });
      return violation(pointer, message, { rule: rule.keyword, document });
    }
    const name = pointer.split('/')[2];
    const inside = name === undefined ? [] : name === 'Content-Type' ? ['content'] : ['headers', name, 'required'];
    const document = lines?.operation(operation.id, ['responses', String(status), ...inside]);
    return violation(pointer, message, { rule: inside.at(-1) ?? 'responses', document });
  });
};

type Explanation = Pick<ExplainedViolation, 'rule'> & {
  readonly arrived?: string | undefined;
  readonly document?: SourceLocation | undefined;
};

const violation = (pointer: string, message: string, { rule, arrived, document }: Explanation): ExplainedViolation => ({
  rule,
  pointer,
  message,
  ...(arrived === undefined ? {} : { arrived }),
  ...(document === undefined ? {} : { document }),
});

/** Explains a refusal that is due to the request itself, not to permissions or stored records. */
const explainRefusal = (exchange: RecordedExchange, context: ExplanationContext): ExplainedViolation[] => {
  const { status, operation, replyHeaders, observations } = exchange;
  if ('Atoll-Mocked' in replyHeaders || observations.isPage) return [];
  // The schema allows this body. The refusal is due to the meaning of the body.
  if (status === 400 && operation?.body === 'json' && sentJson(exchange) !== undefined) return [];
  return explainStatus(exchange, context, { status, message: messageOf(exchange) });
};

const explainStatus = (
  exchange: RecordedExchange,
  context: ExplanationContext,
  { status, message }: { readonly status: number; readonly message: string },
): ExplainedViolation[] => {
  const { operation, method, path } = exchange;
  if (operation === undefined) {
    if (status !== 404 && status !== 405) return [];
    const operationOfPath = context.router.match(path)?.value.values().next().value;
    const document = context.lines?.path(operationOfPath?.path ?? '');
    return status === 404
      ? [violation('/path', message, { rule: 'paths', document, arrived: shownAddress(path) })]
      : [violation('/method', message, { rule: 'method', document, arrived: method })];
  }
  const refusal = refusals[status]?.(exchange, context.lines, operation.id);
  if (refusal === undefined) return [];
  const violations = status === 422 ? violationsIn(message) : [];
  if (violations.length === 0) return [violation(refusal.pointer, message, refusal)];
  return violations.map(({ pointer, text }) =>
    violation(pointer, text, { ...refusal, rule: 'validation', arrived: arrivedAt(exchange, pointer) }),
  );
};

/** The 422 of a failed validation has one line for each violation, such as `title.0.value: …`. */
const violationsIn = (message: string): { readonly pointer: string; readonly text: string }[] =>
  [...message.matchAll(/^([\w.]+): (.+)$/gm)].flatMap(([, path = '', text = '']) =>
    path.startsWith('Unprocessable') ? [] : [{ pointer: `/requestBody/${path.replaceAll('.', '/')}`, text }],
  );

type Refusal = Explanation & { readonly pointer: string };

const inQuery = { in: 'query', name: '_format' };

const refusals: Readonly<
  Record<number, (exchange: RecordedExchange, lines: SourceLines | undefined, id: string) => Refusal>
> = {
  400: (exchange, lines, id) => ({
    rule: 'content',
    pointer: '/requestBody',
    arrived: exchange.requestBody.text === undefined ? undefined : shown(shownText(exchange.requestBody.text, id)),
    document: lines?.operation(id, ['requestBody', 'content']),
  }),
  406: ({ query }, lines, id) => {
    const format = new URLSearchParams(query).get('_format');
    return {
      rule: format === null ? 'required' : 'enum',
      pointer: '/query/_format',
      arrived: shown(format),
      document: lines?.parameter(id, inQuery, format === null ? ['required'] : ['schema', 'enum']),
    };
  },
  408: (_exchange, lines, id) => byStatus(lines, id, 408),
  413: ({ headers }, lines, id) => ({ ...byStatus(lines, id, 413), arrived: shown(headers['content-length']) }),
  415: ({ headers }, lines, id) => ({
    rule: 'content',
    pointer: '/header/content-type',
    arrived: shown(headers['content-type']),
    document: lines?.operation(id, ['requestBody', 'content']),
  }),
  416: ({ headers }, lines, id) => ({
    ...byStatus(lines, id, 416),
    pointer: '/header/range',
    arrived: shown(headers['range']),
  }),
  422: (exchange, lines, id) => ({ ...byStatus(lines, id, 422), arrived: arrivedAt(exchange, '/requestBody') }),
};

/** Names the line of the status in the document. The message of the refusal says more. */
const byStatus = (lines: SourceLines | undefined, id: string, status: number): Refusal => ({
  rule: 'responses',
  pointer: '/requestBody',
  document: lines?.operation(id, ['responses', String(status)]),
});

const messageOf = (exchange: RecordedExchange): string => refusalMessage(exchange) ?? `refused with ${exchange.status}`;

/** The server's own words of a refusal. Undefined when it has none. */
export const refusalMessage = ({ status, replyBody }: RecordedExchange): string | undefined => {
  const message = status < 400 ? undefined : valueAt(parsedJson(replyBody.text ?? ''), ['message']);
  return typeof message === 'string' ? shownAddress(message) : undefined;
};

/** The received value at a pointer into the request, without secrets. */
export const arrivedAt = (exchange: RecordedExchange, pointer: string): string | undefined => {
  const [part = '', ...steps] = readPointer(pointer);
  const name = steps[0];
  if (part === 'query' && name !== undefined)
    return shown(new URLSearchParams(shownPath(`?${exchange.query}`)).get(name));
  if (part === 'header' && name !== undefined)
    return shown(shownHeaders(exchange.headers)[name.toLowerCase()]?.toString());
  if (part !== 'requestBody') return undefined;
  const body = sentJson(exchange);
  if (body === undefined) return shown(exchange.requestBody.text === undefined ? undefined : '(no JSON)');
  const readable = shownJson(body, exchange.operation?.id);
  return shown(valueAt(readable, steps) as Json | undefined);
};

/** The JSON body of a request. Undefined when it is not JSON or was too long to be recorded. */
export const sentJson = ({ requestBody: { text } }: RecordedExchange): Json | undefined =>
  text === undefined ? undefined : (parsedJson(text) as Json | undefined); // any JSON

const shown = (value: Json | undefined): string | undefined => {
  if (value === undefined || value === null) return undefined;
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
};
