/** What makers of clients need of the document: names for everything, bytes by type, links that can be followed. Real generators are in `test/system/sdk`. */
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { dereference } from '../../src/openapi/openapi-parts.ts';
import type { DocumentObject } from '../../src/openapi/openapi-terms.ts';
import { readContract } from '../support/site-sources.ts';
import { root } from '../support/atoll.ts';
import { type Document, examplesOf, type Exemplified, locate } from '../support/document-view.ts';

const written = (await readContract(join(root, 'openapi.yaml'))) as unknown as Document; // test/document/openapi.test.ts validates it
const document = dereference(written as unknown as DocumentObject) as unknown as Document; // the same document, resolved
const operations = locate(document);

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const treeOf = (value: unknown): Tree => (isTree(value) ? value : {});

/** A schema that stands inside another thing: a reference, a plain value, or a list of these. */
const isSimple = (schema: unknown): boolean => {
  if (!isTree(schema)) return typeof schema === 'boolean';
  if (typeof schema['$ref'] === 'string') return true;
  if (schema['type'] === 'array') return isSimple(schema['items']);
  const inner = ['properties', 'additionalProperties', 'patternProperties', 'oneOf', 'anyOf', 'allOf', 'not', 'items'];
  return schema['type'] !== undefined && schema['type'] !== 'object' && inner.every((keyword) => !(keyword in schema));
};

/** Every schema that stands inside another thing, with where. */
const insideSchemas = (): [string, unknown][] => {
  const found: [string, unknown][] = [];
  const walk = (value: unknown, where: string): void => {
    if (Array.isArray(value)) value.forEach((each, index) => walk(each, `${where}/${index}`));
    if (!isTree(value)) return;
    for (const [name, child] of Object.entries(value)) {
      if (name === 'schema') found.push([`${where}/schema`, child]);
      else if (!['example', 'examples', 'value'].includes(name)) walk(child, `${where}/${name}`);
    }
  };
  const { schemas, examples, ...components } = written.components;
  expect(Object.keys(examples ?? {})).not.toEqual([]);
  walk({ paths: written.paths, components }, '');
  for (const [name, schema] of Object.entries(schemas)) {
    const lists = ['oneOf', 'anyOf', 'allOf'].flatMap((keyword) => (schema[keyword] ?? []) as unknown[]); // JSON Schema
    const maps = ['properties', 'patternProperties'].flatMap((keyword) => Object.entries(treeOf(schema[keyword])));
    const items = 'items' in schema ? [schema['items']] : [];
    for (const [index, each] of [...lists, ...items].entries()) found.push([`${name}/${index}`, each]);
    for (const [member, each] of maps) found.push([`${name}/${member}`, each]);
  }
  return found;
};

