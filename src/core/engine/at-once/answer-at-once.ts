/**
 * Answers a read of a record that is in memory without waiting: the stations 9 to 17 of a read that nothing refuses. All that is
 * not so plain goes through those stations: a refusal, a record that breaks the document, a body or links that need a look-up.
 */
import { mediaTypes } from '../../representations/represent.ts';
import { acceptsProvider, type Operation } from '../../document/operation.ts';
import type { World } from '../../world.ts';
import type { Caller } from '../answer-caller.ts';
import type { EngineOptions, MatchedRequest } from '../engine-options.ts';
import type { HeaderValues, PlainReply } from '../exchange.ts';
import { finish, finishText } from '../finish.ts';
import { mocked } from '../handler.ts';
import { pathValues } from '../path-parameters.ts';
import type { ReplyMembers } from './reply-members.ts';

/** Undefined when the stations must answer. The operation is a GET that depends only on path, format and principal. */
export const answerAtOnce = (
  options: EngineOptions,
  { request, operation, match }: MatchedRequest,
  { identity, format }: Pick<Caller, 'identity' | 'format'>,
  world: World,
): PlainReply | undefined => {
  const { present } = world.store;
  const handler = options.handlers[operation.id];
  const readAtOnce = handler === mocked ? undefined : handler?.readAtOnce;
  if (present === undefined || readAtOnce === undefined || options.presentLinks === undefined) return undefined;
  // A HEAD has an operation of its own in the document.
  if (request.method !== 'GET' || operation.needsCsrfToken || !acceptsProvider(operation, identity.provider))
    return undefined;
  const mediaType = mediaTypes[format];
  const members = format === 'json' ? membersOf(options, operation) : undefined;
  if (format === 'json' && members === undefined) return undefined;
  const path = pathValues(operation, match);
  const read = readAtOnce({ path, identity, format, present, checks: members }, world);
  if (read === undefined) return undefined;
  const query = operation.format === undefined ? {} : { _format: format };
  if (options.backend.requestViolations(operation, { params: path, query, headers: {} }).length > 0) return undefined;
  const links = options.presentLinks(read.subject, { identity, format, present }, world);
  if (links === undefined || links.length === 0) return undefined;
  const shown = read.show();
  if (shown === undefined) return undefined;
  if ('body' in shown) {
    return finish(options, operation, request, { status: 200, headers: { Link: links }, mediaType, body: shown.body });
  }
  const headers: HeaderValues = {
    ...options.headers,
    Link: links,
    'Content-Type': mediaType,
    'Content-Length': String(Buffer.byteLength(shown.text)),
  };
  if (members?.headersAreRight(headers) !== true) return undefined;
  return finishText(options, operation, request, { headers, text: shown.text });
};

/** By which the JSON of a 200 is checked while it is written; for a list, that of each record. */
export const membersOf = (
  { checkReplies, backend }: EngineOptions,
  operation: Operation,
  shape?: 'list',
): ReplyMembers | undefined =>
  checkReplies === 'off' ? unchecked : backend.replyMembers?.(operation, mediaTypes.json, shape);

const isAccepted = (): boolean => true;

/** With `--check-replies off`. */
const unchecked: ReplyMembers = {
  mayHave: () => true,
  checkOf: () => isAccepted,
  headersAreRight: () => true,
};
