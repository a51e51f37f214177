/**
 * Writes the HEAD operations into `openapi.yaml` for `npm pack`, because who gets the package reads the file: `write`, and
 * `restore` afterwards. The file of the repository has GET alone (`src/repository/document/head-operations.ts`).
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { Document, isMap, LineCounter, parseDocument, visit } from 'yaml';
import { withHeadOperations } from './import-source.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = `${root}openapi.yaml`;
/** The text of the repository while the whole one is in its place. */
const kept = `${root}coverage/openapi.yaml`;

/** The text with a HEAD after each GET that has none, and without `x-head`. Everything else is as it was. */
export const wholeText = async (text) => {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const { paths } = await withHeadOperations(document.toJS());
  const lines = text.split('\n');
  const lineOf = (map, name) =>
    lineCounter.linePos(map.items.find(({ key }) => key.value === name).key.range[0]).line - 1;
  // From the end, so that the lines before keep their numbers.
  for (const { key, value } of document.get('paths').items.toReversed()) {
    if (!value.has('get') || value.has('head')) continue;
    const get = lineOf(value, 'get');
    lines.splice(endOf(lines, get), 0, '', ...(await headLines(paths[key.value].head)));
    if (!value.hasIn(['get', override])) continue;
    const own = lineOf(value.get('get'), override);
    lines.splice(own, endOf(lines, own) - own);
  }
  return lines.join('\n');
};

const override = 'x-head';

/** The index after the last line of a member, which all its lines are indented below. */
const endOf = (lines, first) => {
  const indented = ' '.repeat(lines[first].search(/\S/) + 1);
  let end = first + 1;
  while (lines[end]?.startsWith(indented)) end++;
  return end;
};

/** As the other operations are written: what fits into a line is in one. */
const headLines = async (head) => {
  const document = new Document({ head });
  visit(document, {
    Collection: (_key, node) => {
      node.flow = isMap(node) ? node.has('$ref') : node.items.every((item) => !isMap(item) || !item.has('$ref'));
    },
  });
  const written = document.toString({ lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false });
  const text = await format(written, { ...(await resolveConfig(file)), parser: 'yaml', printWidth: 116 });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`);
};

/** Replaces the file in one step: another process may read it at this moment. */
const replaceFile = async (text) => {
  await writeFile(`${file}.${process.pid}.tmp`, text);
  await rename(`${file}.${process.pid}.tmp`, file);
};

/** A run before that was killed is cleared up first. */
export const writeWhole = async () => {
  await restore();
  const text = await readFile(file, 'utf8');
  await mkdir(dirname(kept), { recursive: true });
  await writeFile(kept, text);
  await replaceFile(await wholeText(text));
};

/** Throws when somebody has edited the whole text: both texts are still there then. */
const restore = async () => {
  const text = await readFile(kept, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const present = await readFile(file, 'utf8');
  if (present !== text && present !== (await wholeText(text)))
    throw new Error(`openapi.yaml has changed since it was packed. Compare it with ${kept}, and remove that file.`);
  await replaceFile(text);
  await rm(kept);
};

if (process.argv[1] === import.meta.filename) {
  const [command] = process.argv.slice(2);
  if (command === 'write') await writeWhole();
  else if (command === 'restore') await restore();
  else throw new Error('Say write or restore.');
}
