/** The guard against silent breaks: the document against the last release's, and that each kind of break is found. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { root } from '../../support/atoll.ts';
import { unwritten } from './changelog.ts';
import { documentBreaks } from './document-breaks.ts';
import type { Part } from './schema-breaks.ts';

const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');
const documentOf = (name: string): Part => parse(textOf(name)) as Part; // test/document/openapi.test.ts validates it
const document = documentOf('openapi.yaml');

type Tree = { [member: string]: Tree } & unknown[];
/** `structuredClone` makes objects that jest's own realm does not know as its own. */
const copyOf = (original: Part): Part => JSON.parse(JSON.stringify(original)) as Part; // its copy
/** What breaks for clients of the document when it is changed. */
const after = (change: (tree: Tree) => unknown): string[] => {
  const changed = copyOf(document);
  change(changed as unknown as Tree); // the parts of the document that the test names
  return linesOf(document, changed);
};
/** What a change allows that the document did not: the same change, taken back. */
const backFrom = (change: (tree: Tree) => unknown): string[] => {
  const changed = copyOf(document);
  change(changed as unknown as Tree); // as above
  return linesOf(changed, document);
};
const linesOf = (before: Part, now: Part): string[] =>
  documentBreaks(before, now).map(({ subject, what }) => `${subject}: ${what}`);

const at = (tree: Tree, ...steps: string[]): Tree =>
  steps.reduce((place, step) => {
    const next = place[step];
    if (next === undefined) throw new Error(`The document has no ${steps.join(' / ')}`);
    return next;
  }, tree);
const drop = (tree: Tree, ...steps: string[]): void => {
  const last = steps.at(-1) ?? '';
  at(tree, ...steps);
  Reflect.deleteProperty(at(tree, ...steps.slice(0, -1)), last);
};
const put = (tree: Tree, value: unknown, ...steps: string[]): void => {
  Object.assign(at(tree, ...steps.slice(0, -1)), { [steps.at(-1) ?? '']: value });
};
const schemas = (tree: Tree, ...steps: string[]): Tree => at(tree, 'components', 'schemas', ...steps);
const createNode = ['paths', '/node', 'post'];
const getNode = ['paths', '/node/{node_id}', 'get'];

describe('The document against the last release', () => {
  it('breaks nothing that the changelog does not name under Breaking', () => {
    const breaks = documentBreaks(documentOf('test/contract/breaking/released.openapi.yaml'), document);
    expect(unwritten(textOf('CHANGELOG.md'), breaks)).toEqual([]);
  });

  it('was kept whole', () => {
    const released = documentOf('test/contract/breaking/released.openapi.yaml');
    const size = (part: unknown): number => Object.keys(part as object).length; // both are maps
    expect(size(released['paths'])).toBeGreaterThan(20);
    expect(size((released['components'] as Part)['schemas'])).toBeGreaterThan(50);
  });
});

