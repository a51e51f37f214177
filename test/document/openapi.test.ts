/** The contract's document itself: that it is valid, complete and true to its own schemas. What a server does with it is tested elsewhere. */
import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, it } from '@jest/globals';
import { readContract } from '../support/site-sources.ts';
import { resourceNames } from '../../src/repository/repository.ts';
import {
  complaints,
  type Document,
  examplesOf,
  holdersOf,
  locate,
  type Located,
  misfitsOf,
  type Operation,
  type Parameter,
  type Schema,
  silentIn,
} from '../support/document-view.ts';

const file = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));
const written = (await readContract(file)) as unknown as Document; // swagger-parser checks the shape in the first test
const document = (await SwaggerParser.dereference(structuredClone(written) as never)) as unknown as Document; // its own types know no 3.1 and no extensions

const text = JSON.stringify(written);
const operations = locate(document);
const byId = new Map(operations.map((located) => [located.operation.operationId, located]));
const operation = (id: string): Operation => {
  const located = byId.get(id);
  if (!located) throw new Error(`The document has no operation ${id}`);
  return located.operation;
};
/** What clients use besides the contract stands under a tag of its own. */
const isBeyond = ({ operation: each }: Located): boolean => each.tags.includes('Beyond the contract');
const beyond = operations.filter(isBeyond);
const contract = operations.filter((each) => !isBeyond(each));
const namesOf = (located: readonly Located[]): string[] => located.map((each) => each.operation.operationId).sort();
const idsWith = (extension: `x-${string}`): string[] =>
  operations.filter((each) => each.operation[extension] !== undefined).map((each) => each.operation.operationId);

const schema = (name: string): Schema => {
  const found = document.components.schemas[name];
  if (!found) throw new Error(`The document has no schema ${name}`);
  return found;
};

describe('The document', () => {
  it('is valid OpenAPI 3.1', async () => {
    for (const each of [file, structuredClone(written) as never])
      expect(await SwaggerParser.validate(each)).toHaveProperty('openapi', '3.1.0');
  });

  it('has a request and a response example wherever a body, a parameter or a header is described', () => {
    expect(
      holdersOf(document)
        .filter(([, holder]) => examplesOf(holder).length === 0)
        .map(([where]) => where),
    ).toEqual([]);
  });

  it('has only examples that fit their schemas', () => {
    expect(misfitsOf(document)).toEqual([]);
  });

  it('uses every component but the answer to a wrong method, which belongs to paths', () => {
    const unused = Object.entries(written.components).flatMap(([kind, components]) =>
      Object.keys(components).filter((name) => !text.includes(`"#/components/${kind}/${name}"`)),
    );
    expect(unused.sort()).toEqual(['MethodNotAllowed', 'basic_auth', 'cookie', 'csrf', 'jwt_auth']);
  });

  it('names every object it describes', () => {
    const anonymous: string[] = [];
    const walk = (value: unknown, where: string, named: boolean): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!named && 'type' in value && value.type === 'object') anonymous.push(where);
      for (const [key, child] of Object.entries(value)) walk(child, `${where}/${key}`, where === '/components/schemas');
    };
    const { examples, ...components } = written.components;
    expect(Object.keys(examples ?? {})).not.toEqual([]);
    walk({ paths: written.paths, components }, '', false);
    expect(anonymous).toEqual([]);
  });

  it('mixes no types but with null, so that it can be written as 3.0', () => {
    const mixed: string[] = [];
    let nullable = 0;
    const walk = (value: unknown, where: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('type' in value && Array.isArray(value.type)) {
        if (value.type.length === 2 && value.type[1] === 'null') nullable += 1;
        else mixed.push(where);
      }
      for (const [key, child] of Object.entries(value)) walk(child, `${where}/${key}`);
    };
    walk(written.components.schemas, '');
    expect(nullable).toBeGreaterThan(0);
    expect(mixed).toEqual([]);
  });
});

