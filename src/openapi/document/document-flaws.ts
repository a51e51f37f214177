/** Finds the mistakes for which a document is refused, and those with which it is served all the same. */
import { isRecord, listOf } from '../../basics/json.ts';
import { compositionFlaws } from './composition.ts';
import type { DocumentPart } from './join-files.ts';
import type { DocumentFlaw } from './document-flaw.ts';
import { documentBounds } from './load-files.ts';
import { idOf, isStatusKey, methods } from './operation.ts';
import { BrokenReference, type References } from '../schemas/references.ts';
import { shapeOf } from '../router.ts';
import { unservedFlaws } from './unserved.ts';
import { partOf, type Part } from './nodes.ts';

/** All flaws. Those of references and paths alone where one is refused: nothing else can be said then. */
export const documentFlaws = (
  document: Part,
  parts: readonly DocumentPart[],
  references: References,
): DocumentFlaw[] => {
  const broken = brokenReferences(parts, references);
  if (broken.length > 0) return [...broken, ...pathShapeFlaws(document)];
  const compositions = compositionFlaws(parts, references);
  const paths = pathFlaws(document, references);
  const refusals = [...compositions, ...paths].filter(({ isServed }) => !isServed);
  return refusals.length > 0 ? refusals : [...paths, ...compositions, ...unservedFlaws(document, references)];
};

const refused = (keys: readonly string[], rule: string, message: string, remedy: string): DocumentFlaw => ({
  keys,
  rule,
  message,
  remedy,
  isServed: false,
});
const served = (keys: readonly string[], rule: string, message: string, remedy: string): DocumentFlaw => ({
  keys,
  rule,
  message,
  remedy,
  isServed: true,
});

const brokenReferences = (parts: readonly DocumentPart[], { at, follow }: References): DocumentFlaw[] => {
  const flaws: DocumentFlaw[] = [];
  const check = (reference: unknown, keys: readonly string[], target: () => unknown): void => {
    if (typeof reference !== 'string') return;
    try {
      target();
    } catch (error) {
      if (!(error instanceof BrokenReference)) throw error;
      flaws.push(refused(keys, 'reference', error.message, 'Correct the $ref, or add what it names.'));
    }
  };
  for (const { part, keys } of parts) {
    const { $ref: reference, $dynamicRef: dynamic } = part;
    check(reference, [...keys, '$ref'], () => follow(part));
    check(dynamic, [...keys, '$dynamicRef'], () => at(String(dynamic)));
  }
  return flaws;
};

/** What the text of a path alone says. */
export const pathShapeFlaws = (document: Part): DocumentFlaw[] =>
  Object.keys(partOf(document['paths'])).flatMap((path) =>
    path.startsWith('/') && /[{}]/.test(path.replaceAll(/\{[^{}/]+\}/g, ''))
      ? [
          refused(
            ['paths', path],
            'path',
            `The braces of "${path}" do not match.`,
            'Close each brace, and give each parameter a name.',
          ),
        ]
      : [],
  );

const pathFlaws = (document: Part, { follow, overlaid }: References): DocumentFlaw[] => {
  const flaws: DocumentFlaw[] = pathShapeFlaws(document);
  const checked = { shapes: new Map<string, string>(), ids: new Map<string, string>(), follow };
  let operations = 0;
  for (const [path, written] of Object.entries(partOf(document['paths']))) {
    if (path.startsWith('x-')) continue;
    const keys = ['paths', path];
    flaws.push(...pathTextFlaws(path, keys));
    if (!path.startsWith('/')) continue;
    const item = partOf(overlaid(written));
    flaws.push(...memberFlaws(item, path, keys));
    for (const method of methods) {
      const operation = item[method.toLowerCase()];
      if (!isRecord(operation)) continue;
      operations += 1;
      flaws.push(...operationFlaws(operation, [...keys, method.toLowerCase()], { ...checked, method, path, item }));
    }
  }
  if (operations === 0)
    flaws.push(served([], 'paths', 'The document has no operations, so nothing is served.', 'Add some under paths.'));
  if (operations > documentBounds.operations) {
    const message = `The document has ${operations} operations; the most are ${documentBounds.operations}.`;
    flaws.push(refused(['paths'], 'too-many-operations', message, 'Divide it.'));
  }
  return flaws;
};

