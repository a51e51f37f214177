/** Reads the operations of a document: what each takes, answers and asks for. Runs once for each document. */
import { isRecord, listOf } from '../../basics/json.ts';
import { encodeStep } from '../../basics/json-pointer.ts';
import { type Parameter, parameterOf } from './parameter.ts';
import type { References } from '../schemas/references.ts';
import { ownServerPaths } from './servers.ts';
import { partOf, type Part } from './nodes.ts';

/** The methods of a Path Item (OpenAPI 3.1 §4.8.9), in upper case. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;
export type Method = (typeof methods)[number];

export type Media = {
  /** As it is written: `application/json`, `image/*`. */
  readonly type: string;
  /** As it is in the document; undefined without one. */
  readonly schema: unknown;
  /** By name; that of `example` is empty. */
  readonly examples: ReadonlyMap<string, Example>;
  /** How each field of a form is written, by name. */
  readonly encoding: Readonly<Record<string, Encoding>>;
};

/** Its headers are those of a part, without references. */
export type Encoding = Part & { readonly headers?: Readonly<Record<string, Part>> };

/** `externalValue` is the address of a file next to the document. */
export type Example = { readonly value?: unknown; readonly externalValue?: string };

export type Header = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: unknown;
  readonly explode: boolean;
  /** The value of its first example. */
  readonly example: unknown;
  /** Where `content` describes it. */
  readonly mediaType: string | undefined;
};

export type Response = {
  /** `200`, `4XX` or `default`. */
  readonly key: string;
  readonly media: readonly Media[];
  readonly headers: readonly Header[];
};

export type RequestBody = { readonly isRequired: boolean; readonly media: readonly Media[] };

/** The schemes of one alternative, with their scopes. None: anybody may ask. */
export type Requirement = ReadonlyMap<string, readonly string[]>;

export type Callback = {
  readonly name: string;
  /** A runtime expression, such as `{$request.body#/notify}` (OpenAPI 3.1 §4.8.20). */
  readonly expression: string;
  readonly method: Method;
  readonly body: RequestBody | undefined;
};

export type Operation = {
  /** Its `operationId`; else one of method and path: `getBooksId`. */
  readonly id: string;
  readonly method: Method;
  /** `/books/{id}` */
  readonly path: string;
  /** The steps from the root of the document to the operation. */
  readonly keys: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  /** By key. */
  readonly responses: ReadonlyMap<string, Response>;
  /** Alternatives. None: no credentials are asked for. */
  readonly security: readonly Requirement[];
  readonly callbacks: readonly Callback[];
  /** The paths of its own servers, or of those of its path. Undefined: it has those of the document. */
  readonly servers: readonly string[] | undefined;
};

export type SecurityScheme = {
  readonly name: string;
  readonly type: string;
  /** Of type `http`: `basic`, `bearer`, `digest`, in lower case. */
  readonly scheme: string | undefined;
  /** Of type `apiKey`. */
  readonly in: string | undefined;
  readonly parameter: string | undefined;
};

/** Every operation of a document, by path and method. */
export const operationsOf = (document: Part, references: References): Operation[] => {
  const followed = (value: unknown): Part => partOf(references.follow(value));
  const ids = new Set<string>();
  const operations: Operation[] = [];
  for (const [path, written] of Object.entries(partOf(document['paths']))) {
    if (!path.startsWith('/')) continue;
    const item = partOf(references.overlaid(written));
    for (const method of methods) {
      const raw = followed(item[method.toLowerCase()]);
      if (!isRecord(item[method.toLowerCase()])) continue;
      const id = freeId(raw['operationId'], method, path, ids);
      ids.add(id);
      operations.push(readOperation(raw, { item, document, followed, id, method, path }));
    }
  }
  return operations;
};

const freeId = (written: unknown, method: Method, path: string, taken: ReadonlySet<string>): string => {
  const own = typeof written === 'string' && written !== '' ? written : idOf(method, path);
  for (let number = 2, id = own; ; number += 1) {
    if (!taken.has(id)) return id;
    id = `${own}${number}`;
  }
};

/** `GET /books/{id}` → `getBooksId` */
export const idOf = (method: string, path: string): string => {
  const words = path.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
};

type Context = {
  readonly item: Part;
  readonly document: Part;
  readonly followed: (value: unknown) => Part;
  readonly id: string;
  readonly method: Method;
  readonly path: string;
};

const readOperation = (raw: Part, context: Context): Operation => {
  const { item, document, followed, id, method, path } = context;
  const security = raw['security'] ?? document['security'];
  return {
    ...{ id, method, path, keys: ['paths', path, method.toLowerCase()] },
    parameters: parametersOf(item, raw, context),
    body: raw['requestBody'] === undefined ? undefined : bodyOf(followed(raw['requestBody']), followed),
    responses: new Map(
      Object.entries(partOf(raw['responses'])).flatMap(([key, response]): [string, Response][] =>
        isStatusKey(key) ? [[keyOf(key), readResponse(keyOf(key), followed(response), followed)]] : [],
      ),
    ),
    security: listOf(security).map(
      (requirement) =>
        new Map(Object.entries(partOf(requirement)).map(([name, scopes]) => [name, listOf(scopes).map(String)])),
    ),
    callbacks: callbacksOf(raw, followed),
    // OpenAPI 3.1 §4.8.9.1, §4.8.10.1
    servers: ownServerPaths(raw) ?? ownServerPaths(item),
  };
};

