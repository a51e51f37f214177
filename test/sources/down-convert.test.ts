/** The document as OpenAPI 3.0.3: valid, complete, and what each word of 3.1 becomes. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import SwaggerParser from '@apidevtools/swagger-parser';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { loadSite } from '../support/site-sources.ts';
import { downConvert, schemaAs30 } from '../../src/server/sources/down-convert.ts';
import type { DocumentObject } from '../../src/openapi/openapi-terms.ts';
import { otherSite } from '../content/other-sites.ts';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';
import { type Document, examplesOf, holdersOf, locate } from '../support/document-view.ts';

describe('/openapi-3.0.json', () => {
  let atoll: TestAtoll;
  let served: DocumentObject;
  beforeAll(async () => {
    atoll = await createTestAtoll();
    served = (await atoll.send('GET', '/openapi-3.0.json')).body as DocumentObject; // the tests below hold it to that
  });

  it('is answered 200 as JSON, with the address of the server in it, and like the others without a body to HEAD', async () => {
    const { status, type, headers } = await atoll.send('GET', '/openapi-3.0.json');
    expect([status, type, served.openapi]).toEqual([200, 'application/json', '3.0.3']);
    expect(served.servers?.[0]?.url).toBe('http://localhost:8000');
    const head = await atoll.send('HEAD', '/openapi-3.0.json');
    expect([head.status, head.headers['content-length']]).toEqual([200, headers['content-length']]);
  });

  it('is valid OpenAPI 3.0', async () => {
    const valid = await SwaggerParser.validate(structuredClone(served) as never); // its own types know no extensions
    expect(valid).toHaveProperty('openapi', '3.0.3');
  });

  it('satisfies the linter that the document satisfies', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atoll-down-'));
    const file = join(folder, 'openapi-3.0.json');
    await writeFile(file, JSON.stringify(served));
    const linter = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [linter, 'lint', '--config', join(root, 'redocly.yaml'), '--format', 'json', file],
      { env: { ...process.env, REDOCLY_TELEMETRY: 'off' } },
    );
    await rm(folder, { recursive: true });
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
  });

  it('has every operation, answer and example of 3.1, and each example still fits', async () => {
    const newer = (await atoll.send('GET', '/openapi.json')).body as DocumentObject; // test/document/openapi.test.ts
    const outline = (document: DocumentObject): unknown =>
      locate(document as unknown as Document).map(({ path, operation: { operationId, responses } }) => [
        ...[path, operationId, Object.keys(responses)],
      ]);
    expect(outline(served)).toEqual(outline(newer));
    expect(served.components['examples']).toEqual(newer.components['examples']);

    const ajv = addFormats.default(new Ajv({ strict: false }), { mode: 'full' });
    ajv.addFormat('binary', true);
    const copy = structuredClone(served) as never; // as above
    const resolved = (await SwaggerParser.dereference(copy)) as unknown as Document;
    const holders = holdersOf(resolved);
    expect(holders.length).toBeGreaterThan(500);
    const misfits = holders.flatMap(([where, { schema = {}, ...holder }]) =>
      examplesOf(holder).flatMap(([name, value]) => (ajv.validate(schema, value) ? [] : [`${where} ${name}`])),
    );
    expect(misfits).toEqual([]);
  });

  it('has no word of 3.1 left in a schema', () => {
    const text = JSON.stringify({ schemas: served.components['schemas'], paths: served.paths });
    expect(text).not.toMatch(/"(patternProperties|const|\$defs|prefixItems|contentMediaType)":|"type":\[/);
    expect(JSON.stringify(served.components['schemas'])).not.toMatch(/"examples":/);
    expect(text).toMatch(/"nullable":true/);
  });
});

describe('A schema as 3.0 says it', () => {
  it.each([
    ['one type or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    ['several types', { type: ['string', 'integer'], minLength: 1 }, { minLength: 1 }],
    ['several types or null', { type: ['string', 'array', 'null'], items: { type: 'boolean' } }, {}],
    ['nothing but null', { type: 'null' }, { nullable: true, enum: [null] }],
    [
      'a choice with null',
      { oneOf: [{ type: 'null' }, { $ref: '#/x' }] },
      { nullable: true, allOf: [{ $ref: '#/x' }] },
    ],
    [
      'a choice of several with null',
      { anyOf: [{ type: 'null' }, { type: 'string' }, { type: 'integer' }] },
      { nullable: true, anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    ['a constant', { const: 'a' }, { enum: ['a'] }],
    ['a constant that is false', { const: false }, { enum: [false] }],
    ['examples', { type: 'string', examples: ['a', 'b'] }, { type: 'string', example: 'a' }],
    ['an exclusive bound', { exclusiveMinimum: 0 }, { minimum: 0, exclusiveMinimum: true }],
    ['two lower bounds, the other tighter', { minimum: 5, exclusiveMinimum: 0 }, { minimum: 5 }],
    ['an exclusive upper bound', { maximum: 9, exclusiveMaximum: 8 }, { maximum: 8, exclusiveMaximum: true }],
    [
      'a reference with a word beside it',
      { $ref: '#/x', deprecated: true },
      { deprecated: true, allOf: [{ $ref: '#/x' }] },
    ],
    ['a bare reference', { $ref: '#/x' }, { $ref: '#/x' }],
    ['bytes', { contentMediaType: 'application/octet-stream', minLength: 1 }, { type: 'string', format: 'binary' }],
    ['bytes as text', { contentEncoding: 'base64' }, { type: 'string', format: 'byte' }],
    [
      'places of a list',
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
      { type: 'array', items: { anyOf: [{ type: 'string' }] } },
    ],
    ['no required member', { type: 'object', required: [] }, { type: 'object' }],
    ['a list of anything', { type: 'array' }, { type: 'array', items: {} }],
    [
      'members by pattern',
      { type: 'object', patternProperties: { '^a': { type: 'string' } }, additionalProperties: false },
      { type: 'object', additionalProperties: true },
    ],
    ['conditions', { if: { type: 'string' }, then: { minLength: 1 }, unevaluatedProperties: false }, {}],
    ['anything', true, {}],
    ['nothing', false, { not: {} }],
    ['members called like keywords', { properties: { type: { const: 1 } } }, { properties: { type: { enum: [1] } } }],
    ['extensions', { 'x-own': { const: 1 }, $comment: 'no' }, { 'x-own': { const: 1 } }],
    [
      'what is the same in both',
      { not: { minLength: 1 }, additionalProperties: { type: 'string' } },
      {
        not: { minLength: 1 },
        additionalProperties: { type: 'string' },
      },
    ],
  ])('%s', (_, newer, older) => {
    expect(schemaAs30(newer)).toEqual(older);
  });
});

/** Each `id` in the examples that a validator would take for that of a schema, with where it stands. */
const idsIn = (value: unknown, where = ''): (readonly [string, string])[] =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? []
    : Object.entries(value).flatMap(([name, member]) =>
        name === 'id' && typeof member === 'string' ? [[member, where] as const] : idsIn(member, `${where}/${name}`),
      );

