/** Reads the files that a static host has: those of the console and of Swagger UI. */
import type { ReadSwaggerFile, ReadConsoleFile } from '../../server/server-start.ts';

/** `folder` is the address of the demo, with a slash at its end. */
export const consoleFiles = (folder: URL): ReadConsoleFile => consoleFilesAt(new URL('console/', folder));

/** `folder` is the address of a copy of `dist/console`, with a slash at its end. */
export const consoleFilesAt =
  (folder: URL): ReadConsoleFile =>
  async (name) => {
    const response = await fromHost(new URL(name, folder));
    return response && { bytes: new Uint8Array(await response.arrayBuffer()), coding: undefined };
  };

/** Rejects when the host does not answer. */
export const swaggerFiles =
  (folder: URL): ReadSwaggerFile =>
  async (name) => {
    const address = new URL(`api-page/${name}`, folder);
    const response = await fromHost(address);
    if (response === undefined) throw new Error(`The host does not answer ${address.href}.`);
    return response.text();
  };

/** Undefined for a file that the host does not have. Some hosts answer a page for it. */
const fromHost = async (address: URL): Promise<Response | undefined> => {
  const response = await fetch(address);
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
  return response.ok && isPage === address.pathname.endsWith('.html') ? response : undefined;
};
