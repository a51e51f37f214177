/** Compares recorded exchanges, in their order, with a fresh Atoll whose clock and ids stand where the recorded server's stood. */
import { type Judged, moveClock, twinOf } from '../../twin/twin-of.ts';
import type { Site } from '../../../src/repository/repository.ts';
import { wholeBody } from '../../../src/exchange/exchange-target.ts';
import type { HeaderLine, WireBody, WireExchange, WireRequest } from '../../../src/exchange/exchange.ts';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import type { Exchange } from './exchanges.ts';
import { bytesLike } from './uploads.ts';
import type { Entity, EntityKey, Change, Counter, Counters } from '../../../src/openapi/openapi-records.ts';

/** A request that was not recorded, but without which the recorded ones do not make sense. */
export type Step = {
  readonly method: string;
  readonly path: string;
  /** The account's name; nobody when absent. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** When it was sent, as `22:25:36` of the day of the recordings; a moment after what came before, when absent. */
  readonly at?: string;
};

/** What was there before the first exchange of a file, and what happened unrecorded between them. */
export type Given = {
  readonly start: string;
  readonly entities: (site: Site) => readonly Entity[];
  /** Records of the site that the recorded server no longer had at the first exchange. */
  readonly gone?: readonly EntityKey[];
  /** What happened unrecorded before an exchange, by its number from 1: first the ids used up, then the steps sent. */
  readonly before?: Readonly<Record<number, Before>>;
  /** When exchanges were sent whose answers do not tell, by number. */
  readonly at?: Readonly<Record<number, string>>;
};
export type Before = { readonly steps?: readonly Step[]; readonly usedUp?: UsedUp };
type UsedUp = Counters;

export type Replay = {
  /** What differs in the answer to the exchange with this number, once everything before it has happened. */
  send(number: number): Promise<readonly Judged[]>;
  close(): void;
};

export const dayOfRecording = (time: string): string => `2026-11-20T${time}Z`;

const timeAt = (time: string): number => Date.parse(time.includes('T') ? time : dayOfRecording(time));

/** Starts an Atoll in the state that a recorded file presumes. */
export const startReplay = async (recorded: readonly Exchange[], given: Given): Promise<Replay> => {
  const seedTime = Date.parse(dayOfRecording('22:02:08')) / 1000;
  const atoll = await createTestAtoll({ fixture: 'empty', site: (site) => ({ ...site, seedTime }) });
  atoll.clock.set(dayOfRecording(given.start));
  await fill(atoll, given);
  const exchanges = recorded.map((exchange, at) => {
    const time = given.at?.[at + 1] ?? timeOf(exchange);
    return wireExchange(exchange, time === undefined ? 0 : timeAt(time));
  });
  const twin = await twinOf(atoll, {
    ...{ exchanges, target: 'http://localhost:8000', sameClockSince: timeAt(given.start) },
  });
  for (const kind of idKinds) {
    for (let id = 1; id <= highestRecorded; id += 1) {
      twin.session.comparison.pairs.learn({ kind, target: String(id), atoll: String(id) });
    }
  }
  const drawn = new Map<string, number>();
  const take = async (step: Step): Promise<void> => {
    moveClock(atoll, step.at === undefined ? 0 : timeAt(step.at));
    const { status, text } = await twin.send(
      requestOf({ ...step, credentials: step.as ?? null, headers: step.headers ?? {} }),
    );
    if (status >= 500) throw new Error(`${step.method} ${step.path}: ${status} ${text}`);
  };
  let sent = 0;
  return {
    send: async (number) => {
      const [exchange, answered] = [exchanges[number - 1], recorded[number - 1]];
      if (number !== ++sent || exchange === undefined || answered === undefined)
        throw new Error(`exchange ${number} is out of turn`);
      const before = given.before?.[number];
      await useUp(atoll, before?.usedUp ?? {}, drawn);
      for (const step of before?.steps ?? []) await take(step);
      await useUp(atoll, idsBefore(answered), drawn);
      return (await twin.compare(exchange)) ?? [];
    },
    close: () => twin.end(),
  };
};

/** These are the same ids on both sides. */
const idKinds = ['node', 'media', 'file', 'taxonomy_term', 'user', 'node_revision', 'media_revision'] as const;
const highestRecorded = 200;

type Sent = Pick<Exchange['request'], 'method' | 'path' | 'credentials' | 'headers'> & { readonly body?: unknown };

