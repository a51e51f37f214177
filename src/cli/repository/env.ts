/** `atoll env`: prints the address of a running server and tokens, for a shell or as JSON. */
import { Option, type Command } from 'commander';
import { demoAccountsOf } from '../../exchange/exchange.ts';
import { loadNamedSite } from '../../application/application-disk.ts';
import { clientEnvironment } from '../client-environment.ts';
import type { CommandContext } from '../command-context.ts';
import { fetchRunningServer, withUrl } from '../remote/server-connection.ts';

type Shell = 'sh' | 'fish' | 'powershell';
type EnvOptions = { readonly url: string; readonly site?: string; readonly shell: Shell; readonly json?: boolean };

export const addEnv = (program: Command, context: CommandContext): void => {
  withUrl(program.command('env'), 'the server')
    .description('Print the address of a running server and tokens of its demo accounts, to be set in a shell.')
    .option('--site <name|dir>', 'the site whose demo accounts are meant (default: the built-in site)')
    .addOption(new Option('--shell <shell>', 'whose syntax to use').choices(['sh', 'fish', 'powershell']).default('sh'))
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample: eval "$(atoll env)"')
    .action(async (options: EnvOptions) => {
      const site = await loadNamedSite(context.root, options.site);
      const variables = await clientEnvironment(options.url, demoAccountsOf(site), fetchRunningServer);
      const lines = Object.entries(variables).map(([name, value]) => writers[options.shell](name, value));
      context.print(options.json === true ? JSON.stringify(variables, null, 2) : lines.join('\n'));
    });
};

/** In single quotes only the quote itself is special, in fish the backslash too. */
const writers: { readonly [shell in Shell]: (name: string, value: string) => string } = {
  sh: (name, value) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
  fish: (name, value) => `set -gx ${name} '${value.replace(/['\\]/g, '\\$&')}';`,
  powershell: (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`,
};
