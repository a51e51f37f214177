/** `atoll token NAME`: asks a running server for a token. */
import type { Command } from 'commander';
import { join } from 'node:path';
import { loadSite } from '../site/load-site.ts';
import { ConfigurationError } from '../site/read-yaml.ts';
import { askServer } from './ask-server.ts';
import type { Surroundings } from './serve.ts';

type TokenOptions = { readonly url: string; readonly password?: string; readonly site?: string };

/** Adds the command to the program. */
export const addToken = (program: Command, around: Surroundings): void => {
  program
    .command('token')
    .description('Print a token of an account of a running server.')
    .argument('<name>', 'the name of the account')
    .option('--url <url>', 'the server', 'http://localhost:8000')
    .option('--password <password>', "the account's password (default: that of the demo account)")
    .option('--site <dir>', 'the site whose demo accounts are meant (default: the built-in site)')
    .action(async (name: string, options: TokenOptions) => {
      const pass = options.password ?? (await demoPassword(name, options, around));
      const authorization = `Basic ${Buffer.from(`${name}:${pass}`).toString('base64')}`;
      const { token } = await askServer<{ token: string }>(`${options.url.replace(/\/$/, '')}/jwt/token?_format=json`, {
        authorization,
      });
      around.print(token);
    });
};

const demoPassword = async (name: string, options: TokenOptions, around: Surroundings): Promise<string> => {
  const site = await loadSite(options.site ?? join(around.root, 'data/site'));
  const account = site.accounts.find((candidate) => candidate.name === name);
  if (account?.demoPassword !== undefined) return account.demoPassword;
  const names = site.accounts.flatMap((known) => (known.demoPassword === undefined ? [] : [known.name]));
  throw new ConfigurationError(
    `"${name}" is no demo account (${names.join(', ')}). Give its password with --password.`,
  );
};
