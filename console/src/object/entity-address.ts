/** Reads which entity an address of this world belongs to. */
import { pathInWorld } from '../api/address.ts';
import type { ControlSchemas } from '../api/control.ts';

export type EntityType = ControlSchemas['EntityType'];
export type EntityKey = { readonly type: EntityType; readonly id: number };

export const entityTypes: Readonly<Record<EntityType, string>> = {
  node: 'Object',
  media: 'Media',
  file: 'File',
  taxonomy_term: 'Term',
  user: 'User',
  path_alias: 'Path alias',
  redirect: 'Redirect',
};

export const isEntityType = (text: string): text is EntityType => Object.hasOwn(entityTypes, text);

/** A site without pages of media has them at their form. */
const paths: readonly (readonly [EntityType, RegExp])[] = [
  ['node', /^\/node\/(\d{1,15})$/],
  ['media', /^\/media\/(\d{1,15})(?:\/edit)?$/],
  ['file', /^\/entity\/file\/(\d{1,15})$/],
  ['taxonomy_term', /^\/taxonomy\/term\/(\d{1,15})$/],
  ['user', /^\/user\/(\d{1,15})$/],
  ['path_alias', /^\/entity\/path_alias\/(\d{1,15})$/],
  ['redirect', /^\/admin\/config\/search\/redirect\/edit\/(\d{1,15})$/],
];

/** Undefined for another address, such as that of a form or of another server. Queries other than `_format` make another resource. */
export const entityAt = (address: string): EntityKey | undefined => {
  const within = pathInWorld(address);
  if (within === undefined) return undefined;
  const path = within.replace(/\?_format=\w+$/, '');
  for (const [type, pattern] of paths) {
    const [, id] = pattern.exec(path) ?? [];
    if (id !== undefined) return { type, id: Number(id) };
  }
  return undefined;
};
