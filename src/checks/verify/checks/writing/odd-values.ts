/** Checks that no value of any field, and no id in an address, breaks the target: each is taken or refused, as the document says. */
import type { FieldDefinition } from '../../../../core/model/bundle.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckFailure, expectRefusal, expectStatus } from '../../answer.ts';
import { adviceRule, type Check, type CheckContext, contractRule } from '../../check.ts';
import {
  createBody,
  createdIn,
  inJson,
  mainKinds,
  makeWritten,
  patch,
  patchBody,
  readBack,
  type RecordKind,
} from './record-kinds.ts';
import { sources, writing } from './writing-check.ts';
import { uploadBundle, uploadPath, useTerm } from '../uploads/uploading.ts';

/** JSON of every type, in every place of a field: the field itself, an item, a property. */
const oddValues: readonly unknown[] = [
  ...[true, 12, 1.5, 'text', { value: 'x' }, {}, [[]], [null], [12], ['text'], [true], [[1]]],
  ...[[{}], [{ value: null }], [{ value: {} }], [{ value: [] }], [{ value: [1, 2] }], [{ value: true }]],
  ...[
    [{ value: -1 }],
    [{ value: 2 ** 53 }],
    [{ value: 1e300 }],
    [{ value: '' }],
    [{ value: ' ' }],
    [{ value: 'x'.repeat(70_000) }],
  ],
  ...[[{ target_id: null }], [{ target_id: -1 }], [{ target_id: 1.5 }], [{ target_id: {} }], [{ target_uuid: [] }]],
  ...[[{ uri: 12 }], [{ value: 'a\u0000b' }], [{ value: '\ud800' }], [{ nothing: 1 }]],
];

/** JSON cannot write a lone surrogate but by an escape, which `JSON.stringify` does. */
const sentWords = (value: unknown): string => JSON.stringify(value).slice(0, 80);

const allowed = [200, 400, 403, 422];

const expectOrderly = (status: number, field: string, value: unknown): void => {
  if (allowed.includes(status)) return;
  throw new CheckFailure(`"${field}": ${sentWords(value)} was answered ${status}, not ${allowed.join(', ')}.`);
};

type OddField = { readonly kind: RecordKind; readonly field: FieldDefinition };

/** Among so many fields of a type each value is sent once. */
const shares = 12;

/** The same code reads all fields of a type, so they share the values; each gets some of every sort. */
const valuesOf = ({ field }: OddField, all: readonly OddField[]): readonly unknown[] => {
  const alike = all.filter((one) => one.field.type === field.type);
  const parts = Math.min(alike.length, shares);
  const part = alike.findIndex((one) => one.field === field) % parts;
  return oddValues.filter((_, at) => at % parts === part);
};

const patchCheck = ({ kind, field: { name } }: OddField, values: readonly unknown[]): Check =>
  writing({
    ...adviceRule(`odd-values.${kind.word}.${name}`, 'document: the schema of the request body'),
    rule: `${kind.word}: A PATCH with any JSON as "${name}" is taken or refused with a message, and a record that took it can be read afterwards.`,
    operations: [kind.operations.update, kind.operations.read],
    run: async (context) => {
      let isTaken = false;
      const made = await context.once(`odd ${kind.word}`, (own) => makeWritten(own, kind));
      for (const value of values) {
        const answer = await patch(context, kind, made, { [name]: value });
        expectOrderly(answer.status, name, value);
        if (answer.status !== 200) expectRefusalBody(answer);
        isTaken ||= answer.status === 200;
      }
      if (isTaken) await readBack(context, made);
    },
  });

const expectRefusalBody = (answer: Parameters<typeof expectRefusal>[0]): void => {
  // The real service refuses some things without a reason.
  if (answer.status === 403) expectStatus(answer, 403);
  else expectRefusal(answer, answer.status);
};

/** Texts that JSON may be, and numbers that no program holds. */
const oddBodies: readonly (readonly [name: string, text: (bundle: string, field: string) => string])[] = [
  ['huge-number', (bundle, field) => `{"${field}":[{"target_id":"${bundle}"}],"status":[{"value":1e400}]}`],
  ['deep', () => `${'['.repeat(600)}${']'.repeat(600)}`],
  ['prototype', (bundle, field) => `{"${field}":[{"target_id":"${bundle}"}],"__proto__":[{"value":"x"}]}`],
  ['repeated-member', (bundle, field) => `{"${field}":[{"target_id":"${bundle}"}],"langcode":"x","langcode":12}`],
  ['empty-name', (bundle, field) => `{"${field}":[{"target_id":"${bundle}"}],"":[{"value":"x"}]}`],
];

