/** The resources: the document, the rules of the contract by section, the guides, the model of the site, and the schemas of tools. */
import { loadTools } from './all-tools.ts';
import type { components } from '../client/generated/control.ts';
import { decodedUri } from '../repository/repository.ts';
import { rim } from './rim.ts';
import { readServedDocument, operationNamed } from './session/served-document.ts';
import type { Call } from './session/session.ts';
import { ToolRefusal } from './tool-refusal.ts';

/** What `resources/list` shows of a resource. */
type ListedResource = {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly mimeType: string;
};

type ReadResource = { readonly uri: string; readonly mimeType: string; readonly text: string };

const json = 'application/json';
const markdown = 'text/markdown';

const templates = [
  {
    uriTemplate: 'atoll://document/{operation}',
    name: 'operation',
    title: 'One operation of the document',
    description: 'With its parameters and schemas, without references.',
    mimeType: json,
  },
  {
    uriTemplate: 'atoll://rules/{section}',
    name: 'rules',
    title: 'The rules of the contract of one section',
    description: 'What the checks of atoll verify hold a server to.',
    mimeType: markdown,
  },
  {
    uriTemplate: 'atoll://guides/{name}',
    name: 'guide',
    title: 'A guide',
    description: 'One page.',
    mimeType: markdown,
  },
  {
    uriTemplate: 'atoll://model/{type}/{bundle}',
    name: 'bundle',
    title: 'One bundle of the site',
    description: 'With all its fields and their choices.',
    mimeType: json,
  },
  {
    uriTemplate: 'atoll://tools/{name}',
    name: 'tool',
    title: 'One tool',
    description: 'The schemas of its arguments and of its answer.',
    mimeType: json,
  },
];

/** Without the rules where nothing checks them. */
export const resourceTemplates = () =>
  rim.checks === undefined ? templates.filter(({ name }) => name !== 'rules') : templates;

const listedRules = { uri: 'atoll://rules', name: 'rules', title: 'The sections of the rules of the contract' };

export const listResources = async (call: Call): Promise<readonly ListedResource[]> => {
  const guides = await call.options.guides.list();
  return [
    { uri: 'atoll://document', name: 'document', title: 'The OpenAPI document as it is served', mimeType: json },
    { uri: 'atoll://model', name: 'model', title: 'The bundles and fields of the site', mimeType: json },
    ...(rim.checks === undefined ? [] : [{ ...listedRules, mimeType: markdown }]),
    ...guides.map(({ name, title }) => ({ uri: `atoll://guides/${name}`, name, title, mimeType: markdown })),
  ];
};

type Reader = (rest: readonly string[], call: Call) => Promise<Omit<ReadResource, 'uri'> | undefined>;

/** Throws `ToolRefusal` when there is no such resource. */
export const readResource = async (uri: string, call: Call): Promise<ReadResource> => {
  const [, kind = '', rest = ''] = /^atoll:\/\/([a-z]+)\/?(.*)$/.exec(uri) ?? [];
  const read = readers.get(kind);
  const found = await read?.(rest === '' ? [] : rest.split('/').map(decodedUri), call);
  if (found !== undefined) return { uri, ...found };
  throw new ToolRefusal(
    `There is no resource ${uri}.`,
    'resources/list and resources/templates/list have those that there are.',
  );
};

const listed = ({ type, bundle, label, count, methods }: Model['bundles'][number]) => ({
  ...{ type, bundle, label, records: count, methods, fields: `atoll://model/${type}/${bundle}` },
});

type Model = components['schemas']['ContentModel'];

const asJson = (value: unknown) => ({ mimeType: json, text: JSON.stringify(value) });
const asMarkdown = (text: string | undefined) => (text === undefined ? undefined : { mimeType: markdown, text });

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    'document',
    async ([operation], { server }) => {
      const document = await readServedDocument(server);
      if (operation === undefined) return { mimeType: json, text: document.text };
      return asJson(operationNamed(document, operation).operation);
    },
  ],
  [
    'model',
    async ([type, bundle], call) => {
      const { bundles } = await call.control(call.server).ask('getModel');
      if (type === undefined) return asJson({ bundles: bundles.map(listed) });
      const found = bundles.find((each) => each.type === type && each.bundle === bundle);
      return found && asJson(found);
    },
  ],
  [
    'rules',
    async ([section], { options }) => asMarkdown(await (await rim.checks?.())?.readRules(section, options.locations)),
  ],
  [
    'tools',
    async ([name]) => {
      const tool = (await loadTools()).find((each) => each.name === name);
      return tool && asJson({ name, inputSchema: tool.input, outputSchema: tool.output });
    },
  ],
  ['guides', async (name, { options }) => asMarkdown(await options.guides.read(name.join('/')))],
]);
