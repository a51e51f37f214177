/** Checks that no value of any field, and no id in an address, breaks the target: each is taken or refused, as the document says. */
import type { FieldDefinition } from '../../../../repository/repository.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { type Answer, CheckFailure, deviation, expectRefusal, expectStatus } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import {
  asMaker,
  createBody,
  mainKinds,
  makeWritten,
  patch,
  patchBody,
  readBack,
  type RecordKind,
  type Written,
  writesOf,
} from './record-kinds.ts';
import { dealt } from '../../dealt.ts';
import { uploadBundle, uploadPath, useTerm } from '../uploads/uploading.ts';
import { contractRule, adviceRule, checksOf, checksThatWrite, sources, type Rule } from '../../rule.ts';

/** JSON in place of a field or of an item, which is refused before the type of the field counts. */
const oddLists: readonly unknown[] = [
  ...[true, 12, 1.5, 'text', { value: 'x' }, {}, [[]], [null], [12], ['text'], [true], [[1]]],
];

/** JSON of every type in the properties of an item. */
const oddItems: readonly unknown[] = [
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

const expectOrderly = (answer: Answer, field: string, value: unknown): void => {
  const { status } = answer;
  if (!allowed.includes(status)) {
    throw new CheckFailure(`"${field}": ${sentWords(value)} was answered ${status}, not ${allowed.join(', ')}.`, [
      deviation(answer, '/status', status, 422),
    ]);
  }
  // The real service refuses some things without a reason.
  if (status !== 200 && status !== 403) expectRefusal(answer, status);
};

type OddField = { readonly kind: RecordKind; readonly field: FieldDefinition };

/** Among so many fields of a type each value is sent once. */
const shares = 12;

/** What is at the place of a field among those that are like it, when all of them share the values. */
const shareOf = (
  values: readonly unknown[],
  one: OddField,
  all: readonly OddField[],
  keyOf: (one: OddField) => unknown,
): readonly unknown[] => {
  const alike = all.filter((each) => keyOf(each) === keyOf(one));
  const parts = Math.min(alike.length, shares);
  return values.filter((_, at) => at % parts === alike.indexOf(one) % parts);
};

/** The same code reads all fields of a kind, and the items of all fields of a type, so they share the values. */
const valuesOf = (one: OddField, all: readonly OddField[]): readonly unknown[] => [
  ...shareOf(oddLists, one, all, ({ kind }) => kind),
  ...shareOf(oddItems, one, all, ({ field }) => field.type),
];

const oddRecord = (context: CheckContext, kind: RecordKind): Promise<Written> =>
  context.once(`odd ${kind.word}`, (own) => makeWritten(own, kind));

const patchRule = ({ kind, field: { name } }: OddField, values: readonly unknown[]): Rule =>
  adviceRule(`odd-values.${kind.word}.${name}`, 'document: the schema of the request body')(
    `${kind.word}: A PATCH with any JSON as "${name}" is taken or refused with a message.`,
    async (context) => {
      const made = await oddRecord(context, kind);
      for (const value of values) {
        expectOrderly(await patch(context, kind, made, { [name]: value }), name, value);
      }
    },
    { also: [kind.operations.update] },
  );

const unstorable = 'docs/use/differences.md: JSON beyond 1 MiB or 32 levels, dangerous member names';

/** Texts that JSON may be, and numbers that no program holds. */
const oddBodies: readonly (readonly [name: string, text: (bundle: string, field: string) => string])[] = [
  ['huge-number', (bundle, field) => `{"${field}":[{"target_id":"${bundle}"}],"status":[{"value":1e400}]}`],
  ['deep', () => `${'['.repeat(600)}${']'.repeat(600)}`],
  ['prototype', (bundle, field) => `{"${field}":[{"target_id":"${bundle}"}],"__proto__":[{"value":"x"}]}`],
  ['repeated-member', (bundle, field) => `{"${field}":[{"target_id":"${bundle}"}],"langcode":"x","langcode":12}`],
  ['empty-name', (bundle, field) => `{"${field}":[{"target_id":"${bundle}"}],"":[{"value":"x"}]}`],
];

const postOdd = async (context: CheckContext, { collection }: RecordKind, body: string): Promise<Answer> => {
  const headers = [['Content-Type', 'application/json']] as const;
  return asMaker(context, 'POST', collection, { headers, body });
};

const bodyRules: readonly Rule<RecordKind>[] = [
  ...oddBodies.map(([name, text]): Rule<RecordKind> =>
    adviceRule(name, unstorable)(
      `A POST with an odd body (${name}) is refused, and not with an error of the server.`,
      async (kind, context) =>
        expectStatus(await postOdd(context, kind, text(kind.bundle.id, kind.bundleField)), 400, 403, 413, 422),
    ),
  ),
  adviceRule('large', `document: 413; ${unstorable}`)(
    "A POST of more than the site's limit of JSON is refused with 413.",
    async (kind, context) => {
      const langcode = [{ value: 'x'.repeat(context.contract.site.maxJsonBytes) }];
      const body = JSON.stringify(await createBody(context, kind, { langcode }));
      expectRefusal(await postOdd(context, kind, body), 413);
    },
  ),
];

/** It comes behind the fields. */
const readable: Rule<RecordKind> = adviceRule('readable', 'document: the schema of the answer')(
  'A record that took any JSON in its fields can be read.',
  async (kind, context) => readBack(context, await oddRecord(context, kind)),
);

const oddIds = ['abc', '0', '-1', '1.5', '99999999999999999999', '%20', 'null', "1'"];

type OddIdRow = {
  readonly word: string;
  readonly method: 'PATCH' | 'DELETE' | 'PUT';
  readonly operation: string;
  readonly path: (context: CheckContext, id: string) => string;
  readonly json?: object;
};

const idRule = ({ word, method, operation, path, json }: OddIdRow, ids: readonly string[]): Rule =>
  contractRule(`odd-ids.${word}.${method.toLowerCase()}`, sources.errors)(
    `${word}: ${method} with an id that is not a number, or the number of nothing, answers 404.`,
    async (context) => {
      const bytes = method === 'PUT' ? { headers: [['Content-Type', 'text/plain'] as const], body: 'x' } : {};
      const sent = json === undefined ? bytes : { json };
      for (const id of ids) {
        expectRefusal(await asMaker(context, method, path(context, id), sent), 404);
      }
    },
    { also: [operation] },
  );

const replaced = (kind: RecordKind, id: string): string => kind.path(1).replace('1', id);

const oddFields = (contract: TargetContract): readonly OddField[] =>
  mainKinds(contract).flatMap((kind) =>
    [...kind.bundle.fields.values()].flatMap((field) => (field.name === kind.bundleField ? [] : [{ kind, field }])),
  );

export const oddChecks = (contract: TargetContract): readonly Check[] => [
  ...checksThatWrite(oddFields(contract).map((one, _, all) => patchRule(one, valuesOf(one, all)))),
  ...mainKinds(contract).flatMap((kind) => {
    const { create, read, update } = kind.operations;
    return [
      ...checksOf(
        writesOf('odd-values', kind, [update, read], () => kind),
        [readable],
      ),
      ...checksOf(
        writesOf('odd-bodies', kind, [create], () => kind),
        bodyRules,
      ),
    ];
  }),
  ...checksThatWrite(oddIdRows(contract).map((row, at, rows) => idRule(row, dealt(oddIds, at, rows.length)))),
];

/** Each of them looks for its record in the same way, so the first tries all ids, and the others share them. */
const oddIdRows = (contract: TargetContract): readonly OddIdRow[] => [
  ...mainKinds(contract).flatMap((kind): OddIdRow[] => {
    const { update, remove } = kind.operations;
    const path: OddIdRow['path'] = (_context, id) => replaced(kind, id);
    return [
      { word: kind.word, method: 'PATCH', operation: update, path, json: patchBody(kind, {}) },
      { word: kind.word, method: 'DELETE', operation: remove, path },
    ];
  }),
  { word: 'file', method: 'DELETE', operation: 'deleteFile', path: (_context, id) => `/entity/file/${id}` },
  { word: 'source', method: 'PUT', operation: 'putMediaSource', path: (_context, id) => `/media/${id}/source` },
  {
    ...{ word: 'upload-node', method: 'PUT', operation: 'putNodeMedia' },
    path: (context, id) => uploadPath(id, uploadBundle(context).id, useTerm(context)),
  },
  {
    ...{ word: 'upload-term', method: 'PUT', operation: 'putNodeMedia' },
    path: (context, id) => uploadPath(context.subjects.node.id, uploadBundle(context).id, id),
  },
];
