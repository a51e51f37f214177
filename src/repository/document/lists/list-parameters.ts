/** Makes the parameters of a list: its arguments, the format, the conditions of the query, the page. */
import { listOf } from '../../../basics/json.ts';
import { areEqual } from '../../../basics/equal-values.ts';
import { entityTypes, identityOf } from '../../model/entity.ts';
import type { ListArgument, ListField, RecordList } from '../../site/record-list.ts';
import type { Site } from '../../site/site.ts';
import { type DocumentObject, referredPart, type Part } from '../../../openapi/openapi-terms.ts';

/** Whether the text of an argument is an id. */
export const isId = ({ field }: ListArgument, { entityType }: RecordList, { model }: Site): boolean =>
  field.name === identityOf(entityType).id ||
  model
    .bundles(entityType)
    .some(({ fields }) => entityTypes.some((type) => type === fields.get(field.name)?.target?.type));

/** The parameters of the path; nothing for a path without arguments. */
export const pathParameters = (list: RecordList, site: Site): Part => {
  if (list.arguments.length === 0) return {};
  const bundle = identityOf(list.entityType).bundle;
  const [known] = site.model.bundles(list.entityType);
  const parameters = list.arguments.map((argument) => ({
    ...{ name: argument.name, in: 'path', required: true, description: meaning(argument.field) },
    ...(isId(argument, list, site)
      ? { schema: { type: 'integer', minimum: 0 }, example: 1 }
      : {
          schema: { type: 'string', minLength: 1 },
          example: (argument.field.name === bundle ? known?.id : undefined) ?? 'example',
        }),
  }));
  return { parameters };
};

const meaning = ({ name, property }: ListField): string =>
  `What \`${property === undefined ? name : `${name}.${property}`}\` of the records is.`;

/** The parameters of the query. Those that the document describes stay as they are. */
export const listParameters = (document: DocumentObject, list: RecordList, operation: Part): readonly unknown[] => {
  const described = listOf(operation['parameters']).map((value) => ({ value, part: referredPart(document, value) }));
  const shared = Object.entries(document.components['parameters'] ?? {}).map(([name, part]) => ({
    value: { $ref: `#/components/parameters/${name}` },
    part: referredPart(document, part),
  }));
  /** The written parameter that equals the wanted one, or the wanted one itself. */
  const asWritten = (wanted: Part): unknown =>
    [...described, ...shared].find(({ part }) => areEqual(part, wanted))?.value ?? wanted;
  const conditions = list.parameters.map(
    ({ name, field, isNegated }) =>
      described.find(({ part }) => part['name'] === name)?.value ?? {
        ...{ name, in: 'query' },
        description: isNegated ? `What \`${field.name}\` of the records is not.` : meaning(field),
        schema: { type: 'string' },
      },
  );
  return [
    formatOf(list, described.find(({ part }) => part['name'] === '_format') ?? shared.find(isFormatFor(list))),
    ...conditions,
    asWritten({
      ...{ name: 'page', in: 'query', description: 'The page of the list, from 0.' },
      ...{ schema: { type: 'integer', minimum: 0, maximum: 999_999_999 }, example: 0 },
    }),
    ...(list.largestPage === undefined ? [] : [asWritten(sizeOf(list.pageSize ?? list.largestPage, list.largestPage))]),
  ];
};

type Written = { readonly value: unknown; readonly part: Part };

const formatsIn = ({ part }: Written): readonly unknown[] => listOf((part['schema'] as Part | undefined)?.['enum']);

const isFormatFor =
  ({ formats }: RecordList) =>
  (written: Written): boolean =>
    written.part['name'] === '_format' && written.part['required'] !== true && areEqual(formatsIn(written), formats);

const formatOf = ({ formats }: RecordList, written: Written | undefined): unknown =>
  written !== undefined && areEqual(formatsIn(written), formats)
    ? written.value
    : {
        ...{ name: '_format', in: 'query', description: 'The format of the answer. May be left out.' },
        ...{
          schema: { type: 'string', enum: formats },
          example: formats.find((name) => name === 'json') ?? formats[0],
        },
      };

const sizeOf = (size: number, largest: number): Part => ({
  ...{ name: 'items_per_page', in: 'query', description: `The size of a page; ${size} when it is left out.` },
  ...{ schema: { type: 'integer', minimum: 1, maximum: largest }, example: size },
});
