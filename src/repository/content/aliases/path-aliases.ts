/**
 * Decides what changes with a record because of the paths that lead to it. An alias is a record of its own, and the record that it leads
 * to shows the last one. A redirect has a hash.
 */
import { phpSerialized } from '../../../basics/exported/php-serialized.ts';
import { digest } from '../../../basics/secrets/digest.ts';
import { addressPath, type Site } from '../../site/site.ts';
import { canonicalPath, isPublished } from '../../model/entity.ts';
import type { DecisionContext } from '../changes.ts';
import { aliasesOf, aliasAt, redirectFrom } from '../../model/index-keys.ts';
import {
  entityKey,
  firstValue,
  items,
  keyOf,
  textOf,
  type Entity,
  type EntityKey,
  type Fields,
  type Change,
  type StoreView,
} from '../../../openapi/openapi-records.ts';
import { validationFailed, type Violation } from '../../../openapi/openapi-terms.ts';
import type { JsonObject } from '../../../basics/json.ts';

/** A record as it is stored, and the changes that are stored with it. */
type Saved = { readonly entity: Entity; readonly changes: readonly Change[] };

/** The record at its own address, such as `/node/5`. Undefined for any other path. open: aliases of other pages. */
export const recordAt = (path: string, site: Pick<Site, 'standaloneMedia'>): EntityKey | undefined => {
  const id = Number(/\/([1-9]\d{0,14})(?:\/edit)?$/.exec(path)?.[1]);
  const type = (['node', 'media', 'taxonomy_term', 'user'] as const).find((each) =>
    pathsOf({ type: each, id }, site).has(path),
  );
  return type && entityKey(type, id);
};

type Named = Pick<Entity, 'type' | 'id'>;

/** Its paths apart from its aliases. */
const pathsOf = ({ type, id }: Named, site: Pick<Site, 'standaloneMedia'>): ReadonlySet<string> =>
  new Set([canonicalPath(type, id), addressPath(site, type, id)]);

/** The aliases of a record, in ascending id. */
const aliasesFor = (record: Named, site: Site, view: StoreView): readonly Entity[] =>
  [...pathsOf(record, site)].flatMap((path) => view.lookup(aliasesOf(path)));

const aliasIn = (entity: Entity): string => textOf(firstValue(entity, 'alias'));

/** The alias of another path in the same language, which differs at most in capital letters. open: one that is not published. */
const aliasOfOther = (alias: string, own: Entity, view: StoreView): string | undefined => {
  const differs = (found: Entity, name: string): boolean => firstValue(found, name) !== firstValue(own, name);
  const others = view.lookup(aliasAt(alias)).filter(({ type, id }) => type === 'path_alias' && id !== own.id);
  return others.filter((found) => differs(found, 'path') && !differs(found, 'langcode')).map(aliasIn)[0];
};

/** As it is saved: without blanks around it and without slashes at its end. */
export const trimmedAlias = (alias: string): string => alias.trim().replace(/[\\/]+$/, '');

const brokenIf = (isBroken: boolean, path: string, message: string): readonly Violation[] =>
  isBroken ? [{ path, message }] : [];

/** Throws 422. */
const saveAlias = (before: Entity | undefined, received: Entity, site: Site, context: DecisionContext): Saved => {
  const path = textOf(firstValue(received, 'path'));
  const alias = trimmedAlias(aliasIn(received));
  const key = recordAt(path.replace(/^\/?/, '/'), site);
  const target = key && context.view.get(key);
  const other = aliasOfOther(alias, received, context.view);
  const invalid = `Either the path '${path.slice(0, 200)}' is invalid or you do not have access to it.`;
  const violations = [
    ...brokenIf(target === undefined || !context.mayView(target), 'path.0.value', invalid),
    ...brokenIf(!path.startsWith('/'), 'path.0.value', 'The source path has to start with a slash.'),
    ...brokenIf(!alias.startsWith('/'), 'alias.0.value', 'The alias path has to start with a slash.'),
    ...brokenIf(other !== undefined, '', takenMessage(alias, other)),
  ];
  if (violations.length > 0 || target === undefined) throw validationFailed(violations);
  const entity: Entity = { ...received, fields: { ...received.fields, alias: [{ value: alias }] } };
  return { entity, changes: shownElsewhere(before, entity, site, context.view) };
};

/** The records that show another alias once one is saved or removed. */
const shownElsewhere = (
  before: Entity | undefined,
  after: Entity | undefined,
  site: Site,
  view: StoreView,
): Change[] => {
  const keys = [before, after].map((alias) => alias && recordAt(textOf(firstValue(alias, 'path')), site));
  return [...new Set(keys)].flatMap((key) => {
    const target = key && view.get(key);
    if (!target || site.model.bundle(target.type, target.bundle)?.fields.get('path')?.configured !== false) return [];
    const others = aliasesFor(target, site, view).filter(({ id }) => id !== before?.id);
    const aliases = after === undefined || key !== keys[1] ? others : [...others, after].sort((a, b) => a.id - b.id);
    const put = withPathOf(target, aliases);
    return put === target ? [] : [{ put }];
  });
};

