/** Makes OpenAPI documents of a given number of operations, and of a given size: schemas with references, examples and descriptions. */

const prose = 'Says what this member is for, in the words of the people who use it every day and would miss it. ';

const schemaOf = (index, descriptionLength) => ({
  type: 'object',
  required: ['id', 'title', 'tags'],
  properties: {
    id: { type: 'integer', minimum: 1, example: index + 1 },
    title: { type: 'string', minLength: 1, maxLength: 200, example: 'Tide tables' },
    year: { type: 'integer', minimum: 1000, maximum: 3000, example: 1912 },
    tags: { type: 'array', items: { type: 'string', pattern: '^[a-z-]+$', example: 'sea' }, maxItems: 20 },
    kind: { type: 'string', enum: ['book', 'map', 'letter'] },
    near: { $ref: `#/components/schemas/Place${index}` },
    notes: {
      type: 'string',
      description: prose.repeat(Math.ceil(descriptionLength / prose.length)).slice(0, descriptionLength),
    },
  },
});

const placeOf = () => ({
  type: 'object',
  properties: {
    name: { type: 'string', example: 'Saltmarsh Quay' },
    latitude: { type: 'number', minimum: -90, maximum: 90, example: 54.1 },
  },
});

const json = (schema) => ({ 'application/json': { schema } });

/** `operations` is even: each path has GET and POST. `bytes` is about the size as YAML. */
export const madeDocument = (operations, bytes = 0) => {
  const count = operations / 2;
  const descriptionLength = Math.max(80, Math.floor(bytes / count) - 2600);
  const paths = {};
  const schemas = {};
  for (let index = 0; index < count; index += 1) {
    const schema = { $ref: `#/components/schemas/Item${index}` };
    schemas[`Item${index}`] = schemaOf(index, descriptionLength);
    schemas[`Place${index}`] = placeOf();
    paths[`/items${index}/{id}`] = {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }],
      get: {
        operationId: `getItem${index}`,
        parameters: [
          { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } },
          { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string', maxLength: 50 } } },
        ],
        responses: { 200: { description: 'An item.', content: json(schema) }, 404: { description: 'There is none.' } },
      },
      post: {
        operationId: `changeItem${index}`,
        requestBody: { required: true, content: json(schema) },
        responses: {
          200: { description: 'The changed item.', content: json(schema) },
          422: { description: 'It does not fit.' },
        },
      },
    };
  }
  return { openapi: '3.1.0', info: { title: 'Items', version: '1.0.0' }, paths, components: { schemas } };
};
