/**
 * Parses large texts of YAML or JSON, and finds the line of each value. js-yaml takes a third of the time and memory of the library that
 * reads a site's files, or less; that one can write them again.
 */
import type * as JsYaml from 'js-yaml';
import { parsedJson } from '../json.ts';
import { lazyModule } from '../lazy-module.ts';

export type LocatedYaml = {
  readonly value: unknown;
  /** The line of a key, counted from 1. For a missing key, the line of the closest one around it. */
  readonly lineOf: (keys: readonly (string | number)[]) => number;
  /** Keys of YAML that a mapping has more than once, in the order of their lines. Only the last of each counts. */
  readonly repeatedKeys: readonly RepeatedKey[];
};

export type RepeatedKey = { readonly key: string; readonly line: number };

/** A text that is neither YAML nor JSON. */
export class YamlSyntaxError extends Error {
  override name = 'YamlSyntaxError';
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const loadJsYaml = lazyModule(() => import('js-yaml'), 'parseEvents');

/** The deepest value that is read. */
const maxDepth = 200;

/** Throws `YamlSyntaxError`. */
export const parseLocatedYaml = async (text: string): Promise<LocatedYaml> => {
  const plain = text.replace(/^\ufeff/, '');
  const library = await loadJsYaml();
  const lines = linesOf(plain);
  try {
    // JSON is YAML, but its own parser is ten times as fast. Its lines are looked for when somebody asks for one.
    const json = /^\s*[{[]/.test(plain) ? parsedJson(plain) : undefined;
    let kept: WeakRef<Events> | undefined;
    // The events of a large text take ten times its memory. They are made again where they are gone.
    const events = (): Events => {
      const made = kept?.deref() ?? eventsOf(plain, library);
      kept = new WeakRef(made);
      return made;
    };
    const value = json === undefined ? valueOf(events().list, plain, library) : json;
    const repeated = json === undefined ? repeatedIn(events(), plain, library) : [];
    return {
      value,
      repeatedKeys: repeated.map(({ key, offset }) => ({ key, line: lines(offset) })),
      lineOf: (keys) => lines(keys.length === 0 ? startOfText(plain) : offsetOrStart(events, plain, keys, library)),
    };
  } catch (error) {
    if (!(error instanceof library.YAMLException)) throw error;
    throw new YamlSyntaxError(error.reason, (error.mark?.line ?? 0) + 1);
  }
};

type Events = {
  readonly list: JsYaml.Event[];
  /** For each event that begins a value the position behind the value. */
  readonly behind: Int32Array;
};

const eventsOf = (text: string, library: typeof JsYaml): Events => {
  const { EVENT_ID: id } = library;
  const list = library.parseEvents(text, { maxDepth });
  const behind = new Int32Array(list.length);
  const open: number[] = [];
  for (const [index, { type }] of list.entries()) {
    if (type === id.MAPPING || type === id.SEQUENCE) open.push(index);
    else if (type === id.POP) behind[open.pop() ?? 0] = index + 1;
    else behind[index] = index + 1;
  }
  return { list, behind };
};

const repeatedIn = ({ list, behind }: Events, source: string, library: typeof JsYaml) => {
  const { EVENT_ID: id } = library;
  const after = (index: number): number => behind[index] ?? list.length;
  return list.flatMap(({ type }, at) => {
    const repeated: { readonly key: string; readonly offset: number }[] = [];
    if (type !== id.MAPPING) return repeated;
    const keys = new Set<string>();
    for (let next = at + 1; list[next] !== undefined && list[next]?.type !== id.POP; next = after(after(next))) {
      const name = list[next];
      if (name?.type !== id.SCALAR) continue;
      const key = library.getScalarValue(source, name);
      // Several merges are allowed in practice.
      if (keys.has(key) && key !== '<<') repeated.push({ key, offset: name.valueStart });
      keys.add(key);
    }
    return repeated;
  });
};

const startOfText = (text: string): number => Math.max(text.search(/\S/), 0);

/** JSON may be nested more deeply than YAML is read. */
const offsetOrStart = (
  events: () => Events,
  source: string,
  keys: readonly (string | number)[],
  library: typeof JsYaml,
): number => {
  try {
    return offsetOf(events(), source, keys, library);
  } catch (error) {
    if (error instanceof library.YAMLException) return 0;
    throw error;
  }
};

const valueOf = (events: JsYaml.Event[], source: string, library: typeof JsYaml): unknown => {
  const schema = library.CORE_SCHEMA.withTags(library.mergeTag);
  return library.constructFromEvents(events, { source, schema, json: true, maxAliases: -1 })[0];
};

/** Line numbers by offset. */
const linesOf = (text: string): ((offset: number) => number) => {
  let starts: number[] | undefined;
  const find = (): number[] => {
    const found = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) found.push(at + 1);
    return found;
  };
  return (offset) => {
    starts ??= find();
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
};

/** Where the last of the keys that is there begins. */
const offsetOf = (
  { list: events, behind }: Events,
  source: string,
  keys: readonly (string | number)[],
  library: typeof JsYaml,
): number => {
  const { EVENT_ID: id } = library;
  const after = (index: number): number => behind[index] ?? events.length;
  let at = events.findIndex(({ type }) => type !== id.DOCUMENT);
  let offset = 0;
  for (const key of keys) {
    const holder = events[at];
    if (holder?.type === id.MAPPING) {
      let found: number | undefined;
      for (let next = at + 1; events[next] !== undefined && events[next]?.type !== id.POP; next = after(after(next))) {
        const name = events[next];
        if (name?.type !== id.SCALAR || library.getScalarValue(source, name) !== String(key)) continue;
        found = next;
        offset = name.valueStart;
      }
      if (found === undefined) return offset;
      at = after(found);
    } else if (holder?.type === id.SEQUENCE) {
      let next = at + 1;
      for (let index = 0; index < Number(key) && events[next]?.type !== id.POP; index += 1) next = after(next);
      const item = events[next];
      if (item === undefined || item.type === id.POP) return offset;
      offset = startOf(item) ?? offset;
      at = next;
    } else return offset;
  }
  return offset;
};

const startOf = (event: JsYaml.Event): number | undefined => {
  if ('valueStart' in event) return event.valueStart;
  if ('start' in event) return event.start;
  return 'anchorStart' in event ? event.anchorStart : undefined;
};
