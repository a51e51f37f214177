/** Collects a request for each operation of a document, with its examples: what every tool's own format is written from. */
import { listOf } from '../../basics/json.ts';
import { readPointer } from '../../basics/json-pointer.ts';
import { dereference } from './dereference.ts';
import { type Part, partOf } from './document-tree.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { parametersOf, writtenOperations } from './operation.ts';

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

export type Collection = {
  readonly name: string;
  readonly description: string;
  readonly baseUrl: string;
  readonly folders: readonly RequestFolder[];
};

/** What a person sets: the address of the server, and the account. */
export const collectionVariables = ({ baseUrl }: Collection): readonly NamedValue[] => [
  { name: 'baseUrl', value: baseUrl },
  { name: 'username', value: 'admin' },
  { name: 'password', value: 'islandora' },
];

/** `document` has its references. Its folders are the tags, in their order. */
export const collect = (document: DocumentObject): Collection => {
  const resolved = dereference(document);
  const located = locate(resolved);
  const chain = chainOf(located);
  const folders = listOf(resolved['tags'])
    .map(partOf)
    .map(({ name, description }) => ({
      name: textOf(name),
      description: textOf(description),
      requests: located
        .filter(({ operation }) => listOf(operation['tags'])[0] === name)
        .map((each) => requestOf(each, chain)),
    }));
  const { title, summary } = partOf(resolved['info']);
  return {
    name: textOf(title),
    description: textOf(summary),
    baseUrl: resolved.servers?.[0]?.url ?? '',
    folders: folders.filter(({ requests }) => requests.length > 0),
  };
};

/** An operation of a document without references, with all of its parameters. */
export type Located = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Part;
  readonly parameters: readonly Part[];
};

/** The text without blanks around it. Empty for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

export const locate = (document: DocumentObject): readonly Located[] =>
  writtenOperations(document).flatMap(({ method, path, item, operation }) => {
    const id = textOf(operation['operationId']);
    return id === '' ? [] : [{ id, method, path, operation, parameters: [...parametersOf(item, operation).values()] }];
  });

/** What one answer has and a query parameter of another request needs, by the links of the document. */
type Chain = {
  /** By operation id: what it keeps. */
  readonly kept: ReadonlyMap<string, readonly Kept[]>;
  /** By operation id and name of the parameter: the variable. */
  readonly used: ReadonlyMap<string, string>;
};

/** Ids in paths have examples of their own. What else a link carries, such as a token, cannot be known before. */
const chainOf = (located: readonly Located[]): Chain => {
  const links = located.flatMap(({ id, operation }) =>
    successesOf(operation)
      .flatMap(([, response]) => Object.values(partOf(response['links'])))
      .map(partOf)
      .flatMap(({ operationId, parameters }) =>
        Object.entries(partOf(parameters)).map(([name, expression]) => ({
          id,
          to: textOf(operationId),
          name,
          expression,
        })),
      ),
  );
  const carried = links.flatMap(({ id, to, name, expression }) => {
    const [, pointer] = /^\$response\.body#(\/.*)$/.exec(textOf(expression)) ?? [];
    const target = located.find((each) => each.id === to)?.parameters.find((each) => each['name'] === name);
    if (pointer === undefined || target?.['in'] !== 'query') return [];
    return [{ id, key: `${to} ${name}`, kept: { variable: `${to}_${name}`, steps: readPointer(`#${pointer}`) } }];
  });
  const kept = new Map(
    located.map(({ id }) => [id, carried.filter((each) => each.id === id).map((each) => each.kept)]),
  );
  return { kept, used: new Map(carried.map((each) => [each.key, each.kept.variable])) };
};

const requestOf = ({ id, method, path, operation, parameters }: Located, chain: Chain): CollectedRequest => {
  const valuesIn = (place: string): readonly NamedValue[] =>
    parameters
      .filter((each) => each['in'] === place)
      .flatMap((each) => {
        const name = textOf(each['name']);
        const variable = chain.used.get(`${id} ${name}`);
        const value = variable === undefined ? exampleOf(each) : `{{${variable}}}`;
        return value === undefined ? [] : [{ name, value: typeof value === 'string' ? value : JSON.stringify(value) }];
      });
  const inPath = valuesIn('path');
  const written = inPath.filter(({ value }) => value.includes('/'));
  const body = bodyOf(operation);
  return {
    id,
    name: textOf(operation['summary']) || id,
    description: textOf(operation['description']),
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
    isSignedIn: listOf(operation['security']).some((choice) => 'basic_auth' in partOf(choice)),
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
  return { type, isJson, text: isJson ? JSON.stringify(example ?? {}, null, 2) : textOf(example) };
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
