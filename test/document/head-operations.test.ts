/** HEAD is GET without a body, by construction: openapi.yaml has GET alone, and each HEAD of the document is derived from it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { wholeText } from '../../scripts/whole-document.mjs';
import { readSourceLines } from '../../src/openapi/openapi-parts.ts';
import { type DocumentObject, referredPart, partOf, type Part } from '../../src/openapi/openapi-terms.ts';
import { readContract } from '../support/site-sources.ts';
import { readDocument } from '../../src/server/server-application.ts';
import { listOf } from '../../src/basics/json.ts';
import { withHeadOperations } from '../../src/repository/repository-engine.ts';
import { root } from '../support/atoll.ts';

const file = join(root, 'openapi.yaml');
const written = await readDocument(file);
const document = await readContract(file);
const gets = Object.entries(document.paths).filter(([, item]) => item['get'] !== undefined);
const pairs = gets.map(([path, item]) => [path, partOf(item['get']), partOf(item['head'])] as const);

const headersOf = (response: unknown): readonly string[] =>
  Object.keys(partOf(referredPart(document, response)['headers'])).sort();

describe('openapi.yaml', () => {
  it('has no HEAD: every one is derived, right after its GET', () => {
    expect(Object.values(written.paths).filter((item) => 'head' in item)).toEqual([]);
    expect(pairs.length).toBeGreaterThan(30);
    for (const [, item] of gets) {
      const names = Object.keys(item);
      expect(names[names.indexOf('get') + 1]).toBe('head');
    }
    expect(JSON.stringify(document)).not.toContain('"x-head"');
  });
});

describe.each(pairs)('HEAD of %s', (_path, get, head) => {
  const ranges = ['206', '416'];

  it('has the statuses of GET except those of ranges, with the same headers and no body', () => {
    const responses = partOf(get['responses']);
    const statuses = Object.keys(responses).filter((status) => !ranges.includes(status));
    expect(Object.keys(partOf(head['responses']))).toEqual(statuses);
    for (const status of statuses) {
      const answer = partOf(head['responses'])[status];
      expect(referredPart(document, answer)).not.toHaveProperty('content');
      expect([status, ...headersOf(answer)]).toEqual([status, ...headersOf(responses[status])]);
    }
  });

  it('takes what GET takes except ranges, for whoever may read it', () => {
    const names = (operation: Part): unknown[] =>
      listOf(operation['parameters']).map((each) => referredPart(document, each)['name']);
    expect(names(head)).toEqual(names(get).filter((name) => name !== 'Range' && name !== 'If-Range'));
    const own = ['operationId', 'summary', 'description', 'parameters', 'responses'];
    const shared = (operation: Part): unknown[] => Object.entries(operation).filter(([name]) => !own.includes(name));
    expect(shared(head)).toEqual(shared(get));
    expect(Object.keys(head)).toEqual(Object.keys(get));
    expect(head['operationId']).toMatch(/^head[A-Z]/);
    expect(head['description']).toMatch(/^As for GET, without the body[.:]/);
  });
});

describe('the derivation', () => {
  const get = {
    operationId: 'getA',
    summary: 'Read an a',
    description: 'All of it.',
    responses: { '200': { description: 'It.', headers: { ETag: {} }, content: { 'application/json': {} } } },
  };
  const documentOf = (item: Part): DocumentObject => ({ openapi: '3.1.0', paths: { '/a': item }, components: {} });

  it('says what GET says, and what x-head says in its place', () => {
    const responses = { '200': { description: 'As for GET, without the body.', headers: { ETag: {} } } };
    const derived = {
      ...{ operationId: 'headA', summary: 'The headers of an a' },
      ...{ description: 'As for GET, without the body.', responses },
    };
    expect(withHeadOperations(documentOf({ get }))).toEqual(documentOf({ get, head: derived }));
    const told = { ...get, 'x-head': { summary: 'Is there an a?' } };
    const head = { ...derived, summary: 'Is there an a?' };
    expect(withHeadOperations(documentOf({ get: told }))).toEqual(documentOf({ get, head }));
  });

  it('leaves a document alone that has its HEAD operations', () => {
    expect(withHeadOperations(document)).toEqual(document);
    const own = documentOf({ get, head: { operationId: 'other' } });
    expect(withHeadOperations(own)).toEqual(own);
  });
});

describe('the text of the package', () => {
  const text = readFileSync(file, 'utf8');
  let whole: string;
  beforeAll(async () => {
    whole = await wholeText(text);
  }, 60_000);

  it('has every HEAD written out, and nothing else changed', async () => {
    expect(JSON.stringify(parse(whole))).toBe(JSON.stringify(document));
    expect(await wholeText(whole)).toBe(whole);
    const kept = new Set(whole.split('\n'));
    const gone = text.split('\n').filter((line) => !kept.has(line));
    expect(gone.every((line) => /^ {6,8}(x-head|summary|description): ?/.test(line))).toBe(true);
  }, 60_000);

  it('and that of the repository name a line for a HEAD', async () => {
    const [ours, packed] = [await readSourceLines(text), await readSourceLines(whole)];
    const lineOf = (source: string, line = 0): string | undefined => source.split('\n')[line - 1]?.trim();
    expect(lineOf(text, ours.operation('headNode')?.line)).toBe('get:');
    expect(lineOf(whole, packed.operation('headNode')?.line)).toBe('head:');
    expect(ours.operation('headNothing')).toBeUndefined();
  }, 60_000);
});
