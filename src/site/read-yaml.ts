/** Reads one YAML file of a site and holds it to its shape. A wrong file stops the start with file, key and remedy. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Document, isNode as IsNode, LineCounter } from 'yaml';

/** One thing that is wrong with a file of somebody's: which rule it breaks, in which line, and what to do. */
export type Flaw = {
  readonly file: string;
  readonly line?: number | undefined;
  /** A word for the rule: `yaml`, `missing`, `overlay-target`. */
  readonly rule: string;
  readonly message: string;
  readonly remedy: string;
};

/** A configuration that cannot be used: exit code 2 (decisions: Defaults). The message names file, key and remedy. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
  /** The same in parts, where they are known. */
  readonly flaw: Flaw | undefined;

  constructor(message: string, options: ErrorOptions & { readonly flaw?: Flaw } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.flaw = options.flaw;
  }
}

/** `file:line: message remedy` */
export const flawed = (flaw: Flaw, cause?: unknown): ConfigurationError => {
  const place = flaw.line === undefined ? flaw.file : `${flaw.file}:${flaw.line}`;
  return new ConfigurationError(`${place}: ${flaw.message} ${flaw.remedy}`.trimEnd(), { flaw, cause });
};

/** Gives what stands in a file, held to its shape. */
export type YamlReader = <S extends v.GenericSchema>(file: string, schema: S) => Promise<v.InferOutput<S>>;

/** Reads, parses and checks a file; a schema's output is what comes back. */
export const readYaml: YamlReader = async (file, schema) => {
  const { value, lineOf } = await readPlacedYaml(file, 'Create it, or name another site with --site.');
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw flawed({ file, line: lineOf(keysOf(result.issues[0])), ...explain(result.issues[0]) });
};

/** What stands in a file, and where. */
export type PlacedYaml = {
  readonly value: unknown;
  /** The line of a key, or of the closest one around it that is there; from 1. */
  readonly lineOf: (keys: readonly unknown[]) => number;
  readonly has: (keys: readonly unknown[]) => boolean;
};

/** Reads and parses a file. Throws `ConfigurationError`; `remedy` is what to do when it cannot be read. */
export const readPlacedYaml = async (file: string, remedy: string): Promise<PlacedYaml> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw flawed({ file, rule: 'file', message: 'cannot be read.', remedy }, cause);
  });
  // Loaded when there is something to parse: an unchanged site comes ready from the build.
  const { isNode, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const fault = document.errors[0];
  if (fault !== undefined) {
    const { line } = lines.linePos(fault.pos[0]);
    throw flawed({ file, line, rule: 'yaml', message: `is not valid YAML: ${fault.message}`, remedy: '' });
  }
  return {
    value: valueOf(document, file),
    lineOf: (keys) => lineOf({ document, lines, isNode }, keys),
    has: (keys) => keys.length === 0 || document.hasIn(keys),
  };
};

/** Aliases are resolved only here: one may lead nowhere, or to far too much. */
const valueOf = (document: Document, file: string): unknown => {
  try {
    return document.toJS();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw flawed({ file, line: 1, rule: 'yaml', message: `is not valid YAML: ${reason}.`, remedy: '' }, cause);
  }
};

const keysOf = (issue: v.BaseIssue<unknown>): readonly unknown[] => (issue.path ?? []).map(({ key }) => key);

/** The line of a key, or of what it is missing from. */
const lineOf = (parsed: Parsed, keys: readonly unknown[]): number => {
  const node = parsed.document.getIn(keys, true);
  if (parsed.isNode(node) && node.range) return parsed.lines.linePos(node.range[0]).line;
  return keys.length === 0 ? 1 : lineOf(parsed, keys.slice(0, -1));
};

type Parsed = {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly isNode: typeof IsNode;
};

const explain = (
  issue: v.BaseIssue<unknown>,
  within: readonly unknown[] = [],
): Pick<Flaw, 'rule' | 'message' | 'remedy'> => {
  const keys = [...within, ...keysOf(issue)];
  // Of a choice between shapes, the shape that came furthest is the one that was meant.
  const inner = issue.issues?.find(({ path }) => path !== undefined);
  if (inner !== undefined) return explain(inner, keys);
  const key = keys.length === 0 ? '(the whole file)' : keys.join('.');
  if (issue.expected === 'never') {
    return {
      rule: 'unknown-key',
      message: `${key}: is not a known key.`,
      remedy: 'Remove it or correct its spelling.',
    };
  }
  if (issue.received === 'undefined') return { rule: 'missing', message: `${key}: is missing.`, remedy: 'Add it.' };
  const rule = issue.message.startsWith('Invalid') ? `must be ${issue.expected ?? 'valid'}` : issue.message;
  return { rule: issue.type, message: `${key}: ${rule}.`, remedy: `Correct the value (found ${issue.received}).` };
};

/** The YAML files of a folder in the order of their names; none when there is no such folder. */
export const yamlFiles = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith('.yml'))
    .sort()
    .map((name) => join(folder, name));
};

/** `file:line: message remedy (rule)` */
export const flawText = ({ file, line, message, remedy, rule }: Flaw): string =>
  `${line === undefined ? file : `${file}:${line}`}: ${message} ${remedy} (${rule})`.replaceAll(/ {2,}/g, ' ');
