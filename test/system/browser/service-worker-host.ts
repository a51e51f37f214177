/** A static host with the ready service worker, as tests of it need one: pages, scripts, and nothing that answers for a repository. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bundleBrowser, bundleEngine } from '../../../scripts/bundle-browser.mjs';
import { prepareBrowserSites } from '../../../scripts/prepare-browser-sites.mjs';
import { preparedWorker, prepareSite } from '../../../src/browser/browser.ts';
import { root } from '../../support/atoll.ts';
import { museum, writeSite } from '../../support/invented-sites.ts';

export type Host = {
  /** `http://localhost:PORT` */
  readonly url: string;
  /** The paths that reached the host. */
  readonly asked: string[];
  /** Puts a file at a path. */
  readonly put: (path: string, text: string) => void;
  readonly read: (path: string) => string;
  readonly close: () => Promise<void>;
};

/** Its icon keeps browsers from asking the host for one, at a moment of their own. */
const page = `<!doctype html><title>A front end</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script><h1>Front end</h1>`;

/** No `unsafe-eval`: neither page nor worker may make code of text. */
const policy = "default-src 'self'; script-src 'self'; img-src 'self' blob: data:; media-src 'self'";

/** A script of somebody who has the site as a module of its own. */
const moduleWorker = `import { site } from './starter-site.js';
import { serveRepository } from './serve-repository.js';
serveRepository(site);`;

export const startHost = async (): Promise<Host> => {
  await mkdir(join(root, 'coverage'), { recursive: true });
  const folder = await mkdtemp(join(root, 'coverage/service-worker-'));
  const files = await builtFiles(folder).finally(() => rm(folder, { recursive: true, force: true }));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    asked.push(pathname);
    const text = pathname.endsWith('/') ? page : files.get(pathname);
    response.statusCode = text === undefined ? 404 : 200;
    response.setHeader('Content-Type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8');
    response.setHeader('Content-Security-Policy', policy);
    response.end(text ?? 'The host has no such file.');
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`, // it listens on a port
    asked,
    put: (path, text) => void files.set(path, text),
    read: (path) => files.get(path) ?? '',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const builtFiles = async (folder: string): Promise<Map<string, string>> => {
  await prepareBrowserSites(root, folder);
  await bundleEngine(folder);
  await bundleBrowser(folder, { page: 'test/system/browser/service-worker-page.mjs' });
  await writeFile(join(folder, 'module-worker.js'), moduleWorker);
  const names = [
    'page.js',
    'engine.js',
    'serve-repository.js',
    'module-worker.js',
    'starter-site.js',
    'shared-bytes.js',
  ];
  const texts = names.map(async (name) => [`/${name}`, await readFile(join(folder, name), 'utf8')] as const);
  const engine = await readFile(join(folder, 'engine.js'), 'utf8');
  const ready = preparedWorker(await prepareSite({ root }), engine).text;
  const site = await writeSite(join(folder, 'museum'), museum);
  const prepared = preparedWorker(await prepareSite({ root, site, fixtures: ['sample:20'] }), engine).text;
  return new Map([...(await Promise.all(texts)), ['/atoll-sw.js', ready], ['/museum-sw.js', prepared]]);
};
