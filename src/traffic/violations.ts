/** What is wrong with a request or a reply, explained: the rule, where it was broken, where it stands, and what arrived. */
import type { Json } from '../model/entity.ts';
import type { Router } from '../engine/router.ts';
import type { SourceLines } from '../document/source-lines.ts';
import type { SourcePlace } from '../document/source-tree.ts';
import type { Exchanged } from './traffic-log.ts';
import { shownAddress, shownBody, shownHeaders, shownQuery, shownText } from './secrets.ts';

/** A rule that was broken. */
export type ExplainedViolation = {
  /** The keyword of the schema, such as `required`; or what else of the document was not kept, such as `content`. */
  readonly rule: string;
  /** JSON pointer into what was sent: `/requestBody/title/0/value`, `/query/_format`, `/headers/Location`, `/body/nid`. */
  readonly pointer: string;
  readonly message: string;
  /** What stood there, as JSON of at most 200 characters; left out when nothing did, or when it is not known. */
  readonly arrived?: string;
  /** Where the rule stands in `openapi.yaml`; left out when the document's text is not at hand. */
  readonly document?: SourcePlace;
};

/** What explains: the text of the document, and which path is meant. */
export type Explaining = { readonly lines: SourceLines | undefined; readonly router: Router };

/** The faults of a request: by the schemas, and where those have none by the refusal. None when it keeps the contract. */
export const explainRequest = (exchanged: Exchanged, explaining: Explaining): ExplainedViolation[] => {
  const { findings, operation } = exchanged;
  const bySchema = findings.requestViolations.map(({ pointer, message, rule }) =>
    explained(pointer, message, {
      rule: rule?.keyword ?? 'type',
      arrived: arrivedAt(exchanged, pointer),
      document:
        operation === undefined
          ? undefined
          : rule === undefined
            ? explaining.lines?.operation(operation.id, ['requestBody', 'content', 'application/json', 'schema'])
            : explaining.lines?.request(operation.id, rule),
    }),
  );
  return bySchema.length > 0 ? bySchema : explainRefusal(exchanged, explaining);
};

/** The faults of a reply, by the schemas. */
export const explainReply = (exchanged: Exchanged, { lines }: Explaining): ExplainedViolation[] => {
  const { operation, status, replyHeaders, findings } = exchanged;
  const contentType = replyHeaders['Content-Type'];
  const mediaType = typeof contentType === 'string' ? (contentType.split(';', 1)[0] ?? '') : '';
  return findings.replyViolations.map(({ pointer, message, rule }) => {
    const part = pointer === '/status' || pointer.startsWith('/headers') ? 'headers' : 'body';
    if (operation === undefined) return explained(pointer, message, { rule: rule?.keyword ?? 'responses' });
    if (rule !== undefined) {
      const document = lines?.reply(operation.id, { status, mediaType, part }, rule);
      return explained(part === 'body' ? `/body${pointer}` : pointer, message, { rule: rule.keyword, document });
    }
    const name = pointer.split('/')[2];
    const inside = name === undefined ? [] : name === 'Content-Type' ? ['content'] : ['headers', name, 'required'];
    const document = lines?.operation(operation.id, ['responses', String(status), ...inside]);
    return explained(pointer, message, { rule: inside.at(-1) ?? 'responses', document });
  });
};

type Found = Pick<ExplainedViolation, 'rule'> & {
  readonly arrived?: string | undefined;
  readonly document?: SourcePlace | undefined;
};

const explained = (pointer: string, message: string, { rule, arrived, document }: Found): ExplainedViolation => ({
  rule,
  pointer,
  message,
  ...(arrived === undefined ? {} : { arrived }),
  ...(document === undefined ? {} : { document }),
});

