/** `atoll prepare`, and the modules that the build makes: everything of a site is in them, and nothing in them needs `eval`. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { moduleText } from '../../src/browser/prepared-site/module-text.ts';
import { prepareSite, type SiteParts } from '../../src/browser/browser.ts';
import type { PrepareOptions } from '../../src/browser/prepared-site/prepare-site.ts';
import type { PreparedFixture, PreparedSite } from '../../src/browser/prepared-site/prepared-site.ts';
import { loadSiteFolder } from '../../src/repository/repository-sites.ts';
import { loadSite } from '../support/site-sources.ts';
import { loadNamedSite } from '../../src/application/application-disk.ts';
import { entityTypes, type Site } from '../../src/repository/repository.ts';
import { once } from '../../src/basics/once.ts';
import { preparedFile, readFixture, readSources, root } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';
import { museum, writeSite } from '../support/invented-sites.ts';
import { withDirectory } from '../support/program.ts';
import { smallSite } from '../drupal/imported.ts';
import { writeObjects } from '../drupal/written-folder.ts';
import { siteOfModule, siteOfText, validatorsOf } from './evaluated.ts';

// Other programs are started, on a machine that does other things too.
jest.setTimeout(120_000);

const prepared = async (options: Omit<PrepareOptions, 'root' | 'prepared'> = {}): Promise<SiteParts> =>
  prepareSite({ ...options, root, prepared: await preparedFile() });

/** The default site as it is prepared without options. */
const defaultSite = once(() => prepared());

/** The site that a prepared one makes. */
const siteOf = ({ siteFiles, icons }: Pick<PreparedSite, 'siteFiles' | 'icons'>): Promise<Site> =>
  loadSiteFolder({
    list: async (part) => Object.keys(siteFiles).filter((name) => name.startsWith(`${part}/`)),
    has: async (name) => name in siteFiles,
    read: async (name) => siteFiles[name], // as it was checked when it was prepared
    pathOf: (name) => name,
    iconDirectory: 'icons',
    hasIcon: async (name) => name in icons,
  });

/** A site as values that can be compared, without its folder. */
const comparable = (site: Site) => ({
  ...{ ...site, iconDirectory: undefined },
  model: entityTypes.map((type) => site.model.bundles(type)),
});

/** Whether the bytes of each file are there and are those of its record. */
const expectWholeBytes = ({ entities, blobs }: PreparedFixture): void => {
  const references = entities.flatMap(({ blob }) => blob ?? []);
  expect(new Set(references.map(({ key }) => key))).toEqual(new Set(Object.keys(blobs)));
  for (const { key, size, sha256 } of references) {
    const bytes = Buffer.from((blobs[key] as { base64: string }).base64, 'base64');
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256]);
  }
};

