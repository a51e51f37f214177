/** Reads a YAML file and checks it against a schema. A wrong file stops the start with file, key and remedy. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type * as Yaml from 'yaml';
import type { Document } from 'yaml';
import { type ConfigurationError, type Flaw, flawError } from '../configuration-error.ts';
import { errorCode } from '../error-code.ts';
import { parsedJson } from '../json.ts';
import { readRegularFile, unreadableReason } from '../disk/regular-file.ts';
import { requireFormat } from '../disk/require-format.ts';
import { loadYaml } from './yaml-library.ts';
import { readTermLines } from './term-lines.ts';

/** Reads a file and returns the output of the schema. */
export type YamlReader = <S extends v.GenericSchema>(file: string, schema: S) => Promise<v.InferOutput<S>>;

type YamlKind = {
  /** What to do when the file cannot be read. */
  readonly remedy?: string;
  /** The newest version of the form that is known. */
  readonly format?: number;
};

/** Reads the file from the disk. Throws `ConfigurationError`. */
export const readYaml = async <S extends v.GenericSchema>(
  file: string,
  schema: S,
  { remedy = 'Create it, or name another site with --site.', format }: YamlKind = {},
): Promise<v.InferOutput<S>> => {
  const { value, lineOf } = await parseYamlFile(file, remedy);
  if (format !== undefined) requireFormat(file, value, format);
  const reserved = reservedKeyIn(value);
  if (reserved !== undefined) {
    const message = `${reserved.join('.')}: is a name that every object has already.`;
    throw flawError({ file, line: lineOf(reserved), rule: 'reserved-name', message, remedy: 'Choose another name.' });
  }
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw flawError({ file, line: lineOf(keysOf(result.issues[0])), ...explain(result.issues[0]) });
};

export const reservedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The keys that lead to a member with a reserved name. The schemas would pass over it without a word. */
export const reservedKeyIn = (value: unknown): readonly string[] | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const members = value as Readonly<Record<string, unknown>>; // lists too
  for (const name of Object.keys(members)) {
    if (reservedNames.has(name)) return [name];
    const found = reservedKeyIn(members[name]);
    if (found !== undefined) return [name, ...found];
  }
  return undefined;
};

/** The content of a file, with line numbers. */
export type ParsedYaml = {
  readonly value: unknown;
  /** The line of a key, counted from 1. For a missing key, the line of the closest key that contains it. */
  readonly lineOf: (keys: readonly unknown[]) => number;
  readonly has: (keys: readonly unknown[]) => boolean;
};

/** Reads and parses a file. Throws `ConfigurationError`. `remedy` says what to do when the file cannot be read. */
export const parseYamlFile = async (file: string, remedy: string): Promise<ParsedYaml> =>
  parseYaml(file, await readBytes(file, remedy));

type JsonKind = {
  /** What the kind of file is called in a flaw. */
  readonly rule: string;
  readonly remedy: string;
  /** What to do when it is read and wrong. Default: `remedy`. */
  readonly correction?: string;
};

/** Reads a JSON file. One that is wrong is read again by the library that knows lines. Throws `ConfigurationError`. */
export const readJson = async <S extends v.GenericSchema>(
  file: string,
  schema: S,
  { rule, remedy, correction = remedy }: JsonKind,
): Promise<v.InferOutput<S>> => {
  const bytes = await readBytes(file, remedy, rule);
  const parsed = parsedJson(bytes.toString().replace(/^\ufeff/, ''));
  const checked = parsed === undefined ? undefined : v.safeParse(schema, parsed);
  if (checked?.success === true) return checked.output;
  const issue = checked?.issues[0];
  const keys = issue === undefined ? [] : keysOf(issue);
  const line = bytes.byteLength > mostBytes ? undefined : (await parseYaml(file, bytes)).lineOf(keys);
  const place = keys.length === 0 ? '' : `${keys.map(String).join('.')}: `;
  const wrong = issue?.expected === 'never' ? 'is not a known member' : (issue?.message ?? 'is no JSON');
  throw flawError({ file, line, rule, message: `${place}${wrong.replace(/\.?$/, '.')}`, remedy: correction });
};

/** YAML takes half a second for each MiB, and a hundred times its memory. Terms of one line each are JSON, and are not counted. */
const mostBytes = 8 * 1024 * 1024;

