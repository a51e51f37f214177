/** Lists the requests of an operation that may succeed: the example of the document, and the same with what the world holds. */
import type { CollectedRequest } from '../../openapi/openapi-parts.ts';
import type { HostedOperation } from '../../openapi/openapi-host.ts';
import { draftOf, withHeader, type Draft } from './draft.ts';
import type { KnownValues } from './known-values.ts';
import type { Variant } from './variants.ts';

/** Operations on the same kind of record. */
type Related = {
  /** Makes one. */
  readonly create?: CollectedRequest | undefined;
  /** Changes one. */
  readonly update?: CollectedRequest | undefined;
};

export type ExampleContext = {
  readonly operation: HostedOperation;
  /** The kind of record that the document says the operation is about, such as `node`. */
  readonly resource: string;
  /** The example of the document. */
  readonly request: CollectedRequest;
  readonly related: Related;
  readonly knownValues: KnownValues;
};

export const examplesOf = (context: ExampleContext): Variant[] => {
  const { operation, request, knownValues } = context;
  const prefix = operation.path.slice(0, operation.path.indexOf('{'));
  const paths = operation.isMultiSegment ? knownValues.contentPaths.filter((path) => path.startsWith(prefix)) : [];
  return [
    { draft: draftOf(request), what: 'the example of the document' },
    ...idsOf(context).map(({ name, value }) => ({
      draft: draftOf(request, { [name]: value }),
      what: `the example of the document with the \`${name}\` ${value}`,
    })),
    ...paths.map((path) => ({ draft: { ...draftOf(request), path }, what: 'the bytes of a file of the repository' })),
    ...withBodies(context),
    ...withFileFields(context),
    ...madeFirst(context),
  ];
};

/** The parameter that is an id, with the ids of records. */
const idsOf = ({ operation, knownValues }: ExampleContext): { readonly name: string; readonly value: string }[] =>
  operation.pathParameters
    .filter(({ name }) => knownValues.idsFor(name).length > 0)
    .slice(0, 1)
    .flatMap(({ name }) => knownValues.idsFor(name).map((value) => ({ name, value })));

/** What the world holds already fits the site, whatever its bundles are. */
const withBodies = ({ operation, request, resource, knownValues }: ExampleContext): Variant[] => {
  if (operation.body !== 'json') return [];
  const [parameter] = operation.pathParameters;
  return knownValues.bodiesFor(resource).map(({ id, body }) => ({
    draft: {
      ...draftOf(request, parameter === undefined ? {} : { [parameter.name]: id }),
      body: JSON.stringify(body, null, 2),
    },
    what: `what the ${resource} ${id} holds`,
  }));
};

/** For operations that name a field: the fields of the site that hold files, with a name that they take. */
const withFileFields = ({ operation, request, knownValues }: ExampleContext): Variant[] => {
  if (!operation.pathParameters.some(({ name }) => name === 'field_name')) return [];
  return knownValues.fileFields.map(({ values, extension }) => ({
    draft: withExtension(draftOf(request, values), extension),
    what: `a file for the field \`${values['field_name']}\``,
  }));
};

const withExtension = (draft: Draft, extension: string): Draft =>
  draft.headers.reduce(
    (changed, { name, value }) =>
      /\.\w+"?$/.test(value) ? withHeader(changed, name, value.replace(/\.\w+(?="?$)/, `.${extension}`)) : changed,
    draft,
  );

/** Where the world holds no such record, one is made first. */
const madeFirst = (context: ExampleContext): Variant[] => {
  const { operation, request, related } = context;
  const [parameter] = operation.pathParameters;
  if (related.create === undefined || parameter?.isId !== true || idsOf(context).length > 0) return [];
  return ['id', 'rid', 'tid', 'nid', 'mid'].map((member) => ({
    draft: draftOf(request, { [parameter.name]: '{{made}}' }),
    what: 'the record that was made just before',
    before:
      related.create === undefined ? [] : [{ draft: draftOf(related.create), keeps: { made: `/${member}/0/value` } }],
  }));
};

/** Records that are unpublished first, so that not everybody may see them. */
export const unpublishedFirst = ({ operation, resource, request, related, knownValues }: ExampleContext): Variant[] => {
  const { update } = related;
  const [parameter] = operation.pathParameters;
  if (update === undefined || parameter?.isId !== true || (operation.method !== 'GET' && operation.method !== 'HEAD'))
    return [];
  const plain = knownValues.bodiesFor(resource).filter(({ isModerated }) => !isModerated);
  return plain.map(({ id, body }) => ({
    draft: draftOf(request, { [parameter.name]: id }),
    what: `the ${resource} ${id}, which was unpublished just before`,
    before: [
      {
        draft: {
          ...draftOf(update, { [parameter.name]: id }),
          body: JSON.stringify({ ...body, status: [{ value: false }] }, null, 2),
        },
      },
    ],
  }));
};