describe('The document, to a generator', () => {
  it('has a name for every object and every choice: nothing but values, lists and references stands inside', () => {
    const inside = insideSchemas();
    expect(inside.length).toBeGreaterThan(400);
    expect(inside.filter(([, schema]) => !isSimple(schema)).map(([where]) => where)).toEqual([]);
  });

  it('gives no schema a name that a generator makes of an operation', () => {
    const upper = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1);
    const suffixes = ['', 'Result', 'Params', 'Body', 'Request', 'Response', 'Responses', 'Data', 'Errors', 'Options'];
    const made = operations.flatMap(({ operation: { operationId: id } }) =>
      suffixes.map((suffix) => `${upper(id)}${suffix}`.toLowerCase()),
    );
    const names = Object.keys(written.components.schemas).map((name) => name.toLowerCase());
    expect(names.filter((name) => made.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('leaves maps open that have members of their own, since languages hold all members of a map to one type', () => {
    const mixed = Object.entries(written.components.schemas).filter(
      ([, schema]) => isTree(schema['additionalProperties']) && isTree(schema['properties']),
    );
    expect(mixed.map(([name]) => name)).toEqual([]);
  });

  it('says of all bytes that they are binary, under a media type that generators know, before any other', () => {
    const bytes = operations.flatMap(({ operation: { operationId, requestBody, responses } }) =>
      [requestBody?.content, ...Object.values(responses).map(({ content }) => content)].flatMap((content) =>
        Object.values(content ?? {}).some(({ schema }) => schema?.['format'] === 'binary')
          ? [[operationId, Object.keys(content ?? {})] as const]
          : [],
      ),
    );
    expect(Object.fromEntries(bytes)).toEqual({
      putNodeMedia: ['application/octet-stream', '*/*'],
      putMediaSource: ['application/octet-stream', '*/*'],
      uploadFile: ['application/octet-stream'],
      getPublicContent: ['application/octet-stream', '*/*'],
      getExternalContent: ['application/octet-stream', '*/*'],
    });
  });

  it('offers three ways to say who asks', () => {
    expect(written.components['securitySchemes']).toMatchObject({
      basic_auth: { type: 'http', scheme: 'basic' },
      jwt_auth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      cookie: { type: 'apiKey', in: 'cookie' },
    });
  });

  it('describes Link on every read of a record that has links, and Location on every 201 that has an address', () => {
    const withHeader = (name: string): string[] =>
      operations.flatMap(({ operation: { operationId, responses } }) =>
        Object.entries(responses).some(([status, { headers = {} }]) => Number(status) < 300 && name in headers)
          ? [operationId]
          : [],
      );
    const ofTerms = ['TermFromUri', 'TermFromTermName', 'TermFromAuthorityLink'];
    const configuration = ['FieldStorageConfig', 'MediaType', 'NodeType', 'Vocabulary'];
    const records = [
      'Node',
      'Media',
      'File',
      'Term',
      'User',
      'MediaByEditPath',
      'Checksum',
      ...ofTerms,
      ...configuration,
    ];
    const lists = ['NodeMedia', 'NodeMembers', 'TermsOfVocabulary'];
    const linked = [
      ...[...records, ...lists].map((kind) => `head${kind}`),
      ...records.map((kind) => `get${kind}`),
      ...lists.map((kind) => `list${kind}`),
    ];
    expect(withHeader('Link').sort()).toEqual(linked.sort());
    expect(withHeader('Location').sort()).toEqual([
      'createMedia',
      'createNode',
      'createRedirect',
      'createTerm',
      'putNodeMedia',
    ]);
  });
});

describe('The links of its answers', () => {
  type Link = { readonly operationId: string; readonly parameters: Readonly<Record<string, string>> };
  const parametersOf = (id: string): Map<string, boolean> => {
    const located = operations.find(({ operation }) => operation.operationId === id);
    if (located === undefined) throw new Error(`The document has no operation ${id}`);
    const all = [...(located.item.parameters ?? []), ...(located.operation.parameters ?? [])];
    return new Map(all.map(({ name, required }) => [name, required ?? false]));
  };
  const links = operations.flatMap(({ operation: { operationId, responses } }) =>
    Object.values(responses).flatMap((response) =>
      Object.entries((response as { links?: Record<string, Link> }).links ?? {}).map(([name, link]) => ({
        name: `${operationId} ${name}`,
        from: operationId,
        link,
        json: response.content?.['application/json'] ?? ({} satisfies Exemplified),
      })),
    ),
  );
  /** JSON Pointer, RFC 6901. */
  const at = (value: unknown, pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((place, step) => (place as Record<string, unknown> | undefined)?.[step], value); // lists are objects too

  it('lead on from everything that is made, and around everything that is read', () => {
    expect([...new Set(links.map(({ from }) => from))].sort()).toEqual(
      [
        ...['createMedia', 'createNode', 'createTerm', 'getMedia', 'getMediaByEditPath', 'getNode', 'login'],
        ...['putNodeMedia', 'uploadFile'],
      ].sort(),
    );
  });

  it.each(links)('give what the operation they lead to cannot do without: $name', ({ from, link, json }) => {
    const wanted = parametersOf(link.operationId);
    for (const [name, required] of wanted) if (required) expect(link.parameters).toHaveProperty([name]);
    for (const [name, expression] of Object.entries(link.parameters)) {
      expect([...wanted.keys()]).toContain(name);
      const [, pathParameter] = /^\$request\.path\.(\w+)$/.exec(expression) ?? [];
      if (pathParameter !== undefined) expect([...parametersOf(from).keys()]).toContain(pathParameter);
      const [, pointer] = /^\$response\.body#(\/.*)$/.exec(expression) ?? [];
      if (pointer === undefined) continue;
      const values = examplesOf(json).map(([, value]) => at(value, pointer));
      expect(values.filter((value) => value !== undefined)).not.toEqual([]);
    }
  });
});

describe('The names of the schemas', () => {
  /** What every file of a language sees without an import, besides what Node itself has. A model of that name hides it, or is hidden. */
  const seen: Readonly<Record<string, string>> = {
    'a browser':
      'Attr Blob Comment Document Element Event File FileList FormData Headers History Image Location Node NodeList Notification Option Range Request Response Selection Storage Text Worker',
    Java: 'Boolean Byte Character Class Double Enum Error Exception Float Integer Iterable Long Module Number Object Package Process Record Runnable Short String System Thread Throwable Void',
    Python:
      'BaseException Ellipsis Exception False KeyError None NotImplemented OSError RuntimeError True TypeError ValueError Warning',
    Go: 'Any Bool Byte Complex Error Float Int Rune String Uint',
    'C#': 'Action Array Attribute Boolean Buffer Char Console Convert DateTime Decimal Delegate Environment Exception File Func Guid Index Int32 Lazy List Math Nullable Object Path Random Range Stream String Task Thread Tuple Type Uri Version',
  };
  const names = Object.keys(document.components.schemas);

  it.each(Object.entries(seen))('are not of what every file of %s sees', (_language, words) => {
    const taken = new Set(words.split(' '));
    expect(names.filter((name) => taken.has(name))).toEqual([]);
  });

  it('are not of the globals of JavaScript', () => {
    expect(names.filter((name) => name in globalThis)).toEqual([]);
  });
});
