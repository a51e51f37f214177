/** The response middleware: adds the links of a record, and opens the bytes of a file, with ranges and conditions (RFC 9110 §13, §14). */
import { create as contentDisposition } from 'content-disposition';
import fresh from 'fresh';
import parseRange from 'range-parser';
import { discardStream } from '../../basics/byte-streams.ts';
import type { ResponseMiddleware } from './engine-options.ts';
import { isFileBody, problemReply, type Exchange, type OutgoingReply } from './exchange.ts';
import type { FileBody } from './handler.ts';
import { linkHeadersOf } from '../links/entity-links.ts';
import { linkContextOf } from '../links/link-context.ts';
import type { World } from '../world.ts';
import {
  firstValue,
  keyOf,
  textOf,
  type BlobReference,
  type Entity,
  type ByteRange,
} from '../../openapi/openapi-records.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

/** The types that a browser may show. It downloads others, so that no uploaded page runs on the API's origin. */
const inlineTypes =
  /^(image\/(png|jpeg|gif|webp|avif)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain|application\/pdf)\s*(;|$)/i;

/** Adds one `Link` line for each link. The links name only what the principal may see. */
export const withLinks: ResponseMiddleware = (reply, { operation, request }, world, records) => {
  const { status, subject } = reply;
  if (subject === undefined || status !== 200 || operation.method !== 'GET') return reply;
  const { principal } = request.identity;
  const links = linkHeadersOf(
    subject,
    linkContextOf(world, { principal, records, type: subject.type }, request.format),
  );
  return links.length === 0 ? reply : { ...reply, headers: { ...reply.headers, Link: links } };
};

/** Answers a file with 200, 206, 304 or 416, and with 404 when its bytes are missing. Other replies pass unchanged. */
export const withFileContent: ResponseMiddleware = (reply, exchange, world) =>
  isFileBody(reply.body) ? withContent(reply.body, exchange, world) : reply;

const withContent = async ({ file, scheme }: FileBody, exchange: Exchange, world: World): Promise<OutgoingReply> => {
  for (let current: Entity | undefined = file; current?.blob !== undefined;) {
    const sent = await contentOf({ file: current, blob: current.blob, scheme }, exchange, world);
    if (sent !== undefined) return sent;
    const missing: string = current.blob.key;
    const [present]: readonly (Entity | undefined)[] = await world.store.getMany([keyOf(file)]);
    // The content was replaced after the record was read: answer with the new content.
    current = present?.blob?.key === missing ? undefined : present;
  }
  throw exchange.request.absent('path');
};

type StoredFile = { readonly file: Entity; readonly blob: BlobReference; readonly scheme: string };

/** Undefined when the storage does not have the bytes. */
const contentOf = async (
  { file, blob, scheme }: StoredFile,
  { request, method }: Exchange,
  world: World,
): Promise<OutgoingReply | undefined> => {
  const headers = fileHeaders(file, blob, isOpen(world, scheme));
  const described: OutgoingReply = { status: 200, headers, mediaType: textOf(firstValue(file, 'filemime')) };
  if (isUnchanged(request.headers, headers)) return { status: 304, headers };
  const range = method === 'HEAD' ? undefined : rangeOf(request.headers, headers, blob.size);
  if (range === 'unsatisfiable') return unsatisfiable(blob.size);
  const stream = await world.blobs.get(scheme)?.open(blob, range);
  if (stream === undefined) return undefined;
  const length = range === undefined ? blob.size : range.end - range.start + 1;
  if (method === 'HEAD') discardStream(stream);
  const body = { stream, length };
  if (range === undefined) return { ...described, body };
  const contentRange = `bytes ${range.start}-${range.end}/${blob.size}`;
  return { ...described, status: 206, headers: { ...headers, 'Content-Range': contentRange }, body };
};

const isOpen = (world: World, scheme: string): boolean =>
  world.site.storages.some((mount) => mount.scheme === scheme && mount.access === 'open');

const fileHeaders = (file: Entity, blob: BlobReference, open: boolean) => {
  const type = inlineTypes.test(textOf(firstValue(file, 'filemime'))) ? 'inline' : 'attachment';
  const changed = firstValue(file, 'changed');
  return {
    ETag: `"${blob.sha256}"`,
    'Last-Modified': new Date((typeof changed === 'number' ? changed : 0) * 1000).toUTCString(),
    'Accept-Ranges': 'bytes',
    'Cache-Control': open ? 'public, no-cache' : 'private, no-cache',
    // The web server of a real site sends the bytes of open storages itself, without what the site adds.
    ...(open ? { Expires: [], 'Content-language': [] } : {}),
    'Content-Disposition': contentDisposition(textOf(firstValue(file, 'filename')), { type }),
    'Content-Security-Policy': 'sandbox',
  };
};

type Validators = { readonly ETag: string; readonly 'Last-Modified': string };

/**
 * Judges the conditions alone. A browser adds `Cache-Control: no-cache` where a page has set the condition, and then `fresh`
 * would take the bytes for changed. The web server of a real site answers 304.
 */
const isUnchanged = (sent: Readonly<Record<string, string | undefined>>, validators: Validators): boolean => {
  const conditions = { 'if-none-match': sent['if-none-match'], 'if-modified-since': sent['if-modified-since'] };
  return fresh(conditions, { etag: validators.ETag, 'last-modified': validators['Last-Modified'] });
};

/** The first of several ranges, as on the real site. Unknown units are ignored. */
const rangeOf = (
  sent: Readonly<Record<string, string | undefined>>,
  validators: Validators,
  size: number,
): ByteRange | 'unsatisfiable' | undefined => {
  const range = sent['range'];
  if (range === undefined || !/^bytes=/i.test(range) || !isCurrent(sent['if-range'], validators)) return undefined;
  const ranges = parseRange(size, shortenSuffix(range, size), { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  const first = ranges === -2 ? undefined : ranges[0];
  return first === undefined ? undefined : { start: first.start, end: first.end };
};

/** A suffix longer than the file means the whole file (RFC 9110 §14.1.3). `range-parser` refuses it. */
const shortenSuffix = (range: string, size: number): string =>
  range.replace(/([=,][ \t]*)-(\d+)/g, (all, before: string, length: string) =>
    Number(length) > size ? `${before}-${size}` : all,
  );

/** `If-Range` must be the exact ETag or the exact date (RFC 9110 §13.1.5). */
const isCurrent = (ifRange: string | undefined, validators: Validators): boolean =>
  ifRange === undefined || ifRange === validators.ETag || ifRange === validators['Last-Modified'];

const unsatisfiable = (size: number): OutgoingReply =>
  problemReply(
    new Problem(416, 'The requested range is not satisfiable.', { headers: { 'Content-Range': `bytes */${size}` } }),
  );