describe('A break is found', () => {
  it.each<[string, (tree: Tree) => unknown, string]>([
    ['an operation that is gone', (tree) => drop(tree, ...getNode), 'getNode: is gone'],
    ['a path that is gone', (tree) => drop(tree, 'paths', '/jwt/token'), 'getToken: is gone'],
    [
      'another operation id',
      (tree) => put(tree, 'readNode', ...getNode, 'operationId'),
      'getNode: is called readNode now',
    ],
    [
      'an answer that is gone',
      (tree) => drop(tree, ...createNode, 'responses', '409'),
      'createNode: the answer 409 is gone',
    ],
    [
      'a media type of an answer that is gone',
      (tree) => drop(tree, ...getNode, 'responses', '200', 'content', 'application/ld+json'),
      'getNode: 200 application/ld+json is gone',
    ],
    [
      'a media type of a request that is gone',
      (tree) => drop(tree, 'paths', '/media/{media_id}/source', 'put', 'requestBody', 'content', '*/*'),
      'putMediaSource: request */* is gone',
    ],
    [
      'a header that is gone',
      (tree) => drop(tree, ...createNode, 'responses', '201', 'headers', 'Location'),
      'createNode: 201 header Location is gone',
    ],
    [
      'a header that is not promised any more',
      (tree) => drop(tree, 'components', 'headers', 'Location', 'required'),
      'createNode: 201 header Location is not promised any more',
    ],
    [
      'a member of an answer that is gone',
      (tree) => drop(tree, 'components', 'schemas', 'Node', 'properties', 'field_pid'),
      'Node: .field_pid: is gone',
    ],
    [
      'a member of an answer that is not promised any more',
      (tree) => put(tree, ['target_id'], 'components', 'schemas', 'TypedRelation', 'required'),
      'TypedRelation: .rel_type: is not promised any more',
    ],
    [
      'a member of a request that is demanded now',
      (tree) => schemas(tree, 'NodeCreate', 'required').push('field_pid'),
      'NodeCreate: .field_pid: is demanded now',
    ],
    [
      'a member of a request that is gone',
      (tree) => drop(tree, 'components', 'schemas', 'TextInput', 'properties', 'format'),
      'TextInput: .format: is gone',
    ],
    [
      'a request that takes fewer types',
      (tree) => put(tree, 'string', 'components', 'schemas', 'LinkInput', 'properties', 'title', 'type'),
      'LinkInput: .title: takes type null no longer',
    ],
    [
      'a request that takes less text',
      (tree) => put(tree, 99, 'components', 'schemas', 'Credentials', 'properties', 'name', 'maxLength'),
      'Credentials: .name: takes more than maxLength 99 no longer',
    ],
    [
      'a request that wants a longer list',
      (tree) => put(tree, 1, 'components', 'schemas', 'NodeUpdate', 'properties', 'field_subject', 'minItems'),
      'NodeUpdate: .field_subject: takes less than minItems 1 no longer',
    ],
    [
      'a parameter with fewer values',
      (tree) => put(tree, ['json'], 'components', 'parameters', 'RecordFormat', 'schema', 'enum'),
      'getNode: query parameter _format: takes the value jsonld no longer',
    ],
    [
      'a parameter that is demanded now',
      (tree) => put(tree, true, 'components', 'parameters', 'IfNoneMatch', 'required'),
      'getPublicContent: header parameter If-None-Match is demanded now',
    ],
    [
      'a new parameter that is demanded',
      (tree) => at(tree, ...getNode, 'parameters').push({ name: 'depth', in: 'query', required: true, schema: {} }),
      'getNode: query parameter depth is demanded now',
    ],
    [
      'a parameter that is gone',
      (tree) => put(tree, [], ...createNode, 'parameters'),
      'createNode: query parameter _format is gone',
    ],
    [
      'a body that is demanded now',
      (tree) => put(tree, { required: true, content: {} }, ...getNode, 'requestBody'),
      'getNode: a body is demanded now',
    ],
    [
      'an answer that may give another type',
      (tree) => put(tree, ['string', 'null'], 'components', 'schemas', 'StringItem', 'properties', 'value', 'type'),
      'StringItem: .value: may give type null',
    ],
    [
      'an answer that may give another value',
      (tree) => schemas(tree, 'LoginStatus', 'enum').push('2'),
      'LoginStatus: may give the value 2',
    ],
    [
      'an answer of another form',
      (tree) => drop(tree, 'components', 'schemas', 'UuidItem', 'properties', 'value', 'format'),
      'UuidItem: .value: may give another format than "uuid"',
    ],
    [
      'an answer with longer lists',
      (tree) => drop(tree, 'components', 'schemas', 'Node', 'properties', 'title', 'maxItems'),
      'Node: .title: may give more than maxItems 1',
    ],
    [
      'an answer of another shape',
      (tree) => schemas(tree, 'GraphType', 'oneOf').push({ type: 'boolean' }),
      'GraphType: may give another shape',
    ],
    [
      'an answer whose members by pattern may be something else',
      (tree) => drop(tree, 'components', 'schemas', 'GraphValue', 'properties', '@value', 'type'),
      'GraphValue: .@value: may give values of any type',
    ],
    [
      'a request that loses a shape',
      (tree) => schemas(tree, 'ReferenceInput', 'oneOf').pop(),
      'ReferenceInput: takes another shape no longer',
    ],
    [
      'a request that was open and is closed',
      (tree) => put(tree, false, 'components', 'schemas', 'Credentials', 'additionalProperties'),
      'Credentials: takes members of other names no longer',
    ],
    [
      'a way to sign in that is gone',
      (tree) => put(tree, [{ basic_auth: [] }], ...createNode, 'security'),
      'createNode: does not take jwt_auth any more',
    ],
    [
      'a read that needs credentials now',
      (tree) => put(tree, [{ basic_auth: [] }, { jwt_auth: [] }, { cookie: [] }], ...getNode, 'security'),
      'getNode: needs credentials now',
    ],
    [
      'a scheme that is gone',
      (tree) => drop(tree, 'components', 'securitySchemes', 'jwt_auth'),
      'jwt_auth: is gone from securitySchemes',
    ],
    [
      'a scheme that is another one',
      (tree) => put(tree, 'digest', 'components', 'securitySchemes', 'basic_auth', 'scheme'),
      'basic_auth: is another scheme now',
    ],
    [
      'the name of a schema',
      (tree) => drop(tree, 'components', 'schemas', 'CurrentUser'),
      'CurrentUser: is gone from schemas',
    ],
  ])('%s', (_, change, line) => {
    expect(after(change)).toContain(line);
  });
});

