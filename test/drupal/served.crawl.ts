/**
 * An imported site with fields of every type, served with content made for it: every record answers, in every format, links
 * lead both ways, and its document and the types made of it are those of its fields.
 */
import { join } from 'node:path';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { basic } from '../support/requests.ts';
import { sendRaw } from '../support/raw-client.ts';
import { send } from '../support/server.ts';
import { overlaidDocument } from '../../src/server/server-application.ts';
import type { DocumentObject } from '../../src/openapi/openapi-terms.ts';
import { readContract } from '../support/site-sources.ts';
import { specialise } from '../../src/repository/repository-engine.ts';
import { root } from '../support/atoll.ts';
import { faultsOf, type Document } from '../support/document-view.ts';
import type { Objects } from './exported-site.ts';
import { fieldObjects, imported, smallSite } from './imported.ts';
import { wholeSite } from './whole-site.ts';
import { startImport } from './written-folder.ts';

jest.setTimeout(60_000);

const written = await readContract(join(root, 'openapi.yaml'));

const server = await startImport(wholeSite);
afterAll(() => server.stop());

/** The document with its references resolved. Rejects when it cannot be served. */
const checked = async (document: DocumentObject): Promise<DocumentObject> =>
  (await overlaidDocument(document, [], { file: 'openapi.json', isWhole: true })).resolved;

describe('A site whose name has letters beyond ASCII', () => {
  it.each(['Vzory krásy', 'Музей'])('sends it in UTF-8, to GET and to HEAD: %s', async (name) => {
    const named = await startImport({ ...wholeSite, 'system.site': { ...wholeSite['system.site'], name } });
    try {
      for (const method of ['GET', 'HEAD']) {
        const { headers } = await sendRaw(method, `${named.url}/user/1?_format=json`);
        const realm = Buffer.from(String(headers['www-authenticate']), 'latin1').toString();
        expect([method, realm]).toEqual([method, `Basic realm="${name}"`]);
      }
    } finally {
      await named.stop();
    }
  });
});

describe('A site whose accounts have a choice', () => {
  it('has a document without a reference that leads nowhere', async () => {
    const choices = { settings: { allowed_values: [{ value: 'mon', label: 'Monday' }] } };
    const { site } = await imported({
      ...smallSite,
      ...fieldObjects('user', 'user', 'field_day', 'list_string', { storage: choices }),
    });
    await checked(specialise(written, site, 'http://localhost'));
  });
});

describe('An imported site', () => {
  it('judges every field but the one that nobody knows', () => {
    expect(server.imported?.notJudged.map(({ why, where }) => [why, where.length])).toEqual([
      ['a field of type wax_seal: its values are kept as sent', 2],
    ]);
  });

  it('serves the lists of its views: to those who may ask, page by page until one is empty', async () => {
    const statusOf = async (path: string): Promise<number> => (await fetch(server.url + path)).status;
    expect(await Promise.all(['/api/shelves/1', '/api/numbers'].map(statusOf))).toEqual([401, 200]);
    const { entities } = await server.world.store.list('node', { offset: 0, limit: 999 });
    const parents = entities.flatMap(({ fields }) => fields['field_member_of']?.[0]?.['target_id'] ?? []);
    const parent = Number(parents[0]);
    const seen: unknown[] = [];
    for (let page = 0, size = 1; size > 0 && page < 99; page += 1) {
      const answer = await fetch(`${server.url}/api/shelves/${parent}?_format=json&page=${page}`, basic('admin'));
      const records = (await answer.json()) as unknown[]; // checked by the server
      seen.push(...records);
      size = records.length;
    }
    const members = entities.filter(({ fields }) =>
      fields['field_member_of']?.some((item) => item['target_id'] === parent),
    );
    expect(seen).toHaveLength(members.length);
    const published = entities.filter(({ fields }) => fields['status']?.[0]?.['value'] === true);
    expect(await (await fetch(`${server.url}/api/numbers`)).json()).toHaveLength(published.length);
  });

  it('has a valid document, whose examples fit it', async () => {
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as DocumentObject; // checked here
    const resolved = await checked(document);
    expect(faultsOf(resolved as unknown as Document)).toEqual([]); // the same, checked
  });

  it('shows the fields of accounts', async () => {
    const account = (await send(server, 'GET', '/user/1?_format=json')).json();
    expect(account).toMatchObject({ user_picture: [], field_pen: [{ value: 'quill' }] });
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document; // checked above
    expect(document.components.schemas['UserRecord']?.properties).toHaveProperty('user_picture');
  });

  it('shows relations to nodes as such', async () => {
    const { entities } = await server.world.store.list('node', { offset: 0, limit: 50 });
    const related = entities.find(({ fields: { field_typed_relation: relations = [] } }) => relations.length > 0);
    const answer = await send(server, 'GET', `/node/${related?.id ?? 0}?_format=json`);
    expect(answer.json()['field_typed_relation']?.[0]).toMatchObject({ target_type: 'node', rel_type: 'relators:aut' });
  });
});

