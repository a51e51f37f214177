/** Describes what clients write as JSON: nodes, media and terms. Checks that hold for all of them are made from it. */
import {
  type Bundle,
  type FieldDefinition,
  identityOf,
  addressPath,
  type Site,
} from '../../../../repository/repository.ts';
import type { TargetAccount } from '../../../../exchange/exchange-target.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckFailure, CheckSkip, expectStatus, type Answer } from '../../answer.ts';
import type { AskedRequest, CheckContext } from '../../check.ts';
import { numberIn, recordOf, type JsonRecord } from '../../record-members.ts';
import { fieldRoles } from '../../field-roles.ts';
import { bornPublished } from '../../workflow-states.ts';
import type { Topic } from '../../rule.ts';

type WrittenType = 'node' | 'media' | 'taxonomy_term';

/** A record that a check may change. `path` has no query. */
export type Written = { readonly id: number; readonly path: string; readonly record: JsonRecord };

const words = { node: 'node', media: 'media', taxonomy_term: 'term' } as const;
const names = { node: 'Node', media: 'Media', taxonomy_term: 'Term' } as const;
const collections = { node: '/node', media: '/entity/media', taxonomy_term: '/taxonomy/term' } as const;

export const kindOf = (site: Site, bundle: Bundle, type: WrittenType) => {
  const name = names[type];
  const { id: idField, label: labelField, bundle: bundleField = type } = identityOf(type);
  return {
    /** `word`: as names of checks have it. */
    ...{ site, type, word: words[type], bundle },
    /** `labelField` is title or name, `bundleField` is `type`, `bundle` or `vid`. */
    ...{ idField, labelField, bundleField },
    /** The ids of operations. */
    operations: { create: `create${name}`, read: `get${name}`, update: `update${name}`, remove: `delete${name}` },
    /** Where POST makes one. */
    collection: collections[type],
    path: (id: number): string => addressPath(site, type, id),
  };
};

export type RecordKind = ReturnType<typeof kindOf>;

/** The topic of rules about writes of a kind of records. */
export const writesOf = <Seen>(
  topic: string,
  { word, type }: { readonly word: string; readonly type: string },
  operations: readonly string[],
  see: Topic<Seen>['see'],
): Topic<Seen> => ({ topic: `${topic}.${word}`, about: word, type, isWriting: true, operations, see });

const fieldsOf = ({ fields }: Bundle): readonly FieldDefinition[] => [...fields.values()];
const needs = (bundle: Bundle): readonly FieldDefinition[] =>
  fieldsOf(bundle).filter(({ configured, required }) => configured && required);

/** The content type of repository items, of which a run makes nodes. */
export const contentBundle = ({ site }: TargetContract): Bundle => {
  const { nodeBundle } = fieldRoles(site);
  if (nodeBundle === undefined) throw new Error('A site has a content type.');
  return nodeBundle;
};

/** The media types that hold a file of an extension. */
export const fileBundles = ({ site }: TargetContract): readonly Bundle[] => fieldRoles(site).uploadBundles;

/** Every kind and bundle that a check can make records of. */
export const recordKinds = (contract: TargetContract): readonly RecordKind[] => {
  const { site } = contract;
  return [
    ...[contentBundle(contract)].map((bundle) => kindOf(site, bundle, 'node')),
    ...fileBundles(contract).map((bundle) => kindOf(site, bundle, 'media')),
    ...site.model.bundles('taxonomy_term').map((bundle) => kindOf(site, bundle, 'taxonomy_term')),
  ];
};

/** The first kind of each type. */
export const mainKinds = (contract: TargetContract): readonly RecordKind[] => {
  const kinds = recordKinds(contract);
  const media =
    kinds.find(({ bundle }) => bundle.source?.kind === 'image') ?? kinds.find(({ type }) => type === 'media');
  const firsts = [kinds.find(({ type }) => type === 'node'), media, kinds.find(({ type }) => type === 'taxonomy_term')];
  return firsts.filter((kind) => kind !== undefined);
};

