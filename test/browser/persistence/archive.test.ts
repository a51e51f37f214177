/** The archive of a repository: the same files as `atoll export` writes, and back. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { exportRepository, importRepository } from '../../../src/browser/persistence/archive.ts';
import { writeExport } from '../../../src/storage/storage-export.ts';
import { tarEnd, tarFile } from '../../support/tar.ts';
import { createRecordSet } from '../../../src/storage/storage.ts';
import { mainName } from '../../../src/openapi/openapi-host.ts';
import type { LocalWorlds } from '../../../src/server/server-worlds.ts';
import { root } from '../../support/atoll.ts';
import { programFile } from '../../support/program.ts';
import { bytesOf, chunksOf, takeAway } from '../../storage/blob-storage.suite.ts';
import { temporaryDirectory } from '../../storage/records.ts';
import { builtInSite, openHere, worldsInMemory } from './opened.ts';
import { testPlatform } from './test-platform.ts';
import { schemeOf } from '../../../src/openapi/openapi-records.ts';
import { recordModel } from '../../../src/repository/repository.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

/** What a visitor made: a file with these bytes. */
const upload = async ({ main }: LocalWorlds, text: string): Promise<number> => {
  const { store, blobs, ids } = main.world;
  const received = await blobs.get('public')?.receive(chunksOf(text), { maxBytes: 100 });
  const blob = await received?.keep();
  received?.settle();
  if (blob === undefined) throw new Error('The site has no public files.');
  return store.transact([], (view) => {
    const id = view.nextId('file');
    const fields = {
      ...{ uri: [{ value: `public://made-${id}.txt` }], filename: [{ value: `made-${id}.txt` }] },
      ...{ filemime: [{ value: 'text/plain' }], filesize: [{ value: blob.size }], uid: [{ target_id: 1 }] },
    };
    return { changes: [{ put: { type: 'file', id, uuid: ids.uuid(), bundle: 'file', blob, fields } }], result: id };
  });
};

const archiveOf = ({ main }: LocalWorlds): Promise<Blob> => exportRepository(main);
const textOf = async (archive: Blob): Promise<string> => Buffer.from(await archive.arrayBuffer()).toString('latin1');

/** The files below a folder with their bytes. */
const filesIn = async (folder: string): Promise<readonly (readonly [string, string])[]> => {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  return Promise.all(names.map(async (name) => [name.slice(folder.length), await readFile(name, 'base64')] as const));
};

const unpack = async (archive: Blob, name: string): Promise<string> => {
  const folder = join(directory.path, name);
  await mkdir(folder);
  await writeFile(`${folder}.tar`, Buffer.from(await archive.arrayBuffer()));
  execFileSync('tar', ['-xf', `${folder}.tar`, '-C', folder]);
  return folder;
};

