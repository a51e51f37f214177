/**
 * Lets the imports of a door (`src/PART/PART*.ts`, which re-exports what others may use) lead to the files behind it. A bundle then has
 * and starts what is imported, where it would start everything behind the door. A test of a bundle imports doors, too.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const reexport = /^export (?:type )?\{ (\w+)(?: as (\w+))? \} from '(\.[^']+)';$/gm;
const comment = /\/\*\*[\s\S]*?\*\//g;

/** The files behind a door by the names that it gives, with the names that they have there. Undefined for another file. */
const readDoor = (file) => {
  const text = readFileSync(file, 'utf8');
  if (text.replaceAll(comment, '').replaceAll(reexport, '').trim() !== '') return undefined;
  const names = [...text.matchAll(reexport)];
  return new Map(names.map(([, name, as = name, from]) => [as, { name, file: join(dirname(file), from) }]));
};

// Without the repository there are no handlers.
const parts = [
  ...[join(root, 'handlers')].filter((folder) => existsSync(folder)),
  ...readdirSync(join(root, 'src')).map((part) => join(root, 'src', part)),
];

/** The doors of all parts by their files: what stands behind each name. */
export const doors = new Map(
  parts.flatMap((folder) => {
    const part = folder.split(sep).at(-1);
    return readdirSync(folder)
      .filter((name) => name === `${part}.ts` || (name.startsWith(`${part}-`) && name.endsWith('.ts')))
      .flatMap((name) => {
        const door = readDoor(join(folder, name));
        return door === undefined ? [] : [[join(folder, name), door]];
      });
  }),
);

const statement = /^(import|export)( type)? \{([^}]*)\} from '(\.[^']+)';/gm;

/** The text of a file of the source, with as many lines. Dynamic imports stay. */
export const throughDoors = (file, text) =>
  text.replaceAll(statement, (whole, keyword, type = '', names, from) => {
    const door = doors.get(join(dirname(file), from));
    if (door === undefined) return whole;
    const statements = names
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
      .map((each) => {
        const [, kind = '', name, as = name] = /^(type )?(\w+)(?: as (\w+))?$/.exec(each);
        const behind = door.get(name);
        if (behind === undefined) throw new Error(`${file}: ${from} does not export ${name}.`);
        const path = relative(dirname(file), behind.file).replaceAll(sep, '/');
        const renamed = behind.name === as ? as : `${behind.name} as ${as}`;
        return `${keyword}${type} { ${kind}${renamed} } from '${path.startsWith('.') ? path : `./${path}`}';`;
      });
    return statements.join(' ') + '\n'.repeat(whole.split('\n').length - 1);
  });

/** The same as a plugin of esbuild. It comes after those that load a file of the source in their own way. */
export const doorsOpen = {
  name: 'doors open',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/](?:src|handlers|test)[\\/].*\.ts$/ }, async ({ path }) =>
      /[\\/]node_modules[\\/]/.test(path)
        ? undefined
        : { contents: throughDoors(path, await readFile(path, 'utf8')), loader: 'ts' },
    );
  },
};
