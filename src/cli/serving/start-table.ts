/** The table that `atoll serve` prints when the server is ready. */
import type { DocumentSummary } from '../../contract/corrected-body.ts';
import { demoAccountsOf } from '../../exchange/accounts.ts';
import { entryPoints } from '../../server/control/content/entry-points.ts';
import type { Started } from '../../server/start/start.ts';
import { placeRows, type RepositoryPlace } from './store-options.ts';

export const startTable = async (started: Started, place: RepositoryPlace): Promise<string> => {
  const { url, world, inside } = started;
  if (!started.hasRepository)
    return tableText([
      ...ownRows(url),
      ...operationRows(url, inside.contract().documented?.documents ?? []),
      ...placeRows(place, world.durability),
    ]);
  const accounts = demoAccountsOf(world.site).map(({ name, password }) => `${name} / ${password}`);
  const entries = await entryPoints(world);
  const [first] = entries;
  return tableText([
    ...ownRows(url),
    ['For coding agents', `${url}/llms.txt`],
    ...(accounts.length === 0 ? [] : [['Accounts', accounts.join(', ')] as [string, string]]),
    ...entries.map((entry): [string, string] => [entry.title, entry.url]),
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
