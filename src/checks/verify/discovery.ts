/** Finds nodes, media and files of a target that one may only read: from a few paths on, by the links of their answers. */
import { isRecord } from '../../basics/json.ts';
import { linksNamed } from '../../client/client.ts';
import type { TargetAccount } from '../../exchange/exchange-target.ts';
import type { TargetContract } from '../target/contract-source.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { Answer } from './answer.ts';
import type { AskedRequest, KnownEntity, Subjects } from './check.ts';
import { fieldRoles, targetsIn, type FieldRoles } from './field-roles.ts';
import { valueIn } from './record-members.ts';

export type Discovery = {
  readonly contract: TargetContract;
  readonly baseUrl: string;
  /** The account to look as; the anonymous visitor when undefined. */
  readonly account: TargetAccount | undefined;
  /** Paths of nodes or media to begin at. Undefined: some first ids. */
  readonly from: readonly string[] | undefined;
  readonly ask: (request: AskedRequest) => Promise<Answer>;
};

type Found = Pick<Subjects, 'unpublished' | 'container' | 'media' | 'files' | 'terms'> & {
  readonly node: KnownEntity | undefined;
};

/** More reads than this are not look around any more. */
const mostReads = 60;

const firstIds = Array.from({ length: 30 }, (_, at) => `/node/${at + 1}`);

/** What a walk has seen so far. */
type Seen = {
  readonly nodes: Map<number, KnownEntity & { readonly mediaCount: number }>;
  readonly media: Map<string, KnownEntity>;
  readonly files: Map<string, KnownEntity & { readonly content: string }>;
};

/** Looks around. Every part may be missing. Throws `TargetError`. */
export const discover = async (discovery: Discovery): Promise<Found> => {
  const { contract, from = firstIds } = discovery;
  const roles = fieldRoles(contract.site);
  const seen: Seen = { nodes: new Map(), media: new Map(), files: new Map() };
  const waiting = from.map(pathBelow(discovery.baseUrl));
  const asked = new Set<string>();
  const isComplete = (): boolean =>
    seen.media.size >= roles.uploadBundles.length && chosenOf(seen, roles).container !== undefined;
  while (waiting.length > 0 && asked.size < mostReads && !(isComplete() && from === firstIds)) {
    const path = waiting.shift() ?? '';
    if (asked.has(path)) continue;
    asked.add(path);
    // What a node links to is read before the next of the first ids.
    waiting.unshift(...(await visit(path, seen, { ...discovery, roles })));
  }
  return chosenOf(seen, roles);
};

/** Throws `ConfigurationError` where no node was found. */
export const subjectsOf = (found: Found, absentId: number): Subjects => {
  const { node } = found;
  if (node === undefined) {
    throw new ConfigurationError('No node was found to begin at. Name one that may be read with --from /node/ID.');
  }
  return { ...found, node, absentId };
};

const pathBelow =
  (baseUrl: string) =>
  (address: string): string => {
    const path = address.startsWith(`${baseUrl}/`) ? address.slice(baseUrl.length) : address;
    return (path.startsWith('/') ? path : `/${path}`).replace(/\?.*$/, '');
  };

type Visit = Discovery & { readonly roles: FieldRoles };

/** Reads one address. Returns the addresses to look at next. */
const visit = async (
  path: string,
  seen: Seen,
  { ask, account, baseUrl, contract, roles }: Visit,
): Promise<string[]> => {
  const [, type, digits] = /^\/(node|media)\/(\d+)(?:\/edit)?$/.exec(path) ?? [];
  if (type === undefined || digits === undefined) return [];
  const read = (at: string) => ask({ path: `${at}?_format=json`, ...(account === undefined ? {} : { as: account }) });
  const answer = await read(path);
  const entity = entityOf(type as 'node' | 'media', Number(digits), answer); // the two that the pattern has
  if (entity === undefined || contract.site.model.bundle(entity.type, entity.bundle) === undefined) return [];
  const below = pathBelow(baseUrl);
  const related = linksNamed(answer.links, 'related')
    .map(({ target }) => below(target))
    .filter((target) => /^\/(node|media)\/\d+(\/edit)?$/.test(target));
  if (entity.type === 'node') {
    const media = related.filter((target) => target.startsWith('/media/'));
    seen.nodes.set(entity.id, { ...entity, mediaCount: media.length });
    const parents = targetsIn(entity.record, roles.memberOf).map((id) => `/node/${id}`);
    return [...media.slice(0, 6), ...related.filter((target) => parents.includes(target))];
  }
  const nodes = targetsIn(entity.record, roles.mediaOf).map((id) => `/node/${id}`);
  // Checks say who may see a published one.
  if (valueIn(entity.record, 'status') === false) return nodes;
  if (seen.media.has(entity.bundle)) return [];
  seen.media.set(entity.bundle, entity);
  const content = linksNamed(answer.links, 'describes')[0]?.target;
  const fileId = targetsIn(entity.record, roles.sourceField(entity.bundle))[0];
  if (content !== undefined && fileId !== undefined && content.startsWith(`${baseUrl}/`)) {
    const file = entityOf('file', fileId, await read(`/entity/file/${fileId}`));
    if (file !== undefined) seen.files.set(entity.bundle, { ...file, content: content.slice(baseUrl.length) });
  }
  return nodes;
};

/** The record in an answer. Undefined unless it is a whole one. */
export const entityOf = (type: KnownEntity['type'], id: number, { status, json }: Answer): KnownEntity | undefined => {
  if ((status !== 200 && status !== 201) || !isRecord(json)) return undefined;
  const bundle = type === 'file' ? 'file' : valueIn(json, type === 'node' ? 'type' : 'bundle', 'target_id');
  return typeof bundle === 'string' ? { type, id, bundle, record: json } : undefined;
};

/** The node with the most to see is the subject. */
const chosenOf = ({ nodes, media, files }: Seen, roles: FieldRoles): Found => {
  const isPublished = ({ record }: KnownEntity): boolean => valueIn(record, 'status') !== false;
  const parentOf = ({ record }: KnownEntity): number | undefined =>
    targetsIn(record, roles.memberOf).find((id) => nodes.has(id));
  const score = (node: KnownEntity & { readonly mediaCount: number }): number =>
    (parentOf(node) === undefined ? 0 : 2) + (node.mediaCount > 0 ? 1 : 0);
  const candidates = [...nodes.values()].filter(isPublished);
  const node = candidates.reduce<(typeof candidates)[number] | undefined>(
    (best, one) => (best === undefined || score(one) > score(best) ? one : best),
    undefined,
  );
  const parent = node === undefined ? undefined : parentOf(node);
  return {
    node,
    unpublished: [...nodes.values()].find((one) => !isPublished(one)),
    container: parent === undefined ? undefined : nodes.get(parent),
    media,
    files,
    terms: {
      model: firstTarget(node === undefined ? [] : [node], roles.model),
      use: firstTarget([...media.values()], roles.mediaUse),
    },
  };
};

const firstTarget = (entities: readonly KnownEntity[], field: string | undefined): number | undefined =>
  entities.flatMap(({ record }) => targetsIn(record, field))[0];
