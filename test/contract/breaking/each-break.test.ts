/** That each kind of break of the contract itself is found in its document, and that nothing else is called one. */
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readContract } from '../../support/site-sources.ts';
import { documentChanges } from '../../document-diff/document-changes.ts';
import { root } from '../../support/atoll.ts';
import { lineOf } from './changelog.ts';

type Part = Readonly<Record<string, unknown>>;
const whole = await readContract(join(root, 'openapi.yaml'));

/** Enough of the document for every change below: a comparison of the whole of it takes ten times as long. */
const paths =
  /^\/(node|node\/\{node_id\}|jwt\/token|taxonomy\/term|media\/\{media_id\}\/source|user\/log.*|_flysystem.*|sites\/.*)$/;
const document: Part = {
  ...whole,
  paths: Object.fromEntries(Object.entries(whole.paths).filter(([path]) => paths.test(path))),
};

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
  documentChanges(before, now)
    .filter(({ kind }) => kind === 'breaking')
    .map(lineOf);

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
      'createNode: answer 409 is gone',
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
      (tree) => drop(tree, 'components', 'schemas', 'NodeRecord', 'properties', 'field_pid'),
      'NodeRecord: .field_pid is gone',
    ],
    [
      'a member of an answer that is not promised any more',
      (tree) => put(tree, ['target_id'], 'components', 'schemas', 'TypedRelation', 'required'),
      'TypedRelation: .rel_type is not promised any more',
    ],
    [
      'a member of a request that is demanded now',
      (tree) => schemas(tree, 'NodeCreate', 'required').push('field_pid'),
      'NodeCreate: .field_pid is demanded now',
    ],
    [
      'a member of a request that is gone',
      (tree) => drop(tree, 'components', 'schemas', 'TextInput', 'properties', 'format'),
      'TextInput: .format is gone',
    ],
    [
      'a request that takes fewer types',
      (tree) => put(tree, 'string', 'components', 'schemas', 'LinkInput', 'properties', 'title', 'type'),
      'LinkInput: .title takes type null no longer',
    ],
    [
      'a request that takes less text',
      (tree) => put(tree, 99, 'components', 'schemas', 'Credentials', 'properties', 'name', 'maxLength'),
      'Credentials: .name takes texts longer than 99 no longer',
    ],
    [
      'a request that wants a longer list',
      (tree) => put(tree, 1, 'components', 'schemas', 'NodeUpdate', 'properties', 'field_subject', 'minItems'),
      'NodeUpdate: .field_subject takes fewer items than 1 no longer',
    ],
    [
      'a parameter with fewer values',
      (tree) => put(tree, ['json'], 'components', 'parameters', 'RecordFormat', 'schema', 'enum'),
      'getNode: query parameter _format has the format jsonld no longer',
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
      'getNode: request is demanded now',
    ],
    [
      'an answer that may give another type',
      (tree) => put(tree, ['string', 'null'], 'components', 'schemas', 'StringItem', 'properties', 'value', 'type'),
      'StringItem: .value may give type null',
    ],
    [
      'an answer that may give another value',
      (tree) => schemas(tree, 'LoginStatus', 'enum').push('2'),
      'LoginStatus: may give the value 2',
    ],
    [
      'an answer of another form',
      (tree) => drop(tree, 'components', 'schemas', 'UuidItem', 'properties', 'value', 'format'),
      'UuidItem: .value may give values of another format than "uuid"',
    ],
    [
      'an answer with longer lists',
      (tree) => drop(tree, 'components', 'schemas', 'NodeRecord', 'properties', 'title', 'maxItems'),
      'NodeRecord: .title may give more items than 1',
    ],
    [
      'an answer of another shape',
      (tree) => schemas(tree, 'GraphType', 'oneOf').push({ type: 'boolean' }),
      'GraphType: may give the shape of type boolean',
    ],
    [
      'an answer whose members by pattern may be something else',
      (tree) => drop(tree, 'components', 'schemas', 'GraphValue', 'properties', '@value', 'type'),
      'GraphValue: .@value may give values of any type',
    ],
    [
      'a request that loses a shape',
      (tree) => schemas(tree, 'ReferenceInput', 'oneOf').pop(),
      'ReferenceInput: takes the shape ReferenceByUuid no longer',
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
      (tree) => Object.assign(tree, JSON.parse(JSON.stringify(tree).replaceAll('CurrentUser', 'Me')) as Part), // its copy
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
      (tree) => put(tree, { type: 'string' }, 'components', 'schemas', 'ErrorMessage', 'properties', 'code'),
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
