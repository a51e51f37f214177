/** Collects a request for each operation of a document, with its examples: what every tool's own format is written from. */
import { listOf } from '../../basics/json.ts';
import { readPointer } from '../../basics/json-pointer.ts';
import { dereference } from './dereference.ts';
import { type DocumentObject, type Part, partOf } from './nodes.ts';
import { writtenParameters, writtenOperations } from './written-operations.ts';

/** A name with the text that is sent for it. */
export type NamedValue = { readonly name: string; readonly value: string };

type CollectedHeader = NamedValue & {
  /** Left out unless somebody switches it on: a condition, or a part of the bytes, would give another answer. */
  readonly isOff: boolean;
};

/** What a request keeps of its answer for a later one: the value at these steps, under this name. */
export type Kept = { readonly variable: string; readonly steps: readonly string[] };

export type CollectedRequest = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** With parameters as in the document, `/node/{node_id}`. A value with slashes is in it already. */
  readonly path: string;
  readonly pathValues: readonly NamedValue[];
  readonly query: readonly NamedValue[];
  readonly headers: readonly CollectedHeader[];
  readonly body: { readonly text: string; readonly isJson: boolean } | undefined;
  readonly isSignedIn: boolean;
  /** The statuses of a right answer: what the document says of success, or of refusals where nobody succeeds. */
  readonly statuses: readonly number[];
  readonly keeps: readonly Kept[];
};

type RequestFolder = {
  readonly name: string;
  readonly description: string;
  readonly requests: readonly CollectedRequest[];
};

/** The requests of a document, in the folders of its tags. */
export type RequestCollection = {
  readonly name: string;
  readonly description: string;
  readonly baseUrl: string;
  readonly folders: readonly RequestFolder[];
};

/** `document` has its references. Its folders are the tags, in their order. */
export const collectRequests = (document: DocumentObject): RequestCollection => {
  const resolved = dereference(document);
  const located = locateOperations(resolved);
  const context = { chain: chainOf(located), basicSchemes: basicSchemesOf(resolved) };
  const folders = listOf(resolved['tags'])
    .map(partOf)
    .map(({ name, description }) => ({
      name: trimmedText(name),
      description: trimmedText(description),
      requests: located
        .filter(({ operation }) => listOf(operation['tags'])[0] === name)
        .map((each) => requestOf(each, context)),
    }));
  const { title, summary } = partOf(resolved['info']);
  return {
    name: trimmedText(title),
    description: trimmedText(summary),
    baseUrl: resolved.servers?.[0]?.url ?? '',
    folders: folders.filter(({ requests }) => requests.length > 0),
  };
};

/** An operation of a document without references, with all of its parameters. */
export type LocatedOperation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Part;
  readonly parameters: readonly Part[];
};

/** The text without blanks around it. Empty for anything else. */
export const trimmedText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The operations of a document without references that have an id. */
export const locateOperations = (document: DocumentObject): readonly LocatedOperation[] =>
  writtenOperations(document).flatMap(({ method, path, item, operation }) => {
    const id = trimmedText(operation['operationId']);
    return id === ''
      ? []
      : [{ id, method, path, operation, parameters: [...writtenParameters(item, operation).values()] }];
  });

/** What one answer has and a query parameter of another request needs, by the links of the document. */
type Chain = {
  /** By operation id: what it keeps. */
  readonly kept: ReadonlyMap<string, readonly Kept[]>;
  /** By operation id and name of the parameter: the variable. */
  readonly used: ReadonlyMap<string, string>;
};

/** Ids in paths have examples of their own. What else a link carries, such as a token, cannot be known before. */
const chainOf = (located: readonly LocatedOperation[]): Chain => {
  const links = located.flatMap(({ id, operation }) =>
    successesOf(operation)
      .flatMap(([, response]) => Object.values(partOf(response['links'])))
      .map(partOf)
      .flatMap(({ operationId, parameters }) =>
        Object.entries(partOf(parameters)).map(([name, expression]) => ({
          id,
          to: trimmedText(operationId),
          name,
          expression,
        })),
      ),
  );
  const carried = links.flatMap(({ id, to, name, expression }) => {
    const [, pointer] = /^\$response\.body#(\/.*)$/.exec(trimmedText(expression)) ?? [];
    const target = located.find((each) => each.id === to)?.parameters.find((each) => each['name'] === name);
    if (pointer === undefined || target?.['in'] !== 'query') return [];
    return [{ id, key: `${to} ${name}`, kept: { variable: `${to}_${name}`, steps: readPointer(`#${pointer}`) } }];
  });
  const kept = new Map(
    located.map(({ id }) => [id, carried.filter((each) => each.id === id).map((each) => each.kept)]),
  );
  return { kept, used: new Map(carried.map((each) => [each.key, each.kept.variable])) };
};

