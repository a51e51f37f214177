/** Reads an OpenAPI overlay from its file, with the files that it refers to. */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { flawError } from '../../basics/configuration-error.ts';
import { type Keys, readPointer, valueAt } from '../../basics/json-pointer.ts';
import { type ParsedYaml, parseYamlFile } from '../../basics/yaml/read-yaml.ts';
import type { Overlay, OverlayAction } from './overlay.ts';

/** The place of a value: the file, its lines, and the keys that lead to it. */
type Place = {
  readonly file: string;
  readonly lineOf: ParsedYaml['lineOf'];
  readonly keys: Keys;
  /** Called with the path of each file that is read. */
  readonly onFile: (file: string) => void;
  /** Counts the values: files that each name the next one twice would become more than any memory holds. */
  readonly onValue: () => number;
  /** The files that were read already. */
  readonly sources: Map<string, ParsedYaml>;
};

/** The most values that an overlay may have with the files that it refers to. */
const mostInlined = 200_000;

/**
 * A copy of the value of an overlay in which references to files are replaced by what they name. Files are looked for from
 * the folder of the file that names them. `#/…` in the overlay means the document and stays; in another file it means that
 * file. Throws `ConfigurationError` with file and line.
 */
const inlineFiles = (value: unknown, place: Place): Promise<unknown> => inline(value, place, []);

/** `open` are the references that led here. It is empty in the overlay itself. */
const inline = async (value: unknown, place: Place, open: readonly string[]): Promise<unknown> => {
  if (place.onValue() > mostInlined) {
    const message = `It has more than ${mostInlined} values with the files that it refers to.`;
    throw flawError({
      ...{ file: place.file, line: place.lineOf(place.keys), rule: 'overlay-reference', message },
      remedy: 'Refer to fewer of them.',
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  const reference = (value as { $ref?: unknown }).$ref; // any object may have one
  if (typeof reference === 'string' && (open.length > 0 || !reference.startsWith('#'))) {
    const siblings = Object.fromEntries(Object.entries(value).filter(([name]) => name !== '$ref'));
    const target = await readTarget(reference, { ...place, keys: [...place.keys, '$ref'] }, open);
    if (Object.keys(siblings).length === 0) return target;
    return { ...(target as object), ...((await inline(siblings, place, open)) as object) }; // JSON Schema lays them over it
  }
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const [index, item] of value.entries()) items.push(await inline(item, below(place, index), open));
    return items;
  }
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value))
    members.push([name, await inline(member, below(place, name), open)]);
  // `fromEntries` makes an own member of any name, also of `__proto__`.
  return Object.fromEntries(members);
};

const below = (place: Place, key: string | number): Place => ({ ...place, keys: [...place.keys, key] });

const readTarget = async (reference: string, place: Place, open: readonly string[]): Promise<unknown> => {
  const refuse = (message: string, remedy: string): Error =>
    flawError({
      ...{ file: place.file, line: place.lineOf(place.keys), rule: 'overlay-reference' },
      ...{ message: `$ref ${reference}: ${message}`, remedy },
    });
  const [path = '', pointer = ''] = reference.split('#');
  if (/^[a-z][a-z0-9+.-]+:/i.test(path) && !path.startsWith('file:')) {
    throw refuse('only files of this machine are read.', 'Keep a copy next to the overlay.');
  }
  const file = path === '' ? place.file : pathOf(path, dirname(place.file));
  const target = `${file}#${pointer}`;
  if (open.includes(target)) throw refuse('leads back to itself.', 'Put it into the overlay, under components.');
  if (path !== '') place.onFile(file);
  const remedy = `Name a file, seen from the folder of ${place.file}.`;
  const source = place.sources.get(file) ?? (await parseYamlFile(file, remedy));
  place.sources.set(file, source);
  const keys = readPointer(`#${pointer}`);
  const found = valueAt(source.value, keys);
  if (found === undefined) throw refuse(`there is nothing at #${pointer} in ${file}.`, 'Correct the pointer.');
  return inline(found, { ...place, file, lineOf: source.lineOf, keys }, [...open, target]);
};

const pathOf = (path: string, folder: string): string =>
  path.startsWith('file:') ? fileURLToPath(path) : resolve(folder, decodeURIComponent(path));

const overlayFile = v.object({
  overlay: v.pipe(v.string(), v.regex(/^1\.[01](\.\d+)?$/, 'must be 1.0.0 or 1.1.0')),
  info: v.object({ title: v.string(), version: v.string() }),
  extends: v.exactOptional(v.string()),
  actions: v.pipe(
    v.array(
      v.object({
        target: v.pipe(v.string(), v.startsWith('$', 'must be a JSONPath, which begins with $')),
        description: v.exactOptional(v.string()),
        update: v.exactOptional(v.unknown()),
        copy: v.exactOptional(v.pipe(v.string(), v.startsWith('$', 'must be a JSONPath, which begins with $'))),
        remove: v.exactOptional(v.boolean()),
      }),
    ),
    v.minLength(1, 'must hold an action'),
  ),
});

const refuseCopy = (
  action: { readonly copy?: unknown; readonly update?: unknown },
  version: Overlay['version'],
  place: { readonly file: string; readonly line: number },
): void => {
  if (action.copy === undefined || (version === '1.1' && action.update === undefined)) return;
  const [message, remedy] =
    version === '1.0'
      ? ['copy is of Overlay 1.1.', 'Write overlay: 1.1.0.']
      : ['The action has update and copy.', 'Remove one of them.'];
  throw flawError({ ...place, rule: 'overlay-form', message, remedy });
};

/** Reads an overlay. Throws `ConfigurationError` with file, line, rule and remedy. */
export const readOverlay = async (
  file: string,
  onReferred: (file: string) => void = () => undefined,
): Promise<Overlay> => {
  const source = await parseYamlFile(file, 'Name an overlay that is there with --overlay.');
  const result = v.safeParse(overlayFile, source.value);
  if (!result.success) {
    const [issue] = result.issues;
    const keys = (issue.path ?? []).map(({ key }) => key);
    throw flawError({
      ...{ file, line: source.lineOf(keys), rule: 'overlay-form' },
      message: `${keys.join('.')}: ${issue.message}.`,
      remedy: 'Write it as the Overlay Specification 1.0 or 1.1 has it.',
    });
  }
  const actions: OverlayAction[] = [];
  const referred = new Set<string>();
  const sources = new Map<string, ParsedYaml>();
  let values = 0;
  const version = result.output.overlay.startsWith('1.1') ? '1.1' : '1.0';
  for (const [index, { target, update, copy, remove = false }] of result.output.actions.entries()) {
    refuseCopy(result.output.actions[index] ?? {}, version, { file, line: source.lineOf(['actions', index, 'copy']) });
    const keys = ['actions', index, 'update'];
    const onFile = (path: string): void => {
      referred.add(path);
      onReferred(path);
    };
    const place = { file, lineOf: source.lineOf, keys, onFile, onValue: () => (values += 1), sources };
    actions.push({ target, update: await inlineFiles(update, place), copy, remove });
  }
  return { file, version, actions, referredFiles: [...referred], source };
};
