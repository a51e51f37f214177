/** A second opinion: the validators of openapi-backend, which share no code of ours, find the same requests right and wrong. */
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { OpenAPIBackend, type Document } from 'openapi-backend';
import { resolveReferences } from '../../src/openapi/openapi-parts.ts';
import { type Operation, createBackend } from '../../src/repository/repository-engine.ts';
import { readContract } from '../support/site-sources.ts';
import { readDocument } from '../../src/server/server-application.ts';
import { subjectsOf, type Subject } from '../prepared-site/subjects.ts';
import { root } from '../support/atoll.ts';

jest.setTimeout(120_000);

/** How many changed values each part of a request gets. */
const most = 10;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The library reads numbers as JavaScript does: `0x1`, ` 1`, and `true` as 1. */
const hasOddNumber = ({ raw: { path, query } }: Subject): boolean =>
  [...Object.values(path).map(decodeURIComponent), ...new URLSearchParams(query).values()].some(
    (text) => !jsonNumber.test(text) && text !== '' && Number.isFinite(Number(text)),
  );

/** The library does not know `allowEmptyValue`. */
const isEmptyOnPurpose = ({ described }: Operation, { raw }: Subject): boolean =>
  described.parameters.some(({ allowsEmpty, name }) => allowsEmpty && new URLSearchParams(raw.query).get(name) === '');

describe.each([
  ['openapi.yaml', readContract],
  ['src/server/control/openapi.yaml', readDocument],
])('The requests of %s', (file, read) => {
  it('are right for us where they are right for openapi-backend', async () => {
    const document = resolveReferences(await read(join(root, file)));
    const ours = createBackend(document, []);
    const theirs = new OpenAPIBackend({
      definition: structuredClone(document) as unknown as Document,
      ...{ quick: true, strict: true, ajvOpts: { strict: false, validateFormats: false } },
    });
    await theirs.init();
    /** What it says of the values that we have read. */
    const isRightForThem = (
      { id }: Operation,
      values: ReturnType<typeof ours.readParameters>['values'],
      body: object,
    ) =>
      theirs.validator.getRequestValidatorsForOperation(id).every((validate) =>
        validate({
          path: { ...values.path },
          query: { ...values.query },
          header: values.headers,
          cookie: {},
          ...body,
        }),
      );
    let [right, wrong] = [0, 0];
    const different: object[] = [];
    for (const operation of ours.operations) {
      for (const subject of await subjectsOf(document, operation, { most, sampleOf: ours.sampleOf })) {
        const { values, violations } = ours.readParameters(operation, subject.raw);
        const hasBody = 'body' in subject && typeof subject.body === 'object' && subject.body !== null;
        const ofBody = hasBody ? ours.bodyViolations(operation, subject.body) : [];
        const all = [...violations, ...ofBody];
        // The library is asked without formats.
        if (all.some(({ rule }) => rule?.keyword === 'format') || isEmptyOnPurpose(operation, subject)) continue;
        const isRight = all.length === 0;
        const body = hasBody ? { requestBody: subject.body } : operation.body === 'json' ? { requestBody: {} } : {};
        const said = hasBody || operation.body !== 'json' ? isRightForThem(operation, values, body) : isRight;
        if (isRight) right += 1;
        else wrong += 1;
        if (said !== isRight && !(said && hasOddNumber(subject)))
          different.push({ operation: operation.id, subject, said, violations: all });
      }
    }
    expect(different.slice(0, 3)).toEqual([]);
    expect(right).toBeGreaterThan(3 * ours.operations.length);
    expect(wrong).toBeGreaterThan(3 * ours.operations.length);
  });
});
