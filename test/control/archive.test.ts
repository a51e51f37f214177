/** `GET /_atoll/export` and `POST /_atoll/import`: a whole repository as an archive, out of a running server and into one. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { writtenRecord, writtenText } from '../../src/basics/records/record-form.ts';
import { archivesInPool, createMemoryWorldBytes, type OpenedWorlds } from '../../src/server/server-worlds.ts';
import type { Entity } from '../../src/openapi/openapi-records.ts';
import { outOfSpace, unavailable } from '../../src/openapi/openapi-terms.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { titleBody } from '../support/requests.ts';
import { filesOfTar, tarEnd, tarFile, tarHeader } from '../support/tar.ts';

let atoll: TestAtoll;
/** What happens before a place for bytes is opened. */
let beforeStorage: () => Promise<void>;
let openStorages = 0;
beforeAll(async () => {
  const openInMemory = archivesInPool(createMemoryWorldBytes());
  const openArchiveStorage: OpenedWorlds['openArchiveStorage'] = async () => {
    await beforeStorage();
    const held = await openInMemory();
    openStorages += 1;
    return {
      ...held,
      close: async () => {
        openStorages -= 1;
        await held.close();
      },
    };
  };
  atoll = await createTestAtoll({
    site: (site) => ({ ...site, maxUploadBytes: 1024 * 1024 }),
    app: { openArchiveStorage },
  });
});
beforeEach(async () => {
  beforeStorage = () => Promise.resolve();
  await atoll.reset();
});

const tar = 'application/x-tar';

/** Collects an answer that superagent does not know. */
const asBytes = (response: NodeJS.ReadableStream, done: (error: null, body: Buffer) => void): void => {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => done(null, Buffer.concat(chunks)));
};

const exported = async (prefix = ''): Promise<Buffer> => {
  const answer = await atoll
    .send('GET', `${prefix}/_atoll/export`)
    .buffer(true)
    .parse(asBytes as never)
    .expect(200);
  expect(answer.headers['content-type']).toBe(tar);
  return answer.body as Buffer;
};

const imported = (archive: Uint8Array, prefix = '') =>
  atoll.send('POST', `${prefix}/_atoll/import`).type(tar).send(Buffer.from(archive));

type Files = Map<string, Buffer>;

const filesIn = (archive: Buffer): Files => new Map(filesOfTar(archive));

const archiveOf = (files: Files): Buffer =>
  Buffer.concat([...[...files].flatMap(([name, content]) => tarFile(name, content)), tarEnd()]);

/** The archive of the world with another text in the place of one. */
const changed = async (name: string, change: (text: string) => string): Promise<Buffer> => {
  const files = filesIn(await exported());
  files.set(name, Buffer.from(change(String(files.get(name)))));
  return archiveOf(files);
};

const titleOf = async (path: string): Promise<unknown> =>
  ((await atoll.send('GET', `${path}?_format=json`, 'admin')).body as { title?: [{ value: string }] }).title?.[0].value;

const retitle = (path: string, title: string) =>
  atoll.send('PATCH', `${path}?_format=json`, 'admin').type('json').send(titleBody(title)).expect(200);

