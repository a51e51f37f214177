/** Applies OpenAPI overlays (versions 1.0 and 1.1) to a document. `check-document.ts` checks the result. */
import type { JSONValue } from 'json-p3';
import { isRecord } from '../../basics/json.ts';
import { lazyModule } from '../../basics/lazy-module.ts';
import { flawError, type Flaw } from '../../basics/configuration-error.ts';
import type { ParsedYaml } from '../../basics/yaml/read-yaml.ts';
import { withinTime } from '../../basics/time-limit.ts';

const loadJsonPath = lazyModule(() => import('json-p3'), 'jsonpath');

/** One change: updates or removes the values that a JSONPath (RFC 9535) selects. */
export type OverlayAction = {
  readonly target: string;
  readonly update?: unknown;
  /** A JSONPath that selects the one value which is the update (Overlay 1.1). */
  readonly copy?: string | undefined;
  readonly remove: boolean;
};

/** An overlay, and its parsed file, which knows the lines. */
export type Overlay = {
  readonly file: string;
  readonly version: '1.0' | '1.1';
  readonly actions: readonly OverlayAction[];
  /** The files that its references name. */
  readonly referredFiles: readonly string[];
  readonly source: ParsedYaml;
};

/** One update of a document. `location` holds the keys from the root to the updated value. */
export type AppliedUpdate = {
  readonly overlay: Overlay;
  readonly index: number;
  readonly location: Location;
  /** The keys of the overlay that lead to the value that was written. */
  readonly written: Location;
  /** True for a list whose older entries are not of the overlay. */
  readonly isAppended?: boolean;
};

type OverlayResult<Document> = {
  readonly document: Document;
  readonly applied: readonly AppliedUpdate[];
  /** Actions that selected nothing. The specification allows them, but most are mistakes. */
  readonly warnings: readonly Flaw[];
};

/** How long a JSONPath may search, in milliseconds. */
const selectMs = 2000;

/** Applies overlays to a copy of a document, in their order. Throws `ConfigurationError`. */
export const applyOverlays = async <Document extends object>(
  document: Document,
  overlays: readonly Overlay[],
): Promise<OverlayResult<Document>> => {
  const { jsonpath } = await loadJsonPath();
  const root = structuredClone(document) as unknown as JSONValue; // a document is JSON
  const applied: AppliedUpdate[] = [];
  const warnings: Flaw[] = [];
  for (const overlay of overlays) {
    for (const [index, action] of overlay.actions.entries()) {
      const select = (path: string): Location[] =>
        withinTime(
          selectMs,
          () => jsonpath.query(path, root).nodes.map(({ location }) => [...location]),
          () => {
            throw new Error(`it has not ended after ${selectMs / 1000} s`);
          },
        );
      const locations = attempt(overlay, index, 'overlay-target', 'Correct the JSONPath (RFC 9535).', () =>
        select(action.target),
      );
      if (locations.length === 0) warnings.push(selectsNothing(overlay, index));
      const { copy } = action;
      const copied =
        copy === undefined
          ? undefined
          : attempt(overlay, index, 'overlay-copy', 'Select one value.', () => only(copy, select(copy)));
      const update = copied === undefined ? action.update : structuredClone(valueIn(root, copied));
      const written = ['actions', index, copied === undefined ? 'update' : 'copy'];
      const change = (): void => {
        if (action.remove) removeAll(root, locations);
        else
          for (const location of locations) {
            if (overlay.version === '1.0' && Array.isArray(update) && Array.isArray(valueIn(root, location)))
              warnings.push(appendsList(overlay, index));
            for (const { below, ...place } of updateAt(root, location, update, overlay.version))
              applied.push({ overlay, index, ...place, written: [...written, ...below] });
          }
      };
      attempt(overlay, index, 'overlay-action', 'Select something else, or write another update.', change);
    }
  }
  return { document: root as unknown as Document, applied, warnings }; // those who serve it check it
};

type Location = readonly (string | number)[];

const targetOf = ({ file, source }: Overlay, index: number): Pick<Flaw, 'file' | 'line'> => ({
  file,
  line: source.lineOf(['actions', index, 'target']),
});

const selectsNothing = (overlay: Overlay, index: number): Flaw => ({
  ...targetOf(overlay, index),
  rule: 'overlay-target',
  message: `${overlay.actions[index]?.target ?? ''} selects nothing.`,
  remedy: 'Compare it with the document that is served, /openapi.yaml.',
});

/** By 1.0 the list is one entry of the list that is selected. Most authors mean its entries, as 1.1 has it. */
const appendsList = (overlay: Overlay, index: number): Flaw => ({
  ...targetOf(overlay, index),
  rule: 'overlay-list',
  message: `${overlay.actions[index]?.target ?? ''}: the list is appended as one entry, as Overlay 1.0 has it.`,
  remedy: 'Write overlay: 1.1.0 to append its entries.',
});

