/** Answers what the control interface refuses: JSON with the single member `message`, in the words that its document shows. */
import { type HeaderValues, messageReply, type PlainReply } from '../../openapi/openapi-host.ts';
import { Refusal, type ReplyToError } from '../../openapi/openapi-parts.ts';
import { Problem, unexpectedErrorMessage } from '../../openapi/openapi-terms.ts';
import type { GuardedWorld } from './tokens/guard.ts';

type Failed = Parameters<ReplyToError<GuardedWorld>>[1];

/** Any other error is 500 with a fixed message. A piece of the path that cannot be names nothing: 404 where the document has no 400. */
export const replyToError: ReplyToError<GuardedWorld> = (error, failed) => {
  if (!(error instanceof Refusal)) return messageReply(500, unexpectedErrorMessage);
  const { operation } = failed;
  const isOfPath = error.violations[0]?.pointer.startsWith('/path/') === true;
  const statuses = isOfPath ? [...error.statuses, 404] : error.statuses;
  const status = statuses.find((each) => operation?.responses.has(String(each))) ?? statuses[0] ?? 400;
  return withHeaders(messageReply(status, refusalMessage(error, failed)), error.headers);
};

/** The refusal that a handler has thrown. */
export const thrownProblem = ({ cause }: Refusal): Problem | undefined =>
  cause instanceof Problem ? cause : undefined;

const withHeaders = (reply: PlainReply, headers: HeaderValues): PlainReply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
});

/** The message that the client gets. */
export const refusalMessage = (refusal: Refusal, { request, world }: Failed): string => {
  const { kind, message, violations, headers } = refusal;
  const route = `No route found for "${request.method} ${world?.world.baseUrl ?? ''}${request.path}"`;
  if (kind === 'path') return route;
  if (kind === 'method') return `${route}: Method Not Allowed (Allow: ${String(headers['Allow'])})`;
  // One without `Accept` is about the encoding.
  if (kind === 'media-type' && headers['Accept'] !== undefined) return unacceptedType(request.headers['content-type']);
  if (kind === 'length' && world !== undefined)
    return `The request body is larger than ${world.world.site.maxJsonBytes} bytes.`;
  const lines = violations.map((each) => ({ ...each, pointer: each.pointer.replace(/^\/requestBody/, '') }));
  if (kind === 'body') {
    const faults = lines.map((each) => `${each.pointer || '/'}: ${each.message}`);
    return `Unprocessable Entity: validation failed.\n${faults.join('\n')}\n`;
  }
  const [first] = lines;
  return kind === 'parameter' && first !== undefined ? `${first.pointer}: ${first.message}` : message;
};

const unacceptedType = (type = ''): string =>
  type === ''
    ? 'No "Content-Type" request header specified'
    : `No route found that matches "Content-Type: ${type.slice(0, 200)}"`;
