/** Applies OpenAPI overlays (version 1.0) to a document. `server/sources/check-document.ts` checks the result. */
import type { JSONValue } from 'json-p3';
import { isRecord } from '../../basics/json.ts';
import { lazyModule } from '../../basics/lazy-module.ts';
import { flawError, type Flaw } from '../../basics/configuration-error.ts';
import type { ParsedYaml } from '../../basics/yaml/read-yaml.ts';
import type { DocumentObject } from './document.ts';
import { type Part } from './document-tree.ts';
import { withinTime } from '../../basics/time-limit.ts';

const loadJsonPath = lazyModule(() => import('json-p3'), 'jsonpath');

/** One change: updates or removes the values that a JSONPath (RFC 9535) selects. */
export type OverlayAction = {
  readonly target: string;
  readonly update?: unknown;
  readonly remove: boolean;
};

/** An overlay, and its parsed file, which knows the lines. */
export type Overlay = {
  readonly file: string;
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
};

type OverlayResult = {
  readonly document: DocumentObject;
  readonly applied: readonly AppliedUpdate[];
  /** Actions that selected nothing. The specification allows them, but most are mistakes. */
  readonly warnings: readonly Flaw[];
};

/** How long a JSONPath may search, in milliseconds. */
const selectMs = 2000;

/** Applies overlays to a copy of a document, in their order. Throws `ConfigurationError`. */
export const applyOverlays = async (document: DocumentObject, overlays: readonly Overlay[]): Promise<OverlayResult> => {
  const { jsonpath } = await loadJsonPath();
  const root = structuredClone(document) as unknown as JSONValue; // a document is JSON
  const applied: AppliedUpdate[] = [];
  const warnings: Flaw[] = [];
  for (const overlay of overlays) {
    for (const [index, action] of overlay.actions.entries()) {
      const select = (): Location[] =>
        withinTime(
          selectMs,
          () => jsonpath.query(action.target, root).nodes.map(({ location }) => [...location]),
          () => {
            throw new Error(`it has not ended after ${selectMs / 1000} s`);
          },
        );
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
  return { document: root as unknown as DocumentObject, applied, warnings }; // `checkDocument` validates it
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

const updateAt = (root: unknown, location: Location, update: unknown): void => {
  mergeInto(
    location.reduce<unknown>((holder, key) => (holder as Container)[key], root), // the JSONPath found every key
    update,
  );
};

/** Merges objects member by member, and appends to a list (Overlay 1.0 §4.4.3). Nothing else can be updated. */
const mergeInto = (selected: unknown, update: unknown): void => {
  if (Array.isArray(selected)) selected.push(structuredClone(update));
  else if (isRecord(selected) && isRecord(update)) mergeMembers(selected, update);
  else throw new Error('only an object can be updated by an object, or a list by an entry');
};

const mergeMembers = (into: Part, update: Part): void => {
  for (const [name, value] of Object.entries(update)) {
    const present = Object.hasOwn(into, name) ? into[name] : undefined;
    if (isRecord(present) && isRecord(value)) mergeMembers(present, value);
    else if (Array.isArray(present) && Array.isArray(value)) present.push(...(structuredClone(value) as unknown[]));
    // Not `into[name] =`, because a member may be called `__proto__`.
    else Object.defineProperty(into, name, { value: structuredClone(value), ...plainProperty });
  }
};

const plainProperty = { writable: true, enumerable: true, configurable: true } as const;
