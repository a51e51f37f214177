/** Reads one YAML file of a site and holds it to its shape. A wrong file stops the start with file, key and remedy. */
import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { LineCounter, parseDocument } from 'yaml';

/** A configuration that cannot be used: exit code 2 (decisions: Defaults). The message names file, key and remedy. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/** Reads, parses and checks a file; a schema's output is what comes back. */
export const readYaml = async <S extends v.GenericSchema>(file: string, schema: S): Promise<v.InferOutput<S>> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`${file}: cannot be read. Create it, or name another site with --site.`, { cause });
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const fault = document.errors[0];
  if (fault !== undefined) {
    throw new ConfigurationError(`${file}:${lines.linePos(fault.pos[0]).line}: is not valid YAML: ${fault.message}`);
  }
  const result = v.safeParse(schema, document.toJS());
  if (result.success) return result.output;
  throw new ConfigurationError(`${file}: ${explain(result.issues[0])}`);
};

const explain = (issue: v.BaseIssue<unknown>): string => {
  const key = v.getDotPath(issue) ?? '(the whole file)';
  if (issue.expected === 'never') return `${key}: is not a known key. Remove it or correct its spelling.`;
  if (issue.received === 'undefined') return `${key}: is missing. Add it (expected ${issue.expected ?? 'a value'}).`;
  return `${key}: ${issue.message}. Correct the value (found ${issue.received}).`;
};

/** The YAML files of a folder in the order of their names; none when there is no such folder. */
export const yamlFiles = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith('.yml'))
    .sort()
    .map((name) => join(folder, name));
};

/** A file's name without folder and ending, for messages. */
export const stem = (file: string): string => basename(file, '.yml');
