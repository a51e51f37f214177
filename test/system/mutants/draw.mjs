/** Draws mutants by a seed: as many of each area, and the same ones as long as their lines stay as they are. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changed, changesOf } from './changes.mjs';

/** What decides what is answered and what is kept. */
export const areas = {
  engine: ['src/repository/engine', 'src/repository/caches'],
  http: ['src/server/http', 'src/server/faults', 'src/application/engine', 'src/application/faults'],
  handlers: ['handlers'],
  fields: ['src/repository/fields'],
  rules: ['src/repository/content'],
  access: ['src/repository/access'],
  representations: ['src/repository/representations'],
  links: ['src/repository/links'],
  contract: ['src/contract', 'src/checks/compare', 'src/checks/differences'],
  exchange: ['src/exchange'],
  storage: ['src/storage'],
};

const filesOf = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts'));

const excerpt = (text) => text.replace(/\s+/g, ' ').slice(0, 200);

/** The changes of an area in the order of the seed. Where code is moved, or other lines change, the order stays. */
const ordered = (root, folders, seed) => {
  const found = folders
    .flatMap((folder) => filesOf(root, folder))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const lines = text.split('\n');
      const seen = new Map();
      return changesOf(text, file).map((change) => {
        const key = [file, change.kind, lines[change.line - 1].trim(), change.original, change.replacement].join('\n');
        const before = seen.get(key) ?? 0;
        seen.set(key, before + 1);
        return { ...change, rank: createHash('sha256').update(`${seed}\n${key}\n${before}`).digest('hex') };
      });
    });
  return found.sort((one, other) => (one.rank < other.rank ? -1 : 1));
};

/** The next change of an area whose types are right. */
const drawn = function* (root, folders, seed, types, refused) {
  for (const change of ordered(root, folders, seed)) {
    const text = readFileSync(join(root, change.file), 'utf8');
    if (types.isRight(change.file, changed(text, change))) yield change;
    else refused();
  }
};

/** The first `count` mutants of the seed, an area after the other, and how many were left to the compiler. */
export const draw = ({ root, seed, count, chosen, types }) => {
  let leftToCompiler = 0;
  const refused = () => (leftToCompiler += 1);
  const sources = chosen.map((area) => ({ area, changes: drawn(root, areas[area], seed, types, refused) }));
  const mutants = [];
  while (mutants.length < count && sources.length > 0) {
    for (const source of [...sources]) {
      if (mutants.length === count) break;
      const { value } = source.changes.next();
      if (value === undefined) sources.splice(sources.indexOf(source), 1);
      else mutants.push({ number: mutants.length + 1, area: source.area, ...value, shown: excerpt(value.original) });
    }
  }
  return { mutants, leftToCompiler };
};
