/** `atoll control-tokens list|create|revoke`: lists, makes and revokes named control tokens of a running server. */
import { Option, type Command } from 'commander';
import { sendCommand, withServer, type Schemas, type ServerOptions } from './server-connection.ts';
import type { CommandContext } from '../command-context.ts';
import { readSeconds, textParser } from '../option-parsers.ts';

type CreateOptions = ServerOptions & Omit<Schemas['ControlTokenCreate'], 'name'> & { readonly json?: boolean };

const readName = textParser(
  /^[a-z0-9][a-z0-9._-]{0,62}$/,
  'The name of a control token has 1 to 63 lower-case letters, digits, dots, hyphens and underscores, and begins with a letter or digit.',
);

const readPrefix = textParser(
  /^[a-z0-9][a-z0-9-]{0,39}$/,
  'A prefix has 1 to 40 lower-case letters, digits and hyphens, such as ci-, and begins with a letter or digit.',
);

export const addControlTokens = (program: Command, context: CommandContext): void => {
  const tokens = program.command('control-tokens').description('Named tokens of the control interface, with rights.');
  withServer(tokens.command('list'))
    .description('List the tokens, without their secrets.')
    .option('--json', 'print JSON lines')
    .action(async ({ json, ...server }: CreateOptions) => {
      const listed = await sendCommand<Schemas['ControlTokenList']>(server, 'GET', '/tokens');
      for (const token of listed.tokens) context.print(json === true ? JSON.stringify(token) : line(token));
    });
  withServer(tokens.command('create'))
    .description('Make a token and print its secret, which nobody can ask for again.')
    .argument('<name>', 'its name', readName)
    .addOption(
      new Option('--right <right>', 'what it may do').choices(['read', 'worlds', 'everything']).makeOptionMandatory(),
    )
    .option('--prefix <prefix>', 'with --right worlds: with what the names of its worlds begin', readPrefix)
    .option('--ttl <seconds>', 'refuse it after so long', readSeconds)
    .option('--json', 'print the token with its secret as JSON')
    .action(async (name: string, { right, prefix, ttl, json, ...server }: CreateOptions) => {
      // JSON omits what is undefined.
      const order = { name, right, prefix, ttl };
      const created = await sendCommand<Schemas['ControlTokenCreated']>(server, 'POST', '/tokens', order);
      context.print(json === true ? JSON.stringify(created) : created.secret);
    });
  withServer(tokens.command('revoke'))
    .description('Revoke tokens. Their next request is refused.')
    .argument('<name...>', 'their names')
    .action(async (names: string[], server: ServerOptions) => {
      for (const name of names) await sendCommand(server, 'DELETE', `/tokens/${encodeURIComponent(name)}`);
    });
};

const line = ({ name, right, prefix, expires, lastUsed }: Schemas['ControlToken']): string =>
  [
    name.padEnd(16),
    (prefix === null ? right : `${right} ${prefix}*`).padEnd(18),
    lastUsed === null ? 'never used' : `used ${lastUsed}`,
    ...(expires === null ? [] : [`until ${expires}`]),
  ].join('  ');
