/** Permissions of an account from its roles. */
import { describe, expect, it } from '@jest/globals';
import { anonymousPrincipal } from '../../src/repository/site/permissions.ts';
import { principalOf, may } from '../../src/repository/repository.ts';
import { account, roles } from '../access/access-fixture.ts';

describe('permissions', () => {
  it('gives the anonymous visitor uid 0 and what the role anonymous grants', () => {
    const anonymous = anonymousPrincipal(roles);
    expect(anonymous).toMatchObject({ uid: 0, name: '', roles: [], mayEverything: false });
    expect([...anonymous.permissions]).toEqual(['access content']);
  });

  it('joins authenticated and the own roles, and lists only the own ones', () => {
    const editor = principalOf(account(2, 'editor', { roles: ['editor', 'unknown'] }), roles);
    expect(editor.roles).toEqual(['editor', 'unknown']);
    expect([...editor.permissions]).toEqual(['access content', 'view media', 'create media']);
    expect(may(editor, 'administer nodes')).toBe(false);
  });

  it('lets uid 1 and roles marked is_admin do everything', () => {
    expect(may(principalOf(account(1, 'root'), roles), 'anything')).toBe(true);
    expect(may(principalOf(account(9, 'boss', { roles: ['administrator'] }), roles), 'anything')).toBe(true);
    expect(may(principalOf(account(9, 'plain'), roles), 'anything')).toBe(false);
  });
});
