/** Checks replies of the service worker against the document, as the server's engine does: one that breaks it becomes a 500. */
import { discardStream } from '../../../src/basics/byte-streams.ts';
import type { DocumentObject } from '../../../src/openapi/openapi-terms.ts';
import {
  type EngineEvent,
  type HeaderValues,
  type PlainReply,
  type PlainRequest,
  messageReply,
} from '../../../src/openapi/openapi-host.ts';
import { createBackend, type Backend } from '../../../src/repository/repository-engine.ts';
import { createPathRouter } from '../../../src/openapi/openapi-parts.ts';

export type ReplyCheck = {
  /** The engine says which operation was answered. */
  hear(events: readonly EngineEvent[]): void;
  /** A reply without an operation is not checked. */
  check(request: PlainRequest, reply: PlainReply): PlainReply;
};

type Answered = Extract<EngineEvent, { kind: 'answered' }>;

/** The documents are resolved. */
export const createReplyCheck = (documents: readonly DocumentObject[]): ReplyCheck => {
  const backends = documents.map((document) => createBackend(document, []));
  const operations = new Map(
    backends.flatMap((backend) =>
      backend.operations.map((operation) => [operation.id, { backend, operation }] as const),
    ),
  );
  const routers = backends.map((backend) => createPathRouter(backend.operations));
  const heard: Answered[] = [];
  /** Requests at the same time tell what they answered in one list. */
  const answeredBy = ({ path }: PlainRequest, { status }: PlainReply): Answered | undefined => {
    const bare = path.replace(/^\/(~|%7e)[^/]*/i, '');
    const here = routers.flatMap((router) => [...(router.match(bare)?.value.values() ?? [])].map(({ id }) => id));
    const candidates = heard.filter((event) => event.status === status);
    const heads = candidates.filter(({ operation }) => here.some((id) => isSamePath(operations, id, operation)));
    const found = heads[0] ?? candidates[0];
    if (found !== undefined) heard.splice(heard.indexOf(found), 1);
    return found;
  };
  return {
    hear: (events) => heard.push(...events.filter((event) => event.kind === 'answered')),
    check: (request, reply) => {
      const answered = answeredBy(request, reply);
      const found = answered && operations.get(answered.operation);
      if (found === undefined) return reply;
      const violations = violationsOf(found, reply);
      if (violations === '') return reply;
      if (typeof reply.body === 'object') discardStream(reply.body.stream);
      return messageReply(500, `The ${reply.status} of ${found.operation.id} breaks the contract: ${violations}`);
    },
  };
};

type Found = { readonly backend: Backend; readonly operation: Backend['operations'][number] };

/** A HEAD has an operation of its own, at the path of the GET. */
const isSamePath = (operations: ReadonlyMap<string, Found>, id: string, other: string): boolean =>
  operations.get(id)?.operation.path === operations.get(other)?.operation.path;

const violationsOf = ({ backend, operation }: Found, reply: PlainReply): string => {
  const mediaType = headerOf(reply.headers, 'content-type')?.split(';')[0];
  const body = typeof reply.body === 'string' ? parsed(reply.body, mediaType) : undefined;
  const sent = { status: reply.status, headers: reply.headers, mediaType, body };
  return backend
    .replyViolations(operation, sent)
    .map(({ pointer, message }) => `${pointer} ${message}`)
    .join('; ');
};

const headerOf = (headers: HeaderValues, name: string): string | undefined => {
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return value === undefined ? undefined : String(value);
};

const parsed = (text: string, mediaType: string | undefined): unknown =>
  /[/+]json$/.test(mediaType ?? '') ? JSON.parse(text) : text;
