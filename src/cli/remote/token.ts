/** `atoll token NAME`: asks a running server for a token. */
import type { Command } from 'commander';
import { join } from 'node:path';
import { basicCredentials, demoAccountsOf, demoPasswordOf, fetchToken } from '../../library/demo-accounts.ts';
import { loadSite } from '../../site/load-site.ts';
import { reach } from './reach.ts';
import type { CommandContext } from '../serve.ts';

type TokenOptions = { readonly url: string; readonly password?: string; readonly site?: string };

/** Adds the command to the program. */
export const addToken = (program: Command, context: CommandContext): void => {
  program
    .command('token')
    .description('Print a token of an account of a running server.')
    .argument('<name>', 'the name of the account')
    .option('--url <url>', 'the server', 'http://localhost:8000')
    .option('--password <password>', "the account's password (default: that of the demo account)")
    .option('--site <dir>', 'the site whose demo accounts are meant (default: the built-in site)')
    .action(async (name: string, options: TokenOptions) => {
      const pass = options.password ?? (await demoPassword(name, options, context));
      const url = options.url.replace(/\/$/, '');
      context.print(await fetchToken(reach, url, basicCredentials(name, pass)));
    });
};

const demoPassword = async (name: string, options: TokenOptions, context: CommandContext): Promise<string> => {
  const site = await loadSite(options.site ?? join(context.root, 'data/site'));
  return demoPasswordOf(demoAccountsOf(site), name);
};
