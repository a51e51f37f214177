/** A blob storage that keeps its bytes in a bucket of an S3 service. */
import { PassThrough, Readable } from 'node:stream';
import type * as S3 from '@aws-sdk/client-s3';
import type * as LibStorage from '@aws-sdk/lib-storage';
import { webStream } from '../../basics/disk/web-stream.ts';
import { importModule } from '../../basics/import-module.ts';
import { type Arrivals, createArrivals } from './arrivals.ts';
import { receiveBody, type ReceivedBody } from './receive-body.ts';
import { createPartSums, mayBeEtagOf, type PartSums } from './s3-etag.ts';
import type {
  BlobReference,
  BlobStorage,
  ByteRange,
  ReceivedBlob,
  ReceiveOptions,
  S3Location,
} from '../../openapi/openapi-records.ts';
import { Problem, retryLater } from '../../openapi/openapi-terms.ts';
import { isMissing, orProblem, statusOf } from './s3-errors.ts';

type S3BlobStorageOptions = {
  readonly location: S3Location;
  /** Returns a new uuid; its 32 hex digits become the name. Called again when the name is taken. */
  readonly newName: () => string;
  /** How long the service may say nothing. The SDK begins to count the 6 s after 3 s, so a client has its 503 within ten seconds. */
  readonly silenceMs?: number;
};

export type S3BlobStorage = BlobStorage & {
  /**
   * Aborts the multipart uploads of ended processes. They take space, but no listing of objects shows them. Where other
   * processes use the bucket at the same time, `olderThanMs` spares theirs: only uploads that began before are aborted.
   */
  abortUnfinished(olderThanMs?: number): Promise<void>;
  /** Closes the connections. */
  close(): void;
};

/**
 * Opens a bucket without a request, so that the server starts even when the service is down. Loads the AWS SDK. S3 cannot
 * rename, so bytes are sent under their final name: `keep` sends nothing, `discard` deletes, and `keys()` lists no
 * name before `keep` (docs/inside/decisions/0011-s3-names.md). Every refusal of the service becomes a 503.
 */
export const openS3BlobStorage = async (options: S3BlobStorageOptions): Promise<S3BlobStorage> => {
  const { location, newName, silenceMs = 6_000 } = options;
  const [sdk, { Upload }] = (await Promise.all([
    importModule('@aws-sdk/client-s3'),
    importModule('@aws-sdk/lib-storage'),
  ])) as [typeof S3, typeof LibStorage]; // the modules of these names
  const client = new sdk.S3Client({
    ...{ region: location.region, forcePathStyle: location.pathStyle },
    ...(location.endpoint === undefined ? {} : { endpoint: location.endpoint }),
    ...(location.keys === undefined ? {} : { credentials: { ...location.keys } }),
    // Services other than Amazon's refuse the SDK's default checksums or store them as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: silenceMs, socketTimeout: silenceMs },
  });
  await giveUpInSilence(client);
  const arrivals = createArrivals((key) => orProblem(remove(bucket, key)));
  const bucket: Bucket = { sdk, Upload, client, location, newName, arrivals, pending: new Set() };
  return {
    receive: (source, options) => receive(bucket, source, options),
    open: (blob, range) => orProblem(openBlob(bucket, blob, range)),
    sweep: (unnamed) => bucket.arrivals.sweep(async () => [...(await unnamed())].filter((key) => keyPattern.test(key))),
    keys: () => orProblem(listKeys(bucket)),
    age: (key) => orProblem(ageOf(bucket, key)),
    abortUnfinished: (olderThanMs = 0) => orProblem(abortUnfinished(bucket, olderThanMs)),
    reach: async () => {
      await orProblem(client.send(new sdk.ListObjectsV2Command({ Bucket: location.bucket, MaxKeys: 1 })));
    },
    close: () => client.destroy(),
  };
};

type RetryStrategy = Extract<
  Awaited<ReturnType<S3.S3Client['config']['retryStrategy']>>,
  { readonly refreshRetryTokenForRetry: unknown }
>;

