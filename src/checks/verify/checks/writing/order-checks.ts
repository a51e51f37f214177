/** Checks of the order in which a request is looked at: of two faults the earlier one is answered. */
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectStatus } from '../../answer.ts';
import type { AskedRequest, Check, CheckContext } from '../../check.ts';
import { createBody, inJson, mainKinds, sharedWritten, type RecordKind, writesOf } from './record-kinds.ts';
import { referenceRule, checksOf, sources, type Rule } from '../../rule.ts';

const noJson = { headers: [['Content-Type', 'application/json']], body: 'no JSON' } as const;
const xml = { headers: [['Content-Type', 'text/xml']], body: '<a/>' } as const;

/** `path` is that of the collection unless it is named. */
type Sent = Partial<AskedRequest> | Promise<Partial<AskedRequest>>;

/** Each refusal hides the later ones. */
type Precedence = readonly [
  name: string,
  status: number,
  words: string,
  request: (kind: RecordKind, context: CheckContext) => Sent,
];

const ofNothing = ({ path }: RecordKind, { subjects }: CheckContext): string => inJson(path(subjects.absentId));

const precedence: readonly Precedence[] = [
  ['media-type-before-credentials', 415, 'The media type is looked at before the credentials', () => xml],
  [
    ...(['media-type-before-format', 415, 'The media type is looked at before the format'] as const),
    ({ collection }, { maker }) => ({ ...xml, path: `${collection}?_format=foo`, as: maker() }),
  ],
  [
    ...(['format-before-record', 406, 'The format is looked at before the record'] as const),
    ({ path }, { subjects, maker }) => ({
      ...{ method: 'DELETE', path: `${path(subjects.absentId)}?_format=foo`, as: maker() },
    }),
  ],
  [
    ...(['record-before-credentials', 404, 'The record is looked for before the credentials count'] as const),
    (...at) => ({ method: 'PATCH', path: ofNothing(...at), json: {} }),
  ],
  [
    ...(['delete-record-before-credentials', 404, 'The record is looked for before the credentials count'] as const),
    (...at) => ({ method: 'DELETE', path: ofNothing(...at) }),
  ],
  ['credentials-before-body', 401, 'The credentials are looked at before the body', () => noJson],
  [
    ...(['patch-credentials-before-body', 401, 'The credentials are looked at before the body'] as const),
    async (kind, context) => ({
      ...{ ...noJson, method: 'PATCH', path: inJson((await sharedWritten(context, kind)).path) },
    }),
  ],
  [
    ...(['bundle-before-fields', 422, 'The bundle is read before access to fields is checked'] as const),
    ({ bundleField, idField }, { maker }) => ({
      ...{ as: maker(), json: { [bundleField]: [{ target_id: 'verify_none' }], [idField]: [{ value: 1 }] } },
    }),
  ],
  [
    ...(['field-access-before-validation', 403, 'Access to fields is checked before their values'] as const),
    async (kind, context) => {
      const fields = { [kind.labelField]: [], changed: [{ value: '2001-02-03T04:05:06+00:00' }] };
      return { as: context.maker(), json: { ...(await createBody(context, kind)), ...fields } };
    },
  ],
];

const rules = precedence.map(([name, status, words, request]): Rule<RecordKind> =>
  referenceRule(name, sources.order)(
    `${words}, so a request with both faults answers ${status}.`,
    async (kind, context) => {
      const asked = { method: 'POST', path: inJson(kind.collection), ...(await request(kind, context)) };
      expectStatus(await context.ask(asked), status);
    },
  ),
);

export const orderChecks = (contract: TargetContract): readonly Check[] =>
  mainKinds(contract).flatMap((kind) => {
    const { create, update, remove } = kind.operations;
    return checksOf(
      writesOf('order', kind, [create, update, remove], () => kind),
      rules,
    );
  });
