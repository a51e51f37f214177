/** Reads a short fixture: one YAML or JSON file of objects and collections, checked against `data/fixture.schema.json`. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Keys, readPointer } from '../../../basics/json-pointer.ts';
import { flawError } from '../../../basics/configuration-error.ts';
import { requireFormat } from '../../../basics/disk/require-format.ts';
import { parseYamlFile, type ParsedYaml } from '../../../basics/yaml/read-yaml.ts';
import { readRegularFile } from '../../../basics/disk/regular-file.ts';
import type { JsonObject } from '../../../basics/json.ts';

export type ShortFile = {
  readonly path: string;
  readonly use?: string;
  readonly media_type?: string;
  readonly uri?: string;
  readonly content_type?: string;
  readonly same_use?: boolean;
  readonly published?: boolean;
  readonly alt?: string;
};

/** An item as a POST has it, or a plain value. In a field of terms a text is the name of one, and so is `term` in an item. */
export type ShortItem = JsonObject | string | number | boolean;

export type ShortObject = {
  readonly title: string;
  readonly name?: string;
  readonly type?: string;
  readonly model: string;
  readonly member_of?: string | readonly string[];
  readonly published?: boolean;
  readonly owner?: string;
  readonly date?: string;
  readonly revised?: { readonly date: string; readonly owner?: string };
  readonly fields?: Readonly<Record<string, readonly ShortItem[]>>;
  readonly files?: readonly ShortFile[];
};

export type ShortFixture = {
  readonly file: string;
  readonly date: string | undefined;
  readonly uuids: string | undefined;
  readonly objects: readonly ShortObject[];
  /** By name: records by their ids, or a list of records. */
  readonly collections: Readonly<Record<string, unknown>>;
  /** The line of a value. */
  readonly lineOf: ParsedYaml['lineOf'];
  /** The error for a value: file, line, keys and what is wrong. */
  readonly flaw: (keys: Keys, message: string, remedy: string, cause?: unknown) => Error;
};

/** Raise it, and the one in the schema, when the form changes. A file without it has format 1. */
const shortFormat = 1;

/** Reads and checks the file. Throws `ConfigurationError` with file, line, key and remedy. */
export const readShortFixture = async (file: string, schemaFile: string): Promise<ShortFixture> => {
  const source = await parseYamlFile(file, 'Name a file that is there with --fixture.');
  const flaw = flawsIn(file, source);
  requireFormat(file, source.value, shortFormat);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const schema = JSON.parse((await readRegularFile(schemaFile)).toString()) as object; // a file of the package
  if (!ajv.validate(schema, source.value)) {
    // The deepest one is what the author meant.
    const [error] = [...(ajv.errors ?? [])].sort((a, b) => depthOf(b.instancePath) - depthOf(a.instancePath));
    const keys = readPointer(error?.instancePath ?? '').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    const params = error?.params ?? {};
    const unknown = params['additionalProperty'] === undefined ? [] : [String(params['additionalProperty'])];
    const missing = params['missingProperty'] === undefined ? '' : ` "${String(params['missingProperty'])}"`;
    const message =
      unknown.length > 0 ? 'is not a known key' : (error?.message ?? 'is wrong').replace(/ '.*'$/, missing);
    throw flaw([...keys, ...unknown], `${message}.`, 'The schema of the package says what may stand here.');
  }
  const {
    date,
    uuids,
    objects = [],
    collections = {},
  } = source.value as Pick<ShortFixture, 'date' | 'uuids'> & Partial<ShortFixture>; // the schema has checked it
  return { file, date, uuids, objects, collections, lineOf: source.lineOf, flaw };
};

const depthOf = (pointer: string): number => pointer.split('/').length;

const flawsIn =
  (file: string, { lineOf }: ParsedYaml): ShortFixture['flaw'] =>
  (keys, message, remedy, cause) => {
    const where = keys.length === 0 ? '(the whole file)' : keys.join('.');
    return flawError({ file, line: lineOf(keys), rule: 'fixture', message: `${where}: ${message}`, remedy }, cause);
  };