describe('An installation', () => {
  it('is served without the paths that it lacks', async () => {
    const pathsWith = async (extension: Objects[string] | undefined) => {
      const { 'core.extension': small, ...part } = smallSite;
      expect(small).toBeDefined();
      const { site } = await imported(extension === undefined ? part : { ...part, 'core.extension': extension });
      const { paths } = specialise(written, site, 'http://localhost');
      return ['/jwt/token', '/rest/session/token', '/node/{node_id}/linkset'].filter((path) => path in paths);
    };
    const ofToday = { node: 0, mysql: 0 };
    expect(await pathsWith({ module: ofToday, theme: { olivero: 0 } })).toEqual([]);
    expect(await pathsWith({ module: { ...ofToday, jwt_auth_issuer: 0 } })).toEqual(['/jwt/token']);
    // Version 10 took this theme away, and the older path of the session token with it.
    expect(await pathsWith({ module: ofToday, theme: { seven: 0 } })).toEqual(['/rest/session/token']);
    // A part of a configuration does not say which modules its site has.
    expect(await pathsWith(undefined)).toEqual(['/jwt/token', '/rest/session/token', '/node/{node_id}/linkset']);
  });
});

describe('The types of two imported sites', () => {
  const without = ['field_email', 'field_shelf'];
  const others = {
    ...fieldObjects('node', 'volume', 'field_depth', 'integer', { instance: { required: true } }),
    ...fieldObjects('media', 'film', 'field_maker', 'string', { storage: { cardinality: 2 } }),
  };
  const changed = Object.fromEntries(
    Object.entries({ ...wholeSite, ...others }).filter(
      ([name]) => !without.some((field) => name.includes('.node.') && name.endsWith(`.${field}`)),
    ),
  );

  /** The lines of the types without comments, those of a schema with its name. Schemas stand in the order of their use. */
  const linesOf = async (objects: typeof wholeSite): Promise<string[]> => {
    const { site } = await imported(objects);
    const types = await openapiTypescript(specialise(written, site, 'http://localhost') as never); // the same shape, by another name
    let schema = '';
    return astToString(types)
      .split('\n')
      .filter((line) => !/^ *(\/\*\*|\*)/.test(line))
      .map((line) => {
        if (/^ {0,8}\S/.test(line)) schema = /^ {8}(\w+): /.exec(line)?.[1] ?? '';
        return `${schema} ${line.trim()}`;
      });
  };
  /** What one has and the other has not; a line that is there twice counts twice. */
  const only = (own: readonly string[], other: readonly string[]): string[] => {
    const left = new Map<string, number>();
    for (const line of other) left.set(line, (left.get(line) ?? 0) + 1);
    return own.filter((line) => {
      const count = left.get(line) ?? 0;
      left.set(line, count - 1);
      return count <= 0;
    });
  };

  it('differ exactly by their fields', async () => {
    const [before, after] = [await linesOf(wholeSite), await linesOf(changed)];
    expect(only(before, after)).toEqual([
      'NodeRecord field_email?: components["schemas"]["EmailItem"][];',
      'NodeRecord field_shelf?: components["schemas"]["StringItem"][];',
      'NodeUpdate field_email?: components["schemas"]["EmailItem"][];',
      'NodeUpdate field_shelf?: components["schemas"]["StringItem"][];',
      'NodeCreate field_email?: components["schemas"]["EmailItem"][];',
      'NodeCreate field_shelf?: components["schemas"]["StringItem"][];',
    ]);
    expect(only(after, before)).toEqual([
      'NodeRecord field_depth?: components["schemas"]["IntegerItem"][];',
      'NodeUpdate field_depth?: components["schemas"]["IntegerItem"][];',
      'NodeCreate field_depth?: components["schemas"]["IntegerItem"][];',
      'MediaRecord field_maker?: components["schemas"]["StringItem"][];',
      'MediaUpdate field_maker?: components["schemas"]["StringItem"][];',
      'MediaCreate field_maker?: components["schemas"]["StringItem"][];',
    ]);
  });
});
