/** Parses the YAML text of a document into a tree whose nodes know their lines. */
import { loadYaml } from '../../basics/yaml-library.ts';
import { encodeStep, readPointer } from '../../basics/json-pointer.ts';

/** `pointer` is a JSON pointer into the document as it is written; `line` counts from 1. */
export type SourceLocation = { readonly pointer: string; readonly line: number };

/** A value of the text. */
export type SourceNode = {
  /** Where the value's name stands; for an item of a list, the item. */
  readonly location: SourceLocation;
  /** The text of a scalar. */
  readonly text: string | undefined;
  /** The names of a map's members, or the indexes of a list. */
  names(): readonly string[];
  /** The member of this name, without following a `$ref`. */
  written(name: string): SourceNode | undefined;
};

export type SourceTree = {
  readonly root: SourceNode;
  /** The member of this name. A `$ref` of the node and one of the member are followed. */
  readonly child: (of: SourceNode, name: string) => SourceNode | undefined;
  readonly children: (of: SourceNode) => readonly SourceNode[];
  /** Goes down the steps, and stops at the last node that exists. */
  readonly follow: (from: SourceNode, steps: readonly string[]) => SourceNode;
};

/** Throws the errors of the YAML parser. */
export const readSourceTree = async (text: string): Promise<SourceTree> => {
  const { isMap, isScalar, isSeq, LineCounter, parseDocument } = await loadYaml();
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });

  const nodeOf = (value: unknown, pointer: string, offset: number): SourceNode => ({
    location: { pointer, line: lineCounter.linePos(offset).line },
    text: isScalar(value) ? String(value.value) : undefined,
    names: () => {
      if (isMap(value)) return value.items.map(({ key }) => nameOf(key));
      return isSeq(value) ? value.items.map((_item, index) => String(index)) : [];
    },
    written: (name) => {
      const inner = `${pointer}/${encodeStep(name)}`;
      if (isSeq(value)) {
        const item: unknown = value.items[Number(name)];
        return item === undefined ? undefined : nodeOf(item, inner, startOf(item));
      }
      const pair = isMap(value) ? value.items.find(({ key }) => nameOf(key) === name) : undefined;
      return pair === undefined ? undefined : nodeOf(pair.value, inner, startOf(pair.key));
    },
  });
  const nameOf = (key: unknown): string => (isScalar(key) ? String(key.value) : '');

  const root = nodeOf(document.contents, '', 0);
  /** The target of a node's `$ref`, or the node itself. */
  const resolved = (of: SourceNode): SourceNode => {
    const reference = of.written('$ref')?.text;
    return reference === undefined ? of : follow(root, readPointer(reference));
  };
  const child = (of: SourceNode, name: string): SourceNode | undefined => {
    const found = of.written(name) ?? resolved(of).written(name);
    return found === undefined ? undefined : resolved(found);
  };
  const follow = (from: SourceNode, steps: readonly string[]): SourceNode => {
    const [step, ...rest] = steps;
    const reached = step === undefined ? undefined : child(from, step);
    return reached === undefined ? from : follow(reached, rest);
  };
  const children = (of: SourceNode): SourceNode[] => of.names().flatMap((name) => child(of, name) ?? []);
  return { root, child, children, follow };
};

const startOf = (node: unknown): number => {
  const range = (node as { readonly range?: readonly number[] | null } | null)?.range; // every node of a parsed text has one
  return range?.[0] ?? 0;
};
