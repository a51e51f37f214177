/** The names that users write down are those of the reviewed list. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { parse } from 'yaml';
import { keptFolder } from './kept.ts';
import { namesOfNewOperations, publicNames, type PublicNames } from './public-names.ts';
import { root } from '../support/atoll.ts';

jest.setTimeout(120_000);

/** Each name with its place, as a line. */
const linesOf = (names: PublicNames): readonly string[] =>
  Object.entries(names).flatMap(([kind, content]) =>
    Array.isArray(content)
      ? content.map((name) => `${kind}: ${name}`)
      : Object.entries(content as Readonly<Record<string, unknown>>).flatMap(([key, value]) => [
          `${kind}: ${key}${Array.isArray(value) ? '' : ` = ${String(value)}`}`,
          ...(Array.isArray(value) ? value.map((name) => `${kind}: ${key}: ${String(name)}`) : []),
        ]),
  );

it('are all in the reviewed list, and the list has no other', async () => {
  const list = parse(await readFile(join(keptFolder, 'public-names.yml'), 'utf8')) as PublicNames; // a reviewed file
  const listed = linesOf(list);
  // The document of the control interface is reviewed itself. A release lists what it has added.
  const isUnreleased = /^## Unreleased/m.test(await readFile(join(root, 'CHANGELOG.md'), 'utf8'));
  const isNewOperation = isUnreleased ? await namesOfNewOperations(list) : () => false;
  const present = linesOf(await publicNames());
  const removed = listed.filter((line) => !present.includes(line));
  const added = present.filter((line) => !listed.includes(line) && !isNewOperation(line));
  expect({
    'Removed or renamed: it works for one release with a warning (test/kept/README.md); then change public-names.yml':
      removed,
    'New: add it to public-names.yml once its name is right, for it stays': added,
  }).toEqual({
    'Removed or renamed: it works for one release with a warning (test/kept/README.md); then change public-names.yml':
      [],
    'New: add it to public-names.yml once its name is right, for it stays': [],
  });
});
