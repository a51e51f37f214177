/** Reads the records of a target that checks look at, by their kinds. */
import {
  type Bundle,
  identityOf,
  type RepositoryType,
  addressPath,
  type Format,
  type Site,
} from '../../../../repository/repository.ts';
import type { TargetAccount } from '../../../../exchange/exchange-target.ts';
import { CheckFailure, type Answer } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { recordOf, valueIn, type JsonRecord } from '../../record-members.ts';
import { fileOf, mediaOf, orSkip, readOk } from './reading-check.ts';
import type { Topic } from '../../rule.ts';

/** `word` is a part of the names of checks. */
export type SeenKind = {
  readonly type: Exclude<RepositoryType, 'path_alias' | 'redirect'>;
  readonly word: string;
  readonly operation: string;
  /** The id and the bundle that it has here. Throws `CheckSkip`. */
  readonly find: (context: CheckContext) => { readonly id: number; readonly bundle: string | undefined };
};

export const seenKinds = {
  node: {
    type: 'node',
    word: 'node',
    operation: 'getNode',
    find: ({ subjects }) => subjects.node,
  },
  media: { type: 'media', word: 'media', operation: 'getMedia', find: (context) => mediaOf(context) },
  file: { type: 'file', word: 'file', operation: 'getFile', find: (context) => fileOf(context) },
  term: {
    type: 'taxonomy_term',
    word: 'term',
    operation: 'getTerm',
    find: ({ subjects }) => ({ id: orSkip(subjects.terms.model, 'No term is known.'), bundle: undefined }),
  },
} as const satisfies Readonly<Record<string, SeenKind>>;

/** A media of one bundle. */
export const mediaKind = (bundle: string): SeenKind => ({
  ...seenKinds.media,
  word: `media-${bundle}`,
  find: (context) => mediaOf(context, bundle),
});

/** Every kind whose records are looked at: media by their bundle. */
export const allKinds = (site: Site): readonly SeenKind[] => [
  seenKinds.node,
  ...site.model
    .bundles('media')
    .filter(({ source }) => source !== undefined && source.kind !== 'oembed')
    .map(({ id }) => mediaKind(id)),
  seenKinds.file,
  seenKinds.term,
];

export type SeenRecord = {
  readonly kind: SeenKind;
  readonly id: number;
  readonly bundle: Bundle;
  readonly record: JsonRecord;
  readonly answer: Answer;
  /** Path below the base URL, without a query. */
  readonly path: string;
};

/** Where records of any type are read. */
export const recordPath = ({ contract }: CheckContext, type: string, id: number): string =>
  addressPath(contract.site, type, id);

/** Reads the record of a kind. Throws `CheckFailure` when it is none, or of a bundle that the site does not have. */
export const readKind = async (context: CheckContext, kind: SeenKind, as?: TargetAccount): Promise<SeenRecord> => {
  const { id, bundle } = kind.find(context);
  const path = recordPath(context, kind.type, id);
  const answer = await readOk(context, `${path}?_format=json`, as);
  const record = recordOf(answer);
  const found = context.contract.site.model.bundle(kind.type, bundle ?? bundleIn(kind.type, record));
  if (found === undefined) throw new CheckFailure(`${path} is of a bundle that the site does not have.`);
  return { kind, id, bundle: found, record, answer, path };
};

/** The bundle that a record names; that of its type where the type has one alone. */
export const bundleIn = (type: string, record: JsonRecord): string => {
  const { bundle } = identityOf(type);
  return bundle === undefined ? type : String(valueIn(record, bundle, 'target_id'));
};

/** The formats in which the records of a kind are read. */
export const formatsOf = ({ judge }: CheckContext, { operation }: SeenKind): readonly Format[] =>
  judge.operations.find(({ id }) => id === operation)?.format?.enabled ?? [];

/** The records of a kind, which rules are about. */
export const recordsOf = <Seen>(
  topic: string,
  kind: SeenKind,
  see: (context: CheckContext, kind: SeenKind) => Promise<Seen>,
): Topic<Seen> => ({
  ...{ topic: `${topic}.${kind.word}`, of: kind.word, type: kind.type, operations: [kind.operation] },
  see: (context) => see(context, kind),
});

/** The path of an absolute URL or of an absolute path, below the base URL. Undefined when it leads elsewhere. */
export const belowBase = ({ baseUrl }: CheckContext, address: string): string | undefined => {
  if (!URL.canParse(address, `${baseUrl}/`)) return undefined;
  const url = new URL(address, `${baseUrl}/`);
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  if (url.origin !== base.origin || !url.pathname.startsWith(`${prefix}/`)) return undefined;
  return url.pathname.slice(prefix.length) + url.search;
};
