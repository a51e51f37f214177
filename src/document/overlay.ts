/** OpenAPI Overlays (version 1.0): read from their files and laid over a document. What the result must be is `check-document.ts`. */
import type { JSONValue } from 'json-p3';
import * as v from 'valibot';
import { flawed, readPlacedYaml, type Flaw, type PlacedYaml } from '../site/read-yaml.ts';
import type { DocumentObject } from './document.ts';

/** One change: what a JSONPath selects (RFC 9535) is added to, or removed. */
export type OverlayAction = {
  readonly target: string;
  readonly update?: unknown;
  readonly remove: boolean;
};

/** An overlay and where its parts stand in its file. */
export type Overlay = {
  readonly file: string;
  readonly actions: readonly OverlayAction[];
  readonly places: PlacedYaml;
};

const overlayFile = v.object({
  overlay: v.pipe(v.string(), v.regex(/^1\.0(\.\d+)?$/, 'must be 1.0.0')),
  info: v.object({ title: v.string(), version: v.string() }),
  extends: v.exactOptional(v.string()),
  actions: v.pipe(
    v.array(
      v.object({
        target: v.pipe(v.string(), v.startsWith('$', 'must be a JSONPath, which begins with $')),
        description: v.exactOptional(v.string()),
        update: v.exactOptional(v.unknown()),
        remove: v.exactOptional(v.boolean()),
      }),
    ),
    v.minLength(1, 'must hold an action'),
  ),
});

/** Throws `ConfigurationError` with file, line, rule and remedy. */
export const readOverlay = async (file: string): Promise<Overlay> => {
  const places = await readPlacedYaml(file, 'Name an overlay that is there with --overlay.');
  const result = v.safeParse(overlayFile, places.value);
  if (!result.success) {
    const [issue] = result.issues;
    const keys = (issue.path ?? []).map(({ key }) => key);
    throw flawed({
      ...{ file, line: places.lineOf(keys), rule: 'overlay-form' },
      message: `${keys.join('.')}: ${issue.message}.`,
      remedy: 'Write it as the Overlay Specification 1.0 has it.',
    });
  }
  const actions = result.output.actions.map(({ target, update, remove = false }) => ({ target, update, remove }));
  return { file, actions, places };
};

/** What an action has changed: `location` are the keys from the root to what it selected. */
export type Applied = {
  readonly overlay: Overlay;
  readonly index: number;
  readonly location: readonly (string | number)[];
};

export type Overlaid = {
  readonly document: DocumentObject;
  readonly applied: readonly Applied[];
  /** Actions that selected nothing: no error by the specification, but seldom what was meant. */
  readonly warnings: readonly Flaw[];
};

/** Lays overlays over a document, one after another. The document itself stays as it is. Throws `ConfigurationError`. */
export const applyOverlays = async (document: DocumentObject, overlays: readonly Overlay[]): Promise<Overlaid> => {
  const { jsonpath } = await import('json-p3');
  const root = structuredClone(document) as unknown as JSONValue; // a document is JSON
  const applied: Applied[] = [];
  const warnings: Flaw[] = [];
  for (const overlay of overlays) {
    for (const [index, action] of overlay.actions.entries()) {
      const select = (): Location[] =>
        jsonpath.query(action.target, root).nodes.map((node) => plainLocation(node.location));
      const locations = attempt(overlay, index, 'overlay-target', 'Correct the JSONPath (RFC 9535).', select);
      if (locations.length === 0) warnings.push(selectsNothing(overlay, index));
      const change = (): void => {
        if (action.remove) removeAll(root, locations);
        else for (const location of locations) updateAt(root, location, action.update);
      };
      attempt(overlay, index, 'overlay-action', 'Select something else, or write another update.', change);
      if (!action.remove) applied.push(...locations.map((location) => ({ overlay, index, location })));
    }
  }
  return { document: root as unknown as DocumentObject, applied, warnings }; // valid or not is asked later
};

type Location = readonly (string | number)[];
const plainLocation = (location: readonly (string | number)[]): Location => [...location];

const placeOf = ({ file, places }: Overlay, index: number): Pick<Flaw, 'file' | 'line'> => ({
  file,
  line: places.lineOf(['actions', index, 'target']),
});

const selectsNothing = (overlay: Overlay, index: number): Flaw => ({
  ...placeOf(overlay, index),
  rule: 'overlay-target',
  message: `${overlay.actions[index]?.target ?? ''} selects nothing.`,
  remedy: 'Compare it with the document that is served, /openapi.yaml.',
});

const attempt = <T>(overlay: Overlay, index: number, rule: string, remedy: string, work: () => T): T => {
  try {
    return work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const target = overlay.actions[index]?.target ?? '';
    throw flawed({ ...placeOf(overlay, index), rule, message: `${target}: ${reason}.`, remedy }, cause);
  }
};

type Container = Record<string | number, unknown>;

/** What holds the last key of a location, and that key. Throws at the root, which nothing holds. */
const holderOf = (root: unknown, location: Location): { readonly holder: Container; readonly key: string | number } => {
  const key = location.at(-1);
  if (key === undefined) throw new Error('the root cannot be removed');
  let holder = root as Container; // every key of a location was found on the way to it
  for (const step of location.slice(0, -1)) holder = holder[step] as Container;
  return { holder, key };
};

/** From the end: what is removed from a list moves what follows. */
const removeAll = (root: unknown, locations: readonly Location[]): void => {
  for (const location of [...locations].reverse()) {
    const { holder, key } = holderOf(root, location);
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    // A document is changed here by its own keys.
    else Reflect.deleteProperty(holder, key);
  }
};

const updateAt = (root: unknown, location: Location, update: unknown): void => {
  if (location.length === 0) {
    mergeInto(root, update);
    return;
  }
  const { holder, key } = holderOf(root, location);
  mergeInto(holder[key], update);
};

/** Objects member by member, a list gets an entry more (Overlay 1.0 §4.4.3); nothing else can be updated. */
const mergeInto = (selected: unknown, update: unknown): void => {
  if (Array.isArray(selected)) selected.push(structuredClone(update));
  else if (isObject(selected) && isObject(update)) mergeMembers(selected, update);
  else throw new Error('only an object can be updated by an object, or a list by an entry');
};

const mergeMembers = (into: Container, update: Container): void => {
  for (const [name, value] of Object.entries(update)) {
    const present = Object.hasOwn(into, name) ? into[name] : undefined;
    if (isObject(present) && isObject(value)) mergeMembers(present, value);
    else if (Array.isArray(present) && Array.isArray(value)) present.push(...(structuredClone(value) as unknown[]));
    // Never `into[name] =`: a member may be called `__proto__`.
    else Object.defineProperty(into, name, { value: structuredClone(value), ...ordinary });
  }
};

const ordinary = { writable: true, enumerable: true, configurable: true } as const;

const isObject = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
