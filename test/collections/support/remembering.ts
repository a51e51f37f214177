/** Servers that remember by a document alone, and the tables of requests to them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AtollOptions } from '../../../src/cli/entries/atoll.ts';
import { startOwn, type OwnServer } from '../../documents/support/own-document.ts';
import { type Step, walk } from './steps.ts';

export type DocumentName = 'library' | 'orders' | 'weblog';

export const documentFile = (name: DocumentName): string => join(import.meta.dirname, '../documents', `${name}.yaml`);
export const documentText = (name: DocumentName): string => readFileSync(documentFile(name), 'utf8');

/** The text of a document with another passage in place of one that it has. */
export const documentWith = (name: DocumentName, from: string, to: string): string => {
  const text = documentText(name);
  if (!text.includes(from)) throw new Error(`${name}.yaml does not have ${JSON.stringify(from)}.`);
  return text.replace(from, () => to);
};

/** The time of every world in these tests. */
export const now = '2030-01-02T03:04:05.000Z';

export type RememberingOptions = AtollOptions & { readonly stateless?: boolean };

/** Serves a document of these tests, or the text of another one, beside other files such as `h/handlers.mjs`. */
export const startRemembering = (
  document: string,
  options: RememberingOptions = {},
  files: Readonly<Record<string, string>> = {},
): Promise<OwnServer> => {
  const text = /^\w+$/.test(document) ? documentText(document as DocumentName) : document;
  return startOwn({ 'api.yaml': text, ...files }, (folder) => ({
    ...{ port: false, seed: 'net', ...options },
    ...(options.fixture?.endsWith('.yaml') === true ? { fixture: join(folder, options.fixture) } : {}),
  }));
};

/** A new world with the records that the document or the fixture begins with. */
export const newWorld = async (server: OwnServer) => {
  const world = await server.world();
  await world.clock.set({ now, mode: 'frozen' });
  return world;
};

type Table = Readonly<Record<string, readonly Step[]>>;
type From = {
  readonly document: string;
  readonly options?: RememberingOptions;
  readonly files?: Readonly<Record<string, string>>;
};

/** Each row is a test in a world of its own. */
export const rows = (title: string, { document, options, files }: From, table: Table): void => {
  describe(title, () => {
    let server: OwnServer;
    beforeAll(async () => {
      server = await startRemembering(document, options, files);
    });
    afterAll(async () => {
      const { errors } = server;
      await server.close();
      expect(errors.filter((error) => error instanceof Error)).toEqual([]);
    });
    it.each(Object.entries(table))('%s', async (_row, steps) => {
      const world = await newWorld(server);
      await walk(world, steps);
      await world.drop();
    });
  });
};
