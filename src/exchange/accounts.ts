/** Reads the credentials of the accounts that a command acts as. They come from a file or the environment, never from the command line. */
import * as v from 'valibot';
import { ConfigurationError } from '../basics/configuration-error.ts';
import { readYaml } from '../basics/yaml/read-yaml.ts';
import { accountVariables } from './demo-accounts.ts';
import { anonymousAccount, type TargetAccount } from './target-account.ts';

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
    const password = environment[accountVariables(account.name).password];
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
  const variables = accountVariables(account.name);
  const password = environment[variables.password];
  const token = environment[variables.token];
  if (password !== undefined || token !== undefined) return { ...account, password, token };
  throw new ConfigurationError(
    `There are no credentials of "${account.name}". Name a file with --accounts, or set ${variables.password}.`,
  );
};
