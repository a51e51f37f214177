/** The commands for a running server as a whole: `atoll health`, `ready`, `reload` and `control-tokens`. */
import { Option } from 'commander';
import type { ControlSchemas as Schemas } from '../../client/control/control-types.ts';
import { flawText } from '../../basics/configuration-error.ts';
import { counted } from '../../basics/counted.ts';
import { exitCodes } from '../exit-codes.ts';
import { readSeconds, textParser } from '../option-parsers.ts';
import { group, row } from './remote-command.ts';

const unfitText = (collection: string, records: number): string =>
  `The collection "${collection}" has ${counted(records, 'record')} not fitting the document. "atoll ls --collection ${collection} --unfit" lists them.`;

export const addHealth = row(
  'health',
  'Say whether a server answers, how safely it stores, and its version; ends with 2 when it does not.',
  'getHealth',
  {
    line: ({ status, durability, version }) => `${status}  durability ${durability}  version ${version}`,
    check: ({ reasons, unfit = [] }, context) => {
      for (const { message } of reasons) context.warn(message);
      for (const { collection, records } of unfit) context.warn(unfitText(collection, records));
    },
  },
);

export const addReady = row(
  'ready',
  'Say whether a server may get requests; ends with 2 and the reason when it may not.',
  'getReady',
  {
    line: ({ status, checks }) => [status, ...checks.map(({ name, message }) => `${name}: ${message}`)].join('  '),
  },
);

export const addReload = row(
  'reload',
  'Read document, overlays, handlers and site again; ends with 2 and says where when something is broken.',
  'reload',
  {
    check: ({ served, flaws, warnings }, context) => {
      for (const flaw of [...flaws, ...warnings]) context.warn(flawText({ ...flaw, line: flaw.line ?? undefined }));
      if (!served) context.exit(exitCodes.configuration);
    },
  },
);

const tokenName = textParser(
  /^[a-z0-9][a-z0-9._-]{0,62}$/,
  'The name of a control token has 1 to 63 lower-case letters, digits, dots, hyphens and underscores, and begins with a letter or digit.',
);

const worldPrefix = textParser(
  /^[a-z0-9][a-z0-9-]{0,39}$/,
  'A prefix has 1 to 40 lower-case letters, digits and hyphens, such as ci-, and begins with a letter or digit.',
);

export const addControlTokens = group('control-tokens', 'Named tokens of the control interface, with rights.', [
  row('list', 'List the tokens, without their secrets.', 'listTokens', {
    items: ({ tokens }) => tokens,
    line: ({ name, right, prefix, expires, lastUsed }) =>
      [
        name.padEnd(16),
        (prefix === null ? right : `${right} ${prefix}*`).padEnd(18),
        lastUsed === null ? 'never used' : `used ${lastUsed}`,
        ...(expires === null ? [] : [`until ${expires}`]),
      ].join('  '),
    json: 'print JSON lines',
  }),
  row('create', 'Make a token and print its secret, which nobody can ask for again.', 'createToken', {
    usage: (command) =>
      command
        .argument('<name>', 'its name', tokenName)
        .addOption(
          new Option('--right <right>', 'what it may do')
            .choices(['read', 'worlds', 'everything'])
            .makeOptionMandatory(),
        )
        .option('--prefix <prefix>', 'with --right worlds: with what the names of its worlds begin', worldPrefix)
        .option('--ttl <seconds>', 'it expires after so many seconds', readSeconds),
    input: ({ right, prefix, ttl }: Omit<Schemas['ControlTokenCreate'], 'name'>, name: string) => ({
      body: { name, right, prefix, ttl },
    }),
    line: ({ secret }) => secret,
    json: 'print the token with its secret as JSON',
  }),
  row('revoke', 'Revoke tokens. Their next request is refused.', 'revokeToken', {
    usage: (command) => command.argument('<name...>', 'their names'),
    input: (_options: object, names: readonly string[]) => names.map((name) => ({ path: { token_name: name } })),
  }),
]);
