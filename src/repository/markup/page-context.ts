/** Defines what the parts of a page are made from, and how they link to records. */
import type { Records } from '../model/reading.ts';
import { identityOf, labelOf } from '../model/entity.ts';
import type { Principal } from '../model/principal.ts';
import { inLanguage } from '../model/translations.ts';
import { contentPath } from '../site/content-url.ts';
import { addressPath, entityPath, type Site } from '../site/site.ts';
import { markup, type Markup } from './page-markup.ts';
import { pageTypes } from './record-address.ts';
import type { Entity, EntityKey } from '../../openapi/openapi-records.ts';

/** What a page shows of its world. */
type PageWorld = {
  readonly site: Site;
  readonly baseUrl: string;
  readonly basePath: string;
  readonly language?: string | undefined;
  readonly repository: { readonly parts: { readonly opensUnusedFiles?: boolean | undefined } };
};

export type PageContext = {
  readonly world: PageWorld;
  readonly viewer: Principal;
  readonly records: Records;
};

/** Records that a page refers to, without dead references. */
export type Targets = ReadonlyMap<EntityKey, Entity>;

export const targetsAt = (keys: Iterable<EntityKey>, { records }: Pick<PageContext, 'records'>): Targets => {
  const targets = new Map<EntityKey, Entity>();
  for (const key of keys) {
    const target = records.get(key);
    if (target !== undefined) targets.set(key, target);
  }
  return targets;
};

/** Records that a page refers to, and which of them the viewer may view: of the others it tells no label. */
export type References = { readonly targets: Targets; readonly visible: ReadonlySet<EntityKey> };

/** Where the site's own paths begin: the world's prefix, then the language that the page is read in. */
const pagePrefix = ({ basePath, language }: PageWorld): string =>
  language === undefined ? basePath : `${basePath}/${language}`;

/** The path of a record: its alias, or else its own address. */
export const recordPath = (entity: Entity, { site }: Pick<PageWorld, 'site'>): string => {
  const path = entityPath(site, entity);
  // Two slashes would lead to another host.
  return /^\/(?!\/)/.test(path) ? path : addressPath(site, entity.type, entity.id);
};

/** The address of a record's page on this host. */
export const pagePath = (entity: Entity, world: PageWorld): string => pagePrefix(world) + recordPath(entity, world);

const typeWords: Readonly<Record<Entity['type'], string>> = {
  node: 'node',
  media: 'media',
  file: 'file',
  taxonomy_term: 'term',
  user: 'account',
  path_alias: 'alias',
  redirect: 'redirect',
  collection_record: 'record',
};

export const numberedName = (type: Entity['type'], id: number): string => `${typeWords[type]} ${id}`;

/** The label in the language of the page; a name with its number where there is none. */
export const shownLabel = (entity: Entity, { language }: PageWorld): string => {
  const label = labelOf(inLanguage(entity, language)).trim();
  return label === '' ? numberedName(entity.type, entity.id) : label;
};

/** A link to the page of a record that the viewer may view. A file leads to its bytes. */
export const recordLink = (entity: Entity, { world }: Pick<PageContext, 'world'>): Markup => {
  const label = shownLabel(entity, world);
  const hasPage = pageTypes.some((type) => type === entity.type);
  const address = hasPage ? pagePath(entity, world) : bytesPath(entity, world);
  return address === undefined ? markup`${label}` : markup`<a href="${address}" dir="auto">${label}</a>`;
};

/** The address of a file's bytes on this host. Undefined without bytes, or without a storage for its scheme. */
export const bytesPath = (file: Entity, { site, basePath }: PageWorld): string | undefined => {
  const uri = file.fields['uri']?.[0]?.['value'];
  const path = file.blob === undefined || typeof uri !== 'string' ? undefined : contentPath(site, uri);
  return path === undefined ? undefined : basePath + path;
};

/** The fields that the head of a page shows already. */
export const headFields = (entity: Entity): readonly string[] => {
  const { label, bundle } = identityOf(entity.type);
  return bundle === undefined ? [label] : [label, bundle];
};