const refuseLarge = (file: string, text: string): void => {
  if (text.length <= mostBytes) return;
  const message = `has more than ${mostBytes / 1024 / 1024} MiB of YAML.`;
  throw flawError({ file, rule: 'too-large', message, remedy: 'Divide it.' });
};

const readBytes = (file: string, remedy: string, rule = 'file'): Promise<Buffer> =>
  readRegularFile(file).catch((cause: unknown) => {
    throw flawError({ file, rule, message: `cannot be read: ${unreadableReason(cause)}.`, remedy }, cause);
  });

const parseYaml = async (file: string, bytes: Buffer): Promise<ParsedYaml> => {
  // Loaded late, because an unchanged site is prepared by the build and needs no parser.
  const library = await loadYaml();
  const { isNode, LineCounter, parseDocument } = library;
  const lines = new LineCounter();
  // Without excerpts of the text: a symbolic link may have led to a file that is nobody's business.
  const text = bytes.toString();
  const termLines = readTermLines(text);
  refuseLarge(file, termLines?.rest ?? text);
  // The library compares each key with each one before.
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false } as const;
  const document = parseDocument(termLines?.rest ?? text, options);
  const syntaxError = document.errors[0];
  if (syntaxError !== undefined) {
    const { line } = lines.linePos(syntaxError.pos[0]);
    throw notYaml(file, line, syntaxError.message);
  }
  const repeated = repeatedKeyIn(document, library);
  if (repeated !== undefined) throw notYaml(file, lines.linePos(repeated).line, 'Map keys must be unique');
  const lineOf = (keys: readonly unknown[]): number => {
    const term = keys[0] === termLines?.key ? termLines?.lines[Number(keys[1])] : undefined;
    if (term !== undefined) return term;
    const node = document.getIn(keys, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    return keys.length === 0 ? 1 : lineOf(keys.slice(0, -1));
  };
  const value = valueOf(document, file);
  return {
    value: termLines === undefined ? value : { ...(value as object), [termLines.key]: termLines.elements }, // it has the key
    lineOf,
    has: (keys) => keys.length === 0 || document.hasIn(keys),
  };
};

/** Where a key begins that its mapping has already (YAML 1.2.2 §3.2.1.3). */
const repeatedKeyIn = (document: Document, { isNode, isScalar, visit }: typeof Yaml): number | undefined => {
  let offset: number | undefined;
  visit(document, {
    Map: (_key, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name)) offset = isNode(key) ? key.range?.[0] : undefined;
        if (offset !== undefined) return visit.BREAK;
        seen.add(name);
      }
      return undefined;
    },
  });
  return offset;
};

/** Resolves aliases. That fails when an alias has no anchor or expands to too much data. */
const valueOf = (document: Document, file: string): unknown => {
  try {
    return document.toJS();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw notYaml(file, 1, `${reason}.`, cause);
  }
};

/** What is nested too deeply has V8's words as its reason. */
const notYaml = (file: string, line: number, reason: string, cause?: unknown): ConfigurationError => {
  const plain = reason.startsWith('Maximum call stack') ? 'it is nested too deeply.' : reason;
  return flawError({ file, line, rule: 'yaml', message: `is not valid YAML: ${plain}`, remedy: '' }, cause);
};

const keysOf = (issue: v.BaseIssue<unknown>): readonly unknown[] => (issue.path ?? []).map(({ key }) => key);

const explain = (
  issue: v.BaseIssue<unknown>,
  within: readonly unknown[] = [],
): Pick<Flaw, 'rule' | 'message' | 'remedy'> => {
  const keys = [...within, ...keysOf(issue)];
  // In a union of schemas, the one whose check got furthest is the one that the author meant.
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

/** The YAML files of a folder in the order of their names. A missing folder has none. Throws `ConfigurationError`. */
export const yamlFiles = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch((cause: unknown) => {
    if (errorCode(cause) === 'ENOENT') return [];
    const message = `cannot be read: ${unreadableReason(cause)}.`;
    throw flawError({ file: folder, rule: 'file', message, remedy: 'Make it a folder of YAML files.' }, cause);
  });
  return names
    .filter((name) => name.endsWith('.yml'))
    .sort()
    .map((name) => join(folder, name));
};
