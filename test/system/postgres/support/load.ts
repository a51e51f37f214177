/** Clients that read and write the same records at once until they are told to stop, and the comparison of what is left. */
import { createHash } from 'node:crypto';
import {
  changeNode,
  createNode,
  deleteNode,
  idIn,
  pause,
  shown,
  upload,
  valueIn,
  ask,
  askPatiently,
  type Fields,
} from './ask.ts';
import type { History } from './history.ts';
import { inspect, mediaOf, type Inspection } from './inspect.ts';

export type Load = {
  /** Titles that POSTs gave, once each: those that were acknowledged, and those whose answer is open. */
  readonly births: { readonly acknowledged: ReadonlySet<string>; readonly open: ReadonlySet<string> };
  /** Resolves when each client has had its last answer. */
  stop(): Promise<void>;
};

export type LoadOptions = {
  /** Where a client sends its next request; called for each one. */
  readonly base: () => string;
  readonly history: History;
  readonly clients: number;
  /** How many records they share. */
  readonly records: number;
  /** One in so many requests uploads bytes; none when it is left out. */
  readonly uploadEvery?: number;
};

export const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The two fields that the clients change, each by itself, so that an update that is lost is seen. */
const fieldsIn = (answer: Parameters<typeof shown>[0]): Fields => {
  const record = shown(answer);
  return { title: valueIn(record, 'title'), field_pid: valueIn(record, 'field_pid') };
};

let loads = 0;

/** The loads that a test has not stopped. */
const running = new Set<Load>();

/** Stops what a failed test has left. */
export const stopLoads = async (): Promise<void> => {
  await Promise.all([...running].map((load) => load.stop()));
};

/** Starts the clients. Names are different in each load. */
export const startLoad = ({ base, history, clients, records, uploadEvery = 0 }: LoadOptions): Load => {
  const load = `L${(loads += 1)}`;
  const births = { acknowledged: new Set<string>(), open: new Set<string>() };
  const slots: (number | undefined)[] = Array.from({ length: records }, () => undefined);
  let isOver = false;
  let names = 0;

  const create = async (client: string, slot: number): Promise<number | undefined> => {
    const title = `${load} ${client} ${(names += 1)}`;
    const fields = { title, field_pid: title };
    births.open.add(title);
    const send = () => createNode(base(), { ...fields, field_rights: title });
    const answer = await history.create(client, fields, send, (made) => `node:${idIn(made)}`);
    if (answer.status === 201) {
      births.open.delete(title);
      births.acknowledged.add(title);
      slots[slot] = idIn(answer);
    }
    return answer.status;
  };
  const read = async (client: string, id: number): Promise<number> => {
    const send = () => ask(base(), 'GET', `/node/${id}?_format=json`);
    return (await history.read(`node:${id}`, client, send, fieldsIn)).status;
  };
  const change = async (client: string, id: number): Promise<number> => {
    const name = Math.random() < 0.5 ? 'title' : 'field_pid';
    const fields = { [name]: `${load} ${client} ${(names += 1)}` };
    const send = () => changeNode(base(), id, fields);
    return (await history.write(`node:${id}`, client, { kind: 'change', fields }, send)).status;
  };
  const remove = async (client: string, slot: number, id: number): Promise<number> => {
    slots[slot] = undefined;
    return (await history.write(`node:${id}`, client, { kind: 'delete' }, () => deleteNode(base(), id))).status;
  };

  /** Uploads to a node of the client's own: first a medium is made, then its bytes are replaced. */
  const createUploader = (client: string) => {
    let node: number | undefined;
    return async (): Promise<number | undefined> => {
      if (node === undefined) {
        const title = `${load} ${client} bytes ${(names += 1)}`;
        const made = await createNode(base(), { title, field_rights: title });
        if (made.status !== 201) births.open.add(title);
        else {
          births.acknowledged.add(title);
          node = idIn(made);
        }
        return made.status;
      }
      const id = node;
      const bytes = `${load} ${client} ${(names += 1)} `.repeat(50);
      const send = () => upload(base(), id, bytes, `${load}-${client}-${id}`);
      const action = { kind: 'put', fields: { sha256: sha256(bytes) } } as const;
      return (await history.write(`bytes:${id}`, client, action, send)).status;
    };
  };

  const next = (client: string): Promise<number | undefined> => {
    const slot = Math.floor(Math.random() * records);
    const id = slots[slot];
    if (id === undefined) return create(client, slot);
    const chance = Math.random();
    if (chance < 0.45) return read(client, id);
    return chance < 0.95 ? change(client, id) : remove(client, slot, id);
  };

  const work = async (number: number): Promise<void> => {
    const client = `c${number}`;
    const uploadNext = createUploader(client);
    while (!isOver) {
      const isUpload = uploadEvery > 0 && Math.random() < 1 / uploadEvery;
      const status = await (isUpload ? uploadNext() : next(client));
      if (status === undefined || status === 0 || status >= 500) await pause(50); // it is down
    }
  };
  const working = Array.from({ length: clients }, (_, number) => work(number));
  const started: Load = {
    births,
    stop: async () => {
      isOver = true;
      running.delete(started);
      await Promise.all(working);
    },
  };
  running.add(started);
  return started;
};

/** Runs `work` on all entries, `atOnce` at a time. */
export const inGroups = async <T>(
  entries: readonly T[],
  atOnce: number,
  work: (entry: T) => Promise<void>,
): Promise<void> => {
  const left = [...entries];
  const worker = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await work(next);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

export type Comparison = {
  /** Empty when every acknowledged write is there and one order explains every answer. */
  readonly violations: readonly string[];
  readonly inspection: Inspection;
};

/**
 * Compares a repository at rest with what its clients were told: reads every record of the history once more, checks all
 * histories, looks at every stored record, and that each POST made one node at most.
 */
export const compare = async (base: string, history: History, loads: readonly Load[]): Promise<Comparison> => {
  const unread: string[] = [];
  await inGroups(history.records(), 16, async (record) => {
    const [kind, id] = record.split(':');
    if (kind === 'node') {
      const send = () => askPatiently(base, `/node/${id}?_format=json`);
      const { status } = await history.read(record, 'at rest', send, fieldsIn);
      if (status !== 200 && status !== 404) unread.push(`${record} is ${status}`);
    } else {
      const media = await mediaOf(base, Number(id));
      const [only] = media;
      history.noteAtRest(
        record,
        only === undefined
          ? undefined
          : { sha256: only.sha256, ...(media.length > 1 ? { media: String(media.length) } : {}) },
      );
    }
  });
  const inspection = await inspect(base);
  const seen = new Map<string, number>();
  for (const birth of inspection.births) seen.set(birth, (seen.get(birth) ?? 0) + 1);
  const known = new Set(loads.flatMap(({ births }) => [...births.acknowledged, ...births.open]));
  return {
    inspection,
    violations: [
      ...unread,
      ...history.violations(),
      ...inspection.faults,
      ...[...seen]
        .filter(([, count]) => count > 1)
        .map(([birth, count]) => `${count} nodes were made by the POST of ${birth}`),
      ...[...seen.keys()].filter((birth) => !known.has(birth)).map((birth) => `nobody made the node ${birth}`),
    ],
  };
};
