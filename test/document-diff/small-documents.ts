/** Small documents to compare, and changes as lines. No tests here. */
import { diffDocuments, type DiffOptions } from '../../src/sites/document-diff/diff-documents.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A document with one operation, `act`, which these members change. */
export const withOperation = (operation: Json, more: Json = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'Small', version: '1' },
  paths: { '/things/{id}': { get: { operationId: 'act', responses: { 200: { description: 'd' } }, ...operation } } },
  ...more,
});

/** Rules that any comparison here has found. */
export const metRules = new Set<string>();

/** `breaking [client] act: 200 header X is gone`. */
export const linesOf = (before: Json, after: Json, options?: DiffOptions): string[] =>
  diffDocuments(before, after, options).map(({ kind, breaks, subject, place, change, rule, reason }) => {
    metRules.add(rule);
    if (!/^\S.*\.$/.test(reason)) throw new Error(`${rule}: "${reason}" is no sentence.`);
    return `${kind} [${breaks.join(' ')}] ${subject}: ${[place, change].filter((text) => text !== '').join(' ')}`;
  });

/** What is said of a schema in a request, without the place of the body. */
export const sentLines = (before: unknown, after: unknown, schemas?: readonly [Json, Json]): string[] =>
  schemaLines((schema) => ({ requestBody: { content: { 'application/json': { schema } } } }), before, after, schemas);

/** The same of a schema in an answer. */
export const receivedLines = (before: unknown, after: unknown, schemas?: readonly [Json, Json]): string[] => {
  const operation = (schema: unknown): Json => ({
    responses: { 200: { description: 'd', content: { 'application/json': { schema } } } },
  });
  return schemaLines(operation, before, after, schemas);
};

const schemaLines = (
  operation: (schema: unknown) => Json,
  before: unknown,
  after: unknown,
  [had, has]: readonly [Json, Json] = [{}, {}],
): string[] =>
  linesOf(
    withOperation(operation(before), { components: { schemas: had } }),
    withOperation(operation(after), { components: { schemas: has } }),
  ).map((line) => line.replace(/act: (request|200) application\/json ?/, ''));
