/** `atoll demo`: which files it writes, what is in them, and what it refuses. A browser opens them in `test/system/browser/demo.browser.ts`. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { demoFiles, type BuiltFolders, type DemoFile } from '../../../src/cli/browser/demo-files.ts';
import { readEarlierDemo, writeDemoFolder } from '../../../src/cli/browser/demo-folder.ts';
import { prepareSite, type SiteParts } from '../../../src/browser/browser.ts';
import { preparedFile, root } from '../../support/atoll.ts';
import { runHere } from '../../support/command.ts';
import { withDirectory } from '../../support/program.ts';

// Other programs are started, on a machine that does other things too.
jest.setTimeout(120_000);

const sha256 = (content: string | Uint8Array, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHash('sha256').update(content).digest(encoding);

const put = async (folder: string, name: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
};

/** A module as the build makes it. */
const engine = "const served = () => { globalThis.served = 'a demo'; };\nexport{served as serveDemo};\n";

/** What a build makes, by its names alone. */
const builtIn = async (folder: string, but = ''): Promise<BuiltFolders> => {
  const names = ['demo-page.js', 'demo-install.js'].map((name) => `browser/${name}`);
  const pages = ['console/index.html', 'console/assets/index-1a.js', 'console/assets/index-1a.js.br', 'api-page/ui.js'];
  for (const name of [...names, ...pages]) if (!name.startsWith(but) || but === '') await put(folder, name, name);
  if (but !== 'browser/') await put(folder, 'browser/engine.js', engine);
  const at = (name: string): string => join(folder, name);
  return { browser: at('browser'), console: at('console'), apiPage: at('api-page') };
};

const prepared = async (): Promise<SiteParts> => prepareSite({ root, prepared: await preparedFile() });
let parts: SiteParts;
beforeAll(async () => {
  parts = await prepared();
});

describe('The files of a demo', () => {
  let files: ReadonlyMap<string, Uint8Array>;
  const textOf = (name: string): string => Buffer.from(files.get(name) ?? []).toString();
  beforeAll(async () => {
    await withDirectory(async (folder) => {
      const made = await demoFiles(parts, await builtIn(folder));
      files = new Map(made.map(({ name, content }) => [name, content]));
    });
  });

  it('are pages, the program, the console, the interface page, the site, and the bytes of its content', () => {
    const names = [...files.keys()];
    expect(names.filter((name) => !name.startsWith('bytes/'))).toEqual([
      ...['.nojekyll', '404.html', 'api-page/ui.js'],
      ...['console/assets/index-1a.js', 'console/index.html', 'demo.css', 'first-page.js', 'index.html', 'install.js'],
      ...['repo/_atoll/docs/index.html', 'repo/_atoll/index.html', 'repo/index.html', 'service-worker.js', 'site.js'],
    ]);
    expect(names.filter((name) => name.startsWith('bytes/'))).toHaveLength(66);
    const scope = { served: '' };
    runInNewContext(textOf('service-worker.js'), scope);
    expect(scope.served).toBe('a demo');
  });

  it('have the site as a script, whose bytes lie beside it', () => {
    const scope = { atollSite: undefined as SiteParts | undefined, atollModel: '' };
    runInNewContext(textOf('site.js'), scope);
    expect(scope.atollModel).toMatch(/^[0-9a-f]{16}$/);
    const { entities = [], blobs = {} } = scope.atollSite?.fixtures['starter'] ?? {};
    const references = entities.flatMap(({ blob }) => blob ?? []);
    expect(references).toHaveLength(66);
    for (const { key, sha256: sum } of references) {
      const bytes = blobs[key];
      const address = bytes !== undefined && 'url' in bytes ? bytes.url : '';
      expect(sha256(files.get(address) ?? new Uint8Array())).toBe(sum);
    }
  });

  it('ask no other host, and run no script but their own', () => {
    for (const name of [...files.keys()].filter((each) => each.endsWith('.html') && !each.startsWith('console/'))) {
      const page = textOf(name);
      expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
      const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
      expect(policy).toContain("default-src 'none'; script-src 'self'");
      expect(policy).toContain("connect-src 'self'");
      expect(policy).not.toMatch(/unsafe/);
      const inline = [...page.matchAll(/<(script|style)>([^]*?)<\/\1>/g)].map(([, , text = '']) => text);
      expect(inline).toHaveLength(name === '404.html' ? 2 : 0);
      for (const text of inline) expect(policy).toContain(`'sha256-${sha256(text, 'base64')}'`);
    }
  });

  it('of one content are equal, so that browsers install nothing anew', async () => {
    const others = await prepared();
    await withDirectory(async (folder) => {
      const again = await demoFiles(others, await builtIn(folder));
      expect(sha256(again.find(({ name }) => name === 'site.js')?.content ?? '')).toBe(sha256(textOf('site.js')));
    });
  });
});

