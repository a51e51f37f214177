/** What a page of the tests can do, under the name `persistence`: run the suites of the stores, and use a repository. */
import { deleteDatabase, openDatabase, type Database } from '../../../../src/browser/persistence/database.ts';
import { openIndexedDbBlobStorage } from '../../../../src/browser/persistence/indexed-db-blob-storage.ts';
import { openIndexedDbEntityStore } from '../../../../src/browser/persistence/indexed-db-entity-store.ts';
import { describeBlobStorage } from '../../../storage/blob-storage.suite.ts';
import { describeEntityStore } from '../../../storage/entity-store.suite.ts';
import { article, testModel } from '../../../storage/records.ts';
import { runTests } from './suite-runner.ts';
import type { BlobReference, Entity } from '../../../../src/openapi/openapi-records.ts';
import { Problem } from '../../../../src/openapi/openapi-terms.ts';

let names = 0;
const newDatabase = (): Promise<Database> => openDatabase(`suite ${(names += 1)}`);

describeEntityStore(
  'IndexedDB',
  async ({ model }) => (await openIndexedDbEntityStore(await newDatabase(), model)).store,
);
for (const partBytes of [undefined, 4]) {
  describeBlobStorage(`IndexedDB with parts of ${partBytes ?? 'many'} bytes`, async () => {
    const database = await newDatabase();
    const storage = await openIndexedDbBlobStorage(database, { partBytes });
    const isClean = async (): Promise<boolean> => {
      const { blobs, parts } = await database.read(['blobs', 'parts'], (store) => {
        const [kept, stored] = [store('blobs').getAll(), store('parts').getAllKeys()];
        return () => ({ blobs: kept.result as { parts: number }[], parts: stored.result.length }); // as the storage wrote them
      });
      return parts === blobs.reduce((sum, each) => sum + each.parts, 0);
    };
    return { storage, isClean };
  });
}

/** Bytes that follow from a number: `size` of them, in chunks of 64 KiB. */
async function* bytesOf(number: number, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += 65_536) {
    yield await Promise.resolve(new Uint8Array(Math.min(65_536, size - at)).fill((number + at / 65_536) % 251));
  }
}

const open = async (name: string) => {
  const database = await openDatabase(name);
  const records = await openIndexedDbEntityStore(database, testModel);
  const storage = await openIndexedDbBlobStorage(database);
  const { store } = records;

  /** Two records that only exist together, each with the id of the other one. */
  const createPair = (): Promise<number> =>
    store.transact([], (view) => {
      const [one, two] = [view.nextId('node'), view.nextId('node')];
      const entities = [article(one, 'pair', { parent: two }), article(two, 'pair', { parent: one })];
      return { changes: entities.map((each) => ({ put: each })), result: one };
    });
  /** A record with these bytes. */
  const upload = async (number: number, size: number): Promise<number> => {
    const received = await storage.receive(bytesOf(number, size), { maxBytes: size });
    const blob = await received.keep();
    received.settle();
    return store.transact([], (view) => {
      const id = view.nextId('file');
      const file: Entity = {
        type: 'file',
        id,
        uuid: `file-${id}`,
        bundle: 'file',
        blob,
        fields: { filesize: [{ value: number }] },
      };
      return { changes: [{ put: file }], result: id };
    });
  };
  const list = async (type: 'node' | 'file') => (await store.list(type, { offset: 0, limit: 100_000 })).entities;
  /** Whether the bytes of a record are those that it was uploaded with, from the first to the last. */
  const isWhole = async (file: Entity, blob: BlobReference): Promise<boolean> => {
    const number = Number(file.fields['filesize']?.[0]?.['value']);
    let at = 0;
    for await (const chunk of (await storage.open(blob)) ?? []) {
      const bytes = chunk; // a stream without an encoding gives bytes
      for (const byte of bytes) if (byte !== (number + Math.floor(at++ / 65_536)) % 251) return false;
    }
    return at === blob.size;
  };
  return {
    createPair,
    upload,
    /** Creates pairs and uploads, several at a time, until the page ends. Tells what is acknowledged. */
    writeForever: async (acknowledge: (what: string) => void): Promise<void> => {
      const pairs = async (): Promise<never> => {
        for (;;) acknowledge(`node:${await createPair()}`);
      };
      const uploads = async (number: number): Promise<never> => {
        for (;;) acknowledge(`file:${await upload(number, 300_000)}`);
      };
      await Promise.all([pairs(), pairs(), pairs(), uploads(3), uploads(100)]);
    },
    /** What is there: the records, and what is wrong with them. */
    look: async () => {
      const [nodes, files] = [await list('node'), await list('file')];
      const ids = new Set(nodes.map(({ id }) => id));
      const partnerOf = (node: Entity): number => Number(node.fields['field_member_of']?.[0]?.['target_id']);
      const lost: string[] = nodes
        .filter((node) => !ids.has(partnerOf(node)))
        .map(({ id }) => `half a pair: node:${id}`);
      for (const file of files) {
        if (file.blob === undefined || !(await isWhole(file, file.blob))) lost.push(`bytes of file:${file.id}`);
      }
      return { found: [...nodes.map(({ id }) => `node:${id}`), ...files.map(({ id }) => `file:${id}`)], lost };
    },
    /** The status of the refusal, or what was made. */
    attempt: async (number: number, size: number): Promise<string> =>
      upload(number, size).then(
        (id) => `file:${id}`,
        (error: unknown) => `refused ${error instanceof Problem ? error.status : String(error)}`,
      ),
    remove: async (id: number): Promise<void> => {
      const [file] = await store.getMany([`file:${id}`]);
      await store.transact([], () => ({ changes: [{ remove: `file:${id}` }], result: 0 }));
      await storage.sweep(() => Promise.resolve([file?.blob?.key ?? '']));
    },
    /** The bytes of a range of a record. */
    range: async (id: number, start: number, end: number): Promise<number[]> => {
      const [file] = await store.getMany([`file:${id}`]);
      const stream = file?.blob === undefined ? undefined : await storage.open(file.blob, { start, end });
      const bytes: number[] = [];
      for await (const chunk of stream ?? []) bytes.push(...chunk);
      return bytes;
    },
    lost: () => database.lost(),
    isNew: records.isNew,
    isOutOfSpace: () => records.isOutOfSpace(),
    close: () => store.close(),
  };
};

Object.assign(globalThis, {
  persistence: {
    runTests,
    open,
    /** Opens, or says why not. */
    tryToOpen: (name: string) => open(name).catch((error: unknown) => String(error)),
    deleteDatabase,
    hasLocks: () => (navigator as { readonly locks?: unknown }).locks !== undefined,
  },
});

// In a worker: opens what a message names, and answers with why not.
if (!('document' in globalThis)) {
  addEventListener('message', ({ data }: MessageEvent<string>) => {
    void open(data).then(
      () => postMessage('opened'),
      (error: unknown) => postMessage(String(error)),
    );
  });
}
