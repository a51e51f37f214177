/** Makes the input of a handler's second function: checks size and schema, reads JSON, leaves bytes a stream. */
import type { Awaitable } from '../../basics/awaitable.ts';
import { inTime } from '../../basics/in-time.ts';
import type { Site } from '../site/site.ts';
import type { Violation } from '../../openapi/openapi-parts.ts';
import type { EngineOptions, MatchedRequest } from './engine-options.ts';
import { hasBody, type PlainRequest } from '../../openapi/openapi-host.ts';
import type { AnyInput, AnyRequest } from './handler.ts';
import type { Operation } from '../document/operation.ts';
import { parseJson, readJson, tooManyBytes } from './read-json.ts';
import { malformed, Problem, unprocessable } from '../../openapi/openapi-terms.ts';
import type { Json } from '../../basics/json.ts';

/** A request whose client may carry out the operation. */
type AuthorisedRequest = {
  readonly operation: Operation;
  readonly plain: PlainRequest;
  readonly request: AnyRequest;
  /** What the document does not allow of its parameters. */
  readonly faults: readonly Violation[];
  readonly site: Pick<Site, 'leniency' | 'maxJsonBytes' | 'maxUploadBytes'>;
  /** Refuses every body that violates its schema, whatever the site's leniency. */
  readonly isStrict: boolean;
  /** Gets what the document says against a body that is read all the same. */
  readonly leniencies: Violation[];
};

type InputOptions = Pick<EngineOptions, 'backend' | 'jsonMs'>;

const defaultJsonMs = 30_000;

/**
 * Throws 413 when the `Content-Length` is too large, before reading; 400, 408, 413 and 422 for a JSON body. Waits only for a body of
 * JSON.
 */
export const readInput = (authorised: AuthorisedRequest, options: InputOptions): Awaitable<AnyInput> => {
  const { operation, plain, site } = authorised;
  const sent = plain.headers['content-length'];
  const length = sent === undefined ? undefined : Number(sent);
  const limit = operation.body === 'json' ? site.maxJsonBytes : site.maxUploadBytes;
  const isLimited = operation.body !== 'none' && !operation.takesAnyLength;
  if (isLimited && length !== undefined && length > limit) throw tooManyBytes(limit);
  // A part must not be stored as if it were the whole (RFC 9110 §14.5).
  if (operation.body === 'bytes' && plain.headers['content-range'] !== undefined) {
    throw malformed('Content-Range is not supported: send the whole content.');
  }
  if (operation.body !== 'json') {
    const { faults } = authorised;
    if (plain.observations !== undefined) plain.observations.requestViolations = faults;
    refuseFirst(operation.body === 'bytes' ? faults.filter(isNotOfHeaders) : faults);
    return operation.body === 'bytes' ? { bytes: { stream: plain.body, length } } : {};
  }
  return operation.isBodyOptional && !hasBody(plain.headers) ? { json: {} } : readJsonBody(authorised, options);
};

/** Without `_format`: which one counts has been chosen before. */
export const parameterFaults = ({
  operation,
  read,
}: Pick<MatchedRequest, 'operation' | 'read'>): readonly Violation[] => {
  const { violations } = read();
  return operation.format === undefined ? violations : violations.filter(({ pointer }) => pointer !== '/query/_format');
};

const readJsonBody = async (authorised: AuthorisedRequest, options: InputOptions): Promise<AnyInput> => {
  const { operation, plain, site, faults } = authorised;
  const emptyMessage = operation.isResource ? 'No entity content received.' : 'Syntax error';
  const { isResource: isZeroEmpty, takesAnyJson: isAnyJson } = operation;
  const limits = { maxBytes: site.maxJsonBytes, emptyMessage, isZeroEmpty, isAnyJson };
  const whole = plain.body.takeWhole?.();
  const json: Json =
    whole === undefined ? await inJsonTime(readJson(plain.body, limits), options.jsonMs) : parseJson(whole, limits);
  const violations = [...options.backend.bodyViolations(operation, json), ...faults];
  if (plain.observations !== undefined) plain.observations.requestViolations = violations;
  if (violations.length > 0) acceptOrRefuse(authorised, violations);
  return { json };
};

/** A JSON body is small, so it has a deadline even while bytes keep arriving. Uploads have no deadline. */
const inJsonTime = <T>(arriving: Promise<T>, ms = defaultJsonMs): Promise<T> =>
  inTime(arriving, ms, () => {
    throw new Problem(408, `The body did not arrive within ${ms / 1000} seconds.`);
  });

/** With `leniency: reference`, `repository/content/fields/denormalise.ts` decides about a body that violates its schema. */
const acceptOrRefuse = (
  { operation, plain, isStrict, site: { leniency }, leniencies }: AuthorisedRequest,
  violations: readonly Violation[],
): void => {
  refuseFirst(violations.filter(({ pointer }) => !pointer.startsWith('/requestBody')));
  if (isStrict || (leniency === 'none' && operation.isResource)) {
    const lines = violations.map(({ pointer, message }) => `${pointer.replace('/requestBody', '') || '/'}: ${message}`);
    throw unprocessable(`Unprocessable Entity: validation failed.\n${lines.join('\n')}\n`);
  }
  if (plain.observations !== undefined) plain.observations.isLenient = true;
  leniencies.push(...violations);
};

/** The handler of an upload checks the headers itself, and refuses them in the real site's words. */
const isNotOfHeaders = ({ pointer }: Violation): boolean => !pointer.startsWith('/header');

const refuseFirst = ([violation]: readonly Violation[]): void => {
  if (violation !== undefined) throw new Problem(400, `${violation.pointer}: ${violation.message}`);
};