/** Refusals by what the request is, not by who asks or what is stored. */
const explainRefusal = (exchanged: Exchanged, explaining: Explaining): ExplainedViolation[] => {
  const { status, operation, method, path, replyHeaders } = exchanged;
  if ('Atoll-Mocked' in replyHeaders || exchanged.disturbance !== undefined) return [];
  const message = messageOf(exchanged);
  if (operation === undefined) {
    if (status !== 404 && status !== 405) return [];
    const known = explaining.router.match(path)?.operations.values().next().value;
    const document = explaining.lines?.path(known?.path ?? '');
    const rule = status === 404 ? 'paths' : 'method';
    return [
      explained(`/${status === 404 ? 'path' : 'method'}`, message, {
        rule,
        document,
        arrived: status === 404 ? shownAddress(path) : method,
      }),
    ];
  }
  // A body that its schema allows was refused for what it asks.
  if (status === 400 && operation.body === 'json' && sentJson(exchanged) !== undefined) return [];
  const how = refusals[status]?.(exchanged, explaining.lines, operation.id);
  if (how === undefined) return [];
  const violations = status === 422 ? violationsIn(message) : [];
  if (violations.length === 0) return [explained(how.pointer, message, how)];
  return violations.map(({ pointer, text }) =>
    explained(pointer, text, { ...how, rule: 'validation', arrived: arrivedAt(exchanged, pointer) }),
  );
};

/** The lines of a failed validation: `title.0.value: …` (reference 1.9 b). */
const violationsIn = (message: string): { readonly pointer: string; readonly text: string }[] =>
  [...message.matchAll(/^([\w.]+): (.+)$/gm)].flatMap(([, path = '', text = '']) =>
    path.startsWith('Unprocessable') ? [] : [{ pointer: `/requestBody/${path.replaceAll('.', '/')}`, text }],
  );

type Refusal = Found & { readonly pointer: string };

const inQuery = { in: 'query', name: '_format' };

const refusals: Readonly<
  Record<number, (exchanged: Exchanged, lines: SourceLines | undefined, id: string) => Refusal>
> = {
  400: (exchanged, lines, id) => ({
    rule: 'content',
    pointer: '/requestBody',
    arrived: exchanged.sent.text === undefined ? undefined : shown(shownText(exchanged.sent.text, id)),
    document: lines?.operation(id, ['requestBody', 'content']),
  }),
  406: ({ query }, lines, id) => {
    const asked = new URLSearchParams(query).get('_format');
    return {
      rule: asked === null ? 'required' : 'enum',
      pointer: '/query/_format',
      arrived: shown(asked),
      document: lines?.parameter(id, inQuery, asked === null ? ['required'] : ['schema', 'enum']),
    };
  },
  408: (_exchanged, lines, id) => byStatus(lines, id, 408),
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
  422: (exchanged, lines, id) => ({ ...byStatus(lines, id, 422), arrived: arrivedAt(exchanged, '/requestBody') }),
};

/** What the document says of this status; the refusal's own words say more. */
const byStatus = (lines: SourceLines | undefined, id: string, status: number): Refusal => ({
  rule: 'responses',
  pointer: '/requestBody',
  document: lines?.operation(id, ['responses', String(status)]),
});

const messageOf = ({ status, reply }: Exchanged): string => {
  try {
    const { message } = JSON.parse(reply.text ?? '') as { readonly message?: string }; // a refusal's body (contract: Errors)
    return message === undefined ? `refused with ${status}` : shownAddress(message);
  } catch {
    return `refused with ${status}`;
  }
};

/** What stood at a place of the request, without secrets. */
const arrivedAt = (exchanged: Exchanged, pointer: string): string | undefined => {
  const [, part = '', ...steps] = pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = steps[0];
  if (part === 'query' && name !== undefined) return shown(new URLSearchParams(shownQuery(exchanged.query)).get(name));
  if (part === 'header' && name !== undefined)
    return shown(shownHeaders(exchanged.headers)[name.toLowerCase()]?.toString());
  if (part !== 'requestBody') return undefined;
  const body = sentJson(exchanged);
  if (body === undefined) return shown(exchanged.sent.text === undefined ? undefined : '(no JSON)');
  const readable = shownBody(body, exchanged.operation?.id);
  return shown(steps.reduce<Json | undefined>((value, step) => memberOf(value, step), readable));
};

/** The JSON body of a request; undefined when it is none, or was too long to be kept. */
export const sentJson = ({ sent }: Exchanged): Json | undefined => {
  try {
    return sent.text === undefined ? undefined : (JSON.parse(sent.text) as Json); // JSON.parse makes nothing else
  } catch {
    return undefined;
  }
};

const memberOf = (value: Json | undefined, step: string): Json | undefined =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, Json>>)[step] : undefined; // lists have their indexes as names

const shown = (value: Json | undefined): string | undefined => {
  if (value === undefined || value === null) return undefined;
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
};