const wireExchange = ({ request, response }: Exchange, at: number): WireExchange => ({
  ...{ at, durationMs: 0, account: undefined, request: requestOf(request) },
  reply: {
    ...{ status: response.status, reason: '', trailers: [], headers: headerLines(response.headers) },
    body: request.method === 'HEAD' ? wholeBody(new Uint8Array()) : replyBody(response.body),
  },
});

const requestOf = ({ method, path, credentials, headers, body }: Sent): WireRequest => ({
  ...{ method, path: unmasked(path) },
  headers: [...headerLines(headers), ...credentialLines(credentials)],
  body: wholeBody(sentBytes(body)),
});

/** The one session of the recordings. */
const unmasked = (text: string): string =>
  text
    .replaceAll('<session>; expires=Thu', 'deleted; expires=Thu')
    .replaceAll(/^<session>/g, 'SESS12ca17b49af2289436f303e0166030a2=recorded')
    .replaceAll('<session>', 'recorded')
    .replaceAll('<logout_token>', 'a9mrfSPMFBxe7ThWaJ0aWvAvxalvVmXcF1J87DUNXtk');

const headerLines = (headers: Readonly<Record<string, string | readonly string[]>>): HeaderLine[] =>
  Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one): HeaderLine => [name, unmasked(one)]));

const credentialLines = (name: string | null): HeaderLine[] => {
  if (name === null) return [];
  const pair = name === 'wrong password' ? 'admin:wrong' : `${name}:${name}`;
  return [['Authorization', `Basic ${Buffer.from(pair).toString('base64')}`]];
};

const sentBytes = (body: unknown): Uint8Array => {
  if (body === null || body === undefined) return new Uint8Array();
  if (typeof body !== 'string') return Buffer.from(JSON.stringify(body));
  const size = /^\((\d+) bytes\)$/.exec(body)?.[1];
  return size === undefined ? Buffer.from(body) : bytesLike(Number(size));
};

const replyBody = (body: unknown): WireBody => {
  if (typeof body !== 'string')
    return wholeBody(Buffer.from(body === null || body === undefined ? '' : JSON.stringify(body)));
  const size = /^\((\d+) bytes\)$/.exec(body)?.[1];
  return size === undefined
    ? wholeBody(Buffer.from(body))
    : { bytes: Number(size), kept: new Uint8Array(), isWhole: false, sha256: '' };
};

const fill = async (atoll: TestAtoll, given: Given): Promise<void> => {
  const put = given.entities(atoll.site).map((entity): Change => ({ put: entity }));
  const removed = (given.gone ?? []).map((key): Change => ({ remove: key }));
  await atoll.world().store.transact([], () => ({ changes: [...put, ...removed], result: undefined }));
};

/** A record that was made or changed tells when. */
const timeOf = ({ request, response }: Exchange): string | undefined => {
  if (request.method === 'GET' || typeof response.body !== 'object' || response.body === null) return undefined;
  const { changed } = response.body as { readonly changed?: readonly { readonly value: string }[] }; // a record's known shape
  return changed?.[0]?.value;
};

/** The ids before the one that an exchange made: unrecorded requests had used them up. */
const idsBefore = ({ response }: Exchange): UsedUp => {
  const [, type, id] = /\/(node|media)\/(\d+)$/.exec(String(response.headers['Location'])) ?? [];
  if (type === undefined) return {};
  // The recorded server's nodes had 68 revisions more than there were nodes.
  return type === 'node'
    ? { node: Number(id) - 1, node_revision: Number(id) + 67 }
    : { media: Number(id) - 1, media_revision: Number(id) - 1 };
};

const useUp = async (atoll: TestAtoll, usedUp: UsedUp, drawn: Map<string, number>): Promise<void> => {
  const { store } = atoll.world();
  for (const [name, id] of Object.entries(usedUp)) {
    const counter = name; // Object.entries forgets the type of keys
    if ((drawn.get(counter) ?? 0) >= id) continue;
    const highest = await highestId(atoll, counter);
    await store.transact([], (view) => {
      for (let last = highest; last < id;) last = view.nextId(counter);
      return { changes: [], result: undefined };
    });
    drawn.set(counter, id);
  }
};

/** The highest id in use, or the highest revision for the counter of revisions. */
const highestId = async (atoll: TestAtoll, counter: Counter): Promise<number> => {
  const type = counter.replace('_revision', ''); // what is left of a counter's name
  const { entities } = await atoll.world().store.list(type, { offset: 0, limit: 10_000 });
  const ids = entities.map((entity) => {
    const revision = entity.fields['vid']?.[0]?.['value'];
    return counter.endsWith('_revision') ? (typeof revision === 'number' ? revision : 0) : entity.id;
  });
  return Math.max(0, ...ids);
};
