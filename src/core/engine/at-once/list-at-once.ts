/**
 * Answers a read of a short list of records that are in memory without waiting: the stations 9 to 17 of a read that nothing
 * refuses. All that is not so plain goes through those stations.
 */
import { mediaTypes } from '../../representations/represent.ts';
import { acceptsProvider } from '../../document/operation.ts';
import type { World } from '../../world.ts';
import type { Caller } from '../answer-caller.ts';
import type { EngineOptions, MatchedRequest } from '../engine-options.ts';
import type { HeaderValues, PlainReply } from '../exchange.ts';
import { finish, finishText } from '../finish.ts';
import { mocked } from '../handler.ts';
import { pathValues, queryValues } from '../path-parameters.ts';
import { membersOf } from './answer-at-once.ts';

/** Undefined when the stations must answer. The operation is a GET. */
export const answerListAtOnce = (
  options: EngineOptions,
  { request, operation, match, query }: MatchedRequest,
  { identity, format }: Pick<Caller, 'identity' | 'format'>,
  world: World,
): PlainReply | undefined => {
  const { present } = world.store;
  const handler = options.handlers[operation.id];
  const listAtOnce = handler === mocked ? undefined : handler?.listAtOnce;
  if (present === undefined || listAtOnce === undefined) return undefined;
  // A HEAD has an operation of its own in the document.
  if (request.method !== 'GET' || operation.needsCsrfToken || operation.headerNames.length > 0) return undefined;
  if (!acceptsProvider(operation, identity.provider)) return undefined;
  const path = pathValues(operation, match);
  if (Object.values(path).some((value) => Number.isNaN(value))) return undefined;
  const asked = queryValues(operation, query);
  const parts = { params: path, query: { ...asked, _format: format }, headers: {} };
  if (options.backend.requestViolations(operation, parts).length > 0) return undefined;
  const mediaType = mediaTypes[format];
  const members = format === 'json' ? membersOf(options, operation, 'list') : undefined;
  const list = listAtOnce({ path, query: asked, identity, format, present, checks: members }, world);
  if (list === undefined) return undefined;
  const { headers: ofPage, shown } = list;
  if ('body' in shown) {
    return finish(options, operation, request, { status: 200, headers: ofPage, mediaType, body: shown.body });
  }
  const headers: HeaderValues = {
    ...{ ...options.headers, ...ofPage, 'Content-Type': mediaType },
    'Content-Length': String(Buffer.byteLength(shown.text)),
  };
  if (members?.headersAreRight(headers) !== true) return undefined;
  return finishText(options, operation, request, { headers, text: shown.text });
};
