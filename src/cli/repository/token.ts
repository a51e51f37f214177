/** `atoll token NAME`: requests a token from a running server and prints it. */
import type { Command } from 'commander';
import { demoAccountsOf, demoPasswordOf } from '../../exchange/exchange.ts';
import { fetchToken } from '../../exchange/exchange-target.ts';
import { loadNamedSite } from '../../application/application-disk.ts';
import type { CommandContext } from '../command-context.ts';
import { fetchRunningServer, withUrl } from '../remote/server-connection.ts';

type TokenOptions = { readonly url: string; readonly password?: string; readonly site?: string };

export const addToken = (program: Command, context: CommandContext): void => {
  withUrl(program.command('token'), 'the server')
    .description('Print a token of an account of a running server.')
    .argument('<name>', 'the name of the account')
    .option('--password <password>', "the account's password (default: that of the demo account)")
    .option('--site <name|dir>', 'the site whose demo accounts are meant (default: the built-in site)')
    .action(async (name: string, options: TokenOptions) => {
      const password = options.password ?? (await demoPassword(name, options, context));
      context.print(await fetchToken(fetchRunningServer, options.url, { name, password }));
    });
};

const demoPassword = async (name: string, options: TokenOptions, context: CommandContext): Promise<string> => {
  const site = await loadNamedSite(context.root, options.site);
  return demoPasswordOf(demoAccountsOf(site), name);
};