const pathTextFlaws = (path: string, keys: readonly string[]): DocumentFlaw[] => {
  if (!path.startsWith('/')) {
    const message = `"${path}" does not begin with a slash, so it is not served.`;
    return [served(keys, 'path', message, 'Begin it with a slash.')];
  }
  if (!/[?#]/.test(path.replaceAll(/\{[^{}]*\}/g, ''))) return [];
  const message = `"${path}" has a query or a fragment, so no request has this path.`;
  return [served(keys, 'path', message, 'Describe the query under parameters.')];
};

const memberFlaws = (item: Part, path: string, keys: readonly string[]): DocumentFlaw[] =>
  Object.entries(item).flatMap(([name, member]) => {
    const lower = name.toLowerCase();
    if (!methods.some((method) => method.toLowerCase() === lower)) return [];
    const title = `"${name}" of ${path}`;
    if (name !== lower)
      return [
        served(
          [...keys, name],
          'method',
          `${title} is not a method of OpenAPI, so it is not served.`,
          'Write it in lower case.',
        ),
      ];
    if (isRecord(member)) return [];
    return [
      served([...keys, name], 'operation', `${title} is not an object, so it is not served.`, 'Add its responses.'),
    ];
  });

type Checked = {
  readonly method: string;
  readonly path: string;
  readonly item: Part;
  /** The path of each method and shape. */
  readonly shapes: Map<string, string>;
  /** The operation of each `operationId`. */
  readonly ids: Map<string, string>;
  readonly follow: References['follow'];
};

const operationFlaws = (operation: Part, keys: readonly string[], checked: Checked): DocumentFlaw[] => [
  ...shapeFlaws(keys, checked),
  ...idFlaws(operation, keys, checked),
  ...responseFlaws(operation, keys, checked),
  ...templateFlaws(operation, keys, checked),
];

const shapeFlaws = (keys: readonly string[], { method, path, shapes }: Checked): DocumentFlaw[] => {
  const shape = `${method} ${shapeOf(path)}`;
  const other = shapes.get(shape);
  if (other === undefined) shapes.set(shape, path);
  const message = `${method} ${path} matches the same paths as ${other ?? ''}.`;
  return other === undefined ? [] : [refused(keys, 'same-path', message, 'Keep one of them.')];
};

const idFlaws = (
  { operationId: id }: Part,
  keys: readonly string[],
  { method, path, ids }: Checked,
): DocumentFlaw[] => {
  const say = (message: string, remedy: string): DocumentFlaw[] => [
    served([...keys, 'operationId'], 'operation-id', message, remedy),
  ];
  if (id === undefined) return [];
  if (typeof id !== 'string')
    return say(`The operationId is not a text; the operation is called ${idOf(method, path)}.`, 'Write it as a text.');
  const other = ids.get(id);
  ids.set(id, `${method} ${path}`);
  if (other === undefined) return [];
  return say(`${other} has the operationId "${id}", too; a number is added to this one.`, 'Give it another one.');
};

const responseFlaws = ({ responses }: Part, keys: readonly string[], { method, path }: Checked): DocumentFlaw[] => {
  const names = Object.keys(partOf(responses)).filter((name) => !name.startsWith('x-'));
  if (names.length === 0) {
    const message = `${method} ${path} has no responses; it is answered with 200 and no body.`;
    return [served(keys, 'responses', message, 'Add one.')];
  }
  return names.flatMap((name) => {
    if (isStatusKey(name)) return [];
    const message = `"${name}" is not a final status, so it is never answered.`;
    return [served([...keys, 'responses', name], 'status', message, 'Write a status such as 200, 4XX, or default.')];
  });
};

const templateFlaws = (operation: Part, keys: readonly string[], { path, item, follow }: Checked): DocumentFlaw[] => {
  const say = (message: string, remedy: string): DocumentFlaw => served(keys, 'path-parameter', message, remedy);
  const parameters = [...listOf(item['parameters']), ...listOf(operation['parameters'])].map((each) =>
    partOf(follow(each)),
  );
  const described = new Set(parameters.filter((each) => each['in'] === 'path').map(({ name }) => String(name)));
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const missing = [...new Set(names)].filter((name) => !described.has(name));
  const needless = [...described].filter((name) => !names.includes(name));
  return [
    ...missing.map((name) =>
      say(`The parameter {${name}} of ${path} is not described; it may be any text.`, 'Describe it under parameters.'),
    ),
    ...needless.map((name) =>
      say(`The path parameter "${name}" is not in ${path}, so it is not read.`, 'Put it into the path, or remove it.'),
    ),
    ...(new Set(names).size < names.length
      ? [say(`A parameter is twice in ${path}; its last value counts.`, 'Give each one its own name.')]
      : []),
  ];
};
