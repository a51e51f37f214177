/** A document whose lists, answers and records have shapes that the three documents do not have. */

type Node = Readonly<Record<string, unknown>>;

const json = (schema: unknown, more: Node = {}): Node => ({ content: { 'application/json': { schema, ...more } } });
const answer = (status: number, schema: unknown, more?: Node): Node => ({
  responses: { [status]: { description: 'ok', ...json(schema, more) }, '4XX': { description: 'no' } },
});
const integer = { type: 'integer' };
const text = { type: 'string' };
const id = { type: 'integer', readOnly: true };
const idParameter = { name: 'id', in: 'path', required: true, schema: integer };
const listed = (items: unknown): Node => ({ type: 'array', items });
const object = (properties: Node, required: readonly string[] = [], more: Node = {}): Node => ({
  ...{ type: 'object', properties, required },
  ...more,
});

type Pair = { record: Node; list?: Node; input?: Node; made?: Node; parameters?: readonly Node[]; example?: unknown };
const pair = (path: string, { record, list = listed(record), input = record, made = record, ...more }: Pair): Node => ({
  [path]: {
    get: {
      parameters: more.parameters ?? [],
      ...answer(200, list, 'example' in more ? { example: more.example } : {}),
    },
    post: { requestBody: { required: true, ...json(input) }, ...answer(201, made) },
  },
  [`${path}/{id}`]: {
    parameters: [idParameter],
    get: answer(200, record),
    put: { requestBody: { required: true, ...json(input) }, ...answer(200, record) },
    patch: { requestBody: { content: { 'application/merge-patch+json': { schema: {} } } }, ...answer(200, record) },
    delete: { responses: { 204: { description: 'gone' } } },
  },
});

const article = object({ id, title: text, body: text, words: integer }, ['id', 'title']);
const summary = object({ id, title: text }, ['id', 'title'], { additionalProperties: false });
const account = object({ id, name: text, password: { type: 'string', writeOnly: true } }, ['id', 'name', 'password']);
const strict = object({ id, name: text }, ['id', 'name'], { additionalProperties: false });
const animal = (kind: string, more: Node, required: string): Node =>
  object({ id, kind: { const: kind }, ...more }, ['id', 'kind', required]);
const paging = [
  { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } },
  { name: 'per_page', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50, default: 2 } },
];
const paged = object({
  items: listed(article),
  pagination: object({
    page: integer,
    per_page: integer,
    total: integer,
    total_pages: integer,
    has_next: { type: 'boolean' },
  }),
  links: object({ next: { type: ['string', 'null'] } }),
});

const thing = object({ id, name: text }, ['id', 'name']);
const part = object({ id, thingId: id, name: text }, ['id', 'name']);

export const shapesDocument = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shapes', version: '1' },
  paths: {
    ...pair('/articles', { record: article, list: listed(summary), example: [] }),
    ...pair('/pages', {
      ...{ record: article, list: paged, parameters: paging },
      example: {
        items: [],
        pagination: { page: 1, per_page: 2, total: 0, total_pages: 0, has_next: false },
        links: { next: null },
      },
    }),
    ...pair('/accounts', {
      ...{ record: account, example: [] },
      parameters: [
        { name: 'sort', in: 'query', schema: text },
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 0 } },
        { name: 'page', in: 'query', schema: integer },
      ],
    }),
    ...pair('/strict', { record: strict, input: object({ name: text, age: integer }, ['name']), example: [] }),
    ...pair('/pets', {
      record: {
        oneOf: [
          animal('cat', { lives: { type: 'integer', default: 9 } }, 'id'),
          animal('dog', { trick: text }, 'trick'),
        ],
      },
      example: [],
    }),
    ...pair('/jobs', {
      ...{ record: article, example: [] },
      made: object({ ok: { type: 'boolean', const: true }, id: integer, etag: { type: 'string', example: 'x' } }, [
        'ok',
        'id',
      ]),
    }),
    '/things': {
      post: { requestBody: { required: true, ...json(thing) }, ...answer(201, thing) },
      get: answer(200, listed(thing), { example: [] }),
    },
    '/things/{id}': {
      parameters: [idParameter],
      get: answer(200, thing),
      put: {
        requestBody: { required: true, ...json(thing) },
        responses: { 200: { description: 'ok', ...json(thing) }, 201: { description: 'made', ...json(thing) } },
      },
      delete: { responses: { 204: { description: 'gone' } } },
    },
    '/things/{thingId}/parts': {
      parameters: [{ ...idParameter, name: 'thingId' }],
      get: answer(200, listed(part), { example: [{ id: 7, thingId: 1, name: 'lid' }] }),
      post: { requestBody: { required: true, ...json(part) }, ...answer(201, part) },
    },
    '/things/{thingId}/parts/{id}': {
      parameters: [{ ...idParameter, name: 'thingId' }, idParameter],
      get: answer(200, part),
      delete: { responses: { 204: { description: 'gone' } } },
    },
    ...pair('/dated', {
      ...{
        record: object({ id, at: { type: 'string', format: 'date-time' }, day: { type: 'string', format: 'date' } }, [
          'id',
        ]),
      },
      parameters: [{ name: 'day', in: 'query', schema: { type: 'string', format: 'date' } }],
      example: [],
    }),
  },
});
