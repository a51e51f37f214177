/** A repository in which every kind of write was made, and what it is compared by: the files of its archive, and its answers. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { startAtoll, type Atoll, type AtollOptions, type AtollServer } from '../../../src/cli/entries/atoll.ts';
import { entityTypes } from '../../../src/repository/repository.ts';
import { basic } from '../../support/requests.ts';
import { filesOfTar } from '../../support/tar.ts';
import type { MovedSite } from './sites.ts';
import { writesOf } from './writes.ts';
import { writingClient } from './writing-client.ts';

/** A world of a server, or the main one. */
type MovedWorld = Pick<AtollServer, 'fetch' | 'url' | 'entities' | 'exportRepository'>;

/** What a world holds and answers. Two worlds are the same when these are equal. */
export type Content = {
  /** The files of the archive by their names, bytes in base64. */
  readonly files: ReadonlyMap<string, string>;
  readonly answers: ReadonlyMap<string, string>;
};

export type Repository = {
  readonly folder: string;
  /** Its directory of data, which no server holds. */
  readonly data: string;
  /** A tar file of it. */
  readonly archive: string;
  /** What `--site` names. */
  readonly site: string | undefined;
  readonly content: Content;
  readonly contentOf: (world: MovedWorld) => Promise<Content>;
  /** Starts a server of the site, which is stopped afterwards. Throws what the server warned of. */
  readonly withServer: <T>(options: AtollOptions, use: (atoll: Atoll) => Promise<T>) => Promise<T>;
  readonly remove: () => Promise<void>;
};

const archiveOf = async (world: Pick<MovedWorld, 'exportRepository'>): Promise<Buffer> =>
  buffer(Readable.fromWeb((await world.exportRepository()) as ReadableStream)); // the same class with two types

const filesOf = (archive: Uint8Array): ReadonlyMap<string, string> =>
  new Map(
    [...filesOfTar(archive)].map(([name, bytes]) => [name, bytes.toString(name.endsWith('.json') ? 'utf8' : 'base64')]),
  );

/** Where the aliases and redirects of the writes lead. */
const addresses = ['/further', '/changed', '/the-administrator', '/old', '/older?page=2&of=all', '/abroad'];

/** Every record but those that the site brings along: in each format, as a page, with its lists and its bytes. */
const answersOf = async (
  world: MovedWorld,
  isOwn: (type: string, id: number) => boolean,
): Promise<Content['answers']> => {
  const answers = new Map<string, string>();
  const basePath = new URL(world.url).pathname.replace(/\/$/, '') || world.url;
  const ask = async (path: string, as = 'admin'): Promise<string> => {
    const headers = as === 'nobody' ? {} : basic(as).headers;
    const answer = await world.fetch(path, { headers, redirect: 'manual' });
    const told = ['content-type', 'location', 'link'].map((name) => `${name}: ${answer.headers.get(name) ?? ''}`);
    const body = Buffer.from(await answer.arrayBuffer());
    const isText = /json|html/.test(told.join());
    const text = [answer.status, ...told, body.toString(isText ? 'utf8' : 'base64')]
      .join('\n')
      .replaceAll(world.url, '')
      .replaceAll(basePath, '');
    answers.set(`${as} ${path}`, text);
    return text;
  };
  for (const type of entityTypes) {
    const { entities } = await world.entities({ type, limit: '200', order: '-id' });
    for (const { url } of entities.filter(({ id }) => isOwn(type, id))) {
      const address = url.replace(world.url, '');
      const record = await ask(address);
      await ask(address, 'nobody');
      await ask(address.replace('=json', '=jsonld'));
      await ask(address.replace(/\?.*$/, ''));
      if (type === 'node') await ask(address.replace('?', '/media?'));
      if (type === 'file') await ask((/"url":"([^"]*)"/.exec(record)?.[1] ?? '').replaceAll('\\/', '/'));
    }
  }
  for (const address of addresses) await ask(address);
  return answers;
};

/** Makes every write of the site in a new repository. */
export const writtenRepository = async (moved: MovedSite): Promise<Repository> => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-moved-'));
  const site = await moved.written(folder);
  const withServer: Repository['withServer'] = async (options, use) => {
    const warnings: unknown[] = [];
    const onError = (warning: unknown): unknown => warnings.push(warning);
    const atoll = await startAtoll({ ...(site === undefined ? {} : { site }), onError, ...options });
    try {
      return await use(atoll);
    } finally {
      await atoll.close();
      if (warnings.length > 0) throw new Error(warnings.map(String).join('\n'));
    }
  };
  const [data, archive] = [join(folder, 'data'), join(folder, 'archive.tar')];
  const [content, contentOf] = await withServer({ data, fixture: moved.fixture }, async (atoll) => {
    const before = await atoll.entities({ type: 'taxonomy_term', limit: '1', order: '-id' });
    const isOwn = (type: string, id: number) => type !== 'taxonomy_term' || id > (before.entities[0]?.id ?? 0);
    const read = async (world: MovedWorld): Promise<Content> => ({
      files: filesOf(await archiveOf(world)),
      answers: await answersOf(world, isOwn),
    });
    const client = writingClient(atoll);
    for (const { what, write } of writesOf(moved)) {
      await write(client, moved).catch((cause: unknown) => {
        throw new Error(`It cannot write ${what}.`, { cause });
      });
    }
    await writeFile(archive, await archiveOf(atoll));
    return [await read(atoll), read] as const;
  });
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  return { folder, data, archive, site, content, contentOf, withServer, remove };
};
