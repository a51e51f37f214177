/** Writes a collection in the format of Postman (collection v2.1.0), which newman runs. */
import type { CollectedRequest, RequestCollection } from '../../openapi/openapi-parts.ts';
import { collectionVariables } from './collection-variables.ts';

const format = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

export const postmanCollection = (collection: RequestCollection): string =>
  `${JSON.stringify(
    {
      info: { name: collection.name, description: collection.description, schema: format },
      auth: basic,
      variable: collectionVariables(collection).map(({ name, value }) => ({ key: name, value })),
      item: collection.folders.map(({ name, description, requests }) => ({
        name,
        description,
        item: requests.map(item),
      })),
    },
    null,
    2,
  )}\n`;

const basic = {
  type: 'basic',
  basic: [
    { key: 'username', value: '{{username}}', type: 'string' },
    { key: 'password', value: '{{password}}', type: 'string' },
  ],
};

const item = (request: CollectedRequest): object => ({
  name: request.name,
  event: [{ listen: 'test', script: { type: 'text/javascript', exec: script(request) } }],
  request: {
    method: request.method,
    description: request.description,
    ...(request.isSignedIn ? {} : { auth: { type: 'noauth' } }),
    header: request.headers.map(({ name, value, isOff }) => ({
      key: name,
      value,
      ...(isOff ? { disabled: true } : {}),
    })),
    url: url(request),
    ...(request.body === undefined ? {} : { body: body(request.body) }),
  },
});

const url = ({ path, pathValues, query }: CollectedRequest): object => {
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const asked = query.map(({ name, value }) => ({ key: name, value: encoded(value) }));
  const text = asked.map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    raw: `{{baseUrl}}/${segments}${text === '' ? '' : `?${text}`}`,
    host: ['{{baseUrl}}'],
    path: segments.split('/'),
    ...(asked.length === 0 ? {} : { query: asked }),
    ...(pathValues.length === 0 ? {} : { variable: pathValues.map(({ name, value }) => ({ key: name, value })) }),
  };
};

/** A variable is filled in later. */
const encoded = (value: string): string => (value.startsWith('{{') ? value : encodeURIComponent(value));

const body = ({ text, isJson }: NonNullable<CollectedRequest['body']>): object => ({
  mode: 'raw',
  raw: text,
  options: { raw: { language: isJson ? 'json' : 'text' } },
});

const script = ({ statuses, keeps }: CollectedRequest): readonly string[] => [
  `pm.test('answers as documented', () => pm.expect(pm.response.code).to.be.oneOf(${JSON.stringify(statuses)}));`,
  ...keeps.map(({ variable, steps }) => {
    const value = steps.map((step) => `[${JSON.stringify(step)}]`).join('');
    return `pm.collectionVariables.set(${JSON.stringify(variable)}, pm.response.json()${value});`;
  }),
];
