/** Finds what is wrong with a request that somebody else has answered, or that was answered before. */
import { parsedJson } from '../../basics/json.ts';
import { requireAcceptable } from '../answers/answer.ts';
import type { Operation } from '../document/operation.ts';
import type { EngineRequest } from '../exchange.ts';
import { isJsonType } from '../media-type.ts';
import { faultsOf, Refusal } from '../refusal.ts';
import type { Schemas } from '../schemas/schemas.ts';
import type { Violation } from '../schemas/violations.ts';
import { readBody, type ReaderOptions } from '../request/body.ts';
import { announcesBody, type ChosenMedia, mediaOfBody } from '../request/body-media.ts';
import { countFile } from '../request/form-file.ts';
import { readerOf } from '../request/parameters.ts';

type RequestHead = Pick<EngineRequest, 'method' | 'path' | 'query' | 'headers'>;

/** A request that has been answered. */
export type PastRequest = RequestHead & {
  /** Of its body. Undefined for one that was not kept. */
  readonly text: string | undefined;
};

/** A request with its bytes. */
export type SentRequest = RequestHead & {
  /** Undefined for a body that was not kept whole. */
  readonly body: Uint8Array | undefined;
};

/** Where the operation was found. */
export type MatchedOperation = {
  readonly operation: Operation;
  /** The path below which the document is served. */
  readonly base: string;
  /** The pieces of the path, not decoded. */
  readonly pieces: Readonly<Record<string, string>>;
};

/** What is wrong with a request, as far as the first fault of each of its parts. */
export const requestFaults = (sent: PastRequest, matched: MatchedOperation, schemas: Schemas): readonly Violation[] => {
  const { violations, media } = headFaults(sent, matched, schemas);
  const { text } = sent;
  if (media === undefined || text === undefined || !isJsonType(media.contentType)) return violations;
  const value = parsedJson(text);
  if (value === undefined) return [...violations, { pointer: '/requestBody', message: 'is not JSON' }];
  const { schema } = media.media;
  const ofBody = schema === undefined ? [] : schemas.check(schema, 'request')(value);
  return [...violations, ...ofBody.map((each) => ({ ...each, pointer: `/requestBody${each.pointer}` }))];
};

/** The same of a request whose body is at hand, of any media type. */
export const sentRequestFaults = async (
  sent: SentRequest,
  matched: MatchedOperation,
  reading: Pick<ReaderOptions, 'schemas' | 'limits' | 'loadForms'>,
): Promise<readonly Violation[]> => {
  const { violations, media } = headFaults(sent, matched, reading.schemas);
  const { headers, body } = sent;
  if (media === undefined || body === undefined) return violations;
  try {
    const read = await readBody(media, { headers, body: piecesOf(body) }, { ...reading, keep: countFile });
    return [...violations, ...read.violations];
  } catch (error) {
    if (error instanceof Refusal) return [...violations, ...faultsOf(error)];
    throw error;
  }
};

async function* piecesOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(body);
}

type HeadFaults = {
  readonly violations: readonly Violation[];
  /** The media type of a body that can be read. */
  readonly media: ChosenMedia | undefined;
};

const headFaults = (
  { headers, query }: RequestHead,
  { operation, pieces }: MatchedOperation,
  schemas: Schemas,
): HeadFaults => {
  const refusals = [
    refusalIn(() => requireAcceptable(operation, headers['accept'])),
    refusalIn(() => mediaOfBody(operation, headers)),
  ];
  const ofHead = refusals.flatMap((refusal) => (refusal === undefined ? [] : faultsOf(refusal)));
  const { violations } = readerOf(operation.parameters, schemas)({ path: pieces, query, headers });
  const isMissing = operation.body?.isRequired === true && !announcesBody(headers);
  const missing = isMissing ? [{ pointer: '/requestBody', message: 'is required' }] : [];
  return {
    violations: [...ofHead, ...violations, ...missing],
    media: refusals[1] === undefined ? mediaOfBody(operation, headers) : undefined,
  };
};

/** Undefined where the check refuses nothing. */
export const refusalIn = (check: () => unknown): Refusal | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};