describe('Its examples, to a tool that runs them', () => {
  const parametersOf = ({ item, operation: each }: Located): Parameter[] => [
    ...(item.parameters ?? []),
    ...(each.parameters ?? []),
  ];

  it('are one for each parameter: Dredd and others read no list', () => {
    const plural = operations.flatMap((located) =>
      parametersOf(located).flatMap(({ name, examples }) =>
        examples === undefined ? [] : [`${located.operation.operationId} ${name}`],
      ),
    );
    expect(plural).toEqual([]);
  });

  it('delete what no other operation asks for', () => {
    const addresses = (located: Located): string =>
      parametersOf(located)
        .filter((parameter) => parameter.in === 'path')
        .reduce((path, { name, example }) => path.replace(`{${name}}`, String(example)), located.path);
    // The starter content has neither alias nor redirect: each needs the one that POST makes, in the order of the document.
    const kept = operations.filter(({ operation: { 'x-resource': of } }) => of !== 'path_alias' && of !== 'redirect');
    const deleted = kept.filter(({ method }) => method === 'delete').map(addresses);
    const others = kept.filter(({ method }) => method !== 'delete').map(addresses);
    const roots = deleted.map((address) => address.replace(/\/edit$/, ''));
    expect(new Set(roots).size).toBe(roots.length);
    expect(others.filter((address) => roots.some((root) => `${address}/`.startsWith(`${root}/`)))).toEqual([]);
  });

  it('sign in where that is possible: no choice of credentials comes before the others only to be none', () => {
    const early = operations.filter(({ operation: { security } }) =>
      security.slice(0, -1).some((choice) => Object.keys(choice).length === 0),
    );
    expect(namesOf(early)).toEqual([]);
  });

  it('send a token against forged requests only with the cookie that it belongs to', () => {
    for (const { operation: each } of operations) {
      const withToken = each.security.filter((choice) => 'csrf' in choice);
      expect(withToken).toEqual(each['x-csrf'] === true ? [{ cookie: [], csrf: [] }] : []);
      expect(each.parameters?.map(({ name }) => name) ?? []).not.toContain('X-CSRF-Token');
    }
  });
});

/** What begins or ends a session, or tells its token, is for visitors, too. */
const ofSessions = ['login', 'logout', 'postSessionToken', 'postRestSessionToken'];
const writes = operations
  .filter(({ method }) => !['get', 'head'].includes(method))
  .map((located) => located.operation.operationId)
  .filter((id) => !ofSessions.includes(id));

/** What the integration module of Workbench shows of bundles and fields. */
const workbenchReads = ['Version', 'CoreVersion', 'FileHash', 'FormDisplay', 'FieldConfig', 'FieldStorageConfig'].map(
  (kind) => `Workbench${kind}`,
);

describe('What no schema says', () => {
  const noted = (note: string, isWanted: (located: Located, status: string) => boolean): string[] =>
    operations.flatMap((located) =>
      Object.entries(located.operation.responses)
        .filter(([status, response]) => isWanted(located, status) !== note in response)
        .map(([status]) => `${located.operation.operationId} ${status}`),
    );

  it('is noted at each 422, and where bytes, a range or a password are refused', () => {
    const others = ['putNodeMedia 400', 'putMediaSource 400', 'uploadFile 400', 'login 400'];
    const isWanted = ({ operation: each }: Located, status: string): boolean =>
      status === '422' || status === '416' || others.includes(`${each.operationId} ${status}`);
    expect(noted('x-beyond-schema', isWanted)).toEqual([]);
  });

  it('is noted at the 404 of a deleted record, which comes before the challenge', () => {
    expect(noted('x-before-401', ({ method }, status) => method === 'delete' && status === '404')).toEqual([]);
  });
});

