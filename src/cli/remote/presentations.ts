/** How answers of the control interface look on a terminal, and what else a command does about one. All that is written by hand of a command that an operation describes. */
import { flawText } from '../../basics/configuration-error.ts';
import { counted } from '../../basics/counted.ts';
import { withoutUnseenCharacters } from '../../basics/unseen-characters.ts';
import type { Answer, ControlSchemas as Schemas, OperationId, ShownItem } from '../../client/client-control.ts';
import { trafficText } from './traffic-text.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { refuseOnDisk, type ServerOptions } from './server-connection.ts';

type Presentation<Id extends OperationId> = {
  /** What is printed of one item. Undefined prints nothing. */
  readonly line?: (item: ShownItem<Id>) => string | undefined;
  /** Warns of what else the answer says, and sets the exit code, before anything is printed. */
  readonly check?: (answer: Answer<Id>, context: CommandContext) => void;
  /** The exit codes of refusals, by status. Others are those of a wrong configuration. */
  readonly refusals?: Readonly<Record<number, number>>;
  /** An option without which the command may be refused. `before` runs first, and throws to prevent the rest. */
  readonly guard?: {
    readonly option: string;
    readonly description: string;
    readonly before: (options: ServerOptions) => Promise<void>;
  };
};

type Presentations = { readonly [Id in OperationId]?: Presentation<Id> };

/** Empty where nothing is written by hand. */
export const presentationOf = <Id extends OperationId>(id: Id): Presentation<Id> =>
  (presentations as { readonly [I in Id]?: Presentation<I> })[id] ?? {};

const words = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('  ');

const until = (expires: string | null): string | undefined => (expires === null ? undefined : `until ${expires}`);

const unfitText = (collection: string, records: number): string =>
  `The collection "${collection}" has ${counted(records, 'record')} not fitting the document. "atoll ls --collection ${collection} --unfit" lists them.`;

const clockLine = ({ now, mode, scale }: Schemas['Clock']): string =>
  `${now}  ${mode}${scale === undefined ? '' : ` ×${scale}`}`;

/** A record of a collection is named by its id there. */
const differenceLine = ({ type, id, bundle, title, change, fields = [] }: Schemas['Difference']): string =>
  [
    change.padEnd(7),
    ...(type === 'collection_record' ? [bundle.padEnd(18), title] : [`${type} ${id}`.padEnd(18), title]),
    ...(fields.length === 0 ? [] : [`(${fields.map(({ name }) => name).join(', ')})`]),
  ].join('  ');

const faultLine = ({ id, fault, parameters, struck, ...rule }: Schemas['Fault']): string => {
  const values = Object.entries({ ...parameters, ...rule }).map(([name, value]) => `${name}=${String(value)}`);
  return `${id.padStart(4)}  ${fault}  ${values.join(' ')}  (has struck ${struck} times)`;
};

/** The text of the entry, then the messages as they went over the wire. */
const exchangeText = ({ request, response, ...entry }: Schemas['TrafficExchange']): string =>
  [
    trafficText(entry),
    messageText(`${entry.method} ${entry.path}`, request),
    messageText(String(entry.status), response),
  ].join('\n\n');

const messageText = (startLine: string, { headers, bytes, body }: Schemas['TrafficMessage']): string => {
  const head = Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`));
  const text = body ?? (bytes === 0 ? undefined : `(${bytes} bytes)`);
  return [startLine, ...head, ...(text === undefined ? [] : ['', text])].join('\n');
};

/** As many characters of a value are printed, without `--json`. */
const shownCharacters = 120;

const recordLine = ({ id, value, fits }: Schemas['CollectionPage']['records'][number]): string => {
  const text = JSON.stringify(value);
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
  return withoutUnseenCharacters([id.padEnd(8), ...(fits ? [] : ['(does not fit)']), shown].join('  '));
};

const presentations: Presentations = {
  getHealth: {
    line: ({ status, durability, version }) => `${status}  durability ${durability}  version ${version}`,
    check: ({ reasons, unfit = [] }, context) => {
      for (const { message } of reasons) context.warn(message);
      for (const { collection, records } of unfit) context.warn(unfitText(collection, records));
    },
  },
  getReady: {
    line: ({ status, checks }) => words(status, ...checks.map(({ name, message }) => `${name}: ${message}`)),
  },
  reload: {
    line: () => undefined,
    check: ({ served, flaws, warnings }, context) => {
      for (const flaw of [...flaws, ...warnings]) context.warn(flawText({ ...flaw, line: flaw.line ?? undefined }));
      if (!served) context.exit(exitCodes.configuration);
    },
  },
  resetWorld: {
    guard: {
      option: '--yes',
      description: 'also where the repository is on disk, whose content is then lost',
      before: async ({ yes, ...server }: ServerOptions & { readonly yes?: boolean }) =>
        yes === true ? undefined : refuseOnDisk(server),
    },
  },
  listWorlds: { line: ({ name, url, expires }) => words(name.padEnd(12), url, until(expires)) },
  listDifferences: { line: differenceLine },
  listSnapshots: { line: ({ name, saved }) => words(saved, name) },
  getClock: { line: clockLine },
  setClock: { line: clockLine },
  advanceClock: { line: clockLine },
  listTokens: {
    line: ({ name, right, prefix, expires, lastUsed }) =>
      words(
        name.padEnd(16),
        (prefix === null ? right : `${right} ${prefix}*`).padEnd(18),
        lastUsed === null ? 'never used' : `used ${lastUsed}`,
        until(expires),
      ),
  },
  listFaults: { line: faultLine },
  waitForRequest: { line: trafficText, refusals: { 404: exitCodes.goalMissed } },
  getTraffic: { line: exchangeText },
  listEntities: {
    line: ({ id, bundle, model, published, title }) =>
      words(String(id).padStart(6), bundle, model, published ? '' : '(unpublished)', title),
  },
  listCollections: {
    line: ({ name, path, records, unfit }) =>
      words(
        name.padEnd(16),
        counted(records, 'record').padStart(14),
        path ?? '(handlers)',
        unfit === 0 ? '' : `(${unfit} not fitting the document)`,
      ),
    check: ({ others }, { warn }) =>
      others.forEach(({ path, reason }) => warn(`${path} is not a collection: ${reason}`)),
  },
  listCollectionRecords: { line: recordLine },
};
