/** What a start takes from the prepared file when the site is not the prepared one. */
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { readContract } from '../support/site-sources.ts';
import { readDocument, recordsHash } from '../../src/server/server-application.ts';
import { prepare, readDocuments, readSources } from '../../src/application/sources/prepared-sources.ts';
import { preparedFile, readFixture, root } from '../support/atoll.ts';

const folder = await mkdtemp(join(tmpdir(), 'atoll-prepared-'));
afterAll(() => rm(folder, { recursive: true }));

const prepared = await preparedFile();
const documents = {
  document: await readContract(join(root, 'openapi.yaml')),
  controlDocument: await readDocument(join(root, 'src/server/control/openapi.yaml')),
};

const ownSite = join(folder, 'site');
await cp(join(root, 'data/site'), ownSite, { recursive: true });
await appendFile(join(ownSite, 'site.yml'), '\n# A site of our own.\n');

/** A package whose documents may be changed. */
const packageCopy = async (name: string): Promise<string> => {
  const copy = join(folder, name);
  await mkdir(join(copy, 'src/server/control'), { recursive: true });
  for (const part of ['openapi.yaml', 'src/server/control/openapi.yaml', 'data/site', 'data/sites'])
    await cp(join(root, part), join(copy, part), { recursive: true });
  return copy;
};

it('takes the documents for a site of its own, as they are written', async () => {
  const read = await readSources(root, ownSite, prepared);
  expect(read).toMatchObject({ isChecked: false, areDocumentsChecked: true, site: { name: 'Contract Site' } });
  expect({ document: read.document, controlDocument: read.controlDocument }).toEqual(documents);
  expect(await readDocuments(root, prepared)).toEqual({ ...documents, areDocumentsChecked: true });
});

it('takes no document of which one has changed', async () => {
  for (const name of ['openapi.yaml', 'src/server/control/openapi.yaml']) {
    const changed = await packageCopy(`changed ${name.replaceAll('/', ' ')}`);
    expect(await readDocuments(changed, prepared)).toMatchObject({ areDocumentsChecked: true });
    await appendFile(join(changed, name), '\nx-changed: true\n');
    const read = await readSources(changed, ownSite, prepared);
    expect(read).toMatchObject({ isChecked: false, areDocumentsChecked: false });
    expect([read.document['x-changed'], read.controlDocument['x-changed']]).toEqual(
      name === 'openapi.yaml' ? [true, undefined] : [undefined, true],
    );
  }
});

it('never takes the document of another site for a changed site of the package', async () => {
  const copy = await packageCopy('starter');
  const files = { base: join(copy, 'prepared.json'), starter: join(copy, 'prepared-starter-site.json') };
  await writeFile(files.base, await prepare(copy));
  await writeFile(files.starter, await prepare(copy, 'starter-site'));
  expect((await readSources(copy, 'starter-site', files.base)).isChecked).toBe(true);
  await appendFile(join(copy, 'data/sites/starter-site/site.yml'), '\n# Changed.\n');
  const read = await readSources(copy, 'starter-site', files.base);
  expect(read).toMatchObject({ isChecked: false, areDocumentsChecked: true });
  expect(read.document).toEqual(documents.document);
  await rm(files.base);
  expect(await readSources(copy, 'starter-site', files.base)).toMatchObject({
    ...documents,
    areDocumentsChecked: false,
  });
});

it('has no use for a prepared file that is not there', async () => {
  expect(await readDocuments(root, undefined)).toEqual({ ...documents, areDocumentsChecked: false });
  expect(await readDocuments(root, join(folder, 'none.json'))).toMatchObject({ areDocumentsChecked: false });
});

it('names the fixtures of the package that fit the site, and no other', async () => {
  const copy = await packageCopy('fixtures');
  for (const part of ['data/fixtures', 'data/fixture.schema.json'])
    await cp(join(root, part), join(copy, part), { recursive: true });
  const [file, bundle] = [join(copy, 'prepared.json'), join(copy, 'data/site/bundles/node.islandora_object.yml')];
  const checked = async (): Promise<readonly string[] | undefined> => {
    await writeFile(file, await prepare(copy));
    return (await readSources(copy, undefined, file)).checkedRecords;
  };
  const hashes = ['empty', 'starter'].map(async (name) =>
    recordsHash(await readFixture(join(root, 'data/fixtures', name))),
  );
  const [empty, starter] = await Promise.all(hashes);
  expect(new Set(await checked())).toEqual(new Set([empty, starter]));
  const added = 'fields:\n  field_shelf: { label: Shelf, type: string, cardinality: 1, required: true }';
  await writeFile(bundle, (await readFile(bundle, 'utf8')).replace(/^fields:/m, added));
  expect(await checked()).toEqual([empty]);
});