describe('Its operations', () => {
  it('have the names of the issue', () => {
    expect(namesOf(contract)).toEqual(
      [
        ...['createNode', 'getNode', 'headNode', 'updateNode', 'deleteNode', 'putNodeMedia'],
        ...['getMedia', 'headMedia', 'updateMedia', 'deleteMedia', 'putMediaSource'],
        ...['getFile', 'headFile', 'deleteFile', 'getTerm', 'headTerm', 'getUser', 'headUser'],
        ...['getPublicContent', 'headPublicContent', 'getExternalContent', 'headExternalContent'],
        ...['login', 'logout', 'getLoginStatus', 'headLoginStatus', 'getSessionToken', 'headSessionToken'],
        ...['getToken', 'headToken', 'postToken', 'postSessionToken'],
        ...['getNodeLinkset', 'headNodeLinkset', 'getMediaLinkset', 'headMediaLinkset'],
      ].sort(),
    );
  });

  it('that are beyond the contract belong to a resource, to a list or to a switch of the site', () => {
    const words = ['x-resource', 'x-list', 'x-beyond'];
    const loose = beyond.filter(({ operation: each }) => !words.some((word) => word in each));
    expect(namesOf(loose)).toEqual([]);
  });

  it('stand under the paths and path parameters of the contract', () => {
    expect([...new Set(contract.map(({ path }) => path))].sort()).toEqual(
      [
        ...['/node', '/node/{node_id}', '/node/{node_id}/media/{media_type}/{media_use_term_id}'],
        ...['/node/{node_id}/linkset', '/media/{media_id}/linkset'],
        ...['/media/{media_id}', '/media/{media_id}/source', '/entity/file/{file_id}'],
        ...['/sites/default/files/{path}', '/_flysystem/fedora/{path}', '/taxonomy/term/{term_id}', '/user/{user_id}'],
        ...['/user/login', '/user/logout', '/user/login_status', '/session/token', '/jwt/token'],
      ].sort(),
    );
  });

  it('have an id, a summary, a known tag and a security of known schemes', () => {
    const tags = document.tags.map((tag) => tag.name);
    const schemes = Object.keys(document.components['securitySchemes'] ?? {});
    expect(schemes).toEqual(['basic_auth', 'jwt_auth', 'cookie', 'csrf']);
    for (const { operation: each } of operations) {
      expect(each.operationId).toMatch(/^[a-z]+[A-Za-z]*$/);
      expect(each.summary).toMatch(/\S/);
      expect([each.operationId, each.description]).toEqual([each.operationId, expect.stringMatching(/\S/)]);
      expect(tags).toEqual(expect.arrayContaining(each.tags));
      expect(each.tags).toHaveLength(1);
      expect(schemes).toEqual(expect.arrayContaining(each.security.flatMap((choice) => Object.keys(choice))));
    }
  });

  it('that write ask for credentials, those that read leave it to the access rules', () => {
    const anonymous = ({ security }: Operation): boolean =>
      security.length === 0 || security.some((choice) => Object.keys(choice).length === 0);
    const closed = operations.filter((each) => !anonymous(each.operation)).map((each) => each.operation.operationId);
    expect(closed.sort()).toEqual([...writes, 'getToken', 'headToken'].sort());
    for (const id of closed) expect(operation(id).responses).toHaveProperty('401');
  });

  it('give a HEAD beside each GET, with the same statuses and headers and without a body', () => {
    const gets = operations.filter((each) => each.method === 'get');
    expect(gets).toHaveLength(operations.filter((each) => each.method === 'head').length);
    for (const { operation: get, item } of gets) {
      const head = item.head;
      expect(head?.operationId).toBe(get.operationId.replace(/^(get|list)/, 'head'));
      expect(head?.security).toEqual(get.security);
      for (const [status, response] of Object.entries(head?.responses ?? {})) {
        expect(response.content).toBeUndefined();
        expect(Object.keys(response.headers ?? {})).toEqual(Object.keys(get.responses[status]?.headers ?? {}));
      }
      // RFC 9110 §14.2: ranges are for GET only.
      const rangeless = Object.keys(get.responses).filter((status) => status !== '206' && status !== '416');
      expect(Object.keys(head?.responses ?? {})).toEqual(rangeless);
    }
  });

  it('say of every refusal that it is an Error', () => {
    for (const { method, operation: each } of operations.filter((located) => located.method !== 'head')) {
      const refusals = Object.entries(each.responses).filter(([status]) => Number(status) >= 400);
      expect([method, refusals.length > 0]).toEqual([method, true]);
      for (const [, response] of refusals) {
        const schemas = Object.values(response.content ?? {}).map((media) => media.schema);
        // A module that answers for itself says `error`.
        const isModules = workbenchReads.includes(each.operationId.replace(/^get/, ''));
        const own = isModules ? [schema('WorkbenchError'), schema('FileHashRefusal')] : [];
        expect([schema('ErrorMessage'), ...own]).toContain(schemas[0]);
      }
    }
  });

  it('send a challenge with each 401, and an address with each 201', () => {
    for (const { operation: each } of operations) {
      if (each.responses['401']) expect(each.responses['401'].headers).toHaveProperty('WWW-Authenticate');
      // The real site gives none for the standard upload, nor for an alias.
      if (each.responses['201'] && !['uploadFile', 'createPathAlias'].includes(each.operationId)) {
        expect(each.responses['201'].headers).toHaveProperty('Location');
      }
    }
    expect(document.components.responses['MethodNotAllowed']?.headers).toHaveProperty('Allow');
  });

  it('carry the extensions that the engine reads', () => {
    const resources = Object.fromEntries(
      operations.map((each) => [each.operation.operationId, each.operation['x-resource']]),
    );
    // Of the standard upload the resource says the providers alone.
    const named = resourceNames.filter((name) => name !== 'file_upload');
    expect([...new Set(Object.values(resources))].sort()).toEqual([...named, undefined].sort());
    expect(resources).toMatchObject({ createNode: 'node', headMedia: 'media', deleteFile: 'file' });
    expect(resources).toMatchObject({ getTerm: 'taxonomy_term', headUser: 'user' });
    const reads = (kinds: readonly string[]) => kinds.flatMap((kind) => [`get${kind}`, `head${kind}`]);
    // The page of a term takes its writes as well.
    expect(idsWith('x-html-page')).toEqual([
      ...reads(['Node', 'Media', 'Term']),
      ...['updateTerm', 'deleteTerm'],
      ...reads(['User', 'MediaByEditPath']),
    ]);
    const withoutToken = ['putNodeMedia', 'putMediaSource', 'postToken'];
    expect(idsWith('x-csrf').sort()).toEqual(writes.filter((id) => !withoutToken.includes(id)).sort());
    expect(idsWith('x-any-content-type')).toEqual(['login']);
  });

  it('know the route and the pattern that the reference names in a 404', () => {
    for (const { path, operation: each } of operations.filter((located) => /\{\w+_id\}/.test(located.path))) {
      const shape = (pattern: unknown): string => String(pattern).replaceAll(/\{\w+\}/g, '{}');
      expect(shape(each['x-path-pattern'])).toBe(shape(path));
      const messages = Object.values(each.responses['404']?.content ?? {}).flatMap((media) =>
        examplesOf(media).map(([, value]) => JSON.stringify(value)),
      );
      const named = messages.filter(
        (message) => message.includes(String(each['x-path-pattern'])) && message.includes(String(each['x-route'])),
      );
      expect([each.operationId, named.length > 0]).toEqual([each.operationId, !each.operationId.startsWith('head')]);
    }
  });

  it('let the last parameter of content paths take many segments', () => {
    const many = Object.entries(document.paths).filter(([, item]) => item['x-multi-segment'] === true);
    expect(many.map(([path]) => path).sort()).toEqual(['/_flysystem/fedora/{path}', '/sites/default/files/{path}']);
    for (const [, item] of many) expect(item.parameters?.[0]).toMatchObject({ name: 'path', 'x-multi-segment': true });
  });
});

