/** Reads the document that a world serves, and finds its operations. */
import { listOf } from '../../basics/json.ts';
import { dereference, type LocatedOperation, locateOperations, trimmedText } from '../../openapi/openapi-parts.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import type { WorldCommands } from '../../exchange/exchange-worlds.ts';
import { ToolRefusal } from '../tool-refusal.ts';

export type DescribedOperation = LocatedOperation & {
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
};

export type ServedDocument = {
  /** As it is served. */
  readonly text: string;
  readonly operations: readonly DescribedOperation[];
};

/** The last document, which the next call most likely gets again. */
let last: ServedDocument | undefined;

/** Throws `ToolRefusal` when the server has no document. */
export const readServedDocument = async (world: WorldCommands): Promise<ServedDocument> => {
  const response = await world.fetch('/openapi.json');
  const text = await response.text();
  if (!response.ok) throw new ToolRefusal(`${world.url} serves no document.`, 'Name the URL of an Atoll with --url.');
  if (last?.text !== text)
    last = { text, operations: locateOperations(dereference(JSON.parse(text) as DocumentObject)).map(described) }; // an Atoll serves documents
  return last;
};

const described = (located: LocatedOperation): DescribedOperation => {
  const { summary, description, tags } = located.operation;
  return {
    ...{ ...located, summary: trimmedText(summary), description: trimmedText(description) },
    tags: listOf(tags).map(trimmedText),
  };
};

/** Throws `ToolRefusal` with the nearest ids when there is no such operation. */
export const operationNamed = ({ operations }: ServedDocument, id: string): DescribedOperation => {
  const found = operations.find((each) => each.id === id);
  if (found !== undefined) return found;
  const near = nearest(operations, id.replace(/([a-z])([A-Z])/g, '$1 $2')).slice(0, 5);
  const remedy = near.length === 0 ? '' : ` Nearest: ${near.map((each) => each.id).join(', ')}.`;
  throw new ToolRefusal(`The document has no operation "${id}".`, `Look for it with find_operations.${remedy}`);
};

/** The operations that fit these words, the best first. */
export const nearest = (operations: readonly DescribedOperation[], words: string): DescribedOperation[] => {
  const wanted = stemsOf(words);
  return operations
    .map((operation) => ({ operation, score: scoreOf(operation, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ operation }) => operation);
};

/** Whether the operation has each of these stems in its id, summary, path or tags. */
export const hasAll = (operation: DescribedOperation, stems: readonly string[]): boolean => {
  const own = new Set(
    placesOf(operation).flatMap(([weight, text]) => (weight === descriptionWeight ? [] : stemsOf(text))),
  );
  return stems.every((stem) => own.has(stem));
};

/** Words in lower case without the ending of a plural or a verb. */
export const stemsOf = (words: string): string[] => [
  ...new Set(
    (
      words
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .match(/[a-z0-9]+/g) ?? []
    )
      .filter((word) => word.length > 1 && !fillers.has(word))
      .map((word) => word.replace(/(?<=...)(ing|es|ed|s|e)$/, '')),
  ),
];

const fillers: ReadonlySet<string> = new Set(
  'the an and or of for to in on with by is it as from that this how do'.split(' '),
);

/** A description names much that the operation does not do. */
const descriptionWeight = 1;

type Place = readonly [weight: number, text: string];

const placesOf = ({ id, method, path, summary, description, tags }: DescribedOperation): readonly Place[] => [
  [6, id],
  [5, summary],
  [4, `${method} ${path}`],
  [3, tags.join(' ')],
  [descriptionWeight, description],
];

const scoreOf = (operation: DescribedOperation, wanted: readonly string[]) => {
  const stems = placesOf(operation).map(([weight, text]) => [weight, new Set(stemsOf(text))] as const);
  return wanted.reduce(
    (sum, word) => sum + Math.max(0, ...stems.map(([weight, words]) => (words.has(word) ? weight : 0))),
    0,
  );
};

/** Whether a request of this method and path is one of the operation. `path` is without its query. */
export const matchesPath = (operation: DescribedOperation, path: string): boolean => {
  const pattern = operation.path
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{[^}]+\}/g, (_name, at: number) =>
      operation.operation['x-multi-segment'] === true && operation.path.indexOf('}', at) === operation.path.length - 1
        ? '.+'
        : '[^/]+',
    );
  return new RegExp(`^${pattern}$`).test(path);
};
