/** Fills the paths of the document with what the target has, so that each of its reads can be asked. */
import type { FieldDefinition } from '../../../../repository/repository.ts';
import { operationsOf, type Operation } from '../../../../repository/repository-engine.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { type Answer, CheckSkip } from '../../answer.ts';
import { anonymousAccount, type TargetAccount } from '../../../../exchange/exchange-target.ts';
import type { Check, CheckContext } from '../../check.ts';
import { fieldRoles } from '../../field-roles.ts';
import { valueIn } from '../../record-members.ts';
import { fileOf, mediaOf, orSkip, readerOf, readOk, withQuery } from './reading-check.ts';
import { checksThatRead, type Rule } from '../../rule.ts';

/** The same document each time, whose operations many checks ask for. */
const readDocuments = new WeakMap<TargetContract['document'], readonly Operation[]>();

const operationsIn = ({ document }: TargetContract): readonly Operation[] => {
  const operations = readDocuments.get(document) ?? operationsOf(document);
  readDocuments.set(document, operations);
  return operations;
};

/** The GET operations of the document that something is known for. */
export const readsOf = (contract: TargetContract): readonly Operation[] =>
  operationsIn(contract).filter(
    ({ method, pathParameters }) => method === 'GET' && pathParameters.every(({ name }) => name in parameterValues),
  );

/** The operation that answers HEAD for a GET; that of GET where the document has none. */
export const headIdOf = (contract: TargetContract, { path, id }: Operation): string =>
  operationsIn(contract).find((one) => one.path === path && one.method === 'HEAD')?.id ?? id;

/** The vocabulary that the models of nodes come from. */
export const modelVocabulary = ({ contract }: CheckContext): string =>
  orSkip(fieldRoles(contract.site).modelVocabularies[0], 'The site has no vocabulary of models.');

/** The vocabulary that the uses of media come from. */
const useVocabulary = ({ contract }: CheckContext): string =>
  orSkip(fieldRoles(contract.site).useVocabularies[0], 'The site has no uses of media.');

/** A configured field of the node: the model, or the first. */
const shownField = ({ contract, subjects }: CheckContext): FieldDefinition => {
  const fields = [...(contract.site.model.bundle('node', subjects.node.bundle)?.fields.values() ?? [])];
  const configured = fields.filter((field) => field.configured);
  return orSkip(configured.find(({ name }) => name === 'field_model') ?? configured[0], 'The node has no field.');
};

/** The path of the bytes of a file whose path begins as the operation's does. */
const contentPath = ({ subjects }: CheckContext, { path }: Operation): string => {
  const prefix = path.replace(/\{.*$/, '');
  const file = [...subjects.files.values()].find(({ content }) => content.startsWith(prefix));
  return orSkip(file, `No file is known whose content is below ${prefix}`).content.slice(prefix.length);
};

type Value = (context: CheckContext, operation: Operation) => string | number;

const parameterValues: Readonly<Record<string, Value>> = {
  // The members of a node are those of its container.
  node_id: ({ subjects }, { path }) =>
    (/\/members$/.test(path) ? (subjects.container ?? subjects.node) : subjects.node).id,
  media_id: (context) => mediaOf(context).id,
  file_id: (context) => fileOf(context).id,
  term_id: ({ subjects }) => orSkip(subjects.terms.model, 'No term is known.'),
  user_id: ({ subjects }) => {
    const uid = valueIn(subjects.node.record, 'uid', 'target_id');
    return orSkip(typeof uid === 'number' ? uid : undefined, 'The owner of the node is not known.');
  },
  path: contentPath,
  // A picture of an image service, which has it whole.
  image: (context) => fileOf(context, 'image').content.replace(/^\//, ''),
  ...{ size: () => 'full', quality: () => 'default.jpg' },
  form_display_id: ({ subjects }) => `node.${subjects.node.bundle}.default`,
  field_config_id: (context) => `node.${context.subjects.node.bundle}.${shownField(context).name}`,
  field_storage_config_id: (context) => `node.${shownField(context).name}`,
  media_type_id: (context) => mediaOf(context).bundle,
  node_type_id: ({ subjects }) => subjects.node.bundle,
  vocabulary_id: modelVocabulary,
  vid: modelVocabulary,
  entity_type: () => 'node',
  bundle: ({ subjects }) => subjects.node.bundle,
  field_name: (context) => shownField(context).name,
};

/** What reads ask in their query besides the format. */
const queryValues: Readonly<Record<string, (context: CheckContext) => string>> = {
  uri: () => 'http://pcdm.org/use#OriginalFile',
  authority_link: () => 'http://pcdm.org/use#OriginalFile',
  name: () => 'Original File',
  vocab: useVocabulary,
  vid: modelVocabulary,
  file_uuid: (context) => String(valueIn(fileOf(context).record, 'uuid')),
  algorithm: () => 'sha1',
  verb: () => 'Identify',
};

/** The path of a read, with what its query needs but the format. `replaced` are path parameters in other spellings. */
export const addressOf = (
  context: CheckContext,
  operation: Operation,
  replaced: Readonly<Record<string, string>> = {},
): string => {
  const path = operation.path.replace(/\{([^}]+)\}/g, (_all, name: string) => {
    const text = replaced[name];
    if (text !== undefined) return text;
    const value = parameterValues[name];
    if (value === undefined) throw new CheckSkip(`Nothing is known for {${name}} of ${operation.path}.`);
    // The address of content is escaped already.
    return operation.isMultiSegment ? String(value(context, operation)) : encodeURIComponent(value(context, operation));
  });
  const query = operation.queryNames.flatMap((name) => {
    const value = queryValues[name];
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value(context))}`];
  });
  return withQuery(path, query.join('&'));
};

/** The format that a read gets where a check is not about formats. */
export const formatQuery = (
  { format }: Operation,
  name = format?.enabled.includes('json') === false ? 'jsonld' : 'json',
) => (format === undefined ? '' : `_format=${name}`);

/** The path and query of a plain read. */
export const readAddress = (context: CheckContext, operation: Operation): string =>
  withQuery(addressOf(context, operation), formatQuery(operation));

/** Who asks: the account that may most, where the operation takes its credentials; else the visitor. */
export const accountFor = (context: CheckContext, { providers }: Operation): TargetAccount => {
  const reader = readerOf(context);
  const provider = reader.password === undefined ? 'jwt_auth' : 'basic_auth';
  return providers.includes(provider) ? reader : anonymousAccount;
};

/** GET of an operation with 200. */
export const readOperation = (
  context: CheckContext,
  operation: Operation,
  path = readAddress(context, operation),
): Promise<Answer> => readOk(context, path, accountFor(context, operation));

/** The checks of rules about a read. */
export const readChecks = (topic: string, { id }: Operation, rules: readonly Rule[]): readonly Check[] =>
  checksThatRead(rules, { topic: `${topic}.${id}`, of: id, operations: [id] });
