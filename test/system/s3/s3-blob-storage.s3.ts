/** The S3 storage against a real S3-speaking server; run by `npm run test:suite -- s3`, never without one. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { openS3BlobStorage } from '../../../src/storage/storage.ts';
import { bytesOf, chunksOf, describeBlobStorage } from '../../storage/blob-storage.suite.ts';
import { startServer } from '../../support/server.ts';
import { contentOf, mediaOf, newNode, storedNames, upload } from '../../support/uploads.ts';
import { describeUploads } from '../../content/uploads/uploads.suite.ts';
import type { S3Location } from '../../../src/openapi/openapi-records.ts';

const endpoint = process.env['ATOLL_S3_ENDPOINT'];
if (endpoint === undefined) throw new Error('There is no S3 server. Run: npm run test:suite -- s3');

/** The account that test/system/s3/swift.sh makes. */
const keys = { accessKeyId: 'atoll:tester', secretAccessKey: 'testing' };
const bucket = 'atoll-tests';
const client = new S3Client({
  ...{ endpoint, region: 'us-east-1', forcePathStyle: true, credentials: keys },
  requestChecksumCalculation: 'WHEN_REQUIRED',
});
beforeAll(() => client.send(new CreateBucketCommand({ Bucket: bucket })).then(() => undefined));

const placeOf = (keyPrefix: string, more: Partial<S3Location> = {}): S3Location => ({
  ...{ bucket, region: 'us-east-1', endpoint, pathStyle: true, keyPrefix, keys },
  ...more,
});
const partsUnder = async (prefix: string): Promise<number> =>
  (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }))).Uploads?.length ?? 0;
const objectsUnder = async (prefix: string): Promise<string[]> =>
  ((await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }))).Contents ?? []).map(
    ({ Key = '' }) => Key,
  );

describeBlobStorage('S3', async () => {
  const prefix = `${randomUUID()}/`;
  const storage = await openS3BlobStorage({ location: placeOf(prefix), newName: randomUUID });
  return { storage, isClean: async () => (await partsUnder(prefix)) === 0 };
});

const mounted =
  (more = `endpoint: '${endpoint}'`) =>
  (yaml: string): string =>
    yaml
      .replace('upload_bytes: 1073741824', 'upload_bytes: 30000000')
      .replace(
        'access: open }',
        `access: open, kind: s3, bucket: ${bucket}, path_style: true, access_key_id: '${keys.accessKeyId}', secret_access_key: ${keys.secretAccessKey}, ${more} }`,
      );

describeUploads(
  'S3',
  () => startServer({ onDisk: true, changeSite: mounted() }),
  async () => (await partsUnder('')) === 0,
);

describe('An S3 storage', () => {
  it('keeps to its own prefix and never gives a name twice', async () => {
    const [one, other] = [`${randomUUID()}/`, `${randomUUID()}/`];
    const name = randomUUID();
    const names = [name, name, randomUUID()];
    const storage = await openS3BlobStorage({ location: placeOf(one), newName: () => names.shift() ?? randomUUID() });
    const stranger = await openS3BlobStorage({ location: placeOf(other), newName: randomUUID });
    const first = await (await storage.receive(chunksOf('first'), { maxBytes: 10 })).keep();
    const second = await (await storage.receive(chunksOf('second'), { maxBytes: 10 })).keep();
    expect([await bytesOf(await storage.open(first)), await bytesOf(await storage.open(second))]).toEqual([
      ...['first', 'second'],
    ]);
    expect([await stranger.keys(), await stranger.open(first)]).toEqual([[], undefined]);
    expect((await objectsUnder(one)).sort()).toEqual([first.key, second.key].map((key) => one + key).sort());
  });

  it('lists no upload before it is kept, aborts the parts that a dead process left, and spares its own', async () => {
    const prefix = `${randomUUID()}/`;
    const key = `${prefix}${randomUUID().replaceAll('-', '')}`;
    await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: key }));
    expect(await partsUnder(prefix)).toBe(1);
    const storage = await openS3BlobStorage({ location: placeOf(prefix), newName: randomUUID });
    const received = await storage.receive(chunksOf('bytes'), { maxBytes: 10 });
    expect([await storage.keys(), await partsUnder(prefix)]).toEqual([[], 1]);
    await storage.abortUnfinished();
    expect(await partsUnder(prefix)).toBe(0);
    const { key: kept } = await received.keep();
    expect(await storage.keys()).toEqual([kept]);
    await received.discard();
    expect([await storage.keys(), await objectsUnder(prefix)]).toEqual([[], []]);
  });

  it('is 503 for a wrong key, a missing bucket and a service that is not there', async () => {
    const places = [
      placeOf('', { keys: { ...keys, secretAccessKey: 'wrong' } }),
      placeOf('', { bucket: 'no-such-bucket' }),
      placeOf('', { endpoint: 'http://127.0.0.1:9' }),
    ];
    for (const place of places) {
      const storage = await openS3BlobStorage({ location: place, newName: randomUUID });
      const blob = { key: 'a'.repeat(32), size: 1, sha256: '' };
      await expect(storage.receive(chunksOf('x'), { maxBytes: 10 })).rejects.toMatchObject({ status: 503 });
      await expect(storage.keys()).rejects.toMatchObject({ status: 503 });
      if (place.bucket !== 'no-such-bucket') await expect(storage.open(blob)).rejects.toMatchObject({ status: 503 });
    }
  });
});

describe('U44 An external store that is down', () => {
  it('stops no start, is 503, leaves no record, and other uploads go on', async () => {
    const down = (yaml: string): string =>
      yaml.replace(
        'access: guarded }',
        `access: guarded, kind: s3, bucket: ${bucket}, path_style: true, access_key_id: a, secret_access_key: b, endpoint: 'http://127.0.0.1:9' }`,
      );
    const server = await startServer({ onDisk: true, changeSite: down, fixture: 'empty' });
    try {
      const [far, near] = [await newNode(server), await newNode(server)];
      const refused = await upload(server, far, 'x', { headers: { 'Content-Location': 'fedora://a.txt' } });
      expect([refused.status, await mediaOf(server, far)]).toEqual([503, []]);
      expect((await upload(server, near, 'near')).status).toBe(201);
      expect(await contentOf(server, near)).toBe('near');
      await expect(storedNames(server)).rejects.toMatchObject({ status: 503 });
    } finally {
      await server.stop();
    }
  });
});