describe('GET /_atoll/export', () => {
  it('answers every record and every byte, named as the files of an export', async () => {
    const files = filesIn(await exported());
    const { main } = atoll.worlds;
    expect([...files.keys()].filter((name) => /^\w+\/\d+\.json$/.test(name))).toHaveLength(main.size());
    const [node] = await main.world.store.getMany(['node:1']);
    expect(node).toBeDefined();
    expect(String(files.get('node/1.json'))).toBe(writtenText(writtenRecord(node as Entity, undefined)));
    const { entities } = await main.world.store.list('file', { offset: 0, limit: 1000 });
    const hashes = [...files].filter(([name]) => name.startsWith('blobs/')).map(([, bytes]) => sha256(bytes));
    expect(new Set(hashes)).toEqual(new Set(entities.flatMap(({ blob }) => blob?.sha256 ?? [])));
    expect(hashes.length).toBeGreaterThan(5);
  });

  it('is of one moment, also when the world changes while it is read', async () => {
    const before = await exported();
    const { port } = atoll.server.address() as AddressInfo;
    const reading = request({ port, path: '/_atoll/export', host: '127.0.0.1', headers: { host: 'localhost:8000' } });
    reading.end();
    const [answer] = (await once(reading, 'response')) as [NodeJS.ReadableStream];
    await retitle('/node/2', 'changed meanwhile');
    const body = await new Promise<Buffer>((resolve) => asBytes(answer, (_error, bytes) => resolve(bytes)));
    expect(body.equals(before)).toBe(true);
    expect((await exported()).equals(before)).toBe(false);
  });

  it('has a file whose bytes are lost without them, and names it at its end', async () => {
    const { main } = atoll.worlds;
    const { entities } = await main.world.store.list('file', { offset: 0, limit: 1000 });
    const lost = entities.find(({ blob }) => blob !== undefined);
    const files = filesIn(await exported());
    if (lost?.blob === undefined) throw new Error('The fixture has no file.');
    const put = { ...lost, blob: { ...lost.blob, key: 'f'.repeat(64) } };
    await main.world.store.transact([], () => ({ changes: [{ put }], result: 0 }));
    const without = filesIn(await exported());
    expect(JSON.parse(String(without.get('lost.json')))).toEqual({ files: [lost.id] });
    expect(files.has('lost.json')).toBe(false);
    expect(JSON.parse(String(without.get(`file/${lost.id}.json`)))).not.toHaveProperty('blob');
  });
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('POST /_atoll/import', () => {
  it('takes the place of everything in a world: the same archive comes out of it', async () => {
    await retitle('/node/2', 'taken along');
    const archive = await exported();
    await atoll.send('POST', '/_atoll/worlds').send({ name: 'there', from: 'empty' }).expect(201);
    const answer = await imported(archive, '/~there').expect(200);
    const names = [...filesIn(archive).keys()];
    expect(answer.body).toEqual({
      records: atoll.worlds.main.size(),
      blobs: names.filter((name) => name.startsWith('blobs/')).length,
    });
    expect((await exported('/~there')).equals(archive)).toBe(true);
    expect(await titleOf('/~there/node/2')).toBe('taken along');
    await atoll.send('POST', '/~there/_atoll/reset').expect(204);
    expect(await titleOf('/~there/node/2')).toBeUndefined();
    await atoll.send('DELETE', '/_atoll/worlds/there').expect(204);
    expect(openStorages).toBe(0);
  });

  it.each<[string, string, (text: string) => string, string]>([
    ['a field that the site does not have', 'node/1.json', (text) => text.replace('"title": [', '"tytle": ['), 'tytle'],
    [
      'a value that no client could send',
      'node/1.json',
      (text) => text.replace(/"status": \[[^\]]*\]/, '"status": [{ "value": "maybe" }]'),
      'status',
    ],
    [
      'a record that is another one',
      'node/1.json',
      (text) => text.replace('"id": 1,', '"id": 7,'),
      'another type or id',
    ],
  ])('is refused for %s, with its file and line, and changes nothing', async (_what, name, change, word) => {
    const before = await exported();
    const archive = await changed(name, change);
    const { body } = (await imported(archive).expect(422)) as { body: { message: string } };
    expect(body.message).toContain(name);
    expect(body.message).toContain(word);
    expect((await exported()).equals(before)).toBe(true);
    const text = String(filesIn(archive).get(name));
    const [, line] = / line (\d+)/.exec(body.message) ?? [];
    if (line !== undefined) expect(text.split('\n')[Number(line) - 1]).toContain(word);
    else expect(word).toBe('another type or id');
  });

  it('names the line of what is no JSON', async () => {
    const archive = await changed('node/1.json', (text) => text.replace('"bundle": ', '"bundle" '));
    const { body } = (await imported(archive).expect(422)) as { body: { message: string } };
    const text = String(filesIn(archive).get('node/1.json')).split('\n');
    const line = text.findIndex((each) => each.includes('"bundle" ')) + 1;
    expect(body.message).toBe(`node/1.json in the archive cannot be read as JSON: line ${line}.`);
  });

  it('is refused with bytes that are not those of their record', async () => {
    const name = [...filesIn(await exported()).keys()].find((each) => each.startsWith('blobs/')) ?? '';
    const archive = await changed(name, (text) => (text.startsWith('x') ? 'y' : 'x') + text.slice(1));
    const { body } = (await imported(archive).expect(422)) as { body: { message: string } };
    expect(body.message).toMatch(/file\/\d+\.json line \d+: its bytes \(.*\) are (not the ones|missing or of another)/);
  });

  /** The header of an entry of another kind (POSIX ustar, `typeflag`), with its sum. */
  const entryOf = (kind: string, name: string): Buffer => {
    const header = Buffer.from(tarHeader(name, 0));
    header.write(kind, 156);
    header.fill(' ', 148, 156);
    header.write(
      header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0'),
      148,
    );
    header.write('\0 ', 154);
    return header;
  };

  it.each([
    ['a hard link', '1', 'node/99.json', 'is a link, a device or a FIFO'],
    ['a symbolic link', '2', 'node/99.json', 'is a link, a device or a FIFO'],
    ['a device', '3', 'blobs/disk', 'is a link, a device or a FIFO'],
    ['a FIFO', '6', 'blobs/pipe', 'is a link, a device or a FIFO'],
    ['a file outside', '0', '../../node/99.json', 'leads out of it'],
    ['a file at an absolute place', '0', '/tmp/node/99.json', 'leads out of it'],
    ['a file outside for Windows', '0', String.raw`node\..\evil.json`, 'leads out of it'],
    ['a file outside with both separators', '0', String.raw`node/..\..\evil.json`, 'leads out of it'],
    ['a file of bytes outside for Windows', '0', String.raw`blobs\..\..\evil`, 'leads out of it'],
    ['a file of another share', '0', String.raw`\\server\share\node\99.json`, 'leads out of it'],
    ['a file of another drive', '0', String.raw`C:\node\99.json`, 'leads out of it'],
    ['a file of another drive with slashes', '0', 'c:/node/99.json', 'leads out of it'],
    ['a folder outside for Windows', '5', String.raw`..\node`, 'leads out of it'],
    ['a file with a backslash', '0', String.raw`node\99.json`, 'has a backslash in its name'],
  ])('is refused with %s, which the message names, and changes nothing', async (_what, kind, name, why) => {
    const archive = await exported();
    const refused = await imported(Buffer.concat([entryOf(kind, name), archive])).expect(422);
    const { message } = refused.body as { message: string }; // held to the schema by the engine
    expect(message).toBe(`${JSON.stringify(name)} in the archive ${why}. Export it again.`);
    expect(await exported()).toEqual(archive);
  });

  it('is refused with a record twice', async () => {
    const archive = await exported();
    const again = filesIn(archive).get('node/1.json') ?? Buffer.from('');
    const twice = Buffer.concat([...tarFile('again/node/1.json', again.toString()), archive]);
    const refused = await imported(twice).expect(422);
    expect(refused.body).toEqual({ message: 'node/1.json is in the archive twice. Export it again.' });
  });

  const head = '{"format":1,"name":"x","counters":{}}';
  const deep = `{"type":"node","id":1,"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  it.each<[string, readonly (readonly [string, string])[], string]>([
    ['its counters twice', [['export.json', head]], 'export.json is in the archive twice. Export it again.'],
    ['a list of lost files that is none', [['lost.json', 'null']], 'lost.json in the archive has no list of files.'],
    [
      'a record that is nested without end',
      [['node/1.json', deep]],
      'node/1.json in the archive is nested too deeply.',
    ],
  ])('is refused with %s', async (_what, files, why) => {
    const entries = [['export.json', head] as const, ...files].flatMap(([name, text]) => [...tarFile(name, text)]);
    const refused = await imported(Buffer.concat([...entries, tarEnd()])).expect(422);
    expect((refused.body as { message: string }).message).toContain(why);
  });

  it('is refused with a counter below 0, whose ids no address has', async () => {
    const below = tarFile('export.json', head.replace('{}', '{"node":-5}'));
    await imported(Buffer.concat([...below, tarEnd()])).expect(422);
  });

  it('is refused when it is no archive, or ends too early', async () => {
    const archive = await exported();
    await imported(Buffer.from('no archive at all')).expect(422);
    await imported(Buffer.alloc(2000, 'x')).expect(422);
    expect((await imported(Buffer.alloc(0)).expect(400)).body).toEqual({ message: 'The request has no body.' });
    expect((await imported(archive.subarray(0, -1024)).expect(422)).body).toEqual({
      message: 'The archive ends too early. Export it again.',
    });
    await imported(Buffer.concat([...tarFile('node/1.json', '{}'), tarEnd()])).expect(422);
    expect(openStorages).toBe(0);
  });

  it('is refused under another media type', async () => {
    await atoll.send('POST', '/_atoll/import').type('application/json').send('{}').expect(415);
  });

  it('is refused when a file in it is larger than the site allows', async () => {
    const large = 1024 * 1024 + 1;
    const archive = Buffer.concat([tarHeader('blobs/film.mp4', large), Buffer.alloc(large + 511), tarEnd()]);
    expect((await imported(archive).expect(413)).body).toEqual({
      message: `blobs/film.mp4 in the archive has ${large} bytes. A file there may have ${large - 1}.`,
    });
  });

  it('changes nothing when it is broken off', async () => {
    const before = await exported();
    const { port } = atoll.server.address() as AddressInfo;
    const opened = new Promise<void>((resolve) => {
      beforeStorage = () => {
        resolve();
        return Promise.resolve();
      };
    });
    const headers = { 'content-type': tar, host: 'localhost:8000', 'content-length': before.length };
    const sending = request({ port, host: '127.0.0.1', path: '/_atoll/import', method: 'POST', headers });
    sending.on('error', () => undefined);
    sending.write(before.subarray(0, before.length - 10_000));
    await opened;
    sending.destroy();
    await untilClosed();
    expect((await exported()).equals(before)).toBe(true);
  });

  it('says when a body of chunks ended before it was complete', async () => {
    const { port } = atoll.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST /_atoll/import HTTP/1.1\r\nHost: localhost:8000\r\nContent-Type: ${tar}\r\n`);
    socket.write('Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\nnot a length\r\n');
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(String(head)).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
  });

  it('is refused with 507 where there is no room for its bytes, and with 503 where nothing can be written', async () => {
    const archive = await exported();
    beforeStorage = () => Promise.reject(outOfSpace());
    await imported(archive).expect(507);
    beforeStorage = () => Promise.reject(unavailable('Writing is not possible at the moment.'));
    await imported(archive).expect(503);
  });
});

/** The server notices a broken connection in its own time. */
const untilClosed = async (): Promise<void> => {
  for (let turn = 0; openStorages > 0 && turn < 3000; turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(openStorages).toBe(0);
};
