/** Reads the credentials of the accounts that a command acts as. They come from a file or the environment, never from the command line. */
import * as v from 'valibot';
import { ConfigurationError } from '../basics/configuration-error.ts';
import type { HostedSite } from '../openapi/openapi-host.ts';
import { basicCredentials } from '../basics/formats/basic-credentials.ts';
import { readYaml } from '../basics/yaml/read-yaml.ts';
import type { HeaderLine } from './wire-exchange.ts';

/** `roles` are ids of the site's roles. An account that is not `active` is blocked and gets no token. */
export type DemoAccount = {
  readonly name: string;
  readonly password: string;
  readonly roles: readonly string[];
  readonly active: boolean;
};

export const demoAccountsOf = (site: Pick<HostedSite, 'accounts'>): readonly DemoAccount[] =>
  site.accounts.flatMap(({ name, demoPassword, roles, active }) =>
    demoPassword === undefined ? [] : [{ name, password: demoPassword, roles, active }],
  );

/** Throws `ConfigurationError` when no account has this name. */
export const demoPasswordOf = (accounts: readonly DemoAccount[], name: string): string => {
  const account = accounts.find((candidate) => candidate.name === name);
  if (account !== undefined) return account.password;
  const names = accounts.map((known) => known.name).join(', ');
  throw new ConfigurationError(`"${name}" is not a demo account (${names}). Give its password.`);
};

/** The end of the variables `ATOLL_PASSWORD_…` and `ATOLL_TOKEN_…` of an account, which `atoll exec` and `atoll env` set. */
export const variableSuffix = (account: string): string => account.toUpperCase().replace(/[^A-Z0-9]+/g, '_');

/** `roles` are ids of the site's roles; `anonymous` and `authenticated` are implied. Undefined: as the site's account of this name. */
export type TargetAccount = {
  readonly name: string;
  readonly password?: string | undefined;
  /** A JSON Web Token, for an account without a known password. */
  readonly token?: string | undefined;
  readonly roles?: readonly string[] | undefined;
  /** Whether the password is the published one of a demo account, which the target may not have. */
  readonly isPublished?: boolean;
};

/** The visitor without credentials. */
export const anonymousAccount: TargetAccount = { name: 'anonymous', roles: [] };

const accountSchema = v.strictObject({
  // Checked here: the message of a schema shows the value that it refuses.
  password: v.optional(v.unknown()),
  token: v.optional(v.unknown()),
  roles: v.optional(v.array(v.string())),
});
const fileSchema = v.strictObject({ accounts: v.record(v.pipe(v.string(), v.minLength(1)), accountSchema) });

/**
 * Reads a YAML file: `accounts:` with a name, and below it `password` or `token`, and `roles`. Throws `ConfigurationError`.
 * The messages name keys, never values.
 */
export const readAccountFile = async (file: string): Promise<readonly TargetAccount[]> => {
  const { accounts } = await readYaml(file, fileSchema);
  return Object.entries(accounts).map(([name, { password, token, roles }]) => ({
    name,
    ...(password === undefined ? {} : { password: secretText(password, `${file}: accounts.${name}.password`) }),
    ...(token === undefined ? {} : { token: secretText(token, `${file}: accounts.${name}.token`) }),
    ...(roles === undefined ? {} : { roles }),
  }));
};

const secretText = (value: unknown, where: string): string => {
  if (typeof value === 'string' && value !== '') return value;
  throw new ConfigurationError(`${where}: must be a text that is not empty. Put quotes around it.`);
};

type ChosenAccounts = {
  /** The names that `--as` gives. Undefined: all that are known. */
  readonly names: readonly string[] | undefined;
  readonly fromFile: readonly TargetAccount[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The accounts of the site, with published passwords where the target may have them. */
  readonly known: readonly TargetAccount[];
};

/**
 * The accounts to act as, the anonymous visitor first. The file comes before the environment (`ATOLL_PASSWORD_<NAME>`,
 * `ATOLL_TOKEN_<NAME>`), and that before published passwords. Throws `ConfigurationError` for a name without credentials.
 */
export const chooseAccounts = ({ names, fromFile, environment, known }: ChosenAccounts): readonly TargetAccount[] => {
  const offered = new Map<string, TargetAccount>();
  for (const account of known) {
    const password = environment[`ATOLL_PASSWORD_${variableSuffix(account.name)}`];
    offered.set(account.name, password === undefined ? account : { ...account, password, isPublished: false });
  }
  for (const account of fromFile) {
    const roles = account.roles ?? offered.get(account.name)?.roles;
    offered.set(account.name, { ...account, roles });
  }
  const wanted = names ?? [...offered.values()].filter(hasCredentials).map(({ name }) => name);
  const chosen = wanted
    .filter((name) => name !== anonymousAccount.name)
    .map((name) => withCredentials(offered.get(name) ?? { name }, environment))
    // Who is named is one that the target has.
    .map((account) => (names === undefined ? account : { ...account, isPublished: false }));
  return [anonymousAccount, ...chosen];
};

const hasCredentials = ({ password, token }: TargetAccount): boolean => password !== undefined || token !== undefined;

const withCredentials = (
  account: TargetAccount,
  environment: Readonly<Record<string, string | undefined>>,
): TargetAccount => {
  if (hasCredentials(account)) return account;
  const suffix = variableSuffix(account.name);
  const password = environment[`ATOLL_PASSWORD_${suffix}`];
  const token = environment[`ATOLL_TOKEN_${suffix}`];
  if (password !== undefined || token !== undefined) return { ...account, password, token };
  throw new ConfigurationError(
    `There are no credentials of "${account.name}". Name a file with --accounts, or set ATOLL_PASSWORD_${suffix}.`,
  );
};

/** The header line that authenticates an account: Basic (RFC 7617) with a password, Bearer (RFC 6750) with a token alone. */
export const authorizationOf = ({ name, password, token }: TargetAccount): readonly HeaderLine[] => {
  if (password !== undefined) return [['Authorization', basicCredentials(name, password)]];
  return token === undefined ? [] : [['Authorization', `Bearer ${token}`]];
};

/** Everything of an account that no report may show. */
export const secretsOf = ({ name, password, token }: TargetAccount): readonly string[] => [
  ...(password === undefined ? [] : [password, basicCredentials(name, password).slice('Basic '.length)]),
  ...(token === undefined ? [] : [token]),
];
