/** Gives Atoll the accounts of the target: those that a file names, with their passwords and roles. */
import { randomBytes } from 'node:crypto';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { derivedUuid } from '../../basics/secrets/derived-uuid.ts';
import type { Site } from '../../repository/repository.ts';
import { hashPassword } from '../../repository/repository-engine.ts';
import type { TargetAccount } from '../../exchange/exchange-target.ts';

type OwnAccounts = {
  /** The site with these accounts, each with its password and its roles. Throws `ConfigurationError`. */
  readonly of: (site: Site) => Promise<Site>;
  /** The password that Atoll takes for an account of the file. */
  readonly passwordOf: (name: string) => string | undefined;
};

/** What every account has without being given it. */
const implied: ReadonlySet<string> = new Set(['anonymous', 'authenticated']);

/** One that has a token alone gets a password that nobody knows, by which the twin logs it in. */
export const ownAccounts = (accounts: readonly TargetAccount[], warn: (message: string) => void): OwnAccounts => {
  const passwords = new Map(
    accounts.map(({ name, password }) => [name, password ?? randomBytes(18).toString('base64url')]),
  );
  return {
    passwordOf: (name) => passwords.get(name),
    of: async (site) => {
      const own = new Map(site.accounts.map((account) => [account.name, account]));
      let uid = Math.max(0, ...site.accounts.map((account) => account.uid));
      for (const { name, roles } of accounts) {
        const before = own.get(name);
        if (before === undefined && roles === undefined) {
          warn(`accounts.${name}: this site has no such account. Give it its roles, so that Atoll has it, too.`);
          continue;
        }
        const passwordHash = await hashPassword(passwords.get(name) ?? '', randomBytes(16));
        const made = before ?? { uid: (uid += 1), uuid: derivedUuid(`user ${name}`), name, mail: mailOf(name, uid) };
        const held = roles === undefined ? (before?.roles ?? []) : heldRoles(name, roles, site);
        own.set(name, { ...made, roles: held, active: true, passwordHash, demoPassword: undefined });
      }
      return { ...site, accounts: [...own.values()] };
    },
  };
};

/** A name may have characters that no address has. */
const mailOf = (name: string, uid: number): string => `${/^[\w.-]+$/.test(name) ? name : `user-${uid}`}@example.org`;

const heldRoles = (name: string, roles: readonly string[], site: Site): readonly string[] => {
  const known = [...site.roles.keys()].filter((role) => !implied.has(role));
  const unknown = roles.find((role) => !site.roles.has(role));
  if (unknown === undefined) return roles.filter((role) => !implied.has(role));
  throw new ConfigurationError(
    `accounts.${name}.roles: the site has no role "${unknown}". ` +
      (known.length === 0 ? 'It has no roles. Leave it out.' : `Choose from: ${known.join(', ')}.`),
  );
};
