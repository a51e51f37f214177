/** `atoll env`: what a client needs to reach a running server, as lines for a shell or as JSON. */
import { Option, type Command } from 'commander';
import { join } from 'node:path';
import { demoAccountsOf } from '../../library/demo-accounts.ts';
import { loadSite } from '../../site/load-site.ts';
import { reach } from './reach.ts';
import { clientEnvironment } from '../client-environment.ts';
import type { CommandContext } from '../serve.ts';

type Shell = 'sh' | 'fish' | 'powershell';
type EnvOptions = { readonly url: string; readonly site?: string; readonly shell: Shell; readonly json?: boolean };

/** Adds the command to the program. */
export const addEnv = (program: Command, context: CommandContext): void => {
  program
    .command('env')
    .description('Print the address of a running server and tokens of its demo accounts, to be set in a shell.')
    .option('--url <url>', 'the server', 'http://localhost:8000')
    .option('--site <dir>', 'the site whose demo accounts are meant (default: the built-in site)')
    .addOption(
      new Option('--shell <shell>', 'whose way of writing').choices(['sh', 'fish', 'powershell']).default('sh'),
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample: eval "$(atoll env)"')
    .action(async (options: EnvOptions) => {
      const site = await loadSite(options.site ?? join(context.root, 'data/site'));
      const variables = await clientEnvironment(options.url.replace(/\/$/, ''), demoAccountsOf(site), reach);
      const lines = Object.entries(variables).map(([name, value]) => writers[options.shell](name, value));
      context.print(options.json === true ? JSON.stringify(variables, null, 2) : lines.join('\n'));
    });
};

/** Inside single quotes nothing has a meaning but what each shell says of the quote itself. */
const writers: { readonly [shell in Shell]: (name: string, value: string) => string } = {
  sh: (name, value) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
  fish: (name, value) => `set -gx ${name} '${value.replace(/['\\]/g, '\\$&')}';`,
  powershell: (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`,
};