/** Interim answers (1xx) are none that an operation could end with. */
export const isStatusKey = (key: string): boolean => /^([2-5]\d\d|[2-5][xX][xX]|default)$/.test(key);

const keyOf = (key: string): string => (key === 'default' ? key : key.toUpperCase());

/** An operation's own parameter replaces that of its path (OpenAPI 3.1 §4.8.9). */
const parametersOf = (item: Part, raw: Part, { followed, path }: Context): Parameter[] => {
  const byName = new Map<string, Parameter>();
  for (const written of [...listOf(item['parameters']), ...listOf(raw['parameters'])]) {
    const parameter = parameterOf(followed(written));
    if (parameter !== undefined) byName.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  for (const [, name = ''] of path.matchAll(/\{([^{}]*)\}/g))
    if (!byName.has(`path ${name}`)) byName.set(`path ${name}`, undescribed(name));
  return [...byName.values()].filter((parameter) => parameter.in !== 'path' || path.includes(`{${parameter.name}}`));
};

/** A parameter of the template that the document does not describe may be any text. */
const undescribed = (name: string): Parameter => ({
  ...{ name, in: 'path', style: 'simple', explode: false, isRequired: true, allowsEmpty: false },
  ...{ schema: { type: 'string' }, mediaType: undefined },
});

const bodyOf = (body: Part, followed: Context['followed']): RequestBody => ({
  isRequired: body['required'] === true,
  media: mediaOf(body['content'], followed),
});

const mediaOf = (content: unknown, followed: Context['followed']): Media[] =>
  Object.entries(partOf(content)).map(([type, written]) => {
    const media = followed(written);
    return {
      type,
      schema: media['schema'],
      examples: examplesOf(media, followed),
      encoding: encodingOf(media['encoding'], followed),
    };
  });

const encodingOf = (written: unknown, followed: Context['followed']): Media['encoding'] =>
  Object.fromEntries(
    Object.entries(partOf(written)).map(([name, encoding]): [string, Encoding] => {
      const { headers, ...rest } = partOf(encoding);
      const named = Object.entries(partOf(headers)).map(([header, each]) => [header, followed(each)]);
      return [name, { ...rest, headers: Object.fromEntries(named) as Encoding['headers'] & object }];
    }),
  );

/** `example` goes before `examples`. */
const examplesOf = (holder: Part, followed: Context['followed']): Media['examples'] =>
  new Map<string, Example>([
    ...('example' in holder ? [['', { value: holder['example'] }] as const] : []),
    ...Object.entries(partOf(holder['examples'])).flatMap(([name, written]): [string, Example][] => {
      const { value, externalValue, dataValue, serializedValue } = followed(written);
      if (typeof externalValue === 'string') return [[name, { externalValue }]];
      const shown = value === undefined ? (dataValue ?? serializedValue) : value;
      // The file of this example is not there.
      return shown === undefined ? [] : [[name, { value: shown }]];
    }),
  ]);

const readResponse = (key: string, response: Part, followed: Context['followed']): Response => ({
  key,
  media: mediaOf(response['content'], followed),
  headers: Object.entries(partOf(response['headers'])).flatMap(([name, written]) => {
    // Its description is that of `content` (OpenAPI 3.1 §4.8.17.1).
    if (name.toLowerCase() === 'content-type') return [];
    const header = followed(written);
    const [mediaType, media] = Object.entries(partOf(header['content']))[0] ?? [];
    const holder = media === undefined ? header : partOf(media);
    const [first] = [...examplesOf(holder, followed).values()];
    return [
      {
        ...{ name, mediaType, schema: holder['schema'], example: first?.value },
        ...{ isRequired: header['required'] === true, explode: header['explode'] === true },
      },
    ];
  }),
});

const callbacksOf = (raw: Part, followed: Context['followed']): Callback[] =>
  Object.entries(partOf(raw['callbacks'])).flatMap(([name, written]) =>
    Object.entries(followed(written)).flatMap(([expression, itemWritten]) =>
      methods.flatMap((method): Callback[] => {
        const operation = followed(itemWritten)[method.toLowerCase()];
        if (!isRecord(operation)) return [];
        const body =
          operation['requestBody'] === undefined ? undefined : bodyOf(followed(operation['requestBody']), followed);
        return [{ name, expression, method, body }];
      }),
    ),
  );

export const securitySchemesOf = (document: Part, { follow }: References): ReadonlyMap<string, SecurityScheme> =>
  new Map(
    Object.entries(partOf(partOf(document['components'])['securitySchemes'])).map(([name, written]) => {
      const { type, scheme, in: place, name: parameter } = partOf(follow(written));
      const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
      return [
        name,
        {
          name,
          type: text(type) ?? '',
          scheme: text(scheme)?.toLowerCase(),
          in: text(place),
          parameter: text(parameter),
        },
      ];
    }),
  );

/** The key of the response for a status: the status itself, then its class (`4XX`), then `default` (OpenAPI 3.1 §4.8.16). */
export const responseKey = (hasKey: (key: string) => boolean, status: number): string | undefined =>
  [String(status), `${String(status)[0]}XX`, 'default'].find(hasKey);

/** The documented response for a status. */
export const responseFor = ({ responses }: Pick<Operation, 'responses'>, status: number): Response | undefined =>
  responses.get(responseKey((key) => responses.has(key), status) ?? '');

export const pointerOf = ({ keys }: Pick<Operation, 'keys'>): string =>
  keys.map((key) => `/${encodeStep(key)}`).join('');