const bodyCheck = (kind: RecordKind, [name, text]: (typeof oddBodies)[number]): Check =>
  writing({
    ...adviceRule(`odd-bodies.${kind.word}.${name}`, 'document: the schema of the request body'),
    rule: `${kind.word}: A POST with an odd body (${name}) is refused, and not with an error of the server.`,
    operations: [kind.operations.create],
    run: async (context) => {
      const headers = [['Content-Type', 'application/json']] as const;
      const body = text(kind.bundle.id, kind.bundleField);
      const answer = await context.ask({
        method: 'POST',
        path: inJson(kind.collection),
        as: context.maker(),
        headers,
        body,
      });
      if (answer.status === 201) await createdIn(context, kind, answer);
      expectStatus(answer, 400, 403, 413, 422);
    },
  });

const manyValues = (kind: RecordKind): Check =>
  writing({
    ...adviceRule(`odd-bodies.${kind.word}.large`, 'document: 413'),
    rule: `${kind.word}: A POST of more than the site's limit of JSON is refused with 413.`,
    operations: [kind.operations.create],
    run: async (context) => {
      const { maxJsonBytes } = context.contract.site;
      const body = JSON.stringify(await createBody(context, kind, { langcode: [{ value: 'x'.repeat(maxJsonBytes) }] }));
      const headers = [['Content-Type', 'application/json']] as const;
      const answer = await context.ask({
        method: 'POST',
        path: inJson(kind.collection),
        as: context.maker(),
        headers,
        body,
      });
      expectRefusal(answer, 413);
    },
  });

const oddIds = ['abc', '0', '-1', '1.5', '99999999999999999999', '%20', 'null', "1'"];

const idCheck = (
  word: string,
  method: string,
  operation: string,
  path: (context: CheckContext, id: string) => string,
  json?: object,
): Check =>
  writing({
    ...contractRule(`odd-ids.${word}.${method.toLowerCase()}`, sources.errors),
    rule: `${word}: ${method} with an id that is not a number, or the number of nothing, answers 404.`,
    operations: [operation],
    run: async (context) => {
      for (const id of oddIds) {
        const body =
          json === undefined
            ? method === 'PUT'
              ? { headers: [['Content-Type', 'text/plain'] as const], body: 'x' }
              : {}
            : { json };
        expectRefusal(
          await context.ask({ method, path: inJson(path(context, id)), as: context.maker(), ...body }),
          404,
        );
      }
    },
  });

const replaced = (kind: RecordKind, id: string): string => kind.path(1).replace('1', id);

const oddFields = (contract: TargetContract): readonly OddField[] =>
  mainKinds(contract).flatMap((kind) =>
    [...kind.bundle.fields.values()].flatMap((field) => (field.name === kind.bundleField ? [] : [{ kind, field }])),
  );

export const oddChecks = (contract: TargetContract): readonly Check[] => [
  ...oddFields(contract).map((one, _, all) => patchCheck(one, valuesOf(one, all))),
  ...mainKinds(contract).flatMap((kind) => [
    ...oddBodies.map((body) => bodyCheck(kind, body)),
    manyValues(kind),
    idCheck(kind.word, 'PATCH', kind.operations.update, (_context, id) => replaced(kind, id), patchBody(kind, {})),
    idCheck(kind.word, 'DELETE', kind.operations.remove, (_context, id) => replaced(kind, id)),
  ]),
  idCheck('file', 'DELETE', 'deleteFile', (_context, id) => `/entity/file/${id}`),
  idCheck('source', 'PUT', 'putMediaSource', (_context, id) => `/media/${id}/source`),
  idCheck(
    'upload-node',
    'PUT',
    'putNodeMedia',
    (context, id) => `/node/${id}/media/${uploadBundle(context).id}/${useTerm(context)}`,
  ),
  idCheck('upload-term', 'PUT', 'putNodeMedia', (context, id) =>
    uploadPath({ node: context.subjects.node.id, bundle: uploadBundle(context).id, use: 0 }).replace(/0$/, id),
  ),
];
