/** Media type of the request and format of the answer: 415 and 406 (R 1.7, 1.8; decisions: GET without `_format`). */
import { linkHeader } from '../links/typed-link.ts';
import { Problem } from '../problem.ts';
import { mediaTypes } from '../representations/represent.ts';
import type { Format } from '../site/site.ts';
import type { Operation } from '../document/operation.ts';

/** Throws 415 for a POST or PATCH whose Content-Type is not the operation's. Compared case-sensitively, as the reference does. */
export const requireContentType = (
  operation: Operation,
  header: string | undefined,
  encoding: string | undefined,
): void => {
  if (operation.body === 'none') return;
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem(415, `The content encoding "${encoding.slice(0, 100)}" is not supported.`);
  }
  if (operation.takesAnyContentType || (operation.body === 'bytes' && operation.byteTypes.length === 0)) return;
  if (header === undefined || header === '') throw new Problem(415, 'No "Content-Type" request header specified');
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  const isUtf8 = charset === undefined || /^"?utf-?8"?$/i.test(charset);
  const accepted = operation.body === 'json' ? ['application/json', 'application/x-json'] : operation.byteTypes;
  if (!accepted.includes(type) || (operation.body === 'json' && !isUtf8)) {
    throw new Problem(415, `No route found that matches "Content-Type: ${header.slice(0, 200)}"`);
  }
};

const isKnown = (name: string): name is Format => name === 'json' || name === 'jsonld';

/**
 * The format of the answer. Throws 406, with a Link to every format there is, when the asked one is not enabled, or none
 * is asked for and the operation wants one. `url` is the request's own address without its query.
 */
export const chooseFormat = (operation: Operation, asked: string | undefined, url: string): Format => {
  const { format } = operation;
  if (format === undefined) return 'json';
  if (asked === undefined && !format.required) return 'json';
  if (asked !== undefined && isKnown(asked) && format.enabled.includes(asked)) return asked;
  const links = format.enabled.map((name) =>
    linkHeader({ target: `${url}?_format=${name}`, rel: 'alternate', type: mediaTypes[name] }),
  );
  throw new Problem(406, refusalOf(operation, asked, format.enabled), { headers: { Link: links } });
};

/** Where the reference has an HTML page beside the resource, its page route gives the answer, in other words. */
const refusalOf = (operation: Operation, asked: string | undefined, enabled: readonly Format[]): string =>
  asked !== undefined && operation.hasHtmlPage
    ? `Not acceptable format: ${asked.slice(0, 100)}`
    : `No route found for the specified format ${(asked ?? 'html').slice(0, 100)}. Supported formats: ${enabled.join(', ')}.`;

/** The media type of a refusal: that of the asked format where it is enabled, else JSON (decisions: Readings). */
export const problemMediaType = (operation: Operation | undefined, asked: string | undefined): string =>
  asked === 'jsonld' && operation?.format?.enabled.includes('jsonld') === true ? mediaTypes.jsonld : mediaTypes.json;
