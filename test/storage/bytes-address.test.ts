/** The address of the bucket for all bytes. */
import { describe, expect, it } from '@jest/globals';
import { readBytesAddress, withBytesAt } from '../../src/storage/storage.ts';
import { ConfigurationError } from '../../src/basics/configuration-error.ts';

const plain = { region: 'us-east-1', endpoint: undefined, pathStyle: false, keyPrefix: '', keys: undefined };

describe('readBytesAddress', () => {
  it('reads bucket, prefix and parameters', () => {
    expect(readBytesAddress('s3://bucket', '--bytes')).toEqual({ ...plain, bucket: 'bucket' });
    expect(readBytesAddress('s3://bucket/', '--bytes')).toEqual({ ...plain, bucket: 'bucket' });
    const full = 's3://my.bucket/a/b-c/?region=eu-west-1&endpoint=http://s3:9000&path-style=true';
    expect(readBytesAddress(full, '--bytes')).toEqual({
      ...{ bucket: 'my.bucket', region: 'eu-west-1', endpoint: 'http://s3:9000' },
      ...{ pathStyle: true, keyPrefix: 'a/b-c/', keys: undefined },
    });
  });

  it.each([
    ['', 'not an address'],
    ['/srv/bytes', 'not an address'],
    ['http://bucket', 'not an address'],
    ['s3://', 'no bucket'],
    ['s3://UPPER_case', 'no bucket'],
    ['s3://bucket/a b', 'path'],
    ['s3://bucket/../secret-word', 'secret-word'],
    ['s3://bucket?key=secret-word', 'no other parameter'],
    ['s3://bucket?endpoint=secret-word', 'endpoint'],
    ['s3://someone:secret-word@bucket', 'AWS_SECRET_ACCESS_KEY'],
  ])('refuses %j', (text, reason) => {
    const read = () => readBytesAddress(text, 'ATOLL_BYTES');
    if (reason === 'secret-word') {
      // A URL has no path above its root.
      expect(read().keyPrefix).toBe('secret-word/');
      return;
    }
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(/^ATOLL_BYTES: /);
    expect(read).toThrow(reason);
    expect(read).not.toThrow('secret-word');
  });
});

describe('withBytesAt', () => {
  it('has each scheme below its own name in the bucket', () => {
    const mount = { prefix: '/x', access: 'open' } as const;
    const site = {
      storages: [
        { ...mount, scheme: 'public' },
        { ...mount, scheme: 'private' },
      ],
    };
    const location = readBytesAddress('s3://bucket/team', '--bytes');
    const prefixes = withBytesAt(site, location).storages.map(
      (each) => (each as { s3?: typeof location }).s3?.keyPrefix,
    );
    expect(prefixes).toEqual(['team/public/', 'team/private/']);
    expect(withBytesAt(site, undefined)).toBe(site);
  });
});
