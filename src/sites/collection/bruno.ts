/** Writes a collection in the format of Bruno: a folder of text files, which `bru run` runs. */
import type { CollectedRequest, RequestCollection, NamedValue } from '../../openapi/openapi-parts.ts';
import { collectionVariables } from './collection-variables.ts';

/** A file of the collection by its name below the collection's folder. */
type CollectionFile = { readonly name: string; readonly text: string };

export const brunoCollection = (collection: RequestCollection): readonly CollectionFile[] => [
  {
    name: 'bruno.json',
    text: `${JSON.stringify({ version: '1', name: collection.name, type: 'collection' }, null, 2)}\n`,
  },
  { name: 'collection.bru', text: blocks(['auth', ['mode: basic']], ['auth:basic', credentials], docs(collection)) },
  { name: 'environments/local.bru', text: blocks(['vars', collectionVariables(collection).map(line)]) },
  ...collection.folders.flatMap(({ name, description, requests }, index) => [
    {
      name: `${name}/folder.bru`,
      text: blocks(['meta', [`name: ${name}`, `seq: ${index + 1}`]], docs({ description })),
    },
    ...requests.map((request, place) => ({ name: `${name}/${request.id}.bru`, text: requestText(request, place + 1) })),
  ]),
];

type Block = readonly [name: string, lines: readonly string[]];

/** Blocks without lines are left out. Each line is indented, so that none ends a block early. */
const blocks = (...all: readonly Block[]): string =>
  all
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) => `${name} {\n${lines.map((each) => `  ${each}`.trimEnd()).join('\n')}\n}\n`)
    .join('\n');

const line = ({ name, value }: NamedValue): string => `${name}: ${value}`;
const credentials = ['username: {{username}}', 'password: {{password}}'];
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'));
const docs = ({ description }: { readonly description: string }): Block => ['docs', linesOf(description)];

const requestText = (request: CollectedRequest, place: number): string => {
  const { method, pathValues, query, headers, body, isSignedIn, description } = request;
  const kind = body === undefined ? 'none' : body.isJson ? 'json' : 'text';
  return blocks(
    ['meta', [`name: ${request.name}`, 'type: http', `seq: ${place}`]],
    [
      method.toLowerCase(),
      [`url: {{baseUrl}}${address(request)}`, `body: ${kind}`, `auth: ${isSignedIn ? 'inherit' : 'none'}`],
    ],
    ['params:query', query.map(line)],
    ['params:path', pathValues.map(line)],
    ['headers', headers.map((header) => `${header.isOff ? '~' : ''}${line(header)}`)],
    [`body:${kind}`, linesOf(body?.text ?? '')],
    ['script:post-response', request.keeps.map(({ variable, steps }) => keep(variable, steps))],
    ['tests', tests(request)],
    docs({ description }),
  );
};

const address = ({ path, query }: CollectedRequest): string => {
  const asked = query.map(({ name, value }) => `${name}=${value.startsWith('{{') ? value : encodeURIComponent(value)}`);
  return `${path.replaceAll(/\{(\w+)\}/g, ':$1')}${asked.length === 0 ? '' : `?${asked.join('&')}`}`;
};

const keep = (variable: string, steps: readonly string[]): string =>
  `bru.setVar(${JSON.stringify(variable)}, res.getBody()${steps.map((step) => `[${JSON.stringify(step)}]`).join('')});`;

const tests = ({ statuses }: CollectedRequest): readonly string[] => [
  'test("answers as documented", function() {',
  `  expect(res.getStatus()).to.be.oneOf(${JSON.stringify(statuses)});`,
  '});',
];
