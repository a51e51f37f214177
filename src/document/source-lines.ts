/** Where a rule stands in the text of the document: from an operation and a place in its schemas to a line of `openapi.yaml`. */
import type { ViolatedRule } from './contract-violation.ts';
import { methods } from './operation.ts';
import { readSourceTree, type Member, type SourcePlace, type SourceTree } from './source-tree.ts';

/**
 * Each answers with the nearest place that is written when the very place is not: a site may have brought it along.
 * Undefined for an operation that the text does not have.
 */
export type SourceLines = {
  /** A member of an operation, such as `['requestBody', 'content']`. */
  operation(operationId: string, steps?: readonly string[]): SourcePlace | undefined;
  /** The item of a path, such as `/node/{node_id}`; `paths` itself when there is no such path. */
  path(pattern: string): SourcePlace | undefined;
  /** A parameter of an operation, or a member of it. */
  parameter(operationId: string, name: ParameterName, steps?: readonly string[]): SourcePlace | undefined;
  /** A rule that a request has broken. */
  request(operationId: string, rule: ViolatedRule): SourcePlace | undefined;
  /** A rule that the headers or the body of a reply have broken. */
  reply(operationId: string, reply: DocumentedReply, rule: ViolatedRule): SourcePlace | undefined;
};

export type ParameterName = { readonly in: string; readonly name: string };
export type DocumentedReply = {
  readonly status: number;
  readonly mediaType: string;
  readonly part: 'headers' | 'body';
};

/** Reads the text of a document, which takes some tenths of a second. Throws what the parser of YAML throws. */
export const readSourceLines = async (text: string): Promise<SourceLines> => {
  const tree = await readSourceTree(text);
  const { root, follow } = tree;
  const paths = follow(root, ['paths']);
  const operations = operationsIn(tree, paths);
  const inOperation = (id: string, steps: readonly string[]): SourcePlace | undefined => {
    const found = operations.get(id);
    return found === undefined ? undefined : follow(found.operation, steps).place;
  };
  const parameter: SourceLines['parameter'] = (id, wanted, steps = []) => {
    const found = operations.get(id);
    if (found === undefined) return undefined;
    const declared = parameterOf(tree, found, wanted);
    return declared === undefined ? found.operation.place : follow(declared, steps).place;
  };
  return {
    operation: (id, steps = []) => inOperation(id, steps),
    path: (pattern) => follow(paths, [pattern]).place,
    parameter,
    request: (id, { keyword, schemaPath, params }) => {
      // The library's schema of a request has a property for each place that a parameter can be in, and one for the body.
      const [, place = '', ...rest] = stepsOf(schemaPath);
      if (place === 'requestBody') return inOperation(id, [...bodySchema, ...rest]);
      const [, named = '', ...inside] = rest;
      const name = keyword === 'required' ? String(params['missingProperty']) : named;
      return parameter(id, { in: place, name }, keyword === 'required' ? ['required'] : ['schema', ...inside]);
    },
    reply: (id, { status, mediaType, part }, { schemaPath }) => {
      const response = ['responses', String(status)];
      const steps = stepsOf(schemaPath);
      if (part === 'body') return inOperation(id, [...response, 'content', mediaType, 'schema', ...steps]);
      const found = operations.get(id);
      if (found === undefined) return undefined;
      const headers = follow(found.operation, [...response, 'headers']);
      const [, , , sent = '', ...inside] = steps;
      const written = headers.names().find((name) => name.toLowerCase() === sent) ?? sent;
      return follow(headers, [written, 'schema', ...inside]).place;
    },
  };
};

type WrittenOperation = { readonly item: Member; readonly operation: Member };

const operationsIn = ({ child, children }: SourceTree, paths: Member): ReadonlyMap<string, WrittenOperation> => {
  const operations = new Map<string, WrittenOperation>();
  for (const item of children(paths)) {
    for (const method of methods) {
      const operation = child(item, method.toLowerCase());
      const id = operation === undefined ? undefined : child(operation, 'operationId')?.text;
      if (operation !== undefined && id !== undefined) operations.set(id, { item, operation });
    }
  }
  return operations;
};

/** An operation's own parameter stands over its path's (OpenAPI 3.1 §4.8.9). */
const parameterOf = (
  { child, children }: SourceTree,
  { operation, item }: WrittenOperation,
  wanted: ParameterName,
): Member | undefined => {
  const declared = [operation, item].flatMap((holder) => {
    const list = child(holder, 'parameters');
    return list === undefined ? [] : children(list);
  });
  // Names of headers are known in lower case.
  return declared.find(
    (one) =>
      child(one, 'in')?.text === wanted.in && child(one, 'name')?.text?.toLowerCase() === wanted.name.toLowerCase(),
  );
};

const bodySchema = ['requestBody', 'content', 'application/json', 'schema'];

/** The steps of a pointer in the form of a URI fragment (RFC 6901 §6). */
const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
