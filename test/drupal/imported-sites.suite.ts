/**
 * Every imported site, with sample content: its document passes the lint, every operation of it answers as documented, each that
 * reads or deletes also with success, and links have no finding. `npm run test:suite -- crawl` runs it.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { auditLinks } from '../../src/checks/checks.ts';
import { dereference } from '../../src/openapi/openapi-parts.ts';
import { entityTypes } from '../../src/repository/repository.ts';
import { root } from '../support/atoll.ts';
import { locate, type Document, type Located, type Parameter } from '../support/document-view.ts';
import { accountOf } from '../support/requests.ts';
import { send, type TestServer } from '../support/server.ts';
import { describedSite, siteFolder, starterSiteFolder } from './built-in-site.ts';
import { exportedSite, type Objects } from './exported-site.ts';
import { smallSite } from './imported.ts';
import { wholeSite } from './whole-site.ts';
import { inFolder, startImport } from './written-folder.ts';
import { firstValue, textOf, type Entity } from '../../src/openapi/openapi-records.ts';

jest.setTimeout(300_000);

const sites: readonly (readonly [string, () => Objects | Promise<Objects>])[] = [
  ['a small site', () => smallSite],
  ['a site with fields of every type', () => wholeSite],
  ['the built-in site', async () => exportedSite(await describedSite(siteFolder))],
  ['the starter site', async () => exportedSite(await describedSite(starterSiteFolder))],
];

const typeOfParameter: Readonly<Record<string, string>> = {
  ...{ node_id: 'node', media_id: 'media', term_id: 'taxonomy_term', file_id: 'file', user_id: 'user' },
};

/** Other parameters name what only some sites have, and a sample has no aliases and redirects. */
const isOfRecord = ({ path, operation }: Located): boolean =>
  !['path_alias', 'redirect'].includes(String(operation['x-resource'])) &&
  [...path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => name === 'path' || name in typeOfParameter);

const exampleOf = (parameters: readonly Parameter[], wanted: string): string => {
  const { example = 1 } = parameters.find(({ name }) => name === wanted) ?? {};
  return typeof example === 'string' ? example : JSON.stringify(example);
};

describe.each(sites)('An import of %s', (_name, objects) => {
  let server: TestServer;
  let written: object;
  let document: Document;
  const records = new Map<string, readonly Entity[]>();

  beforeAll(async () => {
    server = await startImport(await objects());
    written = (await (await fetch(`${server.url}/openapi.json`)).json()) as object;
    document = dereference(written) as Document; // the lint checks it
    for (const type of entityTypes) {
      records.set(type, (await server.world.store.list(type, { offset: 0, limit: 500 })).entities);
    }
  });
  afterAll(() => server.stop());

  /** Addresses of an operation, with ids of records or else with the examples of the document. */
  const addressesOf = ({ path, operation, item }: Located): string[] => {
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    // A list without what it looks for is 404.
    const sent = parameters.filter((each) => each.in === 'query' && (each.name === '_format' || 'example' in each));
    const values = sent.map(({ name: each }): [string, string] => [
      each,
      each === '_format' ? 'json' : exampleOf(parameters, each),
    ]);
    const query = values.length === 0 ? '' : `?${new URLSearchParams(values).toString()}`;
    const storage = server.world.site.storages.find(({ prefix }) => path.startsWith(`${prefix}/`));
    if (storage !== undefined) {
      const uris = (records.get('file') ?? []).map((file) => textOf(firstValue(file, 'uri')));
      return uris
        .filter((uri) => uri.startsWith(`${storage.scheme}://`))
        .map((uri) => `${storage.prefix}/${uri.slice(storage.scheme.length + 3)}`);
    }
    const [name = ''] = /(?<=\{)\w+(?=\})/.exec(path) ?? [];
    const type = typeOfParameter[name];
    const example = exampleOf(parameters, name);
    const ids = type === undefined ? [example] : (records.get(type) ?? []).map(({ id }) => String(id));
    return ids.map((id) =>
      path
        .replace(`{${name}}`, id)
        .replaceAll(/\{(\w+)\}/g, (_all, other: string) => exampleOf(parameters, other))
        .concat(query),
    );
  };

  it('has a document that passes the lint', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'openapi.json');
      await writeFile(file, JSON.stringify(written));
      const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
      const args = [cli, 'lint', '--config', join(root, 'redocly.yaml'), file];
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', NODE_OPTIONS: '' };
      const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
      expect(stderr).toContain('valid');
    }));

  it('has links without a finding', async () => {
    // A configuration without resources offers no nodes.
    const isOffered = '/node/{node_id}' in document.paths;
    const nodes = isOffered ? (records.get('node') ?? []) : [];
    const from = nodes.map(({ id }) => `${server.url}/node/${id}`);
    const { findings, walks } = await auditLinks({ base: server.url, from, as: ['anonymous', 'admin'].map(accountOf) });
    expect(findings).toEqual([]);
    expect(walks.map(({ pages }) => pages.size > 5)).toEqual([isOffered, isOffered]);
  });

  it.each(['get', 'head'] as const)(
    'has operations that all answer as documented, with success: %s',
    async (method) => {
      const without: string[] = [];
      for (const located of locate(document).filter((each) => each.method === method)) {
        const statuses: number[] = [];
        for (const address of addressesOf(located).slice(0, 40)) {
          for (const as of ['admin', null]) {
            statuses.push((await send(server, method.toUpperCase(), address, { as })).status);
          }
          if (statuses.some((status) => status < 300)) break;
        }
        if (isOfRecord(located) && !statuses.some((status) => status < 300))
          without.push(`${located.operation.operationId} ${statuses.join()}`);
      }
      expect(server.errors).toEqual([]);
      expect(without).toEqual([]);
    },
  );

  it.each(['post', 'patch', 'put', 'delete'] as const)(
    'has operations that all refuse as documented: %s',
    async (method) => {
      const wrong: string[] = [];
      for (const { operation, ...located } of locate(document).filter((each) => each.method === method)) {
        const [address = ''] = addressesOf({ operation, ...located });
        for (const [as, body] of [
          [null, '{}'],
          ['plain', '{}'],
          ['admin', '{'],
          ['admin', '{}'],
        ] as const) {
          const sent = method === 'delete' ? {} : { headers: { 'Content-Type': 'application/json' }, body };
          const { status } = await send(server, method.toUpperCase(), address, { as, ...sent });
          if (!(String(status) in operation.responses)) wrong.push(`${operation.operationId} ${status}`);
        }
      }
      expect(server.errors).toEqual([]);
      expect(wrong).toEqual([]);
    },
  );
});