/** The names of the security schemes that take a name and a password. */
const basicSchemesOf = ({ components }: DocumentObject): readonly string[] =>
  Object.entries(partOf(components['securitySchemes'])).flatMap(([name, scheme]) => {
    const { type, scheme: kind } = partOf(scheme);
    return type === 'http' && trimmedText(kind).toLowerCase() === 'basic' ? [name] : [];
  });

type Context = { readonly chain: Chain; readonly basicSchemes: readonly string[] };

const requestOf = (
  { id, method, path, operation, parameters }: LocatedOperation,
  { chain, basicSchemes }: Context,
): CollectedRequest => {
  const valuesIn = (place: string): readonly NamedValue[] =>
    parameters
      .filter((each) => each['in'] === place)
      .flatMap((each) => {
        const name = trimmedText(each['name']);
        const variable = chain.used.get(`${id} ${name}`);
        const value = variable === undefined ? exampleOf(each) : `{{${variable}}}`;
        return value === undefined ? [] : [{ name, value: typeof value === 'string' ? value : JSON.stringify(value) }];
      });
  const inPath = valuesIn('path');
  const written = inPath.filter(({ value }) => value.includes('/'));
  const body = bodyOf(operation);
  return {
    id,
    name: trimmedText(operation['summary']) || id,
    description: trimmedText(operation['description']),
    method,
    path: written.reduce((text, { name, value }) => text.replace(`{${name}}`, encodeURI(value)), path),
    pathValues: inPath.filter((each) => !written.includes(each)),
    query: valuesIn('query'),
    headers: [
      ...(body === undefined ? [] : [{ name: 'Content-Type', value: body.type, isOff: false }]),
      ...valuesIn('header').map((header): CollectedHeader => ({
        ...header,
        isOff: /^(If-|Range$)/i.test(header.name),
      })),
    ],
    body,
    isSignedIn: listOf(operation['security']).some((choice) => basicSchemes.some((name) => name in partOf(choice))),
    statuses: statusesOf(operation),
    keeps: chain.kept.get(id) ?? [],
  };
};

const exampleOf = (holder: Part): unknown => {
  const { example, examples, schema } = holder;
  const { default: preset, enum: choices, examples: samples } = partOf(schema);
  const [first] = Object.values(partOf(examples)).map((each) => partOf(each)['value']);
  return example ?? first ?? listOf(samples)[0] ?? preset ?? listOf(choices)[0];
};

const bodyOf = (operation: Part): { type: string; text: string; isJson: boolean } | undefined => {
  const [entry] = Object.entries(partOf(partOf(operation['requestBody'])['content']));
  if (entry === undefined) return undefined;
  const [type, media] = entry;
  const example = exampleOf(partOf(media));
  const isJson = /[/+]json$/.test(type);
  return { type, isJson, text: isJson ? JSON.stringify(example ?? {}, null, 2) : trimmedText(example) };
};

const responsesOf = (operation: Part): readonly (readonly [number, Part])[] =>
  Object.entries(partOf(operation['responses'])).map(
    ([status, response]) => [Number(status), partOf(response)] as const,
  );

const successesOf = (operation: Part): readonly (readonly [number, Part])[] =>
  responsesOf(operation).filter(([status]) => status >= 200 && status < 300);

const statusesOf = (operation: Part): readonly number[] => {
  const successes = successesOf(operation).map(([status]) => status);
  if (successes.length > 0) return successes;
  return responsesOf(operation)
    .map(([status]) => status)
    .filter((status) => status >= 400 && status < 500);
};
