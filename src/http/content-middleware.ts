/** Response middleware: turns a named file into bytes, with ranges and conditions (RFC 9110 §13, §14; decisions: Caching headers). */
import { create as contentDisposition } from 'content-disposition';
import fresh from 'fresh';
import parseRange from 'range-parser';
import { firstValue, keyOf, textOf, type BlobReference, type Entity } from '../model/entity.ts';
import type { ResponseMiddleware } from '../engine/engine.ts';
import { isSentFile, problemReply, type Exchange, type OutgoingReply } from '../engine/exchange.ts';
import { Problem } from '../problem.ts';
import type { ByteRange } from '../model/blob-storage.ts';
import type { World } from '../world.ts';

/** What a browser may show; everything else is downloaded, so that no upload runs on the API's origin (cases U30). */
const inlineTypes =
  /^(image\/(png|jpeg|gif|webp|avif)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain|application\/pdf)\s*(;|$)/i;

/** Replies with bytes: 200, 206, 304, 404 when the bytes are gone, 416. Other replies pass. */
export const withFileContent: ResponseMiddleware = async (reply, exchange, world) => {
  if (!isSentFile(reply.body)) return reply;
  const { file, scheme } = reply.body;
  for (let shown: Entity | undefined = file; shown?.blob !== undefined;) {
    const sent = await contentOf({ file: shown, blob: shown.blob, scheme }, exchange, world);
    if (sent !== undefined) return sent;
    const gone: string = shown.blob.key;
    const [present]: readonly (Entity | undefined)[] = await world.store.getMany([keyOf(file)]);
    // Replaced between the look at its record and the opening of its bytes: the new content is shown (cases U04).
    shown = present?.blob?.key === gone ? undefined : present;
  }
  throw exchange.request.absent('path');
};

type StoredFile = { readonly file: Entity; readonly blob: BlobReference; readonly scheme: string };

/** Undefined when there are no such bytes. */
const contentOf = async (
  { file, blob, scheme }: StoredFile,
  { request, method }: Exchange,
  world: World,
): Promise<OutgoingReply | undefined> => {
  const headers = fileHeaders(file, blob, isOpen(world, scheme));
  const described: OutgoingReply = { status: 200, headers, mediaType: textOf(firstValue(file, 'filemime')) };
  if (fresh({ ...request.headers }, { etag: headers['ETag'], 'last-modified': headers['Last-Modified'] })) {
    return { status: 304, headers };
  }
  const range = method === 'HEAD' ? undefined : rangeOf(request.headers, headers, blob.size);
  if (range === 'unsatisfiable') return unsatisfiable(blob.size);
  const stream = await world.blobs.get(scheme)?.open(blob, range);
  if (stream === undefined) return undefined;
  const length = range === undefined ? blob.size : range.end - range.start + 1;
  if (method === 'HEAD') stream.destroy();
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
    'Content-Disposition': contentDisposition(textOf(firstValue(file, 'filename')), { type }),
    'Content-Security-Policy': 'sandbox',
  };
};

type Validators = { readonly ETag: string; readonly 'Last-Modified': string };

/** Of several ranges the first is answered, as the reference does (R 3.4); unknown units are ignored. */
const rangeOf = (
  sent: Readonly<Record<string, string | undefined>>,
  validators: Validators,
  size: number,
): ByteRange | 'unsatisfiable' | undefined => {
  const range = sent['range'];
  if (range === undefined || !/^bytes=/i.test(range) || !isCurrent(sent['if-range'], validators)) return undefined;
  const ranges = parseRange(size, wholeAtMost(range, size), { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  const first = ranges === -2 ? undefined : ranges[0];
  return first === undefined ? undefined : { start: first.start, end: first.end };
};

/** A suffix longer than the file means all of it (RFC 9110 §14.1.3), which the parser does not know. */
const wholeAtMost = (range: string, size: number): string =>
  range.replace(/([=,][ \t]*)-(\d+)/g, (all, before: string, length: string) =>
    Number(length) > size ? `${before}-${size}` : all,
  );

/** If-Range: the exact ETag, or the exact date (RFC 9110 §13.1.5). */
const isCurrent = (ifRange: string | undefined, validators: Validators): boolean =>
  ifRange === undefined || ifRange === validators.ETag || ifRange === validators['Last-Modified'];

const unsatisfiable = (size: number): OutgoingReply =>
  problemReply(
    new Problem(416, 'The requested range is not satisfiable.', { headers: { 'Content-Range': `bytes */${size}` } }),
  );
