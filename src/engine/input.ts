/** What a handler's second function gets: the size judged, the body read or left a stream, all of it held to the document. */
import type { Json } from '../model/entity.ts';
import { malformed, Problem, unprocessable } from '../problem.ts';
import type { Site } from '../site/site.ts';
import type { ContractViolation } from '../document/contract-violation.ts';
import type { Backend } from './backend.ts';
import type { PlainRequest } from './exchange.ts';
import type { AnyInput, AnyRequest } from './handler.ts';
import type { Operation } from '../document/operation.ts';
import { readJson, tooManyBytes } from './read-json.ts';

/** A request that has been let in: its caller may do what the operation does. */
export type Admitted = {
  readonly operation: Operation;
  readonly plain: PlainRequest;
  readonly request: AnyRequest;
  readonly site: Pick<Site, 'leniency' | 'maxJsonBytes' | 'maxUploadBytes'>;
};

export type InputOptions = {
  readonly backend: Backend;
  /** How long a JSON body may take to arrive whole, in milliseconds. */
  readonly jsonMs: number;
  /** Told when a body is read although its schema does not allow it. */
  readonly onLenientBody: (faults: readonly ContractViolation[]) => void;
  /** Refuses every body that its schema does not allow, whatever the site's leniency. */
  readonly isStrict: boolean;
};

/** Throws 413 by `Content-Length` before a byte is read; 400 and 422 of the body. Bytes stay a stream. */
export const readInput = async (admitted: Admitted, options: InputOptions): Promise<AnyInput> => {
  const { operation, plain, site } = admitted;
  const sent = plain.headers['content-length'];
  const length = sent === undefined ? undefined : Number(sent);
  const limit = operation.body === 'json' ? site.maxJsonBytes : site.maxUploadBytes;
  if (operation.body !== 'none' && length !== undefined && length > limit) throw tooManyBytes(limit);
  // RFC 9110 §14.5: a part must not be stored as if it were the whole.
  if (operation.body === 'bytes' && plain.headers['content-range'] !== undefined) {
    throw malformed('Content-Range is not supported: send the whole content.');
  }
  const parts = partsOf(admitted);
  if (operation.body !== 'json') {
    const faults = options.backend.requestViolations(operation, parts);
    if (plain.observations !== undefined) plain.observations.requestViolations = faults;
    refuseFaults(operation.body === 'bytes' ? faults.filter(isNotOfHeaders) : faults);
    return operation.body === 'bytes' ? { bytes: { stream: plain.body, length } } : {};
  }
  if (operation.isBodyOptional && isWithoutBody(plain.headers)) return { json: {} };
  const emptyMessage = operation.isResource ? 'No entity content received.' : 'Syntax error';
  const json: Json = await withinTime(readJson(plain.body, { maxBytes: limit, emptyMessage }), options.jsonMs);
  const faults = isScalar(json)
    ? [scalarFault]
    : options.backend.requestViolations(operation, { ...parts, body: json });
  if (plain.observations !== undefined) plain.observations.requestViolations = faults;
  if (faults.length > 0) judgeBody(admitted, faults, options);
  return { json };
};

/** A body is announced by its length or by its coding (RFC 9112 §6). */
export const isWithoutBody = (headers: PlainRequest['headers']): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';

/** However steadily it trickles: a JSON body is small (decisions: Defaults). Uploads have no such deadline. */
const withinTime = async <T>(arriving: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Problem(408, `The body did not arrive within ${ms / 1000} seconds.`)), ms);
  });
  try {
    return await Promise.race([arriving, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** openapi-backend would parse a string once more, and take `null` for no body: no schema allows any of them. */
const isScalar = (json: Json): boolean => typeof json !== 'object' || json === null;
const scalarFault: ContractViolation = { pointer: '/requestBody', message: 'must be object' };

const partsOf = ({ operation, plain, request }: Admitted): Parameters<Backend['requestViolations']>[1] => ({
  params: request.path,
  // Unknown parameters are not looked at; `_format` has been judged already (decisions: Ids in paths).
  query: {
    ...defined(Object.entries(request.query)),
    ...(operation.format === undefined ? {} : { _format: request.format }),
  },
  headers: defined(operation.headerNames.map((name) => [name, plain.headers[name]])),
});

/** With `leniency: reference` the denormaliser judges a body that its schema does not allow (decisions: Leniencies). */
const judgeBody = (
  { operation, plain, site: { leniency } }: Admitted,
  faults: readonly ContractViolation[],
  options: InputOptions,
): void => {
  refuseFaults(faults.filter(({ pointer }) => !pointer.startsWith('/requestBody')));
  if (options.isStrict || (leniency === 'none' && operation.isResource)) {
    const lines = faults.map(({ pointer, message }) => `${pointer.replace('/requestBody', '') || '/'}: ${message}`);
    throw unprocessable(`Unprocessable Entity: validation failed.\n${lines.join('\n')}\n`);
  }
  if (plain.observations !== undefined) plain.observations.isLenient = true;
  options.onLenientBody(faults);
};

/** An upload judges its headers itself, in the words of the reference (R 2.7, R 3.1). */
const isNotOfHeaders = ({ pointer }: ContractViolation): boolean => !pointer.startsWith('/header');

const refuseFaults = ([fault]: readonly ContractViolation[]): void => {
  if (fault !== undefined) throw new Problem(400, `${fault.pointer}: ${fault.message}`);
};

const defined = <T>(entries: readonly (readonly [string, T | undefined])[]): Record<string, T> =>
  Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
