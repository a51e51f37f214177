/** `atoll diff`: documents, servers and sites, its options, its reports and its exit codes. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { readContract } from '../support/site-sources.ts';
import { root } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';
import { withDirectory } from '../support/program.ts';

const operation = (id: string): object => ({ operationId: id, responses: { 200: { description: 'd' } } });
const documentOf = (paths: object, more: object = {}): object => ({
  openapi: '3.1.0',
  info: { title: 'Small', version: '1' },
  paths,
  ...more,
});
const before = documentOf({ '/a': { get: operation('getA') }, '/b': { get: operation('getB') } });
const after = documentOf({ '/a': { get: operation('getA') }, '/c': { get: { ...operation('getC'), 'x-own': 1 } } });

/** Calls back with a folder that has both documents, one as YAML. */
const withDocuments = (use: (files: { folder: string; old: string; now: string }) => Promise<void>): Promise<void> =>
  withDirectory(async (folder) => {
    const [old, now] = [join(folder, 'old.yaml'), join(folder, 'now.json')];
    await writeFile(old, `# a comment\n${JSON.stringify(before)}`);
    await writeFile(now, JSON.stringify(after));
    await use({ folder, old, now });
  });

describe('Two documents', () => {
  it('are compared: the page says what breaks whom, and why', () =>
    withDocuments(async ({ old, now }) => {
      const { code, out } = await runHere(['diff', old, now]);
      expect(code).toBe(1);
      expect(out).toBe(
        [
          'Breaks clients:',
          '  getB: is gone [client]',
          '      A request for it is refused with 404 or 405.',
          '',
          'Harms no client:',
          '  getC: is new [server]',
          '      No client of the earlier document uses it. A server of the earlier one does not offer it.',
          '',
          '2 changes: 1 breaking, 0 unknown, 1 harmless\n',
        ].join('\n'),
      );
    }));

  it.each([
    [['old', 'old'], 0],
    [['old', 'old', '--fail-on', 'harmless'], 0],
    [['old', 'now', '--fail-on', 'never'], 0],
    [['old', 'now', '--fail-on', 'sometimes'], 2],
    [['old', 'now', '--report', 'html=x'], 2],
    [['old'], 2],
  ] as const)('end %j with %i', (args, code) =>
    withDocuments(async ({ old, now }) => {
      const files: Readonly<Record<string, string>> = { old, now };
      expect(await runHere(['diff', ...args.map((arg) => files[arg] ?? arg)])).toMatchObject({ code });
    }),
  );

  it('are written as JSON, and as JUnit, where harmless changes pass', () =>
    withDocuments(async ({ folder, old, now }) => {
      const junit = join(folder, 'report.xml');
      const { code, out } = await runHere([
        'diff',
        old,
        now,
        '--json',
        '--for',
        'server',
        '--report',
        `junit=${junit}`,
      ]);
      expect(code).toBe(1);
      expect(JSON.parse(out)).toMatchObject({
        ...{ before: old, after: now, judgeFor: 'server', breaking: 1, unknown: 0, harmless: 1 },
        changes: [
          { kind: 'harmless', breaks: ['client'], subject: 'getB', change: 'is gone', rule: 'operation' },
          { kind: 'breaking', breaks: ['server'], subject: 'getC', change: 'is new' },
        ],
      });
      const report = await readFile(junit, 'utf8');
      expect(report).toContain('<testsuite name="document" tests="2" failures="1">');
      expect(report).toMatch(/name="getC is new">\s*<failure type="breaking" message="No client /);
      expect(report).toMatch(/name="getB is gone"\/>/);
    }));

  it('may refer to other files', () =>
    withDocuments(async ({ folder, old }) => {
      const parted = join(folder, 'parted.yaml');
      await writeFile(join(folder, 'b.yaml'), JSON.stringify({ get: operation('getB') }));
      await writeFile(
        parted,
        JSON.stringify(documentOf({ '/a': { get: operation('getA') }, '/b': { $ref: 'b.yaml' } })),
      );
      expect(await runHere(['diff', old, parted])).toMatchObject({ code: 0, out: 'Nothing changed.\n' });
    }));

  it.each<[string, string, RegExp]>([
    ['of another version', '{"swagger":"2.0"}', /version "2\.0"\. Write it as OpenAPI 3\.0 or 3\.1\.$/],
    ['that is no document', '- a\n- b\n', /it has no member "openapi"\.$/],
    ['that is no YAML', 'a: [', /cannot be read as YAML/],
    [
      'with a reference that leads nowhere',
      JSON.stringify(documentOf({ '/a': { $ref: '#/components/pathItems/A' } })),
      /The reference #\/components\/pathItems\/A leads nowhere in the document\.$/,
    ],
  ])('%s end with 2 and one line', (_, text, message) =>
    withDocuments(async ({ folder, old }) => {
      const file = join(folder, 'wrong.yaml');
      await writeFile(file, text);
      const { code, out, error } = await runHere(['diff', old, file]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(error.trimEnd()).toMatch(message);
      expect(error.trimEnd().split('\n')).toHaveLength(1);
    }),
  );
});

/** Calls back with the address of a server that answers like this. */
const withServer = async (listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`); // it listens on a port
  } finally {
    server.close();
  }
};

const hasDocument: RequestListener = ({ url }, response) => {
  const isThere = url === '/base/openapi.json' || url === '/api/v1.yaml';
  response.writeHead(isThere ? 200 : 404).end(isThere ? JSON.stringify(before) : '<h1>none</h1>');
};

describe('A server', () => {
  it('is asked for its document, by its base URL or by the address of the document', () =>
    withDocuments(({ old }) =>
      withServer(hasDocument, async (url) => {
        for (const address of [`${url}/base`, `${url}/base/`, `${url}/api/v1.yaml`]) {
          expect(await runHere(['diff', old, address])).toMatchObject({ code: 0, out: 'Nothing changed.\n' });
        }
      }),
    ));

  it.each<[string, RequestListener, number, RegExp]>([
    ['without a document', hasDocument, 2, /\/openapi\.json has no OpenAPI document\./],
    [
      'that leads elsewhere',
      (_, response) => response.writeHead(302, { Location: 'http://other.example/' }).end(),
      2,
      /leads to http:\/\/other\.example\/\. Name that address\.$/,
    ],
    ['that fails', (_, response) => response.writeHead(503).end(), 3, /answers 503/],
    ['that cuts the connection', ({ socket }) => socket.destroy(), 3, /the connection was cut/],
  ])('%s is said', (_, listener, code, message) =>
    withDocuments(({ old }) =>
      withServer(listener, async (url) => {
        const ended = await runHere(['diff', old, url]);
        expect(ended.code).toBe(code);
        expect(ended.error.trimEnd()).toMatch(message);
      }),
    ),
  );

  it('that is not there ends with 3, and credentials in an address with 2', () =>
    withDocuments(async ({ old }) => {
      const nobody = await runHere(['diff', old, 'http://127.0.0.1:1']);
      expect(nobody).toMatchObject({
        code: 3,
        error: expect.stringMatching(/nobody answers there\. Start the server/),
      });
      const secret = await runHere(['diff', old, 'http://admin:islandora@127.0.0.1:1']);
      expect(secret.code).toBe(2);
      expect(secret.error).not.toContain('islandora');
    }));
});

describe('A site', () => {
  it('is compared with another one by its document, and in what no document shows', () =>
    withDirectory(async (folder) => {
      const site = join(folder, 'site');
      await cp(join(root, 'data/site'), site, { recursive: true });
      const file = join(site, 'bundles/node.islandora_object.yml');
      const text = await readFile(file, 'utf8');
      await writeFile(
        file,
        text.replace(
          'label: PID, type: string, cardinality: 1, max_length: 255',
          'label: Old PID, type: string, cardinality: 1, max_length: 40',
        ),
      );
      const { code, out } = await runHere(['diff', 'default', site]);
      expect(code).toBe(1);
      expect(out).toContain(
        '== The site\nHarms no client:\n  node.islandora_object.field_pid: has the label "Old PID"',
      );
      expect(out).toContain(
        '== The document\nBreaks clients:\n  NodeIslandoraObjectCreate: .field_pid[].value takes texts longer than 40 no longer',
      );
      const { code: server, out: json } = await runHere(['diff', 'default', site, '--json', '--for', 'server']);
      expect(server).toBe(1); // such a server may give longer texts
      expect(JSON.parse(json)).not.toHaveProperty('site');
    }));

  it('is compared with a document by its own', async () => {
    await withDirectory(async (directory) => {
      const file = join(directory, 'openapi.json');
      await writeFile(file, JSON.stringify(await readContract(join(root, 'openapi.yaml'))));
      expect(await runHere(['diff', 'default', file])).toMatchObject({ code: 0, out: 'Nothing changed.\n' });
      const other = await runHere(['diff', file, 'starter-site']);
      expect(other.code).toBe(1);
      expect(other.out).toMatch(/\.field_pid(, \.\w+)* is gone|field_alternative_title is gone/);
    });
  });

  it('that is none ends with 2', async () => {
    expect(await runHere(['diff', 'default', join(root, 'docs')])).toMatchObject({ code: 2, out: '' });
    const nothing = await runHere(['diff', 'default', './no-such-site']);
    expect(nothing).toMatchObject({
      code: 2,
      error: expect.stringContaining('there is no such file, directory or site'),
    });
  });
});
