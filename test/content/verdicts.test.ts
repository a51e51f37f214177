/** What the permissions of an account let it do with content, and what it is told where they do not. */
import { describe, expect, it } from '@jest/globals';
import { principalOf, createModel } from '../../src/repository/repository.ts';
import {
  createAnyVerdict,
  createVerdict,
  editVerdict,
  removeVerdict,
  type Verdict,
} from '../../src/repository/content/verdicts.ts';
import { account, roles } from '../access/access-fixture.ts';
import type { Entity } from '../../src/openapi/openapi-records.ts';

describe('the permissions of one media type', () => {
  const principal = (permission: string) =>
    principalOf(
      account(7, 'curator', { roles: ['curator'] }),
      new Map([
        ...roles,
        ['curator', { id: 'curator', uuid: '', label: '', isAdmin: false, permissions: [permission] }],
      ]),
    );
  const media = (bundle: string, uid: number): Entity => {
    const fields = { uid: [{ target_id: uid }], status: [{ value: true }] };
    return { type: 'media', id: 1, uuid: '', bundle, fields };
  };
  const model = createModel([]);
  const mine = media('video', 7);
  const others = media('video', 8);
  const refusal = (verb: string, general: string): string =>
    `The following permissions are required: '${general} any media' OR '${general} own media' OR 'video: ${verb} any media' OR 'video: ${verb} own media'.`;
  const edit = refusal('edit', 'update');
  const remove = refusal('delete', 'delete');

  it.each<[string, readonly Verdict[]]>([
    ['edit any video media', [undefined, undefined, remove, remove]],
    ['edit own video media', [undefined, edit, remove, remove]],
    ['delete any video media', [edit, edit, undefined, undefined]],
    ['delete own video media', [edit, edit, undefined, remove]],
    ['edit any image media', [edit, edit, remove, remove]],
    ['video: edit any media', [edit, edit, remove, remove]],
    ['video: delete own media', [edit, edit, remove, remove]],
  ])('%s grants what it says, and only the refusal has a colon', (permission, expected) => {
    const who = principal(permission);
    expect([
      editVerdict(who, mine, model),
      editVerdict(who, others, model),
      removeVerdict(who, mine),
      removeVerdict(who, others),
    ]).toEqual(expected);
  });

  it('create video media creates videos and nothing else', () => {
    const who = principal('create video media');
    expect(createAnyVerdict(who, 'media', ['audio', 'video'])).toBeUndefined();
    expect(createVerdict(who, 'media', 'video')).toBeUndefined();
    expect(createVerdict(who, 'media', 'audio')).toMatch(/not authorized/);
  });
});

describe('a new node', () => {
  const holding = (...permissions: string[]) =>
    principalOf(
      account(7, 'curator', { roles: ['curator'] }),
      new Map([...roles, ['curator', { id: 'curator', uuid: '', label: '', isAdmin: false, permissions }]]),
    );

  it('needs the permission of its bundle, or to bypass access: administering nodes is not enough', () => {
    const refusal = 'You are not authorized to create this node entity of bundle page.';
    expect(createVerdict(holding('administer nodes', 'create object content'), 'node', 'page')).toBe(refusal);
    expect(createVerdict(holding('create page content'), 'node', 'page')).toBeUndefined();
    expect(createVerdict(holding('bypass node access'), 'node', 'page')).toBeUndefined();
  });

  it('needs the right to read content, too', () => {
    const writer = { ...holding(), permissions: new Set(['create page content']) };
    expect(createAnyVerdict(writer, 'node', ['page'])).toBe("The 'access content' permission is required.");
    expect(createAnyVerdict(holding('create page content'), 'node', ['page'])).toBeUndefined();
    expect(createAnyVerdict(holding(), 'node', ['page'])).toBe('');
  });
});
