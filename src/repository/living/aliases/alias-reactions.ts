/** Gives records aliases by the patterns of the site, with each change of theirs, as the module `pathauto` does. */
import { newAlias, trimmedAlias, withAliasText, withShownAlias } from '../../content/aliases/path-aliases.ts';
import { aliasAt, childrenOf } from '../../model/index-keys.ts';
import { inBody } from '../../../openapi/openapi-host.ts';
import type { ReactionContext } from '../../model/reactions.ts';
import { addressPath, type Site } from '../../site/site.ts';
import { changedView, lastChanges } from '../changed-view.ts';
import type { SectionReactions } from '../reaction.ts';
import { aliasSettings, type AliasPattern, type AliasSettings } from './alias-settings.ts';
import { cleanedAlias, cleanedPart, cutAtWord } from './clean.ts';
import { replacedTokens, withoutTokens } from './tokens.ts';
import {
  entityKey,
  firstValue,
  items,
  keyOf,
  textOf,
  type Entity,
  type FieldItem,
  type FieldItems,
  type Change,
  type StoreView,
} from '../../../openapi/openapi-records.ts';
import type { Json } from '../../../basics/json.ts';

/**
 * Whether the aliases of a record are made by patterns, by hand, or not at all. A record keeps it in its path, where nobody sees it.
 * A client can say it with a new record only.
 */
type State = 'automatic' | 'by hand' | 'none';

/** The numbers that a record keeps. `automatic` is kept by none. */
const storedState: Readonly<Record<State, number | undefined>> = { automatic: undefined, 'by hand': 0, none: 2 };

/** What PHP takes for 0 and 1. */
const stateOf = (value: Json | undefined): State | undefined => {
  if (value === undefined || value === null) return undefined;
  if (value === 0 || value === false || value === '0') return 'by hand';
  return value === 1 || value === true || value === '1' ? 'automatic' : 'none';
};

/** What is at work for one record. */
type Work = {
  readonly site: Site;
  readonly settings: AliasSettings;
  readonly view: StoreView;
  readonly context: ReactionContext;
};

/** Undefined where no aliases are made by patterns. */
export const aliasReactions = (site: Site): SectionReactions | undefined => {
  const settings = aliasSettings(site);
  if (settings === undefined) return undefined;
  return {
    inTransaction: (changes, { view, before }, context) => {
      // An alias that is saved as a record of its own is shown as it is.
      if (changes.some((change) => 'put' in change && change.put.type === 'path_alias')) return [];
      let further: readonly Change[] = [];
      for (const change of changes) {
        if (!('put' in change) || !hasPath(change.put, site)) continue;
        const present = before.get(keyOf(change.put));
        // Nor does a deleted one make way for another.
        const shown = Number(present && items(present, 'path')[0]?.['pid']);
        if (changes.some((each) => 'remove' in each && each.remove === entityKey('path_alias', shown))) continue;
        const work = { site, settings, view: changedView(view, further), context };
        further = lastChanges([...further, ...changesOf(present, change.put, work)]);
      }
      return further;
    },
  };
};

const hasPath = ({ type, bundle }: Entity, { model }: Site): boolean =>
  model.bundle(type, bundle)?.fields.get('path')?.automatic === true;

/** The record with its alias, and the record of the alias. A changed term takes the terms below it along. */
const changesOf = (before: Entity | undefined, after: Entity, work: Work): readonly Change[] => {
  const own = before === undefined ? created(after, work) : updated(before, after, work);
  return after.type === 'taxonomy_term' && before !== undefined ? [...own, ...below(after, own, work)] : own;
};

/** The sent path without items that say nothing. Undefined where none was sent. */
const sentPath = ({ context }: Work): FieldItems | undefined =>
  context.sent?.get('path')?.filter((item) => Object.values(item).some((value) => value !== null && value !== ''));

const created = (after: Entity, work: Work): readonly Change[] => {
  const sent = sentPath(work);
  const [item] = sent ?? [];
  const state = stateOf(item?.['pathauto']) ?? usualState(after, work);
  const alias = trimmedAlias(textIn(item?.['alias']));
  const isByHand = state === 'by hand' && alias !== '';
  const bare: Entity = { ...after, fields: { ...after.fields, path: [] } };
  const changes = isByHand
    ? withNewAlias(bare, alias, work)
    : state === 'automatic' && sent?.length !== 0
      ? renewed(bare, undefined, work)
      : [];
  const kept = storedState[stateOf(item?.['pathauto']) ?? (isByHand ? 'by hand' : 'automatic')];
  tellSent(sent, { pid: isByHand ? pidIn(changes, after) : undefined, isCreate: true }, work);
  return withPath(bare, changes, kept === undefined ? {} : { pathauto: kept });
};