describe('No break is found', () => {
  it.each<[string, (tree: Tree) => unknown]>([
    ['in the document itself', () => undefined],
    ['in a new operation', (tree) => put(tree, { operationId: 'getVersion', responses: {} }, 'paths', '/node', 'get')],
    ['in a new answer', (tree) => put(tree, { description: 'd' }, ...createNode, 'responses', '423')],
    [
      'in a new member of an answer',
      (tree) => put(tree, { type: 'string' }, 'components', 'schemas', 'Error', 'properties', 'code'),
    ],
    [
      'in a new member of a request that may be left out',
      (tree) => put(tree, { type: 'string' }, 'components', 'schemas', 'NodeTypeInput', 'properties', 'label'),
    ],
    [
      'in a new parameter that may be left out',
      (tree) => at(tree, ...getNode, 'parameters').push({ name: 'depth', in: 'query', schema: { type: 'integer' } }),
    ],
    [
      'in a request that takes more',
      (tree) => drop(tree, 'components', 'schemas', 'NodeUpdate', 'properties', 'title', 'maxItems'),
    ],
    ['in an answer that promises more', (tree) => schemas(tree, 'NodeReference', 'required').push('target_type')],
    ['in a new way to sign in', (tree) => at(tree, ...createNode, 'security').push({ digest: [] })],
    ['in other texts', (tree) => put(tree, 'Anew.', 'info', 'description')],
  ])('%s', (_, change) => {
    expect(after(change)).toEqual([]);
  });

  it('on the way to fewer demands, which back would be breaks', () => {
    const optional = (tree: Tree): unknown => drop(tree, 'components', 'parameters', 'RecordFormat', 'required');
    expect(after(optional)).toEqual([]);
    expect(backFrom(optional)).toContain('getNode: query parameter _format is demanded now');
  });
});

describe('The changelog', () => {
  const breaks = [{ subject: 'getNode', what: 'is gone' }];
  const log = (entries: string): string =>
    `# Changelog\n\n## Unreleased (0.2.0)\n\n${entries}\n## 0.1.0\n\n### Breaking\n\n- \`getNode\` is new\n`;

  it.each([
    ['has no entry', log('- Something else, `getNode`\n'), ['getNode: is gone']],
    ['has an entry under another heading', log('### Added\n\n- `getNode`\n'), ['getNode: is gone']],
    ['names something else', log('### Breaking\n\n- `getNodes` is gone\n'), ['getNode: is gone']],
    ['names it', log('### Breaking\n\n- `getNode` is gone, use `getMedia`\n\n### Added\n'), []],
    ['names it last', '## Unreleased\n\n### Breaking\n\n- `getNode` is gone', []],
    ['has nothing unreleased', '## 0.1.0\n\n### Breaking\n\n- `getNode` is gone\n', ['getNode: is gone']],
  ])('%s', (_, text, missing) => {
    expect(unwritten(text, breaks)).toEqual(missing);
  });
});
