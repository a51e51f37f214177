/** Planted bugs in the bytes of files, their ranges and validators. */
import {
  content,
  file,
  get,
  isRead,
  mutantsOf,
  one,
  onReply,
  onRequest,
  reads,
  valuesOf,
  withBody,
  withHeader,
  withStatus,
  type Sending,
  type SeenReply,
  type SeenRequest,
} from './mutant.ts';

const path = '/_flysystem/fedora/2019-03/fleet-at-anchor.png';
const whole = get(path, 'editor');
const range = (value: string) => one('GET', path, { as: 'editor', headers: { range: value } } satisfies Sending);
const isContent = ({ path: asked }: SeenRequest): boolean => content.test(asked);
const withoutHeader =
  (name: string) =>
  (request: SeenRequest): SeenRequest => ({ ...request, headers: { ...request.headers, [name]: undefined } });
const changedBytes = (reply: SeenReply, change: (bytes: Buffer) => Buffer): SeenReply =>
  reply.body.length === 0 ? reply : withBody(reply, change(Buffer.from(reply.body)));

export const contentMutants = mutantsOf('file content', [
  [
    'a-byte-is-changed',
    'GET of the file’s `url`: 200; the binary content.',
    onReply(reads(content), (reply) =>
      changedBytes(reply, (bytes) => {
        bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
        return bytes;
      }),
    ),
    whole,
  ],
  [
    'content-is-cut',
    'filesize: bytes; the content has as many.',
    onReply(reads(content), (reply) => changedBytes(reply, (bytes) => bytes.subarray(0, -1))),
    whole,
  ],
  [
    'content-has-another-media-type',
    'The content has the media type of the file.',
    onReply(reads(content), (reply) => withHeader(reply, 'Content-Type', 'application/octet-stream')),
    whole,
  ],
  [
    'content-is-the-record',
    'File endpoints return metadata only; the binary content is fetched from the file’s public URL.',
    onReply(reads(content), (reply) =>
      withHeader(withBody(reply, '{"fid":[{"value":1}]}'), 'Content-Type', 'application/json'),
    ),
    whole,
  ],
  [
    'record-of-a-file-is-the-content',
    'File endpoints return metadata only.',
    onReply(reads(file), (reply) => withHeader(withBody(reply, 'bytes'), 'Content-Type', 'image/png')),
    get('/entity/file/1?_format=json', 'editor'),
  ],
  [
    'ranges-are-off-by-one',
    'Range: 206 with the bytes that were asked for (RFC 9110 §14).',
    onReply(reads(content, 206), (reply) =>
      changedBytes(reply, (bytes) => Buffer.concat([bytes.subarray(1), bytes.subarray(0, 1)])),
    ),
    range('bytes=0-9'),
  ],
  [
    'ranges-have-no-content-range',
    '206 has a Content-Range header (RFC 9110 §15.3.7).',
    onReply(reads(content, 206), (reply) => withHeader(reply, 'Content-Range')),
    range('bytes=0-9'),
  ],
  [
    'ranges-tell-the-wrong-length',
    'Content-Range tells the whole length (RFC 9110 §14.4).',
    onReply(reads(content, 206), (reply) =>
      withHeader(
        reply,
        'Content-Range',
        ...valuesOf(reply, 'Content-Range').map((value) => value.replace(/\d+$/, '10')),
      ),
    ),
    range('bytes=0-9'),
  ],
  [
    'ranges-are-ignored',
    'The service announces Accept-Ranges: bytes, so a range is answered with 206.',
    onRequest(isContent, withoutHeader('range')),
    range('bytes=0-9'),
  ],
  [
    'ranges-beyond-the-end-answer-500',
    'A range beyond the end: 416.',
    onReply(reads(content, 416), (reply) => withStatus(reply, 500)),
    range('bytes=99999998-99999999'),
  ],
  [
    'etag-is-always-the-same',
    'An ETag names one content (RFC 9110 §8.8.3): other bytes have another one.',
    onReply(
      (request, { status }) => isRead(request) && isContent(request) && (status === 200 || status === 206),
      (reply) => withHeader(reply, 'ETag', '"1"'),
    ),
    whole,
  ],
  [
    'unchanged-content-is-sent-again',
    'If-None-Match with the ETag of the content: 304 (RFC 9110 §13.1.2).',
    onRequest(isContent, withoutHeader('if-none-match')),
    async (send) => {
      const [etag = ''] = valuesOf(await send('GET', path, { as: 'editor' }), 'ETag');
      return send('GET', path, { as: 'editor', headers: { 'if-none-match': etag } });
    },
  ],
  [
    'changed-content-is-called-unchanged',
    'If-None-Match with another ETag: 200 with the content.',
    onReply(
      (request, { status }) =>
        isRead(request) && isContent(request) && status === 200 && request.headers['if-none-match'] !== undefined,
      (reply) => withStatus({ ...reply, body: Buffer.alloc(0) }, 304),
    ),
    one('GET', path, { as: 'editor', headers: { 'if-none-match': '"another"' } }),
  ],
  [
    'head-of-content-has-another-length',
    'HEAD has the headers of GET.',
    onReply(
      (request, { status }) => request.method === 'HEAD' && isContent(request) && status === 200,
      (reply) => ({ ...withHeader(reply, 'Content-Length', '1'), body: Buffer.alloc(0) }),
    ),
    one('HEAD', path, { as: 'editor' }),
  ],
  [
    'missing-content-answers-200',
    'Content that does not exist: 404.',
    onReply(reads(content, 404), (reply) => withStatus(reply, 200)),
    get('/sites/default/files/nothing-here.bin'),
  ],
  [
    'deleted-content-is-still-served',
    'DELETE of a file: its content is gone, too.',
    () => {
      const kept = new Map<string, SeenReply>();
      return async (request, ask) => {
        const reply = await ask(request);
        if (!isContent(request) || request.method !== 'GET') return reply;
        if (reply.status === 200) kept.set(request.path, reply);
        return reply.status === 404 ? (kept.get(request.path) ?? reply) : reply;
      };
    },
    async (send) => {
      await whole(send);
      await send('DELETE', '/entity/file/1?_format=json', { as: 'admin' });
      return whole(send);
    },
  ],
]);
