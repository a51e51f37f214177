/** Reads from the head of a request what it means: its method, the media type of its body (415), the format of its answer (406), or a page. */
import { discardStream } from '../../basics/byte-streams.ts';
import { linkHeader } from '../links/typed-link.ts';
import { mediaTypes } from '../representations/represent.ts';
import type { Format } from '../site/site.ts';
import type { Operation } from '../document/operation.ts';
import type { EngineOptions } from './engine-options.ts';
import { isRead, type PlainReply, type PlainRequest } from '../../openapi/openapi-host.ts';
import { bareMediaType, Problem } from '../../openapi/openapi-terms.ts';

/**
 * Whether a write meets the page at its path in place of the resource. On the real site the route of such a page takes every method,
 * and without a `_format` it goes before the resource.
 */
export const hitsPage = ({ hasHtmlPage, method }: Operation, requested: string | undefined): boolean =>
  hasHtmlPage && method !== 'GET' && (requested === undefined || requested === 'html');

/** Throws 415 for a body whose encoding or Content-Type the operation does not accept. Case does not matter (RFC 9110 §8.3.1). */
export const requireContentType = (
  operation: Operation,
  { 'content-type': header, 'content-encoding': encoding }: PlainRequest['headers'],
  formatName: string | undefined,
): void => {
  // A page looks at no body.
  if (operation.body === 'none' || hitsPage(operation, formatName)) return;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem(415, `The content encoding "${encoding.slice(0, 100)}" is not supported.`);
  }
  if (operation.takesAnyContentType || (operation.body === 'bytes' && operation.byteTypes.length === 0)) return;
  if (header === undefined || header === '') throw new Problem(415, 'No "Content-Type" request header specified');
  // The real site ignores every parameter, also another charset: it reads the body as UTF-8 whatever it is called.
  const accepted = operation.body === 'json' ? ['application/json', 'application/x-json'] : operation.byteTypes;
  if (!accepted.includes(bareMediaType(header))) {
    throw new Problem(415, `No route found that matches "Content-Type: ${header.slice(0, 200)}"`);
  }
};

const isFormat = (name: string): name is Format => name === 'json' || name === 'jsonld';

/**
 * The format of the answer. `requested` is the value of `_format`, `url` the request's address without its query. Throws
 * 406, with a Link to each enabled format, when the requested one is not enabled or a required one is missing.
 */
export const chooseFormat = (operation: Operation, requested: string | undefined, url: string): Format => {
  const { format } = operation;
  if (format === undefined || hitsPage(operation, requested)) return 'json';
  if (requested === undefined && !format.required) return 'json';
  if (requested !== undefined && isFormat(requested) && format.enabled.includes(requested)) return requested;
  const links = format.enabled.map((name) =>
    linkHeader({ target: `${url}?_format=${name}`, rel: 'alternate', type: mediaTypes[name] }),
  );
  throw new Problem(406, refusalOf(operation, requested, format.enabled), { headers: { Link: links } });
};

/** Where the real site has an HTML page at the same path, the page refuses the format, with a message of its own. */
const refusalOf = (
  { hasHtmlPage, method }: Operation,
  requested: string | undefined,
  enabled: readonly Format[],
): string => {
  const name = (requested ?? 'html').slice(0, 100);
  if (requested !== undefined && hasHtmlPage && method === 'GET') return `Not acceptable format: ${name}`;
  const supported = [...enabled, ...(hasHtmlPage && method !== 'GET' ? ['html'] : [])].join(', ');
  return `No route found for the specified format ${name}. Supported formats: ${supported}.`;
};

/**
 * The media type of a refusal: JSON-LD when it is requested and enabled, else JSON. The contract says that the 404 of a record is JSON
 * ("Errors"); a real site answers it as JSON-LD under that format.
 */
export const problemMediaType = (
  operation: Operation | undefined,
  requested: string | undefined,
  status: number,
): string =>
  requested === 'jsonld' && status !== 404 && operation?.format?.enabled.includes('jsonld') === true
    ? mediaTypes.jsonld
    : mediaTypes.json;

/**
 * Whether a read wants a page for people: its `Accept` names text/html, and JSON with no better quality (RFC 9110 §12.5.1). So
 * do browsers. A range that allows everything names nothing.
 */
export const prefersPage = (request: Pick<PlainRequest, 'method' | 'headers'>): boolean => {
  const accept = request.headers['accept'];
  if (accept === undefined || !isRead(request) || !/text\/html/i.test(accept)) return false;
  const qualities = readAccept(accept);
  const html = qualities.get('text/html') ?? 0;
  const json = ['application/json', 'application/*', '*/*'].find((range) => qualities.has(range));
  return html > 0 && html >= Math.max(qualities.get(json ?? '') ?? 0, qualities.get(mediaTypes.jsonld) ?? 0);
};

/** The quality of each media range of an `Accept`; the first counts where one is named twice. */
const readAccept = (accept: string): ReadonlyMap<string, number> => {
  const qualities = new Map<string, number>();
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters
      .map((text) => /^q\s*=\s*(\d(?:\.\d{0,3})?)$/.exec(text)?.[1])
      .find((text) => text !== undefined);
    if (!qualities.has(range)) qualities.set(range, weight === undefined ? 1 : Number(weight));
  }
  return qualities;
};

/**
 * The request with the method that its `X-HTTP-Method-Override` names, where the site reads that header: any word, also
 * one that no path has. open: a value that is not a word is passed over.
 */
export const intended = (request: PlainRequest, { methodOverride }: EngineOptions): PlainRequest => {
  if (methodOverride !== true || request.method !== 'POST') return request;
  const method = request.headers['x-http-method-override']?.toUpperCase();
  return method !== undefined && /^[A-Z]+$/.test(method) ? { ...request, method } : request;
};

/** A POST that is answered as HEAD has no body, though HTTP would allow one. */
export const withoutBodyOfHead = (reply: PlainReply, sent: PlainRequest, options: EngineOptions): PlainReply => {
  if (sent.method !== 'POST' || intended(sent, options).method !== 'HEAD') return reply;
  if (typeof reply.body === 'object') discardStream(reply.body.stream);
  const headers = Object.entries(reply.headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  return { ...reply, headers: Object.fromEntries(headers), body: undefined };
};
