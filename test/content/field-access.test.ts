/** Which fields an account may write, as the real site has it, one row a field. */
import { describe, expect, it } from '@jest/globals';
import type { Principal, Bundle } from '../../src/repository/repository.ts';
import { site } from './judging.ts';
import { creatingRefusal, updatingRefusal } from '../../src/repository/repository-content.ts';

const account = (mayEverything: boolean, ...permissions: string[]): Principal => ({
  uid: mayEverything ? 1 : 2,
  name: 'a',
  roles: [],
  permissions: new Set(permissions),
  mayEverything,
});
const everybody = { admin: account(true), manager: account(false, 'administer nodes'), editor: account(false) };
type Who = keyof typeof everybody;

const anyOf = (type: string): Bundle => {
  const [bundle] = site.model.bundles(type);
  if (bundle === undefined) throw new Error(`no ${type}`);
  return bundle;
};

const nobodyMay: readonly (readonly [string, string, string])[] = [
  ['node', 'nid', ' The entity ID cannot be changed.'],
  ['media', 'mid', ' The entity ID cannot be changed.'],
  ['file', 'fid', ' The entity ID cannot be changed.'],
  ['taxonomy_term', 'tid', ' The entity ID cannot be changed.'],
  ...(['node', 'media', 'file', 'taxonomy_term'] as const).map(
    (type) => [type, 'uuid', ' The entity UUID cannot be changed.'] as const,
  ),
  ['node', 'changed', ''],
  ['node', 'revision_timestamp', ''],
  ['node', 'revision_uid', ''],
  ['media', 'changed', ''],
  ...['uri', 'filemime', 'filesize', 'status', 'changed'].map((field) => ['file', field, ''] as const),
];

describe('changing a field', () => {
  it.each(nobodyMay)('%s %s is refused to everybody', (type, field, reason) => {
    for (const principal of Object.values(everybody)) {
      expect(updatingRefusal(principal, anyOf(type), field)).toMatchObject({
        status: 403,
        message: `Access denied on updating field '${field}'.${reason}`,
      });
    }
  });

  it.each(['created', 'uid', 'promote', 'sticky', 'status'])('node %s needs administer nodes', (field) => {
    expect(updatingRefusal(everybody.editor, anyOf('node'), field)?.message).toBe(
      `Access denied on updating field '${field}'. The 'administer nodes' permission is required.`,
    );
    expect(updatingRefusal(everybody.manager, anyOf('node'), field)).toBeUndefined();
    expect(updatingRefusal(everybody.admin, anyOf('node'), field)).toBeUndefined();
  });

  it.each([
    ...['title', 'langcode', 'revision_translation_affected', 'content_translation_source', 'field_model'].map(
      (field) => ['node', field] as const,
    ),
    ...['created', 'uid', 'status', 'revision_created', 'revision_user', 'thumbnail', 'name', 'field_file_size'].map(
      (field) => ['media', field] as const,
    ),
  ])('%s %s is free', (type, field) => {
    expect(updatingRefusal(everybody.editor, anyOf(type), field)).toBeUndefined();
  });
});

describe('setting a field of something new', () => {
  const rows: readonly (readonly [string, string, readonly Who[]])[] = [
    ['node', 'nid', []],
    ['node', 'changed', []],
    ['node', 'revision_timestamp', []],
    ['media', 'mid', []],
    ['media', 'changed', []],
    ...['created', 'uid', 'promote', 'sticky', 'status'].map((field) => ['node', field, ['admin', 'manager']] as const),
    ['node', 'uuid', ['admin', 'manager', 'editor']],
    ['node', 'title', ['admin', 'manager', 'editor']],
    ['media', 'status', ['admin', 'manager', 'editor']],
    ['media', 'uid', ['admin', 'manager', 'editor']],
  ];
  it.each(rows)('%s %s is for %p', (type, field, allowed) => {
    for (const [who, principal] of Object.entries(everybody)) {
      const message = creatingRefusal(principal, anyOf(type), field)?.message;
      const refused = `Access denied on creating field '${field}'.`;
      expect([who, message]).toEqual([who, allowed.some((name) => name === who) ? undefined : refused]);
    }
  });
});

describe('the language of a record', () => {
  it.each([
    ['node', undefined, undefined],
    ['media', undefined, undefined],
    ['taxonomy_term', "Access denied on creating field 'langcode'.", "Access denied on updating field 'langcode'."],
  ] as const)('of a %s is for everybody or for nobody, as its bundle says', (type, creating, updating) => {
    expect(creatingRefusal(everybody.admin, anyOf(type), 'langcode')?.message).toBe(creating);
    expect(updatingRefusal(everybody.admin, anyOf(type), 'langcode')?.message).toBe(updating);
    expect(creatingRefusal(everybody.editor, { ...anyOf(type), languageAlterable: true }, 'langcode')).toBeUndefined();
  });
});
