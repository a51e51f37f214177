/**
 * The table of start options. `serve`, `exec`, `startAtoll`, `createAtoll`, the variables of the environment and the page of commands have
 * theirs from it. What only a program can give, a function or an object, is in the type of the function that takes it.
 */
import { contentOptions } from './content-options.ts';
import type { OptionValues } from '../../basics/options/option-rows.ts';
import { reachOptions } from './reach-options.ts';

export const startOptions = { ...reachOptions, ...contentOptions } satisfies Readonly<
  Record<string, { readonly holds: readonly Host[] }>
>;

/** Two commands, and the functions of two entries of the package. */
type Host = 'serve' | 'exec' | 'startAtoll' | 'createAtoll';

/** The options by name, whatever the host. */
export type StartValues = OptionValues<typeof startOptions>;

/** Those that need another form, or that another option takes the place of, before a server can start with them. */
type FormedOptions =
  | ('port' | 'site' | 'fixture' | 'documents' | 'document' | 'handlers' | 'jwtKey')
  | ('memory' | 'persist' | 'bytes' | 'controlTokenFile');

/** What the parts of a server take as it was given. */
export type PassedOptions = Omit<StartValues, FormedOptions>;
