/** Random damage to a store whose acknowledged content is known: cuts, flipped bits, zeroed blocks, holes. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskFiles } from '../../src/basics/disk/files.ts';
import { openJournalEntityStore } from '../../src/storage/storage.ts';
import { isStoreDamaged, readStoredRepository } from '../../src/storage/storage-export.ts';
import { article, testModel } from './records.ts';
import type { EntityStore } from '../../src/openapi/openapi-records.ts';

/** `at` and `length` are parts of the file between 0 and 1. */
export type Damage = {
  readonly kind: 'cut' | 'flip' | 'zero' | 'hole' | 'cutAtLine';
  /** Which of the files is damaged. */
  readonly file: number;
  readonly at: number;
  readonly length: number;
};

export type SoundStore = {
  readonly directory: string;
  readonly files: readonly string[];
  readonly acknowledged: string;
  remove(): Promise<void>;
};

const blockBytes = 512;

const open = (directory: string, smallJournalBytes: number) =>
  openJournalEntityStore({
    ...{ directory, model: testModel, durability: 'full', files: diskFiles('os') },
    ...{ smallJournalBytes, warn: () => undefined },
  });

/** Three writes that make one batch. */
const writeThree = (store: EntityStore, round: number): Promise<unknown> =>
  Promise.all(
    [0, 100, 200].map((more) =>
      store.transact([], (view) => {
        const id = view.nextId('node');
        return { changes: [{ put: article(id, `title ${round + more} ${'x'.repeat((round * 7) % 70)}`) }], result: id };
      }),
    ),
  );

/** Writes a store with two generations and a journal of many batches. `isClosed`: it was stopped in order. */
export const makeStore = async (isClosed: boolean): Promise<SoundStore> => {
  const place = await mkdtemp(join(tmpdir(), 'atoll-damage-'));
  const written = join(place, 'written');
  const compacting = await open(written, 6_000);
  for (let round = 0; round < 15; round++) await writeThree(compacting.store, round);
  await compacting.store.close();
  const { store } = await open(written, 1_000_000);
  for (let round = 15; round < 22; round++) await writeThree(store, round);
  const acknowledged = await contentOf(store);
  const directory = isClosed ? written : join(place, 'copy');
  if (!isClosed) await copyFiles(written, directory);
  await store.close();
  const files = (await readdir(directory)).filter((name) => name !== 'lock' && name !== 'reserve').sort();
  return { directory, files, acknowledged, remove: () => rm(place, { recursive: true, force: true }) };
};

const copyFiles = async (from: string, to: string): Promise<void> => {
  const disk = diskFiles('os');
  await disk.makeDirectory(to);
  for (const name of await readdir(from)) await writeFile(join(to, name), await readFile(join(from, name)));
};

const contentOf = async (store: EntityStore): Promise<string> =>
  JSON.stringify((await store.list('node', { offset: 0, limit: 10_000 })).entities);

const damagedBytes = (bytes: Buffer, { kind, at, length }: Damage): Buffer => {
  const from = Math.floor(at * bytes.length);
  const bad = Buffer.from(bytes);
  if (kind === 'cut') return bad.subarray(0, from);
  if (kind === 'cutAtLine') return bad.subarray(0, bad.lastIndexOf(10, from) + 1);
  if (kind === 'flip') {
    bad[from] = (bad[from] ?? 0) ^ (1 << Math.floor(length * 8));
    return bad;
  }
  if (kind === 'zero') return bad.fill(0, from, Math.min(bad.length, from + 1 + Math.floor(length * 200)));
  const block = from - (from % blockBytes);
  return bad.fill(0, block, Math.min(bad.length, block + blockBytes * (1 + Math.floor(length * 4))));
};

/**
 * Damages one file, reads the store and puts the file back. Resolves with undefined when the store was whole, or refused with
 * file and offset; otherwise with what went wrong.
 */
export const outcomeOf = async (store: SoundStore, damage: Damage): Promise<string | undefined> => {
  const file = join(store.directory, store.files[damage.file % store.files.length] ?? '');
  const good = await readFile(file);
  await writeFile(file, damagedBytes(good, damage));
  try {
    return await readStoredRepository(store.directory, testModel, async ({ entities }) => {
      const found = JSON.stringify(entities.filter(({ type }) => type === 'node'));
      return found === store.acknowledged ? undefined : `${file}: a silent loss`;
    });
  } catch (error) {
    const isRefused = isStoreDamaged(error) && error.file.startsWith(store.directory) && error.offset >= 0;
    return isRefused ? undefined : `${file}: ${String(error)}`;
  } finally {
    await writeFile(file, good);
  }
};
