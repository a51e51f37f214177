/** The error for a configuration that cannot be used: an option, or a user's file with its line and a remedy. */

/** A violation in a user's file: the broken rule, the line and the remedy. */
export type Flaw = {
  readonly file: string;
  readonly line?: number | undefined;
  /** The name of the rule: `yaml`, `missing`, `overlay-target`. */
  readonly rule: string;
  readonly message: string;
  readonly remedy: string;
};

/** A configuration that cannot be used. The process ends with exit code 2. The message names file, key and remedy. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
  /** The parts of the message, when they are known. */
  readonly flaw: Flaw | undefined;
  /** Whether the message has a line for each of several violations. */
  readonly hasLines: boolean;

  constructor(message: string, options: ErrorOptions & { readonly flaw?: Flaw; readonly hasLines?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.flaw = options.flaw;
    this.hasLines = options.hasLines ?? false;
  }
}

/** The error of a flaw, with the message `file:line: message remedy`. */
export const flawError = (flaw: Flaw, cause?: unknown): ConfigurationError =>
  new ConfigurationError(`${locationOf(flaw)}: ${flaw.message} ${flaw.remedy}`.trimEnd(), { flaw, cause });

/** `file:line: message remedy (rule)` */
export const flawText = ({ file, line, message, remedy, rule }: Flaw): string =>
  `${locationOf({ file, line })}: ${message} ${remedy} (${rule})`.replaceAll(/ {2,}/g, ' ');

const locationOf = ({ file, line }: Pick<Flaw, 'file' | 'line'>): string =>
  line === undefined ? file : `${file}:${line}`;
