/** A plugin of esbuild for the bundles that have mime-types. */
import { readFile } from 'node:fs/promises';

/**
 * The table of media types as text, which is read in a third of the time, without the types that no file name leads to and what nobody
 * reads. And mime-types makes its maps of it when it is first asked: a start asks nothing.
 */
export const quickMediaTypes = {
  name: 'quick media types',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, async ({ path }) => {
      const types = Object.entries(JSON.parse(await readFile(path, 'utf8')));
      const used = Object.fromEntries(
        types.flatMap(([type, { source, extensions, charset }]) =>
          (extensions ?? charset) ? [[type, { source, extensions, charset }]] : [],
        ),
      );
      return { contents: `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(used))});`, loader: 'js' };
    });
    onLoad({ filter: /[\\/]mime-types[\\/]index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = mapsLater.reduce((changed, [written, instead]) => {
        if (!changed.includes(written)) throw new Error(`mime-types does not have "${written}" any more.`);
        return changed.replaceAll(written, instead);
      }, text);
      return { contents, loader: 'js' };
    });
  },
};

/** What mime-types has, and what takes its place. */
const mapsLater = [
  ["var db = require('mime-db')", "var tables = () => require('mime-db'), maps"],
  ['db[', 'tables()['],
  ['(db)', '(tables())'],
  [
    'exports.extensions = Object.create(null)',
    "Object.defineProperty(exports, 'extensions', { get: () => known().extensions })",
  ],
  ['exports.types = Object.create(null)', "Object.defineProperty(exports, 'types', { get: () => known().types })"],
  [
    'populateMaps(exports.extensions, exports.types)',
    `function known () {
      if (maps === undefined) {
        maps = { extensions: Object.create(null), types: Object.create(null) }
        populateMaps(maps.extensions, maps.types)
      }
      return maps
    }`,
  ],
];