describe('Its schemas', () => {
  const propertiesOf = (name: string): [string, Schema][] =>
    Object.entries(schema(name)['properties'] as Schema) as never; // JSON Schema

  it('say of each property what it is', () => {
    expect(silentIn(document)).toEqual([]);
  });

  it('of new records stand for themselves, and name what only the server gives', () => {
    const given = (name: string): string[] =>
      propertiesOf(name).flatMap(([field, { readOnly }]) => (readOnly === true ? [field] : []));
    for (const kind of ['Node', 'Media', 'Term']) {
      expect(schema(`${kind}Create`)).not.toHaveProperty('allOf');
      expect(Object.keys(schema(`${kind}Create`)['properties'] as Schema)).toEqual(
        Object.keys(schema(`${kind}Update`)['properties'] as Schema),
      );
    }
    expect(given('NodeCreate')).toEqual(['nid', 'revision_timestamp', 'revision_uid', 'changed']);
    expect(given('MediaCreate')).toEqual(['mid', 'changed']);
    expect(given('TermCreate')).toEqual(['tid', 'changed']);
  });

  const valuesOf = (id: string, status: string): unknown[] =>
    examplesOf(operation(id).responses[status]?.content?.['application/json'] ?? {}).map(([, value]) => value);

  it('have the names of the issue', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        ...[
          'NodeRecord',
          'NodeCreate',
          'NodeUpdate',
          'MediaRecord',
          'MediaUpdate',
          'FileRecord',
          'TermRecord',
          'UserRecord',
          'ErrorMessage',
          'Graph',
        ],
        ...['StringItem', 'IntegerItem', 'BooleanItem', 'DatetimeItem', 'FileReference', 'ImageReference'],
      ]),
    );
  });

  it('take a record that was read as a change of it', () => {
    const nodes = valuesOf('getNode', '200');
    const media = valuesOf('getMedia', '200');
    const terms = valuesOf('getTerm', '200');
    expect([nodes.length, media.length, terms.length]).toEqual([3, 3, 1]);
    expect(terms.flatMap((term) => complaints(schema('TermUpdate'), term))).toEqual([]);
    expect(nodes.flatMap((node) => complaints(schema('NodeUpdate'), node))).toEqual([]);
    expect(media.flatMap((each) => complaints(schema('MediaUpdate'), each))).toEqual([]);
  });

  it('hold a record to exactly its members', () => {
    for (const [id, name] of [
      ['getNode', 'NodeRecord'],
      ['getMedia', 'MediaRecord'],
      ['getFile', 'FileRecord'],
      ['getTerm', 'TermRecord'],
    ] as const) {
      const record = valuesOf(id, '200')[0];
      if (typeof record !== 'object' || record === null) throw new Error(`${id} has no example`);
      const [, ...fewer] = Object.entries(record);
      expect(complaints(schema(name), Object.fromEntries(fewer))).toHaveLength(1);
      expect(complaints(schema(name), { ...record, path: [] })).toEqual([' must NOT have additional properties']);
    }
  });

  it('refuse a new node without title or model, and a change without type', () => {
    const type = [{ target_id: 'islandora_object' }];
    expect(complaints(schema('NodeUpdate'), { type })).toEqual([]);
    expect(complaints(schema('NodeCreate'), { type })).toEqual([
      " must have required property 'title'",
      " must have required property 'field_model'",
    ]);
    expect(complaints(schema('NodeUpdate'), {})).toEqual([" must have required property 'type'"]);
    expect(complaints(schema('MediaUpdate'), {})).toEqual([" must have required property 'bundle'"]);
    expect(complaints(schema('TermUpdate'), {})).toEqual([" must have required property 'vid'"]);
    for (const name of ['MediaCreate', 'TermCreate']) {
      expect(complaints(schema(name), {})).toContain(" must have required property 'name'");
    }
  });

  it('take a reference by id, by UUID or by both, and by nothing else', () => {
    const uuid = '4b08b061-7fad-4d76-bdb9-8d7e159c8e05';
    for (const reference of [
      { target_id: 3 },
      { target_uuid: uuid },
      { target_id: 3, target_uuid: uuid, url: '/node/3' },
    ]) {
      expect(complaints(schema('ReferenceInput'), reference)).toEqual([]);
    }
    for (const reference of [{}, { target_type: 'node' }, { target_id: '3' }, { target_uuid: '' }]) {
      expect(complaints(schema('ReferenceInput'), reference)).not.toEqual([]);
    }
  });
});
