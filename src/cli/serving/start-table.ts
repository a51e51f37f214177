/** The table that `atoll serve` prints when the server is ready. */
import type { DocumentCollections, DocumentSummary } from '../../contract/contract.ts';
import { demoAccountsOf } from '../../exchange/exchange.ts';
import type { Started } from '../../server/server-start.ts';
import { placeRows, type RepositoryPlace } from './store-options.ts';

export const startTable = async (started: Started, place: RepositoryPlace): Promise<string> => {
  const { url, world, inside } = started;
  if (!started.hasRepository)
    return tableText([
      ...ownRows(url),
      ...operationRows(url, inside.contract().documented?.documents ?? []),
      ...collectionRows(inside.contract().documented?.collections ?? []),
      ...placeRows(place, world.durability),
    ]);
  const accounts = demoAccountsOf(world.site).map(({ name, password }) => `${name} / ${password}`);
  const entries = await started.entryPoints();
  const [first] = entries;
  return tableText([
    ...ownRows(url),
    ['For coding agents', `${url}/llms.txt`],
    ...(accounts.length === 0 ? [] : [['Accounts', accounts.join(', ')] as [string, string]]),
    ...entries.map((entry): [string, string] => [entry.title, entry.url]),
    ...collectionRows(inside.contract().documented?.collections ?? []),
    ...(first === undefined ? [] : [['Try', `curl -i "${first.url}"`] as [string, string]]),
    ...placeRows(place, world.durability),
  ]);
};

type Row = readonly [name: string, value: string];

const tableText = (rows: readonly Row[]): string =>
  [...rows.map(([name, value]) => `${name}\n    ${value}`), 'Ready'].join('\n');

const ownRows = (url: string): Row[] => [
  ['Atoll', url],
  ['Console', `${url}/_atoll/`],
  ['API page', `${url}/_atoll/docs`],
  ['Document', `${url}/openapi.yaml`],
];

/** The number of operations of documents that are served alone, and the first that needs nothing else to be asked. */
const operationRows = (url: string, documents: readonly DocumentSummary[]): Row[] => {
  const first = documents.find(({ firstPath }) => firstPath !== undefined);
  return [
    ['Operations', String(documents.reduce((sum, { operations }) => sum + operations, 0))],
    ...(first === undefined ? [] : [['Try', `curl -i "${url}${first.basePath}${first.firstPath ?? ''}"`] as const]),
  ];
};

/** Which paths remember what clients write, and why others do not. */
const collectionRows = (documents: readonly DocumentCollections[]): Row[] => {
  const collections = documents.flatMap(({ summaries }) => summaries);
  const others = documents.flatMap((document) => document.others);
  const lines = [
    ...collections.map(({ name, path, itemPath, ignored }) => {
      const unused = ignored.length === 0 ? '' : ` (no effect: ${ignored.join(', ')})`;
      return `${name}: ${[path, itemPath].filter((each) => each !== undefined).join(', ')}${unused}`;
    }),
    ...others.map(({ path, reason }) => `not ${path}: ${reason}`),
  ];
  return lines.length === 0 ? [] : [[collections.length === 0 ? 'Not remembered' : 'Remembered', lines.join('\n    ')]];
};
