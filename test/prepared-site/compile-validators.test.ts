/** Validators that are compiled ahead of time say what the server says. The suite `crawl` asks them by the starter site. */
import { describe, expect, it, jest } from '@jest/globals';
import { resolveReferences } from '../../src/openapi/openapi-parts.ts';
import type { DocumentObject } from '../../src/openapi/openapi-terms.ts';
import { specialise, type Operation, type Backend, createBackend } from '../../src/repository/repository-engine.ts';
import { compiledBackend } from '../browser/support/compiled-backend.ts';
import { compileValidators } from '../../src/browser/prepared-site/compile-validators.ts';
import { loadSite } from '../support/site-sources.ts';
import { readSources } from '../support/atoll.ts';
import { isLong } from '../support/long-run.ts';
import { museum, writeSite } from '../support/invented-sites.ts';
import { withDirectory } from '../support/program.ts';
import { validatorsOf } from './evaluated.ts';
import { someVariants, subjectsOf, type Subject } from './subjects.ts';

// Thousands of requests, on a machine that does other things too.
jest.setTimeout(120_000);

/** How many changed values each part of a request gets. */
const most = 60;

/** Compares both for right and wrong requests to each operation. */
const compare = async (document: DocumentObject, subjects?: (operation: Operation) => Promise<Subject[]>) => {
  const backend = createBackend(document, []);
  const compiled = compiledBackend(Object.fromEntries(validatorsOf(compileValidators(document))))(document, []);
  const rules = new Set<string>();
  let right = 0;
  for (const [index, operation] of backend.operations.entries()) {
    const other = compiled.operations[index] ?? operation;
    const asked = subjects ?? ((each) => subjectsOf(document, each, { most, sampleOf: backend.sampleOf }));
    for (const subject of await asked(operation)) {
      const said = (by: Backend, of: Operation) => ({
        parameters: by.readParameters(of, subject.raw),
        body: 'body' in subject ? by.bodyViolations(of, subject.body) : [],
      });
      const [violations, expected] = [said(compiled, other), said(backend, operation)];
      // Texts first: the matcher takes ten times as long.
      if (JSON.stringify(violations) !== JSON.stringify(expected))
        expect({ operation: operation.id, subject, violations }).toEqual({
          ...{ operation: operation.id, subject },
          violations: expected,
        });
      const all = [...expected.parameters.violations, ...expected.body];
      if (all.length === 0) right += 1;
      for (const { pointer, rule } of all)
        rules.add(`${operation.id} ${pointer.split('/').slice(0, 3).join('/')} ${rule?.schemaPath ?? ''}`);
    }
  }
  return { right, rules: rules.size, operations: backend.operations.length };
};

describe('A compiled validator says of a request what the server says', () => {
  it.each(isLong ? ['starter-site'] : [undefined])('by the document of the site %s', async (site) => {
    const { document } = await readSources(site);
    const { right, rules, operations } = await compare(resolveReferences(document));
    expect(operations).toBeGreaterThan(90);
    expect(right).toBeGreaterThan(10 * operations);
    expect(rules).toBeGreaterThan(8 * operations);
  });

  const ofMuseum = async (): Promise<void> => {
    await withDirectory(async (folder) => {
      const site = await loadSite(await writeSite(folder, museum));
      const { document } = await readSources();
      const { right, rules, operations } = await compare(resolveReferences(specialise(document, site, '')));
      expect(right).toBeGreaterThan(10 * operations);
      expect(rules).toBeGreaterThan(8 * operations);
    });
  };
  if (isLong) it('by the document of a site with fields of every type', ofMuseum);

  it('by the document of the control interface', async () => {
    const { controlDocument } = await readSources();
    const { right, rules, operations } = await compare(resolveReferences(controlDocument));
    expect(operations).toBeGreaterThan(30);
    expect(right).toBeGreaterThan(10 * operations);
    expect(rules).toBeGreaterThan(2 * operations);
  });

  it('by a schema that contains itself beside parts that many places have', async () => {
    const text = {
      type: 'object',
      additionalProperties: false,
      properties: { value: { type: 'string', minLength: 2 } },
    };
    const texts = { type: 'array', minItems: 1, items: text };
    const of = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const Tree = {
      type: 'object',
      required: ['names'],
      properties: {
        names: of('Texts'),
        notes: texts,
        titles: of('Texts'),
        children: { type: 'array', items: of('Tree') },
      },
    };
    const Either = {
      oneOf: [of('Tree'), { type: 'object', required: ['text'], properties: { text, also: of('Text') } }],
    };
    const operation = (operationId: string, name: string) => ({
      ...{ operationId, responses: { 200: { description: 'Done.' } } },
      requestBody: { content: { 'application/json': { schema: of(name) } } },
    });
    const document: DocumentObject = {
      ...{ openapi: '3.1.0', info: { title: 'Trees', version: '1' } },
      paths: { '/tree': { post: operation('plant', 'Tree'), patch: operation('graft', 'Either') } },
      components: { schemas: { Tree, Either, Text: text, Texts: texts } },
    };
    const leaf = { names: [{ value: 'oak' }], notes: [{ value: 'old' }], titles: [{ value: 'Oak' }], children: [] };
    const bodies = [
      { ...leaf, children: [leaf, { ...leaf, children: [leaf] }] },
      { text: { value: 'oak' }, also: {} },
    ];
    const subjects = bodies
      .flatMap((body) => someVariants(body, 1000))
      .map((body) => ({ raw: { path: {}, query: '', headers: {} }, body }));
    const { right, rules } = await compare(resolveReferences(document), async () => subjects);
    expect(right).toBeGreaterThan(100);
    expect(rules).toBeGreaterThan(20);
  });
});