describe('an archive', () => {
  it('has the files that `atoll export` writes, byte for byte', async () => {
    const worlds = await worldsInMemory();
    await upload(worlds, 'made by a visitor');
    const archive = await archiveOf(worlds);
    const { records: frozen, blobs: storages } = worlds.main.saveState();
    const set = createRecordSet(recordModel, frozen);
    const source = {
      ...{ entities: set.all(), counters: set.counters() },
      blobsOf: (file: Parameters<typeof schemeOf>[0]) => storages.get(schemeOf(file)),
    };
    const written = join(directory.path, 'export');
    const { records, lost } = await writeExport(written, source, () => undefined);
    expect([records, lost]).toEqual([worlds.main.size(), []]);
    expect(records).toBeGreaterThan(100);
    expect(await filesIn(await unpack(archive, 'unpacked'))).toEqual(await filesIn(written));
  });

  it.each(['memory', 'IndexedDB'])(
    'moves a repository from a page to another one, which keeps it in %s',
    async (kind) => {
      const here = await worldsInMemory();
      const id = await upload(here, 'made by a visitor');
      const archive = await archiveOf(here);
      const platform = testPlatform();
      const opened = kind === 'memory' ? undefined : await openHere(platform);
      const there = opened?.worlds ?? (await worldsInMemory());
      const other = await upload(there, 'replaced');
      expect(other).toBe(id);
      await importRepository(there, archive, await builtInSite());
      expect(there.main.size()).toBe(here.main.size());
      expect((await textOf(await archiveOf(there))) === (await textOf(archive))).toBe(true);
      if (opened !== undefined) {
        await opened.leave();
        const again = await openHere(platform);
        expect((await textOf(await archiveOf(again.worlds))) === (await textOf(archive))).toBe(true);
        expect(again.warnings).toEqual([]);
        await again.worlds.reset(mainName);
        expect((await again.worlds.main.world.store.getMany([`file:${id}`]))[0]).toBeUndefined();
        await again.leave();
      }
    },
  );

  it('may be a tar of the folder that a program made, in each of the usual formats', async () => {
    const here = await worldsInMemory();
    await upload(here, 'made by a visitor');
    const archive = await archiveOf(here);
    await unpack(archive, 'unpacked');
    const there = await worldsInMemory();
    for (const format of ['gnu', 'ustar', 'pax']) {
      const packed = join(directory.path, `${format}.tar`);
      execFileSync('tar', [`--format=${format}`, '-C', directory.path, '-cf', packed, './unpacked']);
      await there.reset(mainName);
      await importRepository(there, new Blob([await readFile(packed)]), await builtInSite());
      expect((await textOf(await archiveOf(there))) === (await textOf(archive))).toBe(true);
    }
  });

  it('becomes a repository of the program by the commands of docs/use/in-the-browser.md', async () => {
    const worlds = await worldsInMemory();
    await upload(worlds, 'made by a visitor');
    await writeFile(join(directory.path, 'repository.tar'), Buffer.from(await (await archiveOf(worlds)).arrayBuffer()));
    const page = await readFile(join(root, 'docs/use/in-the-browser.md'), 'utf8');
    const commands = /```sh not-run\n([^`]+)```/.exec(page)?.[1] ?? '';
    const atoll = join(directory.path, 'atoll');
    await writeFile(atoll, `#!/bin/sh\nexec '${process.execPath}' '${programFile}' "$@"\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: [directory.path, process.env['PATH'] ?? ''].join(delimiter) };
    const printed = execFileSync('sh', ['-ec', commands], { cwd: directory.path, env }).toString();
    expect(printed).toContain(`Imported ${worlds.main.size()} records from made to my-data.`);
  });

  it('is not needed any more when it was imported, also for a repository in memory', async () => {
    const here = await worldsInMemory();
    const id = await upload(here, 'made by a visitor');
    const place = join(directory.path, 'chosen.tar');
    await writeFile(place, Buffer.from(await (await archiveOf(here)).arrayBuffer()));
    const there = await worldsInMemory();
    await importRepository(there, await openAsBlob(place), await builtInSite());
    await writeFile(place, 'another file');
    const [file] = await there.main.world.store.getMany([`file:${id}`]);
    const stream = file?.blob === undefined ? undefined : await there.main.world.blobs.get('public')?.open(file.blob);
    expect(await bytesOf(stream)).toBe('made by a visitor');
  });

  it('has the record of a file without its bytes when they are lost, and says so', async () => {
    const worlds = await worldsInMemory();
    const id = await upload(worlds, 'to be lost');
    const { store, blobs } = worlds.main.world;
    const [file] = await store.getMany([`file:${id}`]);
    await takeAway(blobs.get('public'), file?.blob?.key);
    const folder = await unpack(await archiveOf(worlds), 'unpacked');
    expect(JSON.parse(await readFile(join(folder, 'lost.json'), 'utf8'))).toEqual({ files: [id] });
    const record = await readFile(join(folder, `file/${id}.json`), 'utf8');
    expect(JSON.parse(record)).toEqual({ ...file, blob: undefined });
  });

  it('is refused with one line when it is none, was cut, or does not fit, and changes nothing', async () => {
    const worlds = await worldsInMemory();
    await upload(worlds, 'stays');
    const archive = await archiveOf(worlds);
    const site = await builtInSite();
    const tarOf = (...files: readonly (readonly [string, string])[]): Blob => {
      const blocks = [...files.flatMap(([name, text]) => tarFile(name, text)), tarEnd()];
      return new Blob(blocks.map((block) => Uint8Array.from(block)));
    };
    const changed = new TextEncoder().encode('stays');
    const bytes = new Uint8Array(await archive.arrayBuffer());
    // The record says the name of the file, and only its bytes are this text.
    bytes.set(
      changed.map((byte) => byte ^ 1),
      Buffer.from(bytes).lastIndexOf(changed),
    );
    const head = ['export.json', '{"format":1,"counters":{}}'] as const;
    const wrong: readonly (readonly [Blob, string])[] = [
      [new Blob([]), 'ends too early'],
      [new Blob([bytes]), 'are not the ones that were stored.'],
      [new Blob(['x'.repeat(2000)]), 'not an archive of a repository'],
      [archive.slice(0, archive.size / 2), 'ends too early'],
      [tarOf(['readme.txt', 'hello']), 'has no export.json'],
      [tarOf(['export.json', '{"format":3,"counters":{}}']), 'format 3 is not known to this version'],
      [tarOf(['export.json', '{"format":1,"unfinished":true,"counters":{}}']), 'was cut short'],
      [tarOf(['export.json', '{"format":1}']), 'has no counters'],
      [tarOf(['export.json', '{"format":1,"counters":{"node":"5"}}']), 'has no counters'],
      [tarOf(head, ['node/1.json', '{']), 'node/1.json in the archive cannot be read as JSON'],
      [tarOf(head, ['node/1.json', '{"type":"node","id":2}']), 'says another type or id than its place'],
      [
        tarOf(head, ['node/1.json', JSON.stringify({ type: 'node', id: 1, uuid: 'x', bundle: 'none', fields: {} })]),
        'The archive does not fit the site: ',
      ],
    ];
    for (const [blob, message] of wrong) {
      await expect(importRepository(worlds, blob, site)).rejects.toMatchObject({
        name: 'ConfigurationError',
        message: expect.stringContaining(message),
      });
    }
    expect((await textOf(await archiveOf(worlds))) === (await textOf(archive))).toBe(true);
  });
});
