/** Overlays over a document that is served alone: they are read before its references are followed, and say where they are wrong. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../support/atoll.ts';
import { readSourceFiles } from '../../../src/server/server-application.ts';

describe('An overlay over a document that is served alone', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atoll-overlaid-'));
    await writeFile(
      join(folder, 'api.yaml'),
      'openapi: 3.1.0\npaths:\n  /x: { $ref: x.yaml }\n  /y: { get: { responses: { "200": {} } } }\n',
    );
    await writeFile(join(folder, 'x.yaml'), 'get: { operationId: getX, responses: { "200": {} } }\n');
    await writeFile(join(folder, 'shapes.yaml'), 'Shape: { type: string }\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const read = async (actions: string, version = '1.1.0') => {
    const overlay = join(folder, 'o.yaml');
    await writeFile(overlay, `overlay: ${version}\ninfo: { title: t, version: '1' }\nactions:\n${actions}`);
    const documents = [{ file: join(folder, 'api.yaml'), prefix: undefined }];
    return readSourceFiles(
      { root, site: undefined, documents, areDocumentsAlone: true, overlays: [overlay] },
      undefined,
    );
  };

  it('adds a path, which refers to the document and to a file of its own', async () => {
    const { ownDocuments, document } = await read(
      '  - target: $.paths\n    update: { /z: { get: { responses: { "200": { content: { a/b: { schema: { $ref: "shapes.yaml#/Shape" } } } } } } } }\n' +
        '  - target: $.paths\n    update: { /q: { $ref: "#/paths/~1z" } }\n',
    );
    expect(Object.keys(document.paths)).toEqual(['/x', '/y', '/z', '/q']);
    expect(ownDocuments?.[0]?.opened.warnings).toEqual([]);
  });

  it('changes what another file of the document has', async () => {
    const { document } = await read(
      '  - { target: "$..[?@.operationId == \'getX\']", update: { summary: changed } }\n',
    );
    expect(JSON.stringify(document)).toContain('"summary":"changed"');
  });

  it('is refused with its own line where it breaks the document', async () => {
    await expect(read('  - target: $.paths\n    update:\n      /y/{a: { get: {} }\n')).rejects.toThrow(
      /o\.yaml:6: The braces of "\/y\/\{a" do not match/,
    );
    await expect(read('  - target: $.paths\n    update:\n      /q: { $ref: "#/nowhere" }\n')).rejects.toThrow(
      /o\.yaml:6: \$ref #\/nowhere leads nowhere/,
    );
  });

  it('has its warnings said with those of the document', async () => {
    const { ownDocuments } = await read(
      '  - { target: $.nope, update: {} }\n  - target: $.paths\n    update: { /w: { get: {} } }\n',
    );
    expect(ownDocuments?.[0]?.opened.warnings.map(({ line, rule }) => [line, rule])).toEqual([
      [4, 'overlay-target'],
      [6, 'responses'],
    ]);
  });
});