const updated = (before: Entity, after: Entity, work: Work): readonly Change[] => {
  const present = items(before, 'path')[0] ?? {};
  const sent = after.fields['path'] === before.fields['path'] ? undefined : sentPath(work);
  const [item] = sent ?? [];
  const alias = trimmedAlias(textIn(item?.['alias']));
  const unchanged: Entity = { ...after, fields: { ...after.fields, path: items(before, 'path') } };
  // A record that was made without an alias takes none later, also where no pattern is for it.
  const state = stateOf(present['pathauto']) ?? (present['pid'] === undefined ? 'automatic' : usualState(before, work));
  const isByHand = state === 'by hand' && alias !== '';
  const changes = isByHand
    ? savedByHand(unchanged, alias, item?.['pid'], work)
    : state === 'automatic' && !(sent !== undefined && alias === '')
      ? renewed(unchanged, present, work)
      : [];
  tellSent(sent, { pid: isByHand ? pidIn(changes, after) : undefined, isCreate: false }, work);
  return withPath(unchanged, changes, {});
};

/** A record that no pattern is for has its aliases by hand. */
const usualState = (entity: Entity, { settings }: Work): State =>
  patternOf(entity, settings) === undefined ? 'by hand' : 'automatic';

const textIn = (value: Json | undefined): string => (value === null ? '' : textOf(value));

/** The changes with that of the record itself, whose path names its alias. `extra` stays hidden in it. */
const withPath = (entity: Entity, changes: readonly Change[], extra: FieldItem): readonly Change[] => {
  const put = changes.flatMap((change) => ('put' in change && keyOf(change.put) === keyOf(entity) ? change.put : []));
  const record = put.at(-1) ?? entity;
  const path = { ...items(record, 'path')[0], ...extra };
  const isEmpty = Object.keys(path).length === 0;
  const fields = { ...record.fields, path: [path] };
  if (isEmpty) Reflect.deleteProperty(fields, 'path');
  return [...changes, { put: { ...record, fields } }];
};

/** The answer shows the sent path, and the number of an alias where it was taken. */
const tellSent = (
  sent: FieldItems | undefined,
  { pid, isCreate }: { readonly pid: Json | undefined; readonly isCreate: boolean },
  { context }: Work,
): void => {
  if (sent === undefined || context.shown === undefined) return;
  const isShown = ({ alias }: FieldItem): boolean => isCreate || textIn(alias) !== '';
  context.shown['path'] = sent.filter(isShown).map(({ alias = null, pid: sentPid, langcode }) => ({
    alias: alias === null ? null : textOf(alias),
    pid: pid ?? sentPid ?? null,
    langcode: langcode ?? null,
  }));
  const [item] = sent;
  if (item === undefined || textIn(item['alias']) === '' || pid !== undefined) return;
  const reason = 'The alias of this record is made by a pattern, so one that is sent is ignored.';
  context.advise?.({ pointer: inBody('path', 0, 'alias'), sent: item['alias'], stored: undefined, reason });
};

const pidIn = (changes: readonly Change[], { type, id }: Entity): Json | undefined => {
  const put = changes.flatMap((change) =>
    'put' in change && change.put.type === type && change.put.id === id ? change.put : [],
  );
  return put.flatMap((record) => items(record, 'path')[0]?.['pid'] ?? []).at(-1);
};

/** A number that is sent names the alias to change. Without one the alias is a further one. */
const savedByHand = (entity: Entity, alias: string, pid: Json | undefined, work: Work): readonly Change[] => {
  const known = typeof pid === 'number' ? work.view.get(entityKey('path_alias', pid)) : undefined;
  return known === undefined ? withNewAlias(entity, alias, work) : withOtherText(entity, known, alias);
};

const withOtherText = (entity: Entity, known: Entity, alias: string): readonly Change[] => {
  const record = withAliasText(known, alias);
  return [{ put: record }, { put: withShownAlias(entity, record) }];
};

const withNewAlias = (entity: Entity, alias: string, { site, view, context }: Work): readonly Change[] => {
  const path = addressPath(site, entity.type, entity.id);
  const record = newAlias({ path, alias, langcode: languageOf(entity, context) }, view, context.newUuid());
  return [{ put: record }, { put: withShownAlias(entity, record) }];
};