describe('A prepared site', () => {
  it.each([undefined, 'starter-site'])('makes the same site as its folder: %s', async (site) => {
    const parts = await (site === undefined ? defaultSite() : prepared({ site }));
    const read = await loadNamedSite(root, site);
    expect(comparable(await siteOf(parts))).toEqual(comparable(read));
    const { document, controlDocument } = await readSources(site);
    expect(JSON.parse(parts.document.text)).toEqual(document);
    expect(JSON.parse(parts.controlDocument.text)).toEqual(controlDocument);
    for (const [name, base64] of Object.entries(parts.icons)) {
      const picture = await readFile(
        join(root, site === undefined ? 'data/site' : `data/sites/${site}`, 'icons', name),
      );
      expect(Buffer.from(base64, 'base64').equals(picture)).toBe(true);
    }
  });

  it('has the records and bytes of its fixtures, the first one first', async () => {
    const { fixtures } = await defaultSite();
    const [starter, empty] = await Promise.all(
      ['starter', 'empty'].map(async (name) => {
        const { entities, counters } = await readFixture(join(root, 'data/fixtures', name));
        return { entities, counters };
      }),
    );
    expect(Object.keys(fixtures)).toEqual(['starter', 'empty']);
    expect(fixtures['starter']).toMatchObject({ ...starter });
    expect(fixtures['empty']).toEqual({ ...empty, blobs: {} });
    for (const fixture of Object.values(fixtures)) expectWholeBytes(fixture);
  });

  it('takes a sample where starter does not fit, and the fixtures that are named, short ones too', async () => {
    await withDirectory(async (folder) => {
      const warnings: string[] = [];
      const warn = (message: string): void => void warnings.push(message);
      const parts = await prepared({ site: await writeSite(join(folder, 'museum'), museum), warn });
      expect([parts.name, ...Object.keys(parts.fixtures)]).toEqual(['museum', 'sample', 'empty']);
      expect(warnings.join()).toContain('The fixture starter does not fit the site');
      expectWholeBytes(parts.fixtures['sample'] ?? { entities: [], counters: {}, blobs: {} });
      const short = join(folder, 'harbour.yaml');
      await writeFile(short, 'objects:\n  - title: Quay\n    model: Image\n');
      const { fixtures } = await prepared({ fixtures: ['sample:3', short, 'starter'], seed: 'winter' });
      expect(Object.keys(fixtures)).toEqual(['sample:3', 'harbour', 'starter', 'empty']);
      const titles = fixtures['harbour']?.entities.map(({ fields }) => fields['title']?.[0]?.['value']);
      expect(titles).toContain('Quay');
      const others = (await prepared({ fixtures: ['sample:3'], seed: 'summer' })).fixtures;
      expect(others['sample:3']?.entities).not.toEqual(fixtures['sample:3']?.entities);
    });
  });

  it('has what overlays add to its document, with validators', async () => {
    await withDirectory(async (folder) => {
      const overlay = join(folder, 'shelves.yaml');
      const schema = { type: 'object', required: ['label'], properties: { label: { type: 'string' } } };
      const post = {
        ...{ operationId: 'addShelf', responses: { 201: { description: 'Made.' } } },
        requestBody: { required: true, content: { 'application/json': { schema } } },
      };
      const actions = [{ target: '$.paths', update: { '/shelves': { post } } }];
      await writeFile(overlay, JSON.stringify({ overlay: '1.0.0', info: { title: 'Shelves', version: '1' }, actions }));
      const { document } = await prepared({ fixtures: ['empty'], overlays: [overlay] });
      expect(JSON.parse(document.text)).toHaveProperty(['paths', '/shelves', 'post', 'operationId'], 'addShelf');
      const said = (validatorsOf(document.validators).get('addShelf') ?? []).map((validate) => [
        validate({ path: {}, query: {}, header: {}, cookie: {}, requestBody: {} }),
        validate.errors?.[0]?.schemaPath,
      ]);
      expect(said).toEqual([[false, '#/required']]);
    });
  });

  it('has nothing of a bucket, whose keys would be for everybody to read', async () => {
    await withDirectory(async (folder) => {
      const directory = await writeSite(join(folder, 'site'), museum);
      const file = join(directory, 'site.yml');
      const general = JSON.parse(await readFile(file, 'utf8')) as { storages: Record<string, object> }; // as it was written
      const bucket = { kind: 's3', bucket: 'the-bucket', access_key_id: 'the-key', secret_access_key: 'the-secret' };
      general.storages['public'] = { ...general.storages['public'], ...bucket };
      await writeFile(file, JSON.stringify(general));
      expect((await loadSite(directory)).storages[0]?.s3).toMatchObject({ keys: { secretAccessKey: 'the-secret' } });
      const parts = await prepared({ site: directory, fixtures: ['empty'] });
      expect(moduleText(parts)).not.toMatch(/the-(bucket|key|secret)/);
      const { storages } = await siteOf(parts);
      expect(storages.map(({ s3 }) => s3)).toEqual(storages.map(() => undefined));
      expect(storages.map(({ scheme, prefix }) => [scheme, prefix])).toContainEqual(['public', '/sites/default/files']);
    });
  });

  it('is whole in the text of its module', async () => {
    await withDirectory(async (folder) => {
      const parts = await defaultSite();
      const { document, controlDocument, ...site } = await siteOfText(folder, moduleText(parts));
      const { document: ownDocument, controlDocument: ownControl, ...own } = parts;
      expect(site).toEqual(own);
      for (const [read, written] of [
        [document, ownDocument],
        [controlDocument, ownControl],
      ] as [PreparedSite['document'], SiteParts['document']][]) {
        expect(read.text).toBe(written.text);
        expect(Object.keys(read.validators)).toEqual(Object.keys(written.validators.operations));
        for (const said of Object.values(read.validators).flat()) expect(said).toMatch(/^false\[\{|^true/);
      }
    });
  });
});

describe('atoll prepare', () => {
  it('writes a module and its types, and the bytes beside it where a folder is named', async () => {
    await withDirectory(async (folder) => {
      const [out, bytes] = [join(folder, 'new/site.mjs'), join(folder, 'media')];
      const first = await runHere(['prepare', '--out', out, '--bytes', bytes]);
      expect(first).toMatchObject({ code: 0, error: '' });
      expect(first.out).toMatch(
        /^Wrote .*site\.mjs \(\d\.\d MB\): the site default with starter \(\d+ records, the bytes of \d+ files\)/,
      );
      const { fixtures } = (await siteOfModule(out)) as unknown as PreparedSite; // it was written just now
      const urls = Object.values(fixtures['starter']?.blobs ?? {}).map((each) => ('url' in each ? each.url : ''));
      expect([...new Set(urls)].sort()).toEqual((await readdir(bytes)).map((name) => `media/${name}`).sort());
      for (const { blob } of fixtures['starter']?.entities ?? []) {
        if (blob === undefined) continue;
        const place = fixtures['starter']?.blobs[blob.key] as { readonly url: string }; // looked at above
        const content = await readFile(join(folder, place.url));
        expect(createHash('sha256').update(content).digest('hex')).toBe(blob.sha256);
      }
      expect((await readdir(join(folder, 'new'))).sort()).toEqual(['site.d.mts', 'site.mjs']);
      expect(await readFile(join(folder, 'new/site.d.mts'), 'utf8')).toContain(
        'export declare const site: PreparedSite',
      );
    });
  });

  it('takes an exported configuration', async () => {
    await withDirectory(async (folder) => {
      const [config, out] = [join(folder, 'config'), join(folder, 'site.js')];
      await writeObjects(config, smallSite);
      const ended = await runHere(['prepare', '--drupal-config', config, '--out', out, '--fixture', 'empty']);
      expect(ended).toMatchObject({ code: 0, error: expect.stringContaining('imported') });
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      const site = (await siteOfModule(out)) as unknown as PreparedSite; // it was written just now
      expect([site.name, ...Object.keys(site.fixtures)]).toEqual(['config', 'empty']);
      expect((await siteOf(site)).name).toBe('Gull Island Papers');
    });
  });

  it('refuses what it cannot write or read, with one line, and leaves an earlier module alone', async () => {
    await withDirectory(async (folder) => {
      const out = join(folder, 'site.js');
      await writeFile(out, 'earlier');
      const slow = join(folder, 'slow.yaml');
      const schema = { in: 'query', name: 'slow', schema: { type: 'string', pattern: '^(a+)+$' } };
      const action = { target: "$.paths['/node/{node_id}'].get", update: { parameters: [schema] } };
      await writeFile(
        slow,
        JSON.stringify({ overlay: '1.0.0', info: { title: 'x', version: '1' }, actions: [action] }),
      );
      const refused = async (...args: string[]): Promise<string> => {
        const { code, error } = await runHere(['prepare', ...args]);
        expect(code).toBe(2);
        expect(error).toMatch(/^[^\n]+\n$/);
        return error;
      };
      expect(await refused('--out', join(folder, 'site.ts'))).toContain('ends with .js or .mjs');
      expect(await refused('--out', out, '--bytes-url', '/media')).toContain('--bytes-url goes with --bytes');
      expect(await refused('--out', join(out, 'site.js'))).toContain(`cannot be written`);
      expect(await refused('--out', out)).toContain('was not written by atoll prepare. Move it away.');
      expect(await refused('--out', out, '--fixture', 'none')).toContain('There is no fixture "none"');
      expect(await refused('--out', out, '--site', join(folder, 'none'))).toContain('none/site.yml');
      expect(await refused('--out', out, '--overlay', slow)).toContain('^(a+)+$');
      expect(await readFile(out, 'utf8')).toBe('earlier');
      expect((await readdir(folder)).sort()).toEqual(['site.js', 'slow.yaml']);
    });
  });
});
