/** `atoll hash-password`: prints the hash of a password for the `accounts.yml` of a site. */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { hashPassword, maxPasswordLength } from '../../repository/repository-engine.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { CommandContext } from '../command-context.ts';

export const addHashPassword = (program: Command, context: CommandContext): void => {
  program
    .command('hash-password')
    .description("Read a password from standard input and print its hash, the `password_hash` of a site's account.")
    .addHelpText('after', '\nExample: read -rs password; printf %s "$password" | atoll hash-password')
    .action(async () => context.print(await hashPassword(await readPassword(context), randomBytes(16))));
};

/** The input without the line break at its end. Throws `ConfigurationError` when it cannot be a password. */
const readPassword = async ({ input }: CommandContext): Promise<string> => {
  const password = (await readText(input())).replace(/\r?\n$/, '');
  if (password === '') throw new ConfigurationError('The password is empty. Write it to standard input.');
  if (/[\r\n]/.test(password)) throw new ConfigurationError('The password has more than one line.');
  if (password.length <= maxPasswordLength) return password;
  throw new ConfigurationError(`The password is too long. It may have ${maxPasswordLength} characters.`);
};

/** Stops reading when the text is longer than any password. */
const readText = async (input: AsyncIterable<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for await (const piece of input) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > maxPasswordLength + '\r\n'.length) return text;
    }
    return text + decoder.decode();
  } catch (cause) {
    throw new ConfigurationError('The password is not UTF-8.', { cause });
  }
};
