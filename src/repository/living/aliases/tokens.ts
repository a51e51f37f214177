/** Finds the values of the tokens of a pattern, such as `[node:title]` and `[term:parents:join-path]`, in a record and in those it refers to. */
import { identityOf, labelOf, ownerOf, revisionOf, targetIds } from '../../model/entity.ts';
import type { FieldDefinition } from '../../model/bundle.ts';
import type { Site } from '../../site/site.ts';
import { dateText } from './dates.ts';
import {
  entityKey,
  firstValue,
  items,
  textOf,
  type Entity,
  type FieldItem,
  type StoreView,
} from '../../../openapi/openapi-records.ts';

export type TokenContext = {
  readonly site: Pick<Site, 'model'>;
  readonly view: Pick<StoreView, 'get'>;
  /** Cleans a value. A path of several values is cleaned value by value. */
  readonly clean: (value: string) => string;
};

type Steps = readonly string[];
type Reader = (entity: Entity, steps: Steps, context: TokenContext) => string;

/** The names of the types in tokens. */
const tokenTypes: Readonly<Partial<Record<Entity['type'], string>>> = {
  node: 'node',
  media: 'media',
  taxonomy_term: 'term',
  user: 'user',
};

const token = /\[([^\s[\]:]*):([^[\]]*)\]/g;

/** The pattern without its tokens: what an alias is in which none of them has a value. */
export const withoutTokens = (pattern: string): string => pattern.replace(token, '');

/** The pattern with the values. A token that says nothing of this record, or that is not known, has none. */
export const replacedTokens = (pattern: string, entity: Entity, context: TokenContext): string =>
  pattern.replace(token, (_, type: string, name: string) => {
    if (tokenTypes[entity.type] !== type) return '';
    const steps = name.split(':');
    const value = valueOf(entity, steps, context);
    return steps.at(-1) === 'join-path' ? value : context.clean(value);
  });

const valueOf: Reader = (entity, [name = '', ...rest], context) => {
  const read = readers[entity.type]?.[name] ?? common[name];
  if (read !== undefined) return read(entity, rest, context);
  const { id, label } = identityOf(entity.type);
  if (name === id) return String(entity.id);
  if (name === label) return labelOf(entity);
  const field = context.site.model.bundle(entity.type, entity.bundle)?.fields.get(name);
  return field === undefined ? '' : fieldText(items(entity, name), rest, { field, context });
};

const follow = (target: Entity | undefined, steps: Steps, context: TokenContext): string =>
  target === undefined ? '' : steps.length === 0 ? labelOf(target) : valueOf(target, steps, context);

const time =
  (field: string): Reader =>
  (entity, steps) => {
    const value = firstValue(entity, field);
    return typeof value === 'number' ? dateText(value, steps) : '';
  };

const author: Reader = (entity, steps, context) =>
  follow(context.view.get(entityKey('user', ownerOf(entity))), steps, context);

const bundleName: Reader = (entity, _steps, { site }) => site.model.bundle(entity.type, entity.bundle)?.label ?? '';
const bundleId: Reader = ({ bundle }) => bundle;

const common: Readonly<Record<string, Reader>> = {
  uuid: ({ uuid }) => uuid,
  created: time('created'),
  changed: time('changed'),
  langcode: (entity) => textOf(firstValue(entity, 'langcode')),
  author,
};

const parentOf = (term: Entity, { view }: TokenContext): Entity | undefined => {
  const [parent] = targetIds(term, 'parent');
  return parent === undefined || parent === 0 ? undefined : view.get(entityKey('taxonomy_term', parent));
};

/** From the root down. Terms can be parents of each other. */
const parentsOf = (term: Entity, context: TokenContext): readonly Entity[] => {
  const parents: Entity[] = [];
  for (let parent = parentOf(term, context); parent !== undefined; parent = parentOf(parent, context)) {
    if (parents.includes(parent)) break;
    parents.unshift(parent);
  }
  return parents;
};

const readers: Readonly<Partial<Record<Entity['type'], Readonly<Record<string, Reader>>>>> = {
  node: {
    vid: (node) => String(revisionOf(node)),
    'content-type': (node, [name], context) => (name === 'machine-name' ? node.bundle : bundleName(node, [], context)),
    type: bundleId,
    'type-name': bundleName,
  },
  media: { vid: (media) => String(revisionOf(media)), bundle: bundleId, 'bundle-name': bundleName },
  taxonomy_term: {
    vocabulary: (term, [name], context) =>
      name === 'vid' || name === 'machine-name' ? term.bundle : bundleName(term, [], context),
    description: (term) => textOf(firstValue(term, 'description')),
    parent: (term, steps, context) => follow(parentOf(term, context), steps, context),
    root: (term, steps, context) => follow(parentsOf(term, context)[0], steps, context),
    parents: (term, [join], context) => {
      const names = parentsOf(term, context).map(labelOf);
      return join === 'join-path'
        ? names
            .map(context.clean)
            .filter((name) => name !== '')
            .join('/')
        : names.join(', ');
    },
  },
  user: { 'account-name': labelOf, 'display-name': labelOf },
};

type FieldPlace = { readonly field: FieldDefinition; readonly context: TokenContext };

/** All values, or with a number that one, or with a name a property of the first. */
const fieldText = (all: readonly FieldItem[], steps: Steps, place: FieldPlace): string => {
  const [first = '', ...rest] = steps;
  if (first === '') return all.map((item) => itemText(item, place)).join(', ');
  const isNumber = /^\d+$/.test(first);
  const item = all[isNumber ? Number(first) : 0];
  if (item === undefined) return '';
  const [property, ...further] = isNumber ? rest : steps;
  if (property === undefined) return itemText(item, place);
  return property === 'entity' ? follow(targetOf(item, place), further, place.context) : textOf(item[property] ?? '');
};

const targetOf = (item: FieldItem, { field, context }: FieldPlace): Entity | undefined => {
  const id = item['target_id'];
  const type = field.target?.type;
  const isRecord =
    type === 'node' || type === 'media' || type === 'file' || type === 'taxonomy_term' || type === 'user';
  return isRecord && typeof id === 'number' ? context.view.get(entityKey(type, id)) : undefined;
};

const itemText = (item: FieldItem, place: FieldPlace): string => {
  const target = targetOf(item, place);
  return target === undefined ? textOf(item['value'] ?? item['title'] ?? item['uri'] ?? '') : labelOf(target);
};
