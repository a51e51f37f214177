/**
 * Path code under the rules of Windows: its separators, its `node:path`, on a disk that takes both. It replaces modules of Node.
 *
 * @jest-environment node
 */
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import * as streams from 'node:fs';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { root } from '../../support/atoll.ts';
import type { Entity } from '../../../src/openapi/openapi-records.ts';

/** Where drive C: is. */
let drive: string;

const onDisk = (path: unknown): unknown =>
  typeof path === 'string' && /^C:[\\/]/.test(path) ? join(drive, path.slice(3).replaceAll('\\', '/')) : path;

/** Each function of the file system takes the paths of Windows, and `readdir` gives them. */
const windowsFiles = (): typeof files => {
  const translated = Object.entries(files).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'function') return [name, value];
    return [
      name,
      async (...args: unknown[]): Promise<unknown> => {
        const result: unknown = await (value as (...all: unknown[]) => unknown)(...args.map(onDisk)); // one of the module's functions
        if (name !== 'readdir' || !Array.isArray(result)) return result;
        return result.map((each: unknown) => (typeof each === 'string' ? each.replaceAll('/', '\\') : each));
      },
    ];
  });
  return Object.fromEntries(translated) as typeof files; // the same names
};

/** The functions without promises that are used. */
const windowsCalls = () =>
  Object.fromEntries(
    (['createWriteStream', 'openSync', 'open', 'unlink'] as const).map((name) => {
      const call = streams[name] as (...all: unknown[]) => unknown; // one of the module's functions
      return [name, (...args: unknown[]): unknown => call(...args.map(onDisk))];
    }),
  );

type Modules = Awaited<ReturnType<typeof load>>;

/** The modules as they are loaded now. */
const load = async () => ({
  sources: await import('../../sources/prepared-text.ts'),
  exports: await import('../../../src/storage/storage-export.ts'),
  storage: await import('../../../src/storage/storage.ts'),
});

let windows: Modules;
beforeAll(async () => {
  drive = await files.mkdtemp(join(tmpdir(), 'atoll-drive-'));
  await files.symlink(root, join(drive, 'atoll'));
  jest.resetModules();
  jest.unstable_mockModule('node:path', () => ({ ...win32, default: win32 }));
  jest.unstable_mockModule('node:fs/promises', () => windowsFiles());
  jest.unstable_mockModule('node:fs', () => ({ ...streams, ...windowsCalls() }));
  windows = await load();
});
afterAll(() => files.rm(drive, { recursive: true, force: true }));

async function* body(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

it('prepares the same text as elsewhere, so that a package is quick wherever it was built', async () => {
  const text = await windows.sources.prepare('C:\\atoll');
  const names = Object.keys((JSON.parse(text) as { siteFiles: object }).siteFiles); // what the build writes
  expect(names).toContain('roles/anonymous.yml');
  expect(names.filter((name) => name.includes('\\'))).toEqual([]);
  await files.writeFile(join(drive, 'prepared.json'), text);
  const read = await windows.sources.readSources('C:\\atoll', undefined, 'C:\\prepared.json');
  expect(read.isChecked).toBe(true);
});

it('keeps bytes, exports them with their record, and reads both back', async () => {
  await files.mkdir(join(drive, 'store'));
  const storage = await windows.storage.openDiskBlobStorage({
    directory: 'C:\\store',
    durability: 'os',
  });
  const blob = await (await storage.receive(body('bytes'), { maxBytes: 100 })).keep();
  expect(blob.key).toBe(createHash('sha256').update('bytes').digest('hex'));
  expect(await storage.keys()).toEqual([blob.key]);

  const uuid = '00000000-0000-4000-8000-000000000001';
  const fields = { uri: [{ value: 'public://letter.txt' }], filesize: [{ value: 5 }] };
  const entity: Entity = { type: 'file', id: 1, uuid, bundle: 'file', blob, fields };
  const source = { entities: [entity], counters: { file: 1 }, blobsOf: () => storage };
  for (const found of [[], ['1.json']]) {
    expect(await files.readdir(join(drive, 'out/export/file')).catch(() => [])).toEqual(found);
    expect(await windows.exports.writeExport('C:\\out\\export', source, () => undefined)).toMatchObject({ lost: [] });
    expect(await files.readdir(join(drive, 'out/export/file'))).toEqual(['1.json']);
    expect(await files.readdir(join(drive, 'out/export/blobs'))).toHaveLength(1);
  }
  const { entities } = await windows.exports.readExport('C:\\out\\export');
  const [back] = [...entities];
  expect(back?.blob?.key).not.toContain('\\');
  const stream = await windows.exports.exportBlobs('C:\\out\\export').open(back?.blob ?? blob);
  expect(await new Response(stream).text()).toBe('bytes');
});
