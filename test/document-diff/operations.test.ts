/** What the comparison of documents says of each change outside schemas, and that every rule is met by a test. */
import { describe, expect, it } from '@jest/globals';
import { diffDocuments } from '../../src/sites/document-diff/diff-documents.ts';
import { operationRules } from '../../src/sites/document-diff/rules/operation-rules.ts';
import { answerRules } from '../../src/sites/document-diff/rules/answer-rules.ts';
import { documentRules } from '../../src/sites/document-diff/rules/document-rules.ts';
import { linesOf, metRules, withOperation, type Json } from './small-documents.ts';

const text = { type: 'string' };
const parameter = (name: string, more: Json = {}, where = 'query'): Json => ({
  name,
  in: where,
  schema: text,
  ...more,
});
const asks = (...parameters: Json[]): Json => withOperation({ parameters });
const id = (name: string): Json => parameter(name, { required: true }, 'path');
const format = (names: readonly string[], more: Json = {}): Json =>
  parameter('_format', { schema: { ...text, enum: names }, ...more });
const takes = (content: Json, more: Json = {}): Json => withOperation({ requestBody: { content, ...more } });
const answers = (responses: Json, more: Json = {}): Json => withOperation({ responses, ...more });
const answer = (more: Json): Json => answers({ 200: { description: 'd', ...more } });
const links = (value: string): Json => ({ headers: { Link: { schema: text, example: value } } });
const paths = (items: Json): Json => ({ openapi: '3.1.0', paths: items });
const secured = (...security: Json[]): Json => withOperation({ security });
const schemes = (scheme: Json): Json => withOperation({}, { components: { securitySchemes: { own: scheme } } });
const ofBundle = { type: 'object', 'x-per-bundle': true, properties: { title: text } };
/** The document of a site with one content type, and its form for changes. */
const ofSite = (bundle: Json, change: Json, more: Json = {}): Json =>
  withOperation(
    { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/NodeUpdate' } } } } },
    { components: { schemas: { NodePageCreate: { ...ofBundle, properties: bundle }, NodeUpdate: change, ...more } } },
  );
const fieldOf = (traits: Json = {}): Json => ({ field_x: { type: 'array', ...traits } });
const update = (traits: Json | undefined, more: Json = {}): Json => ({
  ...{ type: 'object', additionalProperties: false, ...more },
  properties: { title: text, ...(traits && { field_x: { type: 'array', 'x-bundles': ['page'], ...traits } }) },
});
const both = { 200: { description: 'd' }, 404: { description: 'd' } };

/** Before, after, what is said forwards, what is said backwards. */
const changes: readonly (readonly [string, Json, Json, string[], string[]])[] = [
  [
    'an operation',
    paths({ '/a': { get: { operationId: 'getA' }, post: {} } }),
    paths({}),
    ['breaking [client] getA: is gone', 'breaking [client] POST /a: is gone'],
    ['harmless [server] getA: is new', 'harmless [server] POST /a: is new'],
  ],
  [
    'the address of an operation',
    paths({ '/a': { get: { operationId: 'getA' } } }),
    paths({ '/b': { get: { operationId: 'getA' } } }),
    ['breaking [client server] getA: is GET /b'],
    ['breaking [client server] getA: is GET /a'],
  ],
  [
    'the name of an operation',
    withOperation({}),
    withOperation({ operationId: 'react' }),
    ['breaking [client] act: is called react now'],
    ['breaking [client] react: is called act now'],
  ],
  [
    'the first tag',
    withOperation({ tags: ['A', 'C'] }),
    withOperation({ tags: ['B', 'C'] }),
    ['unknown [] act: is in the group B now'],
    ['unknown [] act: is in the group A now'],
  ],
  [
    'deprecation',
    withOperation({}),
    withOperation({ deprecated: true }),
    ['harmless [] act: is deprecated now'],
    ['harmless [] act: is deprecated no longer'],
  ],
  [
    'a parameter',
    asks(parameter('depth')),
    asks(),
    ['breaking [client] act: query parameter depth is gone'],
    ['harmless [server] act: query parameter depth is new'],
  ],
  [
    'a parameter that is demanded',
    asks(parameter('depth')),
    asks(parameter('depth', { required: true })),
    ['breaking [client] act: query parameter depth is demanded now'],
    ['harmless [server] act: query parameter depth may be left out now'],
  ],
  [
    'a new parameter that is demanded',
    asks(),
    asks(parameter('depth', { required: true })),
    ['breaking [client] act: query parameter depth is demanded now'],
    ['breaking [client] act: query parameter depth is gone'],
  ],
  [
    'the name of a parameter of the path',
    withOperation({ parameters: [id('id')] }),
    paths({ '/things/{nid}': { get: { operationId: 'act', parameters: [id('nid')], responses: { 200: {} } } } }),
    ['breaking [client] act: path parameter id is called nid now'],
    ['breaking [client] act: path parameter nid is called id now'],
  ],
  [
    'how a list is written in a parameter',
    asks(parameter('ids', { schema: { type: 'array' } })),
    asks(parameter('ids', { schema: { type: 'array' }, explode: false })),
    ['breaking [client server] act: query parameter ids is written form, joined now'],
    ['breaking [client server] act: query parameter ids is written form, exploded now'],
  ],
  [
    'a format',
    asks(format(['json', 'jsonld'])),
    asks(format(['json'])),
    ['breaking [client] act: query parameter _format has the format jsonld no longer'],
    ['harmless [server] act: query parameter _format has the format jsonld now'],
  ],
  [
    'a format that is demanded',
    asks(format(['json'])),
    asks(format(['json'], { required: true })),
    ['breaking [client] act: query parameter _format is demanded now'],
    ['harmless [server] act: query parameter _format may be left out now'],
  ],
  [
    'the format that is meant without one',
    asks(format(['a', 'b'], { schema: { enum: ['a', 'b'], default: 'a' } })),
    asks(format(['a', 'b'], { schema: { enum: ['a', 'b'], default: 'b' } })),
    ['breaking [client server] act: query parameter _format stands for b now when it is left out'],
    ['breaking [client server] act: query parameter _format stands for a now when it is left out'],
  ],
  [
    'a parameter in content',
    asks({ name: 'q', in: 'query', content: { 'application/json': { schema: { type: ['string', 'null'] } } } }),
    asks({ name: 'q', in: 'query', content: { 'application/json': { schema: text } } }),
    ['breaking [client] act: query parameter q application/json takes type null no longer'],
    ['harmless [server] act: query parameter q application/json takes type null now'],
  ],
  [
    'a body that is demanded',
    takes({ 'text/plain': {} }),
    takes({ 'text/plain': {} }, { required: true }),
    ['breaking [client] act: request is demanded now'],
    ['harmless [server] act: request may be left out now'],
  ],
  [
    'a media type of a body',
    takes({ 'text/plain': {}, 'image/png': {} }),
    takes({ 'text/plain': {} }),
    ['breaking [client] act: request image/png is gone'],
    ['harmless [server] act: request image/png is new'],
  ],
  [
    'a media type of a body within a range',
    takes({ 'image/png': {} }),
    takes({ 'image/*': {} }),
    ['harmless [server] act: request image/* is new'],
    ['breaking [client] act: request image/* is gone'],
  ],
  [
    'how parts of a body are encoded',
    takes({ 'multipart/form-data': { encoding: { a: { contentType: 'image/png' } } } }),
    takes({ 'multipart/form-data': {} }),
    ['unknown [] act: request multipart/form-data is encoded otherwise'],
    ['unknown [] act: request multipart/form-data is encoded otherwise'],
  ],
  [
    'an answer that refuses',
    answers(both),
    answers({ 200: both[200] }),
    ['breaking [client server] act: answer 404 is gone'],
    ['harmless [] act: answer 404 is new'],
  ],
  [
    'an answer that succeeds',
    answers({ ...both, 201: both[200] }),
    answers(both),
    ['breaking [client server] act: answer 201 is gone'],
    ['unknown [] act: answer 201 is new'],
  ],
  [
    'an answer of a class of statuses',
    answers({ 200: both[200], 404: both[404] }),
    answers({ 200: both[200], '4XX': both[404] }),
    ['harmless [] act: answer 4XX is new'],
    ['breaking [client server] act: answer 4XX is gone'],
  ],
  [
    'a media type of an answer',
    answer({ content: { 'text/plain': {}, 'text/html': {} } }),
    answer({ content: { 'text/plain': {} } }),
    ['breaking [client server] act: 200 text/html is gone'],
    ['unknown [] act: 200 text/html is new'],
  ],
  [
    'a media type of an answer that is asked for',
    answers(
      { 200: { content: { 'application/json': {}, 'application/ld+json': {} } } },
      { parameters: [format(['json'])] },
    ),
    answers({ 200: { content: { 'application/json': {} } } }, { parameters: [format(['json'])] }),
    ['breaking [client server] act: 200 application/ld+json is gone'],
    ['harmless [server] act: 200 application/ld+json is new'],
  ],
  [
    'a header',
    answer({ headers: { Age: { schema: text } } }),
    answer({}),
    ['breaking [client] act: 200 header Age is gone'],
    ['harmless [] act: 200 header Age is new'],
  ],
  [
    'a header that is promised',
    answer({ headers: { Age: { schema: text, required: true } } }),
    answer({}),
    ['breaking [client] act: 200 header Age is gone'],
    ['harmless [server] act: 200 header Age is new'],
  ],
  [
    'the promise of a header, whose name has no case',
    answer({ headers: { ETag: { schema: text, required: true } } }),
    answer({ headers: { etag: { schema: text } } }),
    ['breaking [client] act: 200 header ETag is not promised any more'],
    ['harmless [server] act: 200 header etag is promised now'],
  ],
  [
    'a link',
    answer({ links: { media: { operationId: 'act', parameters: { id: '$request.path.id' } } } }),
    answer({}),
    ['breaking [client] act: 200 link media is gone'],
    ['harmless [] act: 200 link media is new'],
  ],
  [
    'where a link leads',
    answer({ links: { media: { operationId: 'act' } } }),
    answer({ links: { media: { operationId: 'other' } } }),
    ['breaking [client server] act: 200 link media leads to other now'],
    ['breaking [client server] act: 200 link media leads to act now'],
  ],
  [
    'with what a link is followed',
    answer({ links: { media: { operationId: 'act', parameters: { id: 1 } } } }),
    answer({ links: { media: { operationId: 'act', parameters: { id: 2 } } } }),
    ['unknown [] act: 200 link media is followed with other values'],
    ['unknown [] act: 200 link media is followed with other values'],
  ],
  [
    'a relation, in every Link',
    answer(links('</1>; rel="tag describes", </2>; rel="canonical"')),
    answer(links('</2>; rel=canonical')),
    [
      'breaking [client] act: 200 header Link has the relation tag no longer',
      'breaking [client] act: 200 header Link has the relation describes no longer',
    ],
    [
      'harmless [] act: 200 header Link has the relation tag now',
      'harmless [] act: 200 header Link has the relation describes now',
    ],
  ],
  [
    'a relation, in one Link of several',
    answers({ 200: links('</1>; rel="tag", </2>; rel="canonical"'), 201: links('</1>; rel="tag"') }),
    answers({ 200: links('</2>; rel="canonical"'), 201: links('</1>; rel="tag"') }),
    ['unknown [] act: 200 header Link shows the relation tag no longer'],
    ['harmless [] act: 200 header Link shows the relation tag now'],
  ],
  [
    'a way to authenticate',
    secured({ basic: [] }, { token: [] }),
    secured({ basic: [] }),
    ['breaking [client] act: does not take token any more'],
    ['harmless [server] act: takes token now'],
  ],
  [
    'a way that demands more',
    secured({ cookie: [] }),
    secured({ cookie: [], csrf: [] }),
    ['breaking [client] act: does not take cookie any more'],
    ['harmless [server] act: takes cookie now'],
  ],
  [
    'a scope',
    secured({ oauth: ['read'] }),
    secured({ oauth: ['read', 'write'] }),
    ['breaking [client] act: does not take oauth (read) any more'],
    ['harmless [server] act: takes oauth (read) now'],
  ],
  [
    'the need of credentials',
    secured({}, { basic: [] }),
    withOperation({}, { security: [{ basic: [] }] }),
    ['breaking [client] act: needs credentials now'],
    ['harmless [server] act: needs no credentials now'],
  ],
  [
    'a scheme',
    schemes({ type: 'http', scheme: 'basic' }),
    schemes({ type: 'http', scheme: 'digest' }),
    ['breaking [client server] own: is another scheme now'],
    ['breaking [client server] own: is another scheme now'],
  ],
  [
    'where a scheme has its credentials from',
    schemes({ type: 'openIdConnect', openIdConnectUrl: 'https://a.example' }),
    schemes({ type: 'openIdConnect', openIdConnectUrl: 'https://b.example' }),
    ['unknown [] own: has another openIdConnectUrl'],
    ['unknown [] own: has another openIdConnectUrl'],
  ],
  [
    'names of components',
    withOperation({}, { components: { schemas: { Thing: {} }, responses: { Refused: {} } } }),
    withOperation({}),
    ['breaking [client] Thing: is gone from schemas', 'unknown [] Refused: is gone from responses'],
    ['harmless [] Thing: is new in schemas', 'harmless [] Refused: is new in responses'],
  ],
  [
    'the bundles of a site, of which no operation has the schemas',
    withOperation({}, { components: { schemas: { NodePageCreate: ofBundle, NodeMapCreate: ofBundle } } }),
    withOperation({}, { components: { schemas: { NodePageCreate: { ...ofBundle, required: ['title'] } } } }),
    ['breaking [client] NodeMapCreate: is gone', 'breaking [client] NodePageCreate: .title is demanded now'],
    ['harmless [server] NodeMapCreate: is new', 'harmless [server] NodePageCreate: .title may be left out now'],
  ],
  [
    'a field in forms for changes, where a bundle says another thing of it',
    ofSite(fieldOf(), update({})),
    ofSite(fieldOf({ maxItems: 1 }), update(undefined)),
    [
      'breaking [client] NodePageCreate: .field_x takes more items than 1 no longer',
      'breaking [client] NodeUpdate: .field_x is gone',
    ],
    [
      'harmless [server] NodePageCreate: .field_x takes more items than 1 now',
      'harmless [server] NodeUpdate: .field_x is new',
    ],
  ],
  [
    'a field in forms for changes, where the bundles have it as before',
    ofSite(fieldOf(), update({})),
    ofSite(fieldOf(), update({ maxItems: 1 })),
    ['breaking [client] NodeUpdate: .field_x takes more items than 1 no longer'],
    ['harmless [server] NodeUpdate: .field_x takes more items than 1 now'],
  ],
  [
    'the schema of an overlay that is named like those of terms, where a vocabulary is gone',
    withOperation(
      {},
      { components: { schemas: { TermMapCreate: ofBundle, NodePageCreate: ofBundle, TermsOfUseUpdate: text } } },
    ),
    withOperation({}, { components: { schemas: { NodePageCreate: ofBundle } } }),
    ['breaking [client] TermMapCreate: is gone', 'breaking [client] TermsOfUseUpdate: is gone from schemas'],
    ['harmless [server] TermMapCreate: is new', 'harmless [] TermsOfUseUpdate: is new in schemas'],
  ],
  [
    'forms for changes as wholes, where a bundle is gone',
    ofSite(fieldOf(), update({}, { additionalProperties: true }), { NodeMapCreate: ofBundle }),
    ofSite(fieldOf(), update({}, { deprecated: true })),
    [
      'breaking [client] NodeMapCreate: is gone',
      'breaking [client] NodeUpdate: takes members of other names no longer',
      'harmless [] NodeUpdate: is deprecated now',
    ],
    [
      'harmless [server] NodeMapCreate: is new',
      'harmless [server] NodeUpdate: takes members of other names now',
      'harmless [] NodeUpdate: is deprecated no longer',
    ],
  ],
  [
    'the base path, not the host',
    withOperation({}, { servers: [{ url: 'https://a.example/v1/' }, { url: 'https://a.example' }] }),
    withOperation({}, { servers: [{ url: 'http://b.example:8000' }] }),
    ['unknown [] servers: has the base path /v1/ no longer'],
    ['harmless [] servers: has the base path /v1/ now'],
  ],
  [
    'what reads a body whatever it is called, and a CSRF token',
    withOperation({ 'x-any-content-type': true }),
    withOperation({ 'x-csrf': true }),
    [
      'breaking [client] act: reads a body by its Content-Type now',
      'breaking [client] act: needs X-CSRF-Token in a session',
    ],
    [
      'harmless [server] act: reads a body whatever its Content-Type says',
      'harmless [server] act: needs no X-CSRF-Token any more',
    ],
  ],
  [
    'a path that takes the rest, and a page',
    withOperation({ 'x-multi-segment': true, 'x-html-page': true }),
    withOperation({ 'x-beyond': 'a switch' }),
    [
      'breaking [client] act: takes one step of a path now',
      'unknown [] act: has no page for browsers any more',
      'unknown [] act: is beyond the contract now',
    ],
    [
      'harmless [] act: belongs to the contract now',
      'harmless [server] act: takes the rest of a path now',
      'harmless [] act: has a page for browsers now',
    ],
  ],
  [
    'other extensions',
    withOperation({ 'x-own': 1, 'x-route': 'a' }),
    withOperation({ 'x-own': 2, 'x-route': 'b' }),
    ['unknown [] act: has another x-own', 'harmless [] act: has another x-route'],
    ['unknown [] act: has another x-own', 'harmless [] act: has another x-route'],
  ],
  [
    'webhooks and callbacks',
    withOperation({ callbacks: { done: { '{$url}': {} } } }, { webhooks: { a: {} } }),
    withOperation({}),
    ['unknown [] act: callbacks is another one', 'unknown [] webhooks: is another one'],
    ['unknown [] act: callbacks is another one', 'unknown [] webhooks: is another one'],
  ],
];

describe('A change of', () => {
  it.each(changes)('%s', (_, before, after, forwards, backwards) => {
    expect([...linesOf(before, after)].sort()).toEqual([...forwards].sort());
    expect([...linesOf(after, before)].sort()).toEqual([...backwards].sort());
  });

  it('each kind that there is a rule for is among these', () => {
    const named = Object.keys({ ...operationRules, ...answerRules, ...documentRules });
    expect(named.filter((rule) => !metRules.has(rule))).toEqual([]);
  });
});

describe('A comparison', () => {
  const [before, after] = [withOperation({}), paths({ '/b': { get: { operationId: 'getB' } } })];

  it('judges for clients, for servers, or for both', () => {
    const kinds = (judgeFor: 'client' | 'server' | 'both'): string[] =>
      diffDocuments(before, after, { judgeFor }).map(({ subject, kind }) => `${subject} ${kind}`);
    expect(kinds('client')).toEqual(['act breaking', 'getB harmless']);
    expect(kinds('server')).toEqual(['act harmless', 'getB breaking']);
    expect(kinds('both')).toEqual(['act breaking', 'getB breaking']);
    expect(diffDocuments(before, after)[0]?.kinds).toEqual({ client: 'breaking', server: 'harmless' });
  });

  it('knows a link again whose operation is called otherwise, or that has another name itself', () => {
    const linked = (name: string, id: string): Json =>
      answers({ 200: { links: { [name]: { operationId: id } } } }, { operationId: id });
    const lines = linesOf(linked('self', 'act'), linked('same', 'react'));
    expect(lines).toEqual(['breaking [client] act: is called react now']);
  });

  it('does not look at texts and examples', () => {
    const spoken = withOperation({ summary: 's', description: 'd', responses: { 200: { description: 'other' } } });
    expect(linesOf(before, { ...spoken, info: { title: 'Other', version: '2' } })).toEqual([]);
    expect(linesOf(answer(links('</1>; rel="tag"')), answer({ headers: { Link: { schema: text } } }))).toEqual([]);
  });

  it('refuses what is no document of a version that it knows', () => {
    expect(() => diffDocuments(before, { swagger: '2.0' })).toThrow('it is a document of version "2.0".');
    expect(() => diffDocuments({}, after)).toThrow('it has no member "openapi"');
    expect(() => diffDocuments([], after)).toThrow('it is no OpenAPI document');
  });
});
