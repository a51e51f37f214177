/** Lays out what runs without an installation, in the image and in the archives: what the package has, and the AWS SDK that bytes in a bucket need. */
import { cp, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');

/** What `atoll serve` loads from elsewhere. Everything else is in its bundle. */
const outsideBundle = ['@aws-sdk/client-s3', '@aws-sdk/lib-storage'];

/** What no running program reads: types, modules for bundlers, and what people read. */
const isUseless = (path) =>
  /[/\\](?:dist-types|dist-es|\.[^/\\]+)$/.test(path) || /(?:\.d\.[cm]?ts|\.ts|\.map|\.md)$/i.test(path);

const readPackage = async (folder) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

/** The folder of a package, as a module in `from` finds it. */
const folderOf = async (name, from) => {
  for (let at = from; at.startsWith(root.replace(/[/\\]$/, '')); at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    const found = await readPackage(folder).catch(() => undefined);
    if (found !== undefined) return { folder, dependencies: Object.keys(found.dependencies ?? {}) };
  }
  throw new Error(`The package ${name} is not installed.`);
};

/** The folders of packages and of all that they need. */
const closureOf = async (names) => {
  const folders = new Set();
  const add = async (name, from) => {
    const { folder, dependencies } = await folderOf(name, from);
    if (folders.has(folder)) return;
    folders.add(folder);
    for (const each of dependencies) await add(each, folder);
  };
  for (const name of names) await add(name, root);
  return [...folders];
};

/** `files` of package.json, without what browsers and programs of others use of `dist`. */
const copyPackage = async (target) => {
  const { files } = await readPackage(root);
  const isLeftOut = (path) => files.includes(`!${relative(root, path).split(sep).join('/')}`);
  for (const name of ['package.json', 'LICENSE', ...files.filter((file) => !file.startsWith('!'))]) {
    await cp(join(root, name), join(target, name), {
      recursive: true,
      filter: (path) => !isLeftOut(path) && !/\.d\.c?ts$|[/\\]dist[/\\]types$/.test(path),
    });
  }
};

/** Fills the folder. Call it after a build. Returns the packages that are there beside the program, by name and version. */
export const layOutApp = async (app) => {
  await copyPackage(app);
  const packages = [];
  for (const folder of await closureOf(outsideBundle)) {
    const { name, version, license } = await readPackage(folder);
    packages.push({ name, version, license });
    const target = join(app, 'node_modules', relative(modules, folder));
    // A package within a package is copied by its own entry.
    await cp(folder, target, {
      recursive: true,
      filter: (path) => path === folder || (!isUseless(path) && path !== join(folder, 'node_modules')),
    });
  }
  return packages;
};
