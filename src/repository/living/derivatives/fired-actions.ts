/** Decides which actions a write fires, in the order of the real site: file, then media, by the weight of the contexts. */
import { mediaUsing } from '../../content/file-uses.ts';
import { mediaUsingFile } from '../../model/index-keys.ts';
import { revisionOf } from '../../model/entity.ts';
import type { Site } from '../../site/site.ts';
import { holds } from './conditions.ts';
import type { ActionSettings, ContextSettings, DerivativeSettings } from './settings.ts';
import { parentOf, type ReadRecords, sourceFieldOf } from './source-files.ts';
import { type Entity, items } from '../../../openapi/openapi-records.ts';

/** A record before and after a save. `after` is undefined when it was deleted, `before` when it is new. */
export type SavedRecord = { readonly before: Entity | undefined; readonly after: Entity | undefined };

/** An action with the record that its message is about. */
export type FiredAction = {
  readonly action: ActionSettings;
  readonly entity: Entity;
  /** Whether the record has more than its first revision. */
  readonly isNewVersion: boolean;
};

export type FiringContext = {
  readonly settings: DerivativeSettings;
  readonly site: Pick<Site, 'model'>;
  /** The records after the write. */
  readonly records: ReadRecords;
  /** Whether file records have a `sha1`. Without one every save of a file counts as a change of its bytes. */
  readonly hasHashes: boolean;
};

type Reaction = 'index' | 'delete' | 'derivative';

/** The fields that every save changes. */
const unjudged: ReadonlySet<string> = new Set(['vid', 'changed', 'path']);

/** Whether a save has changed something. A save that makes a revision has. */
const isChanged = (before: Entity, after: Entity): boolean =>
  revisionOf(before) !== revisionOf(after) ||
  JSON.stringify(before.translations) !== JSON.stringify(after.translations) ||
  [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])].some(
    (name) => !unjudged.has(name) && !haveSameItems(before, after, name),
  );

const haveSameItems = (before: Entity, after: Entity, name: string): boolean =>
  JSON.stringify(items(before, name)) === JSON.stringify(items(after, name));

const byWeight = (a: ContextSettings, b: ContextSettings): number => a.weight - b.weight;

/** The actions of a reaction in all contexts that hold for `judged`, about `entity`. */
const actionsFor = (
  reaction: Reaction,
  judged: Entity,
  about: Pick<FiredAction, 'entity' | 'isNewVersion'>,
  { settings, site, records }: FiringContext,
): readonly FiredAction[] =>
  [...settings.contexts]
    .sort(byWeight)
    .filter((context) => context[reaction].length > 0 && holds(context, { entity: judged, site, records }))
    .flatMap((context) => context[reaction])
    .flatMap((name) => {
      const action = settings.actions[name];
      return action === undefined ? [] : [{ ...about, action }];
    });

/** What the media's context asks for is about its node. A media without a node asks for nothing. */
const derivativesOf = (media: Entity, context: FiringContext): readonly FiredAction[] => {
  const node = parentOf(media, context.records);
  return node === undefined ? [] : actionsFor('derivative', media, { entity: node, isNewVersion: false }, context);
};

const ofFile = (before: Entity | undefined, file: Entity, context: FiringContext): readonly FiredAction[] => {
  const isSame = context.hasHashes && before !== undefined && haveSameItems(before, file, 'sha1');
  if (isSame) return [];
  const indexed = actionsFor('index', file, { entity: file, isNewVersion: false }, context);
  if (before === undefined) return indexed;
  const found = mediaUsing(context.records.lookup(mediaUsingFile(file.id)), file.id, context.site.model);
  return [...indexed, ...found.flatMap((media) => derivativesOf(media, context))];
};

const ofMedia = (before: Entity | undefined, media: Entity, context: FiringContext): readonly FiredAction[] => {
  if (before !== undefined && !isChanged(before, media)) return [];
  const isNewVersion = before !== undefined && revisionOf(before) !== revisionOf(media);
  const indexed = actionsFor('index', media, { entity: media, isNewVersion }, context);
  const field = sourceFieldOf(media, context.site.model);
  const hasOtherSource = before === undefined || (field !== undefined && !haveSameItems(before, media, field));
  return hasOtherSource ? [...indexed, ...derivativesOf(media, context)] : indexed;
};

const ofOther = (before: Entity | undefined, entity: Entity, context: FiringContext): readonly FiredAction[] => {
  if (before !== undefined && !isChanged(before, entity)) return [];
  const isNewVersion = before !== undefined && revisionOf(before) !== revisionOf(entity);
  return actionsFor('index', entity, { entity, isNewVersion }, context);
};

/** Aliases, redirects and accounts fire nothing. */
const fires: ReadonlySet<Entity['type']> = new Set(['node', 'media', 'file', 'taxonomy_term']);

/** All actions that the saves of one write fire. */
export const firedActions = (saves: readonly SavedRecord[], context: FiringContext): readonly FiredAction[] =>
  saves.flatMap(({ before, after }) => {
    const entity = after ?? before;
    if (entity === undefined || !fires.has(entity.type)) return [];
    if (after === undefined) return actionsFor('delete', entity, { entity, isNewVersion: false }, context);
    if (after.type === 'file') return ofFile(before, after, context);
    return after.type === 'media' ? ofMedia(before, after, context) : ofOther(before, after, context);
  });