describe('The examples', () => {
  it.each([
    ['the default site', undefined],
    ['the starter site', 'starter-site'],
  ])('of %s have no `id` twice, which validators take for that of a schema', async (_what, name) => {
    const site = name === undefined ? undefined : await loadSite(join(root, `data/sites/${name}`));
    const atoll = await createTestAtoll(site === undefined ? {} : { site: () => site, fixture: 'empty' });
    const { components } = (await atoll.send('GET', '/openapi-3.0.json')).body as DocumentObject;
    const ids = idsIn(components).map(([id]) => id);
    expect(ids.length).toBeGreaterThan(3);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it('of an overlay that repeat an `id` are left out in 3.0, each with what refers to it', () => {
    const shown = (name: string) => ({ examples: { one: { $ref: `#/components/examples/${name}` } } });
    const document = {
      ...{ openapi: '3.1.0', info: { title: 'T', version: '1' } },
      paths: { '/a': { get: { first: shown('First'), second: shown('Second'), third: shown('Third') } } },
      components: {
        examples: {
          First: { value: { id: 'a', inside: { id: 'b' } } },
          Second: { value: { id: 'b' } },
          Third: { value: [{ id: 'a' }] },
        },
      },
    } as unknown as DocumentObject; // as an overlay may make it
    const { paths, components } = downConvert(document);
    expect(paths).toEqual({ '/a': { get: { first: shown('First'), second: {}, third: shown('Third') } } });
    expect(Object.keys(components['examples'] ?? {})).toEqual(['First', 'Third']);
  });
});

describe('The document of a site with fields of every type', () => {
  it('is valid as 3.0, too', async () => {
    const atoll = await createTestAtoll({ site: otherSite });
    const response = await atoll.send('GET', '/openapi-3.0.json');
    const body: unknown = response.body;
    expect(JSON.stringify(body)).toContain('field_other_unknown');
    await expect(SwaggerParser.validate(body as never)).resolves.toBeDefined();
  });
});

describe('A document as 3.0 says it', () => {
  const newer = {
    openapi: '3.1.0',
    info: {
      title: 'T',
      version: '1',
      summary: 'Short.',
      description: 'Long.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    webhooks: {},
    paths: {
      '/a': {
        get: {
          parameters: [{ $ref: '#/components/parameters/P', description: 'beside' }],
          responses: {
            '200': {
              description: 'd',
              content: {
                'application/json': { schema: { const: 1 }, examples: { one: { value: { schema: { const: 1 } } } } },
              },
            },
          },
        },
      },
    },
    components: { pathItems: {}, examples: { E: { value: { $ref: 'data', type: ['string', 'null'] } } } },
  };

  it('loses what 3.0 has no place for, keeps its texts, and leaves data and the given document as they are', () => {
    const before = structuredClone(newer);
    const older = downConvert(newer);
    expect(newer).toEqual(before);
    expect(older).toEqual({
      openapi: '3.0.3',
      info: {
        title: 'T',
        version: '1',
        description: 'Short.\n\nLong.',
        license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
      },
      paths: {
        '/a': {
          get: {
            parameters: [{ $ref: '#/components/parameters/P' }],
            responses: {
              '200': {
                description: 'd',
                content: {
                  'application/json': { schema: { enum: [1] }, examples: { one: { value: { schema: { const: 1 } } } } },
                },
              },
            },
          },
        },
      },
      components: { examples: { E: { value: { $ref: 'data', type: ['string', 'null'] } } } },
    });
  });
});