/** A service that says nothing is not asked a second time: the client would wait twice. */
const giveUpInSilence = async ({ config }: S3.S3Client): Promise<void> => {
  const usual = (await config.retryStrategy()) as RetryStrategy; // what the SDK makes when it is given none
  const strategy: RetryStrategy = {
    acquireInitialRetryToken: (scope) => usual.acquireInitialRetryToken(scope),
    refreshRetryTokenForRetry: (token, info) => {
      if ((info.error as Error | undefined)?.name === 'TimeoutError')
        return Promise.reject(new Error('No answer came.'));
      return usual.refreshRetryTokenForRetry(token, info);
    },
    recordSuccess: (token) => usual.recordSuccess(token),
  };
  config.retryStrategy = () => Promise.resolve(strategy);
};

type Bucket = Pick<S3BlobStorageOptions, 'location' | 'newName'> & {
  readonly sdk: typeof S3;
  readonly Upload: typeof LibStorage.Upload;
  readonly client: S3.S3Client;
  readonly arrivals: Arrivals;
  /** Names of blobs that are not kept yet. */
  readonly pending: Set<string>;
};

const keyPattern = /^[0-9a-f]{32}$/;

const addressOf = ({ location }: Bucket, key: string) => ({ Bucket: location.bucket, Key: location.keyPrefix + key });

/** S3 allows 10,000 parts, which are 80 GiB at this size. Up to two parts are in memory. */
const partBytes = 8 * 1024 * 1024;

