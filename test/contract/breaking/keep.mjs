/** Keeps the document of a release for comparisons to come, without its texts and examples: `npm run breaking:keep`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

const root = new URL('../../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const texts = new Set(['description', 'summary', 'example', 'examples']);

/** Members of a schema may be called like texts: those stay. */
const bare = (value, isMap = false) => {
  if (Array.isArray(value)) return value.map((each) => bare(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isMap || !texts.has(name))
      .map(([name, member]) => [name, bare(member, name === 'properties' || name === 'headers')]),
  );
};

const document = bare(parse(readFileSync(new URL('openapi.yaml', root), 'utf8')));
const note = `# openapi.yaml of ${version} without its texts and examples, written by npm run breaking:keep; never edit.\n`;
const text = note + stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
writeFileSync(new URL('released.openapi.yaml', import.meta.url), text);
