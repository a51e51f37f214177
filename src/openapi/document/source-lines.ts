/** Finds the line of `openapi.yaml` for an operation, a parameter or a rule of a schema, in a tree whose nodes know their lines. */
import { encodeStep, readPointer } from '../../basics/json-pointer.ts';
import { loadYaml } from '../../basics/yaml/yaml-library.ts';
import type { ViolatedRule } from '../schemas/violations.ts';
import { methods } from './operation.ts';
import { headIdOf } from './written-operations.ts';

/**
 * The line numbers of one document. A part that the text does not have, because a site added it, gets the location of
 * its nearest parent. A HEAD that the text leaves out is where its GET is. Any other operation that the text does not have
 * gets undefined.
 */
export type SourceLines = {
  /** A member of an operation, such as `['requestBody', 'content']`. */
  operation(operationId: string, steps?: readonly string[]): SourceLocation | undefined;
  /** The item of a path, such as `/node/{node_id}`; `paths` itself when there is no such path. */
  path(pattern: string): SourceLocation | undefined;
  /** A parameter of an operation, or a member of it. */
  parameter(operationId: string, name: ParameterName, steps?: readonly string[]): SourceLocation | undefined;
  /** The rule that a request violates at a pointer, such as `/query/page` or `/requestBody/title`. */
  request(operationId: string, violation: RuleAt): SourceLocation | undefined;
  /** The rule that the headers or the body of a reply violate. */
  reply(operationId: string, reply: DocumentedReply, violation: RuleAt): SourceLocation | undefined;
};

type RuleAt = { readonly pointer: string; readonly rule: ViolatedRule };

type ParameterName = { readonly in: string; readonly name: string };
type DocumentedReply = {
  readonly status: number;
  readonly mediaType: string;
};

let last: { readonly text: string; readonly lines: Promise<SourceLines> } | undefined;

/**
 * Reads the text of a document, which takes some tenths of a second. The lines of the last text are kept: the servers of one process
 * mostly have the same. Throws the errors of the YAML parser.
 */
export const readSourceLines = (text: string): Promise<SourceLines> => {
  if (last?.text !== text) last = { text, lines: linesOf(text) };
  return last.lines;
};

const linesOf = async (text: string): Promise<SourceLines> => {
  const tree = await readSourceTree(text);
  const { root, follow } = tree;
  const paths = follow(root, ['paths']);
  const operations = operationsIn(tree, paths);
  const operation: SourceLines['operation'] = (id, steps = []) => {
    const found = operations.get(id);
    return found === undefined ? undefined : follow(found.operation, steps).location;
  };
  const parameter: SourceLines['parameter'] = (id, wanted, steps = []) => {
    const found = operations.get(id);
    if (found === undefined) return undefined;
    const declared = parameterOf(tree, found, wanted);
    return declared === undefined ? found.operation.location : follow(declared, steps).location;
  };
  return {
    operation,
    path: (pattern) => follow(paths, [pattern]).location,
    parameter,
    request: (id, { pointer, rule }) => {
      const [part = '', name = ''] = readPointer(pointer);
      const steps = readPointer(rule.schemaPath);
      if (part === 'requestBody') return operation(id, [...bodySchema, ...steps]);
      // The repository has no parameters with members.
      return parameter(id, { in: part, name }, rule.keyword === 'required' ? ['required'] : ['schema', ...steps]);
    },
    reply: (id, { status, mediaType }, { pointer, rule }) => {
      const response = ['responses', String(status)];
      const steps = readPointer(rule.schemaPath);
      const [part = '', sent = ''] = readPointer(pointer);
      if (part === 'body') return operation(id, [...response, 'content', mediaType, 'schema', ...steps]);
      const found = operations.get(id);
      if (found === undefined) return undefined;
      const headers = follow(found.operation, [...response, 'headers']);
      const written = headers.names().find((name) => name.toLowerCase() === sent.toLowerCase()) ?? sent;
      return follow(headers, [written, 'schema', ...steps]).location;
    },
  };
};

type WrittenOperation = { readonly item: SourceNode; readonly operation: SourceNode };

const operationsIn = ({ child, children }: SourceTree, paths: SourceNode): ReadonlyMap<string, WrittenOperation> => {
  const operations = new Map<string, WrittenOperation>();
  for (const item of children(paths)) {
    for (const method of methods) {
      const operation = child(item, method.toLowerCase());
      const id = operation === undefined ? undefined : child(operation, 'operationId')?.text;
      if (operation === undefined || id === undefined) continue;
      operations.set(id, { item, operation });
      if (method === 'GET' && !item.names().includes('head')) operations.set(headIdOf(id), { item, operation });
    }
  }
  return operations;
};

/** The operation's own parameter, or else its path's (OpenAPI 3.1 §4.8.9). */
const parameterOf = (
  { child, children }: SourceTree,
  { operation, item }: WrittenOperation,
  wanted: ParameterName,
): SourceNode | undefined => {
  const declared = [operation, item].flatMap((holder) => {
    const list = child(holder, 'parameters');
    return list === undefined ? [] : children(list);
  });
  // The engine has header names in lower case.
  return declared.find(
    (one) =>
      child(one, 'in')?.text === wanted.in && child(one, 'name')?.text?.toLowerCase() === wanted.name.toLowerCase(),
  );
};

const bodySchema = ['requestBody', 'content', 'application/json', 'schema'];

/** `pointer` is a JSON pointer into the document as it is written; `line` counts from 1. */
export type SourceLocation = { readonly pointer: string; readonly line: number };

/** A value of the text. */
type SourceNode = {
  /** The place of the value's name; for an item of a list, the item. */
  readonly location: SourceLocation;
  /** The text of a scalar. */
  readonly text: string | undefined;
  /** The names of a map's members, or the indexes of a list. */
  names(): readonly string[];
  /** The member of this name, without following a `$ref`. */
  written(name: string): SourceNode | undefined;
};

type SourceTree = {
  readonly root: SourceNode;
  /** The member of this name. A `$ref` of the node and one of the member are followed. */
  readonly child: (of: SourceNode, name: string) => SourceNode | undefined;
  readonly children: (of: SourceNode) => readonly SourceNode[];
  /** Goes down the steps, and stops at the last node that exists. */
  readonly follow: (from: SourceNode, steps: readonly string[]) => SourceNode;
};

/** Throws the errors of the YAML parser. */
const readSourceTree = async (text: string): Promise<SourceTree> => {
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
