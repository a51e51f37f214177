/** A server of a document that a test writes, with handlers that it writes. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startAtoll, type Atoll, type AtollOptions } from '../../../src/cli/entries/atoll.ts';

export type OwnServer = Atoll & {
  readonly folder: string;
  /** What the server has told its log. */
  readonly errors: unknown[];
};

const open = new Set<OwnServer>();

/** Ends the servers of a test. */
export const closeOwnServers = async (): Promise<void> => {
  for (const server of open) await server.close();
};

type Files = Readonly<Record<string, string>>;
/** A function gets the folder. */
type Options = AtollOptions | ((folder: string) => AtollOptions);

/** Writes the files to a new folder. `api.yaml` is the document, if there is one, and `h` the folder of handlers, if there is one. */
export const startOwn = async (files: Files, options: Options = {}): Promise<OwnServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-own-document-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const errors: unknown[] = [];
  const hasHandlers = Object.keys(files).some((name) => name.startsWith('h/'));
  const atoll = await startAtoll({
    ...('api.yaml' in files ? { document: join(folder, 'api.yaml') } : {}),
    ...(hasHandlers ? { handlers: join(folder, 'h') } : {}),
    onError: (error) => errors.push(error),
    ...(typeof options === 'function' ? options(folder) : options),
  });
  const close = async (): Promise<void> => {
    open.delete(server);
    await atoll.close();
    await rm(folder, { recursive: true, force: true });
  };
  const server: OwnServer = { ...atoll, close, folder, errors };
  open.add(server);
  return server;
};