const only = (path: string, [location, ...others]: readonly Location[]): Location => {
  if (location !== undefined && others.length === 0) return location;
  throw new Error(`${path} selects ${location === undefined ? 'nothing' : `${others.length + 1} values`}`);
};

/** The line of the last update that wrote the value at `keys`. */
export const overlayLineOf = (
  keys: Location,
  applied: readonly AppliedUpdate[],
): Pick<Flaw, 'file' | 'line'> | undefined => {
  for (const { overlay, location, written, isAppended = false } of [...applied].reverse()) {
    if (!location.every((key, position) => String(key) === String(keys[position]))) continue;
    const { source, file } = overlay;
    const below = keys.slice(location.length);
    if (isAppended && below.length > 0) continue;
    // The whole of what is copied has the line of the copy.
    if (below.length === 0 || written[2] === 'copy' || source.has([...written, ...below.slice(0, 1)]))
      return { file, line: source.lineOf([...written, ...below]) };
  }
  return undefined;
};

const attempt = <T>(overlay: Overlay, index: number, rule: string, remedy: string, work: () => T): T => {
  try {
    return work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const target = overlay.actions[index]?.target ?? '';
    throw flawError({ ...targetOf(overlay, index), rule, message: `${target}: ${reason}.`, remedy }, cause);
  }
};

type Container = Record<string | number, unknown>;

/** The container of a location's last key, and that key. Throws for the root, which has no container. */
const holderOf = (root: unknown, location: Location): { readonly holder: Container; readonly key: string | number } => {
  const key = location.at(-1);
  if (key === undefined) throw new Error('the root cannot be removed');
  let holder = root as Container; // the JSONPath found every key of the location
  for (const step of location.slice(0, -1)) holder = holder[step] as Container;
  return { holder, key };
};

/** Starts at the end, because removing an item of a list moves those after it. */
const removeAll = (root: unknown, locations: readonly Location[]): void => {
  for (const location of [...locations].reverse()) {
    const { holder, key } = holderOf(root, location);
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else Reflect.deleteProperty(holder, key);
  }
};

const valueIn = (root: unknown, location: Location): unknown =>
  location.reduce<unknown>((holder, key) => (holder as Container)[key], root); // the JSONPath found every key

/** `below` are the keys of the update that lead to what is at the location now. */
type WrittenPlace = { readonly location: Location; readonly below: Location; readonly isAppended?: boolean };

/**
 * Merges objects member by member, and appends to a list. By 1.1 the entries of a list are appended, and a value that is neither object
 * nor list is replaced (Overlay 1.0 §4.4.3, 1.1 §4.4.3). Returns the places of the values that were written.
 */
const updateAt = (root: unknown, location: Location, update: unknown, version: Overlay['version']): WrittenPlace[] => {
  const selected = valueIn(root, location);
  if (Array.isArray(selected)) {
    const entries = version === '1.1' && Array.isArray(update) ? (update as unknown[]) : [update];
    const first = selected.length;
    selected.push(...structuredClone<unknown[]>(entries));
    const isOne = entries[0] === update;
    const places = entries.map((_, at) => ({ location: [...location, first + at], below: isOne ? [] : [at] }));
    return [{ location, below: [], isAppended: true }, ...places];
  }
  if (isRecord(selected) && isRecord(update)) mergeMembers(selected, update);
  else if (version === '1.1' && isPrimitive(selected) && isPrimitive(update)) {
    const { holder, key } = holderOf(root, location);
    Object.defineProperty(holder, key, { value: update, ...plainProperty });
  } else throw new Error(wrongUpdate[version]);
  return [{ location, below: [] }];
};

const wrongUpdate: Readonly<Record<Overlay['version'], string>> = {
  '1.0': 'only an object can be updated by an object, or a list by an entry',
  '1.1': 'an object can be updated by an object, a list by entries, and another value by such a value',
};

const isPrimitive = (value: unknown): boolean => typeof value !== 'object' || value === null;

const mergeMembers = (into: Record<string, unknown>, update: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(update)) {
    const present = Object.hasOwn(into, name) ? into[name] : undefined;
    if (isRecord(present) && isRecord(value)) mergeMembers(present, value);
    else if (Array.isArray(present) && Array.isArray(value)) present.push(...(structuredClone(value) as unknown[]));
    // Not `into[name] =`, because a member may be called `__proto__`.
    else Object.defineProperty(into, name, { value: structuredClone(value), ...plainProperty });
  }
};

const plainProperty = { writable: true, enumerable: true, configurable: true } as const;
