/** Bytes in a bucket of an S3 service. Which record owns which blob is not known here. */
import { PassThrough, Readable } from 'node:stream';
import type * as S3 from '@aws-sdk/client-s3';
import type * as LibStorage from '@aws-sdk/lib-storage';
import type { BlobReference } from '../../model/entity.ts';
import { Problem, unavailable } from '../../problem.ts';
import type { S3Place } from '../../site/site.ts';
import type { BlobStorage, ByteRange, ReceivedBlob, ReceiveOptions } from '../../model/blob-storage.ts';
import { takeIn, type Intake } from './intake.ts';

export type S3BlobStorageOptions = {
  readonly place: S3Place;
  /** Gives a new uuid; only its 32 hex digits are used. A name that is taken is asked for again. */
  readonly newName: () => string;
};

export type S3BlobStorage = BlobStorage & {
  /** Aborts the uploads in parts that a dead process left: no listing of objects shows the room that they take. */
  abortUnfinished(): Promise<void>;
  /** Ends the connections. */
  close(): void;
};

/**
 * Opens a bucket without asking it anything, so that a service that is down stops no start. Loads the AWS SDK. What
 * arrives is sent under its final name at once, as S3 cannot rename: `keep` does nothing, `discard` deletes, and until then
 * the name is not among `keys()` (docs/decisions/0020-s3-names.md). Rejects with 503 whatever the service refuses.
 */
export const openS3BlobStorage = async ({ place, newName }: S3BlobStorageOptions): Promise<S3BlobStorage> => {
  const [sdk, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
  const client = new sdk.S3Client({
    region: place.region,
    forcePathStyle: place.pathStyle,
    ...(place.endpoint === undefined ? {} : { endpoint: place.endpoint }),
    ...(place.keys === undefined ? {} : { credentials: { ...place.keys } }),
    // The SDK's default checksums are refused, or stored as content, by other services than Amazon's (dependencies 3.1).
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
  });
  const bucket: Bucket = { sdk, Upload, client, place, newName, pending: new Set() };
  return {
    receive: (source, options) => receive(bucket, source, options),
    open: (blob, range) => orProblem(openBlob(bucket, blob, range)),
    remove: async (key) => {
      if (keyPattern.test(key)) await orProblem(remove(bucket, key));
    },
    keys: () => orProblem(listKeys(bucket)),
    abortUnfinished: () => orProblem(abortUnfinished(bucket)),
    close: () => client.destroy(),
  };
};

type Bucket = {
  readonly sdk: typeof S3;
  readonly Upload: typeof LibStorage.Upload;
  readonly client: S3.S3Client;
  readonly place: S3Place;
  readonly newName: () => string;
  /** Names whose bytes have not been kept yet. */
  readonly pending: Set<string>;
};

const keyPattern = /^[0-9a-f]{32}$/;

const addressOf = ({ place }: Bucket, key: string) => ({ Bucket: place.bucket, Key: place.keyPrefix + key });

/** One part is in memory while the next is gathered; 10,000 parts of this size are 80 GiB. */
const partBytes = 8 * 1024 * 1024;

const receive = async (
  bucket: Bucket,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedBlob> => {
  const key = await orProblem(claimKey(bucket));
  try {
    const intake = await send(bucket, key, source, options);
    const { size, sha256 } = intake;
    return {
      ...intake,
      keep: () => {
        bucket.pending.delete(key);
        return Promise.resolve({ key, size, sha256 });
      },
      discard: async () => {
        await orProblem(remove(bucket, key));
        bucket.pending.delete(key);
      },
    };
  } catch (error) {
    // What cannot be removed now is an orphan that the next start sweeps.
    await remove(bucket, key).catch(() => undefined);
    bucket.pending.delete(key);
    throw error;
  }
};

/** Small bodies go as one object, larger ones in parts; an upload that fails is aborted by the library, parts and all. */
const send = async (
  bucket: Bucket,
  key: string,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<Intake> => {
  const body = new PassThrough({ highWaterMark: 1024 * 1024 });
  // The library destroys the body when the service fails; the error itself is that of `done`.
  body.on('error', () => undefined);
  const upload = new bucket.Upload({
    client: bucket.client,
    params: { ...addressOf(bucket, key), Body: body, ContentType: 'application/octet-stream' },
    partSize: partBytes,
    queueSize: 1,
  });
  const sent = orProblem(upload.done());
  sent.catch(() => undefined);
  try {
    const intake = await takeIn(source, options, async (chunk) => {
      await push(body, chunk);
      if (body.destroyed) await sent;
    });
    body.end();
    await sent;
    return intake;
  } catch (error) {
    body.destroy(new Error('The upload has been given up.'));
    await sent.catch(() => undefined);
    throw error;
  }
};

/** Resolves when there is room for more, or when there will never be. */
const push = (body: PassThrough, chunk: Uint8Array): Promise<void> | undefined => {
  if (body.destroyed || body.write(chunk)) return undefined;
  return new Promise((resolve) => {
    const goOn = (): void => {
      body.off('drain', goOn).off('close', goOn);
      resolve();
    };
    body.once('drain', goOn).once('close', goOn);
  });
};

/** Uuids may come from a fixed seed and so come again, and an upload would overwrite another blob. */
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
): Promise<Readable | undefined> => {
  if (!keyPattern.test(blob.key)) return undefined;
  const bytes = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
  try {
    const found = await bucket.client.send(
      new bucket.sdk.GetObjectCommand({ ...addressOf(bucket, blob.key), ...bytes }),
    );
    const total = found.ContentRange === undefined ? found.ContentLength : Number(found.ContentRange.split('/')[1]);
    if (!(found.Body instanceof Readable)) return undefined;
    if (total === blob.size) return found.Body;
    found.Body.destroy();
  } catch (error) {
    // A range beyond the end means that the object is shorter than its record says.
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

const listKeys = async ({ sdk, client, place, pending }: Bucket): Promise<readonly string[]> => {
  const keys: string[] = [];
  const pages = sdk.paginateListObjectsV2({ client }, { Bucket: place.bucket, Prefix: place.keyPrefix });
  for await (const { Contents = [] } of pages) {
    keys.push(...Contents.map(({ Key = '' }) => Key.slice(place.keyPrefix.length)));
  }
  return keys.filter((key) => keyPattern.test(key) && !pending.has(key)).sort();
};

const abortUnfinished = async ({ sdk, client, place, pending }: Bucket): Promise<void> => {
  const scope = { Bucket: place.bucket, Prefix: place.keyPrefix };
  const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand(scope));
  for (const { Key = '', UploadId } of Uploads) {
    const key = Key.slice(place.keyPrefix.length);
    if (!keyPattern.test(key) || pending.has(key)) continue;
    await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: place.bucket, Key, UploadId }));
  }
};

/** The status that the service answered with, undefined when it never did. */
const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode; // the shape of every SDK error

const isMissing = (error: unknown): boolean => statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket'; // see above

/** Whatever the service refuses or never answers is its fault, not the client's (decisions: the external store is down). */
const orProblem = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw unavailable('The storage of this content cannot be reached at the moment.', error);
  }
};
