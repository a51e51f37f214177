/** Reads one YAML file of a site and holds it to its shape. A wrong file stops the start with file, key and remedy. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Document, isNode as IsNode, LineCounter } from 'yaml';

/** A configuration that cannot be used: exit code 2 (decisions: Defaults). The message names file, key and remedy. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/** Gives what stands in a file, held to its shape. */
export type YamlReader = <S extends v.GenericSchema>(file: string, schema: S) => Promise<v.InferOutput<S>>;

/** Reads, parses and checks a file; a schema's output is what comes back. */
export const readYaml: YamlReader = async (file, schema) => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`${file}: cannot be read. Create it, or name another site with --site.`, { cause });
  });
  // Loaded when there is something to parse: an unchanged site comes ready from the build.
  const { isNode, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const fault = document.errors[0];
  if (fault !== undefined) {
    throw new ConfigurationError(`${file}:${lines.linePos(fault.pos[0]).line}: is not valid YAML: ${fault.message}`);
  }
  const result = v.safeParse(schema, document.toJS());
  if (result.success) return result.output;
  const keys = keysOf(result.issues[0]);
  throw new ConfigurationError(`${file}:${lineOf({ document, lines, isNode }, keys)}: ${explain(result.issues[0])}`);
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

const explain = (issue: v.BaseIssue<unknown>, within: readonly unknown[] = []): string => {
  const keys = [...within, ...keysOf(issue)];
  // Of a choice between shapes, the shape that came furthest is the one that was meant.
  const inner = issue.issues?.find(({ path }) => path !== undefined);
  if (inner !== undefined) return explain(inner, keys);
  const key = keys.length === 0 ? '(the whole file)' : keys.join('.');
  if (issue.expected === 'never') return `${key}: is not a known key. Remove it or correct its spelling.`;
  if (issue.received === 'undefined') return `${key}: is missing. Add it.`;
  const rule = issue.message.startsWith('Invalid') ? `must be ${issue.expected ?? 'valid'}` : issue.message;
  return `${key}: ${rule}. Correct the value (found ${issue.received}).`;
};

/** The YAML files of a folder in the order of their names; none when there is no such folder. */
export const yamlFiles = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith('.yml'))
    .sort()
    .map((name) => join(folder, name));
};
