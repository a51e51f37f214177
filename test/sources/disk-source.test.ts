/** Documents on the disk: only files in the folder of the root document and below it are read. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDocument } from '../../src/openapi/openapi.ts';
import { diskSource } from '../../src/server/sources/disk-source.ts';

const head = 'openapi: 3.1.0\npaths: { /x: { get: { responses: { "200": {} } } } }\ncomponents:\n  schemas:\n';

describe('A document on the disk', () => {
  let folder = '';
  const write = (name: string, text: string | Uint8Array): Promise<void> => writeFile(join(folder, name), text);
  const read = (name = 'api/api.yaml') => readDocument(diskSource(join(folder, name)));
  const refusal = (reference: string): Promise<string> =>
    write('api/api.yaml', `${head}    A: { $ref: ${JSON.stringify(reference)} }`)
      .then(() => read())
      .then(
        () => 'served',
        (error: unknown) => String(error),
      );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atoll-document-'));
    await mkdir(join(folder, 'api/parts'), { recursive: true });
    await mkdir(join(folder, 'api-other'));
    await write('secret.yaml', 'type: string');
    await write('api-other/a.yaml', 'type: string');
    await write('api/parts/inside.yaml', 'type: string');
    await write('api/with blank.yaml', 'type: string');
    await symlink(join(folder, 'secret.yaml'), join(folder, 'api/out.yaml'));
    await symlink(folder, join(folder, 'api/up'));
    await symlink(join(folder, 'api/parts/inside.yaml'), join(folder, 'api/in.yaml'));
    await symlink('loop.yaml', join(folder, 'api/loop.yaml'));
    await symlink(join(folder, 'api'), join(folder, 'linked'));
    execFileSync('mkfifo', [join(folder, 'api/pipe.yaml')]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    'parts/inside.yaml',
    './parts/../parts/inside.yaml',
    'with%20blank.yaml',
    'with blank.yaml',
    'in.yaml',
    '../api/parts/inside.yaml',
    'parts/inside.yaml?a=b',
  ])('reads %s', async (reference) => {
    expect(await refusal(reference)).toBe('served');
  });

  it.each([
    ['../secret.yaml', 'leads out of the folder of the document'],
    ['%2e%2e/secret.yaml', 'leads out of the folder of the document'],
    ['..%2fsecret.yaml', 'leads out of the folder of the document'],
    ['parts/../../secret.yaml', 'leads out of the folder of the document'],
    ['../api-other/a.yaml', 'leads out of the folder of the document'],
    ['/etc/hostname', 'leads out of the folder of the document'],
    ['file:///etc/hostname', 'leads out of the folder of the document'],
    ['file://elsewhere/etc/hostname', 'leads out of the folder of the document'],
    ['out.yaml', 'leads out of the folder of the document'],
    ['up/secret.yaml', 'leads out of the folder of the document'],
    ['a%00.yaml', 'leads out of the folder of the document'],
    ['http://localhost/a.yaml', 'nothing is fetched from a network'],
    ['none.yaml', 'there is no such file'],
    ['loop.yaml', 'its symbolic links lead in a circle'],
    ['parts', 'it is a directory'],
    ['pipe.yaml', 'it is a FIFO'],
  ])('refuses %s: %s', async (reference, reason) => {
    expect(await refusal(reference)).toMatch(new RegExp(`api\\.yaml:5: \\$ref .*: ${reason}`));
  });

  it('reads a folder that is a symbolic link itself', async () => {
    await refusal('parts/inside.yaml');
    expect((await read('linked/api.yaml')).addresses).toHaveLength(2);
  });

  it.each([
    ['none.yaml', /none\.yaml: cannot be read: there is no such file\./],
    ['api', /cannot be read: it is a directory\./],
  ])('is refused where it is %s', async (name, message) => {
    await expect(read(name)).rejects.toThrow(message);
  });

  it('is refused at 20 MB before it is read', async () => {
    await write('api/large.yaml', Buffer.alloc(20 * 1024 * 1024 + 1, 'a'));
    await expect(read('api/large.yaml')).rejects.toThrow(/is larger than 20 MB/);
    expect(await refusal('large.yaml')).toMatch(/is larger than 20 MB/);
  });
});
