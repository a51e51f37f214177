/** The manual as a site for any host: a page for each of docs/use, whose links and anchors hold, and what the search reads. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/atoll.ts';

let folder: string;
let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-help-pages-'));
  const site = join(folder, 'site');
  await promisify(execFile)(process.execPath, ['scripts/help.mjs', site], { cwd: root });
  const names = (await readdir(site, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const texts = names
    .filter((name) => name.includes('.'))
    .map(async (name) => [name, await readFile(join(site, name), 'utf8')] as const);
  pages = new Map(await Promise.all(texts));
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const isPage = (name: string): boolean => name.endsWith('.html');

/** The page and the anchor that an address leads to, from a page. */
const placeOf = (address: string, from: string): readonly [page: string, anchor: string] => {
  const [path = '', anchor = ''] = address.split('#');
  return [path === '' ? from : posix.join(dirname(from), path), anchor];
};

const isThere = ([page, anchor]: readonly [string, string]): boolean =>
  anchor === '' ? pages.has(page) : pages.get(page)?.includes(` id="${anchor}"`) === true;

describe('The pages', () => {
  it('are those of docs/use, and one that lists them', async () => {
    const sources = (await readdir(join(root, 'docs/use'), { recursive: true })).filter((name) => name.endsWith('.md'));
    const wanted = ['index.html', ...sources.map((name) => name.replaceAll('\\', '/').replace(/\.md$/, '.html'))];
    expect([...pages.keys()].filter(isPage).sort()).toEqual(wanted.sort());
    const use = (await readFile(join(root, 'docs/README.md'), 'utf8')).split('## Inside')[0] ?? '';
    const listed = [...use.matchAll(/^- \[[^\]]*\]\(use\/([a-z0-9-]+)\.md/gm)].map(([, name]) => `${name}.html`);
    const links = [...(pages.get('index.html') ?? '').matchAll(/<li><a href="([^"]+)"/g)].map(([, href]) => href);
    expect(links).toEqual(listed);
  });

  it('lead to pages and anchors that exist, and otherwise to other hosts', () => {
    const dead = [...pages]
      .filter(([name]) => isPage(name))
      .flatMap(([name, html]) =>
        [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
          .map(([, address = '']) => address)
          .filter((address) => !/^[a-z]+:/.test(address) && !isThere(placeOf(address, name)))
          .map((address) => `${name}: ${address}`),
      );
    expect(dead).toEqual([]);
  });

  it('show examples as they are written, no marks of the source, and no styles that their policy refuses', () => {
    expect(pages.get('uploading.html')).toContain('<h1 id="uploading">Uploading</h1>');
    const marks = [...pages].filter(([name, html]) => isPage(name) && / style=|&lt;!-- |\]\([a-z-]+\.md/.test(html));
    expect(marks.map(([name]) => name)).toEqual([]);
  });
});

describe('The search', () => {
  it('reads every page', () => {
    const names = JSON.parse(pages.get('pages.json') ?? '') as string[]; // made here
    expect(names.sort()).toEqual([...pages.keys()].filter((name) => isPage(name) && name !== 'index.html').sort());
  });
});
