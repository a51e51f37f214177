/** How a site says where bytes lie, and what is wrong with it. */
import { expect, it } from '@jest/globals';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSite } from '../support/site-sources.ts';
import type { Site } from '../../src/repository/repository.ts';
import { root } from '../support/atoll.ts';

const siteWith = async (mount: string): Promise<Site> => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-site-'));
  try {
    await cp(join(root, 'data/site'), folder, { recursive: true });
    const file = join(folder, 'site.yml');
    const yaml = await readFile(file, 'utf8');
    await writeFile(file, yaml.replace(/ {2}fedora: \{.*\}/, `  fedora: { prefix: /f, access: guarded, ${mount} }`));
    return await loadSite(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

it('mounts a bucket with what is said, and the usual values for the rest', async () => {
  const least = await siteWith('kind: s3, bucket: my-bucket');
  expect(least.storages[1]?.s3).toEqual({
    ...{ bucket: 'my-bucket', region: 'us-east-1', endpoint: undefined, pathStyle: false, keyPrefix: '' },
    keys: undefined,
  });
  const most = await siteWith(
    "kind: s3, bucket: my-bucket, region: eu, endpoint: 'https://s3.example', path_style: true, key_prefix: a/, access_key_id: id, secret_access_key: secret",
  );
  expect(most.storages[1]?.s3).toEqual({
    ...{ bucket: 'my-bucket', region: 'eu', endpoint: 'https://s3.example', pathStyle: true, keyPrefix: 'a/' },
    keys: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
});

it('keeps bytes in the data directory when the site says so or says nothing', async () => {
  expect((await siteWith('kind: disk')).storages.map(({ s3 }) => s3)).toEqual([undefined, undefined]);
});

it.each([
  ['kind: ftp', /site\.yml:\d+: storages\.fedora\.kind: /],
  ['kind: s3', /storages\.fedora\.bucket: is missing\. Add it\./],
  ['kind: s3, bucket: NO', /storages\.fedora\.bucket: must be the name of a bucket/],
  ['kind: s3, bucket: my-bucket, endpoint: s3.example', /storages\.fedora\.endpoint: must begin with http/],
  ['kind: s3, bucket: my-bucket, key_prefix: a', /storages\.fedora\.key_prefix: must be empty, or a path/],
  ['kind: s3, bucket: my-bucket, acces_key: a', /storages\.fedora\.acces_key: is not a known key/],
  ['kind: disk, bucket: my-bucket', /storages\.fedora\.bucket: is not a known key/],
  ['kind: s3, bucket: my-bucket, access_key_id: a', /storages\.fedora\.secret_access_key: is missing/],
])('refuses %s and says where and why', async (mount, message) => {
  await expect(siteWith(mount)).rejects.toThrow(message);
});