/** The record with the alias that it shows: the last one of its language, else the last one of none. */
const withPathOf = (entity: Entity, aliases: readonly Entity[]): Entity => {
  const [shown] = [firstValue(entity, 'langcode'), 'und'].flatMap(
    (langcode) => aliases.findLast((each) => isPublished(each) && firstValue(each, 'langcode') === langcode) ?? [],
  );
  const [path = {}] = items(entity, 'path');
  if (path['pid'] === shown?.id && (shown === undefined || path['alias'] === aliasIn(shown))) return entity;
  if (shown !== undefined) return withShownAlias(entity, shown);
  const kept = Object.entries(path).filter(([name]) => !['alias', 'pid', 'langcode'].includes(name));
  return { ...entity, fields: { ...entity.fields, path: kept.length === 0 ? [] : [Object.fromEntries(kept)] } };
};

/** The record with the alias that it shows. What else its path keeps stays. */
export const withShownAlias = (entity: Entity, alias: Entity): Entity => {
  const shown = { alias: aliasIn(alias), pid: alias.id, langcode: firstValue(alias, 'langcode') ?? 'und' };
  return { ...entity, fields: { ...entity.fields, path: [{ ...items(entity, 'path')[0], ...shown }] } };
};

const takenMessage = (alias: string, other = alias): string =>
  alias === other
    ? `The alias ${alias.slice(0, 200)} is already in use in this language.`
    : `The alias ${alias.slice(0, 200)} could not be added because it is already in use in this language with different capitalization: ${other.slice(0, 200)}.`;

/** A record whose field `path` may have changed: its alias is made, changed or taken away with it. Two records may have the same. */
const withAlias = (before: Entity | undefined, after: Entity, site: Site, context: DecisionContext): Saved => {
  const [was] = before === undefined ? [] : items(before, 'path');
  const [is] = items(after, 'path');
  if (was === is) return { entity: after, changes: [] };
  const known = typeof was?.['pid'] === 'number' ? context.view.get(entityKey('path_alias', was['pid'])) : undefined;
  const alias = is?.['alias'];
  if (typeof alias !== 'string') {
    if (known === undefined) return { entity: after, changes: [] };
    const others = aliasesFor(after, site, context.view).filter(({ id }) => id !== known.id);
    return { entity: withPathOf(after, others), changes: [{ remove: keyOf(known) }] };
  }
  const own = {
    path: canonicalPath(after.type, after.id),
    alias,
    langcode: textOf(firstValue(after, 'langcode') ?? context.langcode),
  };
  const record = known === undefined ? newAlias(own, context.view, context.newUuid()) : withAliasText(known, alias);
  return { entity: withShownAlias(after, record), changes: [{ put: record }] };
};

export const withAliasText = (record: Entity, alias: string): Entity => ({
  ...record,
  fields: { ...record.fields, alias: [{ value: alias }] },
});

type AliasTexts = { readonly path: string; readonly alias: string; readonly langcode: string };

/** The record of a further alias. */
export const newAlias = ({ path, alias, langcode }: AliasTexts, view: StoreView, uuid: string): Entity => {
  const fields: Fields = {
    revision_id: [{ value: view.nextId('path_alias_revision') }],
    ...{ langcode: [{ value: langcode }], path: [{ value: path }], alias: [{ value: alias }] },
    status: [{ value: true }],
  };
  return { type: 'path_alias', bundle: 'path_alias', uuid, id: view.nextId('path_alias'), fields };
};

/** What goes or changes with a removed record: its aliases go with it, and what showed an alias shows it no more. */
export const withoutAddress = (removed: Entity, site: Site, view: StoreView): readonly Change[] =>
  removed.type === 'path_alias'
    ? shownElsewhere(removed, undefined, site, view)
    : aliasesFor(removed, site, view).map((alias) => ({ remove: keyOf(alias) }));

/** The path and the query that a redirect is for. */
export const sourceOf = (redirect: Entity): { readonly path: string; readonly query: JsonObject } => {
  const [{ path, query } = {}] = items(redirect, 'redirect_source');
  // The places of a list are its names, as in PHP.
  const isQuery = typeof query === 'object' && query !== null;
  return { path: textOf(path), query: isQuery ? Object.fromEntries(Object.entries(query)) : {} };
};

/** The redirect with its hash. Throws 422 when another one has the same path, query and language. */
const saveRedirect = (received: Entity, { view }: DecisionContext): Saved => {
  const { path, query } = sourceOf(received);
  const hash = redirectHash(path, query, textOf(firstValue(received, 'language')));
  const others = view.lookup(redirectFrom(path)).filter(({ id }) => id !== received.id);
  if (others.some((other) => firstValue(other, 'hash') === hash)) {
    const message = `The source path ${path.slice(0, 200)} is already being redirected.`;
    throw validationFailed([{ path: 'redirect_source', message }]);
  }
  return { entity: { ...received, fields: { ...received.fields, hash: [{ value: hash }] } }, changes: [] };
};

/** Case and slashes around the path do not count. */
export const redirectHash = (path: string, query: JsonObject, langcode: string): string => {
  const parts = {
    language: langcode,
    source: path.toLowerCase().replace(/^\/+|\/+$/g, ''),
    ...(Object.keys(query).length === 0 ? {} : { source_query: query }),
  };
  return digest('sha256', phpSerialized(parts), 'base64url');
};

/** The record to store, and the other changes. `before` is undefined for a new record. Throws 422. */
export const withAddress = (before: Entity | undefined, after: Entity, site: Site, context: DecisionContext): Saved => {
  switch (after.type) {
    case 'path_alias':
      return saveAlias(before, after, site, context);
    case 'redirect':
      return saveRedirect(after, context);
    default:
      return site.modules.automaticPaths ? { entity: after, changes: [] } : withAlias(before, after, site, context);
  }
};