describe('The folder of a demo', () => {
  const file = (name: string): DemoFile => ({ name, content: Buffer.from(name) });

  it('loses what an earlier demo wrote there, and nothing else', async () => {
    await withDirectory(async (directory) => {
      const folder = join(directory, 'demo');
      await writeDemoFolder(folder, [file('index.html'), file('console/old.js')], await readEarlierDemo(folder));
      await put(folder, 'CNAME', 'demo.example.org');
      await writeDemoFolder(folder, [file('index.html'), file('console/new.js')], await readEarlierDemo(folder));
      const there = ['index.html', 'console/new.js', 'console/old.js', 'CNAME'].map((name) =>
        existsSync(join(folder, name)),
      );
      expect(there).toEqual([true, true, false, true]);
      expect(Object.keys(await readEarlierDemo(folder))).toEqual(['index.html', 'console/new.js']);
    });
  });

  it('is refused with a list that somebody else wrote, and nothing is removed', async () => {
    await withDirectory(async (folder) => {
      await put(folder, 'precious.txt', 'mine');
      await put(folder, 'demo.json', JSON.stringify({ note: 'my demo', files: { 'precious.txt': 'x' } }));
      await expect(readEarlierDemo(folder)).rejects.toThrow('is none that atoll demo wrote');
      expect(existsSync(join(folder, 'precious.txt'))).toBe(true);
    });
  });

  it('is refused with a list of a newer format, and one without a format is read', async () => {
    await withDirectory(async (folder) => {
      await writeDemoFolder(folder, [file('index.html')], {});
      const list = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as object; // just written
      await put(folder, 'demo.json', JSON.stringify({ ...list, format: 2 }));
      await expect(readEarlierDemo(folder)).rejects.toThrow(
        `${join(folder, 'demo.json')}: format 2 is not known to this version. Use a newer Atoll.`,
      );
      await put(folder, 'demo.json', JSON.stringify({ ...list, format: undefined }));
      expect(Object.keys(await readEarlierDemo(folder))).toEqual(['index.html']);
    });
  });

  it('keeps what was changed since, names nothing outside, and follows no symbolic link', async () => {
    await withDirectory(async (directory) => {
      const [folder, outside] = [join(directory, 'demo'), join(directory, 'outside')];
      await put(outside, 'p.txt', 'old/p.txt');
      await writeDemoFolder(folder, [file('changed.js'), file('old/p.txt')], {});
      const list = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as { files: Record<string, string> }; // just written
      const names = ['../outside/p.txt', '/etc/hosts', String.raw`..\x`];
      for (const name of names) list.files[name] = list.files['old/p.txt'] ?? '';
      await put(folder, 'demo.json', JSON.stringify(list));
      await put(folder, 'changed.js', 'by hand');
      await rm(join(folder, 'old'), { recursive: true });
      await symlink(outside, join(folder, 'old'));
      const earlier = await readEarlierDemo(folder);
      expect(Object.keys(earlier)).toEqual(['changed.js', 'old/p.txt']);
      await writeDemoFolder(folder, [file('index.html')], earlier);
      expect([existsSync(join(folder, 'changed.js')), existsSync(join(outside, 'p.txt'))]).toEqual([true, true]);
      for (const name of ['old/x.js', 'old/new/x.js']) {
        await expect(writeDemoFolder(folder, [file(name)], {})).rejects.toThrow('is of no earlier demo');
      }
    });
  });

  it('is refused where a file of the demo would replace one of somebody else', async () => {
    await withDirectory(async (folder) => {
      await writeDemoFolder(folder, [file('index.html')], {});
      await put(folder, 'about.html', 'mine');
      const again = writeDemoFolder(folder, [file('about.html')], await readEarlierDemo(folder));
      await expect(again).rejects.toThrow('about.html is there and is of no earlier demo. Move it away.');
      expect(await readFile(join(folder, 'about.html'), 'utf8')).toBe('mine');
    });
  });
});

describe('atoll demo', () => {
  it('refuses a folder with something else, a file, a list that it cannot read, and a site beside an import', async () => {
    await withDirectory(async (folder) => {
      await put(folder, 'full/notes.txt', 'mine');
      await put(folder, 'list/demo.json', '{}');
      const refusals: [readonly string[], string][] = [
        [['--out', join(folder, 'full')], 'the folder holds something else. Name a new or an empty one.'],
        [['--out', join(folder, 'full/notes.txt')], 'it is not a folder.'],
        [
          ['--out', join(folder, 'list')],
          'its demo.json is none that atoll demo wrote. Remove the folder, or name another one.',
        ],
        [['--out', join(folder, 'new'), '--site', 'x', '--drupal-config', 'y'], 'Leave out one of them.'],
        [['--out', join(folder, 'new'), '--site', join(folder, 'none')], 'none'],
      ];
      for (const [args, told] of refusals) {
        const { code, error } = await runHere(['demo', ...args]);
        expect({ args, code }).toEqual({ args, code: 2 });
        expect(error).toContain(told);
      }
      expect(await readFile(join(folder, 'full/notes.txt'), 'utf8')).toBe('mine');
      expect(existsSync(join(folder, 'new'))).toBe(false);
    });
  });

  it.each(['browser', 'console', 'api-page'])('says how to build what is missing: %s', async (part) => {
    await withDirectory(async (folder) => {
      await expect(demoFiles(parts, await builtIn(folder, part))).rejects.toThrow(
        /is not there: the program is not built\. In its repository: npm run build$/,
      );
    });
  });
});
