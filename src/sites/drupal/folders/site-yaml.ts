/** Writes the files of an imported site as YAML that people read and go on editing. */
import { isMap, isSeq, type Document, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { loadYaml } from '../../../basics/yaml/yaml-library.ts';
import { dataOf, listOf, textOf } from '../lenient-values.ts';

/** A map or list that fits into one line stands in one. */
const lineWidth = 110;

/** The text of a file. */
export const siteYaml = async (file: string, content: unknown): Promise<string> => {
  const yaml = await loadYaml();
  const { terms, ...others } = dataOf(content);
  const document = new yaml.Document(others, { aliasDuplicateObjects: false });
  document.commentBefore = ` ${headingOf(file, content)}`;
  compact(document);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true }) + termLines(listOf(terms));
};

/** Each term is one line of JSON, which is YAML too. So thousands of them are read quickly (`basics/yaml/quick-yaml.ts`). */
const termLines = (terms: readonly unknown[]): string =>
  terms.length === 0 ? '' : `terms:\n${terms.map((term) => `  - ${JSON.stringify(term)}\n`).join('')}`;

const compact = ({ contents }: Document): void => {
  if (isMap(contents)) for (const { value } of contents.items) compactNode(value as Node | null); // values are nodes here
};

const compactNode = (node: Node | null): void => {
  if (!isMap(node) && !isSeq(node)) return;
  if (isShort(node)) {
    node.flow = true;
    return;
  }
  for (const item of node.items as (Node | Pair)[]) {
    compactNode('key' in item ? (item.value as Node | null) : item);
  }
};

/** A list of short maps, such as terms and accounts, has one line for each of them. */
const isShort = (node: YAMLMap | YAMLSeq): boolean => {
  const isTable = isSeq(node) && node.items.length > 1 && node.items.some(isMap);
  if (isTable || (isMap(node) && node.items.some(({ value }) => isMap(value)))) return false;
  return JSON.stringify(node).length <= lineWidth;
};

const headingOf = (file: string, content: unknown): string => {
  const { label, id, resource } = dataOf(content);
  const name = (textOf(label) ?? textOf(id) ?? textOf(resource) ?? '').replaceAll(/\s+/g, ' ');
  if (file === 'site.yml')
    return 'The site itself: its name, limits, storages and links. The folders beside this file say what it holds.';
  if (file === 'accounts.yml')
    return 'The demo accounts, one for each role. Their passwords are public. An import leaves this file as it is.';
  if (file.startsWith('bundles/node.')) return `The content type ${name}: its fields and what they mean in RDF.`;
  if (file.startsWith('bundles/media.'))
    return `The media type ${name}: its fields, its source and what they mean in RDF.`;
  if (file.startsWith('bundles/user.')) return 'The fields of accounts, which `GET /user/{id}` shows.';
  if (file.startsWith('vocabularies/')) return `The vocabulary ${name}: its fields and its terms.`;
  if (file.startsWith('lists/')) return `The list ${textOf(dataOf(content)['path']) ?? ''}: which records, for whom.`;
  if (file.startsWith('roles/')) return `The role ${name} and its permissions.`;
  return file === 'resources/file.upload.yml'
    ? 'The upload of a file for a field: who may authenticate how.'
    : `Records of type ${name} over REST: methods, formats and providers.`;
};
