/** Checks of the order in which a request is looked at: of two faults the earlier one is answered. */
import type { TargetContract } from '../../../target/contract-source.ts';
import type { HeaderLine } from '../../../../exchange/wire-exchange.ts';
import { expectStatus } from '../../answer.ts';
import { type AskedRequest, type Check, type CheckContext, referenceRule } from '../../check.ts';
import { createBody, inJson, mainKinds, sharedWritten, type RecordKind } from './record-kinds.ts';
import { sources, writing } from './writing-check.ts';

const json: HeaderLine = ['Content-Type', 'application/json'];

/** Each refusal hides the later ones. */
type Precedence = {
  readonly name: string;
  readonly rule: string;
  readonly ask: (kind: RecordKind, context: CheckContext) => Promise<AskedRequest>;
  readonly status: number;
};

const absent = (kind: RecordKind, { subjects }: CheckContext): string => kind.path(subjects.absentId);

const precedence: readonly Precedence[] = [
  {
    ...{
      name: 'media-type-before-credentials',
      status: 415,
      rule: 'The media type is looked at before the credentials',
    },
    ask: async ({ collection }) => ({
      method: 'POST',
      path: inJson(collection),
      headers: [['Content-Type', 'text/xml']],
      body: '<a/>',
    }),
  },
  {
    ...{ name: 'media-type-before-format', status: 415, rule: 'The media type is looked at before the format' },
    ask: async ({ collection }, context) => ({
      ...{ method: 'POST', path: `${collection}?_format=foo`, as: context.maker(), body: '<a/>' },
      headers: [['Content-Type', 'text/xml']],
    }),
  },
  {
    ...{ name: 'format-before-record', status: 406, rule: 'The format is looked at before the record' },
    ask: async (kind, context) => ({
      method: 'DELETE',
      path: `${absent(kind, context)}?_format=foo`,
      as: context.maker(),
    }),
  },
  {
    ...{
      name: 'record-before-credentials',
      status: 404,
      rule: 'The record is looked for before the credentials count',
    },
    ask: async (kind, context) => ({ method: 'PATCH', path: inJson(absent(kind, context)), json: {} }),
  },
  {
    ...{
      name: 'delete-record-before-credentials',
      status: 404,
      rule: 'The record is looked for before the credentials count',
    },
    ask: async (kind, context) => ({ method: 'DELETE', path: inJson(absent(kind, context)) }),
  },
  {
    ...{ name: 'credentials-before-body', status: 401, rule: 'The credentials are looked at before the body' },
    ask: async ({ collection }) => ({ method: 'POST', path: inJson(collection), headers: [json], body: 'no JSON' }),
  },
  {
    ...{ name: 'patch-credentials-before-body', status: 401, rule: 'The credentials are looked at before the body' },
    ask: async (kind, context) => {
      const { path } = await sharedWritten(context, kind);
      return { method: 'PATCH', path: inJson(path), headers: [json], body: 'no JSON' };
    },
  },
  {
    ...{ name: 'bundle-before-fields', status: 422, rule: 'The bundle is read before access to fields is checked' },
    ask: async (kind, context) => ({
      ...{ method: 'POST', path: inJson(kind.collection), as: context.maker() },
      json: { [kind.bundleField]: [{ target_id: 'verify_none' }], [kind.idField]: [{ value: 1 }] },
    }),
  },
  {
    ...{ name: 'field-access-before-validation', status: 403, rule: 'Access to fields is checked before their values' },
    ask: async (kind, context) => ({
      ...{ method: 'POST', path: inJson(kind.collection), as: context.maker() },
      json: {
        ...(await createBody(context, kind)),
        [kind.labelField]: [],
        changed: [{ value: '2001-02-03T04:05:06+00:00' }],
      },
    }),
  },
];

const orderCheck = (kind: RecordKind, { name, rule, ask, status }: Precedence): Check =>
  writing({
    ...referenceRule(`order.${kind.word}.${name}`, sources.order),
    rule: `${kind.word}: ${rule}, so a request with both faults answers ${status}.`,
    operations: [kind.operations.create, kind.operations.update, kind.operations.remove],
    run: async (context) => void expectStatus(await context.ask(await ask(kind, context)), status),
  });

export const orderChecks = (contract: TargetContract): readonly Check[] =>
  mainKinds(contract).flatMap((kind) => precedence.map((one) => orderCheck(kind, one)));
