/** Writes a demo and serves it as a plain static host does, below a sub-path, as the pages of a project have one. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { bundleDemo, bundleEngine } from '../../../scripts/bundle-browser.mjs';
import { writtenDemo, type DemoFile } from '../../cli/browser/written-demo.ts';
import { prepareSite } from '../../../src/browser/browser.ts';
import { root } from '../../support/atoll.ts';
import { buildConsole } from './console-build.ts';

export type DemoHost = {
  /** Of a name that is not this machine's, with a slash at its end. */
  readonly url: string;
  readonly port: number;
  readonly files: readonly DemoFile[];
  close(): Promise<void>;
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

export const startDemoHost = async (hostName: string): Promise<DemoHost> => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-demo-'));
  const files = await writeDemo(folder);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    void sent(folder, pathname).then(({ status, name, location, content }) => {
      response.writeHead(status, {
        'Content-Type': types[extname(name)] ?? 'application/octet-stream',
        ...(location === undefined ? {} : { Location: location }),
      });
      response.end(content);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    ...{ url: `http://${hostName}:${port}/project/`, port, files },
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** As the command does it, with what the suite has built. */
const writeDemo = async (folder: string): Promise<readonly DemoFile[]> => {
  await buildConsole();
  await mkdir(join(root, 'coverage'), { recursive: true });
  const built = await mkdtemp(join(root, 'coverage/demo-'));
  try {
    await bundleEngine(built);
    await bundleDemo(built);
    const apiPage = join(built, 'api-page');
    await mkdir(apiPage);
    for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
      await copyFile(join(root, 'node_modules/swagger-ui-dist', name), join(apiPage, name));
    const builtFolders = { browser: built, console: join(root, 'dist/console'), apiPage };
    return await writtenDemo(folder, await prepareSite({ root }), builtFolders);
  } finally {
    await rm(built, { recursive: true, force: true });
  }
};

type Sent = { status: number; name: string; location?: string; content?: Buffer };

/** A folder is its `index.html`, and what is not there is `404.html`: so do GitHub Pages. */
const sent = async (folder: string, pathname: string): Promise<Sent> => {
  const name = /^\/project\/(.*)$/.exec(decodeURIComponent(pathname))?.[1];
  if (name === undefined) return { status: 404, name: '' };
  const file = name === '' || name.endsWith('/') ? `${name}index.html` : name;
  const content = await contentOf(folder, file);
  if (content !== undefined) return { status: 200, name: file, content };
  if (!name.endsWith('/') && (await contentOf(folder, `${name}/index.html`)) !== undefined)
    return { status: 301, name: '', location: `${pathname}/` };
  return { status: 404, name: '404.html', content: await readFile(join(folder, '404.html')) };
};

const contentOf = (folder: string, name: string): Promise<Buffer | undefined> =>
  readFile(join(folder, name)).catch(() => undefined);
