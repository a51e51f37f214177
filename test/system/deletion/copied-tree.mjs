/** A copy of the sources in a temporary folder, from which parts are deleted and put back. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

/** Made by `npm run generate`, so Git does not have it. */
const generated = ['src/client/generated', 'src/sites/generated', 'src/browser/generated'];

/** The text after `from`, `import` or `import(` that names a file. */
const imports = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;
const isSource = (path) => /\.(?:[cm]?ts|tsx|mjs)$/.test(path);

/** Whether a path is the file of this name, or in the folder. */
const isIn = (path, name) => path === name || path.startsWith(`${name}/`);

/** Copies what Git has of `root`, as it is in the working tree. */
export const copyTree = (root) => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-deletion-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const all = tracked.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  const copyOf = (path) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    copyFileSync(join(root, path), join(folder, path));
  };
  const copyGenerated = () => {
    for (const path of generated) cpSync(join(root, path), join(folder, path), { recursive: true });
  };
  all.forEach(copyOf);
  copyGenerated();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

  const gone = new Set();
  const edited = new Set();
  const left = () => all.filter((path) => !gone.has(path));
  const importsOf = (path) =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(imports)].map(([, name]) =>
      normalize(join(dirname(path), name)).replaceAll('\\', '/'),
    );
  const deletePaths = (deleted) => {
    for (const path of deleted) {
      rmSync(join(folder, path));
      gone.add(path);
    }
  };
  return {
    folder,
    remove,
    has: (name) => left().some((path) => isIn(path, name)),
    /** Whether a file of `root` is gone, or has lost a line. */
    isChanged: (path) => gone.has(path) || edited.has(path),
    /** Deletes a file, or a folder with all that is in it. Returns how many files that were. */
    deletePath: (name) => {
      const deleted = left().filter((path) => isIn(path, name));
      if (deleted.length === 0) throw new Error(`There is no ${name}.`);
      deletePaths(deleted);
      // What was generated there goes, too.
      rmSync(join(folder, name), { recursive: true, force: true });
      return deleted.length;
    },
    deleteLine: (path, text) => {
      const lines = readFileSync(join(folder, path), 'utf8').split('\n');
      const others = lines.filter((line) => !line.includes(text));
      if (others.length !== lines.length - 1) throw new Error(`${path} has not one line with ${text}`);
      edited.add(path);
      writeFileSync(join(folder, path), others.join('\n'));
    },
    /** Deletes what is outside of the program and imports a file that is gone, until nothing does. Returns the files. */
    deleteDependents: () => {
      const outside = left().filter((path) => isSource(path) && !/^(?:src|handlers)\//.test(path));
      const named = new Map(outside.map((path) => [path, importsOf(path)]));
      const dependents = [];
      for (;;) {
        const more = outside.filter((path) => !gone.has(path) && named.get(path)?.some((name) => gone.has(name)));
        if (more.length === 0) return dependents;
        deletePaths(more);
        dependents.push(...more);
      }
    },
    /** Puts back what was deleted. What was made in the copy stays: the next check of types and build find there what has not changed. */
    putBack: () => {
      for (const path of [...gone, ...edited]) copyOf(path);
      copyGenerated();
      gone.clear();
      edited.clear();
    },
  };
};
