/** The second site of the package, the model of today's Islandora starter site: chosen by name, with content of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAtoll, type Atoll } from '../../src/cli/entries/atoll.ts';
import { resolveDocument } from '../../src/openapi/openapi-parts.ts';
import { readContract } from '../support/site-sources.ts';
import { specialise } from '../../src/repository/repository-engine.ts';
import { targetIds } from '../../src/repository/repository.ts';
import { loadNamedSite } from '../../src/application/application-disk.ts';
import { root } from '../support/atoll.ts';
import { faultsOf, type Document } from '../support/document-view.ts';
import { basic } from '../support/requests.ts';
import { send, startServer, type TestServer } from '../support/server.ts';

const site = await loadNamedSite(root, 'starter-site');
const bundlesOf = (type: string): string[] =>
  site.model
    .bundles(type)
    .map(({ id }) => id)
    .sort();

describe('The starter site', () => {
  it('has the model of the real one', () => {
    const bundles = (['node', 'media', 'taxonomy_term'] as const).flatMap((type) => site.model.bundles(type));
    const fields = bundles.flatMap((bundle) => [...bundle.fields.values()].filter(({ configured }) => configured));
    expect(bundlesOf('node')).toEqual(['article', 'islandora_object', 'page']);
    expect(bundlesOf('media')).toEqual(
      ['audio', 'document', 'extracted_text', 'file', 'fits_technical_metadata', 'image', 'remote_video', 'video'], // prettier-ignore
    );
    expect([bundlesOf('taxonomy_term').length, fields.length, site.terms.length]).toEqual([18, 140, 910]);
    expect([...new Set(fields.map(({ type }) => type))]).not.toContain('other');
  });

  it('has the terms that programs look up by their addresses', () => {
    const addresses = site.terms.flatMap(({ fields }) =>
      ['field_external_uri', 'field_authority_link'].flatMap((name) => (fields[name] ?? []).map(({ uri }) => uri)),
    );
    expect(addresses).toHaveLength(910);
    expect(addresses).toEqual(
      expect.arrayContaining([
        'http://pcdm.org/use#OriginalFile',
        'http://purl.org/coar/resource_type/c_c513',
        'http://id.loc.gov/vocabulary/resourceTypes/img',
        'http://id.loc.gov/vocabulary/iso639-2/zxx',
      ]),
    );
  });

  it('has an account for each role', () => {
    const held = new Set(site.accounts.filter(({ active }) => active).flatMap(({ roles }) => roles));
    const given = [...site.roles.keys()].filter((role) => role !== 'anonymous' && role !== 'authenticated');
    expect([...held].sort()).toEqual(given.sort());
  });

  it('has what the set-up of the suite of Islandora Workbench adds to the real one', () => {
    const permissionsOf = (path: string) => site.lists.find((list) => list.path === path)?.permissions;
    for (const path of ['/term_from_uri', '/term_from_term_name', '/term_from_authority_link']) {
      expect(permissionsOf(path)).toEqual(['administer taxonomy', 'use islandora workbench']);
    }
    expect(site.model.bundle('media', 'file')?.fields.get('field_media_file')?.extensions).toContain('jpg');
  });

  it('has a document that is valid, with examples that fit', async () => {
    const written = await readContract(join(root, 'openapi.yaml'));
    const document = await resolveDocument(specialise(written, site, 'http://localhost:8000'));
    expect(faultsOf(document as unknown as Document)).toEqual([]); // validated
  });
});

describe('A server of the starter site', () => {
  let server: TestServer;
  const warnings: string[] = [];

  beforeAll(async () => {
    const warn = (message: string): void => void warnings.push(message);
    server = await startServer({ site: 'starter-site', fixture: 'sample', traffic: 0, warn });
  });
  afterAll(() => server.stop());

  const recordsOf = async (type: string) => (await server.world.store.list(type, { offset: 0, limit: 2000 })).entities;

  it('has content of every bundle, which the model allows', async () => {
    expect(warnings).toEqual([]);
    for (const type of ['node', 'media', 'taxonomy_term'] as const) {
      const found = new Set((await recordsOf(type)).map(({ bundle }) => bundle));
      expect([...found].sort()).toEqual(bundlesOf(type));
    }
  });

  it('has media at their forms only', async () => {
    const [media] = await recordsOf('media');
    const statusOf = async (path: string): Promise<number> => (await fetch(server.url + path)).status;
    expect(await statusOf(`/media/${media?.id ?? 0}?_format=json`)).toBe(404);
    expect(await statusOf(`/media/${media?.id ?? 0}/edit?_format=json`)).toBe(200);
  });

  describe('fills the text of a media from its file', () => {
    const put = (node: string, name: string, body: string) =>
      send(server, 'PUT', `${node}/media/extracted_text/${use}`, {
        headers: { 'Content-Type': 'text/plain', 'Content-Location': `fedora://${name}` },
        body,
      });
    let [use, node] = [0, ''];
    beforeAll(async () => {
      const terms = await recordsOf('taxonomy_term');
      const idOf = (address: string): number =>
        terms.find(({ fields }) => fields['field_external_uri']?.[0]?.['uri'] === address)?.id ?? 0;
      use = idOf('http://pcdm.org/use#ExtractedText');
      const json = {
        ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: 'Read' }] },
        field_model: [{ target_id: idOf('https://schema.org/DigitalDocument') }],
      };
      const made = await send(server, 'POST', '/node?_format=json', { json });
      // `Location` is an alias, and an alias has no paths below it.
      expect(made.headers.location).toMatch(/\/islandora\/read$/);
      node = `/node/${String(made.json()['nid']?.[0]?.['value'])}`;
    });
    const textOf = async (media: string): Promise<unknown> =>
      (await send(server, 'GET', `${media}?_format=json`)).json()['field_edited_text']?.map(({ value }) => value);

    it('with breaks for its lines, and keeps it when the file has other bytes', async () => {
      const made = await put(node, 'read.txt', 'One line\nand & another\r\n');
      expect(made.status).toBe(201);
      const media = new URL(made.headers.location ?? '').pathname;
      const wanted = ['One line<br />\nand & another<br />\r\n'];
      expect(await textOf(media)).toEqual(wanted);
      expect((await put(node, 'other.txt', 'Other bytes')).status).toBe(204);
      expect(await textOf(media)).toEqual(wanted);
    });
  });

  it('finds terms by address', async () => {
    const address = encodeURIComponent('http://pcdm.org/use#OriginalFile');
    const found = await fetch(`${server.url}/term_from_uri?uri=${address}&_format=json`, basic('admin'));
    expect(await found.json()).toMatchObject([{ name: [{ value: 'Original File' }] }]);
  });

  describe('has lists that', () => {
    const ask = async (path: string, as?: string): Promise<Response> =>
      fetch(server.url + path, as === undefined ? {} : basic(as));
    const walk = async (path: string): Promise<unknown[][]> => {
      const pages: unknown[][] = [];
      for (let page = 0; page < 99; page += 1) {
        const records = (await (await ask(`${path}page=${page}`, 'admin')).json()) as unknown[]; // checked by the server
        if (records.length === 0) return pages;
        pages.push(records);
      }
      throw new Error(`${path} does not end`);
    };

    it('are guarded as those of real sites', async () => {
      const paths = [
        '/node/1/members',
        '/node/1/media',
        '/vocabulary?vid=person',
        '/vocabulary/person',
        '/term_from_uri?uri=a',
      ];
      const others = ['/term_from_authority_link?authority_link=a', '/term_from_term_name?name=a&vocab=person'];
      for (const path of [...paths, ...others]) {
        const statuses = await Promise.all(
          [undefined, 'viewer', 'admin'].map(async (as) => (await ask(path, as)).status),
        );
        expect([path, ...statuses]).toEqual([path, 401, 403, 200]);
      }
      expect((await ask('/checksum/1')).status).toBe(200);
    });

    it('end for a client that asks for page after page', async () => {
      const { entities } = await server.world.store.list('node', { offset: 0, limit: 999 });
      const memberships = entities.flatMap((entity) => targetIds(entity, 'field_member_of'));
      const parents = new Set(memberships);
      const sizes = await Promise.all([...parents].map((id) => walk(`/node/${id}/members?_format=json&`)));
      expect(sizes.flat(2)).toHaveLength(memberships.length);
      expect(sizes.flat().every((records) => records.length <= 10)).toBe(true);
      expect(await walk('/vocabulary?vid=language&')).toHaveLength(1);
    });

    it('find a term by its authority link, where its external URI is another', async () => {
      const address = encodeURIComponent('http://id.loc.gov/vocabulary/iso639-2/gle');
      const of = async (path: string): Promise<unknown> =>
        (await ask(`${path}=${address}&_format=json`, 'admin')).json();
      expect(await of('/term_from_uri?uri')).toEqual([]);
      expect(await of('/term_from_authority_link?authority_link')).toMatchObject([{ name: [{ value: 'Irish' }] }]);
    });
  });
});

describe('The library', () => {
  it('starts the site by its name, with its own content', async () => {
    const atoll = await startAtoll({ site: 'starter-site', port: false });
    const found = await atoll.fetch('/node/1?_format=json');
    expect([found.status, atoll.accounts.map(({ name }) => name)]).toEqual([
      200,
      ['admin', 'editor', 'viewer', 'plain', 'blocked'],
    ]);
    await atoll.close();
  });

  it('begins with a sample also as a folder, and says so in one line', async () => {
    const said: unknown[] = [];
    const folder = join(root, 'data/sites/starter-site');
    const atoll = await startAtoll({ site: folder, port: false, onError: (warning) => said.push(warning) });
    const node = () => atoll.fetch('/node/1?_format=json').then(({ status }) => status);
    expect(await node()).toBe(200);
    await atoll.reset();
    expect([await node(), said]).toEqual([
      200,
      ['The fixture starter does not fit the site, so a new repository begins with sample.'],
    ]);
    await atoll.close();
    const named = startAtoll({ site: folder, fixture: 'starter', port: false });
    await expect(named).rejects.toThrow(/starter does not fit the site: .* Name another: sample/s);
  });

  it('as a folder leaves a repository alone that is there already', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'atoll-kept-'));
    const options = {
      site: join(root, 'data/sites/starter-site'),
      data: join(directory, 'data'),
      port: false,
    } as const;
    await (await startAtoll({ ...options, fixture: 'empty' })).close();
    const said: unknown[] = [];
    const atoll = await startAtoll({ ...options, onError: (warning) => said.push(warning) });
    expect([(await atoll.fetch('/node/1?_format=json')).status, said]).toEqual([404, []]);
    await atoll.close();
    await rm(directory, { recursive: true });
  });

  it('names its media as what visitors may read; the default site guards its own', async () => {
    const [open, guarded] = [
      await startAtoll({ site: 'starter-site', port: false }),
      await startAtoll({ port: false }),
    ];
    type Repository = { entryPoints: { title: string; url: string }[] };
    const mediaOf = async ({ fetch }: Atoll) => {
      const { entryPoints } = (await (await fetch('/_atoll/repository')).json()) as Repository; // the control document
      return entryPoints.find(({ title }) => title.startsWith('Its media'));
    };
    const [read, kept] = [await mediaOf(open), await mediaOf(guarded)];
    expect(read?.title).toMatch(/^Its media: /);
    expect((await open.fetch(read?.url ?? '')).status).toBe(200);
    expect(kept?.title).toMatch(/^Its media \(needs an account\): /);
    await Promise.all([open.close(), guarded.close()]);
  });

  it('refuses the starter fixture, which is made for the default site, and says what to name', async () => {
    const refused = startAtoll({ site: 'starter-site', fixture: 'starter', port: false });
    await expect(refused).rejects.toThrow(/starter does not fit the site: .* Name another: sample/s);
  });
});