/** Aliases know no "not applicable". */
const languageOf = (entity: Entity, { langcode }: ReactionContext): string => {
  const own = textOf(firstValue(entity, 'langcode') ?? langcode);
  return own === 'zxx' ? 'und' : own;
};

const patternOf = (entity: Entity, { patterns }: AliasSettings): AliasPattern | undefined =>
  patterns.find(
    ({ entity_type: type, bundles, languages }) =>
      type === entity.type &&
      (bundles.length === 0 || bundles.includes(entity.bundle)) &&
      (languages.length === 0 || languages.includes(textOf(firstValue(entity, 'langcode')))),
  );

/** The alias that the pattern gives now. `present` is the path before, of a record that was there. */
const renewed = (entity: Entity, present: FieldItem | undefined, work: Work): readonly Change[] => {
  const { settings, view } = work;
  const wanted = wantedAlias(entity, work);
  if (wanted === undefined || present?.['alias'] === wanted) return [];
  const known = typeof present?.['pid'] === 'number' ? view.get(entityKey('path_alias', present['pid'])) : undefined;
  const { update } = settings.cleaning;
  if (known !== undefined && update === 'leave') return [];
  const alias = uniqueAlias(wanted, entity, work);
  if (present?.['alias'] === alias) return [];
  return known !== undefined && update === 'replace'
    ? withOtherText(entity, known, alias)
    : withNewAlias(entity, alias, work);
};

/** Undefined where no pattern is for the record, and where none of its tokens has a value. */
const wantedAlias = (entity: Entity, { site, settings, view }: Work): string | undefined => {
  const pattern = patternOf(entity, settings);
  if (pattern === undefined) return undefined;
  const { cleaning } = settings;
  const clean = (value: string): string => cleanedPart(value, cleaning);
  const alias = replacedTokens(pattern.pattern, entity, { site, view, clean });
  return alias === withoutTokens(pattern.pattern) ? undefined : cleanedAlias(alias, cleaning);
};

/** With a number where it is taken. */
const uniqueAlias = (alias: string, entity: Entity, work: Work): string => {
  const { separator, max_length: most } = work.settings.cleaning;
  let unique = alias;
  for (let number = 0; isTaken(unique, entity, work); number += 1) {
    const suffix = `${separator}${number}`;
    unique = cutAtWord(alias, most - suffix.length) + suffix;
  }
  return unique;
};

/** open: the routes of a real site. These are the ones that an alias of one or two parts could meet. */
const routes =
  /^\/(?:node|user|admin|contact|search|cron|batch|filter\/tips|user\/(?:login|logout|register|password)|rss\.xml)$/i;

/** Another record of the language, or of none, has it, or the site itself. */
const isTaken = (alias: string, entity: Entity, { site, view, context }: Work): boolean => {
  const own = addressPath(site, entity.type, entity.id);
  const languages = [languageOf(entity, context), 'und'];
  const found = view.lookup(aliasAt(alias)).filter((other) => {
    if (other.type !== 'path_alias') return keyOf(other) !== keyOf(entity);
    return languages.includes(textOf(firstValue(other, 'langcode')));
  });
  const others = found.filter((other) => firstValue(other, 'path') !== own);
  return others.length > 0 || (found.length === 0 && routes.test(alias));
};

/** The terms below a changed one, whose aliases may name it. `own`: what changes with the term itself. */
const below = (term: Entity, own: readonly Change[], work: Work): readonly Change[] => {
  const met = new Set([term.id]);
  let changes = own;
  const visit = (parent: number): void => {
    for (const child of work.view.lookup(childrenOf(parent))) {
      if (met.has(child.id)) continue;
      met.add(child.id);
      const view = changedView(work.view, changes);
      const stored = view.get(keyOf(child)) ?? child;
      const context = { ...work.context, sent: undefined, shown: undefined };
      changes = lastChanges([...changes, ...changesOfChild(stored, { ...work, view, context })]);
      visit(child.id);
    }
  };
  visit(term.id);
  return changes;
};

const changesOfChild = (child: Entity, work: Work): readonly Change[] => {
  const [present = {}] = items(child, 'path');
  const state = stateOf(present['pathauto']) ?? usualState(child, work);
  return state === 'automatic' ? renewed(child, present, work) : [];
};
