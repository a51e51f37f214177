/** Tells what accounts may do on a site, and which of them may most. */
import type { Site } from '../../core/site/site.ts';
import { anonymousAccount, type TargetAccount } from '../../exchange/accounts.ts';

/** An account without known roles may nothing as far as this can tell. */
export const mayOn = (site: Site, { name, roles }: TargetAccount, permission: string): boolean => {
  if (isAdministrator(site, { name, roles })) return true;
  const implied = name === anonymousAccount.name ? 'anonymous' : 'authenticated';
  return [implied, ...(roles ?? [])].some((id) => site.roles.get(id)?.permissions.includes(permission) === true);
};

/** Account 1 may everything, and so may the roles that say so. */
const isAdministrator = (site: Site, { name, roles = [] }: Pick<TargetAccount, 'name' | 'roles'>): boolean =>
  roles.some((id) => site.roles.get(id)?.isAdmin === true) ||
  site.accounts.some((account) => account.uid === 1 && account.name === name);

/** The account that may most; one of unknown roles comes last. Undefined when there is only the anonymous visitor. */
export const mightiestOf = (site: Site, accounts: readonly TargetAccount[]): TargetAccount | undefined => {
  const powers = (account: TargetAccount): number => {
    if (account.roles === undefined) return -1;
    if (isAdministrator(site, account)) return Infinity;
    return new Set(account.roles.flatMap((id) => site.roles.get(id)?.permissions ?? [])).size;
  };
  return accounts
    .filter(({ name }) => name !== anonymousAccount.name)
    .reduce<TargetAccount | undefined>(
      (best, account) => (best === undefined || powers(account) > powers(best) ? account : best),
      undefined,
    );
};