/** The path with the query that names the format. */
export const inJson = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}_format=json`;

/** A request for JSON by the account that makes everything. */
export const asMaker = (
  context: CheckContext,
  method: string,
  path: string,
  sent: Omit<AskedRequest, 'method' | 'path' | 'as'> = {},
): Promise<Answer> => context.ask({ method, path: inJson(path), as: context.maker(), ...sent });

/** Reads a record as its maker sees it. */
export const readBack = async (context: CheckContext, { path }: Pick<Written, 'path'>): Promise<JsonRecord> =>
  recordOf(expectStatus(await asMaker(context, 'GET', path), 200));

/** The body of a PATCH: the bundle, and the fields. */
export const patchBody = (kind: RecordKind, fields: JsonRecord): JsonRecord => ({
  [kind.bundleField]: [{ target_id: kind.bundle.id }],
  ...fields,
});

export const patch = async (
  context: CheckContext,
  kind: RecordKind,
  { path }: Pick<Written, 'path'>,
  fields: JsonRecord,
  as: TargetAccount = context.maker(),
): Promise<Answer> => context.ask({ method: 'PATCH', path: inJson(path), as, json: patchBody(kind, fields) });

/** The body of a POST that makes a minimal record of the kind. Media refer to a file that is there already. */
export const createBody = async (
  context: CheckContext,
  kind: RecordKind,
  fields: JsonRecord = {},
): Promise<JsonRecord> => {
  const { bundle } = kind;
  const named = { [kind.bundleField]: [{ target_id: bundle.id }], ...bornPublished(bundle) };
  if (kind.type === 'node') return context.workspace.nodeBody(fields);
  const label = { name: [{ value: `${context.workspace.label} ${kind.word}` }] };
  if (kind.type === 'taxonomy_term') {
    const missing = needs(bundle).filter(({ name }) => !(name in fields));
    if (missing.length === 0) return { ...named, ...label, ...fields };
    throw new CheckSkip(`A term of ${bundle.id} needs more than a name.`);
  }
  const source = bundle.source?.field ?? '';
  const { record } = await sharedWritten(context, kind);
  return { ...named, ...label, [source]: [{ target_id: numberIn(record, source, 'target_id') }], ...fields };
};

/** POSTs a record. Throws `CheckFailure` unless the answer is 201 with the record. */
export const create = async (
  context: CheckContext,
  kind: RecordKind,
  fields: JsonRecord = {},
  as: TargetAccount = context.maker(),
): Promise<Written> => {
  const json = await createBody(context, kind, fields);
  return createdIn(kind, await context.ask({ method: 'POST', path: inJson(kind.collection), as, json }));
};

/** The record of the 201 of a POST. */
export const createdIn = (kind: RecordKind, answer: Answer): Written => {
  if (answer.status !== 201) {
    throw new CheckFailure(
      `POST ${kind.collection} answered ${answer.status} in place of 201: ${answer.text.slice(0, 300)}`,
    );
  }
  const record = recordOf(answer);
  const id = numberIn(record, kind.idField);
  return { id, path: kind.path(id), record };
};

/** A new record of the kind, for a check that changes it. Media come by an upload, as clients make them. */
export const makeWritten = async (context: CheckContext, kind: RecordKind): Promise<Written> => {
  if (kind.type === 'taxonomy_term') return create(context, kind);
  const { workspace } = context;
  const isNode = kind.type === 'node';
  const made = await (isNode ? workspace.node() : workspace.media(await workspace.spareNode(), kind.bundle.id));
  return { id: made.id, path: kind.path(made.id), record: made.record };
};

/** One record of a kind that all checks of refusals share: nothing may change it. */
export const sharedWritten = (context: CheckContext, kind: RecordKind): Promise<Written> =>
  context.once(`shared ${kind.type} ${kind.bundle.id}`, (own) => makeWritten(own, kind));

/** DELETEs a record. */
export const remove = (context: CheckContext, { path }: Pick<Written, 'path'>): Promise<Answer> =>
  asMaker(context, 'DELETE', path);