const receive = async (
  bucket: Bucket,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedBlob> => {
  const { arrivals, pending } = bucket;
  const key = await orProblem(claimKey(bucket));
  await arrivals.begin(key, () => false);
  try {
    const received = await send(bucket, key, source, options);
    const { size, sha256 } = received;
    return {
      ...received,
      keep: () => {
        pending.delete(key);
        return Promise.resolve({ key, size, sha256 });
      },
      settle: () => arrivals.settle(key),
      discard: () => arrivals.giveUp(key).finally(() => pending.delete(key)),
    };
  } catch (error) {
    // The sweep of the next start removes what cannot be removed now.
    const removed = arrivals.giveUp(key).catch(() => undefined);
    await unlessServiceFailed(
      error,
      removed.finally(() => pending.delete(key)),
    );
    throw error;
  }
};

/** Waits for the work. When the service has failed, the client gets its refusal first. */
const unlessServiceFailed = async (error: unknown, work: Promise<unknown>): Promise<void> => {
  if (!(error instanceof Problem && error.status === 503)) await work;
};

/** Sends a small body in one request and a larger one in parts, and asks for the stored object. */
const send = async (
  bucket: Bucket,
  key: string,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedBody> => {
  const body = new PassThrough({ highWaterMark: 1024 * 1024 });
  // The library destroys the body when the service fails. `done` rejects with the error itself.
  body.on('error', () => undefined);
  const upload = new bucket.Upload({
    client: bucket.client,
    params: { ...addressOf(bucket, key), Body: body, ContentType: 'application/octet-stream' },
    partSize: partBytes,
    queueSize: 1,
    // `abortParts` does it, so that the client need not wait.
    leavePartsOnError: true,
  });
  const sums = createPartSums(partBytes);
  const sent = orProblem(upload.done());
  sent.catch(() => undefined);
  try {
    const received = await receiveBody(source, options, async (chunk) => {
      sums.add(chunk);
      await push(body, chunk);
      if (body.destroyed) await sent;
    });
    body.end();
    const { ETag } = await sent;
    await orProblem(requireStored(bucket, key, { size: received.size, sums, etag: ETag }));
    return received;
  } catch (error) {
    body.destroy(new Error('The upload has been given up.'));
    await sent.catch(() => undefined);
    await unlessServiceFailed(error, abortParts(bucket, key, upload.uploadId));
    throw error;
  }
};

type Sent = { readonly size: number; readonly sums: PartSums; readonly etag: string | undefined };

/** Throws 503 when the service has not stored the bytes that were sent, whatever it answered. */
const requireStored = async (bucket: Bucket, key: string, { size, sums, etag }: Sent): Promise<void> => {
  const found = await bucket.client.send(new bucket.sdk.HeadObjectCommand(addressOf(bucket, key)));
  const isEncrypted = found.ServerSideEncryption?.startsWith('aws:kms') ?? found.SSECustomerAlgorithm !== undefined;
  const isSame = etag === undefined || found.ETag === undefined || found.ETag === etag;
  const isOurs = isEncrypted || mayBeEtagOf(sums, found.ETag ?? '');
  if (found.ContentLength !== size || !isSame || !isOurs) {
    throw retryLater('The storage of this content did not keep it. Try again.');
  }
};

const abortParts = async ({ client, sdk, ...bucket }: Bucket, key: string, id: string | undefined): Promise<void> => {
  if (id === undefined) return;
  const address = { Bucket: bucket.location.bucket, Key: bucket.location.keyPrefix + key, UploadId: id };
  // The next start aborts what cannot be aborted now.
  await client.send(new sdk.AbortMultipartUploadCommand(address)).catch(() => undefined);
};

/** Resolves when the stream takes more bytes or is closed. */
const push = (body: PassThrough, chunk: Uint8Array): Promise<void> | undefined => {
  if (body.destroyed || body.write(chunk)) return undefined;
  return new Promise((resolve) => {
    const done = (): void => {
      body.off('drain', done).off('close', done);
      resolve();
    };
    body.once('drain', done).once('close', done);
  });
};

/** Reserves a free name. Uuids from a fixed seed repeat, and an upload would overwrite another blob. */
const claimKey = async (bucket: Bucket): Promise<string> => {
  for (;;) {
    const key = bucket.newName().replaceAll('-', '').toLowerCase();
    if (!keyPattern.test(key)) throw new Error('A blob name must be a uuid.');
    if (bucket.pending.has(key)) continue;
    bucket.pending.add(key);
    try {
      await bucket.client.send(new bucket.sdk.HeadObjectCommand(addressOf(bucket, key)));
    } catch (error) {
      if (isMissing(error)) return key;
      bucket.pending.delete(key);
      throw error;
    }
    bucket.pending.delete(key);
  }
};

const openBlob = async (
  bucket: Bucket,
  blob: BlobReference,
  range: ByteRange | undefined,
): Promise<ReadableStream<Uint8Array> | undefined> => {
  if (!keyPattern.test(blob.key)) return undefined;
  const bytes = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
  try {
    const command = new bucket.sdk.GetObjectCommand({ ...addressOf(bucket, blob.key), ...bytes });
    const found = await bucket.client.send(command);
    const total = found.ContentRange === undefined ? found.ContentLength : Number(found.ContentRange.split('/')[1]);
    if (!(found.Body instanceof Readable)) return undefined;
    if (total === blob.size) return webStream(found.Body);
    found.Body.destroy();
  } catch (error) {
    // 416: the object is shorter than its record says.
    if (!isMissing(error) && statusOf(error) !== 416) throw error;
  }
  return undefined;
};

const remove = async (bucket: Bucket, key: string): Promise<void> => {
  try {
    await bucket.client.send(new bucket.sdk.DeleteObjectCommand(addressOf(bucket, key)));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
};

/** By the clock of the service: its answer has the time. */
const ageOf = async (bucket: Bucket, key: string): Promise<number | undefined> => {
  if (!keyPattern.test(key)) return undefined;
  const command = new bucket.sdk.HeadObjectCommand(addressOf(bucket, key));
  let now = Number.NaN;
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      // The SDK passes on the reply of the service.
      const { headers = {} } = result.response as { readonly headers?: Readonly<Record<string, string>> };
      now = Date.parse(headers['date'] ?? '');
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
  try {
    const { LastModified } = await bucket.client.send(command);
    const age = now - (LastModified?.getTime() ?? Number.NaN);
    return Number.isNaN(age) ? undefined : age;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

const listKeys = async ({ sdk, client, location, pending }: Bucket): Promise<readonly string[]> => {
  const keys: string[] = [];
  const pages = sdk.paginateListObjectsV2({ client }, { Bucket: location.bucket, Prefix: location.keyPrefix });
  for await (const { Contents = [] } of pages) {
    keys.push(...Contents.map(({ Key = '' }) => Key.slice(location.keyPrefix.length)));
  }
  return keys.filter((key) => keyPattern.test(key) && !pending.has(key)).sort();
};

const abortUnfinished = async ({ sdk, client, location, pending }: Bucket, olderThanMs: number): Promise<void> => {
  const scope = { Bucket: location.bucket, Prefix: location.keyPrefix };
  const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand(scope));
  for (const { Key = '', UploadId, Initiated } of Uploads) {
    const key = Key.slice(location.keyPrefix.length);
    if (!keyPattern.test(key) || pending.has(key)) continue;
    if (olderThanMs > 0 && Date.now() - (Initiated?.getTime() ?? Date.now()) < olderThanMs) continue;
    await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: location.bucket, Key, UploadId }));
  }
};
