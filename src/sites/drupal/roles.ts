/** Makes the roles of a site, and demo accounts for them: accounts are not configuration. */
import { scryptSync } from 'node:crypto';
import { readRows, type Rows } from '../../basics/exported/rows.ts';
import type { Configuration } from './configuration.ts';
import { derivedUuid } from '../../basics/secrets/derived-uuid.ts';
import { uuidOr } from './derived-ids.ts';
import { booleanOf, filledTextOf, textsOf } from '../../basics/exported/lenient-values.ts';
import type { Reporter } from './report.ts';
import type { SiteAccounts, SiteRole } from './site-format.ts';

/** The roles that every site has. */
const required = [
  { id: 'anonymous', label: 'Anonymous user', permissions: ['access content'] },
  { id: 'authenticated', label: 'Authenticated user', permissions: ['access content'] },
  { id: 'administrator', label: 'Administrator', permissions: [], is_admin: true },
];

const roleRows = {
  label: ['label', filledTextOf],
  is_admin: ['is_admin', (value) => booleanOf(value) ?? false],
  permissions: ['permissions', (value) => [...textsOf(value)]],
} satisfies Rows;

export const rolesOf = (configuration: Configuration, reporter: Reporter): readonly SiteRole[] => {
  const written = configuration.family('user.role').map(({ id, data }) => {
    return { id, uuid: uuidOr(data['uuid'], `user_role ${id}`), label: id, ...readRows(roleRows, data) };
  });
  reporter.taken('roles', written.length);
  const hasAdmin = written.some(({ is_admin: isAdmin }) => isAdmin);
  const added = required
    .filter(({ id }) => !written.some((role) => role.id === id) && !(id === 'administrator' && hasAdmin))
    .map((role) => ({ is_admin: false, uuid: derivedUuid(`user_role ${role.id}`), ...role }));
  for (const { id } of added) reporter.remark(`user.role.${id}`, 'the role is added: every site has it');
  return [...written, ...added];
};

/** Accounts have the password of their name. It is public, so its hash need not be slow. */
const cost = { N: 1024, r: 8, p: 1 };

const hashOf = (password: string): string => {
  const salt = Buffer.from(derivedUuid(`salt ${password}`).replaceAll('-', ''), 'hex');
  const hash = scryptSync(password, salt, 32, cost);
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64')}$${hash.toString('base64')}`;
};

/** `admin` with every right, one account for each role named like it, and `plain` without a role. */
export const demoAccounts = (roles: readonly SiteRole[], reporter: Reporter): SiteAccounts => {
  const admins = roles.filter(({ is_admin: isAdmin }) => isAdmin === true).map(({ id }) => id);
  const own = roles
    .map(({ id }) => id)
    .filter((id) => !['anonymous', 'authenticated', 'admin', 'plain'].includes(id))
    .sort();
  const accounts = [
    { name: 'admin', roles: admins },
    ...own.map((id) => ({ name: id.slice(0, 60), roles: [id] })),
    { name: 'plain', roles: [] },
  ];
  reporter.taken('demo accounts', accounts.length);
  return {
    accounts: accounts.map(({ name, roles: held }, index) => {
      const password = name === 'admin' ? 'islandora' : name;
      return {
        uid: index + 1,
        uuid: derivedUuid(`user ${name}`),
        name,
        mail: `${name}@example.org`,
        active: true,
        roles: held,
        password_hash: hashOf(password),
        demo_password: password,
      };
    }),
  };
};
